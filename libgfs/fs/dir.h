/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Directories, linear and hashed, with leaf chains. */
#ifndef GFS_DIR_H
#define GFS_DIR_H

#include "inode.h"

struct gfs_dir_entry {
	char name[GFS2_FNAMESIZE + 1]; /* NUL added; may hold any other byte */
	uint32_t name_len;
	struct gfs_ino ino;
	uint32_t type; /* DT_* */
	uint32_t hash;
	uint64_t leaf; /* block that holds the entry */
};

/*
 * Cursor over the live entries of a directory. Each leaf is visited once,
 * however often the table names it; chains are followed at most to the number
 * of blocks of the inode.
 */
struct gfs_dir_iter;
int gfs_dir_open(struct gfs_dir_iter **it, struct gfs_inode *dir) GFS_MUST;
/*
 * 1 with an entry, 0 at the end, < 0 (-GFS_ECORRUPT with leaf block). After an
 * error the next call goes on with the next leaf, so that what can be read of
 * a damaged directory can be had; it always ends.
 */
int gfs_dir_next(struct gfs_dir_iter *it, struct gfs_dir_entry *e) GFS_MUST;
void gfs_dir_close(struct gfs_dir_iter *it);

/* Entry by name, by hash in a hashed directory; -ENOENT. */
int gfs_dir_lookup(struct gfs_inode *dir, const char *name, size_t len,
		   struct gfs_dir_entry *e) GFS_MUST;

/* Table entry i of a hashed directory: the leaf's block. */
int gfs_dir_table(struct gfs_inode *dir, uint32_t i, uint64_t *leaf) GFS_MUST;

#endif
