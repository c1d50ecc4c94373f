// SPDX-License-Identifier: GPL-2.0-or-later
/* Arithmetic of the format that follows from the block size. */
#include "geom.h"

#include "../base/error.h"

#include <errno.h>

/* a * b, or UINT64_MAX when it does not fit. */
static uint64_t mul_saturating(uint64_t a, uint64_t b)
{
	uint64_t product;

	if (__builtin_mul_overflow(a, b, &product))
		return UINT64_MAX;
	return product;
}

static void init_heights(struct gfs_geom *g)
{
	g->height_blocks[0] = 0;
	g->height_blocks[1] = g->diptrs;
	for (unsigned int h = 2; h <= GFS2_MAX_META_HEIGHT; h++)
		g->height_blocks[h] =
			mul_saturating(g->height_blocks[h - 1], g->inptrs);

	g->max_height = 2;
	while (g->max_height < GFS2_MAX_META_HEIGHT &&
	       gfs_geom_height_bytes(g, g->max_height, false) != UINT64_MAX)
		g->max_height++;
}

int gfs_geom_init(struct gfs_geom *g, uint64_t bsize)
{
	if (bsize < GFS2_BSIZE_MIN || bsize > GFS2_BSIZE_MAX ||
	    !gfs_is_pow2(bsize))
		return -EINVAL;

	g->bsize = (uint32_t)bsize;
	g->shift = gfs_log2(bsize);
	g->sb_blk = GFS2_SB_OFFSET / bsize;
	g->stuffed_max = g->bsize - (uint32_t)sizeof(struct gfs2_dinode);
	g->jbsize = g->bsize - (uint32_t)sizeof(struct gfs2_meta_header);
	g->diptrs = g->stuffed_max / (uint32_t)sizeof(be64);
	g->inptrs = g->jbsize / (uint32_t)sizeof(be64);
	g->ldptrs = (g->bsize - (uint32_t)sizeof(struct gfs2_log_descriptor)) /
		    (uint32_t)sizeof(be64);
	g->jdata_tags = g->ldptrs / 2;
	g->hash_ptrs = g->bsize / 2 / (uint32_t)sizeof(be64);
	g->min_depth = gfs_log2(g->hash_ptrs);
	g->qc_per_block =
		g->jbsize / (uint32_t)sizeof(struct gfs2_quota_change);
	init_heights(g);
	return 0;
}

uint64_t gfs_geom_height_bytes(const struct gfs_geom *g, unsigned int h,
			       bool is_dir)
{
	if (h == 0)
		return g->stuffed_max;
	if (h > GFS2_MAX_META_HEIGHT)
		return UINT64_MAX;
	return mul_saturating(g->height_blocks[h],
			      is_dir ? g->jbsize : g->bsize);
}

unsigned int gfs_geom_height_for(const struct gfs_geom *g, uint64_t bytes)
{
	unsigned int h = 0;

	while (h < g->max_height && gfs_geom_height_bytes(g, h, false) < bytes)
		h++;
	return h;
}

int gfs_geom_path(const struct gfs_geom *g, unsigned int h, uint64_t lblk,
		  uint32_t slot[GFS2_MAX_META_HEIGHT])
{
	if (h == 0 || h > g->max_height)
		return -GFS_EOUTSIDE;
	for (unsigned int i = h - 1; i > 0; i--) {
		slot[i] = (uint32_t)(lblk % g->inptrs);
		lblk /= g->inptrs;
	}
	if (lblk >= g->diptrs)
		return -GFS_EOUTSIDE;
	slot[0] = (uint32_t)lblk;
	return 0;
}

uint64_t gfs_geom_rgrp_cap(const struct gfs_geom *g, uint64_t n)
{
	uint64_t first = gfs_geom_bitmap_bytes(g, 0);
	uint64_t further = gfs_geom_bitmap_bytes(g, 1);

	if (n == 0)
		return 0;
	if (n > UINT64_MAX / GFS2_NBBY / GFS2_BSIZE_MAX)
		return UINT64_MAX;
	return GFS2_NBBY * (first + (n - 1) * further);
}

uint32_t gfs_geom_bitmap_bytes(const struct gfs_geom *g, uint32_t i)
{
	return g->bsize - gfs_geom_bitmap_offset(i);
}

uint32_t gfs_geom_bitmap_offset(uint32_t i)
{
	return i == 0 ? (uint32_t)sizeof(struct gfs2_rgrp)
		      : (uint32_t)sizeof(struct gfs2_meta_header);
}
