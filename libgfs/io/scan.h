/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scan engine: many blocks in ascending order, neighbours merged, many
 * reads in flight on several threads, handed over in order, memory bounded.
 * Threads live here and nowhere else.
 */
#ifndef GFS_SCAN_H
#define GFS_SCAN_H

#include "dev.h"

struct gfs_scan;

/* A run of blocks to read. */
struct gfs_run {
	uint64_t blk;
	uint64_t count;
};

struct gfs_scan_options {
	unsigned int threads; /* 0: number of CPUs, at most 8 */
	size_t window;        /* bytes in flight, 0: 8 MiB */
	uint32_t gap;         /* read over gaps of up to this many blocks;
			       * such blocks are not handed over */
};

/*
 * Scan whose runs come from next(ctx, &run): 1 with a run, 0 at the end, < 0
 * to stop with that code. Runs ascend and do not overlap (-EINVAL otherwise);
 * next is called only from gfs_scan_next()'s thread. options may be NULL.
 */
int gfs_scan_open(struct gfs_scan **scan, struct gfs_dev *dev, uint32_t bsize,
		  int (*next)(void *ctx, struct gfs_run *run), void *ctx,
		  const struct gfs_scan_options *options) GFS_MUST;

/* The same over a sorted array of n block numbers without repeats. */
int gfs_scan_open_list(struct gfs_scan **scan, struct gfs_dev *dev,
		       uint32_t bsize, const uint64_t *blks, size_t n,
		       const struct gfs_scan_options *options) GFS_MUST;

/*
 * Next block: 1 with *blk and *data (valid until the next call), 0 at the
 * end, < 0 on failure of the source or out of memory. A block that cannot be
 * read is handed over with *data NULL and its code in *error (0 otherwise);
 * its neighbours are not lost.
 */
int gfs_scan_next(struct gfs_scan *scan, uint64_t *blk, const void **data,
		  int *error) GFS_MUST;
void gfs_scan_close(struct gfs_scan *scan);

#endif
