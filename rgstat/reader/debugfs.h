/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Snapshots of debugfs: sbstats, glstats and glocks of one mount. */
#ifndef RG_DEBUGFS_H
#define RG_DEBUGFS_H

#include "../lkstats.h"
#include "input.h"

/* One rgrp glock of a snapshot. */
struct rg_snap_rgrp {
	uint64_t number;
	struct rg_lkstats stats;
	char state[4];     /* UN SH DF EX, "" when glocks has no line */
	bool has_stats;
	bool has_header;   /* glocks printed the rgrp itself */
	uint32_t flags;
	uint64_t free;     /* blocks */
};

struct rg_snapshot {
	char *name;            /* directory it was in */
	bool has_sbstats;
	bool has_glstats;
	bool has_glocks;
	uint32_t n_cpus;
	uint32_t *cpus;        /* their numbers */
	/* n_cpus rows of RG_NTYPES sets */
	struct rg_lkstats (*sets)[RG_NTYPES];
	struct rg_snap_rgrp *rgrps; /* ascending numbers */
	size_t n_rgrps;
	size_t room;
	uint64_t bad_lines;
	uint64_t first_bad;
};

enum rg_snap_kind { RG_SNAP_NONE, RG_SNAP_SBSTATS, RG_SNAP_GLSTATS,
		    RG_SNAP_GLOCKS };

/* What a file is, from its first bytes. */
enum rg_snap_kind rg_snapshot_kind(const char *data, size_t len);

void rg_snapshot_init(struct rg_snapshot *s, const char *name);
void rg_snapshot_fini(struct rg_snapshot *s);

/* Read the member as a file of this kind into s. 0 or negative, err set. */
int rg_snapshot_read(struct rg_snapshot *s, enum rg_snap_kind kind,
		     struct rg_input *in, struct gfs_error *err) GFS_MUST;
/* A new record of an rgrp; it may have others until they are joined. */
struct rg_snap_rgrp *rg_snapshot_add(struct rg_snapshot *s, uint64_t number);
/* Sort the rgrps and join their records, once all files are read. */
void rg_snapshot_finish(struct rg_snapshot *s);

/*
 * Read every snapshot of a path: a file (sbstats, glstats or glocks), a
 * directory with these, or a tar archive of such directories. fn gets each
 * complete one and may keep what is in it by clearing it; non-zero stops.
 * Returns what fn did, 0, or negative with err set.
 */
int rg_snapshots_each(const char *path,
		      int (*fn)(void *ctx, struct rg_snapshot *s), void *ctx,
		      struct gfs_error *err) GFS_MUST;

#endif
