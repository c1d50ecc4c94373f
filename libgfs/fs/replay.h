/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Journal recovery by the kernel's rules. */
#ifndef GFS_REPLAY_H
#define GFS_REPLAY_H

#include "journal.h"

struct gfs_replay_result {
	uint64_t transactions; /* headers from tail to head, with the head */
	uint64_t copies;       /* blocks found in the log */
	uint64_t replayed;     /* of these, not revoked; of a block that was
				* logged twice the later copy is written */
	uint64_t revoked;      /* skipped because revoked */
	bool was_clean;        /* nothing was done */
};

/*
 * Check the whole active region of a dirty journal without writing: every
 * header and descriptor valid, every target on the device and outside all
 * journals, a superblock copy only if valid. 0 or -GFS_ECORRUPT with text.
 * Journals that cannot be opened do not protect their blocks.
 */
int gfs_replay_check(struct gfs_jnl *jnl, struct gfs_replay_result *result)
	GFS_MUST;

/*
 * Recover a dirty journal on fs->dev, which may be an overlay: what the log
 * says, each block once and in ascending order, flush; then head's local
 * statfs values are added to the master statfs file and statfs_changeN is
 * zeroed, flush; then a clean header (UNMOUNT|RECOVERY|USERSPACE, sequence + 1)
 * behind the head, flush. Nothing is written when gfs_replay_check() fails.
 * Statfs files that are missing or no dinodes are left alone. Where sequences
 * are out of order (jnl->anomalies) a single clean header could be overlooked:
 * the journal is then closed by gfs_jnl_clear().
 *
 * The cache is dropped and jnl's head brought up to date; borrowed blocks,
 * open inodes, and the superblock, system inodes and rgrps in fs may be out
 * of date: read them again. A clean journal is left alone.
 */
int gfs_replay(struct gfs_jnl *jnl, struct gfs_replay_result *result) GFS_MUST;

/*
 * Write fresh clean headers over a whole journal, as mkfs does, so that
 * nothing of its content can be replayed. Sequences go on from the head's;
 * whenever it is interrupted, the journal is either untouched or clean.
 * jnl's head is brought up to date and the cache dropped.
 */
int gfs_jnl_clear(struct gfs_jnl *jnl) GFS_MUST;

#endif
