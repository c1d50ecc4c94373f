/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From paths to inodes and back. */
#ifndef GFS_PATH_H
#define GFS_PATH_H

#include "dir.h"

/*
 * Inode block of a path: absolute from root, "//" or "/.master" in front from
 * the master directory. Symlinks in the middle are followed (at most 40), the
 * last one only if follow. -ENOENT, -ENOTDIR, -ELOOP, -ENAMETOOLONG.
 */
int gfs_path_lookup(struct gfs_fs *fs, const char *path, bool follow,
		    uint64_t *blk) GFS_MUST;

/*
 * All paths of the inodes in blks[0..n) (sorted): one walk of root and master
 * trees calls fn with each path found, those of the master tree with "//" in
 * front. Stops when fn returns non-zero and returns that. Directories that
 * cannot be read are passed by; the first such error is returned at the end.
 */
int gfs_path_find(struct gfs_fs *fs, const uint64_t *blks, size_t n,
		  int (*fn)(void *ctx, uint64_t blk, const char *path),
		  void *ctx) GFS_MUST;

#endif
