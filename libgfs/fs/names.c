// SPDX-License-Identifier: GPL-2.0-or-later
/* Names and link counts: create, link, unlink, rename. */
#include "names.h"

#include "alloc.h"
#include "tree_write.h"

#include <errno.h>
#include <sys/stat.h>

static const struct gfs_name dotdot = { "..", 2 };

static bool is_dots(const struct gfs_name *n)
{
	return (n->len == 1 || n->len == 2) && !memcmp(n->name, "..", n->len);
}

static int refuse(const struct gfs_place *at, int code)
{
	return gfs_fail(at->dir->fs->err, code, at->dir->blk, "'%.*s'",
			(int)gfs_min(at->name.len, GFS2_FNAMESIZE),
			at->name.name);
}

int gfs_create(struct gfs_writer *w, const struct gfs_place *at,
	       const struct gfs_inode_spec *spec, struct gfs_inode **ip)
{
	struct gfs_dir_target t;
	struct gfs_dir_room room;
	int rc = gfs_dir_prepare(w, at->dir, &at->name, &room);

	*ip = NULL;
	if (!rc)
		rc = gfs_inode_new(w, at->dir, spec, ip);
	if (rc)
		return rc;
	gfs_dir_target_of(*ip, &t);
	rc = gfs_dir_insert(w, at->dir, &at->name, &t, &room);
	if (rc) {
		gfs_inode_put(*ip);
		*ip = NULL;
	}
	return rc;
}

static uint32_t nlink_of(const struct gfs_inode *ip)
{
	return be32_to_cpu(gfs_inode_di(ip)->di_nlink);
}

static int set_nlink(struct gfs_writer *w, struct gfs_inode *ip, uint32_t n)
{
	struct gfs2_dinode *di = gfs_writer_dinode(w, ip);

	if (!di)
		return -ENOMEM;
	di->di_nlink = cpu_to_be32(n);
	gfs_writer_touch(w, di, false);
	gfs_inode_refresh(ip);
	return 0;
}

int gfs_link(struct gfs_writer *w, const struct gfs_place *at,
	     struct gfs_inode *ip)
{
	struct gfs_dir_target t;
	int rc;

	if (gfs_inode_is_dir(ip))
		return refuse(at, EPERM);
	if (nlink_of(ip) == UINT32_MAX)
		return refuse(at, EMLINK);
	gfs_dir_target_of(ip, &t);
	rc = gfs_dir_add(w, at->dir, &at->name, &t);
	if (!rc)
		rc = set_nlink(w, ip, nlink_of(ip) + 1);
	return gfs_writer_result(w, rc);
}

/* Borrow what a name leads to. */
static int get(const struct gfs_place *at, struct gfs_inode **ip)
{
	struct gfs_dir_entry e;
	int rc = gfs_dir_lookup(at->dir, at->name.name, at->name.len, &e);

	*ip = NULL;
	return rc ? rc : gfs_inode_get(at->dir->fs, e.ino.addr, ip);
}

static bool is_filled(const struct gfs_inode *ip)
{
	return gfs_inode_is_dir(ip) && ip->entries > 2;
}

/* An inode has lost a name. */
static int drop_link(struct gfs_writer *w, struct gfs_inode *ip)
{
	uint32_t n = nlink_of(ip);

	if (gfs_inode_is_dir(ip) || n <= 1)
		return gfs_inode_release(w, ip);
	return set_nlink(w, ip, n - 1);
}

int gfs_unlink(struct gfs_writer *w, const struct gfs_place *at)
{
	struct gfs_inode *ip;
	int rc;

	if (is_dots(&at->name))
		return refuse(at, EINVAL);
	rc = get(at, &ip);
	if (!rc && is_filled(ip))
		rc = refuse(at, ENOTEMPTY);
	if (!rc)
		rc = gfs_dir_remove(w, at->dir, &at->name);
	if (!rc)
		rc = drop_link(w, ip);
	gfs_inode_put(ip);
	return gfs_writer_result(w, rc);
}

/* Would a directory come to lie within itself? Climbs from `dir` up. */
static int check_loop(const struct gfs_inode *moved, const struct gfs_place *to)
{
	struct gfs_fs *fs = moved->fs;
	uint64_t blk = to->dir->blk;

	for (uint64_t left = fs->nblocks; left; left--) {
		struct gfs_dir_entry e;
		struct gfs_inode *ip;
		int rc;

		if (blk == moved->blk)
			return refuse(to, EINVAL);
		rc = gfs_inode_get(fs, blk, &ip);
		if (!rc)
			rc = gfs_dir_lookup(ip, "..", 2, &e);
		gfs_inode_put(ip);
		if (rc || e.ino.addr == blk)
			return rc;
		blk = e.ino.addr;
	}
	return gfs_fail(fs->err, GFS_ECYCLE, to->dir->blk, "directories");
}

/* May `ip` take the place of `old`, which may be NULL? */
static int check_rename(const struct gfs_inode *ip, const struct gfs_inode *old,
			const struct gfs_place *to)
{
	bool is_dir = gfs_inode_is_dir(ip);

	if (old && is_dir && !gfs_inode_is_dir(old))
		return refuse(to, ENOTDIR);
	if (old && !is_dir && gfs_inode_is_dir(old))
		return refuse(to, EISDIR);
	if (old && is_filled(old))
		return refuse(to, ENOTEMPTY);
	return is_dir ? check_loop(ip, to) : 0;
}

/* Two handles may be of one directory. */
static void refresh(const struct gfs_place *from, const struct gfs_place *to)
{
	gfs_inode_refresh(from->dir);
	gfs_inode_refresh(to->dir);
}

/* The entry at `to` first, so that -ENOSPC comes before any change. */
static int move(struct gfs_writer *w, const struct gfs_place *from,
		const struct gfs_place *to, struct gfs_inode *ip,
		struct gfs_inode *old)
{
	struct gfs_dir_target t, up;
	int rc;

	gfs_dir_target_of(ip, &t);
	gfs_dir_target_of(to->dir, &up);
	rc = old ? gfs_dir_replace(w, to->dir, &to->name, &t)
		 : gfs_dir_add(w, to->dir, &to->name, &t);
	if (rc)
		return rc;
	refresh(from, to);
	rc = gfs_dir_remove(w, from->dir, &from->name);
	refresh(from, to);
	if (!rc && gfs_inode_is_dir(ip) && from->dir->blk != to->dir->blk)
		rc = gfs_dir_replace(w, ip, &dotdot, &up);
	if (!rc && old)
		rc = drop_link(w, old);
	if (!rc)
		rc = set_nlink(w, ip, nlink_of(ip));
	return rc;
}

int gfs_rename(struct gfs_writer *w, const struct gfs_place *from,
	       const struct gfs_place *to)
{
	struct gfs_inode *ip, *old = NULL;
	int rc;

	if (is_dots(&from->name) || is_dots(&to->name))
		return refuse(to, EINVAL);
	refresh(from, to);
	rc = get(from, &ip);
	if (!rc) {
		rc = get(to, &old);
		rc = rc == -ENOENT ? 0 : rc;
	}
	if (!rc && (!old || old->blk != ip->blk)) {
		rc = check_rename(ip, old, to);
		if (!rc)
			rc = move(w, from, to, ip, old);
	}
	gfs_inode_put(ip);
	gfs_inode_put(old);
	return gfs_writer_result(w, rc);
}
