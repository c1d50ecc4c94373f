// SPDX-License-Identifier: GPL-2.0-or-later
/* Each version of the congestion test on cases worked out by hand. */
#include "../../rgstat/congested.c"
#include "t.h"

struct cpu {
	uint64_t srttb, srttvarb, dcount;
};

struct vector {
	const char *name;
	struct cpu cpus[4];
	unsigned int n, self;
	struct cpu glock;
	unsigned int loops;
	const char *want; /* T or F for orig, avg-all, avg-nz-s64, -u64 */
};

#define AB                                              \
	{ { 0, 0, 3 }, { 1840233, 410022, 41 }, { 0, 0, 0 }, \
	  { 922014, 220113, 27 } }
#define SAME { 1000000, 20000, 50 }
#define FOUR { SAME, SAME, SAME, SAME }

static const struct vector vectors[] = {
	{ "A", AB, 4, 1, { 1900000, 100000, 12 }, 0, "TTTT" },
	{ "B", AB, 4, 0, { 1900000, 100000, 12 }, 0, "FTTT" },
	{ "C", FOUR, 4, 2, { 1000400, 30000, 50 }, 0, "TTTT" },
	{ "D", FOUR, 4, 2, { 1000400, 30000, 50 }, 1, "FFFF" },
	{ "E", FOUR, 4, 2, { 1000300, 30000, 50 }, 0, "FFFF" },
	{ "F", { SAME }, 4, 0, { 600000, 30000, 50 }, 0, "FTFF" },
	{ "G", { SAME }, 1, 0, { 3501000000, 30000, 50 }, 0, "FFFT" },
	{ "H", { SAME }, 1, 0, { 4295967296, 30000, 50 }, 0, "FFFF" },
	{ "I", { SAME }, 1, 0, { 5000, 10, 0 }, 0, "FFFF" },
	{ "J", { SAME }, 1, 0, { 1000400, 30000, 7 }, 0, "FFFF" },
};

static struct rg_test build(const struct vector *c)
{
	const struct cpu *self = &c->cpus[c->self];
	struct rg_test t = {
		c->glock.srttb, c->glock.srttvarb, c->glock.dcount,
		self->srttb,	self->srttvarb,	   self->dcount,
		0,		0,		   c->n,
		c->loops,
	};

	for (unsigned int i = 0; i < c->n; i++) {
		t.sum += c->cpus[i].srttb;
		t.nonzero += c->cpus[i].srttb != 0;
	}
	return t;
}

static void test_vectors(void)
{
	char name[32];

	for (size_t i = 0; i < GFS_ARRAY_SIZE(vectors); i++) {
		struct rg_test t = build(&vectors[i]);
		struct rg_verdict v;

		for (int k = 0; k < 4; k++) {
			rg_congested((enum rg_version)k, &t, &v);
			snprintf(name, sizeof(name), "case %s %s",
				 vectors[i].name, names[k]);
			T_NAMED(v.congested == (vectors[i].want[k] == 'T'),
				name);
		}
	}
}

static struct rg_verdict verdict(char name, enum rg_version version)
{
	struct rg_test t = build(&vectors[name - 'A']);
	struct rg_verdict v;

	rg_congested(version, &t, &v);
	return v;
}

/* The intermediate numbers that the cases name. */
static void test_numbers(void)
{
	T_EQ(verdict('A', RG_ORIG).d, -59767);
	T_EQ(verdict('A', RG_AVG_ALL).a, 690561);
	T_EQ(verdict('A', RG_AVG_NZ_S64).a, 1381123);
	T_OK(verdict('B', RG_ORIG).early);
	T_EQ(verdict('B', RG_AVG_ALL).v, 400000);
	T_EQ(verdict('C', RG_ORIG).q, 160000);
	T_EQ(verdict('C', RG_ORIG).v, 100000);
	T_EQ(verdict('D', RG_ORIG).v, 200000);
	T_EQ(verdict('E', RG_ORIG).q, 90000);
	T_OK(verdict('F', RG_ORIG).d > 0);
	T_EQ(verdict('F', RG_AVG_ALL).a, 250000);
	T_OK((int64_t)verdict('G', RG_AVG_NZ_S64).q < 0);
	T_EQ(verdict('H', RG_AVG_NZ_U64).q, 0);
	T_OK(verdict('I', RG_AVG_NZ_U64).early);
	T_EQ(verdict('J', RG_AVG_NZ_U64).v, 200000);
}

/* Ours: 400 ns slower is nothing beside 50 us of deviation. */
static void test_dev_ns(void)
{
	struct rg_test t = build(&vectors[2]);
	struct rg_verdict v;

	rg_congested(RG_DEV_NS, &t, &v);
	T_OK(!v.congested);
	t.l_srttb = 1000000 + 50000;
	rg_congested(RG_DEV_NS, &t, &v);
	T_OK(!v.congested);
	t.l_srttb++;
	rg_congested(RG_DEV_NS, &t, &v);
	T_OK(v.congested);
	t.loops = 1;
	rg_congested(RG_DEV_NS, &t, &v);
	T_OK(!v.congested);
}

/* A deviation of the faulty estimator: signed and unsigned disagree. */
static void test_faulty(void)
{
	struct rg_test t = build(&vectors[2]);
	struct rg_verdict v;

	t.l_srttvarb = UINT64_C(4611686018428547799);
	rg_congested(RG_AVG_NZ_S64, &t, &v);
	T_OK((int64_t)v.v < 0 && v.congested);
	rg_congested(RG_AVG_NZ_U64, &t, &v);
	T_OK(!v.congested);
}

static void test_root(void)
{
	T_EQ(rg_margin_ns(0), 0);
	T_EQ(rg_margin_ns(2000000), 1414);
	T_EQ(rg_margin_ns(8000000), 2828);
	T_EQ(rg_margin_ns(UINT64_MAX), UINT32_MAX);
	T_EQ(rg_margin_ns(UINT64_C(1) << 62), UINT64_C(1) << 31);
}

int main(void)
{
	test_vectors();
	test_numbers();
	test_dev_ns();
	test_faulty();
	test_root();
	T_EQ(rg_version_find("avg-nz-u64"), RG_AVG_NZ_U64);
	T_EQ(rg_version_find("nope"), -1);
	return t_done();
}
