// SPDX-License-Identifier: GPL-2.0-or-later
/* Geometry of every block size. */
#include "../../libgfs/format/geom.h"

#include "../../libgfs/base/error.h"
#include "t.h"

#include <errno.h>

struct row {
	uint32_t bsize, shift, sb_blk, stuffed, diptrs, inptrs, jbsize, ldptrs,
		jdata, hash, depth, qc, first, further, max_height;
};

static const struct row rows[] = {
	{ 512, 9, 128, 280, 35, 61, 488, 55, 27, 32, 5, 30, 1536, 1952, 10 },
	{ 1024, 10, 64, 792, 99, 125, 1000, 119, 59, 64, 6, 62, 3584, 4000, 8 },
	{ 2048, 11, 32, 1816, 227, 253, 2024, 247, 123, 128, 7, 126, 7680, 8096,
	  7 },
	{ 4096, 12, 16, 3864, 483, 509, 4072, 503, 251, 256, 8, 254, 15872,
	  16288, 6 },
	{ 8192, 13, 8, 7960, 995, 1021, 8168, 1015, 507, 512, 9, 510, 32256,
	  32672, 6 },
	{ 16384, 14, 4, 16152, 2019, 2045, 16360, 2039, 1019, 1024, 10, 1022,
	  65024, 65440, 5 },
	{ 32768, 15, 2, 32536, 4067, 4093, 32744, 4087, 2043, 2048, 11, 2046,
	  130560, 130976, 5 },
	{ 65536, 16, 1, 65304, 8163, 8189, 65512, 8183, 4091, 4096, 12, 4094,
	  261632, 262048, 4 },
};

static void constants(const struct row *r)
{
	struct gfs_geom g;

	T_EQ(gfs_geom_init(&g, r->bsize), 0);
	T_EQ(g.bsize, r->bsize);
	T_EQ(g.shift, r->shift);
	T_EQ(g.sb_blk, r->sb_blk);
	T_EQ(g.stuffed_max, r->stuffed);
	T_EQ(g.diptrs, r->diptrs);
	T_EQ(g.inptrs, r->inptrs);
	T_EQ(g.jbsize, r->jbsize);
	T_EQ(g.ldptrs, r->ldptrs);
	T_EQ(g.jdata_tags, r->jdata);
	T_EQ(g.hash_ptrs, r->hash);
	T_EQ(g.min_depth, r->depth);
	T_EQ(g.qc_per_block, r->qc);
	T_EQ(g.max_height, r->max_height);
	T_EQ(gfs_geom_rgrp_cap(&g, 0), 0);
	T_EQ(gfs_geom_rgrp_cap(&g, 1), r->first);
	T_EQ(gfs_geom_rgrp_cap(&g, 2), r->first + r->further);
	T_EQ(gfs_geom_rgrp_cap(&g, 2149), r->first + 2148ULL * r->further);
	T_EQ(gfs_geom_rgrp_cap(&g, UINT64_MAX), UINT64_MAX);
	T_EQ(4 * gfs_geom_bitmap_bytes(&g, 0), r->first);
	T_EQ(4 * gfs_geom_bitmap_bytes(&g, 7), r->further);
	T_EQ(gfs_geom_bitmap_offset(0), 128);
	T_EQ(gfs_geom_bitmap_offset(1), 24);
}

static void refused(void)
{
	struct gfs_geom g;

	T_EQ(gfs_geom_init(&g, 0), -EINVAL);
	T_EQ(gfs_geom_init(&g, 256), -EINVAL);
	T_EQ(gfs_geom_init(&g, 131072), -EINVAL);
	T_EQ(gfs_geom_init(&g, 4095), -EINVAL);
	T_EQ(gfs_geom_init(&g, 3 * 512), -EINVAL);
	T_EQ(gfs_geom_init(&g, (1ULL << 32) + 4096), -EINVAL);
}

