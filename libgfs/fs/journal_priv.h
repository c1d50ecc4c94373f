/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For journal*.c and replay*.c: journals without their head, positions. */
#ifndef GFS_JOURNAL_PRIV_H
#define GFS_JOURNAL_PRIV_H

#include "journal.h"

/* As gfs_jnl_open(), but the head is not looked for. */
int gfs_jnl_open_map(struct gfs_jnl **jnl, struct gfs_fs *fs,
		     uint32_t jid) GFS_MUST;

/* Find the head of a mapped journal anew; counts anomalies. */
int gfs_jnl_find_head(struct gfs_jnl *jnl) GFS_MUST;

/* The position n blocks behind pos; both less than nblocks. */
static inline uint32_t gfs_jnl_behind(const struct gfs_jnl *jnl, uint32_t pos,
				      uint32_t n)
{
	return (uint32_t)(((uint64_t)pos + n) % jnl->nblocks);
}

#endif
