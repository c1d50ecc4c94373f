// SPDX-License-Identifier: GPL-2.0-or-later
/* Snapshots made of the state rebuilt from a trace. */
#include "tracesnap.h"
#include "seed.h"
#include "track.h"

#include <errno.h>
#include <string.h>

struct reading {
	const struct rg_opts *opts;
	struct rg_track track;
	struct rg_tally tally;
	struct rg_snapshot seed;
	bool stopped;
};

static int take_event(void *ctx, const struct rg_event *ev)
{
	struct reading *r = ctx;
	struct rg_check found;

	/* At unmount the kernel frees the rgrps' locks one by one. */
	if (rg_is_until(r->opts, ev) ||
	    (ev->kind == RG_EV_PUT && ev->type == RG_TYPE_RGRP))
		r->stopped = true;
	if (r->stopped)
		return 0;
	rg_seed_event(&r->seed, &r->track, ev);
	rg_track_event(&r->track, ev, &found);
	return 0;
}

static void fill_set(const struct rg_track *t, const struct rg_cpuset *set,
		     struct rg_lkstats *out)
{
	rg_cpuset_view(set, t->est, RG_PAIR_SRTT, out->s + RG_SRTT);
	rg_cpuset_view(set, t->est, RG_PAIR_SRTTB, out->s + RG_SRTTB);
	out->s[RG_DCOUNT] = t->has_requests ? set->requests : set->replies;
	out->s[RG_QCOUNT] = set->queued;
}

/* Every CPU of the machine has a column, used or not. */
static void fill_cpus(const struct reading *r, const struct rg_mount *m,
		      struct rg_snapshot *s)
{
	uint32_t n = (uint32_t)gfs_max(m->sets.n, r->tally.cpus);

	s->has_sbstats = true;
	s->n_cpus = n;
	s->cpus = cli_alloc(n * sizeof(*s->cpus));
	s->sets = cli_alloc(n * sizeof(*s->sets));
	for (uint32_t i = 0; i < n; i++)
		s->cpus[i] = i;
	for (uint32_t i = 0; i < m->sets.n; i++)
		for (unsigned int k = 0; k < RG_NTYPES; k++)
			fill_set(&r->track, &m->sets.cpu[i].type[k],
				 &s->sets[i][k]);
}

/* Where rg_glocks_each() puts the rgrps of one mount. */
struct filling {
	struct rg_snapshot *s;
	uint32_t dev;
};

static void fill_rgrp(void *ctx, const struct rg_glock *g)
{
	struct filling *f = ctx;
	struct rg_snap_rgrp *rg;

	if (g->dev != f->dev || g->type != RG_TYPE_RGRP)
		return;
	rg = rg_snapshot_add(f->s, g->number);
	rg->has_stats = true;
	rg->stats = g->last;
	rg->stats.s[RG_DCOUNT] = g->requests;
	rg->stats.s[RG_QCOUNT] = g->queued;
}

static int give_mount(const struct reading *r, const struct rg_mount *m,
		      const char *path,
		      int (*fn)(void *ctx, struct rg_snapshot *s), void *ctx)
{
	struct rg_snapshot s;
	struct filling f = { &s, m->dev };
	char name[1100];
	int rc;

	snprintf(name, sizeof(name), "%.1000s (%u,%u)", path, m->dev >> 20,
		 m->dev & 0xfffff);
	rg_snapshot_init(&s, name);
	s.has_glstats = true;
	fill_cpus(r, m, &s);
	rg_glocks_each(&r->track.glocks, fill_rgrp, &f);
	rg_snapshot_finish(&s);
	rc = fn(ctx, &s);
	rg_snapshot_fini(&s);
	return rc;
}

int rg_trace_snapshots(const char *path, const struct rg_opts *opts,
		       int (*fn)(void *ctx, struct rg_snapshot *s), void *ctx)
{
	struct reading r = { .opts = opts };
	int rc = rg_seed_read(opts, &r.seed);

	if (rc)
		return rc;
	rg_track_init(&r.track);
	rc = rg_read_trace(path, opts, &r.tally, take_event, &r);
	if (!rc && !r.track.rgrp_events) {
		cli_error("%s: no events of resource groups in this trace",
			  path);
		rc = -ENODATA;
	}
	for (unsigned int i = 0; i < r.track.n_mounts && !rc; i++)
		rc = give_mount(&r, &r.track.mounts[i], path, fn, ctx);
	rg_track_fini(&r.track);
	rg_snapshot_fini(&r.seed);
	return rc;
}
