// SPDX-License-Identifier: GPL-2.0-or-later
/* Two-bit states of blocks in chunks that are stored only when mixed. */
#include "blockmap.h"

#include <stdlib.h>
#include <string.h>

#include "../libgfs/base/cli.h"
#include "../libgfs/format/bitmap.h"

#define CHUNK_BYTES (BLOCKMAP_CHUNK / GFS2_NBBY)

static bool is_uniform(uintptr_t chunk)
{
	return !chunk || (chunk & 1);
}

static unsigned int uniform_state(uintptr_t chunk)
{
	return (unsigned int)(chunk >> 1);
}

static uintptr_t uniform_chunk(unsigned int state)
{
	return state ? ((uintptr_t)state << 1 | 1) : 0;
}

static uint8_t *chunk_bits(uintptr_t chunk)
{
	return (uint8_t *)chunk;
}

/* Four blocks of one state as a byte. */
static uint8_t state_byte(unsigned int state)
{
	return (uint8_t)(state * 0x55U);
}

void blockmap_init(struct blockmap *map, uint64_t n)
{
	map->n = n;
	map->nchunks = gfs_div_up(n, BLOCKMAP_CHUNK);
	map->chunks = cli_alloc((size_t)(map->nchunks + 1) *
				sizeof(*map->chunks));
}

void blockmap_fini(struct blockmap *map)
{
	for (uint64_t c = 0; c < map->nchunks; c++)
		if (!is_uniform(map->chunks[c]))
			free(chunk_bits(map->chunks[c]));
	free(map->chunks);
	memset(map, 0, sizeof(*map));
}

unsigned int blockmap_get(const struct blockmap *map, uint64_t i)
{
	uintptr_t chunk = map->chunks[i / BLOCKMAP_CHUNK];

	if (is_uniform(chunk))
		return uniform_state(chunk);
	return gfs_bitmap_get(chunk_bits(chunk), i % BLOCKMAP_CHUNK);
}

/* The chunk's states, stored from now on. */
static uint8_t *make_bits(struct blockmap *map, uint64_t c)
{
	unsigned int state;
	uint8_t *bits;

	if (!is_uniform(map->chunks[c]))
		return chunk_bits(map->chunks[c]);
	state = uniform_state(map->chunks[c]);
	bits = cli_alloc(CHUNK_BYTES);
	memset(bits, state_byte(state), CHUNK_BYTES);
	map->chunks[c] = (uintptr_t)bits;
	return bits;
}

void blockmap_set(struct blockmap *map, uint64_t i, unsigned int state)
{
	uint64_t c = i / BLOCKMAP_CHUNK;

	if (is_uniform(map->chunks[c]) &&
	    uniform_state(map->chunks[c]) == state)
		return;
	gfs_bitmap_set(make_bits(map, c), i % BLOCKMAP_CHUNK, state);
}

static bool all_bytes(const uint8_t *bits, size_t len, uint8_t byte)
{
	return !len || (bits[0] == byte && !memcmp(bits, bits + 1, len - 1));
}

/* Load n states that lie in one chunk. */
static void load_chunk(struct blockmap *map, uint64_t first,
		       const uint8_t *bits, uint64_t n)
{
	uint64_t c = first / BLOCKMAP_CHUNK;
	size_t len = (size_t)(n / GFS2_NBBY);
	unsigned int state = bits[0] & GFS2_BIT_MASK;

	if (all_bytes(bits, len, state_byte(state))) {
		uintptr_t chunk = map->chunks[c];

		if (is_uniform(chunk) && uniform_state(chunk) == state)
			return;
		if (is_uniform(chunk) && n == BLOCKMAP_CHUNK) {
			map->chunks[c] = uniform_chunk(state);
			return;
		}
	}
	memcpy(make_bits(map, c) + first % BLOCKMAP_CHUNK / GFS2_NBBY, bits,
	       len);
}

void blockmap_load(struct blockmap *map, uint64_t first, const void *bits,
		   uint64_t n)
{
	const uint8_t *from = bits;

	while (n) {
		uint64_t room = BLOCKMAP_CHUNK - first % BLOCKMAP_CHUNK;
		uint64_t part = gfs_min(n, room);

		load_chunk(map, first, from, part);
		first += part;
		from += part / GFS2_NBBY;
		n -= part;
	}
}

/* Does a word of 32 states have one with a bit in mask? May say yes wrongly. */
static bool word_may_have(uint64_t word, unsigned int mask)
{
	const uint64_t high = 0xAAAAAAAAAAAAAAAAULL;

	if (!(mask & 3U))
		return word & high;
	if (!(mask & 1U))
		return word != 0;
	return true;
}

static uint64_t next_in_bits(const uint8_t *bits, uint64_t from, uint64_t end,
			     unsigned int mask)
{
	while (from < end) {
		uint64_t word;

		memcpy(&word, bits + from / 32 * 8, sizeof(word));
		if (!word_may_have(word, mask)) {
			from = (from / 32 + 1) * 32;
			continue;
		}
		if (mask >> gfs_bitmap_get(bits, from) & 1U)
			return from;
		from++;
	}
	return end;
}

/* Blocks of chunk c. */
static uint64_t chunk_len(const struct blockmap *map, uint64_t c)
{
	return gfs_min(BLOCKMAP_CHUNK, map->n - c * BLOCKMAP_CHUNK);
}

uint64_t blockmap_next(const struct blockmap *map, uint64_t from,
		       unsigned int mask)
{
	while (from < map->n) {
		uint64_t c = from / BLOCKMAP_CHUNK;
		uintptr_t chunk = map->chunks[c];
		uint64_t len = chunk_len(map, c);
		uint64_t i = from % BLOCKMAP_CHUNK;

		if (!is_uniform(chunk))
			i = next_in_bits(chunk_bits(chunk), i, len, mask);
		else if (!(mask >> uniform_state(chunk) & 1U))
			i = len;
		if (i < len)
			return c * BLOCKMAP_CHUNK + i;
		from = (c + 1) * BLOCKMAP_CHUNK;
	}
	return map->n;
}

uint64_t blockmap_differ(const struct blockmap *a, const struct blockmap *b,
			 uint64_t from)
{
	while (from < a->n) {
		uint64_t c = from / BLOCKMAP_CHUNK;
		uint64_t end = c * BLOCKMAP_CHUNK + chunk_len(a, c);

		if (is_uniform(a->chunks[c]) && a->chunks[c] == b->chunks[c]) {
			from = end;
			continue;
		}
		for (; from < end; from++)
			if (blockmap_get(a, from) != blockmap_get(b, from))
				return from;
	}
	return a->n;
}

void blockmap_count(const struct blockmap *map, uint64_t first, uint64_t n,
		    uint64_t count[4])
{
	while (n) {
		uint64_t c = first / BLOCKMAP_CHUNK;
		uint64_t part = gfs_min(n, BLOCKMAP_CHUNK -
						   first % BLOCKMAP_CHUNK);
		uintptr_t chunk = map->chunks[c];

		if (is_uniform(chunk))
			count[uniform_state(chunk)] += part;
		else
			for (uint64_t i = first; i < first + part; i++)
				count[blockmap_get(map, i)]++;
		first += part;
		n -= part;
	}
}
