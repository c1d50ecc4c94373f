// SPDX-License-Identifier: GPL-2.0-or-later
/* Field tables cover their structs; values go in and out as text. */
#include "../../libgfs/format/layout.h"

#include "t.h"

#include <errno.h>

/* The largest struct on disk is gfs2_sb. */
#define LARGEST 272U

/* Each field begins where the one before it ends. */
static void tiling(const struct gfs_layout *l)
{
	size_t at = 0;
	bool ok = true;

	for (unsigned int i = 0; i < l->nfields; i++) {
		const struct gfs_field *f = &l->fields[i];

		if (f->offset != at)
			printf("# %s.%s is at %u, want %zu\n", l->name, f->name,
			       f->offset, at);
		ok = ok && f->offset == at && f->size && f->help && *f->help;
		at += f->size;
	}
	T_NAMED(ok && at == l->size && l->size <= LARGEST, l->name);
}

/* Sense and representation must fit each other. */
static bool fits(const struct gfs_field *f)
{
	bool names = f->sense == GFS_S_FLAGS || f->sense == GFS_S_ENUM;
	bool raw = f->sense == GFS_S_PAD || f->sense == GFS_S_STRING ||
		   f->sense == GFS_S_UUID;
	static const unsigned int sizes[] = {
		[GFS_REPR_U8] = 1,
		[GFS_REPR_BE16] = 2,
		[GFS_REPR_BE32] = 4,
		[GFS_REPR_BE64] = 8,
	};

	if (names != (f->flags != NULL))
		return false;
	if ((f->sense == GFS_S_STRUCT) != (f->repr == GFS_REPR_STRUCT))
		return false;
	if (f->repr == GFS_REPR_STRUCT)
		return f->sub && f->sub->size == f->size;
	if (f->sub || raw != (f->repr == GFS_REPR_RAW))
		return false;
	return raw || f->size == sizes[f->repr];
}

static void senses(void)
{
	unsigned int n = 0;

	for (; gfs_layouts[n]; n++) {
		const struct gfs_layout *l = gfs_layouts[n];
		bool ok = true;

		for (unsigned int i = 0; i < l->nfields; i++)
			ok = ok && fits(&l->fields[i]);
		T_NAMED(ok, l->name);
		T_OK(gfs_layout_find(l->name) == l);
		T_OK(gfs_layout_find(l->name + strlen("gfs2_")) == l);
	}
	T_EQ(n, 15);
	T_OK(!gfs_layout_find("inode"));
	T_OK(!gfs_layout_find(""));
}

/* A value that was set is there, and nothing around it has changed. */
static int round_trip(void *ctx, const char *name, const struct gfs_field *f,
		      const void *at)
{
	uint8_t buf[8 + 2];
	uint64_t mask = f->size < 8 ? (1ULL << (8 * f->size)) - 1 : UINT64_MAX;
	uint64_t value = 0xF1E2D3C4B5A69788ULL & mask;

	(void)ctx;
	(void)at;
	if (f->repr > GFS_REPR_BE64)
		return 0;
	memset(buf, 0x5A, sizeof(buf));
	gfs_field_set(f, buf + 1, value);
	T_NAMED(gfs_field_get(f, buf + 1) == value && buf[0] == 0x5A &&
			buf[1] == value >> (8 * (f->size - 1)) &&
			buf[1 + f->size] == 0x5A,
		name);
	return 0;
}

/* What is printed can be read again and means the same. */
static int text_trip(void *ctx, const char *name, const struct gfs_field *f,
		     const void *at)
{
	char text[1024], again[LARGEST];

	(void)ctx;
	gfs_field_text(f, at, text, sizeof(text));
	memset(again, 0, sizeof(again));
	if (!T_NAMED(gfs_field_parse(f, again, text) == 0 &&
			     !memcmp(again, at, f->size),
		     name))
		printf("# \"%s\"\n", text);
	return 0;
}

