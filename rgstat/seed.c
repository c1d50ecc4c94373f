// SPDX-License-Identifier: GPL-2.0-or-later
/* The first state of a trace taken from a snapshot. */
#include "seed.h"

#include <errno.h>
#include <string.h>

struct choice {
	const struct rg_opts *opts;
	struct rg_snapshot *found;
};

static int choose(void *ctx, struct rg_snapshot *s)
{
	struct choice *c = ctx;

	if (!s->has_sbstats || !s->has_glstats || !s->n_cpus)
		return 0;
	if (c->opts->snapshot && !strstr(s->name, c->opts->snapshot))
		return 0;
	rg_snapshot_fini(c->found);
	*c->found = *s;
	*s = (struct rg_snapshot){ 0 };
	return 0;
}

int rg_seed_read(const struct rg_opts *opts, struct rg_snapshot *s)
{
	struct choice c = { opts, s };
	struct gfs_error err = { 0 };
	int rc;

	*s = (struct rg_snapshot){ 0 };
	if (!opts->start)
		return 0;
	rc = rg_snapshots_each(opts->start, choose, &c, &err);
	if (rc) {
		cli_report(opts->start, &err, rc);
		rg_snapshot_fini(s);
		return rc;
	}
	if (s->name)
		return 0;
	cli_error("%s: no snapshot with sbstats and glstats in it",
		  opts->start);
	return -ENODATA;
}

static void seed_set(const struct rg_lkstats *from, struct rg_cpuset *to)
{
	for (int est = 0; est < RG_NESTIMATORS; est++)
		memcpy(to->pair[est], from->s, sizeof(to->pair[est]));
	to->queued = from->s[RG_QCOUNT];
	to->requests = from->s[RG_DCOUNT];
	to->replies = from->s[RG_DCOUNT];
}

static void seed_rgrp(const struct rg_snap_rgrp *from, struct rg_track *t,
		      uint32_t dev)
{
	struct rg_glock *g = rg_glocks_get(&t->glocks, dev, RG_TYPE_RGRP,
					   from->number);

	g->queued = from->stats.s[RG_QCOUNT];
	g->requests = from->stats.s[RG_DCOUNT];
	/*
	 * Without a request yet its first reply has nothing before it. The
	 * files are not read at one moment, so queued is not exact (whole).
	 */
	g->known = g->requests != 0;
	g->last = from->stats;
}

void rg_seed_event(const struct rg_snapshot *s, struct rg_track *t,
		   const struct rg_event *ev)
{
	struct rg_mount *m;

	if (!s->name || t->n_mounts || !rg_event_has_glock(ev))
		return;
	m = rg_track_add_mount(t, ev->dev);
	for (uint32_t i = 0; i < s->n_cpus; i++)
		for (unsigned int k = 0; k < RG_NTYPES; k++)
			if (s->cpus[i] < RG_CPUS)
				seed_set(&s->sets[i][k],
					 rg_cpuset_get(&m->sets, s->cpus[i],
						       k));
	for (size_t i = 0; i < s->n_rgrps; i++)
		if (s->rgrps[i].has_stats)
			seed_rgrp(&s->rgrps[i], t, ev->dev);
}
