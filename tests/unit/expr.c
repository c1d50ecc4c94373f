// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * debugfs.gfs2's words, field names and fuzz verbs. Offsets are those of the
 * format's description, not taken from the structs.
 */
#include "t.h"

#include "../../debugfs/field.c"
#include "../../debugfs/fuzz.c"
#include "../../debugfs/words.c"

#define BSIZE 4096U

static struct gfs_geom geom;
static char block[BSIZE];

/* Split a copy of text; the words stay in buf. */
static int split(const char *text, char *buf, char **words)
{
	strcpy(buf, text);
	return dbg_words(buf, words, 8);
}

static void test_words(void)
{
	char buf[128];
	char *w[8];

	T_EQ(split("", buf, w), 0);
	T_EQ(split("   # only a comment", buf, w), 0);
	T_EQ(split("stat /a/b\n", buf, w), 2);
	T_STR(w[0], "stat");
	T_STR(w[1], "/a/b");
	T_EQ(split("ls '/a b' \"c\\\"d\" e\\ f#g # end", buf, w), 4);
	T_STR(w[1], "/a b");
	T_STR(w[2], "c\"d");
	T_STR(w[3], "e f#g");
	T_EQ(split("x '' \"\"", buf, w), 3);
	T_STR(w[1], "");
	T_STR(w[2], "");
	T_EQ(split("a\\x0ab 'a\\x0ab'", buf, w), 2);
	T_STR(w[0], "a\nb");
	T_STR(w[1], "a\\x0ab");
	T_EQ(split("open 'quote", buf, w), -EINVAL);
	T_EQ(split("bad \\xg0", buf, w), -EINVAL);
	T_EQ(split("nul \\x00", buf, w), -EINVAL);
	T_EQ(split("end \\", buf, w), -EINVAL);
	T_EQ(split("1 2 3 4 5 6 7 8", buf, w), 8);
	T_EQ(split("1 2 3 4 5 6 7 8 9", buf, w), -E2BIG);
}

static void test_join(void)
{
	char buf[128];
	char *w[8];
	int n;

	n = split("set rg   12 rg_free 7", buf, w);
	n = dbg_join_addresses(w, n);
	T_EQ(n, 4);
	T_STR(w[1], "rg 12");
	T_STR(w[2], "rg_free");
	n = split("get block 17 .di_size", buf, w);
	n = dbg_join_addresses(w, n);
	T_EQ(n, 3);
	T_STR(w[1], "17");
	n = split("fields rg", buf, w);
	T_EQ(dbg_join_addresses(w, n), 2);
}

static void test_numbers(void)
{
	const char *rest;
	uint64_t n;

	T_OK(!dbg_number("17", &n) && n == 17);
	T_OK(!dbg_number("<17>", &n) && n == 17);
	T_OK(!dbg_number("0x805B", &n) && n == 0x805b);
	T_OK(!dbg_number("<0x11>", &n) && n == 17);
	T_OK(!dbg_number("18446744073709551615", &n) && n == UINT64_MAX);
	T_EQ(dbg_number("18446744073709551616", &n), -ERANGE);
	T_EQ(dbg_number("0x10000000000000000", &n), -ERANGE);
	T_EQ(dbg_number("", &n), -EINVAL);
	T_EQ(dbg_number("<>", &n), -EINVAL);
	T_EQ(dbg_number("<17", &n), -EINVAL);
	T_EQ(dbg_number("0x", &n), -EINVAL);
	T_EQ(dbg_number("-1", &n), -EINVAL);
	T_EQ(dbg_number("17 ", &n), -EINVAL);
	T_EQ(dbg_number("1a", &n), -EINVAL);

	T_OK(dbg_subscript("ptr[3]", "ptr", &n) && n == 3);
	T_OK(dbg_subscript("ptr[0x10]", "ptr", &n) && n == 16);
	T_OK(!dbg_subscript("ptr[]", "ptr", &n));
	T_OK(!dbg_subscript("ptr[3", "ptr", &n));
	T_OK(!dbg_subscript("ptr", "ptr", &n));
	T_OK(!dbg_subscript("ptr[", "ptr", &n));
	T_OK(!dbg_subscript("xptr[3]", "ptr", &n));

	T_OK(dbg_record_prefix("12.no_addr", &n, &rest) && n == 12);
	T_STR(rest, "no_addr");
	T_OK(!dbg_record_prefix("di_num.no_addr", &n, &rest));
	T_OK(!dbg_record_prefix("12", &n, &rest));
}

