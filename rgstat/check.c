// SPDX-License-Identifier: GPL-2.0-or-later
/* rgstat check: recompute what a trace prints, explain what differs. */
#include "columns.h"
#include "probes.h"
#include "rgstat.h"
#include "seed.h"
#include "snapcmp.h"

#include <inttypes.h>
#include <stdlib.h>

/* One trace with the snapshots that were given after it. */
struct check {
	const struct rg_opts *opts;
	struct emit *e;
	struct rg_track track;
	struct rg_probes *probes; /* NULL when not asked for */
	struct rg_snapcmp snaps;
	struct rg_snapshot seed;
	struct rg_tally tally;
	uint64_t rows;
	bool table_open;
	bool stopped; /* --until was reached */
};

static const struct emit_column mismatch_head[] = {
	{ "time", true }, { "cpu", true },   { "type", false },
	{ "number", true }, { "found", false }, { "detail", false },
};

static const char *const found_names[RG_NFOUND] = {
	[RG_FOUND_NONE] = "",	     [RG_FOUND_FIRST] = "first",
	[RG_FOUND_EXACT] = "exact",  [RG_FOUND_FAULTY] = "faulty",
	[RG_FOUND_LOST] = "lost",    [RG_FOUND_RECREATED] = "recreated",
	[RG_FOUND_WRONG] = "wrong",
};

static void open_table(struct check *c)
{
	if (c->table_open)
		return;
	emit_table_begin(c->e, "mismatches", mismatch_head,
			 GFS_ARRAY_SIZE(mismatch_head), true);
	c->table_open = true;
}

/* The numbers that should have come, for the pair that moved. */
static void put_wrong(struct check *c, const struct rg_event *ev,
		      const struct rg_check *f)
{
	const uint64_t *now = ev->stats.s;
	enum rg_stat at = now[RG_SRTTB] != f->before.s[RG_SRTTB] ||
					  now[RG_SRTTVARB] !=
						  f->before.s[RG_SRTTVARB] ?
				  RG_SRTTB :
				  RG_SRTT;
	uint64_t want[2] = { f->before.s[at], f->before.s[at + 1] };

	if (f->wrong & RG_WRONG_RTT) {
		rg_estimate(c->track.est, want, ev->tdiff);
		emit_strf(c->e, NULL,
			  "%s %" PRIu64 "/%" PRIu64 ", recomputed %" PRIu64
			  "/%" PRIu64, rg_stat_name(at), now[at], now[at + 1],
			  want[0], want[1]);
	} else if (f->wrong & RG_WRONG_IRT) {
		emit_strf(c->e, NULL,
			  "sirt %" PRIu64 "/%" PRIu64 " after %" PRIu64
			  "/%" PRIu64 ": no sample does that", now[RG_SIRT],
			  now[RG_SIRTVAR], f->before.s[RG_SIRT],
			  f->before.s[RG_SIRTVAR]);
	} else {
		emit_strf(c->e, NULL,
			  "qcnt %" PRIu64 ", %" PRIu64
			  " queue events in the trace",
			  now[RG_QCOUNT], f->queued);
	}
}

static void put_detail(struct check *c, const struct rg_event *ev,
		       const struct rg_check *f)
{
	uint64_t before = f->before.s[RG_DCOUNT];
	uint64_t now = ev->stats.s[RG_DCOUNT];

	if (f->found == RG_FOUND_LOST && f->missing)
		emit_strf(c->e, NULL,
			  "dcnt %" PRIu64 " after %" PRIu64 ": %" PRIu64
			  " replies not in the trace", now, before, f->missing);
	else if (f->found == RG_FOUND_RECREATED)
		emit_strf(c->e, NULL,
			  "dcnt %" PRIu64 " after %" PRIu64
			  ": a new glock of the same name", now, before);
	else
		put_wrong(c, ev, f);
}

static void put_mismatch(struct check *c, const struct rg_event *ev,
			 const struct rg_check *f)
{
	if (f->found < RG_FOUND_LOST)
		return;
	if (c->opts->limit && c->rows++ >= c->opts->limit)
		return;
	open_table(c);
	emit_row_begin(c->e);
	rg_put_time(c->e, ev->ns);
	emit_u64(c->e, NULL, ev->cpu);
	emit_str(c->e, NULL, rg_type_name(ev->type));
	emit_u64(c->e, NULL, ev->number);
	emit_str(c->e, NULL, found_names[f->found]);
	put_detail(c, ev, f);
	emit_row_end(c->e);
}

