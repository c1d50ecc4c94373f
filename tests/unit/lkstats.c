// SPDX-License-Identifier: GPL-2.0-or-later
/* The estimator against computed vectors and recorded kernel numbers. */
#include "../../rgstat/lkstats.c"
#include "t.h"

/* From mean 0, deviation 0; the last two columns are fixed and faulty. */
static void test_vectors(void)
{
	static const struct {
		int64_t sample;
		uint64_t mean, fixed, faulty;
	} steps[] = {
		{ 1000000, 125000, 250000, 250000 },
		{ 1000000, 234375, 406250, 406250 },
		{ 1000000, 330078, 496093, 496093 },
		{ 900000, 401318, 514550, 514550 },
		{ 1000000, 476153, 535583, 535583 },
		{ 5000000, 1041633, 1532649, 1532649 },
		{ 1000000, 1036428, 1159895, UINT64_C(4611686018428547799) },
		{ 1000000, 1031874, 879028, UINT64_C(8070450532248807860) },
		{ -250, 902858, 917302, UINT64_C(10664523917614251830) },
	};
	uint64_t fixed[2] = { 0, 0 };
	uint64_t faulty[2] = { 0, 0 };

	for (size_t i = 0; i < GFS_ARRAY_SIZE(steps); i++) {
		rg_estimate(RG_EST_FIXED, fixed, steps[i].sample);
		rg_estimate(RG_EST_FAULTY, faulty, steps[i].sample);
		T_EQ(fixed[0], steps[i].mean);
		T_EQ(faulty[0], steps[i].mean);
		T_EQ(fixed[1], steps[i].fixed);
		T_EQ(faulty[1], steps[i].faulty);
	}
}

/* Down by one for any small negative step, still for 0..7. */
static void test_rounding(void)
{
	uint64_t p[2] = { 1000, 0 };

	rg_estimate(RG_EST_FIXED, p, 999);
	T_EQ(p[0], 999);
	rg_estimate(RG_EST_FIXED, p, 1006);
	T_EQ(p[0], 999);
	T_EQ(p[1], 1);
	rg_estimate(RG_EST_FIXED, p, 999);
	T_EQ(p[1], 0);
	p[0] = 5;
	rg_estimate(RG_EST_FIXED, p, INT64_MIN);
	T_EQ(p[0], 5 + (((UINT64_C(1) << 63) - 5) >> 3));
	T_EQ(p[1], ((UINT64_C(1) << 63) - 5) >> 2);
}

static void test_fits(void)
{
	struct rg_lkstats old = { { 0, 0, 125000, 250000, 0, 0, 1, 1 } };
	struct rg_lkstats new = { { 0, 0, 234375, 406250, 0, 0, 2, 2 } };

	T_EQ(rg_sample_fits(RG_EST_FIXED, &old, &new, 1000000), RG_FITS_SRTTB);
	T_EQ(rg_sample_fits(RG_EST_FIXED, &old, &new, 1000008), 0);
	new = old;
	new.s[RG_SRTT] = 125000;
	new.s[RG_SRTTVAR] = 250000;
	T_EQ(rg_sample_fits(RG_EST_FIXED, &old, &new, 1000000), RG_FITS_SRTT);
	new = old;
	new.s[RG_SRTTB]--;
	T_EQ(rg_sample_fits(RG_EST_FIXED, &old, &new, 1000000), 0);
	/* A sample too small to move anything fits both. */
	old = (struct rg_lkstats){ { 0 } };
	T_EQ(rg_sample_fits(RG_EST_FIXED, &old, &old, 3),
	     RG_FITS_SRTT | RG_FITS_SRTTB);
}

static void test_sirt(void)
{
	struct rg_lkstats old = { { 0, 0, 0, 0, 20183399, 10229, 1, 1 } };
	struct rg_lkstats new = old;
	uint64_t state = 1;
	int fitting = 0;

	for (int i = 0; i < 1000; i++) {
		state = state * UINT64_C(6364136223846793005) + 1;
		rg_estimate(RG_EST_FIXED, new.s + RG_SIRT,
			    (int64_t)(state >> 24));
		fitting += rg_sirt_fits(RG_EST_FIXED, &old, &new);
		old = new;
	}
	T_EQ(fitting, 1000);
	new.s[RG_SIRTVAR] += 100;
	T_OK(!rg_sirt_fits(RG_EST_FIXED, &old, &new));
}

int main(void)
{
	test_vectors();
	test_rounding();
	test_fits();
	test_sirt();
	T_STR(rg_stat_name(RG_SRTTVARB), "srttvarb");
	T_STR(rg_type_name(RG_TYPE_RGRP), "rgrp");
	T_OK(!rg_type_name(RG_NTYPES));
	return t_done();
}
