/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Block trees: from logical blocks to device blocks. */
#ifndef GFS_BMAP_H
#define GFS_BMAP_H

#include "inode.h"

/* A piece of a file: mapped blocks or a hole. */
struct gfs_extent {
	uint64_t lblk;  /* first logical block */
	uint64_t count; /* blocks */
	uint64_t pblk;  /* device block of the first, 0 = hole */
};

/*
 * Extent that starts at lblk (inode not stuffed), as long as it goes on
 * contiguously, at most max blocks. Beyond the tree everything is a hole.
 * A pointer outside the volume or an indirect block that is none:
 * -GFS_EOUTSIDE, -GFS_ECORRUPT.
 */
int gfs_bmap(struct gfs_inode *ip, uint64_t lblk, uint64_t max,
	     struct gfs_extent *ext) GFS_MUST;

/*
 * First logical block >= lblk that is mapped: 1 and *ext (at most max blocks),
 * or 0 when there is none up to the tree's end. Whole unmapped subtrees are
 * skipped, so that a walk over a huge sparse file is short.
 */
int gfs_bmap_next(struct gfs_inode *ip, uint64_t lblk, uint64_t max,
		  struct gfs_extent *ext) GFS_MUST;

#endif
