/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing many blocks with few calls. */
#ifndef GFS_GATHER_H
#define GFS_GATHER_H

#include "log.h"

/*
 * Write blocks in the order given, neighbours that follow each other in one
 * call. *done (may be NULL): how many were written; after a failure the state
 * of those behind is unknown up to the end of their call. Codes of the device.
 */
int gfs_gather_write(struct gfs_dev *dev, uint32_t bsize,
		     const struct gfs_log_block *blocks, size_t n,
		     size_t *done) GFS_MUST;

#endif
