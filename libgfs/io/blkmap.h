/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hash map from block numbers to a number each. */
#ifndef GFS_BLKMAP_H
#define GFS_BLKMAP_H

#include "../base/base.h"

struct gfs_blkmap_slot {
	uint64_t blk; /* UINT64_MAX: slot is empty */
	uint64_t value;
};

/* Caller's storage, all zero to begin with. */
struct gfs_blkmap {
	struct gfs_blkmap_slot *slots;
	size_t count;
	unsigned int bits; /* log2 of the number of slots */
};

/* Value of blk in *value (may be NULL); false when there is none. */
bool gfs_blkmap_get(const struct gfs_blkmap *map, uint64_t blk,
		    uint64_t *value);

/* Set the value of blk, which is less than UINT64_MAX. -ENOMEM. */
int gfs_blkmap_put(struct gfs_blkmap *map, uint64_t blk,
		   uint64_t value) GFS_MUST;

/* Free what the map holds; it is empty then and can be used again. */
void gfs_blkmap_fini(struct gfs_blkmap *map);

#endif
