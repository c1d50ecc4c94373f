/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Extended attributes in all three shapes: stuffed, unstuffed, indirect. */
#ifndef GFS_XATTR_H
#define GFS_XATTR_H

#include "inode.h"

struct gfs_xattr {
	char name[GFS2_EA_MAX_NAME_LEN + 16]; /* with prefix, NUL-terminated */
	uint32_t type;
	const void *value; /* valid until the next call */
	size_t len;
};

struct gfs_xattr_iter;
int gfs_xattr_open(struct gfs_xattr_iter **it, struct gfs_inode *ip) GFS_MUST;
/*
 * 1 with an attribute, 0 at the end, < 0. After an error the next call goes on
 * behind the bad value or block. Types without prefix are named "type%u.".
 */
int gfs_xattr_next(struct gfs_xattr_iter *it, struct gfs_xattr *x) GFS_MUST;
void gfs_xattr_close(struct gfs_xattr_iter *it);

#endif
