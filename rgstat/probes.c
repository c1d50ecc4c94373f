// SPDX-License-Identifier: GPL-2.0-or-later
/* Recorded congestion tests, each compared with the rebuilt one. */
#include "probes.h"

static void begin(struct rg_probing *p, const struct rg_track *t,
		  const struct rg_event *ev, uint32_t present)
{
	const struct rg_mount *m = rg_track_owner(t, ev->number);
	const struct rg_glock *g = NULL;

	*p = (struct rg_probing){ .pid = ev->pid,
				  .open = true,
				  .number = ev->number,
				  .test = { .present = present ? present : 1,
					    .loops = ev->probe.loops } };
	p->kernel_l_srttb = ev->probe.l_srttb;
	p->kernel_l_srttvarb = ev->probe.l_srttvarb;
	p->kernel_l_dcount = ev->probe.l_dcount;
	if (m)
		g = rg_track_test(t, m, ev->number, ev->cpu, &p->test);
	p->has_age = g && g->requests && ev->ns >= g->stamp_ns;
	p->age_ns = p->has_age ? ev->ns - g->stamp_ns : 0;
}

static void enter(struct rg_probing *p, const struct rg_event *ev)
{
	p->past_early = true;
	p->kernel_a = ev->probe.a_srttb;
	p->kernel_r_srttvarb = ev->probe.r_srttvarb;
	p->kernel_r_dcount = ev->probe.r_dcount;
}

static void compare_numbers(struct rg_probing *p, const struct rg_event *ev)
{
	p->compared = true;
	p->kernel_q = ev->probe.q;
	p->kernel_v = ev->probe.v;
	p->kernel_negative = ev->probe.negative;
}

static void count_test(struct rg_probe_counts *c, const struct rg_probed *d)
{
	const struct rg_probing *p = &d->at;

	c->tests++;
	if (d->post)
		c->post[d->congested]++;
	else
		c->pre[d->congested]++;
	c->glock += p->kernel_l_srttb != p->test.l_srttb ||
		    p->kernel_l_srttvarb != p->test.l_srttvarb ||
		    p->kernel_l_dcount != p->test.l_dcount;
	c->early += d->verdict.early == p->past_early;
	c->verdict += d->verdict.congested != d->congested;
	if (p->past_early) {
		c->average += p->kernel_a != d->verdict.a;
		c->deviation += p->kernel_r_srttvarb != p->test.r_srttvarb;
		c->dcount += p->kernel_r_dcount != p->test.r_dcount;
	}
	if (p->compared) {
		c->q += p->kernel_q != d->verdict.q;
		c->v += p->kernel_v != d->verdict.v;
		c->sign += p->kernel_negative != (d->verdict.d < 0);
	}
}

bool rg_probes_event(struct rg_probes *p, const struct rg_track *t,
		     const struct rg_event *ev, uint32_t present,
		     struct rg_probed *out)
{
	struct rg_probing *at = &p->task[ev->pid % RG_PROBE_TASKS];
	bool fits = at->open && at->pid == ev->pid && at->number == ev->number;

	if (ev->kind == RG_EV_CONG) {
		p->counts.broken += at->open;
		begin(at, t, ev, present);
		return false;
	}
	if (ev->kind != RG_EV_IN && ev->kind != RG_EV_CALC &&
	    ev->kind != RG_EV_PRE && ev->kind != RG_EV_POST)
		return false;
	if (!fits) {
		p->counts.broken++;
		return false;
	}
	if (ev->kind == RG_EV_IN) {
		enter(at, ev);
		return false;
	}
	if (ev->kind == RG_EV_CALC) {
		compare_numbers(at, ev);
		return false;
	}
	*out = (struct rg_probed){ .at = *at,
				   .post = ev->kind == RG_EV_POST,
				   .congested = ev->probe.congested };
	at->open = false;
	rg_congested(RG_AVG_NZ_U64, &out->at.test, &out->verdict);
	count_test(&p->counts, out);
	return true;
}

uint64_t rg_probes_mismatches(const struct rg_probe_counts *c)
{
	return c->glock + c->average + c->deviation + c->early + c->q + c->v +
	       c->sign + c->verdict + c->broken;
}
