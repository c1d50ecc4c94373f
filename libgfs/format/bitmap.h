/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two-bit allocation states (GFS2_BLKST_*), four to a byte, lowest bits
 * first. Indices are blocks from the start of the buffer. Counting and finding
 * go a word at a time.
 */
#ifndef GFS_BITMAP_H
#define GFS_BITMAP_H

#include "../base/base.h"
#include "ondisk.h"

static inline unsigned int gfs_bitmap_get(const void *map, uint64_t i)
{
	return (((const uint8_t *)map)[i / GFS2_NBBY] >>
		((i % GFS2_NBBY) * GFS2_BIT_SIZE)) & GFS2_BIT_MASK;
}

static inline void gfs_bitmap_set(void *map, uint64_t i, unsigned int state)
{
	uint8_t *byte = (uint8_t *)map + i / GFS2_NBBY;
	unsigned int shift = (i % GFS2_NBBY) * GFS2_BIT_SIZE;

	*byte = (uint8_t)((*byte & ~(GFS2_BIT_MASK << shift)) |
			  ((state & GFS2_BIT_MASK) << shift));
}

/* Add the number of blocks in each state among n blocks from 0 to count[]. */
void gfs_bitmap_count(const void *map, uint64_t n, uint64_t count[4]);

/*
 * First block in [from, n) whose state is (find) or is not (find_other)
 * `state`; n when there is none.
 */
uint64_t gfs_bitmap_find(const void *map, uint64_t from, uint64_t n,
			 unsigned int state);
uint64_t gfs_bitmap_find_other(const void *map, uint64_t from, uint64_t n,
			       unsigned int state);

/* Set n blocks from `from` to a state. */
void gfs_bitmap_fill(void *map, uint64_t from, uint64_t n, unsigned int state);

/* First block in [from, n) where two maps differ; n when there is none. */
uint64_t gfs_bitmap_differ(const void *a, const void *b, uint64_t from,
			   uint64_t n);

/* "free", "used", "unlinked", "dinode". */
const char *gfs_blkst_name(unsigned int state);

#endif
