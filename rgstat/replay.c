// SPDX-License-Identifier: GPL-2.0-or-later
/* rgstat replay: what each version says at each decision in a trace. */
#include "columns.h"
#include "probes.h"
#include "report.h"
#include "rgstat.h"
#include "seed.h"

#include <stdlib.h>

#define AGE_NS UINT64_C(1000000000)
#define WAITS 1024U

/* A task that queued for an rgrp and has not been seen going on. */
struct wait {
	uint32_t pid;
	uint32_t dev;
	uint64_t number;
	uint64_t order; /* of queueing, 0: free */
	bool promoted;
};

struct replay {
	const struct rg_opts *opts;
	struct emit *e;
	struct rg_columns columns;
	struct rg_track track;
	struct rg_tally tally;
	struct rg_snapshot seed;
	struct rg_probes *probes;
	struct rg_matrix matrix;
	struct wait waits[WAITS];
	unsigned int waiting; /* not promoted yet */
	unsigned int granted; /* promoted, not seen since */
	uint64_t order;
	uint64_t skipped; /* decisions with a young lock, test not asked */
	bool stopped;
};

static void put_row(struct replay *r, struct rg_row *row)
{
	rg_row_judge(row, r->opts->versions);
	rg_matrix_add(&r->matrix, row);
	if (!r->opts->differ || row->differ)
		rg_columns_row(&r->columns, r->e, row);
}

/* CPUs present, for avg-all: told, in the heading, or seen so far. */
static uint32_t present_cpus(const struct replay *r)
{
	return r->opts->present ? r->opts->present : r->tally.cpus;
}

/* A test on this CPU now, as seen from the trace alone. */
static void put_test(struct replay *r, const struct rg_event *ev,
		     const struct wait *w, const char *moment)
{
	const struct rg_mount *m = rg_track_mount(&r->track, w->dev);
	struct rg_row row = { .time_ns = ev->ns, .task = ev->task,
			      .task_len = ev->task_len, .pid = ev->pid,
			      .cpu = ev->cpu, .number = w->number,
			      .moment = moment, .kernel = -1 };
	const struct rg_glock *g;

	if (!m)
		return;
	row.test.present = present_cpus(r);
	g = rg_track_test(&r->track, m, w->number, ev->cpu, &row.test);
	row.has_age = g && g->requests && ev->ns >= g->stamp_ns;
	row.age_ns = row.has_age ? ev->ns - g->stamp_ns : 0;
	/* Before locking the kernel asks only when the lock is unused. */
	if (moment[1] == 'r' && row.has_age && row.age_ns <= AGE_NS &&
	    !r->opts->all) {
		r->skipped++;
		return;
	}
	for (unsigned int loops = 0; loops < 2; loops++) {
		row.test.loops = loops;
		if (r->opts->loops[loops])
			put_row(r, &row);
	}
}

static struct wait *wait_of(struct replay *r, uint32_t pid)
{
	struct wait *w = &r->waits[pid % WAITS];

	return w->order && w->pid == pid ? w : NULL;
}

static void end_wait(struct replay *r, struct wait *w)
{
	if (w->promoted)
		r->granted--;
	else
		r->waiting--;
	w->order = 0;
}

static void on_queue(struct replay *r, const struct rg_event *ev)
{
	struct wait *w = &r->waits[ev->pid % WAITS];

	if (w->order)
		end_wait(r, w);
	*w = (struct wait){ .pid = ev->pid, .dev = ev->dev,
			    .number = ev->number, .order = ++r->order };
	r->waiting++;
	put_test(r, ev, w, "pre");
}

/* The oldest task that waits for this lock. */
static struct wait *oldest_wait(struct replay *r, const struct rg_event *ev)
{
	struct wait *found = NULL;

	for (unsigned int i = 0; i < WAITS; i++) {
		struct wait *w = &r->waits[i];

		if (w->order && !w->promoted && w->number == ev->number &&
		    w->dev == ev->dev && (!found || w->order < found->order))
			found = w;
	}
	return found;
}

static void on_promote(struct replay *r, const struct rg_event *ev)
{
	struct wait *w = wait_of(r, ev->pid);

	if (!r->waiting)
		return;
	if (!w || w->promoted || w->number != ev->number || w->dev != ev->dev)
		w = oldest_wait(r, ev);
	if (!w)
		return;
	if (w->pid == ev->pid) { /* granted at once, it goes on here */
		put_test(r, ev, w, "post");
		end_wait(r, w);
		return;
	}
	w->promoted = true;
	r->waiting--;
	r->granted++;
}

/* Decisions that show without probes; the state is that before ev. */
static void observe(struct replay *r, const struct rg_event *ev)
{
	bool rgrp = ev->type == RG_TYPE_RGRP && ev->mode == RG_MODE_EX;
	struct wait *w = r->granted ? wait_of(r, ev->pid) : NULL;

	/* Someone else granted it; this is the task's next sign of life. */
	if (w && w->promoted && ev->kind != RG_EV_LOST) {
		put_test(r, ev, w, "post");
		end_wait(r, w);
	}
	if (ev->kind == RG_EV_QUEUE && rgrp)
		on_queue(r, ev);
	else if (ev->kind == RG_EV_PROMOTE && rgrp)
		on_promote(r, ev);
}

