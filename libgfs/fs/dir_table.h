/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For dir_*.c: the hash table and leaves of directories that change. */
#ifndef GFS_DIR_TABLE_H
#define GFS_DIR_TABLE_H

#include "dir_write.h"

/* A chain of leaves, where a name belongs. */
struct gfs_dir_chain {
	uint64_t first;
	uint64_t last;
	uint32_t depth; /* lf_depth of the first */
};

/* Let a linear directory have a table and one leaf. -ENOSPC. */
int gfs_dir_hash_it(struct gfs_writer *w, struct gfs_inode *dir) GFS_MUST;

/*
 * Make room where `hash` belongs, one step: split the leaf, double the table,
 * or lengthen the chain. -ENOSPC leaves the directory as it was.
 */
int gfs_dir_grow(struct gfs_writer *w, struct gfs_inode *dir, uint32_t hash,
		 const struct gfs_dir_chain *chain) GFS_MUST;

/* The whole table, 2^depth entries, to be freed. */
int gfs_dir_table_load(struct gfs_inode *dir, be64 **table) GFS_MUST;

#endif
