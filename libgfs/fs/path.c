// SPDX-License-Identifier: GPL-2.0-or-later
/* From a path to its inode. */
#include "path.h"

#include "file.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LINKS_MAX = 40 };

struct walk {
	struct gfs_fs *fs;
	uint64_t dir;          /* where the rest starts */
	char rest[PATH_MAX];   /* what is left of the path */
	size_t at;             /* first byte of rest not used up */
	unsigned int links;    /* followed so far */
	bool follow;           /* the last component, too */
};

static int fail(const struct walk *w, int code, const char *text)
{
	return gfs_fail(w->fs->err, code, GFS_NO_BLOCK, "%.300s", text);
}

/* Take the next component off the rest; length 0 at the end. */
static const char *take(struct walk *w, size_t *len)
{
	const char *name;

	while (w->rest[w->at] == '/')
		w->at++;
	name = w->rest + w->at;
	*len = strcspn(name, "/");
	w->at += *len;
	return name;
}

/* Is a component still to come, or a slash that demands a directory? */
static bool has_more(const struct walk *w)
{
	return w->rest[w->at] == '/';
}

/* Put a symlink's target in front of the rest. */
static int splice(struct walk *w, struct gfs_inode *link)
{
	char *target;
	size_t len, rest = strlen(w->rest + w->at);
	int rc;

	if (++w->links > LINKS_MAX)
		return fail(w, ELOOP, w->rest);
	rc = gfs_file_readlink(link, &target, &len);
	if (rc)
		return rc;
	len = strlen(target);
	if (len + rest >= sizeof(w->rest)) {
		rc = fail(w, ENAMETOOLONG, target);
	} else {
		memmove(w->rest + len, w->rest + w->at, rest + 1);
		memcpy(w->rest, target, len);
		w->at = 0;
		if (target[0] == '/')
			w->dir = w->fs->sb.root.addr;
	}
	free(target);
	return rc;
}

/* One component: w->dir moves on, or a symlink's target is put in. */
static int step(struct walk *w, const char *name, size_t len)
{
	struct gfs_inode *ip;
	struct gfs_dir_entry e;
	int rc;

	if (len > GFS2_FNAMESIZE)
		return fail(w, ENAMETOOLONG, name);
	rc = gfs_inode_get(w->fs, w->dir, &ip);
	if (rc)
		return rc;
	rc = gfs_dir_lookup(ip, name, len, &e);
	gfs_inode_put(ip);
	if (rc)
		return rc;
	if (!has_more(w) && !w->follow) {
		w->dir = e.ino.addr;
		return 0;
	}
	rc = gfs_inode_get(w->fs, e.ino.addr, &ip);
	if (rc)
		return rc;
	if (S_ISLNK(ip->mode))
		rc = splice(w, ip);
	else if (has_more(w) && !gfs_inode_is_dir(ip))
		rc = fail(w, ENOTDIR, w->rest);
	else
		w->dir = e.ino.addr;
	gfs_inode_put(ip);
	return rc;
}

/* Where a path starts, and how many bytes of it say so. */
static size_t skip_start(struct walk *w, const char *path)
{
	static const char master[] = "/.master";
	size_t n = sizeof(master) - 1;

	w->dir = w->fs->sb.master.addr;
	if (!strncmp(path, master, n) && (!path[n] || path[n] == '/'))
		return n;
	if (!strncmp(path, "//", 2))
		return 2;
	w->dir = w->fs->sb.root.addr;
	return 0;
}

int gfs_path_lookup(struct gfs_fs *fs, const char *path, bool follow,
		    uint64_t *blk)
{
	struct walk w = { .fs = fs, .follow = follow };
	size_t len;

	*blk = 0;
	if (!path[0])
		return fail(&w, ENOENT, "empty path");
	if (strlen(path) >= sizeof(w.rest))
		return fail(&w, ENAMETOOLONG, path);
	path += skip_start(&w, path);
	memcpy(w.rest, path, strlen(path) + 1);
	for (;;) {
		const char *name = take(&w, &len);
		int rc;

		if (!len)
			break;
		rc = step(&w, name, len);
		if (rc)
			return rc;
	}
	*blk = w.dir;
	return 0;
}
