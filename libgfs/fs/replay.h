/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Journal recovery by the kernel's rules. */
#ifndef GFS_REPLAY_H
#define GFS_REPLAY_H

#include "journal.h"

struct gfs_replay_result {
	uint64_t transactions; /* headers passed */
	uint64_t copies;       /* blocks found in the log */
	uint64_t replayed;     /* written in place */
	uint64_t revoked;      /* skipped because revoked */
	bool was_clean;        /* nothing was done */
};

/*
 * Check the whole active region of a dirty journal without writing: every
 * header and descriptor valid, every target on the device and outside all
 * journals, a superblock copy only if valid. 0 or -GFS_ECORRUPT with text.
 */
int gfs_replay_check(struct gfs_jnl *jnl, struct gfs_replay_result *result)
	GFS_MUST;

/*
 * Recover a dirty journal on fs->dev, which may be an overlay: revokes first,
 * then copies in log order, flush; then head's local statfs values are added
 * to the master statfs file and statfs_changeN is zeroed, flush; then a clean
 * header (UNMOUNT|RECOVERY|USERSPACE, sequence + 1) behind the head, flush.
 * Nothing is written when gfs_replay_check() fails. The cache is dropped and
 * jnl's head brought up to date. A clean journal is left alone.
 */
int gfs_replay(struct gfs_jnl *jnl, struct gfs_replay_result *result) GFS_MUST;

/*
 * Write fresh clean headers over a whole journal, as mkfs does, so that
 * nothing of its content can be replayed.
 */
int gfs_jnl_clear(struct gfs_jnl *jnl) GFS_MUST;

#endif
