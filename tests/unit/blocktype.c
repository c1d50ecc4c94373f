// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of block types, headers and seals. */
#include "../../libgfs/format/blocktype.h"

#include "../../libgfs/base/crc.h"
#include "t.h"

#include <stdlib.h>

static const struct {
	uint32_t type, format;
	const char *abbr;
} want[] = {
	{ 1, 100, "SB" },   { 2, 200, "RG" },   { 3, 300, "RB" },
	{ 4, 400, "DI" },   { 5, 500, "IN" },   { 6, 600, "LF" },
	{ 7, 700, "JD" },   { 8, 800, "LH" },   { 9, 900, "LD" },
	{ 10, 1600, "EA" }, { 11, 1700, "ED" }, { 12, 1000, "LB" },
	{ 14, 1400, "QC" },
};

/* The name must be what layouts print for mh_type. */
static void check_name(const struct gfs_blocktype *t)
{
	size_t at;
	const struct gfs_field *f =
		gfs_layout_field(&gfs_layout_meta_header, "mh_type", &at);
	be32 value;

	T_EQ(gfs_field_parse(f, &value, t->name), 0);
	T_EQ(be32_to_cpu(value), t->type);
	T_OK(gfs_blocktype_by_name(t->name) == t);
}

static void rows(void)
{
	uint8_t block[24];
	unsigned int n;

	gfs_blocktype_all(&n);
	T_EQ(n, GFS_ARRAY_SIZE(want));
	for (unsigned int i = 0; i < GFS_ARRAY_SIZE(want); i++) {
		const struct gfs_blocktype *t =
			gfs_blocktype_find(want[i].type);

		T_OK(t && t->format == want[i].format && t->verify);
		T_STR(t->abbr, want[i].abbr);
		T_OK(gfs_blocktype_by_name(want[i].abbr) == t);
		check_name(t);
		memset(block, 0xFF, sizeof(block));
		gfs_block_header(block, t->type);
		T_OK(gfs_blocktype_of(block) == t);
		T_OK(gfs_block_is(block, t->type));
		T_OK(!gfs_block_is(block, t->type + 1));
		block[0] = 2;
		T_OK(!gfs_blocktype_of(block));
		T_OK(!gfs_block_is(block, t->type));
	}
	T_OK(!gfs_blocktype_find(0));
	T_OK(!gfs_blocktype_find(13));
	T_OK(!gfs_blocktype_find(15));
	T_OK(!gfs_blocktype_find(UINT32_MAX));
	T_OK(gfs_blocktype_by_name("di") == gfs_blocktype_find(4));
	T_OK(!gfs_blocktype_by_name("none"));
}

static void header(void)
{
	uint8_t block[24];

	memset(block, 0xFF, sizeof(block));
	gfs_block_header(block, GFS2_METATYPE_DI);
	T_OK(!memcmp(
		block,
		"\x01\x16\x19\x70\0\0\0\4\0\0\0\0\0\0\0\0\0\0\1\x90\0\0\0\0",
		24));
}

static void seals(void)
{
	static uint64_t store[4096 / 8];
	uint8_t *block = (uint8_t *)store, part[128];
	struct gfs2_rgrp *rg = (struct gfs2_rgrp *)store;
	struct gfs2_log_header *lh = (struct gfs2_log_header *)store;
	struct gfs_geom g;

	T_EQ(gfs_geom_init(&g, 4096), 0);
	memset(block, 0x11, 4096);
	gfs_block_header(block, GFS2_METATYPE_RG);
	gfs_block_seal(&g, block);
	memcpy(part, block, 128);
	memset(part + 64, 0, 4);
	T_EQ(be32_to_cpu(rg->rg_crc), gfs_crc32(part, 128));
	T_EQ(gfs_rgrp_crc(rg), gfs_crc32(part, 128));

	memset(block, 0x22, 4096);
	gfs_block_header(block, GFS2_METATYPE_LH);
	gfs_block_seal(&g, block);
	memcpy(part, block, 48);
	memset(part + 44, 0, 4);
	T_EQ(be32_to_cpu(lh->lh_hash), gfs_crc32(part, 48));
	T_EQ(be32_to_cpu(lh->lh_crc),
	     gfs_crc32c(0xFFFFFFFF, block + 52, 4096 - 52));
	T_OK(!gfs_verify_block(&g, block, 0x2222222222222222ULL).why);

	memset(block, 0x33, 4096);
	gfs_block_header(block, GFS2_METATYPE_DI);
	gfs_block_seal(&g, block);
	T_OK(block[44] == 0x33 && block[64] == 0x33 && block[48] == 0x33);
	memset(block, 0x33, 4096);
	gfs_block_seal(&g, block);
	T_OK(block[0] == 0x33 && block[44] == 0x33 && block[64] == 0x33);
}

int main(void)
{
	rows();
	header();
	seals();
	return t_done();
}
