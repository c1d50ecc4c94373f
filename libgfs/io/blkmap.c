// SPDX-License-Identifier: GPL-2.0-or-later
/* Hash map of block numbers: open addressing, at most two thirds full. */
#include "blkmap.h"

#include <errno.h>
#include <stdlib.h>

enum { FIRST_BITS = 6 };

static struct gfs_blkmap_slot *slot_of(struct gfs_blkmap_slot *slots,
				       unsigned int bits, uint64_t blk)
{
	size_t mask = ((size_t)1 << bits) - 1;
	size_t i = (size_t)((blk * 0x9E3779B97F4A7C15U) >> (64 - bits));

	while (slots[i].blk != blk && slots[i].blk != UINT64_MAX)
		i = (i + 1) & mask;
	return &slots[i];
}

bool gfs_blkmap_get(const struct gfs_blkmap *map, uint64_t blk,
		    uint64_t *value)
{
	const struct gfs_blkmap_slot *slot;

	if (!map->count)
		return false;
	slot = slot_of(map->slots, map->bits, blk);
	if (slot->blk != blk || blk == UINT64_MAX)
		return false;
	if (value)
		*value = slot->value;
	return true;
}

static int grow(struct gfs_blkmap *map)
{
	unsigned int bits = map->slots ? map->bits + 1 : FIRST_BITS;
	size_t n = (size_t)1 << bits;
	struct gfs_blkmap_slot *slots = calloc(n, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		slots[i].blk = UINT64_MAX;
	for (size_t i = 0; map->slots && i < (size_t)1 << map->bits; i++)
		if (map->slots[i].blk != UINT64_MAX)
			*slot_of(slots, bits, map->slots[i].blk) =
				map->slots[i];
	free(map->slots);
	map->slots = slots;
	map->bits = bits;
	return 0;
}

int gfs_blkmap_put(struct gfs_blkmap *map, uint64_t blk, uint64_t value)
{
	struct gfs_blkmap_slot *slot;

	if (!map->slots || map->count >= ((size_t)2 << map->bits) / 3) {
		int rc = grow(map);

		if (rc)
			return rc;
	}
	slot = slot_of(map->slots, map->bits, blk);
	if (slot->blk == UINT64_MAX)
		map->count++;
	slot->blk = blk;
	slot->value = value;
	return 0;
}

void gfs_blkmap_fini(struct gfs_blkmap *map)
{
	free(map->slots);
	*map = (struct gfs_blkmap){ 0 };
}
