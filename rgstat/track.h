/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state a node's kernel was in at each event of its trace: statistics of
 * every glock and of every CPU, rebuilt from the events alone, and whether
 * each printed number is what the kernel must have computed.
 */
#ifndef RG_TRACK_H
#define RG_TRACK_H

#include "congested.h"
#include "cpusets.h"
#include "glocks.h"
#include "reader/event.h"

/* What a lock_time event turned out to be. */
enum rg_found {
	RG_FOUND_NONE,      /* not a lock_time event */
	RG_FOUND_FIRST,     /* first of a glock: nothing to compare with */
	RG_FOUND_EXACT,     /* every number as recomputed */
	RG_FOUND_FAULTY,    /* exact with the faulty estimator only */
	RG_FOUND_LOST,      /* replies or queue events before it are missing */
	RG_FOUND_RECREATED, /* the count fell: a new glock of the same name */
	RG_FOUND_WRONG,     /* differs and nothing explains it */
	RG_NFOUND
};

/* Which numbers differ, for RG_FOUND_WRONG. */
#define RG_WRONG_RTT 1U
#define RG_WRONG_IRT 2U
#define RG_WRONG_QUEUE 4U

struct rg_check {
	enum rg_found found;
	unsigned int wrong;       /* RG_WRONG_* */
	uint64_t missing;         /* replies lost */
	struct rg_lkstats before; /* the glock's earlier numbers */
	uint64_t queued;          /* queue events counted */
};

/* One mounted filesystem. */
struct rg_mount {
	uint32_t dev;
	bool ending;     /* rgrp glocks are being freed: unmount */
	uint64_t ls;     /* its lockspace, when has_ls */
	bool has_ls;
	struct rg_cpusets sets;
};

struct rg_track {
	struct rg_glocks glocks;
	struct rg_mount *mounts;
	unsigned int n_mounts;
	enum rg_estimator est;   /* what the data showed so far */
	bool has_requests;       /* the trace has dlm_lock_start events */
	bool has_queues;         /* and gfs2_glock_queue */
	uint64_t lost;           /* events the kernel says it dropped */
	uint64_t counts[RG_NFOUND];
	uint64_t missing;
	uint64_t rgrp_events;    /* events of rgrp glocks */
	uint64_t gfs2_events;    /* events of any glock */
};

void rg_track_init(struct rg_track *t);
void rg_track_fini(struct rg_track *t);

/* Move the state past one event; *found (not NULL) says what it was. */
void rg_track_event(struct rg_track *t, const struct rg_event *ev,
		    struct rg_check *found);

/* Events were dropped here, n of them or an unknown number (0). */
void rg_track_lost(struct rg_track *t, uint64_t n);

/* The mount of a device; the only mount. NULL if there is no such one. */
struct rg_mount *rg_track_mount(const struct rg_track *t, uint32_t dev);
struct rg_mount *rg_track_only(const struct rg_track *t);
/* The mount of a device, new with all zero when there is none. */
struct rg_mount *rg_track_add_mount(struct rg_track *t, uint32_t dev);
/* The mount an rgrp belongs to, when only its number is known; NULL if none. */
struct rg_mount *rg_track_owner(const struct rg_track *t, uint64_t number);

/*
 * What a congestion test of an rgrp would look at now on this CPU. The caller
 * sets out->present before, 0 to take the CPUs seen in the trace; loops stays.
 * Returns the glock, NULL (and zeros) when there is none yet.
 */
const struct rg_glock *rg_track_test(const struct rg_track *t,
				     const struct rg_mount *m, uint64_t number,
				     uint32_t cpu, struct rg_test *out);

#endif
