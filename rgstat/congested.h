/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every version of the kernel's rgrp congestion test, on given numbers. */
#ifndef RG_CONGESTED_H
#define RG_CONGESTED_H

#include "../libgfs/base/base.h"

/*
 * orig: reference is this CPU's srttb, signed numbers (to 4.0).
 * avg-all: the mean over all present CPUs, signed (posted in April 2015).
 * avg-nz-s64: the mean over CPUs that have an srttb, signed (4.1, 4.2).
 * avg-nz-u64: the same with unsigned numbers (4.3 on).
 * dev-ns: ours, no kernel's: avg-nz with the margin in ns on both sides.
 */
enum rg_version {
	RG_ORIG,
	RG_AVG_ALL,
	RG_AVG_NZ_S64,
	RG_AVG_NZ_U64,
	RG_DEV_NS,
	RG_NVERSIONS
};

/* What a test looks at; times in ns. */
struct rg_test {
	uint64_t l_srttb;    /* of the rgrp's glock */
	uint64_t l_srttvarb;
	uint64_t l_dcount;
	uint64_t r_srttb;    /* of this CPU's set for rgrps */
	uint64_t r_srttvarb;
	uint64_t r_dcount;
	uint64_t sum;        /* of srttb over all CPUs, modulo 2^64 */
	uint32_t nonzero;    /* CPUs whose srttb is not 0 */
	uint32_t present;    /* CPUs present; at least 1 */
	unsigned int loops;  /* 0 on the first pass over the rgrps, 1 second */
};

struct rg_verdict {
	bool congested;
	bool early;   /* left before comparing: a count below 1 or a = 0 */
	uint64_t a;   /* reference mean */
	int64_t d;    /* a - l_srttb */
	uint64_t q;   /* d * d, low 64 bits */
	uint64_t v;   /* what q must exceed */
};

/* The verdict of one version; a, d, q, v are set when it left early too. */
void rg_congested(enum rg_version version, const struct rg_test *t,
		  struct rg_verdict *out);

/* floor(sqrt(v)): how many ns slower than a is congested, when q is v. */
uint64_t rg_margin_ns(uint64_t v);

/* Name as users write it; the version of a name, or -1. */
const char *rg_version_name(enum rg_version version);
int rg_version_find(const char *name);

#endif