static int check_event(void *ctx, const struct rg_event *ev)
{
	struct check *c = ctx;
	struct rg_probed probed;
	struct rg_check found;

	if (c->stopped || rg_is_until(c->opts, ev)) {
		c->stopped = true;
		return 0;
	}
	if (c->probes)
		rg_probes_event(c->probes, &c->track, ev, c->opts->present,
				&probed);
	rg_seed_event(&c->seed, &c->track, ev);
	rg_track_event(&c->track, ev, &found);
	put_mismatch(c, ev, &found);
	rg_snapcmp_event(&c->snaps, &c->track, ev);
	return 0;
}

static void emit_lines(struct check *c)
{
	const struct rg_tally *t = &c->tally;

	emit_u64(c->e, "lines", t->lines);
	emit_u64(c->e, "events", t->events);
	emit_u64(c->e, "gfs2_events", c->track.gfs2_events);
	emit_u64(c->e, "rgrp_events", c->track.rgrp_events);
	emit_u64(c->e, "unknown_lines", t->unknown.n);
	emit_u64(c->e, "damaged_events", t->damaged.n + t->range.n);
	emit_u64(c->e, "lost_lines", t->lost.n);
	emit_u64(c->e, "lost_events", c->track.lost);
	emit_u64(c->e, "overwritten_events", t->dropped);
	if (c->opts->until)
		emit_bool(c->e, "until_reached", c->stopped);
}

static const char *estimator_text(const struct rg_track *t)
{
	if (t->counts[RG_FOUND_FAULTY])
		return "faulty";
	return t->counts[RG_FOUND_EXACT] ? "fixed" : "unknown";
}

static void emit_replies(struct check *c)
{
	const uint64_t *n = c->track.counts;
	uint64_t checked = n[RG_FOUND_EXACT] + n[RG_FOUND_FAULTY] +
			   n[RG_FOUND_WRONG];
	uint64_t guessed = 0;

	for (unsigned int i = 0; i < c->track.n_mounts; i++)
		guessed += c->track.mounts[i].sets.guessed;
	emit_str(c->e, "estimator", estimator_text(&c->track));
	emit_object_begin(c->e, "lock_time");
	emit_u64(c->e, "first_of_glock", n[RG_FOUND_FIRST]);
	emit_u64(c->e, "recomputed", checked);
	emit_u64(c->e, "exact", n[RG_FOUND_EXACT] + n[RG_FOUND_FAULTY]);
	emit_u64(c->e, "only_with_faulty", n[RG_FOUND_FAULTY]);
	emit_u64(c->e, "after_lost_replies", n[RG_FOUND_LOST]);
	emit_u64(c->e, "replies_missing", c->track.missing);
	emit_u64(c->e, "recreated", n[RG_FOUND_RECREATED]);
	emit_u64(c->e, "unexplained", n[RG_FOUND_WRONG]);
	emit_u64(c->e, "pair_guessed", guessed);
	emit_object_end(c->e);
}

static void emit_probes(struct check *c)
{
	const struct rg_probe_counts *n = &c->probes->counts;

	emit_object_begin(c->e, "probes");
	emit_u64(c->e, "tests", n->tests);
	emit_u64(c->e, "pre_false", n->pre[0]);
	emit_u64(c->e, "pre_true", n->pre[1]);
	emit_u64(c->e, "post_false", n->post[0]);
	emit_u64(c->e, "post_true", n->post[1]);
	emit_u64(c->e, "incomplete", n->broken);
	emit_object_begin(c->e, "differing");
	emit_u64(c->e, "glock", n->glock);
	emit_u64(c->e, "early_false", n->early);
	emit_u64(c->e, "average", n->average);
	emit_u64(c->e, "cpu_deviation", n->deviation);
	emit_u64(c->e, "cpu_requests", n->dcount);
	emit_u64(c->e, "q", n->q);
	emit_u64(c->e, "v", n->v);
	emit_u64(c->e, "sign", n->sign);
	emit_u64(c->e, "verdict", n->verdict);
	emit_object_end(c->e);
	if (n->dcount)
		emit_note(c->e, "cpu_requests differ where a task moved to "
				"another CPU between the kernel's count and "
				"the traced request.");
	emit_object_end(c->e);
}

static void emit_snapshots(struct check *c)
{
	static const struct emit_column head[] = {
		{ "snapshot", false }, { "time", true },
		{ "rgrp_sets", false }, { "rgrp_queues", false },
		{ "rgrp_requests", false }, { "all_types", false },
	};

	emit_table_begin(c->e, "snapshots", head, GFS_ARRAY_SIZE(head), false);
	for (size_t i = 0; i < c->snaps.n; i++) {
		const struct rg_snapwait *w = &c->snaps.wait[i];

		emit_row_begin(c->e);
		emit_str(c->e, NULL, w->snap.name);
		if (w->queues_exact)
			rg_put_time(c->e, w->ns);
		else
			emit_str(c->e, NULL, NULL);
		emit_bool(c->e, NULL, w->sets_exact);
		emit_bool(c->e, NULL, w->queues_exact);
		if (c->track.has_requests)
			emit_bool(c->e, NULL, w->requests_exact);
		else
			emit_str(c->e, NULL, NULL);
		emit_bool(c->e, NULL, w->types_exact);
		emit_row_end(c->e);
	}
	emit_table_end(c->e);
}

