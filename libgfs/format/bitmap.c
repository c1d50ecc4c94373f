// SPDX-License-Identifier: GPL-2.0-or-later
/* Counting, searching and filling of two-bit states, 32 blocks at a time. */
#include "bitmap.h"

#include <endian.h>
#include <string.h>

#define WORD_BLOCKS 32U
#define LOW_BITS    0x5555555555555555ULL /* one bit of each pair */

/* The states of 32 blocks from i (a multiple of 32) on; 0 past the n-th. */
static uint64_t load_word(const void *map, uint64_t i, uint64_t n)
{
	const uint8_t *from = (const uint8_t *)map + i / GFS2_NBBY;
	uint64_t left = n - i;
	uint64_t word = 0;

	if (left >= WORD_BLOCKS) {
		memcpy(&word, from, sizeof(word));
		return le64toh(word);
	}
	memcpy(&word, from, (size_t)gfs_div_up(left, GFS2_NBBY));
	return le64toh(word) & ((1ULL << (left * GFS2_BIT_SIZE)) - 1);
}

/* The low bit of each pair of which at least one bit is set. */
static uint64_t nonzero_pairs(uint64_t word)
{
	return (word | word >> 1) & LOW_BITS;
}

/* Number of set bits among the low bits of pairs. */
static unsigned int count_pairs(uint64_t word)
{
	word = (word & 0x1111111111111111ULL) +
	       (word >> 2 & 0x1111111111111111ULL);
	word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
	return (unsigned int)(word * 0x0101010101010101ULL >> 56);
}

/* Add one word's states but for the free ones. */
static void count_word(uint64_t word, uint64_t count[4])
{
	uint64_t low = word & LOW_BITS;
	uint64_t high = word >> 1 & LOW_BITS;

	if (low == LOW_BITS && !high) {
		count[GFS2_BLKST_USED] += WORD_BLOCKS;
		return;
	}
	count[GFS2_BLKST_USED] += count_pairs(low & ~high);
	count[GFS2_BLKST_UNLINKED] += count_pairs(high & ~low);
	count[GFS2_BLKST_DINODE] += count_pairs(low & high);
}

void gfs_bitmap_count(const void *map, uint64_t n, uint64_t count[4])
{
	uint64_t sum[4] = { 0 };

	for (uint64_t i = 0; i < n; i += WORD_BLOCKS) {
		uint64_t word = load_word(map, i, n);

		if (word)
			count_word(word, sum);
	}
	sum[GFS2_BLKST_FREE] = n - sum[GFS2_BLKST_USED] -
			       sum[GFS2_BLKST_UNLINKED] -
			       sum[GFS2_BLKST_DINODE];
	for (unsigned int i = 0; i < 4; i++)
		count[i] += sum[i];
}

/*
 * First block in [from, n) that differs from the pattern (flip is 0) or equals
 * it (flip is LOW_BITS).
 */
static uint64_t find_mark(const void *map, uint64_t from, uint64_t n,
			  uint64_t pattern, uint64_t flip)
{
	uint64_t i = from - from % WORD_BLOCKS;
	uint64_t keep = UINT64_MAX << (from % WORD_BLOCKS * GFS2_BIT_SIZE);

	for (; i < n; i += WORD_BLOCKS) {
		uint64_t word = load_word(map, i, n) ^ pattern;
		uint64_t marks = (nonzero_pairs(word) ^ flip) & keep;

		if (marks)
			return gfs_min(
				n, i + (unsigned int)__builtin_ctzll(marks) /
						   GFS2_BIT_SIZE);
		keep = UINT64_MAX;
	}
	return n;
}

uint64_t gfs_bitmap_find(const void *map, uint64_t from, uint64_t n,
			 unsigned int state)
{
	return find_mark(map, from, n, (state & GFS2_BIT_MASK) * LOW_BITS,
			 LOW_BITS);
}

uint64_t gfs_bitmap_find_other(const void *map, uint64_t from, uint64_t n,
			       unsigned int state)
{
	return find_mark(map, from, n, (state & GFS2_BIT_MASK) * LOW_BITS, 0);
}

void gfs_bitmap_fill(void *map, uint64_t from, uint64_t n, unsigned int state)
{
	uint64_t end = from + n;
	uint64_t bytes;

	while (from < end && from % GFS2_NBBY)
		gfs_bitmap_set(map, from++, state);
	bytes = (end - from) / GFS2_NBBY;
	memset((uint8_t *)map + from / GFS2_NBBY,
	       (int)((state & GFS2_BIT_MASK) * 0x55), (size_t)bytes);
	for (from += bytes * GFS2_NBBY; from < end; from++)
		gfs_bitmap_set(map, from, state);
}

uint64_t gfs_bitmap_differ(const void *a, const void *b, uint64_t from,
			   uint64_t n)
{
	uint64_t i = from - from % WORD_BLOCKS;
	uint64_t keep = UINT64_MAX << (from % WORD_BLOCKS * GFS2_BIT_SIZE);

	for (; i < n; i += WORD_BLOCKS) {
		uint64_t word = load_word(a, i, n) ^ load_word(b, i, n);
		uint64_t marks = nonzero_pairs(word) & keep;

		if (marks)
			return i + (unsigned int)__builtin_ctzll(marks) /
					   GFS2_BIT_SIZE;
		keep = UINT64_MAX;
	}
	return n;
}

const char *gfs_blkst_name(unsigned int state)
{
	static const char *const names[] = { "free", "used", "unlinked",
					     "dinode" };

	return names[state & GFS2_BIT_MASK];
}
