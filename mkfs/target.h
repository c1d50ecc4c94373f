/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The device a volume is made on: what is on it now, what shape it has. */
#ifndef MKFS_TARGET_H
#define MKFS_TARGET_H

#include "../libgfs/io/dev.h"
#include "opts.h"
#include "plan.h"

struct mkfs_target {
	struct gfs_dev *dev;
	struct mkfs_topology topology; /* all 0 if not known */
	bool topology_known;
	char found[160]; /* what is there: "an existing filesystem (ext4)" */
	bool warned;     /* of something the user should confirm */
};

/*
 * Open the device for writing, alone, and look at what is there. 0, or
 * negative after a message.
 */
int mkfs_target_open(struct mkfs_target *t,
		     const struct mkfs_opts *o) GFS_MUST;
void mkfs_target_close(struct mkfs_target *t);

/*
 * Turn options and device into what a plan is made from. 0, or negative after
 * a message.
 */
int mkfs_target_request(struct mkfs_target *t, const struct mkfs_opts *o,
			struct mkfs_request *req) GFS_MUST;

/* Say what will be lost and, if wanted, ask. False: the answer was no. */
bool mkfs_target_confirm(const struct mkfs_target *t,
			 const struct mkfs_opts *o);

#endif
