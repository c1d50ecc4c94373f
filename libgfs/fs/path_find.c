// SPDX-License-Identifier: GPL-2.0-or-later
/* From inodes to their paths: one walk of both directory trees. */
#include "path.h"

#include "../io/blkmap.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A directory that the walk is inside of. */
struct level {
	struct gfs_inode *dir;
	struct gfs_dir_iter *it;
	size_t path_len; /* of its path, the slash behind it included */
};

struct finder {
	struct gfs_fs *fs;
	const uint64_t *blks;
	size_t n;
	int (*fn)(void *ctx, uint64_t blk, const char *path);
	void *ctx;
	struct level *levels;
	size_t depth, cap;
	char *path;
	size_t path_cap;
	struct gfs_blkmap seen; /* directories: no second walk of one */
	int stopped;            /* what fn said */
	int error;              /* first directory that could not be read */
};

static bool is_wanted(const struct finder *f, uint64_t blk)
{
	size_t low = 0, high = f->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (f->blks[mid] == blk)
			return true;
		if (f->blks[mid] < blk)
			low = mid + 1;
		else
			high = mid;
	}
	return false;
}

static void report(struct finder *f, uint64_t blk)
{
	if (is_wanted(f, blk))
		f->stopped = f->fn(f->ctx, blk, f->path);
}

/* Set the path behind its first len bytes. */
static int set_path(struct finder *f, size_t len, const char *name)
{
	size_t need = len + strlen(name) + 2;

	if (need > f->path_cap) {
		char *more = realloc(f->path, 2 * need);

		if (!more)
			return -ENOMEM;
		f->path = more;
		f->path_cap = 2 * need;
	}
	memcpy(f->path + len, name, need - len - 1);
	return 0;
}

static int grow_levels(struct finder *f)
{
	size_t cap = f->cap ? 2 * f->cap : 16;
	struct level *more;

	if (f->depth < f->cap)
		return 0;
	more = realloc(f->levels, cap * sizeof(*more));
	if (!more)
		return -ENOMEM;
	f->levels = more;
	f->cap = cap;
	return 0;
}

/* A damaged directory is passed by: the rest of the tree still counts. */
static int note_error(struct finder *f, int rc)
{
	if (!f->error)
		f->error = rc;
	return rc == -ENOMEM ? rc : 0;
}

/* Go into the directory at blk, whose path is set; path_len includes "/". */
static int enter(struct finder *f, uint64_t blk, size_t path_len)
{
	struct level *l;
	int rc = 0;

	if (gfs_blkmap_get(&f->seen, blk, NULL))
		return 0;
	/* What is not on the volume cannot be entered twice either. */
	if (gfs_fs_has_block(f->fs, blk))
		rc = gfs_blkmap_put(&f->seen, blk, 0);
	if (!rc)
		rc = grow_levels(f);
	if (rc)
		return rc;
	l = &f->levels[f->depth];
	rc = gfs_inode_get(f->fs, blk, &l->dir);
	if (rc)
		return note_error(f, rc);
	rc = gfs_dir_open(&l->it, l->dir);
	if (rc) {
		gfs_inode_put(l->dir);
		return note_error(f, rc);
	}
	l->path_len = path_len;
	f->depth++;
	return 0;
}

static void leave(struct finder *f)
{
	struct level *l = &f->levels[--f->depth];

	gfs_dir_close(l->it);
	gfs_inode_put(l->dir);
}

static int visit(struct finder *f, const struct gfs_dir_entry *e)
{
	size_t len = f->levels[f->depth - 1].path_len;
	int rc;

	if (!strcmp(e->name, ".") || !strcmp(e->name, ".."))
		return 0;
	rc = set_path(f, len, e->name);
	if (rc)
		return rc;
	report(f, e->ino.addr);
	if (f->stopped || e->type != DT_DIR)
		return 0;
	len += strlen(e->name);
	rc = set_path(f, len, "/");
	return rc ? rc : enter(f, e->ino.addr, len + 1);
}

/* The tree below one directory, whose path ends with a slash. */
static int walk(struct finder *f, uint64_t top, const char *path)
{
	struct gfs_dir_entry e;
	int rc = set_path(f, 0, path);

	if (rc)
		return rc;
	report(f, top);
	if (f->stopped)
		return 0;
	rc = enter(f, top, strlen(path));
	while (!rc && f->depth && !f->stopped) {
		rc = gfs_dir_next(f->levels[f->depth - 1].it, &e);
		if (rc == 1)
			rc = visit(f, &e);
		else if (rc < 0)
			rc = note_error(f, rc);
		else
			leave(f);
	}
	return rc;
}

int gfs_path_find(struct gfs_fs *fs, const uint64_t *blks, size_t n,
		  int (*fn)(void *ctx, uint64_t blk, const char *path),
		  void *ctx)
{
	struct finder f = {
		.fs = fs, .blks = blks, .n = n, .fn = fn, .ctx = ctx,
	};
	int rc = walk(&f, fs->sb.root.addr, "/");

	if (!rc && !f.stopped)
		rc = walk(&f, fs->sb.master.addr, "//");
	while (f.depth)
		leave(&f);
	gfs_blkmap_fini(&f.seen);
	free(f.levels);
	free(f.path);
	if (rc)
		return gfs_fail(fs->err, rc, GFS_NO_BLOCK, "walk for paths");
	return f.stopped ? f.stopped : f.error;
}
