/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the commands of rgstat share: options, inputs and the summary. */
#ifndef RG_RGSTAT_H
#define RG_RGSTAT_H

#include "../libgfs/base/cli.h"
#include "../libgfs/base/emit.h"
#include "congested.h"
#include "reader/debugfs.h"
#include "reader/trace.h"

struct rg_opts {
	enum emit_format format;
	bool versions[RG_NVERSIONS]; /* shown and compared */
	bool loops[2];
	uint32_t present;     /* CPUs for avg-all; 0: those in the input */
	bool all;             /* show: rgrps without requests; replay: young */
	bool differ;          /* only rows on which versions disagree */
	bool probes;          /* use recorded verdicts */
	bool quiet;           /* no progress */
	uint64_t limit;       /* rows of mismatches, 0: all */
	const char *until;    /* stop at the trace mark that has this text */
	const char *start;    /* snapshot of the state the trace begins in */
	const char *snapshot; /* text in the names of those shown; NULL: last */
	const char *columns;  /* -o, NULL: the command's own */
};

/* What an input is, by its content. */
enum rg_sort { RG_SORT_TRACE, RG_SORT_SNAPSHOTS, RG_SORT_UNKNOWN };

/* Look into a path. 0, or negative after a message. */
int rg_input_sort(const char *path, enum rg_sort *sort) GFS_MUST;

/*
 * Read a trace: fn gets each event. Says on stderr, once each, what was not
 * understood and where it began. 0, what fn returned, or negative after a
 * message; tally is set in any case.
 */
int rg_read_trace(const char *path, const struct rg_opts *opts,
		  struct rg_tally *tally,
		  int (*fn)(void *ctx, const struct rg_event *ev),
		  void *ctx) GFS_MUST;

/* Does the event carry the mark that opts->until names? */
bool rg_is_until(const struct rg_opts *opts, const struct rg_event *ev);

/* The commands: paths[n] are inputs; return an exit code. */
int rg_show(const struct rg_opts *opts, struct emit *e, char **paths, int n);
int rg_check(const struct rg_opts *opts, struct emit *e, char **paths, int n);
int rg_replay(const struct rg_opts *opts, struct emit *e, char **paths, int n);

#endif
