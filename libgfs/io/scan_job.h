/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside of the scan engine: a portion of reads that one thread does. */
#ifndef GFS_SCAN_JOB_H
#define GFS_SCAN_JOB_H

#include "scan.h"

/* Blocks of a part past the device's end have no place in the buffer. */
#define GFS_SCAN_NOWHERE UINT32_MAX

/*
 * Blocks to hand over: count from blk, in the buffer from block `at` on.
 * Parts whose distance in the buffer is that on the device share a read.
 */
struct gfs_scan_part {
	uint64_t blk;
	uint64_t count;
	uint32_t at;
};

struct gfs_scan_job {
	uint8_t *buf;
	uint32_t bsize;
	uint32_t cap;   /* blocks that the buffer holds */
	uint32_t used;
	uint32_t n_parts;
	struct gfs_scan_part *parts; /* cap + 1 */
	int *errors;      /* a code for each block of the buffer */
	bool has_errors;  /* else errors[] has no meaning */
	bool is_done;     /* under the engine's lock */
};

/* Job in the caller's storage, zeroed before, of cap blocks. -ENOMEM. */
int gfs_scan_job_init(struct gfs_scan_job *job, uint32_t bsize,
		      uint32_t cap) GFS_MUST;
void gfs_scan_job_fini(struct gfs_scan_job *job);

/* Make it empty. */
void gfs_scan_job_clear(struct gfs_scan_job *job);

/*
 * Add blocks from the start of run, behind what the job has; read over gaps
 * of up to `gap` blocks; `end`: first block that is not on the device.
 * Returns how many went in, 0 when the job is full.
 */
uint64_t gfs_scan_job_add(struct gfs_scan_job *job, const struct gfs_run *run,
			  uint32_t gap, uint64_t end);

/*
 * Do the reads. Blocks of a read that fails are tried one by one. *slow is
 * shared by all jobs of a device: set when a job had to wait for it, cleared
 * when a job did not. While it is set, all reads of a job are announced to
 * the system before the first one, so that they wait side by side; on what
 * is in memory already that would only cost time.
 */
void gfs_scan_job_read(struct gfs_scan_job *job, struct gfs_dev *dev,
		       bool *slow);

#endif
