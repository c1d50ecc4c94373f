// SPDX-License-Identifier: GPL-2.0-or-later
/* Single values as text and JSON: what of a string may be shown as it is. */
#include "emit_priv.h"

#include <stdlib.h>
#include <string.h>

#ifdef HAVE_JANSSON
#include <jansson.h>
#endif

/* Length of the UTF-8 character at p (1..4), 0 if there is none. */
static size_t utf8_len(const uint8_t *p, size_t left)
{
	uint32_t c;
	size_t n;

	if (p[0] < 0x80)
		return 1;
	if (p[0] < 0xc2 || p[0] > 0xf4)
		return 0;
	n = p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
	if (left < n)
		return 0;
	c = p[0] & (0x7fU >> n);
	for (size_t i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	if (n == 3 && (c < 0x800 || (c >= 0xd800 && c < 0xe000)))
		return 0;
	if (n == 4 && (c < 0x10000 || c > 0x10ffff))
		return 0;
	return n;
}

/* Would this character steer a terminal? C0, DEL and C1. */
static bool is_control(const uint8_t *p, size_t len)
{
	if (len == 1)
		return p[0] < 0x20 || p[0] == 0x7f;
	return p[0] == 0xc2 && p[1] < 0xa0;
}

char *emit_printable(const void *bytes, size_t len, bool text, size_t *out_len)
{
	static const char hex[] = "0123456789abcdef";
	const uint8_t *p = bytes;
	const uint8_t *end = p + len;
	char *buf = malloc(4 * len + 1);
	char *o = buf;

	if (!buf)
		return NULL;
	while (p < end) {
		size_t n = utf8_len(p, (size_t)(end - p));

		if (n && !(text && is_control(p, n))) {
			memcpy(o, p, n);
			o += n;
			p += n;
			continue;
		}
		*o++ = '\\';
		*o++ = 'x';
		*o++ = hex[*p >> 4];
		*o++ = hex[*p++ & 15];
	}
	*o = 0;
	*out_len = (size_t)(o - buf);
	return buf;
}

#ifdef HAVE_JANSSON
static void json_quote(FILE *out, const struct emit_value *v)
{
	json_t *j = json_stringn_nocheck(v->text, v->len);

	if (!j || json_dumpf(j, out, JSON_ENCODE_ANY))
		fputs("null", out);
	json_decref(j);
}
#else
static void json_quote(FILE *out, const struct emit_value *v)
{
	putc('"', out);
	for (size_t i = 0; i < v->len; i++) {
		unsigned char c = (unsigned char)v->text[i];

		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < 0x20)
			fprintf(out, "\\u%04x", c);
		else
			putc(c, out);
	}
	putc('"', out);
}
#endif

void emit_json_value(FILE *out, const struct emit_value *v)
{
	if (v->string)
		json_quote(out, v);
	else
		fwrite(v->text, 1, v->len, out);
}