static void trips(void)
{
	uint8_t base[LARGEST];

	for (unsigned int i = 0; gfs_layouts[i]; i++) {
		for (size_t k = 0; k < sizeof(base); k++)
			base[k] = (uint8_t)(k % 26 + 'a');
		/* A string needs its NUL. */
		base[96 + 63] = base[160 + 63] = 0;
		gfs_layout_each(gfs_layouts[i], base, round_trip, NULL);
		gfs_layout_each(gfs_layouts[i], base, text_trip, NULL);
		memset(base, 0, sizeof(base));
		gfs_layout_each(gfs_layouts[i], base, text_trip, NULL);
		memset(base, 0xFF, sizeof(base));
		base[96] = base[160] = 0;
		memset(base + 97, 0, 63);
		memset(base + 161, 0, 63);
		gfs_layout_each(gfs_layouts[i], base, text_trip, NULL);
	}
}

static void lookup(void)
{
	size_t at = 0;

	T_OK(gfs_layout_field(&gfs_layout_dinode, "di_size", &at));
	T_EQ(at, 56);
	T_OK(gfs_layout_field(&gfs_layout_dinode, "di_num.no_addr", &at));
	T_EQ(at, 32);
	T_OK(gfs_layout_field(&gfs_layout_dinode, "no_addr", &at));
	T_EQ(at, 32);
	T_OK(gfs_layout_field(&gfs_layout_dinode, "mh_format", &at));
	T_EQ(at, 16);
	T_OK(gfs_layout_field(&gfs_layout_sb, "sb_root_dir.no_addr", &at));
	T_EQ(at, 88);
	T_OK(gfs_layout_field(&gfs_layout_sb, "sb_uuid", &at));
	T_EQ(at, 256);
	T_OK(gfs_layout_field(&gfs_layout_log_header, "lh_crc", &at));
	T_EQ(at, 48);
	/* Two inums: which one? */
	T_OK(!gfs_layout_field(&gfs_layout_sb, "no_addr", &at));
	T_OK(!gfs_layout_field(&gfs_layout_sb, "sb_root", &at));
	T_OK(!gfs_layout_field(&gfs_layout_sb, "sb_bsize.no_addr", &at));
	T_OK(!gfs_layout_field(&gfs_layout_sb, "sb_root_dir.", &at));
	T_OK(!gfs_layout_field(&gfs_layout_sb, "sb_root_dir.nothing", &at));
	T_OK(!gfs_layout_field(&gfs_layout_sb, "", &at));
	T_OK(!gfs_layout_field(&gfs_layout_sb, ".no_addr", &at));
}

struct expect {
	const struct gfs_layout *layout;
	const char *field;
	const char *in;
	int rc;
	uint64_t value;  /* of integers */
	const char *out; /* NULL: do not compare */
};

