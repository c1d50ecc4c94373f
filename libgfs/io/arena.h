/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Storage for numbered blocks, filled from 0 upwards: in memory up to a
 * limit, then in an unlinked temporary file.
 */
#ifndef GFS_ARENA_H
#define GFS_ARENA_H

#include "../base/base.h"

struct gfs_arena {
	uint32_t bsize;
	uint32_t per_chunk;  /* blocks of an allocation */
	uint64_t max_chunks; /* allocations before blocks go to the file */
	uint8_t **chunks;
	uint64_t n_chunks;
	int fd;              /* of the temporary file, or -1 */
};

/* Arena in the caller's storage of blocks of bsize bytes, memory in bytes. */
void gfs_arena_init(struct gfs_arena *arena, uint32_t bsize, size_t memory);
void gfs_arena_fini(struct gfs_arena *arena);

/*
 * Store a block. i is at most the number of blocks stored so far. -ENOMEM,
 * -errno of the temporary file, which is made in $TMPDIR or /var/tmp.
 */
int gfs_arena_write(struct gfs_arena *arena, uint64_t i,
		    const void *data) GFS_MUST;

/* Bytes [from, from + len) of a stored block. From several threads. */
int gfs_arena_read(const struct gfs_arena *arena, uint64_t i, uint32_t from,
		   uint32_t len, void *data) GFS_MUST;

#endif
