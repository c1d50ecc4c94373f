/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading: a device that counts which blocks were read, so that none is read
 * twice, and the scan of a sorted list of blocks that uses what is in the
 * cache already.
 */
#ifndef FSCK_READS_H
#define FSCK_READS_H

#include "../libgfs/io/dev.h"

struct fsck;

/*
 * Counting device over base (not owned). Reads the superblock's block at once
 * and keeps it: further reads of it are served from memory. -ENOMEM; a device
 * without that block is fine.
 */
int reads_open(struct gfs_dev **dev, struct gfs_dev *base) GFS_MUST;

/*
 * A round begins: nothing has been read. Blocks of bsize bytes are told apart
 * from now on; track: count distinct blocks of scans too.
 */
void reads_begin(struct gfs_dev *dev, uint32_t bsize, bool track);
/* From now on reads are those of scans, whose blocks are not in the cache. */
void reads_scanning(struct gfs_dev *dev, bool scanning);
/* Was blk read before scanning began, so that the cache has it? */
bool reads_has(struct gfs_dev *dev, uint64_t blk);

struct fsck_read_counts {
	uint64_t blocks;   /* read */
	uint64_t distinct; /* of these; 0 unless tracked */
};
struct fsck_read_counts reads_counts(const struct gfs_dev *dev);

/*
 * Hand n blocks in ascending order (sorted, no repeats) to fn with their
 * data; data is NULL and error its code for one that cannot be read, after
 * the finding was reported. Stops when fn returns < 0, with that code;
 * -GFS_EINTR on ^C.
 */
typedef int (*fsck_block_fn)(struct fsck *f, void *ctx, uint64_t blk,
			     const void *data);
int fsck_scan(struct fsck *f, const uint64_t *blks, size_t n, fsck_block_fn fn,
	      void *ctx) GFS_MUST;

#endif
