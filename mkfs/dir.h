/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Directories of a new volume, kept in memory until they are complete: entries
 * in the dinode first, then leaves behind a hash table.
 */
#ifndef MKFS_DIR_H
#define MKFS_DIR_H

#include "inode.h"

struct mkfs_leaf {
	uint64_t blk;
	char *block;
};

struct mkfs_dir {
	struct mkfs_inode ino;
	uint32_t entries;
	uint32_t nlink;
	bool hashed;
	unsigned int depth;       /* the table has 2^depth entries */
	uint32_t *table;          /* indices into leaves */
	struct mkfs_leaf *leaves;
	uint32_t n_leaves;
	uint64_t *table_blks;     /* blocks of the table; none while stuffed */
	uint32_t n_table_blks;
};

/*
 * A directory with "." and ".."; parent NULL: it is its own. 0, -ENOMEM,
 * -GFS_EFULL.
 */
int mkfs_dir_new(struct mkfs_build *b, struct mkfs_dir *dir, uint32_t mode,
		 uint32_t flags, const struct mkfs_inode *parent) GFS_MUST;

/* Enter an inode; one that is a directory adds a link to dir. */
int mkfs_dir_add(struct mkfs_build *b, struct mkfs_dir *dir, const char *name,
		 const struct mkfs_inode *target) GFS_MUST;

/* Write all of it; frees what dir holds, also on failure. */
int mkfs_dir_finish(struct mkfs_build *b, struct mkfs_dir *dir) GFS_MUST;

/* Free what dir holds; all zeros is fine. */
void mkfs_dir_drop(struct mkfs_dir *dir);

#endif
