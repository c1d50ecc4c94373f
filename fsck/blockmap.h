/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A two-bit state for each of very many blocks, in chunks that cost nothing
 * while all their blocks have the same state.
 */
#ifndef FSCK_BLOCKMAP_H
#define FSCK_BLOCKMAP_H

#include "../libgfs/base/base.h"

#define BLOCKMAP_CHUNK 4096U /* blocks; 1 KiB when not uniform */

/* Caller's storage; blocks are numbered 0..n-1. */
struct blockmap {
	uint64_t n;
	uint64_t nchunks;
	uintptr_t *chunks; /* address of states, or state * 2 + 1; 0 too */
};

/* All blocks in state 0. Exits when out of memory, as all that grows here. */
void blockmap_init(struct blockmap *map, uint64_t n);
void blockmap_fini(struct blockmap *map);

/* State 0..3 of block i < n. */
unsigned int blockmap_get(const struct blockmap *map, uint64_t i);
void blockmap_set(struct blockmap *map, uint64_t i, unsigned int state);

/*
 * Copy n states as a resource group's bitmap has them (four a byte, lowest
 * bits first); first and n are multiples of 4.
 */
void blockmap_load(struct blockmap *map, uint64_t first, const void *bits,
		   uint64_t n);

/* First block >= from whose state's bit is set in mask (1 << state); or n. */
uint64_t blockmap_next(const struct blockmap *map, uint64_t from,
		       unsigned int mask);

/* First block >= from whose states differ in two maps of one size; or n. */
uint64_t blockmap_differ(const struct blockmap *a, const struct blockmap *b,
			 uint64_t from);

/* Add the number of blocks of each state among n from first to count[]. */
void blockmap_count(const struct blockmap *map, uint64_t first, uint64_t n,
		    uint64_t count[4]);

#endif