/* The field is found at that byte, with that size. */
static void at(const char *text, uint32_t offset, uint32_t size)
{
	struct dbg_field f = { .offset = 0 };
	struct gfs_error err;
	int rc = dbg_field_in_block(&geom, block, text, &f, &err);

	T_NAMED(!rc && f.offset == offset && f.f.size == size, text);
	if (rc || f.offset != offset || f.f.size != size)
		printf("# rc %d (%s) offset %u size %u\n", rc,
		       rc ? err.text : "", f.offset, f.f.size);
}

static void fails(const char *text, int code)
{
	struct dbg_field f;
	struct gfs_error err;
	int rc = dbg_field_in_block(&geom, block, text, &f, &err);

	T_NAMED(rc == -code, text);
	if (rc != -code)
		printf("# rc %d, want %d\n", rc, -code);
}

/* A metadata header: magic 0x01161970 at 0, type at 4, format at 16. */
static void start_block(unsigned int type, unsigned int format)
{
	memset(block, 0, sizeof(block));
	memcpy(block, "\x01\x16\x19\x70", 4);
	block[7] = (char)type;
	block[18] = (char)(format >> 8);
	block[19] = (char)format;
}

static void test_dinode(void)
{
	start_block(4, 400);
	at("di_size", 56, 8);
	at(".di_size", 56, 8);
	at("di_num.no_addr", 32, 8);
	at("no_formal_ino", 24, 8);
	at("mh_type", 4, 4);
	at("di_height", 138, 2);
	at("di_eattr", 168, 8);
	at("ptr[0]", 232, 8);
	at("ptr[482]", 4088, 8);
	at("sc_free", 240, 8);
	at("ir_length", 240, 8);
	at("be64[4088]", 4088, 8);
	at("byte[4095]", 4095, 1);
	at("leaf:lf_next", 32, 8);
	at("rindex:2.ri_data0", 2 * 96 + 16, 8);
	fails("ptr[483]", ERANGE);
	fails("be64[4089]", ERANGE);
	fails("byte[4096]", ERANGE);
	fails("byte[0xffffffffffffffff]", ERANGE);
	fails("rindex:42.ri_data0", ENOENT);
	fails("rindex:0xffffffffffffffff.ri_data0", ENOENT);
	fails("di_nothing", ENOENT);
	fails("nothing:di_size", ENOENT);
	fails("escape[0]", ENOENT);
	fails("0.no_addr", ENOENT);
	fails("", ENOENT);
}

/* "." (48 bytes) and "..", which reaches the block's end, from byte 232. */
static void linear_directory(void)
{
	start_block(4, 400);
	memcpy(block + 40, "\0\0\x41\xed", 4);
	memcpy(block + 232, "\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\x12", 16);
	memcpy(block + 232 + 20, "\0\x30\0\1\0\4", 6);
	block[232 + 40] = '.';
	memcpy(block + 280, "\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\x12", 16);
	memcpy(block + 280 + 20, "\x0e\xe8\0\2\0\4", 6);
	memcpy(block + 280 + 40, "..", 2);
}

static void test_dirents(void)
{
	linear_directory();
	at("0.no_addr", 232 + 8, 8);
	at("1.de_rec_len", 280 + 20, 2);
	at("1.de_inum.no_formal_ino", 280, 8);
	at("1.name", 280 + 40, 2);
	fails("2.no_addr", ENOENT);
	fails("1.di_size", ENOENT);
	/* rec_len 0: the record can be mended, none behind it is found. */
	block[280 + 20] = 0;
	block[280 + 21] = 0;
	at("1.de_rec_len", 280 + 20, 2);
	fails("2.de_rec_len", GFS_ECORRUPT);
}

