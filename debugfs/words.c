// SPDX-License-Identifier: GPL-2.0-or-later
/* Words, quotes, numbers and subscripts of a command line. */
#include "words.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The character behind a backslash at *in; *in moves behind it. */
static int take_escape(const char **in, char *c)
{
	const char *p = *in;
	int high, low;

	if (!*p)
		return -EINVAL;
	if (*p != 'x') {
		*c = *p;
		*in = p + 1;
		return 0;
	}
	high = hex_digit(p[1]);
	low = high < 0 ? -1 : hex_digit(p[2]);
	if (low < 0 || (!high && !low))
		return -EINVAL;
	*c = (char)(high << 4 | low);
	*in = p + 3;
	return 0;
}

/* One word at *in, unquoted to out, which is never ahead of *in. */
static int take_word(const char **in, char **out)
{
	const char *p = *in;
	char *o = *out;
	char quote = 0;
	int rc = 0;

	while (*p && (quote || !isspace((unsigned char)*p)) && !rc) {
		char c = *p++;

		if (quote && c == quote)
			quote = 0;
		else if (!quote && (c == '"' || c == '\''))
			quote = c;
		else if (c == '\\' && quote != '\'')
			rc = take_escape(&p, o++);
		else
			*o++ = c;
	}
	*in = p;
	*out = o;
	return quote ? -EINVAL : rc;
}

int dbg_words(char *line, char **words, int max)
{
	const char *in = line;
	int n = 0;

	for (;;) {
		char *out;
		int rc;

		while (isspace((unsigned char)*in))
			in++;
		if (!*in || *in == '#')
			return n;
		if (n == max)
			return -E2BIG;
		out = line + (in - line);
		words[n++] = out;
		rc = take_word(&in, &out);
		if (rc)
			return rc;
		if (*in)
			in++;
		*out = 0;
	}
}

int dbg_join_addresses(char **words, int n)
{
	int to = 0;

	for (int i = 0; i < n; i++) {
		bool number = i + 1 < n &&
			      (isdigit((unsigned char)words[i + 1][0]) ||
			       words[i + 1][0] == '<');

		if (number && i && !strcmp(words[i], "block"))
			continue;
		words[to++] = words[i];
		if (!number || strcmp(words[i], "rg"))
			continue;
		words[i][2] = ' ';
		memmove(words[i] + 3, words[i + 1], strlen(words[i + 1]) + 1);
		i++;
	}
	return to;
}

/* Digits in base 10 or 16 from text up to end, all of them. */
static int parse_digits(const char *text, const char *end, uint64_t *value)
{
	uint64_t base = 10;
	uint64_t v = 0;

	if (end - text > 2 && text[0] == '0' && (text[1] | 0x20) == 'x') {
		base = 16;
		text += 2;
	}
	if (text == end)
		return -EINVAL;
	for (; text < end; text++) {
		int digit = hex_digit(*text);

		if (digit < 0 || (uint64_t)digit >= base)
			return -EINVAL;
		if (__builtin_mul_overflow(v, base, &v) ||
		    __builtin_add_overflow(v, (uint64_t)digit, &v))
			return -ERANGE;
	}
	*value = v;
	return 0;
}

int dbg_number(const char *text, uint64_t *value)
{
	const char *end = text + strlen(text);

	if (*text == '<') {
		if (end[-1] != '>')
			return -EINVAL;
		text++;
		end--;
	}
	return parse_digits(text, end, value);
}

bool dbg_subscript(const char *text, const char *name, uint64_t *n)
{
	size_t len = strlen(name);
	size_t all = strlen(text);

	if (strncmp(text, name, len) || text[len] != '[' ||
	    text[all - 1] != ']')
		return false;
	return !parse_digits(text + len + 1, text + all - 1, n);
}

bool dbg_record_prefix(const char *text, uint64_t *n, const char **rest)
{
	const char *point = strchr(text, '.');

	if (!point || parse_digits(text, point, n))
		return false;
	*rest = point + 1;
	return true;
}
