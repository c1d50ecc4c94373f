// SPDX-License-Identifier: GPL-2.0-or-later
/* A portion of reads of the scan engine. */
#include "scan_job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

int gfs_scan_job_init(struct gfs_scan_job *job, uint32_t bsize, uint32_t cap)
{
	job->bsize = bsize;
	job->cap = cap;
	/* Aligned, so that blocks may be looked at as structs and words. */
	job->buf = aligned_alloc(4096, gfs_round_up((size_t)cap * bsize, 4096));
	job->parts = calloc((size_t)cap + 1, sizeof(*job->parts));
	job->errors = calloc(cap, sizeof(*job->errors));
	if (job->buf && job->parts && job->errors)
		return 0;
	gfs_scan_job_fini(job);
	return -ENOMEM;
}

void gfs_scan_job_fini(struct gfs_scan_job *job)
{
	free(job->buf);
	free(job->parts);
	free(job->errors);
	*job = (struct gfs_scan_job){ 0 };
}

void gfs_scan_job_clear(struct gfs_scan_job *job)
{
	job->used = 0;
	job->n_parts = 0;
	job->has_errors = false;
	job->is_done = false;
}

/* All of a run that lies behind the device; such a part closes the job. */
static uint64_t add_nowhere(struct gfs_scan_job *job,
			    const struct gfs_run *run)
{
	job->parts[job->n_parts++] = (struct gfs_scan_part){
		.blk = run->blk,
		.count = run->count,
		.at = GFS_SCAN_NOWHERE,
	};
	job->used = job->cap;
	return run->count;
}

uint64_t gfs_scan_job_add(struct gfs_scan_job *job, const struct gfs_run *run,
			  uint32_t gap, uint64_t end)
{
	struct gfs_scan_part *last = NULL;
	uint32_t room = job->cap - job->used;
	uint64_t between = UINT64_MAX;
	uint32_t at = job->used;
	uint64_t n;

	if (!room)
		return 0;
	if (run->blk >= end)
		return add_nowhere(job, run);
	if (job->n_parts) {
		last = &job->parts[job->n_parts - 1];
		between = run->blk - last->blk - last->count;
	}
	if (between && between <= gap) {
		if (between >= room)
			return 0;
		at += (uint32_t)between;
		room -= (uint32_t)between;
	}
	n = gfs_min(room, gfs_min(run->count, end - run->blk));
	job->used = at + (uint32_t)n;
	if (!between) {
		last->count += n;
		return n;
	}
	job->parts[job->n_parts++] = (struct gfs_scan_part){
		.blk = run->blk,
		.count = n,
		.at = at,
	};
	return n;
}

static void read_singly(struct gfs_scan_job *job, struct gfs_dev *dev,
			const struct gfs_scan_part *part)
{
	if (!job->has_errors)
		memset(job->errors, 0, job->cap * sizeof(*job->errors));
	job->has_errors = true;
	for (uint32_t i = 0; i < part->count; i++) {
		uint32_t at = part->at + i;

		job->errors[at] = gfs_dev_read(
			dev, job->buf + (size_t)at * job->bsize, job->bsize,
			(part->blk + i) * job->bsize);
	}
}

/* The number of parts from i on that are one read. */
static uint32_t parts_of_read(const struct gfs_scan_job *job, uint32_t i)
{
	const struct gfs_scan_part *p = &job->parts[i];
	uint32_t n = 1;

	while (i + n < job->n_parts && p[n].at != GFS_SCAN_NOWHERE &&
	       p[n].blk - p->blk == p[n].at - p->at)
		n++;
	return n;
}

/* A read of a job: where its bytes go, and how many parts it is. */
struct read {
	uint8_t *buf;
	size_t len;
	uint64_t off;
	uint32_t n_parts;
};

/* The read that begins with part i; false behind the last one. */
static bool find_read(const struct gfs_scan_job *job, uint32_t i,
		      struct read *r)
{
	const struct gfs_scan_part *first = &job->parts[i];
	const struct gfs_scan_part *last;

	if (i >= job->n_parts || first->at == GFS_SCAN_NOWHERE)
		return false;
	r->n_parts = parts_of_read(job, i);
	last = first + r->n_parts - 1;
	r->buf = job->buf + (size_t)first->at * job->bsize;
	r->len = (size_t)(last->at + last->count - first->at) * job->bsize;
	r->off = first->blk * job->bsize;
	return true;
}

/* The system reads ahead in a single read by itself. */
static void announce(const struct gfs_scan_job *job, struct gfs_dev *dev)
{
	struct read r;

	for (uint32_t i = 0; find_read(job, i, &r); i += r.n_parts)
		if (r.n_parts < job->n_parts)
			gfs_dev_prefetch(dev, r.off, r.len);
}

/* How often this thread has had to wait for something. */
static long waits(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_THREAD, &usage) ? 0 : usage.ru_nvcsw;
}

void gfs_scan_job_read(struct gfs_scan_job *job, struct gfs_dev *dev,
		       bool *slow)
{
	bool was_slow = __atomic_load_n(slow, __ATOMIC_RELAXED);
	long waited = waits();
	long n_reads = 0;
	struct read r;

	if (was_slow)
		announce(job, dev);
	for (uint32_t i = 0; find_read(job, i, &r); i += r.n_parts) {
		n_reads++;
		if (!gfs_dev_read(dev, r.buf, r.len, r.off))
			continue;
		for (uint32_t k = 0; k < r.n_parts; k++)
			read_singly(job, dev, &job->parts[i + k]);
	}
	/* Announced reads wait less often than once each, but they do. */
	waited = waits() - waited;
	if (was_slow ? !waited : 4 * waited > n_reads)
		__atomic_store_n(slow, !was_slow, __ATOMIC_RELAXED);
}
