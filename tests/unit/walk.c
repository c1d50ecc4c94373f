// SPDX-License-Identifier: GPL-2.0-or-later
/* References of blocks built by hand, at the smallest and an usual size. */
#include "t.h"

#include "../../libgfs/fs/walk.h"

#include <stdlib.h>

static void put64(void *block, size_t offset, uint64_t value)
{
	be64 v = cpu_to_be64(value);

	memcpy((char *)block + offset, &v, sizeof(v));
}

static bool is_next(struct gfs_ref_iter *it, enum gfs_ref_kind kind,
		    uint64_t blk, uint32_t offset, unsigned int level)
{
	struct gfs_ref ref;
	bool ok = gfs_ref_next(it, &ref) && ref.kind == kind &&
		  ref.blk == blk && ref.offset == offset && ref.level == level;

	if (!ok)
		printf("# want %s %" PRIu64 " at %u level %u\n",
		       gfs_ref_name(kind), blk, offset, level);
	return ok;
}

static bool is_end(struct gfs_ref_iter *it)
{
	struct gfs_ref ref;

	return !gfs_ref_next(it, &ref) && !gfs_ref_next(it, &ref);
}

static void test_file(const struct gfs_geom *g, char *block)
{
	struct gfs_ref_parent p = { .is_dinode = true, .height = 1 };
	struct gfs_ref_iter it;
	uint32_t last = 232 + 8 * (g->diptrs - 1);

	put64(block, 168, 77);
	put64(block, 232, 100);
	put64(block, 248, UINT64_MAX);
	put64(block, last, 102);
	gfs_ref_first(&it, g, block, &p);
	T_OK(is_next(&it, GFS_REF_EA, 77, 168, 1));
	T_OK(is_next(&it, GFS_REF_DATA, 100, 232, 1));
	T_OK(is_next(&it, GFS_REF_DATA, UINT64_MAX, 248, 1));
	T_OK(is_next(&it, GFS_REF_DATA, 102, last, 1));
	T_OK(is_end(&it));

	p.height = 3;
	p.flags = GFS2_DIF_EA_INDIRECT;
	gfs_ref_first(&it, g, block, &p);
	T_OK(is_next(&it, GFS_REF_EA_INDIRECT, 77, 168, 1));
	T_OK(is_next(&it, GFS_REF_INDIRECT, 100, 232, 1));

	/* Without a tree the tail is file data. */
	p.height = 0;
	put64(block, 168, 0);
	gfs_ref_first(&it, g, block, &p);
	T_OK(is_end(&it));
}

static void test_levels(const struct gfs_geom *g, char *block)
{
	struct gfs_ref_parent p = { .kind = GFS_REF_INDIRECT, .height = 3,
				    .level = 1 };
	struct gfs_ref_iter it;

	memset(block, 0, g->bsize);
	put64(block, g->bsize - 8, 5);
	gfs_ref_first(&it, g, block, &p);
	T_OK(is_next(&it, GFS_REF_INDIRECT, 5, g->bsize - 8, 2));
	T_OK(is_end(&it));
	p.level = 2;
	gfs_ref_first(&it, g, block, &p);
	T_OK(is_next(&it, GFS_REF_DATA, 5, g->bsize - 8, 3));
	p.is_dir = true;
	gfs_ref_first(&it, g, block, &p);
	T_OK(is_next(&it, GFS_REF_TABLE, 5, g->bsize - 8, 3));
	p.kind = GFS_REF_DATA;
	gfs_ref_first(&it, g, block, &p);
	T_OK(is_end(&it));
}

static void test_dir(const struct gfs_geom *g, char *block)
{
	struct gfs_ref_parent p = { .is_dinode = true, .is_dir = true,
				    .flags = GFS2_DIF_EXHASH };
	struct gfs2_dinode *di = (struct gfs2_dinode *)block;
	struct gfs_ref_iter it;
	uint32_t half = g->hash_ptrs / 2;

	memset(block, 0, g->bsize);
	di->di_depth = cpu_to_be16((uint16_t)g->min_depth);
	for (uint32_t i = 0; i < g->hash_ptrs; i++)
		put64(block, 232 + 8 * i, i < half ? 40 : 41);
	gfs_ref_first(&it, g, block, &p);
	T_OK(is_next(&it, GFS_REF_LEAF, 40, 232, 1));
	T_OK(is_next(&it, GFS_REF_LEAF, 41, 232 + 8 * half, 1));
	T_OK(is_end(&it));

	/* Behind the table nothing counts, unless the depth is nonsense. */
	put64(block, 232 + 8 * (g->diptrs - 1), 42);
	gfs_ref_first(&it, g, block, &p);
	T_OK(is_next(&it, GFS_REF_LEAF, 40, 232, 1));
	T_OK(is_next(&it, GFS_REF_LEAF, 41, 232 + 8 * half, 1));
	T_OK(is_end(&it));
	di->di_depth = cpu_to_be16(0);
	gfs_ref_first(&it, g, block, &p);
	T_OK(is_next(&it, GFS_REF_LEAF, 40, 232, 1));
	T_OK(is_next(&it, GFS_REF_LEAF, 41, 232 + 8 * half, 1));
	T_OK(is_next(&it, GFS_REF_LEAF, 42, 232 + 8 * (g->diptrs - 1), 1));
	T_OK(is_end(&it));
	di->di_depth = cpu_to_be16(UINT16_MAX);
	gfs_ref_first(&it, g, block, &p);
	T_OK(is_next(&it, GFS_REF_LEAF, 40, 232, 1));
}

