/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A snapshot that was never taken: the state a trace leads to. */
#ifndef RG_TRACESNAP_H
#define RG_TRACESNAP_H

#include "rgstat.h"

/*
 * Read a trace to opts->until, to the first unmount or to its end, and give
 * fn each mounted filesystem as a snapshot, which fn may keep by clearing it.
 * 0, what fn returned, or negative after a message; -ENODATA when the trace
 * has no event of an rgrp.
 */
int rg_trace_snapshots(const char *path, const struct rg_opts *opts,
		       int (*fn)(void *ctx, struct rg_snapshot *s),
		       void *ctx) GFS_MUST;

#endif
