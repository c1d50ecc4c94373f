// SPDX-License-Identifier: GPL-2.0-or-later
/* Columns of verdict tables: names, meanings, and how each cell is got. */
#include "columns.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

struct column {
	const char *name;
	bool right;
	int version; /* shown only when this version is chosen; -1: always */
	const char *help;
	void (*put)(struct emit *e, const struct rg_row *row);
};

/* A cell that is one number of the row. */
#define NUMBER(fn, value)                                       \
	static void fn(struct emit *e, const struct rg_row *row) \
	{                                                       \
		emit_u64(e, NULL, (uint64_t)(value));           \
	}
#define SIGNED(fn, value)                                       \
	static void fn(struct emit *e, const struct rg_row *row) \
	{                                                       \
		emit_s64(e, NULL, (int64_t)(value));            \
	}
#define VERDICT(fn, version)                                    \
	static void fn(struct emit *e, const struct rg_row *row) \
	{                                                       \
		put_verdict(e, row->verdict[version].congested); \
	}

static void put_verdict(struct emit *e, bool congested)
{
	if (emit_format_of(e) == EMIT_TEXT)
		emit_str(e, NULL, congested ? "T" : ".");
	else
		emit_bool(e, NULL, congested);
}

NUMBER(put_cpu, row->cpu)
NUMBER(put_pid, row->pid)
NUMBER(put_rgrp, row->number)
NUMBER(put_loops, row->test.loops)
NUMBER(put_srttb, row->test.l_srttb)
NUMBER(put_srttvarb, row->test.l_srttvarb)
NUMBER(put_dcnt, row->test.l_dcount)
NUMBER(put_r_srttb, row->test.r_srttb)
NUMBER(put_r_srttvarb, row->test.r_srttvarb)
NUMBER(put_r_dcnt, row->test.r_dcount)
NUMBER(put_a_all, row->verdict[RG_AVG_ALL].a)
NUMBER(put_a_nz, row->verdict[RG_AVG_NZ_U64].a)
SIGNED(put_d_orig, row->verdict[RG_ORIG].d)
SIGNED(put_d_all, row->verdict[RG_AVG_ALL].d)
SIGNED(put_d_nz, row->verdict[RG_AVG_NZ_U64].d)
NUMBER(put_q, row->verdict[RG_AVG_NZ_U64].q)
NUMBER(put_v, row->verdict[RG_AVG_NZ_U64].v)
NUMBER(put_margin, rg_margin_ns(row->verdict[RG_AVG_NZ_U64].v))
VERDICT(put_orig, RG_ORIG)
VERDICT(put_avg_all, RG_AVG_ALL)
VERDICT(put_avg_nz_s64, RG_AVG_NZ_S64)
VERDICT(put_avg_nz_u64, RG_AVG_NZ_U64)
VERDICT(put_dev_ns, RG_DEV_NS)

void rg_put_time(struct emit *e, uint64_t ns)
{
	uint64_t s = ns / 1000000000;
	uint64_t rest = ns % 1000000000;

	if (rest % 1000)
		emit_strf(e, NULL, "%" PRIu64 ".%09" PRIu64, s, rest);
	else
		emit_strf(e, NULL, "%" PRIu64 ".%06" PRIu64, s, rest / 1000);
}

static void put_time(struct emit *e, const struct rg_row *row)
{
	rg_put_time(e, row->time_ns);
}

static void put_task(struct emit *e, const struct rg_row *row)
{
	if (row->task)
		emit_bytes(e, NULL, row->task, row->task_len);
	else
		emit_str(e, NULL, NULL);
}

static void put_state(struct emit *e, const struct rg_row *row)
{
	emit_str(e, NULL, row->state && row->state[0] ? row->state : NULL);
}

static void put_flags(struct emit *e, const struct rg_row *row)
{
	if (row->has_header)
		emit_hex(e, NULL, row->flags);
	else
		emit_str(e, NULL, NULL);
}

static void put_free(struct emit *e, const struct rg_row *row)
{
	if (row->has_header)
		emit_u64(e, NULL, row->free);
	else
		emit_str(e, NULL, NULL);
}

static void put_moment(struct emit *e, const struct rg_row *row)
{
	emit_str(e, NULL, row->moment);
}

static void put_age(struct emit *e, const struct rg_row *row)
{
	if (row->has_age)
		emit_real(e, NULL, (double)row->age_ns / 1e9, 3);
	else
		emit_str(e, NULL, NULL);
}

/* How far beyond the reference, in units of the two deviations. */
static void put_ratio(struct emit *e, const struct rg_row *row)
{
	uint64_t dev = row->test.l_srttvarb + row->test.r_srttvarb;

	if (dev)
		emit_real(e, NULL,
			  (double)row->verdict[RG_AVG_NZ_U64].d / (double)dev,
			  3);
	else
		emit_str(e, NULL, NULL);
}

static void put_differ(struct emit *e, const struct rg_row *row)
{
	if (emit_format_of(e) == EMIT_TEXT)
		emit_str(e, NULL, row->differ ? "*" : "");
	else
		emit_bool(e, NULL, row->differ);
}

static void put_kernel(struct emit *e, const struct rg_row *row)
{
	if (row->kernel < 0)
		emit_str(e, NULL, NULL);
	else
		put_verdict(e, row->kernel > 0);
}