static void heights(void)
{
	/* Bytes at 4096, format.md 3.4. */
	static const uint64_t bytes[] = {
		3864,         1978368,         1006989312,
		512557559808, 260891797942272, 132793925152616448
	};
	struct gfs_geom g;

	T_EQ(gfs_geom_init(&g, 4096), 0);
	for (unsigned int h = 0; h < 6; h++) {
		T_EQ(gfs_geom_height_bytes(&g, h, false), bytes[h]);
		T_EQ(gfs_geom_height_for(&g, bytes[h]), h);
		T_EQ(gfs_geom_height_for(&g, bytes[h] + 1), h + 1);
	}
	T_EQ(gfs_geom_height_bytes(&g, 6, false), UINT64_MAX);
	T_EQ(gfs_geom_height_bytes(&g, 11, false), UINT64_MAX);
	T_EQ(gfs_geom_height_for(&g, INT64_MAX), 6);
	T_EQ(gfs_geom_height_bytes(&g, 1, true), 483 * 4072);
	T_EQ(gfs_geom_height_for(&g, 0), 0);
	T_EQ(g.height_blocks[0], 0);
	T_EQ(g.height_blocks[2], 483 * 509);

	/* Hash table of 1 MiB: height 3, 2, 2, 1 (format.md 3.4). */
	for (unsigned int i = 0; i < 4; i++) {
		static const unsigned int want[] = { 3, 2, 2, 1 };

		T_EQ(gfs_geom_init(&g, 512U << i), 0);
		T_OK(gfs_geom_height_bytes(&g, want[i], true) >= 1U << 20);
		T_OK(gfs_geom_height_bytes(&g, want[i] - 1, true) < 1U << 20);
	}
	T_EQ(gfs_geom_init(&g, 512), 0);
	T_EQ(gfs_geom_height_for(&g, INT64_MAX), 10);
}

/* Every path must lead back to its block number. */
static void check_path(const struct gfs_geom *g, unsigned int h, uint64_t lblk)
{
	uint32_t slot[GFS2_MAX_META_HEIGHT] = { 0 };
	uint64_t back;
	bool ok = gfs_geom_path(g, h, lblk, slot) == 0 && slot[0] < g->diptrs;

	back = slot[0];
	for (unsigned int i = 1; i < h; i++) {
		ok = ok && slot[i] < g->inptrs;
		back = back * g->inptrs + slot[i];
	}
	T_NAMED(ok && back == lblk, "path leads back to its block");
}

static void paths(void)
{
	uint32_t slot[GFS2_MAX_META_HEIGHT];
	struct gfs_geom g;

	T_EQ(gfs_geom_init(&g, 512), 0);
	T_EQ(gfs_geom_path(&g, 3, 2 * 61 * 61 + 5 * 61 + 60, slot), 0);
	T_EQ(slot[0], 2);
	T_EQ(slot[1], 5);
	T_EQ(slot[2], 60);
	T_EQ(gfs_geom_path(&g, 1, 34, slot), 0);
	T_EQ(slot[0], 34);
	T_EQ(gfs_geom_path(&g, 1, 35, slot), -GFS_EOUTSIDE);
	T_EQ(gfs_geom_path(&g, 0, 0, slot), -GFS_EOUTSIDE);
	T_EQ(gfs_geom_path(&g, 11, 0, slot), -GFS_EOUTSIDE);
	T_EQ(gfs_geom_path(&g, 10, UINT64_MAX, slot), -GFS_EOUTSIDE);
	for (unsigned int h = 1; h <= g.max_height; h++) {
		uint64_t n = g.height_blocks[h];

		check_path(&g, h, 0);
		check_path(&g, h, n / 3);
		check_path(&g, h, n - 1);
		T_EQ(gfs_geom_path(&g, h, n, slot), -GFS_EOUTSIDE);
	}
}

static void pointers(void)
{
	uint8_t block[512] = { 0 };

	memcpy(block + 232 + 8 * 3, "\0\0\0\0\0\0\x12\x34", 8);
	memcpy(block + 24 + 8 * 2, "\x80\0\0\0\0\0\0\x01", 8);
	T_EQ(gfs_dinode_ptr(block, 3), 0x1234);
	T_EQ(gfs_indirect_ptr(block, 2), 0x8000000000000001ULL);
}

int main(void)
{
	for (size_t i = 0; i < GFS_ARRAY_SIZE(rows); i++)
		constants(&rows[i]);
	refused();
	heights();
	paths();
	pointers();
	return t_done();
}
