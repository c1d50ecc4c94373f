/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of verdict tables: one table says what each is. */
#ifndef RG_COLUMNS_H
#define RG_COLUMNS_H

#include "../libgfs/base/emit.h"
#include "congested.h"

/* One test of one rgrp on one CPU, as show and replay print it. */
struct rg_row {
	const char *state;  /* of the glock, NULL: not known */
	bool has_header;    /* flags and free are set */
	uint32_t flags;     /* of the rgrp in memory */
	uint64_t free;      /* blocks */
	uint64_t time_ns;   /* trace clock */
	const char *task;   /* NULL: none */
	size_t task_len;
	uint32_t pid;
	uint32_t cpu;
	uint64_t number;    /* of the rgrp */
	const char *moment; /* "pre" or "post" locking */
	bool has_age;
	uint64_t age_ns;    /* since the last request for the lock */
	int kernel;         /* recorded verdict, -1: none */
	struct rg_test test;
	struct rg_verdict verdict[RG_NVERSIONS];
	bool differ;        /* not all chosen versions agree */
};

/* Set verdict[] and differ from test. */
void rg_row_judge(struct rg_row *row, const bool versions[RG_NVERSIONS]);

#define RG_COLUMNS_MAX 48

/* A choice of columns. */
struct rg_columns {
	struct emit_column head[RG_COLUMNS_MAX];
	unsigned int index[RG_COLUMNS_MAX];
	unsigned int n;
};

/*
 * Columns named in list, separated by commas; those of versions not chosen
 * are left out unless list is the user's. 0, or -EINVAL and *bad, the name
 * that is none (within list).
 */
int rg_columns_choose(struct rg_columns *c, const char *list,
		      const bool versions[RG_NVERSIONS], bool users,
		      const char **bad) GFS_MUST;

/* The default lists. */
extern const char rg_columns_show[];
extern const char rg_columns_replay[];
extern const char rg_columns_probes[];

void rg_columns_row(const struct rg_columns *c, struct emit *e,
		    const struct rg_row *row);

/* A cell "seconds.decimals", six or, if it has them, nine. */
void rg_put_time(struct emit *e, uint64_t ns);

/* A table of all columns and what they are. */
void rg_columns_help(struct emit *e);

#endif
