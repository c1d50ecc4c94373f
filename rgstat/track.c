// SPDX-License-Identifier: GPL-2.0-or-later
/* State of a node rebuilt event by event, each printed number recomputed. */
#include "track.h"

#include "../libgfs/base/cli.h"

#include <stdlib.h>
#include <string.h>

#define MOUNTS_MAX 16U

void rg_track_init(struct rg_track *t)
{
	*t = (struct rg_track){ .est = RG_EST_FIXED };
	rg_glocks_init(&t->glocks);
}

void rg_track_fini(struct rg_track *t)
{
	for (unsigned int i = 0; i < t->n_mounts; i++)
		rg_cpusets_fini(&t->mounts[i].sets);
	free(t->mounts);
	rg_glocks_fini(&t->glocks);
}

struct rg_mount *rg_track_mount(const struct rg_track *t, uint32_t dev)
{
	for (unsigned int i = 0; i < t->n_mounts; i++)
		if (t->mounts[i].dev == dev)
			return &t->mounts[i];
	return NULL;
}

struct rg_mount *rg_track_only(const struct rg_track *t)
{
	return t->n_mounts == 1 ? t->mounts : NULL;
}

struct rg_mount *rg_track_owner(const struct rg_track *t, uint64_t number)
{
	struct rg_mount *only = rg_track_only(t);

	for (unsigned int i = 0; i < t->n_mounts && !only; i++)
		if (rg_glocks_find(&t->glocks, t->mounts[i].dev, RG_TYPE_RGRP,
				   number))
			return &t->mounts[i];
	return only;
}

struct rg_mount *rg_track_add_mount(struct rg_track *t, uint32_t dev)
{
	struct rg_mount *m = rg_track_mount(t, dev);

	if (m)
		return m;
	/* Hostile input only: a node has a handful of mounts. */
	if (t->n_mounts == MOUNTS_MAX)
		return &t->mounts[MOUNTS_MAX - 1];
	t->mounts = cli_realloc(t->mounts, (t->n_mounts + 1) *
						   sizeof(*t->mounts));
	m = &t->mounts[t->n_mounts++];
	*m = (struct rg_mount){ .dev = dev };
	rg_cpusets_init(&m->sets);
	return m;
}

void rg_track_lost(struct rg_track *t, uint64_t n)
{
	t->lost += n ? n : 1;
}

static bool is_zero(const uint64_t *pair)
{
	return !pair[0] && !pair[1];
}

/*
 * Which pair did this reply go to, from its numbers alone? With an earlier
 * event of the glock the pair that moved; on a first event a pair that is
 * still zero took no sample, and the final unlock never blocks.
 */
static enum rg_pair find_pair(const struct rg_event *ev, unsigned int fits,
			      bool first)
{
	const uint64_t *s = ev->stats.s;

	if (fits == RG_FITS_SRTT || ev->status == RG_STATUS_UNLOCKED)
		return RG_PAIR_SRTT;
	if (fits == RG_FITS_SRTTB)
		return RG_PAIR_SRTTB;
	if (first && is_zero(s + RG_SRTT) && !is_zero(s + RG_SRTTB))
		return RG_PAIR_SRTTB;
	if (first && is_zero(s + RG_SRTTB) && !is_zero(s + RG_SRTT))
		return RG_PAIR_SRTT;
	return RG_PAIR_UNKNOWN;
}

static void add_sample(struct rg_mount *m, struct rg_glock *g,
		       const struct rg_event *ev, enum rg_pair pair)
{
	struct rg_late sample = { ev->number, ev->tdiff, pair };

	if (g->undecided) {
		/* No state change came in between: it was not traced. */
		rg_cpusets_decide(&m->sets, ev->type, ev->number,
				  RG_PAIR_SRTTB);
		m->sets.guessed++;
	}
	rg_cpusets_sample(&m->sets, ev->cpu, ev->type, &sample);
	g->undecided = pair == RG_PAIR_UNKNOWN;
}

/* Numbers of a glock's next reply, nothing missing in between. */
static unsigned int check_next(struct rg_track *t, const struct rg_glock *g,
			       const struct rg_event *ev,
			       struct rg_check *found)
{
	enum rg_estimator est = RG_EST_FIXED;
	unsigned int fits;

