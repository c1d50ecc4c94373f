/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A whole trace as a stream of events, and what in it was not understood. */
#ifndef RG_TRACE_H
#define RG_TRACE_H

#include "event.h"
#include "input.h"

/* Lines of one sort: how many, and the number of the first. */
struct rg_count {
	uint64_t n;
	uint64_t first;
};

struct rg_tally {
	uint64_t lines;
	uint64_t events;
	uint64_t dropped;        /* by the ring buffer, as the heading says */
	uint32_t cpus;           /* likewise, 0 without heading */
	struct rg_count unknown; /* no trace lines */
	struct rg_count damaged; /* events with fields missing or cut */
	struct rg_count range;   /* events with numbers beyond 64 bits */
	struct rg_count too_long;
	struct rg_count lost;    /* LOST lines */
	struct rg_count late;    /* time goes back by more than a second */
};

/*
 * Give fn each event of the member `in` stands at; fn returns 0, or non-zero
 * to stop with that. tally (set here) is right also when reading fails half
 * way.
 */
int rg_trace_read(struct rg_input *in, struct rg_tally *tally,
		  int (*fn)(void *ctx, const struct rg_event *ev), void *ctx,
		  struct gfs_error *err) GFS_MUST;

/* Is this the beginning of a trace? */
bool rg_trace_is(const char *data, size_t len);

#endif
