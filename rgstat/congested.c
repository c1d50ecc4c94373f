// SPDX-License-Identifier: GPL-2.0-or-later
/* The congestion test: signedness, division and overflow as each kernel's. */
#include "congested.h"

#include <string.h>

/* Signed kernels compare these as s64. */
static bool is_signed(enum rg_version version)
{
	return version == RG_ORIG || version == RG_AVG_ALL ||
	       version == RG_AVG_NZ_S64;
}

static bool less(enum rg_version version, uint64_t a, uint64_t b)
{
	return is_signed(version) ? (int64_t)a < (int64_t)b : a < b;
}

static uint64_t reference(enum rg_version version, const struct rg_test *t)
{
	switch (version) {
	case RG_ORIG:
		return t->r_srttb;
	case RG_AVG_ALL:
		/* s64 by u32: signed, toward zero. */
		return (uint64_t)((int64_t)t->sum / (int64_t)t->present);
	case RG_AVG_NZ_S64:
	case RG_AVG_NZ_U64:
	case RG_DEV_NS:
		/* The 64-by-32 helper is unsigned whatever the types. */
		return t->nonzero ? t->sum / t->nonzero : 0;
	case RG_NVERSIONS:
		break;
	}
	return 0;
}

void rg_congested(enum rg_version version, const struct rg_test *t,
		  struct rg_verdict *out)
{
	uint64_t a = reference(version, t);
	uint64_t d = a - t->l_srttb;
	uint64_t v = (t->r_srttvarb + t->l_srttvarb) * 2;

	if (less(version, t->l_dcount, 8) || less(version, t->r_dcount, 8))
		v *= 2;
	if (t->loops == 1)
		v *= 2;
	out->a = a;
	out->d = (int64_t)d;
	out->q = d * d;
	out->v = v;
	out->early = less(version, t->l_dcount, 1) ||
		     less(version, t->r_dcount, 1) || a == 0;
	out->congested = !out->early && out->d < 0;
	if (!out->congested)
		return;
	if (version == RG_DEV_NS)
		out->congested = v / 2 < -d;
	else
		out->congested = less(version, v, out->q);
}

uint64_t rg_margin_ns(uint64_t v)
{
	uint64_t root = 0;

	for (int bit = 31; bit >= 0; bit--) {
		uint64_t next = root | UINT64_C(1) << bit;

		if (next * next <= v)
			root = next;
	}
	return root;
}

static const char *const names[RG_NVERSIONS] = {
	"orig", "avg-all", "avg-nz-s64", "avg-nz-u64", "dev-ns"
};

const char *rg_version_name(enum rg_version version)
{
	return names[version];
}

int rg_version_find(const char *name)
{
	for (int i = 0; i < RG_NVERSIONS; i++)
		if (!strcmp(names[i], name))
			return i;
	return -1;
}
