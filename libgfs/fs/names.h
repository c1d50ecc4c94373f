/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What system calls do with names: create, link, unlink, rename. Link counts,
 * times and the freeing of inodes without names are taken care of. Several
 * handles of one inode do not know of each other's changes: put them, or call
 * gfs_inode_refresh().
 */
#ifndef GFS_NAMES_H
#define GFS_NAMES_H

#include "dir_write.h"
#include "inode_new.h"

/* A name in a directory. */
struct gfs_place {
	struct gfs_inode *dir;
	struct gfs_name name;
};

/* Make an inode and name it; *ip is borrowed. Codes of both. */
int gfs_create(struct gfs_writer *w, const struct gfs_place *at,
	       const struct gfs_inode_spec *spec,
	       struct gfs_inode **ip) GFS_MUST;

/* One more name for an inode: -EPERM for a directory, -EMLINK. */
int gfs_link(struct gfs_writer *w, const struct gfs_place *at,
	     struct gfs_inode *ip) GFS_MUST;

/*
 * Remove a name, and its inode with the last one; a directory must be empty:
 * -ENOTEMPTY. "." and "..": -EINVAL.
 */
int gfs_unlink(struct gfs_writer *w, const struct gfs_place *at) GFS_MUST;

/*
 * Move a name; what is at `to` is removed. -EISDIR, -ENOTDIR, -ENOTEMPTY,
 * -EINVAL when a directory would come to lie within itself.
 */
int gfs_rename(struct gfs_writer *w, const struct gfs_place *from,
	       const struct gfs_place *to) GFS_MUST;

#endif