static const struct column table[] = {
	{ "time", true, -1, "seconds of the trace clock", put_time },
	{ "cpu", true, -1, "CPU the test runs on", put_cpu },
	{ "task", false, -1, "name of the task", put_task },
	{ "pid", true, -1, "its id", put_pid },
	{ "rgrp", true, -1, "block address of the rgrp", put_rgrp },
	{ "state", false, -1, "lock state in the snapshot", put_state },
	{ "flags", true, -1, "rgrp flags in memory (80000000 preferred)",
	  put_flags },
	{ "free", true, -1, "free blocks", put_free },
	{ "moment", false, -1, "pre: before locking, post: after", put_moment },
	{ "loops", true, -1, "pass over the rgrps: 0 first, 1 second",
	  put_loops },
	{ "age", true, -1, "seconds since the last request for the lock",
	  put_age },
	{ "srttb", true, -1, "the lock's blocking round trip, ns", put_srttb },
	{ "srttvarb", true, -1, "its deviation, ns", put_srttvarb },
	{ "dcnt", true, -1, "the lock's requests", put_dcnt },
	{ "r_srttb", true, -1, "this CPU's round trip for rgrps, ns",
	  put_r_srttb },
	{ "r_srttvarb", true, -1, "its deviation, ns", put_r_srttvarb },
	{ "r_dcnt", true, -1, "this CPU's requests for rgrps", put_r_dcnt },
	{ "a_all", true, RG_AVG_ALL, "mean over present CPUs, ns", put_a_all },
	{ "a_nz", true, -1, "mean over CPUs that have one, ns", put_a_nz },
	{ "d_orig", true, RG_ORIG, "r_srttb - srttb, ns", put_d_orig },
	{ "d_all", true, RG_AVG_ALL, "a_all - srttb, ns", put_d_all },
	{ "d_nz", true, -1, "a_nz - srttb, ns", put_d_nz },
	{ "q", true, -1, "d_nz squared, low 64 bits", put_q },
	{ "v", true, -1, "what q must exceed", put_v },
	{ "margin", true, -1, "root of v: congested below -margin, ns",
	  put_margin },
	{ "ratio", true, -1, "d_nz in units of both deviations", put_ratio },
	{ "orig", false, RG_ORIG, "verdict, original version", put_orig },
	{ "avg_all", false, RG_AVG_ALL, "verdict, mean over present CPUs",
	  put_avg_all },
	{ "avg_nz_s64", false, RG_AVG_NZ_S64,
	  "verdict, mean over non-zero CPUs, signed", put_avg_nz_s64 },
	{ "avg_nz_u64", false, RG_AVG_NZ_U64,
	  "verdict, the same unsigned (since 4.3)", put_avg_nz_u64 },
	{ "dev_ns", false, RG_DEV_NS,
	  "verdict of no kernel: margin in ns as well", put_dev_ns },
	{ "kernel", false, -1, "verdict recorded by probes", put_kernel },
	{ "differ", false, -1, "chosen versions disagree", put_differ },
};

const char rg_columns_show[] =
	"rgrp,cpu,loops,srttb,dcnt,d_orig,d_all,d_nz,margin,"
	"orig,avg_all,avg_nz_s64,avg_nz_u64,dev_ns,differ";
const char rg_columns_replay[] =
	"time,cpu,task,pid,rgrp,moment,loops,age,srttb,dcnt,d_nz,margin,"
	"orig,avg_all,avg_nz_s64,avg_nz_u64,dev_ns,differ";
const char rg_columns_probes[] =
	"time,cpu,task,pid,rgrp,moment,loops,age,srttb,dcnt,d_nz,margin,"
	"orig,avg_all,avg_nz_s64,avg_nz_u64,dev_ns,kernel,differ";

void rg_row_judge(struct rg_row *row, const bool versions[RG_NVERSIONS])
{
	int first = -1;

	row->differ = false;
	for (int i = 0; i < RG_NVERSIONS; i++) {
		rg_congested((enum rg_version)i, &row->test, &row->verdict[i]);
		if (!versions[i])
			continue;
		if (first < 0)
			first = i;
		row->differ |= row->verdict[i].congested !=
			       row->verdict[first].congested;
	}
}

/* Index of a name of len bytes in the table; its size if none. */
static unsigned int find_column(const char *name, size_t len)
{
	unsigned int i;

	for (i = 0; i < GFS_ARRAY_SIZE(table); i++)
		if (strlen(table[i].name) == len &&
		    !memcmp(table[i].name, name, len))
			break;
	return i;
}

int rg_columns_choose(struct rg_columns *c, const char *list,
		      const bool versions[RG_NVERSIONS], bool users,
		      const char **bad)
{
	c->n = 0;
	while (*list) {
		size_t len = strcspn(list, ",");
		unsigned int i = find_column(list, len);

		if (i == GFS_ARRAY_SIZE(table) || c->n == RG_COLUMNS_MAX) {
			*bad = list;
			return -EINVAL;
		}
		if (users || table[i].version < 0 ||
		    versions[table[i].version]) {
			c->head[c->n].name = table[i].name;
			c->head[c->n].right = table[i].right;
			c->index[c->n++] = i;
		}
		list += len;
		list += *list == ',';
	}
	*bad = "";
	return c->n ? 0 : -EINVAL;
}

void rg_columns_row(const struct rg_columns *c, struct emit *e,
		    const struct rg_row *row)
{
	emit_row_begin(e);
	for (unsigned int i = 0; i < c->n; i++)
		table[c->index[i]].put(e, row);
	emit_row_end(e);
}

void rg_columns_help(struct emit *e)
{
	static const struct emit_column head[] = { { "column", false },
						   { "meaning", false } };

	emit_table_begin(e, NULL, head, 2, false);
	for (size_t i = 0; i < GFS_ARRAY_SIZE(table); i++) {
		emit_row_begin(e);
		emit_str(e, NULL, table[i].name);
		emit_str(e, NULL, table[i].help);
		emit_row_end(e);
	}
	emit_table_end(e);
}
