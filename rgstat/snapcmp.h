/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Snapshots beside a trace: is there a moment of the trace at which the
 * rebuilt per-CPU numbers are those of the snapshot? No clock is needed:
 * counts only rise, so a moment that was passed does not come back.
 */
#ifndef RG_SNAPCMP_H
#define RG_SNAPCMP_H

#include "reader/debugfs.h"
#include "track.h"

/* One snapshot that waits for its moment, and what was found. */
struct rg_snapwait {
	struct rg_snapshot snap;
	uint64_t queued;     /* holders queued on rgrps, all CPUs */
	bool sets_exact;     /* all round trips of rgrps on every CPU */
	bool queues_exact;   /* queue counts of rgrps on every CPU */
	bool requests_exact; /* DLM requests for rgrps on every CPU */
	bool types_exact;    /* round trips and queues of all ten types */
	uint64_t ns;         /* trace time from which that was so */
};

struct rg_snapcmp {
	struct rg_snapwait *wait;
	size_t n;
	size_t room;
	size_t next;     /* first that waits */
	bool begun;
	uint64_t from;   /* holders queued on rgrps as the trace begins */
	uint64_t queued; /* and now */
};

/* Read the snapshots of a path into c. 0, or negative with err set. */
int rg_snapcmp_add(struct rg_snapcmp *c, const char *path,
		   struct gfs_error *err) GFS_MUST;
/* Put them in the order of their counts, before the first event. */
void rg_snapcmp_sort(struct rg_snapcmp *c);
/* Compare with the state after an event. */
void rg_snapcmp_event(struct rg_snapcmp *c, const struct rg_track *t,
		      const struct rg_event *ev);
/*
 * How many snapshots are of the time of the trace, by their counts, but were
 * at no moment what the trace says: of another node, or of moving numbers.
 */
size_t rg_snapcmp_missing(const struct rg_snapcmp *c);
void rg_snapcmp_fini(struct rg_snapcmp *c);

#endif
