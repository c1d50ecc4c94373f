/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recorded truth: traces with probes in the congestion test say what the
 * kernel read and decided. Each such test is worked out from the other
 * events of the trace alone and compared.
 */
#ifndef RG_PROBES_H
#define RG_PROBES_H

#include "track.h"

/* A test that began and has not told its verdict; one a task. */
struct rg_probing {
	uint32_t pid;
	bool open;
	bool past_early;      /* the kernel went past the early false */
	bool compared;        /* and told the numbers it compared */
	bool kernel_negative;
	uint64_t kernel_q, kernel_v, kernel_a;
	uint64_t kernel_r_srttvarb, kernel_r_dcount;
	uint64_t kernel_l_srttb, kernel_l_srttvarb, kernel_l_dcount;
	uint64_t number;
	struct rg_test test;  /* rebuilt */
	bool has_age;
	uint64_t age_ns;
};

/* A test that is complete. */
struct rg_probed {
	struct rg_probing at;
	struct rg_verdict verdict; /* of avg-nz-u64 from the rebuilt numbers */
	bool post;
	bool congested;            /* the kernel's */
};

struct rg_probe_counts {
	uint64_t tests;
	uint64_t pre[2];   /* by verdict: false, true */
	uint64_t post[2];
	uint64_t broken;   /* probe lines without their beginning */
	/* Tests whose recorded number is another than the rebuilt one. */
	uint64_t glock, average, deviation, dcount, early, q, v, sign, verdict;
};

#define RG_PROBE_TASKS 1024U

struct rg_probes {
	struct rg_probing task[RG_PROBE_TASKS];
	struct rg_probe_counts counts;
};

/*
 * Take one event; t is the state before it, present the number of CPUs (for
 * avg-all). true when it ended a test: *out is set and the counts moved.
 */
bool rg_probes_event(struct rg_probes *p, const struct rg_track *t,
		     const struct rg_event *ev, uint32_t present,
		     struct rg_probed *out);

/*
 * Sum of all that was not as recorded. dcount is left out: a task may move to
 * another CPU between the kernel's count and dlm_lock_start, and the test
 * only asks whether it is below 1 or 8; when that matters v differs too.
 */
uint64_t rg_probes_mismatches(const struct rg_probe_counts *c);

#endif