static const struct expect expectations[] = {
	{ &gfs_layout_dinode, "di_size", "4096", 0, 4096, "4096" },
	{ &gfs_layout_dinode, "di_size", "0x1000", 0, 4096, "4096" },
	{ &gfs_layout_dinode, "di_size", "18446744073709551615", 0, UINT64_MAX,
	  "18446744073709551615" },
	{ &gfs_layout_dinode, "di_size", "18446744073709551616", -ERANGE, 0,
	  NULL },
	{ &gfs_layout_dinode, "di_size", "12k", -EINVAL, 0, NULL },
	{ &gfs_layout_dinode, "di_size", "", -EINVAL, 0, NULL },
	{ &gfs_layout_dinode, "di_size", "-1", -EINVAL, 0, NULL },
	{ &gfs_layout_dinode, "di_size", "0x", -EINVAL, 0, NULL },
	{ &gfs_layout_dinode, "di_size", " 1", -EINVAL, 0, NULL },
	{ &gfs_layout_dinode, "di_size", "\x11", -EINVAL, 0, NULL },
	{ &gfs_layout_dinode, "di_height", "65535", 0, 65535, "65535" },
	{ &gfs_layout_dinode, "di_height", "65536", -ERANGE, 0, NULL },
	{ &gfs_layout_dinode, "di_mode", "0100644", 0, 0100644, "0100644" },
	{ &gfs_layout_dinode, "di_mode", "40755", 0, 040755, "0040755" },
	{ &gfs_layout_dinode, "di_mode", "0x81A4", 0, 0100644, "0100644" },
	{ &gfs_layout_dinode, "di_mode", "888", -EINVAL, 0, NULL },
	{ &gfs_layout_dinode, "di_flags", "JDATA|EXHASH", 0, 3,
	  "JDATA|EXHASH (0x3)" },
	{ &gfs_layout_dinode, "di_flags", "exhash|0x1000", 0, 0x1002,
	  "EXHASH|0x1000 (0x1002)" },
	{ &gfs_layout_dinode, "di_flags", "INHERIT_JDATA", 0, 0x80000000,
	  "INHERIT_JDATA (0x80000000)" },
	{ &gfs_layout_dinode, "di_flags", "0", 0, 0, "0" },
	{ &gfs_layout_dinode, "di_flags", "JDATA|", -EINVAL, 0, NULL },
	{ &gfs_layout_dinode, "di_flags", "|JDATA", -EINVAL, 0, NULL },
	{ &gfs_layout_dinode, "di_flags", "NONSENSE", -EINVAL, 0, NULL },
	{ &gfs_layout_dinode, "di_flags", "0x100000000", -ERANGE, 0, NULL },
	{ &gfs_layout_dinode, "mh_type", "dinode", 0, 4, "dinode (4)" },
	{ &gfs_layout_dinode, "mh_type", "none", 0, 0, "none (0)" },
	{ &gfs_layout_dinode, "mh_type", "13", 0, 13, "13" },
	{ &gfs_layout_dinode, "mh_type", "leaf|dinode", -EINVAL, 0, NULL },
	{ &gfs_layout_dinode, "mh_magic", "0x01161970", 0, 0x01161970,
	  "0x01161970" },
	{ &gfs_layout_dinode, "di_mtime", "1700000000", 0, 1700000000,
	  "1700000000 (2023-11-14 22:13:20 UTC)" },
	{ &gfs_layout_dinode, "di_mtime", "-1", 0, UINT64_MAX,
	  "-1 (1969-12-31 23:59:59 UTC)" },
	{ &gfs_layout_rgrp, "rg_flags", "NOALLOC|TRIMMED", 0, 0x18,
	  "NOALLOC|TRIMMED (0x18)" },
	{ &gfs_layout_rgrp, "rg_crc", "0xDEADBEEF", 0, 0xDEADBEEF,
	  "0xdeadbeef" },
	{ &gfs_layout_log_header, "lh_flags", "UNMOUNT|LFC_SHUTDOWN", 0, 0x101,
	  "UNMOUNT|LFC_SHUTDOWN (0x101)" },
	{ &gfs_layout_log_header, "lh_flags", "0x400002", 0, 0x400002,
	  "FLUSH_NORMAL|LFC_SYNC_FS (0x400002)" },
	{ &gfs_layout_log_header, "lh_flags", "USERSPACE|UNMOUNT", 0,
	  0x80000001, "UNMOUNT|USERSPACE (0x80000001)" },
	{ &gfs_layout_log_descriptor, "ld_type", "revoke", 0, 301,
	  "revoke (301)" },
	{ &gfs_layout_ea_header, "ea_type", "trusted", 0, 4, "trusted (4)" },
	{ &gfs_layout_ea_header, "ea_flags", "LAST", 0, 1, "LAST (0x1)" },
	{ &gfs_layout_ea_header, "ea_name_len", "256", -ERANGE, 0, NULL },
	{ &gfs_layout_dirent, "de_type", "lnk", 0, 10, "lnk (10)" },
	{ &gfs_layout_statfs_change, "sc_free", "-5", 0, (uint64_t)-5, "-5" },
	{ &gfs_layout_statfs_change, "sc_free", "-9223372036854775808", 0,
	  1ULL << 63, "-9223372036854775808" },
	{ &gfs_layout_statfs_change, "sc_free", "9223372036854775808", -ERANGE,
	  0, NULL },
	{ &gfs_layout_statfs_change, "sc_free", "--5", -EINVAL, 0, NULL },
	{ &gfs_layout_statfs_change, "sc_free", "-", -EINVAL, 0, NULL },
	{ &gfs_layout_quota_change, "qc_flags", "USER", 0, 1, "USER (0x1)" },
	{ &gfs_layout_sb, "sb_lockproto", "lock_nolock", 0, 0, "lock_nolock" },
	{ &gfs_layout_sb, "sb_locktable", "", 0, 0, "" },
	{ &gfs_layout_sb, "sb_locktable",
	  "0123456789012345678901234567890123456789012345678901234567890123",
	  -ERANGE, 0, NULL },
	{ &gfs_layout_sb, "sb_locktable",
	  "012345678901234567890123456789012345678901234567890123456789012", 0,
	  0, NULL },
	{ &gfs_layout_sb, "sb_uuid", "0B0F3DCA-7D3A-4A0E-8D0C-6A1E2F9B5C77", 0,
	  0, "0b0f3dca-7d3a-4a0e-8d0c-6a1e2f9b5c77" },
	{ &gfs_layout_sb, "sb_uuid", "0b0f3dca", -EINVAL, 0, NULL },
	{ &gfs_layout_sb, "__pad0", "0011aaFF", 0, 0, "0011aaff" },
	{ &gfs_layout_sb, "__pad0", "0", 0, 0, "00000000" },
	{ &gfs_layout_sb, "__pad0", "00", -EINVAL, 0, NULL },
	{ &gfs_layout_sb, "__pad0", "0011aaFF00", -ERANGE, 0, NULL },
	{ &gfs_layout_sb, "__pad0", "0x11aaFF", -EINVAL, 0, NULL },
	{ &gfs_layout_sb, "__pad0", "0011aaFG", -EINVAL, 0, NULL },
	{ &gfs_layout_sb, "sb_root_dir", "1", -EINVAL, 0, NULL },
};

