// SPDX-License-Identifier: GPL-2.0-or-later
/* Per-CPU numbers of snapshots looked for in the rebuilt state. */
#include "snapcmp.h"

#include "../libgfs/base/cli.h"

#include <stdlib.h>
#include <string.h>

/* Which numbers of one type are the same on every CPU. */
struct same {
	bool sets;
	bool queues;
	bool requests;
};

static int keep(void *ctx, struct rg_snapshot *s)
{
	struct rg_snapcmp *c = ctx;
	struct rg_snapwait *w;

	if (!s->has_sbstats || !s->n_cpus)
		return 0;
	if (c->n == c->room) {
		c->room = c->room ? 2 * c->room : 32;
		c->wait = cli_realloc(c->wait, c->room * sizeof(*c->wait));
	}
	w = &c->wait[c->n++];
	*w = (struct rg_snapwait){ .snap = *s };
	for (uint32_t i = 0; i < s->n_cpus; i++)
		w->queued += s->sets[i][RG_TYPE_RGRP].s[RG_QCOUNT];
	*s = (struct rg_snapshot){ 0 };
	return 0;
}

int rg_snapcmp_add(struct rg_snapcmp *c, const char *path,
		   struct gfs_error *err)
{
	return rg_snapshots_each(path, keep, c, err);
}

static int by_count(const void *a, const void *b)
{
	const struct rg_snapwait *x = a;
	const struct rg_snapwait *y = b;

	if (x->queued != y->queued)
		return x->queued < y->queued ? -1 : 1;
	return strverscmp(x->snap.name, y->snap.name);
}

void rg_snapcmp_sort(struct rg_snapcmp *c)
{
	if (c->n)
		qsort(c->wait, c->n, sizeof(*c->wait), by_count);
}

void rg_snapcmp_fini(struct rg_snapcmp *c)
{
	for (size_t i = 0; i < c->n; i++)
		rg_snapshot_fini(&c->wait[i].snap);
	free(c->wait);
}

static bool same_pair(const struct rg_cpuset *set, enum rg_estimator est,
		      enum rg_pair pair, const uint64_t *want)
{
	uint64_t got[2];

	rg_cpuset_view(set, est, pair, got);
	return got[0] == want[0] && got[1] == want[1];
}

static struct same same_type(const struct rg_snapshot *s,
			     const struct rg_track *t,
			     const struct rg_mount *m, unsigned int type)
{
	static const struct rg_cpuset none;
	struct same same = { true, true, true };

	for (uint32_t i = 0; i < s->n_cpus; i++) {
		uint32_t cpu = s->cpus[i];
		const struct rg_cpuset *set =
			cpu < m->sets.n ? &m->sets.cpu[cpu].type[type] : &none;
		const uint64_t *want = s->sets[i][type].s;

		same.sets &= same_pair(set, t->est, RG_PAIR_SRTT,
				       want + RG_SRTT) &&
			     same_pair(set, t->est, RG_PAIR_SRTTB,
				       want + RG_SRTTB);
		same.queues &= set->queued == want[RG_QCOUNT];
		same.requests &= set->requests == want[RG_DCOUNT];
	}
	return same;
}

static void compare(struct rg_snapwait *w, const struct rg_track *t,
		    const struct rg_mount *m, uint64_t ns)
{
	struct same rgrp = same_type(&w->snap, t, m, RG_TYPE_RGRP);

	if (!rgrp.queues)
		return;
	if (!w->queues_exact || (rgrp.sets && !w->sets_exact))
		w->ns = ns;
	w->queues_exact = true;
	w->sets_exact |= rgrp.sets;
	w->requests_exact |= rgrp.requests;
	if (w->types_exact || !rgrp.sets)
		return;
	for (unsigned int type = 0; type < RG_NTYPES; type++) {
		struct same s = same_type(&w->snap, t, m, type);

		if (!s.sets || !s.queues)
			return;
	}
	w->types_exact = true;
}

void rg_snapcmp_event(struct rg_snapcmp *c, const struct rg_track *t,
		      const struct rg_event *ev)
{
	const struct rg_mount *m = rg_track_only(t);
	uint64_t queued = 0;

	if (c->next == c->n || !m)
		return;
	if (ev->kind != RG_EV_LOCK_TIME && ev->kind != RG_EV_QUEUE &&
	    ev->kind != RG_EV_STATE && ev->kind != RG_EV_REQUEST)
		return;
	for (uint32_t i = 0; i < m->sets.n; i++)
		queued += m->sets.cpu[i].type[RG_TYPE_RGRP].queued;
	if (!c->begun)
		c->from = queued - (ev->kind == RG_EV_QUEUE &&
				    ev->type == RG_TYPE_RGRP);
	c->begun = true;
	c->queued = queued;
	while (c->next < c->n && c->wait[c->next].queued < queued)
		c->next++;
	/* Several may wait at the same count. */
	for (size_t i = c->next; i < c->n && c->wait[i].queued == queued; i++)
		compare(&c->wait[i], t, m, ev->ns);
}

size_t rg_snapcmp_missing(const struct rg_snapcmp *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		n += !c->wait[i].sets_exact && c->wait[i].queued >= c->from &&
		     c->wait[i].queued <= c->queued;
	return n;
}