static void test_table_and_leaf(const struct gfs_geom *g, char *block)
{
	struct gfs_ref_parent p = { .kind = GFS_REF_TABLE, .is_dir = true,
				    .height = 1, .level = 1 };
	struct gfs_ref_iter it;

	memset(block, 0, g->bsize);
	put64(block, 24, 9);
	put64(block, 32, 9);
	put64(block, 48, 9);
	put64(block, 56, 8);
	gfs_ref_first(&it, g, block, &p);
	T_OK(is_next(&it, GFS_REF_LEAF, 9, 24, 2));
	T_OK(is_next(&it, GFS_REF_LEAF, 9, 48, 2));
	T_OK(is_next(&it, GFS_REF_LEAF, 8, 56, 2));
	T_OK(is_end(&it));

	p.kind = GFS_REF_LEAF;
	p.level = 2;
	put64(block, 32, 1234);
	gfs_ref_first(&it, g, block, &p);
	T_OK(is_next(&it, GFS_REF_CHAIN, 1234, 32, 2));
	T_OK(is_end(&it));
	p.kind = GFS_REF_CHAIN;
	put64(block, 32, 0);
	gfs_ref_first(&it, g, block, &p);
	T_OK(is_end(&it));
}

static void put_record(char *block, uint32_t at, uint32_t rec_len,
		       uint8_t num_ptrs, uint8_t flags)
{
	struct gfs2_ea_header *ea = (struct gfs2_ea_header *)(block + at);

	*ea = (struct gfs2_ea_header){
		.ea_rec_len = cpu_to_be32(rec_len),
		.ea_data_len = cpu_to_be32(num_ptrs ? 300 : 1),
		.ea_name_len = 3,
		.ea_type = GFS2_EATYPE_USR,
		.ea_flags = flags,
		.ea_num_ptrs = num_ptrs,
	};
}

static void test_xattrs(const struct gfs_geom *g, char *block)
{
	struct gfs_ref_parent p = { .kind = GFS_REF_EA_INDIRECT, .level = 1 };
	struct gfs_ref_iter it;
	uint32_t end = g->bsize;

	memset(block, 0, g->bsize);
	put64(block, 24, 50);
	put64(block, 32, 51);
	put64(block, 48, 52);
	gfs_ref_first(&it, g, block, &p);
	T_OK(is_next(&it, GFS_REF_EA, 50, 24, 2));
	T_OK(is_next(&it, GFS_REF_EA, 51, 32, 2));
	T_OK(is_end(&it));

	p.kind = GFS_REF_EA;
	memset(block, 0, g->bsize);
	put_record(block, 24, 48, 3, 0);
	put64(block, 24 + 24, 60);
	put64(block, 24 + 40, 61);
	put_record(block, 72, 24, 0, 0);
	put_record(block, 96, end - 96, 1, GFS2_EAFLAG_LAST);
	put64(block, 96 + 24, 62);
	gfs_ref_first(&it, g, block, &p);
	T_OK(is_next(&it, GFS_REF_EA_DATA, 60, 48, 2));
	T_OK(is_next(&it, GFS_REF_EA_DATA, 61, 64, 2));
	T_OK(is_next(&it, GFS_REF_EA_DATA, 62, 120, 2));
	T_OK(is_end(&it));
	T_OK(it.why == NULL);

	/* A removed record keeps stale bytes; a record too long stops all. */
	block[24 + 9] = GFS2_EATYPE_UNUSED;
	put_record(block, 96, end, 1, GFS2_EAFLAG_LAST);
	gfs_ref_first(&it, g, block, &p);
	T_OK(is_end(&it));
	T_OK(it.why != NULL);
}

int main(void)
{
	static const uint32_t sizes[] = { 512, 4096, 65536 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct gfs_geom g;
		char *block;

		T_EQ(gfs_geom_init(&g, sizes[i]), 0);
		block = calloc(1, g.bsize);
		if (!block)
			return 1;
		test_file(&g, block);
		test_levels(&g, block);
		test_dir(&g, block);
		test_table_and_leaf(&g, block);
		test_xattrs(&g, block);
		free(block);
	}
	return t_done();
}
