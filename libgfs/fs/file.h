/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Contents of files, and of directories' hash tables, as bytes. */
#ifndef GFS_FILE_H
#define GFS_FILE_H

#include "inode.h"

/*
 * Read up to len bytes at off; holes read as zeros. *got is less than len only
 * at the end of the file. For a directory the "file" is its hash table
 * (payload of JD blocks). File data is read past the cache, in large pieces.
 */
int gfs_file_read(struct gfs_inode *ip, void *buf, size_t len, uint64_t off,
		  size_t *got) GFS_MUST;

/* Target of a symlink in a new NUL-terminated string (*len without NUL). */
int gfs_file_readlink(struct gfs_inode *ip, char **target,
		      size_t *len) GFS_MUST;

#endif
