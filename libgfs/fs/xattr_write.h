/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Setting and removing extended attributes, ACLs among them. */
#ifndef GFS_XATTR_WRITE_H
#define GFS_XATTR_WRITE_H

#include "writer.h"

enum gfs_xattr_set_flags {
	GFS_XATTR_CREATE = 1,  /* -EEXIST when it is there */
	GFS_XATTR_REPLACE = 2, /* -ENODATA when it is not */
};

struct gfs_xattr_new {
	const char *name; /* with prefix, NUL-terminated */
	const void *value;
	size_t len;
	unsigned int flags;
};

/*
 * Set an attribute. What cannot be is refused as the kernel does: -EOPNOTSUPP
 * (unknown prefix, trusted.* in format 1801, "system." but for ACLs, ACLs of
 * symlinks), -EPERM (user.* of special files), -EINVAL (an ACL of a wrong
 * shape, a default one of a file), -ERANGE (name or value too long for the
 * block size), -ENOSPC. The mode is not touched by an ACL.
 */
int gfs_xattr_set(struct gfs_writer *w, struct gfs_inode *ip,
		  const struct gfs_xattr_new *x) GFS_MUST;

/* -ENODATA. The EA blocks stay with the inode, as in the kernel. */
int gfs_xattr_remove(struct gfs_writer *w, struct gfs_inode *ip,
		     const char *name) GFS_MUST;

/* Make a new EA block empty. */
void gfs_xattr_init(const struct gfs_geom *g, void *block);

/* Free all EA blocks of an inode that is removed. */
int gfs_xattr_release(struct gfs_writer *w, struct gfs_inode *ip) GFS_MUST;

#endif
