/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resource groups: the table from rindex, lookup, headers and bitmaps. */
#ifndef GFS_RGRP_H
#define GFS_RGRP_H

#include "../format/geom.h"
#include "../io/buf.h"

struct gfs_fs;

/* Validated geometry of one resource group. */
struct gfs_rgrp {
	uint64_t addr;   /* header block */
	uint64_t data0;  /* first data block */
	uint32_t length; /* header and bitmap blocks */
	uint32_t data;   /* data blocks */
	uint32_t bitbytes;
};

struct gfs_rgrps {
	struct gfs_rgrp *rg; /* ascending by addr */
	uint32_t n;
};

/*
 * Read rindex into fs->rgrps, sorted by address. Every entry must have sound
 * geometry, lie on the device and overlap no other: -GFS_ECORRUPT otherwise,
 * naming the entry.
 */
int gfs_rgrps_load(struct gfs_fs *fs) GFS_MUST;
void gfs_rgrps_free(struct gfs_rgrps *rgrps);

/* Group whose data area has blk; NULL if none. */
const struct gfs_rgrp *gfs_rgrp_find(const struct gfs_rgrps *rgrps,
				     uint64_t blk);
/* Group that has blk among header, bitmaps or data; NULL if none. */
const struct gfs_rgrp *gfs_rgrp_covering(const struct gfs_rgrps *rgrps,
					 uint64_t blk);

/* Host-order view of a header. */
struct gfs_rgrp_info {
	uint32_t flags, free, dinodes, skip, crc;
	uint64_t igeneration;
	uint64_t counted[4]; /* by state, from the bitmap */
	bool crc_ok;         /* right, or 0 = not computed */
};

/* Read header and bitmap of a group and count. */
int gfs_rgrp_read_info(struct gfs_fs *fs, const struct gfs_rgrp *rg,
		       struct gfs_rgrp_info *info) GFS_MUST;

/* Allocation state GFS2_BLKST_* of a data block; < 0 on error. */
int gfs_rgrp_state(struct gfs_fs *fs, uint64_t blk) GFS_MUST;

/*
 * The whole bitmap of a group, without block headers, as rg->bitbytes
 * contiguous bytes in buf.
 */
int gfs_rgrp_read_bitmap(struct gfs_fs *fs, const struct gfs_rgrp *rg,
			 void *buf) GFS_MUST;

/*
 * Bitmap bytes of bitmap block i (0 = header block) inside that block; none
 * when the bitmap ends before.
 */
struct gfs_bitmap_part {
	uint64_t blk;    /* device block */
	uint32_t offset; /* in the block */
	uint32_t bytes;  /* of bitmap in this block */
	uint32_t start;  /* first byte's place in the group's bitmap */
};
struct gfs_bitmap_part gfs_rgrp_bitmap_part(const struct gfs_geom *g,
					    const struct gfs_rgrp *rg,
					    uint32_t i);

#endif
