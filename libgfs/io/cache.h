/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inside of the block cache, for buf.c and txn.c only: here blocks have
 * writable bytes and may exist without having been read.
 */
#ifndef GFS_CACHE_H
#define GFS_CACHE_H

#include "buf.h"

struct gfs_txn;

struct gfs_entry {
	struct gfs_buf buf; /* first: the borrower's view */
	struct gfs_cache *cache;
	struct gfs_entry *chain;         /* next of the same hash */
	struct gfs_entry *newer, *older; /* while not borrowed */
	uint32_t refs;
	bool is_detached; /* not found any more, freed by the last put */
	size_t pin;       /* 1 + index in the running transaction, or 0 */
	uint64_t data[];
};

static inline struct gfs_entry *gfs_entry_of(struct gfs_buf *buf)
{
	return (struct gfs_entry *)buf;
}

/* Entry of a block that is in the cache, not borrowed by this; or NULL. */
struct gfs_entry *gfs_entry_find(struct gfs_cache *cache, uint64_t blk);

/*
 * Borrow the entry of blk without reading: as cached, else with undefined
 * bytes and *is_new. -ENOMEM.
 */
int gfs_entry_get(struct gfs_cache *cache, uint64_t blk,
		  struct gfs_entry **entry, bool *is_new) GFS_MUST;

/* Another borrow of a borrowed entry. */
void gfs_entry_ref(struct gfs_entry *entry);

/* Nobody finds the borrowed entry any more. */
void gfs_entry_detach(struct gfs_entry *entry);

/* The device changed blk underneath: read again (if borrowed) or forget. */
void gfs_entry_refresh(struct gfs_cache *cache, uint64_t blk);

/* The running transaction of the cache, NULL if none. */
struct gfs_txn **gfs_cache_txn(struct gfs_cache *cache);

#endif
