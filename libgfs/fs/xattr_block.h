/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For xattr_*.c: EA blocks of an inode and records in them. */
#ifndef GFS_XATTR_BLOCK_H
#define GFS_XATTR_BLOCK_H

#include "../format/dirent.h"
#include "xattr_write.h"

/* A name without prefix. */
struct gfs_ea_name {
	unsigned int type;
	const char *name;
	uint32_t len;
};

/* Where a record is. */
struct gfs_ea_place {
	uint64_t blk; /* 0: nowhere */
	uint32_t offset;
	uint32_t prev; /* of the record before, or 0 */
};

/* Number of EA block i of an inode in *blk; 0 when there are no more. */
int gfs_ea_block(const struct gfs_inode *ip, uint32_t i,
		 uint64_t *blk) GFS_MUST;

/* The first record with a name, other than the one at `but` (or NULL). */
int gfs_ea_find(struct gfs_inode *ip, const struct gfs_ea_name *name,
		const struct gfs_ea_place *but,
		struct gfs_ea_place *at) GFS_MUST;

/* The first record that can take `need` bytes more. */
int gfs_ea_find_room(struct gfs_inode *ip, uint32_t need,
		     struct gfs_ea_place *at) GFS_MUST;

/*
 * A new record of the right length at a place with room, zero but for rec_len
 * and LAST; NULL and *rc on failure.
 */
struct gfs2_ea_header *gfs_ea_insert(struct gfs_writer *w,
				     struct gfs_ea_place *at, int *rc);

/* Free the ED blocks of the record and let it vanish. */
int gfs_ea_delete(struct gfs_writer *w, struct gfs_inode *ip,
		  const struct gfs_ea_place *at) GFS_MUST;

#endif
