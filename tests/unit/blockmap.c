// SPDX-License-Identifier: GPL-2.0-or-later
/* The map of block states of fsck.gfs2. */
#include "../../fsck/blockmap.c"
#include "t.h"

#define N 20000U /* blocks: not a multiple of a chunk */

/* States as a plain array tells them. */
static uint8_t plain[N];

static void set(struct blockmap *map, uint64_t i, unsigned int state)
{
	blockmap_set(map, i, state);
	plain[i] = (uint8_t)state;
}

static bool same(const struct blockmap *map)
{
	for (uint64_t i = 0; i < N; i++)
		if (blockmap_get(map, i) != plain[i])
			return false;
	return true;
}

static uint64_t plain_next(uint64_t from, unsigned int mask)
{
	while (from < N && !(mask >> plain[from] & 1U))
		from++;
	return from;
}

static bool same_next(const struct blockmap *map)
{
	for (unsigned int mask = 1; mask < 16; mask++)
		for (uint64_t i = 0; i < N; i += 61)
			if (blockmap_next(map, i, mask) != plain_next(i, mask))
				return false;
	return true;
}

static void uniform(void)
{
	struct blockmap map;
	uint64_t count[4] = { 0 };

	blockmap_init(&map, N);
	T_EQ(map.nchunks, 5);
	T_EQ(blockmap_get(&map, N - 1), 0);
	T_EQ(blockmap_next(&map, 0, 1U << 1), N);
	T_EQ(blockmap_next(&map, 5, 1U << 0), 5);
	blockmap_set(&map, 7, 0);
	T_OK(!map.chunks[0]);
	blockmap_count(&map, 3, 5000, count);
	T_EQ(count[0], 5000);
	blockmap_fini(&map);
}

static void mixed(void)
{
	struct blockmap map;
	uint64_t count[4] = { 0 }, want[4] = { 0 };
	uint32_t seed = 1;

	memset(plain, 0, sizeof(plain));
	blockmap_init(&map, N);
	for (unsigned int k = 0; k < 300; k++) {
		seed = seed * 1103515245U + 12345U;
		set(&map, seed / 65536U % N, seed >> 20 & 3U);
	}
	set(&map, N - 1, 3);
	T_OK(same(&map));
	T_OK(same_next(&map));
	for (uint64_t i = 100; i < 19000; i++)
		want[plain[i]]++;
	blockmap_count(&map, 100, 18900, count);
	T_OK(!memcmp(want, count, sizeof(want)));
	blockmap_fini(&map);
}

/* States of a group as its bitmap has them: 0b11100100 is 0, 1, 2, 3. */
static void load(void)
{
	static uint8_t bits[N / 4];
	struct blockmap map;

	memset(plain, 0, sizeof(plain));
	memset(bits, 0x55, sizeof(bits));
	blockmap_init(&map, N);
	blockmap_load(&map, 4096, bits, 4096);
	T_EQ(map.chunks[1], 3);
	memset(plain + 4096, 1, 4096);
	T_OK(same(&map));
	bits[0] = 0xe4;
	blockmap_load(&map, 4000, bits, 200);
	for (unsigned int i = 0; i < 200; i++)
		plain[4000 + i] = (uint8_t)(i < 4 ? i : 1);
	T_OK(same(&map));
	memset(bits, 0, sizeof(bits));
	blockmap_load(&map, 16384, bits, N - 16384);
	T_OK(!map.chunks[4]);
	T_OK(same(&map));
	blockmap_fini(&map);
}

static void differ(void)
{
	struct blockmap a, b;

	blockmap_init(&a, N);
	blockmap_init(&b, N);
	T_EQ(blockmap_differ(&a, &b, 0), N);
	blockmap_set(&a, 9000, 2);
	blockmap_set(&b, 19999, 1);
	T_EQ(blockmap_differ(&a, &b, 0), 9000);
	T_EQ(blockmap_differ(&a, &b, 9001), 19999);
	blockmap_set(&b, 9000, 2);
	T_EQ(blockmap_differ(&a, &b, 0), 19999);
	blockmap_fini(&a);
	blockmap_fini(&b);
}

int main(void)
{
	uniform();
	mixed();
	load();
	differ();
	return t_done();
}
