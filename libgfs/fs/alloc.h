/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Allocation: bitmaps, the counts of resource groups and statfs. Blocks freed
 * in a transaction are not allocated again before its end, as their old
 * content must outlive a power cut.
 */
#ifndef GFS_ALLOC_H
#define GFS_ALLOC_H

#include "writer.h"

/*
 * The one function that changes allocation states: n blocks from blk, all of
 * one resource group and all in one state, become `state`. Transitions other
 * than those of allocator.md 1 fail with -GFS_ECORRUPT and the block; so does
 * a group whose counts would pass their bounds. Header, statfs sums and the
 * TRIMMED flag follow.
 */
int gfs_alloc_set_state(struct gfs_writer *w, uint64_t blk, uint64_t n,
			unsigned int state) GFS_MUST;

/* A run of blocks. */
struct gfs_blocks {
	uint64_t blk;
	uint64_t n;
};

/*
 * Allocate up to want->n blocks (at least 1) in one contiguous run, state
 * USED: the group of want->blk (the goal) first, from there on, then the
 * others in address order, cyclic; groups that have room for all of it are
 * preferred; NOALLOC ones are not used. *got: what was allocated, at least one
 * block. -ENOSPC when there is none.
 */
int gfs_alloc_blocks(struct gfs_writer *w, const struct gfs_blocks *want,
		     struct gfs_blocks *got) GFS_MUST;

/*
 * The same for an inode: the first block becomes DINODE, further ones USED.
 * *generation: the group's igeneration, never 0.
 */
int gfs_alloc_dinode(struct gfs_writer *w, const struct gfs_blocks *want,
		     struct gfs_blocks *got, uint64_t *generation) GFS_MUST;

/*
 * 0 when n blocks can be allocated, one by one if need be; -ENOSPC. Called
 * before a change that must not end half way.
 */
int gfs_alloc_check(struct gfs_writer *w, uint64_t goal, uint64_t n) GFS_MUST;

/* Free a run of blocks that are USED, of one group. */
int gfs_alloc_free(struct gfs_writer *w, uint64_t blk, uint64_t n) GFS_MUST;

/* For writer.c: begin, enter the sums, end of a transaction, end. */
int gfs_alloc_open(struct gfs_writer *w) GFS_MUST;
int gfs_alloc_settle(struct gfs_writer *w) GFS_MUST;
void gfs_alloc_committed(struct gfs_writer *w);
void gfs_alloc_aborted(struct gfs_writer *w);
void gfs_alloc_close(struct gfs_writer *w);

#endif
