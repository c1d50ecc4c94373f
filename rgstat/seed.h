/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A start for traces that begin after the mount: the statistics of a snapshot
 * taken as the trace begins.
 */
#ifndef RG_SEED_H
#define RG_SEED_H

#include "reader/debugfs.h"
#include "rgstat.h"
#include "track.h"

/*
 * Read the last snapshot (or the last named by opts->snapshot) of the path
 * opts->start into s, to be freed by rg_snapshot_fini(). 0 also without
 * opts->start, s is empty then; negative after a message.
 */
int rg_seed_read(const struct rg_opts *opts, struct rg_snapshot *s) GFS_MUST;

/*
 * Give the filesystem that ev belongs to the state of the snapshot, when it
 * is the first of the trace; else, or without snapshot, nothing.
 */
void rg_seed_event(const struct rg_snapshot *s, struct rg_track *t,
		   const struct rg_event *ev);

#endif
