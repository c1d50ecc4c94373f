// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel's round trip estimator, bit for bit, in both its forms. */
#include "lkstats.h"

/* v >> n of a signed number, rounding down, without relying on the compiler. */
static uint64_t shift_signed(uint64_t v, unsigned int n)
{
	return v >> 63 ? ~(~v >> n) : v >> n;
}

void rg_estimate(enum rg_estimator est, uint64_t pair[2], int64_t x)
{
	uint64_t d = (uint64_t)x - pair[0];
	uint64_t size = d >> 63 ? -d : d;
	uint64_t rest = size - pair[1];

	pair[0] += shift_signed(d, 3);
	pair[1] += est == RG_EST_FAULTY ? rest >> 2 : shift_signed(rest, 2);
}

static bool same_pair(const uint64_t *a, const uint64_t *b)
{
	return a[0] == b[0] && a[1] == b[1];
}

static bool pair_moved(enum rg_estimator est, const uint64_t *old,
		       const uint64_t *new, int64_t x)
{
	uint64_t p[2] = { old[0], old[1] };

	rg_estimate(est, p, x);
	return same_pair(p, new);
}

unsigned int rg_sample_fits(enum rg_estimator est, const struct rg_lkstats *old,
			    const struct rg_lkstats *new, int64_t tdiff)
{
	unsigned int fits = 0;

	if (pair_moved(est, old->s + RG_SRTT, new->s + RG_SRTT, tdiff) &&
	    same_pair(old->s + RG_SRTTB, new->s + RG_SRTTB))
		fits |= RG_FITS_SRTT;
	if (pair_moved(est, old->s + RG_SRTTB, new->s + RG_SRTTB, tdiff) &&
	    same_pair(old->s + RG_SRTT, new->s + RG_SRTT))
		fits |= RG_FITS_SRTTB;
	return fits;
}

bool rg_sirt_fits(enum rg_estimator est, const struct rg_lkstats *old,
		  const struct rg_lkstats *new)
{
	const uint64_t *o = old->s + RG_SIRT;
	const uint64_t *n = new->s + RG_SIRT;
	uint64_t d = (n[0] - o[0]) << 3;

	for (unsigned int i = 0; i < 8; i++)
		if (pair_moved(est, o, n, (int64_t)(o[0] + d + i)))
			return true;
	return false;
}

const char *rg_stat_name(enum rg_stat stat)
{
	static const char *const names[] = { "srtt",	 "srttvar", "srttb",
					     "srttvarb", "sirt",    "sirtvar",
					     "dlm",	 "queue" };

	return stat < RG_NSTATS ? names[stat] : "unknown";
}

const char *rg_estimator_name(enum rg_estimator est)
{
	return est == RG_EST_FAULTY ? "faulty" : "fixed";
}

const char *rg_type_name(unsigned int type)
{
	static const char *const names[RG_NTYPES] = {
		"reserved", "nondisk", "inode", "rgrp",	 "meta",
		"iopen",    "flock",   "plock", "quota", "journal"
	};

	return type < RG_NTYPES ? names[type] : NULL;
}
