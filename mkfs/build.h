/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a plan to blocks: everything a new volume consists of is made here, in
 * an order that leaves no filesystem behind when it is interrupted.
 */
#ifndef MKFS_BUILD_H
#define MKFS_BUILD_H

#include "../libgfs/base/cli.h"
#include "../libgfs/io/dev.h"
#include "plan.h"

/* What a volume is beside its layout. */
struct mkfs_volume {
	uint8_t uuid[16];
	const char *proto;   /* lock protocol and table, at most 63 bytes */
	const char *table;
	uint32_t format;     /* sb_fs_format */
	bool inherit_jdata;  /* INHERIT_JDATA on the root directory */
	uint32_t quota_mb;   /* of each quota_change file */
	int64_t now;         /* of all times, seconds since 1970 */
	bool reproducible;   /* where journals start follows from the uuid */
};

struct mkfs_job {
	const struct mkfs_plan *plan;
	const struct mkfs_volume *volume;
	struct gfs_dev *dev;
	const volatile sig_atomic_t *stop; /* end before the next write */
	bool quiet;                        /* no progress */
	struct gfs_error *err;
};

/*
 * Does it all fit? Goes through the building of all but journals and resource
 * groups without writing. 0, -GFS_EFULL with a message, -ENOMEM.
 */
int mkfs_rehearse(const struct mkfs_job *job) GFS_MUST;

/*
 * Make the volume: wipe an old superblock, write everything, and when that is
 * durable the superblock. 0, -GFS_EINTR, or the device's error.
 */
int mkfs_build(const struct mkfs_job *job) GFS_MUST;

#endif