static void test_other_types(void)
{
	start_block(9, 900);
	block[27] = (char)300 & 0xff;
	block[26] = 1;
	at("ld_data1", 32, 4);
	at("tag[0]", 72, 8);
	at("tag[502]", 72 + 502 * 8, 8);
	fails("escape[0]", ENOENT);
	block[27] = (char)302 & 0xff;
	at("tag[1]", 88, 8);
	at("escape[1]", 96, 8);
	fails("tag[251]", ERANGE);
	start_block(5, 500);
	at("ptr[508]", 24 + 508 * 8, 8);
	fails("ptr[509]", ERANGE);
	start_block(14, 1400);
	at("1.qc_id", 24 + 16 + 12, 4);
	fails("254.qc_id", ENOENT);
	start_block(2, 200);
	at("rg_free", 28, 4);
	at("rg_crc", 64, 4);
	fails("ptr[0]", ENOENT);
	memset(block, 0, sizeof(block));
	fails("di_size", ENOENT);
	at("dinode:di_size", 56, 8);
	at("be32[8]", 8, 4);
}

/* One "user.a" = "xyz", then an unstuffed record of one block. */
static void test_ea(void)
{
	start_block(10, 1600);
	memcpy(block + 24, "\0\0\0\x18\0\0\0\3\1\1\0\0", 12);
	memcpy(block + 24 + 16, "axyz", 4);
	memcpy(block + 48, "\0\0\x0f\xd0\0\0\x0f\xe8\2\1\1\1", 12);
	memcpy(block + 48 + 16, "bb", 2);
	at("0.ea_data_len", 28, 4);
	at("0.name", 40, 1);
	at("0.value", 41, 3);
	at("1.name", 64, 2);
	at("1.ptr[0]", 48 + 24, 8);
	fails("1.ptr[1]", ERANGE);
	fails("0.ptr[0]", ERANGE);
	fails("1.value", ENOENT);
	fails("2.name", ENOENT);
}

static void fuzzed(const char *verb, uint64_t n, const char *want)
{
	struct dbg_fuzz fuzz = { .verb = verb, .n = n, .has_n = n != 0 };
	uint8_t bytes[4] = { 0, 0, 0x01, 0xff };
	char text[16];
	int rc = dbg_fuzz_bytes(&fuzz, bytes, sizeof(bytes));

	snprintf(text, sizeof(text), "%02x%02x%02x%02x", bytes[0], bytes[1],
		 bytes[2], bytes[3]);
	T_NAMED(!rc && !strcmp(text, want), verb);
	if (strcmp(text, want))
		printf("# got %s, want %s\n", text, want);
}

static void test_fuzz(void)
{
	struct dbg_fuzz fuzz = { .verb = "nothing" };
	struct dbg_fuzz random = { .verb = "random", .n = 7, .has_n = true };
	uint8_t a[8] = { 0 }, b[8] = { 0 };

	fuzzed("zeroes", 0, "00000000");
	fuzzed("ones", 0, "ffffffff");
	fuzzed("firstbit", 0, "800001ff");
	fuzzed("middlebit", 0, "000081ff");
	fuzzed("lastbit", 0, "000001fe");
	fuzzed("add", 0, "00000200");
	fuzzed("add", 0x10001, "00010200");
	fuzzed("sub", 0, "000001fe");
	fuzzed("sub", 0x200, "ffffffff");
	T_EQ(dbg_fuzz_bytes(&fuzz, a, sizeof(a)), -EINVAL);
	T_EQ(dbg_fuzz_bytes(&random, a, sizeof(a)), 0);
	T_EQ(dbg_fuzz_bytes(&random, b, sizeof(b)), 0);
	T_OK(!memcmp(a, b, sizeof(a)));
	T_OK(memcmp(a, "\0\0\0\0\0\0\0\0", sizeof(a)));
}

int main(void)
{
	T_EQ(gfs_geom_init(&geom, BSIZE), 0);
	test_words();
	test_join();
	test_numbers();
	test_dinode();
	test_dirents();
	test_other_types();
	test_ea();
	test_fuzz();
	return t_done();
}
