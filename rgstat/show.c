// SPDX-License-Identifier: GPL-2.0-or-later
/* rgstat show: what each version says of each rgrp in a snapshot. */
#include "columns.h"
#include "report.h"
#include "rgstat.h"
#include "tracesnap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Tables with more tests than this are not held in memory to align them. */
#define ALIGN_MAX 20000

struct show {
	const struct rg_opts *opts;
	struct emit *e;
	struct rg_columns columns;
	struct rg_snapshot last; /* kept while another may follow */
	uint64_t shown;
	bool failed;
};

/* The per-CPU side of a test on the CPU of column `self`. */
static void fill_cpus(const struct rg_snapshot *s, uint32_t self,
		      const struct rg_opts *opts, struct rg_test *t)
{
	const uint64_t *own = s->sets[self][RG_TYPE_RGRP].s;

	for (uint32_t i = 0; i < s->n_cpus; i++) {
		uint64_t srttb = s->sets[i][RG_TYPE_RGRP].s[RG_SRTTB];

		t->sum += srttb;
		t->nonzero += srttb != 0;
	}
	t->present = opts->present ? opts->present : s->n_cpus;
	t->r_srttb = own[RG_SRTTB];
	t->r_srttvarb = own[RG_SRTTVARB];
	t->r_dcount = own[RG_DCOUNT];
}

static void show_row(struct show *sh, struct rg_matrix *matrix,
		     struct rg_row *row)
{
	rg_row_judge(row, sh->opts->versions);
	rg_matrix_add(matrix, row);
	if (!sh->opts->differ || row->differ)
		rg_columns_row(&sh->columns, sh->e, row);
}

static void show_rgrp(struct show *sh, const struct rg_snapshot *s,
		      const struct rg_snap_rgrp *rg, struct rg_matrix *matrix)
{
	for (uint32_t cpu = 0; cpu < s->n_cpus; cpu++) {
		struct rg_row row = {
			.state = rg->state,
			.has_header = rg->has_header,
			.flags = rg->flags,
			.free = rg->free,
			.cpu = s->cpus[cpu],
			.number = rg->number,
			.kernel = -1,
		};

		row.test.l_srttb = rg->stats.s[RG_SRTTB];
		row.test.l_srttvarb = rg->stats.s[RG_SRTTVARB];
		row.test.l_dcount = rg->stats.s[RG_DCOUNT];
		fill_cpus(s, cpu, sh->opts, &row.test);
		for (unsigned int loops = 0; loops < 2; loops++) {
			row.test.loops = loops;
			if (sh->opts->loops[loops])
				show_row(sh, matrix, &row);
		}
	}
}

static bool is_faulty(const struct rg_lkstats *set)
{
	return set->s[RG_SRTTVAR] > RG_FAULTY_NS ||
	       set->s[RG_SRTTVARB] > RG_FAULTY_NS ||
	       set->s[RG_SIRTVAR] > RG_FAULTY_NS;
}

static bool has_faulty(const struct rg_snapshot *s)
{
	for (uint32_t i = 0; i < s->n_cpus; i++)
		for (unsigned int t = 0; t < RG_NTYPES; t++)
			if (is_faulty(&s->sets[i][t]))
				return true;
	for (size_t i = 0; i < s->n_rgrps; i++)
		if (is_faulty(&s->rgrps[i].stats))
			return true;
	return false;
}

static void show_head(struct show *sh, const struct rg_snapshot *s)
{
	bool faulty = has_faulty(s);

	emit_str(sh->e, "snapshot", s->name);
	emit_u64(sh->e, "cpus", s->n_cpus);
	emit_u64(sh->e, "present_cpus",
		 sh->opts->present ? sh->opts->present : s->n_cpus);
	emit_u64(sh->e, "rgrps", s->n_rgrps);
	emit_bool(sh->e, "faulty_estimator", faulty);
	if (faulty)
		cli_warn("%s: deviations of more than 11 days: this kernel has "
			 "the faulty estimator of 4.3 to 5.2-rc1, its verdicts "
			 "are arbitrary",
			 s->name);
	if (s->bad_lines)
		cli_warn("%s: %" PRIu64 " lines not understood, first is line "
			 "%" PRIu64, s->name, s->bad_lines, s->first_bad);
}

