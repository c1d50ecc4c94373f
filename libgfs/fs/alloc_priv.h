/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For alloc*.c: what a writer knows of the resource groups. */
#ifndef GFS_ALLOC_PRIV_H
#define GFS_ALLOC_PRIV_H

#include "../io/blkmap.h"
#include "alloc.h"

/* What is known of a group besides its blocks. */
struct gfs_alloc_group {
	uint32_t avail;   /* blocks that may be allocated now */
	uint32_t pending; /* freed in this transaction */
	uint32_t last;    /* where the last allocation was, from data0 */
	bool is_loaded;
	bool is_barred; /* NOALLOC, or beyond opts.rgrps */
};

/*
 * The bits of one bitmap block as a search is to see them: blocks freed in
 * the running transaction are still taken. Exists from the first of them on.
 */
struct gfs_alloc_clone {
	uint64_t blk;
	uint8_t *bits;
};

struct gfs_alloc {
	struct gfs_alloc_group *groups;
	struct gfs_blkmap clone_of; /* bitmap block -> index of clones */
	struct gfs_alloc_clone *clones;
	size_t n_clones, max_clones;
	int64_t free, dinodes; /* changes not yet in statfs */
};

/* A place in a group's bitmap. */
struct gfs_alloc_place {
	const struct gfs_rgrp *rg;
	struct gfs_alloc_group *group;
	uint32_t part_no;
	struct gfs_bitmap_part part;
	uint32_t from, to; /* blocks of the part, from its first */
};

/* Number of a group in the volume's table. */
static inline uint32_t gfs_alloc_index(const struct gfs_writer *w,
				       const struct gfs_rgrp *rg)
{
	return (uint32_t)(rg - w->fs->rgrps.rg);
}

/* What is known of group i; reads its header the first time. */
int gfs_alloc_load(struct gfs_writer *w, uint32_t i,
		   struct gfs_alloc_group **group) GFS_MUST;

/* Go to the part of p->rg's bitmap with block `at`, from data0, to its end. */
void gfs_alloc_goto(const struct gfs_writer *w, struct gfs_alloc_place *p,
		    uint32_t at);

/* Borrow the bitmap block of a place. */
int gfs_alloc_part(struct gfs_writer *w, const struct gfs_alloc_place *p,
		   struct gfs_buf **buf) GFS_MUST;

/* The bits of a bitmap block as searches are to see them, if it has such. */
uint8_t *gfs_alloc_clone_bits(const struct gfs_alloc *a, uint64_t blk);

#endif