static void emit_result(struct check *c, const char *path)
{
	if (c->snaps.n && c->track.n_mounts > 1)
		cli_warn("%s: several filesystems: snapshots are not compared",
			 path);
	if (emit_format_of(c->e) != EMIT_TEXT)
		open_table(c);
	if (c->table_open)
		emit_table_end(c->e);
	if (c->rows > c->opts->limit && c->opts->limit)
		emit_note(c->e, "%" PRIu64 " more are not shown (--limit).",
			  c->rows - c->opts->limit);
	emit_str(c->e, "file", path);
	emit_lines(c);
	emit_replies(c);
	if (c->probes)
		emit_probes(c);
	if (c->snaps.n && emit_format_of(c->e) != EMIT_CSV)
		emit_snapshots(c);
}

/* In a whole trace each snapshot of its time has its moment. */
static bool snapshots_found(const struct check *c, const char *path)
{
	size_t missing = rg_snapcmp_missing(&c->snaps);

	if (!missing || c->track.n_mounts > 1)
		return true;
	if (c->track.lost || c->track.missing || c->tally.dropped)
		return true;
	cli_error("%s: %zu snapshots are at no moment what the trace says: "
		  "of another node, or read while numbers moved", path,
		  missing);
	return false;
}

/* Is everything recomputed or explained? */
static bool is_good(const struct check *c, const char *path)
{
	if (!c->track.rgrp_events) {
		cli_error("%s: no events of resource groups in this trace",
			  path);
		return false;
	}
	if (c->opts->until && !c->stopped) {
		cli_error("%s: no mark '%s' in this trace", path,
			  c->opts->until);
		return false;
	}
	if (c->probes && !c->probes->counts.tests) {
		cli_error("%s: no recorded congestion tests in this trace",
			  path);
		return false;
	}
	if (c->probes && rg_probes_mismatches(&c->probes->counts))
		return false;
	return snapshots_found(c, path) && !c->track.counts[RG_FOUND_WRONG];
}

static int check_trace(struct check *c, const char *path)
{
	int code = GFS_EXIT_FAILED;
	int rc = rg_seed_read(c->opts, &c->seed);

	if (rc)
		return GFS_EXIT_FAILED;
	rg_track_init(&c->track);
	if (c->opts->probes)
		c->probes = cli_alloc(sizeof(*c->probes));
	rg_snapcmp_sort(&c->snaps);
	emit_object_begin(c->e, NULL);
	rc = rg_read_trace(path, c->opts, &c->tally, check_event, c);
	emit_result(c, path);
	emit_object_end(c->e);
	if (is_good(c, path) && !rc)
		code = GFS_EXIT_OK;
	rg_track_fini(&c->track);
	rg_snapshot_fini(&c->seed);
	free(c->probes);
	return code;
}

/* Snapshots that follow the trace; *i ends at the last of them. */
static int take_snapshots(struct check *c, char **paths, int n, int *i)
{
	enum rg_sort sort;
	int rc;

	while (*i + 1 < n) {
		struct gfs_error err = { 0 };
		const char *path = paths[*i + 1];

		rc = rg_input_sort(path, &sort);
		if (rc)
			return rc;
		if (sort != RG_SORT_SNAPSHOTS)
			return 0;
		rc = rg_snapcmp_add(&c->snaps, path, &err);
		if (rc) {
			cli_report(path, &err, rc);
			return rc;
		}
		(*i)++;
	}
	return 0;
}

int rg_check(const struct rg_opts *opts, struct emit *e, char **paths, int n)
{
	int code = GFS_EXIT_OK;
	enum rg_sort sort;

	emit_list_begin(e, NULL);
	for (int i = 0; i < n; i++) {
		struct check c = { .opts = opts, .e = e };
		const char *path = paths[i];

		if (rg_input_sort(path, &sort)) {
			code = GFS_EXIT_FAILED;
			continue;
		}
		if (sort == RG_SORT_SNAPSHOTS) {
			cli_error("%s: snapshots belong behind their trace",
				  path);
			return GFS_EXIT_USAGE;
		}
		if (take_snapshots(&c, paths, n, &i) || check_trace(&c, path))
			code = GFS_EXIT_FAILED;
		rg_snapcmp_fini(&c.snaps);
	}
	emit_list_end(e);
	return code;
}