static void show_snapshot(struct show *sh, const struct rg_snapshot *s)
{
	struct rg_matrix matrix = { 0 };
	uint64_t idle = 0;

	if (!s->has_sbstats || !s->has_glstats || !s->n_cpus) {
		cli_error("%s: no %s in this snapshot", s->name,
			  s->has_sbstats ? "glstats" : "sbstats");
		sh->failed = true;
		return;
	}
	sh->shown++;
	emit_object_begin(sh->e, NULL);
	show_head(sh, s);
	emit_table_begin(sh->e, "verdicts", sh->columns.head, sh->columns.n,
			 s->n_rgrps * s->n_cpus > ALIGN_MAX);
	for (size_t i = 0; i < s->n_rgrps; i++) {
		const struct rg_snap_rgrp *rg = &s->rgrps[i];

		if (!rg->has_stats)
			continue;
		if (rg->stats.s[RG_DCOUNT] || sh->opts->all)
			show_rgrp(sh, s, rg, &matrix);
		else
			idle++;
	}
	emit_table_end(sh->e);
	if (idle)
		emit_note(sh->e, "%" PRIu64 " rgrps never asked for by this "
				 "node are left out (-a shows them).", idle);
	emit_u64(sh->e, "idle_rgrps", idle);
	rg_matrix_emit(&matrix, sh->e, sh->opts->versions);
	emit_object_end(sh->e);
}

static int take(void *ctx, struct rg_snapshot *s)
{
	struct show *sh = ctx;

	if (sh->opts->snapshot) {
		if (strstr(s->name, sh->opts->snapshot))
			show_snapshot(sh, s);
		return 0;
	}
	rg_snapshot_fini(&sh->last);
	sh->last = *s;
	*s = (struct rg_snapshot){ 0 };
	return 0;
}

/* Each mount of a trace is shown, whatever its name. */
static int take_mount(void *ctx, struct rg_snapshot *s)
{
	show_snapshot(ctx, s);
	return 0;
}

static void show_path(struct show *sh, const char *path)
{
	struct gfs_error err = { 0 };
	uint64_t before = sh->shown;
	enum rg_sort sort;
	int rc;

	if (rg_input_sort(path, &sort)) {
		sh->failed = true;
		return;
	}
	if (sort == RG_SORT_TRACE) {
		if (rg_trace_snapshots(path, sh->opts, take_mount, sh))
			sh->failed = true;
		return;
	}
	rc = rg_snapshots_each(path, take, sh, &err);

	if (rc < 0) {
		cli_report(path, &err, rc);
		sh->failed = true;
	}
	if (sh->last.name && rc >= 0)
		show_snapshot(sh, &sh->last);
	else if (sh->shown == before && rc >= 0 && !sh->failed)
		cli_error("%s: no snapshot %s%s in it", path,
			  sh->opts->snapshot ? "named " : "with sbstats",
			  sh->opts->snapshot ? sh->opts->snapshot : "");
	rg_snapshot_fini(&sh->last);
}

int rg_show(const struct rg_opts *opts, struct emit *e, char **paths, int n)
{
	struct show sh = { .opts = opts, .e = e };
	const char *bad;

	if (rg_columns_choose(&sh.columns,
			      opts->columns ? opts->columns : rg_columns_show,
			      opts->versions, opts->columns, &bad)) {
		cli_error("no such column: '%s' (-o help lists them)", bad);
		return GFS_EXIT_USAGE;
	}
	emit_list_begin(e, NULL);
	for (int i = 0; i < n; i++)
		show_path(&sh, paths[i]);
	emit_list_end(e);
	return sh.failed || !sh.shown ? GFS_EXIT_FAILED : GFS_EXIT_OK;
}
