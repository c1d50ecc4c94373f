/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For replay*.c: what a journal wants written, worked out before writing. */
#ifndef GFS_REPLAY_PRIV_H
#define GFS_REPLAY_PRIV_H

#include "../io/scan.h"
#include "replay.h"

/* A copy in the log. */
struct gfs_copy {
	uint64_t blk;     /* home */
	uint32_t order;   /* distance of its position from the tail */
	uint32_t revoked; /* the same of the last revoke; first of its block */
	bool is_meta;
	bool escaped;     /* the copy's first 4 bytes are the magic */
};

struct gfs_plan {
	struct gfs_jnl *jnl;
	struct gfs_copy *copies; /* what is to be written, ascending by blk */
	size_t n, cap;
	struct gfs_run *forbidden; /* blocks of journals, ascending */
	size_t n_forbidden, cap_forbidden;
};

/*
 * Read the active region: every descriptor and tag is checked, revoked and
 * superseded copies are sorted out. result's counts are filled.
 */
int gfs_plan_make(struct gfs_plan *plan, struct gfs_jnl *jnl,
		  struct gfs_replay_result *result) GFS_MUST;
void gfs_plan_fini(struct gfs_plan *plan);

/* Some copies of a plan with their final bytes, in order of home blocks. */
struct gfs_batch {
	const struct gfs_copy *copies;
	const char *data; /* n blocks */
	size_t n;
};

/*
 * Read all copies of a plan, batch by batch in bounded memory, check them and
 * take back escapes; fn (may be NULL) gets each batch, its error ends the walk.
 */
int gfs_plan_read(const struct gfs_plan *plan,
		  int (*fn)(const struct gfs_plan *plan,
			    const struct gfs_batch *batch)) GFS_MUST;

#endif
