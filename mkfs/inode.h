/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An inode while it is being made: its dinode in memory and the right edge of
 * its tree. Blocks are taken from the volume's space in the order asked for.
 */
#ifndef MKFS_INODE_H
#define MKFS_INODE_H

#include "build.h"
#include "out.h"
#include "space.h"

/* Everything that building shares. */
struct mkfs_build {
	const struct mkfs_job *job;
	const struct mkfs_plan *plan;
	const struct gfs_geom *g;
	struct mkfs_out out;
	struct mkfs_space space;
	uint64_t next_formal;
	struct cli_progress progress;
};

struct mkfs_inode {
	uint64_t formal;
	uint64_t addr;
	uint32_t mode;
	unsigned int height;
	uint64_t blocks;
	char *block;          /* the dinode, a whole block */
	struct gfs2_dinode *di; /* the same */
	struct {
		uint64_t blk;
		char *data;   /* NULL: none at this level yet */
	} edge[GFS2_MAX_META_HEIGHT + 1]; /* indirect blocks, levels 1.. */
};

/* The i-th be64 of an array on disk that begins at `at`. */
uint64_t mkfs_ptr_get(const void *at, uint32_t i);
void mkfs_ptr_set(void *at, uint32_t i, uint64_t blk);

/* Fill an empty dinode with everything but size; times from the volume. */
void mkfs_dinode_fill(const struct mkfs_build *b, void *block,
		      struct gfs2_inum num, uint32_t mode, uint32_t flags);

/* An empty inode with the next formal number. */
int mkfs_inode_new(struct mkfs_build *b, struct mkfs_inode *ino, uint32_t mode,
		   uint32_t flags) GFS_MUST;

/*
 * Take a block for logical block lblk, and the indirect blocks that lead to
 * it. lblk must ascend unless the height stays 1.
 */
int mkfs_inode_extend(struct mkfs_build *b, struct mkfs_inode *ino,
		      uint64_t lblk, uint64_t *blk) GFS_MUST;

/* Write dinode and indirect blocks; frees what ino holds, also on failure. */
int mkfs_inode_finish(struct mkfs_build *b, struct mkfs_inode *ino) GFS_MUST;

/* Free what ino holds; all zeros is fine. */
void mkfs_inode_drop(struct mkfs_inode *ino);

/* "out of memory" or "full" for the volume as a whole. */
int mkfs_no_space(struct mkfs_build *b, int rc);

#endif