	fits = rg_sample_fits(est, &g->last, &ev->stats, ev->tdiff);
	if (!fits || !rg_sirt_fits(est, &g->last, &ev->stats)) {
		unsigned int faulty = rg_sample_fits(RG_EST_FAULTY, &g->last,
						     &ev->stats, ev->tdiff);

		if (faulty) {
			est = RG_EST_FAULTY;
			fits = faulty;
		}
	}
	found->wrong = fits ? 0 : RG_WRONG_RTT;
	if (!rg_sirt_fits(est, &g->last, &ev->stats))
		found->wrong |= RG_WRONG_IRT;
	if (g->whole && t->has_queues && !t->lost &&
	    ev->stats.s[RG_QCOUNT] != found->queued)
		found->wrong |= RG_WRONG_QUEUE;
	if (found->wrong == RG_WRONG_QUEUE &&
	    ev->stats.s[RG_QCOUNT] > found->queued)
		found->found = RG_FOUND_LOST; /* its queue events */
	else if (found->wrong)
		found->found = RG_FOUND_WRONG;
	else if (est == RG_EST_FAULTY)
		found->found = RG_FOUND_FAULTY;
	else
		found->found = RG_FOUND_EXACT;
	if (!found->wrong)
		t->est = est == RG_EST_FAULTY ? est : t->est;
	return fits;
}

/* Compare with the earlier reply of the glock. Returns which pairs fit. */
static unsigned int check_reply(struct rg_track *t, const struct rg_glock *g,
				const struct rg_event *ev,
				struct rg_check *found)
{
	uint64_t old = g->last.s[RG_DCOUNT];
	uint64_t now = ev->stats.s[RG_DCOUNT];

	found->before = g->last;
	found->queued = g->put ? g->queued_put : g->queued;
	if (now == old + 1)
		return check_next(t, g, ev, found);
	if (now > old) {
		found->found = RG_FOUND_LOST;
		found->missing = now - old - 1;
		t->missing += found->missing;
	} else {
		found->found = RG_FOUND_RECREATED;
	}
	return 0;
}

/* Which pair moved when the numbers do not follow from each other. */
static unsigned int moved_pairs(const struct rg_lkstats *old,
				const struct rg_lkstats *new)
{
	unsigned int moved = 0;

	if (memcmp(old->s + RG_SRTT, new->s + RG_SRTT, 16))
		moved |= RG_FITS_SRTT;
	if (memcmp(old->s + RG_SRTTB, new->s + RG_SRTTB, 16))
		moved |= RG_FITS_SRTTB;
	return moved;
}

static void on_lock_time(struct rg_track *t, const struct rg_event *ev,
			 struct rg_check *found)
{
	struct rg_glock *g = rg_glocks_get(&t->glocks, ev->dev, ev->type,
					   ev->number);
	bool last = ev->status == RG_STATUS_UNLOCKED;
	uint64_t back = ev->tdiff > 0 ? (uint64_t)ev->tdiff : 0;
	unsigned int fits = 0;

	if (g->put && !last) { /* its last reply got lost */
		rg_glocks_revive(&t->glocks, g);
		g->known = false;
	}
	if (g->known) {
		fits = check_reply(t, g, ev, found);
		if (found->missing)
			fits = moved_pairs(&g->last, &ev->stats);
	} else {
		found->found = RG_FOUND_FIRST;
	}
	t->counts[found->found]++;
	add_sample(rg_track_add_mount(t, ev->dev), g, ev,
		   find_pair(ev, fits, !g->known));
	g->known = true;
	g->last = ev->stats;
	if (!g->put) {
		g->queued = ev->stats.s[RG_QCOUNT];
		g->whole = true;
	}
	g->requests = ev->stats.s[RG_DCOUNT];
	g->stamp_ns = ev->ns > back ? ev->ns - back : 0;
	if (!last)
		return;
	if (!g->queued || !g->put) {
		rg_glocks_drop(&t->glocks, g);
		return;
	}
	/* The name is in use again already. */
	rg_glocks_revive(&t->glocks, g);
	g->known = false;
	g->requests = 0;
}

static void on_state(struct rg_track *t, const struct rg_event *ev)
{
	struct rg_glock *g = rg_glocks_find(&t->glocks, ev->dev, ev->type,
					    ev->number);

	if (!g || !g->undecided)
		return;
	g->undecided = false;
	rg_cpusets_decide(&rg_track_add_mount(t, ev->dev)->sets, ev->type,
			  ev->number,
			  ev->blocking ? RG_PAIR_SRTTB : RG_PAIR_SRTT);
}

static void on_put(struct rg_track *t, const struct rg_event *ev)
{
	struct rg_glock *g = rg_glocks_find(&t->glocks, ev->dev, ev->type,
					    ev->number);

	/* rgrp glocks live as long as the mount. */
	if (ev->type == RG_TYPE_RGRP)
		rg_track_add_mount(t, ev->dev)->ending = true;
	if (!g)
		return;
	if (!g->known) { /* never got a DLM lock: no reply will come */
		rg_glocks_drop(&t->glocks, g);
		return;
	}
	g->queued_put = g->queued;
	g->queued = 0;
	rg_glocks_put(&t->glocks, g, ev->ns);
}