static void expectation(const struct expect *e)
{
	uint8_t base[LARGEST], before[LARGEST];
	const struct gfs_field *f;
	char text[256], what[160];
	size_t at = 0;
	int rc;

	memset(base, 0xA5, sizeof(base));
	memcpy(before, base, sizeof(base));
	f = gfs_layout_field(e->layout, e->field, &at);
	rc = gfs_field_parse(f, base + at, e->in);
	snprintf(what, sizeof(what), "%s = \"%s\"", e->field, e->in);
	T_NAMED(rc == e->rc, what);
	if (rc) {
		T_OK(!memcmp(base, before, sizeof(base)));
		return;
	}
	if (f->repr <= GFS_REPR_BE64)
		T_EQ(gfs_field_get(f, base + at), e->value);
	if (e->out)
		T_STR(gfs_field_text(f, base + at, text, sizeof(text)), e->out);
	T_OK(!memcmp(base, before, at));
	T_OK(!memcmp(base + at + f->size, before + at + f->size,
		     sizeof(base) - at - f->size));
}

/* Text is cut to the buffer and printable whatever is on disk. */
static void hostile_text(void)
{
	const struct gfs_field *f;
	char raw[64], text[300], tiny[8];
	size_t at;

	f = gfs_layout_field(&gfs_layout_sb, "sb_lockproto", &at);
	memset(raw, 0x1B, sizeof(raw));
	T_EQ(strlen(gfs_field_text(f, raw, text, sizeof(text))), 4 * 64);
	T_OK(!memcmp(text, "\\x1b\\x1b", 8));
	T_EQ(strlen(gfs_field_text(f, raw, tiny, sizeof(tiny))), 7);
	T_EQ(strlen(gfs_field_text(f, raw, tiny, 1)), 0);
	tiny[0] = 'k';
	T_OK(gfs_field_text(f, raw, tiny, 0) == tiny && tiny[0] == 'k');
	f = gfs_layout_field(&gfs_layout_dinode, "di_mtime", &at);
	memset(raw, 0x7F, sizeof(raw));
	T_STR(gfs_field_text(f, raw, text, sizeof(text)),
	      "9187201950435737471");
}

static int stop_at_third(void *ctx, const char *name, const struct gfs_field *f,
			 const void *at)
{
	int *n = ctx;

	(void)f;
	(void)at;
	if (++*n < 3)
		return 0;
	T_STR(name, "di_header.__pad0");
	return 42;
}

int main(void)
{
	uint8_t base[LARGEST] = { 0 };
	int n = 0;

	for (unsigned int i = 0; gfs_layouts[i]; i++)
		tiling(gfs_layouts[i]);
	senses();
	trips();
	lookup();
	for (size_t i = 0; i < GFS_ARRAY_SIZE(expectations); i++)
		expectation(&expectations[i]);
	hostile_text();
	T_EQ(gfs_layout_each(&gfs_layout_dinode, base, stop_at_third, &n), 42);
	T_EQ(n, 3);
	return t_done();
}
