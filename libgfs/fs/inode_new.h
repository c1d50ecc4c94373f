/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inodes coming and going, without the names that lead to them (names.h). */
#ifndef GFS_INODE_NEW_H
#define GFS_INODE_NEW_H

#include "writer.h"

/* What a new inode is to be. */
struct gfs_inode_spec {
	uint32_t mode;     /* type and permissions */
	uint32_t uid, gid; /* as they are: nothing is taken from the parent */
	uint32_t major, minor; /* of devices */
	const char *target;    /* of a symbolic link */
	size_t target_len;
	uint32_t flags; /* di_flags beside those that follow from type
			 * and parent */
	bool ea_block;  /* it will get xattrs: have a block for them right
			 * behind the dinode, as the kernel for ACLs */
	const struct timespec *times; /* atime, mtime, ctime; NULL: now */
};

/*
 * A new inode near its parent's goal, with formal number and generation from
 * its group. It has the links that one name makes (2 for a directory, whose
 * ".." is `parent`), but no name yet. JDATA and SYSTEM are inherited as in the
 * kernel. -ENOSPC, -EINVAL for an unknown type, a link without a target,
 * -ENAMETOOLONG for a target that does not fit the dinode with one byte left.
 */
int gfs_inode_new(struct gfs_writer *w, const struct gfs_inode *parent,
		  const struct gfs_inode_spec *spec,
		  struct gfs_inode **ip) GFS_MUST;

/*
 * Remove an inode that no name leads to any more: all of its blocks are freed.
 * The handle remains to be put. An inode that counts other blocks than it has:
 * -GFS_ECORRUPT.
 */
int gfs_inode_release(struct gfs_writer *w, struct gfs_inode *ip) GFS_MUST;

/* What chmod, chown and utimensat change. */
struct gfs_inode_attr {
	uint32_t mode; /* permissions; the type stays */
	uint32_t uid, gid;
	struct timespec times[3]; /* atime, mtime, ctime */
};
void gfs_inode_attr_of(const struct gfs_inode *ip, struct gfs_inode_attr *a);
int gfs_inode_set_attr(struct gfs_writer *w, struct gfs_inode *ip,
		       const struct gfs_inode_attr *a) GFS_MUST;

#endif