static void put_probed(struct replay *r, const struct rg_event *ev,
		       const struct rg_probed *p)
{
	struct rg_row row = { .time_ns = ev->ns, .task = ev->task,
			      .task_len = ev->task_len, .pid = ev->pid,
			      .cpu = ev->cpu, .number = ev->number,
			      .moment = p->post ? "post" : "pre",
			      .kernel = p->congested, .test = p->at.test,
			      .has_age = p->at.has_age,
			      .age_ns = p->at.age_ns };

	put_row(r, &row);
}

static int replay_event(void *ctx, const struct rg_event *ev)
{
	struct replay *r = ctx;
	struct rg_probed probed;
	struct rg_check found;

	if (r->stopped || rg_is_until(r->opts, ev)) {
		r->stopped = true;
		return 0;
	}
	rg_seed_event(&r->seed, &r->track, ev);
	if (r->probes) {
		if (rg_probes_event(r->probes, &r->track, ev,
				    present_cpus(r), &probed))
			put_probed(r, ev, &probed);
	} else if (ev->kind < RG_EV_CONG) {
		observe(r, ev);
	}
	rg_track_event(&r->track, ev, &found);
	return 0;
}

static void emit_assumptions(struct replay *r)
{
	const struct rg_mount *m = rg_track_only(&r->track);
	uint64_t lost = r->track.lost + r->tally.dropped + r->track.missing;
	uint32_t present = present_cpus(r);

	emit_str(r->e, "estimator", rg_estimator_name(r->track.est));
	emit_u64(r->e, "present_cpus", present ? present : m ? m->sets.n : 0);
	emit_str(r->e, "cpu_requests_from",
		 r->track.has_requests ? "dlm_lock_start" : "replies");
	emit_u64(r->e, "lost_events", lost);
	if (!r->probes)
		emit_u64(r->e, "young_locks_skipped", r->skipped);
	if (lost)
		cli_warn("events are missing: numbers of CPUs are not exact");
}

static int replay_trace(struct replay *r, const char *path)
{
	int rc;

	rg_track_init(&r->track);
	if (r->opts->probes)
		r->probes = cli_alloc(sizeof(*r->probes));
	emit_object_begin(r->e, NULL);
	emit_str(r->e, "file", path);
	emit_table_begin(r->e, "decisions", r->columns.head, r->columns.n,
			 true);
	rc = rg_read_trace(path, r->opts, &r->tally, replay_event, r);
	emit_table_end(r->e);
	emit_assumptions(r);
	rg_matrix_emit(&r->matrix, r->e, r->opts->versions);
	emit_object_end(r->e);
	if (!rc && !r->track.rgrp_events) {
		cli_error("%s: no events of resource groups in this trace",
			  path);
		rc = GFS_EXIT_FAILED;
	}
	if (!rc && r->probes && !r->probes->counts.tests) {
		cli_error("%s: no recorded congestion tests in this trace",
			  path);
		rc = GFS_EXIT_FAILED;
	}
	rg_track_fini(&r->track);
	free(r->probes);
	return rc ? GFS_EXIT_FAILED : GFS_EXIT_OK;
}

static int replay_one(const struct rg_opts *opts, struct emit *e,
		      const struct rg_columns *columns, const char *path)
{
	enum rg_sort sort;
	struct replay *r;
	int code;

	if (rg_input_sort(path, &sort))
		return GFS_EXIT_FAILED;
	if (sort == RG_SORT_SNAPSHOTS) {
		cli_error("%s: this is no trace", path);
		return GFS_EXIT_FAILED;
	}
	r = cli_alloc(sizeof(*r));
	r->opts = opts;
	r->e = e;
	r->columns = *columns;
	code = GFS_EXIT_FAILED;
	if (!rg_seed_read(opts, &r->seed))
		code = replay_trace(r, path);
	rg_snapshot_fini(&r->seed);
	free(r);
	return code;
}

int rg_replay(const struct rg_opts *opts, struct emit *e, char **paths, int n)
{
	const char *list = opts->probes ? rg_columns_probes :
					  rg_columns_replay;
	struct rg_columns columns;
	int code = GFS_EXIT_OK;
	const char *bad;

	if (rg_columns_choose(&columns, opts->columns ? opts->columns : list,
			      opts->versions, opts->columns, &bad)) {
		cli_error("no such column: '%s' (-o help lists them)", bad);
		return GFS_EXIT_USAGE;
	}
	emit_list_begin(e, NULL);
	for (int i = 0; i < n; i++)
		if (replay_one(opts, e, &columns, paths[i]))
			code = GFS_EXIT_FAILED;
	emit_list_end(e);
	return code;
}
