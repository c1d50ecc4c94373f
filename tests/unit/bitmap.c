// SPDX-License-Identifier: GPL-2.0-or-later
/* Bitmaps against versions that go block by block, at every boundary. */
#include "../../libgfs/format/bitmap.h"

#include "t.h"

#include <stdlib.h>

#define BLOCKS 300U /* no multiple of 4 or 32 at most of the ends tried */
#define BYTES  (BLOCKS / 4)

static uint32_t seed = 1;

static uint32_t next_random(void)
{
	seed = seed * 1664525U + 1013904223U;
	return seed >> 8;
}

/* Exactly as large as needed, so that a sanitizer sees any step too far. */
static uint8_t *new_map(void)
{
	uint8_t *map = calloc(1, BYTES);

	if (!map)
		abort();
	return map;
}

static uint64_t slow_find(const void *map, uint64_t from, uint64_t n,
			  unsigned int state, bool other)
{
	while (from < n && (gfs_bitmap_get(map, from) == state) == other)
		from++;
	return from < n ? from : n;
}

static bool same_find(const void *map, uint64_t from, uint64_t n)
{
	for (unsigned int s = 0; s < 4; s++)
		if (gfs_bitmap_find(map, from, n, s) !=
			    slow_find(map, from, n, s, false) ||
		    gfs_bitmap_find_other(map, from, n, s) !=
			    slow_find(map, from, n, s, true))
			return false;
	return true;
}

static bool same_count(const void *map, uint64_t n)
{
	uint64_t want[4] = { 1, 2, 3, 4 };
	uint64_t got[4] = { 1, 2, 3, 4 };

	for (uint64_t i = 0; i < n; i++)
		want[gfs_bitmap_get(map, i)]++;
	gfs_bitmap_count(map, n, got);
	return !memcmp(want, got, sizeof(got));
}

static void order_of_bits(void)
{
	uint8_t map[2] = { 0 };

	gfs_bitmap_set(map, 0, GFS2_BLKST_DINODE);
	gfs_bitmap_set(map, 1, GFS2_BLKST_USED);
	gfs_bitmap_set(map, 3, GFS2_BLKST_UNLINKED);
	gfs_bitmap_set(map, 4, GFS2_BLKST_DINODE);
	T_EQ(map[0], 0x87);
	T_EQ(map[1], 0x03);
	gfs_bitmap_set(map, 0, GFS2_BLKST_FREE);
	T_EQ(map[0], 0x84);
	T_EQ(gfs_bitmap_get(map, 3), GFS2_BLKST_UNLINKED);
}

/* Long runs with a few others: what real bitmaps look like. */
static void scatter(uint8_t *map, unsigned int kind)
{
	gfs_bitmap_fill(map, 0, BLOCKS, kind % 4);
	for (unsigned int i = 0; i < kind / 4; i++)
		gfs_bitmap_set(map, next_random() % BLOCKS, next_random());
}

static void against_slow(unsigned int kind)
{
	uint8_t *map = new_map();
	bool finds = true, counts = true;
	char what[64];

	scatter(map, kind);
	for (uint64_t n = 0; n <= BLOCKS; n++) {
		counts = counts && same_count(map, n);
		for (uint64_t from = 0; from <= n; from++)
			finds = finds && same_find(map, from, n);
	}
	snprintf(what, sizeof(what), "kind %u: all ends found", kind);
	T_NAMED(finds, what);
	snprintf(what, sizeof(what), "kind %u: all ends counted", kind);
	T_NAMED(counts, what);
	free(map);
}

static bool same_fill(uint64_t from, uint64_t n, unsigned int state)
{
	uint8_t *fast = new_map(), *slow = new_map();
	bool ok;

	for (unsigned int i = 0; i < BYTES; i++)
		fast[i] = slow[i] = (uint8_t)next_random();
	gfs_bitmap_fill(fast, from, n, state);
	for (uint64_t i = from; i < from + n; i++)
		gfs_bitmap_set(slow, i, state);
	ok = !memcmp(fast, slow, BYTES) &&
	     gfs_bitmap_differ(fast, slow, 0, BLOCKS) == BLOCKS;
	free(fast);
	free(slow);
	return ok;
}

static void fills(void)
{
	bool ok = true;

	for (uint64_t from = 0; from <= 40; from++)
		for (uint64_t n = 0; from + n <= 90; n++)
			ok = ok && same_fill(from, n, (unsigned int)n % 4);
	T_NAMED(ok, "fill from and to any block");
	T_OK(same_fill(0, BLOCKS, GFS2_BLKST_DINODE));
}

static void differences(void)
{
	uint8_t *a = new_map(), *b = new_map();
	bool ok = true;

	for (uint64_t at = 0; at < BLOCKS; at++) {
		gfs_bitmap_set(a, at, 1 + (unsigned int)at % 3);
		ok = ok && gfs_bitmap_differ(a, b, 0, BLOCKS) == at &&
		     gfs_bitmap_differ(a, b, at, BLOCKS) == at &&
		     gfs_bitmap_differ(a, b, at + 1, BLOCKS) == BLOCKS &&
		     gfs_bitmap_differ(a, b, 0, at) == at &&
		     gfs_bitmap_differ(a, b, 0, at + 1) == at;
		gfs_bitmap_set(a, at, 0);
	}
	T_NAMED(ok, "a difference is found wherever it is");
	T_EQ(gfs_bitmap_differ(a, b, 0, BLOCKS), BLOCKS);
	free(a);
	free(b);
}

static void names(void)
{
	T_STR(gfs_blkst_name(GFS2_BLKST_FREE), "free");
	T_STR(gfs_blkst_name(GFS2_BLKST_USED), "used");
	T_STR(gfs_blkst_name(GFS2_BLKST_UNLINKED), "unlinked");
	T_STR(gfs_blkst_name(GFS2_BLKST_DINODE), "dinode");
}

int main(void)
{
	order_of_bits();
	for (unsigned int kind = 0; kind < 12; kind++)
		against_slow(kind);
	against_slow(1000);
	fills();
	differences();
	names();
	return t_done();
}
