// SPDX-License-Identifier: GPL-2.0-or-later
/* Text, JSON and CSV of the same calls. */
#include "../../libgfs/base/emit.h"
#include "t.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static char *buf;
static size_t len;
static FILE *out;

static struct emit *open_emit(enum emit_format format)
{
	free(buf);
	buf = NULL;
	out = open_memstream(&buf, &len);
	return out ? emit_new(out, format) : NULL;
}

static const char *close_emit(struct emit *e)
{
	int rc = emit_free(e);

	fclose(out);
	return rc ? NULL : buf;
}

static const struct emit_column columns[] = {
	{ "name", false }, { "count", true }, { "ok", false }
};

static void rows(struct emit *e)
{
	emit_row_begin(e);
	emit_str(e, NULL, "a,\"b\"");
	emit_u64(e, NULL, 7);
	emit_bool(e, NULL, true);
	emit_row_end(e);
	emit_row_begin(e);
	emit_str(e, NULL, NULL);
	emit_s64(e, NULL, -12345678);
	emit_bool(e, NULL, false);
	emit_row_end(e);
}

static void sample(struct emit *e, bool stream)
{
	emit_object_begin(e, NULL);
	emit_u64(e, "big", UINT64_MAX);
	emit_s64(e, "small", INT64_MIN);
	emit_hex(e, "mask", 255);
	emit_real(e, "half", 0.5, 2);
	emit_real(e, "none", NAN, 2);
	emit_bool(e, "yes", true);
	emit_note(e, "for %s", "people");
	emit_object_begin(e, "in");
	emit_strf(e, "text", "%d %s", 1, "x");
	emit_object_end(e);
	emit_list_begin(e, "list");
	emit_u64(e, NULL, 1);
	emit_u64(e, NULL, 2);
	emit_list_end(e);
	emit_list_begin(e, "empty");
	emit_list_end(e);
	emit_table_begin(e, "table", columns, 3, stream);
	rows(e);
	emit_table_end(e);
	emit_object_end(e);
}

static void test_text(void)
{
	struct emit *e = open_emit(EMIT_TEXT);

	sample(e, true);
	T_STR(close_emit(e),
	      "big: 18446744073709551615\n"
	      "small: -9223372036854775808\n"
	      "mask: 0xff\n"
	      "half: 0.50\n"
	      "none: -\n"
	      "yes: yes\n"
	      "for people\n"
	      "in:\n"
	      "  text: 1 x\n"
	      "list:\n"
	      "  1\n"
	      "  2\n"
	      "empty:\n"
	      "table:\n"
	      "  NAME  COUNT  OK\n"
	      "  a,\"b\"      7  yes\n"
	      "  -      -12345678  no\n");
#ifdef HAVE_SMARTCOLS
	e = open_emit(EMIT_TEXT);
	emit_table_begin(e, NULL, columns, 3, false);
	rows(e);
	emit_table_end(e);
	T_STR(close_emit(e), "NAME      COUNT OK\n"
			     "a,\"b\"         7 yes\n"
			     "-     -12345678 no\n");
#endif
}

static void test_json(void)
{
	struct emit *e = open_emit(EMIT_JSON);

	T_OK(emit_is_json(e));
	sample(e, false);
	T_STR(close_emit(e),
	      "{\n"
	      "  \"big\": 18446744073709551615,\n"
	      "  \"small\": -9223372036854775808,\n"
	      "  \"mask\": 255,\n"
	      "  \"half\": 0.50,\n"
	      "  \"none\": null,\n"
	      "  \"yes\": true,\n"
	      "  \"in\": {\n"
	      "    \"text\": \"1 x\"\n"
	      "  },\n"
	      "  \"list\": [\n"
	      "    1,\n"
	      "    2\n"
	      "  ],\n"
	      "  \"empty\": [],\n"
	      "  \"table\": [\n"
	      "    {\"name\": \"a,\\\"b\\\"\", \"count\": 7, \"ok\": true},\n"
	      "    {\"name\": null, \"count\": -12345678, \"ok\": false}\n"
	      "  ]\n"
	      "}\n");
}

static void test_csv(void)
{
	struct emit *e = open_emit(EMIT_CSV);

	sample(e, false);
	T_STR(close_emit(e), "name,count,ok\n"
			     "\"a,\"\"b\"\"\",7,true\n"
			     ",-12345678,false\n");
}

/* One string in both formats. */
static void test_strings(void)
{
	static const struct {
		const char *in;
		size_t len;
		const char *text;
		const char *json;
	} cases[] = {
		{ "plain", 5, "plain", "\"plain\"" },
		{ "a\\b", 3, "a\\b", "\"a\\\\b\"" },
		{ "\xc3\xa9", 2, "\xc3\xa9", "\"\xc3\xa9\"" },
		{ "\xf0\x9f\x98\x80", 4, "\xf0\x9f\x98\x80",
		  "\"\xf0\x9f\x98\x80\"" },
		{ "\xff", 1, "\\xff", "\"\\\\xff\"" },
		{ "\xc3", 1, "\\xc3", "\"\\\\xc3\"" },
		{ "\xc0\x80", 2, "\\xc0\\x80", "\"\\\\xc0\\\\x80\"" },
		{ "\xed\xa0\x80", 3, "\\xed\\xa0\\x80",
		  "\"\\\\xed\\\\xa0\\\\x80\"" },
		{ "\xf4\x90\x80\x80", 4, "\\xf4\\x90\\x80\\x80",
		  "\"\\\\xf4\\\\x90\\\\x80\\\\x80\"" },
		{ "\033[1m", 4, "\\x1b[1m", "\"\\u001b[1m\"" },
		{ "\xc2\x9b", 2, "\\xc2\\x9b", "\"\xc2\x9b\"" },
		{ "a\0b", 3, "a\\x00b", "\"a\\u0000b\"" },
		{ "", 0, "", "\"\"" },
	};
	char want[64];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct emit *e = open_emit(EMIT_TEXT);

		emit_bytes(e, NULL, cases[i].in, cases[i].len);
		snprintf(want, sizeof(want), "%s\n", cases[i].text);
		T_STR(close_emit(e), want);
		e = open_emit(EMIT_JSON);
		emit_bytes(e, NULL, cases[i].in, cases[i].len);
		snprintf(want, sizeof(want), "%s\n", cases[i].json);
		close_emit(e);
		/* Either case of the digits of \u001b is right. */
		T_NAMED(buf && !strcasecmp(buf, want), want);
	}
}

/* What is left open is closed; objects in a list are told apart. */
static void test_nesting(void)
{
	struct emit *e = open_emit(EMIT_JSON);

	emit_list_begin(e, NULL);
	emit_object_begin(e, NULL);
	emit_table_begin(e, "t", columns, 3, true);
	T_STR(close_emit(e), "[\n  {\n    \"t\": []\n  }\n]\n");
	e = open_emit(EMIT_TEXT);
	emit_list_begin(e, "items");
	for (uint64_t i = 0; i < 2; i++) {
		emit_object_begin(e, NULL);
		emit_u64(e, "n", i);
		emit_object_end(e);
	}
	T_STR(close_emit(e), "items:\n  n: 0\n\n  n: 1\n");
}

static void test_failure(void)
{
	FILE *full = fopen("/dev/full", "w");
	struct emit *e;

	if (!full)
		return;
	e = emit_new(full, EMIT_JSON);
	emit_object_begin(e, NULL);
	T_EQ(emit_free(e), -ENOSPC);
	fclose(full);
}

int main(void)
{
	test_text();
	test_json();
	test_csv();
	test_strings();
	test_nesting();
	test_failure();
	free(buf);
	return t_done();
}
