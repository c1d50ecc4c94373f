// SPDX-License-Identifier: GPL-2.0-or-later
/* Where snapshots are found: single files, directories, tar archives. */
#include "debugfs.h"

#include "../../libgfs/base/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The snapshot being gathered from members of one directory. */
struct gather {
	struct rg_snapshot snap;
	bool open;
	int (*fn)(void *ctx, struct rg_snapshot *s);
	void *ctx;
};

static int flush(struct gather *g)
{
	int rc;

	if (!g->open)
		return 0;
	rg_snapshot_finish(&g->snap);
	rc = g->fn(g->ctx, &g->snap);
	rg_snapshot_fini(&g->snap);
	g->open = false;
	return rc;
}

/* Directory part of a path in buf; "." if none. */
static void directory(const char *path, char *buf, size_t size)
{
	const char *slash = strrchr(path, '/');

	snprintf(buf, size, "%.*s", slash ? (int)(slash - path) : 1,
		 slash ? path : ".");
}

static int take_member(struct gather *g, struct rg_input *in, const char *path,
		       struct gfs_error *err)
{
	enum rg_snap_kind kind;
	char dir[1024];
	const char *data;
	size_t len;
	int rc;

	rc = rg_input_peek(in, &data, &len, err);
	if (rc)
		return rc;
	kind = rg_snapshot_kind(data, len);
	if (kind == RG_SNAP_NONE)
		return 0;
	directory(path, dir, sizeof(dir));
	if (g->open && strcmp(dir, g->snap.name)) {
		rc = flush(g);
		if (rc)
			return rc;
	}
	if (!g->open)
		rg_snapshot_init(&g->snap, dir);
	g->open = true;
	return rg_snapshot_read(&g->snap, kind, in, err);
}

static int take_file(struct gather *g, const char *path, struct gfs_error *err)
{
	struct rg_input *in;
	const char *name;
	char member[1024];
	int rc = rg_input_open(path, &in, err);

	if (rc)
		return rc;
	while ((rc = rg_input_next(in, &name, err)) > 0) {
		snprintf(member, sizeof(member), "%s", name ? name : path);
		rc = take_member(g, in, member, err);
		if (rc)
			break;
	}
	rg_input_close(in);
	return rc;
}

static int take_directory(struct gather *g, const char *path,
			  struct gfs_error *err)
{
	static const char *const names[] = { "sbstats", "glstats", "glocks" };
	char file[4096];
	int rc;

	for (size_t i = 0; i < GFS_ARRAY_SIZE(names); i++) {
		snprintf(file, sizeof(file), "%s/%s", path, names[i]);
		rc = take_file(g, file, err);
		if (rc == -ENOENT)
			continue;
		if (rc)
			return rc;
	}
	return 0;
}

int rg_snapshots_each(const char *path,
		      int (*fn)(void *ctx, struct rg_snapshot *s), void *ctx,
		      struct gfs_error *err)
{
	struct gather g = { .fn = fn, .ctx = ctx };
	struct stat st;
	int rc;

	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		rc = take_directory(&g, path, err);
	else
		rc = take_file(&g, path, err);
	if (!rc)
		rc = flush(&g);
	if (g.open)
		rg_snapshot_fini(&g.snap);
	return rc;
}
