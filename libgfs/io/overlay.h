/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A device that reads through to another one and keeps what is written to
 * itself: in memory up to a limit, then in an unlinked temporary file. The
 * base is never written.
 */
#ifndef GFS_OVERLAY_H
#define GFS_OVERLAY_H

#include "dev.h"

/*
 * Overlay over base (not owned) in units of bsize bytes. memory: bytes of
 * blocks kept before spilling to $TMPDIR, 0 for a default of 256 MiB.
 */
int gfs_dev_overlay_open(struct gfs_dev **dev, struct gfs_dev *base,
			 uint32_t bsize, size_t memory) GFS_MUST;

/* Number of blocks written so far. */
uint64_t gfs_overlay_count(const struct gfs_dev *dev);

/*
 * The smallest written block >= *blk: sets *blk and copies its content to buf
 * (bsize bytes, may be NULL). 1, 0 if there is none, < 0 on error.
 */
int gfs_overlay_next(struct gfs_dev *dev, uint64_t *blk, void *buf) GFS_MUST;

/* Forget everything written. */
void gfs_overlay_reset(struct gfs_dev *dev);

#endif
