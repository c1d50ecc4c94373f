// SPDX-License-Identifier: GPL-2.0-or-later
/* Inputs of the commands: recognised, read with progress, their flaws told. */
#include "rgstat.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#define STEP_EVENTS 65536

/* What rg_trace_read() calls back to, in between. */
struct pump {
	struct rg_input *in;
	struct cli_progress progress;
	uint64_t events;
	int (*fn)(void *ctx, const struct rg_event *ev);
	void *ctx;
};

static int pump_event(void *ctx, const struct rg_event *ev)
{
	struct pump *p = ctx;

	if (!(++p->events % STEP_EVENTS))
		cli_progress_step(&p->progress, rg_input_taken(p->in));
	return p->fn(p->ctx, ev);
}

static int sort_member(struct rg_input *in, const char *name,
		       enum rg_sort *sort, struct gfs_error *err)
{
	const char *data;
	size_t len;
	int rc = rg_input_peek(in, &data, &len, err);

	if (rc)
		return rc;
	if (name || rg_snapshot_kind(data, len) != RG_SNAP_NONE)
		*sort = RG_SORT_SNAPSHOTS;
	else if (rg_trace_is(data, len))
		*sort = RG_SORT_TRACE;
	return 0;
}

int rg_input_sort(const char *path, enum rg_sort *sort)
{
	struct gfs_error err = { 0 };
	struct rg_input *in = NULL;
	const char *name;
	struct stat st;
	int rc;

	*sort = RG_SORT_UNKNOWN;
	if (!strcmp(path, "-")) { /* cannot be read twice */
		*sort = RG_SORT_TRACE;
		return 0;
	}
	if (!stat(path, &st) && S_ISDIR(st.st_mode)) {
		*sort = RG_SORT_SNAPSHOTS;
		return 0;
	}
	rc = rg_input_open(path, &in, &err);
	if (!rc)
		rc = rg_input_next(in, &name, &err);
	if (rc > 0)
		rc = sort_member(in, name, sort, &err);
	rg_input_close(in);
	if (rc)
		cli_report(path, &err, rc);
	return rc;
}

static void tell(const char *path, const struct rg_count *c, const char *what)
{
	if (c->n)
		cli_warn("%s: %" PRIu64 " %s, first in line %" PRIu64, path,
			 c->n, what, c->first);
}

static void tell_tally(const char *path, const struct rg_tally *t)
{
	tell(path, &t->unknown, "lines are no trace lines");
	tell(path, &t->damaged, "events with missing or damaged fields");
	tell(path, &t->range, "events with numbers out of range");
	tell(path, &t->too_long, "lines too long");
	tell(path, &t->late, "steps back in time of more than a second");
}

int rg_read_trace(const char *path, const struct rg_opts *opts,
		  struct rg_tally *tally,
		  int (*fn)(void *ctx, const struct rg_event *ev), void *ctx)
{
	struct pump p = { .fn = fn, .ctx = ctx };
	struct gfs_error err = { 0 };
	const char *name;
	struct stat st;
	int rc;

	*tally = (struct rg_tally){ 0 };
	rc = rg_input_open(path, &p.in, &err);
	if (rc) {
		cli_report(path, &err, rc);
		return rc;
	}
	if (stat(path, &st) || !S_ISREG(st.st_mode))
		st.st_size = 0;
	cli_progress_begin(&p.progress, path, (uint64_t)st.st_size,
			   opts->quiet);
	rc = rg_input_next(p.in, &name, &err);
	if (rc > 0)
		rc = rg_trace_read(p.in, tally, pump_event, &p, &err);
	cli_progress_end(&p.progress);
	if (rc < 0)
		cli_report(path, &err, rc);
	tell_tally(path, tally);
	rg_input_close(p.in);
	return rc;
}

bool rg_is_until(const struct rg_opts *opts, const struct rg_event *ev)
{
	return opts->until && ev->kind == RG_EV_MARK &&
	       memmem(ev->text, ev->text_len, opts->until,
		      strlen(opts->until));
}
