/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changing the dirents of one block: a leaf, or a linear directory's dinode.
 * `start` is where they begin: 104 or 232. The blocks have been verified, or
 * are checked on the way: nothing outside the block is touched.
 */
#ifndef GFS_DIR_BLOCK_H
#define GFS_DIR_BLOCK_H

#include "../format/dirent.h"

struct gfs_dirblk {
	char *block;
	uint32_t bsize;
	uint32_t start;
};

/* One empty record over all of the block. */
void gfs_dirblk_clear(const struct gfs_dirblk *b);

/*
 * Enter n into the record at `offset`, which gfs_dirblk_find() has given as
 * one with room: behind what it holds, or in its place when it is empty.
 */
void gfs_dirblk_insert(const struct gfs_dirblk *b, uint32_t offset,
		       const struct gfs_dirent_new *n);

/* Remove the entry at `offset`; prev: the record before, 0 for the first. */
void gfs_dirblk_remove(const struct gfs_dirblk *b, uint32_t prev,
		       uint32_t offset);

/*
 * Move the entries whose hash is less than `divider` to another block, which
 * is clear. Their number is returned; -GFS_ECORRUPT.
 */
int gfs_dirblk_split(const struct gfs_dirblk *from, const struct gfs_dirblk *to,
		     uint32_t divider) GFS_MUST;

/* What a look through a block finds. */
struct gfs_dirblk_found {
	uint32_t entry; /* offset of the entry with the name, or 0 */
	uint32_t prev;  /* of the record before it, or 0 */
	uint32_t room;  /* of the first record with room for the name, or 0 */
};
int gfs_dirblk_find(const struct gfs_dirblk *b, const char *name, uint32_t len,
		    struct gfs_dirblk_found *found, const char **why) GFS_MUST;

#endif
