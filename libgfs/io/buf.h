/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Block cache of a device. Blocks are lent out as const; writable bytes come
 * only from a transaction (txn.h).
 */
#ifndef GFS_BUF_H
#define GFS_BUF_H

#include "dev.h"

struct gfs_cache;

struct gfs_buf {
	uint64_t blk;
	const void *data; /* bsize bytes, 8-byte aligned */
};

/*
 * Cache over dev (not owned) of at most max_blocks unused blocks (0: 4096).
 * err receives the texts of failures. -EINVAL for a bad bsize, -ENOMEM.
 */
int gfs_cache_new(struct gfs_cache **cache, struct gfs_dev *dev,
		  uint32_t bsize, uint32_t max_blocks,
		  struct gfs_error *err) GFS_MUST;
void gfs_cache_free(struct gfs_cache *cache);
struct gfs_dev *gfs_cache_dev(const struct gfs_cache *cache);
uint32_t gfs_cache_bsize(const struct gfs_cache *cache);
struct gfs_error *gfs_cache_error(const struct gfs_cache *cache);

/*
 * Borrow block blk; it stays valid until put. Negative codes of gfs_dev_read()
 * with the block recorded in the cache's error.
 */
int gfs_buf_get(struct gfs_cache *cache, uint64_t blk,
		struct gfs_buf **buf) GFS_MUST;
/* Give back; NULL is fine; never fails, never writes. */
void gfs_buf_put(struct gfs_buf *buf);

/*
 * Take a copy of a block read by other means (the scan engine) into the
 * cache, so that it is not read again. Existing entries win. -ENOMEM.
 */
int gfs_cache_add(struct gfs_cache *cache, uint64_t blk,
		  const void *data) GFS_MUST;
/*
 * Bytes of blk if the cache has it, else NULL; nothing is read or borrowed.
 * For readers past the cache, which must see what a transaction has changed.
 */
const void *gfs_cache_peek(struct gfs_cache *cache, uint64_t blk);
/* Drop all blocks that are not borrowed (the device changed underneath). */
void gfs_cache_drop(struct gfs_cache *cache);

#endif
