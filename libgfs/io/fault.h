/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A device that fails or stops on purpose, for tests. */
#ifndef GFS_FAULT_H
#define GFS_FAULT_H

#include "dev.h"

struct gfs_fault_plan {
	uint64_t fail_read;   /* the Nth read fails (1 = first), 0 never */
	uint64_t fail_write;  /* likewise for writes */
	bool fail_after;      /* every later one fails as well */
	uint64_t stop_write;  /* from the Nth write on nothing reaches the base,
			       * silently, as in a power cut; 0 never */
	uint32_t torn;        /* bytes of the stopping write that still do */
	int error;            /* code of failures, default -EIO */
	uint64_t bad_from, bad_to; /* bytes [from, to): reads always fail */
};

/*
 * Fault device over base (not owned). Reads after the stop show the base as
 * it is; flushes succeed. -ENOMEM.
 */
int gfs_dev_fault_open(struct gfs_dev **dev, struct gfs_dev *base,
		       const struct gfs_fault_plan *plan) GFS_MUST;

/* From now on closing the fault device closes its base as well. */
void gfs_dev_fault_own(struct gfs_dev *dev);

/*
 * Plan from text "read=3,write=5,after,stop=7,torn=512,error=ENOSPC,
 * bad=FROM-TO" (the GFS_FAULT environment of the programs); bad is in bytes,
 * TO not included; error is a name as in errno(3). -EINVAL if wrong.
 */
int gfs_fault_parse(struct gfs_fault_plan *plan, const char *text) GFS_MUST;

#endif
