/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DLM resource names of GFS2 glocks, both ways. */
#ifndef GFS_LOCKNAME_H
#define GFS_LOCKNAME_H

#include "../base/base.h"

/* Glock types (kernel LM_TYPE_*). */
enum gfs_locktype {
	GFS_LOCK_RESERVED = 0,
	GFS_LOCK_NONDISK = 1,
	GFS_LOCK_INODE = 2,
	GFS_LOCK_RGRP = 3,
	GFS_LOCK_META = 4,
	GFS_LOCK_IOPEN = 5,
	GFS_LOCK_FLOCK = 6,
	GFS_LOCK_PLOCK = 7,
	GFS_LOCK_QUOTA = 8,
	GFS_LOCK_JOURNAL = 9,
	GFS_LOCK_TYPES
};

#define GFS_LOCKNAME_LEN 24U /* bytes handed to the DLM; not a C string */

struct gfs_lockname {
	uint32_t type;
	uint64_t number;
};

/* The 24 bytes "%8x%16llx", and a NUL after them. */
void gfs_lockname_format(const struct gfs_lockname *ln,
			 char name[GFS_LOCKNAME_LEN + 1]);

/*
 * Read a name as users and tools write it: the 24 padded bytes, "2/1a2b" or
 * "inode/1a2b" (glock notation, number hexadecimal), or "       2    1a2b".
 * 0 or -EINVAL.
 */
int gfs_lockname_parse(const char *text, size_t len,
		       struct gfs_lockname *ln) GFS_MUST;

/* "inode", "rgrp", ... or NULL; and back, -EINVAL if unknown. */
const char *gfs_locktype_name(uint32_t type);
int gfs_locktype_parse(const char *text) GFS_MUST;

#endif