/* The first glock of a mount is the mount lock: its sets start at zero. */
static void note_mounting(struct rg_mount *m, const struct rg_event *ev)
{
	if (!m->ending || ev->type != 1 || ev->number)
		return;
	rg_cpusets_fini(&m->sets);
	m->ending = false;
	m->has_ls = false;
}

static void on_queue(struct rg_track *t, const struct rg_event *ev)
{
	struct rg_mount *m = rg_track_add_mount(t, ev->dev);

	t->has_queues = true;
	note_mounting(m, ev);
	rg_cpuset_get(&m->sets, ev->cpu, ev->type)->queued++;
	rg_glocks_get(&t->glocks, ev->dev, ev->type, ev->number)->queued++;
}

/* The mount of a lockspace: known, or the only one that has this glock. */
static struct rg_mount *lockspace_mount(struct rg_track *t,
					const struct rg_event *ev)
{
	struct rg_mount *found = NULL;

	for (unsigned int i = 0; i < t->n_mounts; i++)
		if (t->mounts[i].has_ls && t->mounts[i].ls == ev->ls)
			return &t->mounts[i];
	for (unsigned int i = 0; i < t->n_mounts; i++) {
		struct rg_mount *m = &t->mounts[i];

		if (m->has_ls || !rg_glocks_find(&t->glocks, m->dev, ev->type,
						 ev->number))
			continue;
		if (found)
			return NULL;
		found = m;
	}
	if (found) {
		found->has_ls = true;
		found->ls = ev->ls;
	}
	return found;
}

static void on_request(struct rg_track *t, const struct rg_event *ev)
{
	struct rg_mount *m = lockspace_mount(t, ev);
	struct rg_glock *g;

	t->has_requests = true;
	/* The mount's control locks carry names of type 1 but are no glocks. */
	if (!m || (ev->type == 1 && (ev->number == 4 || ev->number == 5)))
		return;
	rg_cpuset_get(&m->sets, ev->cpu, ev->type)->requests++;
	g = rg_glocks_find(&t->glocks, m->dev, ev->type, ev->number);
	if (!g)
		return;
	g->requests++;
	g->stamp_ns = ev->ns;
}

void rg_track_event(struct rg_track *t, const struct rg_event *ev,
		    struct rg_check *found)
{
	*found = (struct rg_check){ .found = RG_FOUND_NONE };
	if (ev->cpu >= RG_CPUS)
		return;
	switch (ev->kind) {
	case RG_EV_LOCK_TIME: on_lock_time(t, ev, found); break;
	case RG_EV_STATE: on_state(t, ev); break;
	case RG_EV_PUT: on_put(t, ev); break;
	case RG_EV_QUEUE: on_queue(t, ev); break;
	case RG_EV_PROMOTE:
	case RG_EV_DEQUEUE: break;
	case RG_EV_REQUEST: on_request(t, ev); return;
	case RG_EV_LOST: rg_track_lost(t, ev->lost); return;
	default: return;
	}
	t->gfs2_events++;
	t->rgrp_events += ev->type == RG_TYPE_RGRP;
}

static void add_cpu(const struct rg_cpuset *set, enum rg_estimator est,
		    struct rg_test *out)
{
	uint64_t pair[2];

	rg_cpuset_view(set, est, RG_PAIR_SRTTB, pair);
	out->sum += pair[0];
	out->nonzero += pair[0] != 0;
}

const struct rg_glock *rg_track_test(const struct rg_track *t,
				     const struct rg_mount *m, uint64_t number,
				     uint32_t cpu, struct rg_test *out)
{
	const struct rg_glock *g;
	const struct rg_cpuset *self;
	uint64_t pair[2];

	*out = (struct rg_test){ .present = out->present,
				 .loops = out->loops };
	for (uint32_t i = 0; i < m->sets.n; i++)
		add_cpu(&m->sets.cpu[i].type[RG_TYPE_RGRP], t->est, out);
	if (!out->present)
		out->present = m->sets.n ? m->sets.n : 1;
	if (cpu < m->sets.n) {
		self = &m->sets.cpu[cpu].type[RG_TYPE_RGRP];
		rg_cpuset_view(self, t->est, RG_PAIR_SRTTB, pair);
		out->r_srttb = pair[0];
		out->r_srttvarb = pair[1];
		out->r_dcount = t->has_requests ? self->requests :
						  self->replies;
	}
	g = rg_glocks_find(&t->glocks, m->dev, RG_TYPE_RGRP, number);
	if (!g)
		return NULL;
	out->l_srttb = g->known ? g->last.s[RG_SRTTB] : 0;
	out->l_srttvarb = g->known ? g->last.s[RG_SRTTVARB] : 0;
	out->l_dcount = g->requests;
	return g;
}
