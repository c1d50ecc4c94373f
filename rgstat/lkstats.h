/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The eight numbers of a lock and the kernel's estimator that moves them. */
#ifndef RG_LKSTATS_H
#define RG_LKSTATS_H

#include "../libgfs/base/base.h"

/* In the order of the kernel's arrays; a deviation follows its mean. */
enum rg_stat {
	RG_SRTT,
	RG_SRTTVAR,
	RG_SRTTB,
	RG_SRTTVARB,
	RG_SIRT,
	RG_SIRTVAR,
	RG_DCOUNT,
	RG_QCOUNT,
	RG_NSTATS
};

/* Glock types are 0..9; rgrps are type 3. */
#define RG_NTYPES 10
#define RG_TYPE_RGRP 3

/*
 * How the deviation is shifted. FIXED is the estimator up to 4.2 and from
 * 5.2-rc2 on (signed and unsigned numbers give the same 64 bits), FAULTY the
 * one of 4.3 to 5.2-rc1, whose shift of a negative difference is logical.
 */
enum rg_estimator { RG_EST_FIXED, RG_EST_FAULTY, RG_NESTIMATORS };

/* One set, of a glock or of a CPU and type; nanoseconds and counts. */
struct rg_lkstats {
	uint64_t s[RG_NSTATS];
};

/* A deviation above this (11 days) comes from the faulty estimator. */
#define RG_FAULTY_NS UINT64_C(1000000000000000)

/*
 * Move mean and deviation pair[0..1] by one sample of x ns, modulo 2^64 as
 * the kernel does: d = x - mean; mean += d >> 3; dev += (|d| - dev) >> 2.
 */
void rg_estimate(enum rg_estimator est, uint64_t pair[2], int64_t x);

/*
 * Could a round trip of tdiff ns have turned the pairs of old into those of
 * new? Bit 0 is set when as a sample of srtt, bit 1 of srttb, that is with
 * the other pair unchanged; 0 when neither.
 */
unsigned int rg_sample_fits(enum rg_estimator est, const struct rg_lkstats *old,
			    const struct rg_lkstats *new, int64_t tdiff);
#define RG_FITS_SRTT 1U
#define RG_FITS_SRTTB 2U

/*
 * Is there any sample that turns the sirt pair of old into that of new? Its
 * value is not traced, but each step of the mean leaves eight candidates,
 * which the deviation must agree with. Unchanged pairs (no request of a lock
 * that had a DLM lock) are for the caller to allow.
 */
bool rg_sirt_fits(enum rg_estimator est, const struct rg_lkstats *old,
		  const struct rg_lkstats *new);

/* Name of a statistic as sbstats has it, of an estimator; never NULL. */
const char *rg_stat_name(enum rg_stat stat);
const char *rg_estimator_name(enum rg_estimator est);
/* Name of a glock type as sbstats has it; NULL when there is no such type. */
const char *rg_type_name(unsigned int type);

#endif
