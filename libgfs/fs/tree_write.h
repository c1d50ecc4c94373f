/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Block trees of files and hash tables while they change. */
#ifndef GFS_TREE_WRITE_H
#define GFS_TREE_WRITE_H

#include "bmap.h"
#include "writer.h"

/* Store pointer i of an array of be64 on disk. */
static inline void gfs_ptr_put(void *slots, uint32_t i, uint64_t blk)
{
	be64 v = cpu_to_be64(blk);

	memcpy((char *)slots + i * sizeof(v), &v, sizeof(v));
}

static inline uint64_t gfs_ptr_get(const void *slots, uint32_t i)
{
	be64 v;

	memcpy(&v, (const char *)slots + i * sizeof(v), sizeof(v));
	return be64_to_cpu(v);
}

/* Goal for the next allocation of an inode: as the kernel would take it. */
uint64_t gfs_tree_goal(const struct gfs_inode *ip);

/*
 * Allocate up to n blocks for an inode near its goal, in one run; they count
 * in di_blocks and the last one becomes the goal. What the blocks are for is
 * the caller's matter. -ENOSPC spoils: call gfs_alloc_check() before.
 */
struct gfs_blocks;
int gfs_tree_take(struct gfs_writer *w, struct gfs_inode *ip, uint64_t n,
		  struct gfs_blocks *got) GFS_MUST;

/* Free blocks of an inode, which no longer count in di_blocks. */
int gfs_tree_give(struct gfs_writer *w, struct gfs_inode *ip, uint64_t blk,
		  uint64_t n) GFS_MUST;

/* A run of mapped blocks. */
struct gfs_tree_run {
	uint64_t pblk;
	uint64_t n;
	bool is_new; /* allocated by this call: contents are undefined */
};

/*
 * Have logical blocks from lblk on mapped, 1 to max of them: *run says which.
 * The inode is not stuffed. The tree grows as needed; indirect blocks come
 * before the data they lead to. Every block of a new run must be made fresh by
 * the caller. -ENOSPC when not even one block with what leads to it can be
 * had, -EFBIG: both leave the tree as it was.
 */
int gfs_tree_map(struct gfs_writer *w, struct gfs_inode *ip, uint64_t lblk,
		 uint64_t max, struct gfs_tree_run *run) GFS_MUST;

/* Blocks of a tree without holes: n of data, and the indirect ones. */
uint64_t gfs_tree_size(const struct gfs_geom *g, uint64_t n);

/*
 * Move what is in the dinode's tail to a block of its own (with a header of
 * type JD for a directory); none is needed for size 0. -ENOSPC.
 */
int gfs_tree_unstuff(struct gfs_writer *w, struct gfs_inode *ip) GFS_MUST;

/*
 * Free all blocks from logical block `first` on. Indirect blocks that lead to
 * what is before stay, empty or not; with first 0 the inode is stuffed and
 * empty after it, except for di_size.
 */
int gfs_tree_trim(struct gfs_writer *w, struct gfs_inode *ip,
		  uint64_t first) GFS_MUST;

#endif
