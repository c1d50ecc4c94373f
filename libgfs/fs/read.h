/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the files of this folder: reading blocks that a pointer led to. */
#ifndef GFS_READ_H
#define GFS_READ_H

#include "../format/verify.h"
#include "fs.h"

/*
 * Borrow block blk, which must be on the volume (-GFS_EOUTSIDE) and begin with
 * magic and type (-GFS_ECORRUPT); texts are recorded.
 */
int gfs_read_get(struct gfs_fs *fs, uint64_t blk, uint32_t mh_type,
		 struct gfs_buf **buf) GFS_MUST;

/* 0 without a flaw or with a minor one, else -GFS_ECORRUPT with its text. */
int gfs_read_flaw(struct gfs_fs *fs, uint64_t blk,
		  const struct gfs_flaw *flaw) GFS_MUST;

/*
 * len bytes from byte off of the device, past the cache, but with what the
 * cache has newer. The range is on the volume. Codes of gfs_dev_read().
 */
int gfs_read_bytes(struct gfs_fs *fs, void *buf, size_t len,
		   uint64_t off) GFS_MUST;

#endif
