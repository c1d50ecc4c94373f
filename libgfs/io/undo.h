/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Undo file: old content of every block before it is first overwritten, each
 * with a checksum, durable before the block is written.
 *
 * Big-endian; a header in the first 4096 bytes, then records of 40 + bsize
 * bytes. Records saved together are a batch, made durable at once, and know
 * where their batch starts: so a reader can tell a batch that a power cut
 * left incomplete (nothing was overwritten yet) from damage. Closing notes
 * the number of records in the header.
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
/* Close and free, also on failure; NULL is fine; the file stays. -errno. */
int gfs_undo_close(struct gfs_undo *undo) GFS_MUST;

/*
 * Put the recorded contents back, newest first, and flush. The whole file is
 * looked at before the first write: -GFS_EUNDO when it is no undo file, is
 * damaged, or belongs to a device of another size. An incomplete batch at the
 * end of a file that was never closed is passed over. *blocks: how many were
 * restored. err gets the text.
 */
int gfs_undo_play(const char *path, struct gfs_dev *dev, uint64_t *blocks,
		  struct gfs_error *err) GFS_MUST;

#endif
