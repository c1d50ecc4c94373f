// SPDX-License-Identifier: GPL-2.0-or-later
/* Inodes: making and removing them. */
#include "inode_new.h"

#include "alloc.h"
#include "dir_write.h"
#include "tree_write.h"
#include "xattr_write.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>

#define PERMISSIONS 07777U

static int check_spec(const struct gfs_inode *parent,
		      const struct gfs_inode_spec *spec)
{
	struct gfs_error *err = parent->fs->err;

	switch (spec->mode & S_IFMT) {
	case S_IFREG:
	case S_IFDIR:
	case S_IFIFO:
	case S_IFSOCK:
	case S_IFCHR:
	case S_IFBLK: return 0;
	case S_IFLNK: break;
	default:
		return gfs_fail(err, EINVAL, GFS_NO_BLOCK,
				"unknown type of file: mode 0%o", spec->mode);
	}
	if (!spec->target || !spec->target_len)
		return gfs_fail(err, EINVAL, GFS_NO_BLOCK,
				"symbolic link without a target");
	if (spec->target_len >= parent->fs->geom.stuffed_max)
		return gfs_fail(err, ENAMETOOLONG, GFS_NO_BLOCK,
				"symbolic link of %zu bytes", spec->target_len);
	return 0;
}

static uint32_t flags_for(const struct gfs_inode *parent,
			  const struct gfs_inode_spec *spec)
{
	uint32_t flags = spec->flags | (parent->flags & GFS2_DIF_SYSTEM);
	uint32_t inherit = parent->flags & GFS2_DIF_INHERIT_JDATA;

	if (S_ISDIR(spec->mode))
		return flags | GFS2_DIF_JDATA | inherit;
	if (S_ISREG(spec->mode) && inherit)
		flags |= GFS2_DIF_JDATA;
	return flags;
}

static void put_times(struct gfs2_dinode *di, const struct timespec *t)
{
	di->di_atime = cpu_to_be64((uint64_t)t[0].tv_sec);
	di->di_mtime = cpu_to_be64((uint64_t)t[1].tv_sec);
	di->di_ctime = cpu_to_be64((uint64_t)t[2].tv_sec);
	di->di_atime_nsec = cpu_to_be32((uint32_t)t[0].tv_nsec);
	di->di_mtime_nsec = cpu_to_be32((uint32_t)t[1].tv_nsec);
	di->di_ctime_nsec = cpu_to_be32((uint32_t)t[2].tv_nsec);
}

static void fill_content(const struct gfs_geom *g, struct gfs2_dinode *di,
			 const struct gfs_inode *parent,
			 const struct gfs_inode_spec *spec)
{
	const struct gfs_ino dotdot = {
		be64_to_cpu(gfs_inode_di(parent)->di_num.no_formal_ino),
		parent->blk,
	};

	if (S_ISDIR(spec->mode)) {
		gfs_dir_init(g, di, &dotdot);
	} else if (S_ISLNK(spec->mode)) {
		memcpy(di + 1, spec->target, spec->target_len);
		di->di_size = cpu_to_be64(spec->target_len);
	} else if (S_ISCHR(spec->mode) || S_ISBLK(spec->mode)) {
		di->di_major = cpu_to_be32(spec->major);
		di->di_minor = cpu_to_be32(spec->minor);
	}
}

static void fill_dinode(const struct gfs_writer *w, struct gfs2_dinode *di,
			const struct gfs_blocks *got, uint64_t generation)
{
	const struct timespec now = w->opts.now;

	di->di_num.no_formal_ino = cpu_to_be64(generation);
	di->di_num.no_addr = cpu_to_be64(got->blk);
	di->di_generation = cpu_to_be64(generation);
	di->di_goal_meta = di->di_goal_data = di->di_num.no_addr;
	di->di_blocks = cpu_to_be64(got->n);
	put_times(di, (const struct timespec[]){ now, now, now });
}

