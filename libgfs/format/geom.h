/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What follows from a block size: pointers per block, heights, capacity of
 * resource group blocks. The only place where format arithmetic is done.
 */
#ifndef GFS_GEOM_H
#define GFS_GEOM_H

#include "../base/base.h"
#include "ondisk.h"

struct gfs_geom {
	uint32_t bsize;       /* bytes, 512..65536 */
	uint32_t shift;       /* log2(bsize) */
	uint64_t sb_blk;      /* block of the superblock: 65536 / bsize */
	uint32_t stuffed_max; /* bytes in the dinode's tail */
	uint32_t diptrs;      /* pointers in a dinode */
	uint32_t inptrs;      /* pointers in an indirect block */
	uint32_t jbsize;      /* payload of a block with a header, bytes */
	uint32_t ldptrs;      /* METADATA or REVOKE tags of a log descriptor */
	uint32_t jdata_tags;  /* JDATA tags of a log descriptor: ldptrs / 2 */
	uint32_t hash_ptrs;   /* entries of a new hash table: (bsize/2) / 8 */
	uint32_t min_depth;   /* di_depth of a new hash table */
	uint32_t qc_per_block; /* quota changes of a QC block */
	uint32_t max_height;  /* largest di_height */
	/*
	 * Blocks a tree of height h maps; 0 for h = 0, UINT64_MAX when it does
	 * not fit 64 bits. Index 0..GFS2_MAX_META_HEIGHT.
	 */
	uint64_t height_blocks[GFS2_MAX_META_HEIGHT + 1];
};

/* Fill g for a block size; -EINVAL when it is not a power of two in range. */
int gfs_geom_init(struct gfs_geom *g, uint64_t bsize) GFS_MUST;

/*
 * Bytes a tree of height h holds: height_blocks * bsize for files, * jbsize
 * for directories (is_dir); stuffed_max for h = 0. Saturates at UINT64_MAX.
 */
uint64_t gfs_geom_height_bytes(const struct gfs_geom *g, unsigned int h,
			       bool is_dir);

/* Smallest height whose tree holds `bytes` bytes of a file (not directory). */
unsigned int gfs_geom_height_for(const struct gfs_geom *g, uint64_t bytes);

/*
 * Path of logical block lblk in a tree of height h (1..max_height): slot[0]
 * is the pointer in the dinode, slot[i] in the indirect block of level i.
 * -GFS_EOUTSIDE when the tree does not reach lblk.
 */
int gfs_geom_path(const struct gfs_geom *g, unsigned int h, uint64_t lblk,
		  uint32_t slot[GFS2_MAX_META_HEIGHT]) GFS_MUST;

/*
 * Blocks that a resource group of n header and bitmap blocks can map; 0 for
 * n = 0. Saturates at UINT64_MAX.
 */
uint64_t gfs_geom_rgrp_cap(const struct gfs_geom *g, uint64_t n);

/* Bitmap bytes in block i of an rgrp, and their offset in that block. */
uint32_t gfs_geom_bitmap_bytes(const struct gfs_geom *g, uint32_t i);
uint32_t gfs_geom_bitmap_offset(uint32_t i);

/* A pointer of a dinode's or indirect block's tail; slot is not checked. */
static inline uint64_t gfs_dinode_ptr(const void *block, uint32_t slot)
{
	be64 v;

	memcpy(&v, (const char *)block + sizeof(struct gfs2_dinode) +
	       8 * (size_t)slot, sizeof(v));
	return be64_to_cpu(v);
}

static inline uint64_t gfs_indirect_ptr(const void *block, uint32_t slot)
{
	be64 v;

	memcpy(&v, (const char *)block + sizeof(struct gfs2_meta_header) +
	       8 * (size_t)slot, sizeof(v));
	return be64_to_cpu(v);
}

#endif
