/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Undo file: old content of every block before it is first overwritten, each
 * with a checksum, durable before the block is written.
 */
#ifndef GFS_UNDO_H
#define GFS_UNDO_H

#include "dev.h"

struct gfs_undo;

/* Create path (must not exist) for a device; -EEXIST, -errno. */
int gfs_undo_create(struct gfs_undo **undo, const char *path,
		    struct gfs_dev *dev, uint32_t bsize,
		    struct gfs_error *err) GFS_MUST;
/*
 * Record the present content of n blocks (ascending) unless recorded before,
 * and make the record durable.
 */
int gfs_undo_save(struct gfs_undo *undo, const uint64_t *blks,
		  size_t n) GFS_MUST;
/* Close; the file stays. 0 or -errno. */
int gfs_undo_close(struct gfs_undo *undo) GFS_MUST;

/*
 * Put the recorded contents back, newest first. -GFS_EUNDO when the file is
 * damaged or belongs to another device size. *blocks: how many were restored.
 */
int gfs_undo_play(const char *path, struct gfs_dev *dev, uint64_t *blocks,
		  struct gfs_error *err) GFS_MUST;

#endif