static int fill(struct gfs_writer *w, const struct gfs_inode *parent,
		const struct gfs_inode_spec *spec, const struct gfs_blocks *got,
		uint64_t generation)
{
	const struct gfs_geom *g = &w->fs->geom;
	struct gfs2_dinode *di;
	void *block, *ea;
	int rc = gfs_writer_fresh(w, got->blk, GFS2_METATYPE_DI, &block);

	if (rc)
		return rc;
	di = block;
	fill_dinode(w, di, got, generation);
	di->di_mode = cpu_to_be32(spec->mode);
	di->di_uid = cpu_to_be32(spec->uid);
	di->di_gid = cpu_to_be32(spec->gid);
	di->di_nlink = cpu_to_be32(S_ISDIR(spec->mode) ? 2 : 1);
	di->di_flags = cpu_to_be32(flags_for(parent, spec));
	if (spec->times)
		put_times(di, spec->times);
	fill_content(g, di, parent, spec);
	if (got->n == 1)
		return 0;
	rc = gfs_writer_fresh(w, got->blk + 1, GFS2_METATYPE_EA, &ea);
	if (rc)
		return rc;
	gfs_xattr_init(g, ea);
	di->di_eattr = cpu_to_be64(got->blk + 1);
	return 0;
}

int gfs_inode_new(struct gfs_writer *w, const struct gfs_inode *parent,
		  const struct gfs_inode_spec *spec, struct gfs_inode **ip)
{
	const struct gfs_blocks want = { gfs_tree_goal(parent),
					 spec->ea_block ? 2 : 1 };
	struct gfs_blocks got;
	uint64_t generation;
	int rc = check_spec(parent, spec);

	*ip = NULL;
	if (!rc)
		rc = gfs_alloc_check(w, want.blk, want.n);
	if (!rc)
		rc = gfs_alloc_dinode(w, &want, &got, &generation);
	if (rc)
		return gfs_writer_result(w, rc);
	rc = fill(w, parent, spec, &got, generation);
	if (!rc)
		rc = gfs_inode_get(w->fs, got.blk, ip);
	if (rc)
		w->spoiled = true;
	return rc;
}

/* From the dinode's last link to nothing but the dinode. */
static int empty(struct gfs_writer *w, struct gfs_inode *ip)
{
	struct gfs2_dinode *di = gfs_writer_dinode(w, ip);
	int rc = di ? 0 : -ENOMEM;

	if (rc)
		return rc;
	di->di_nlink = cpu_to_be32(0);
	di->di_entries = cpu_to_be32(0);
	gfs_writer_touch(w, di, false);
	gfs_inode_refresh(ip);
	rc = gfs_xattr_release(w, ip);
	if (!rc)
		rc = gfs_dir_release(w, ip);
	if (!rc)
		rc = gfs_tree_trim(w, ip, 0);
	if (!rc && ip->blocks != 1)
		rc = gfs_fail(w->fs->err, GFS_ECORRUPT, ip->blk,
			      "inode counts %" PRIu64 " blocks that it does "
			      "not have",
			      ip->blocks - 1);
	if (rc || !S_ISREG(ip->mode))
		return rc;
	di->di_size = cpu_to_be64(0);
	memset(di + 1, 0, w->fs->geom.stuffed_max);
	gfs_inode_refresh(ip);
	return 0;
}

int gfs_inode_release(struct gfs_writer *w, struct gfs_inode *ip)
{
	int rc = gfs_rgrp_state(w->fs, ip->blk);

	if (rc == GFS2_BLKST_DINODE)
		rc = gfs_alloc_set_state(w, ip->blk, 1, GFS2_BLKST_UNLINKED);
	if (rc >= 0)
		rc = empty(w, ip);
	if (!rc)
		rc = gfs_alloc_set_state(w, ip->blk, 1, GFS2_BLKST_FREE);
	if (rc)
		w->spoiled = true;
	return rc;
}

void gfs_inode_attr_of(const struct gfs_inode *ip, struct gfs_inode_attr *a)
{
	struct stat st;

	gfs_inode_stat(ip, &st);
	a->mode = ip->mode & PERMISSIONS;
	a->uid = st.st_uid;
	a->gid = st.st_gid;
	a->times[0] = st.st_atim;
	a->times[1] = st.st_mtim;
	a->times[2] = st.st_ctim;
}

int gfs_inode_set_attr(struct gfs_writer *w, struct gfs_inode *ip,
		       const struct gfs_inode_attr *a)
{
	struct gfs2_dinode *di = gfs_writer_dinode(w, ip);

	if (!di)
		return -ENOMEM;
	di->di_mode =
		cpu_to_be32((ip->mode & S_IFMT) | (a->mode & PERMISSIONS));
	di->di_uid = cpu_to_be32(a->uid);
	di->di_gid = cpu_to_be32(a->gid);
	put_times(di, a->times);
	gfs_inode_refresh(ip);
	return 0;
}
