// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The scan engine. Jobs of reads stand in a ring: filled from the source and
 * taken out in order by the caller's thread, read by workers in between. A
 * short scan, or one for a single thread, reads in the caller's thread.
 */
#include "scan.h"
#include "scan_job.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	JOB_BYTES = 256 << 10,
	DEFAULT_WINDOW = 8 << 20,
	MAX_THREADS = 64,
	DEFAULT_MAX_THREADS = 8,
	JOBS_ALONE = 2, /* that the caller's thread reads before helpers come */
};

struct source {
	int (*next)(void *ctx, struct gfs_run *run);
	void *ctx;
	int rc;              /* of the last next() */
	struct gfs_run run;  /* what is left of it */
	uint64_t min;        /* where the next run may start */
};

struct list_source {
	const uint64_t *blks;
	size_t n;
};

struct gfs_scan {
	struct gfs_dev *dev;
	uint32_t bsize;
	uint32_t gap;
	uint64_t end; /* first block that is not on the device */
	bool is_slow; /* the device; atomic */
	struct source source;
	struct list_source list;

	/* Where the caller is. */
	uint32_t part;
	uint64_t in_part;
	uint64_t n_taken; /* jobs handed over, the present one not included */
	bool has_job;

	struct gfs_scan_job *jobs;
	unsigned int n_jobs; /* of the ring; 1 while there are no workers */
	unsigned int n_ready; /* jobs that have memory, at least n_jobs */
	unsigned int max_jobs, max_threads;

	/* Counts of jobs; job i is jobs[i % n_jobs]. Under the lock. */
	pthread_mutex_t lock;
	pthread_cond_t work, ready;
	uint64_t n_filled, n_begun;
	bool quit;
	unsigned int n_threads;
	pthread_t threads[MAX_THREADS];
};

/* Make sure that source->run has blocks; 1, or what the source said. */
static int source_peek(struct source *s)
{
	while (s->rc == 1 && !s->run.count) {
		s->rc = s->next(s->ctx, &s->run);
		if (s->rc != 1) {
			s->run.count = 0;
			break;
		}
		if (!s->run.count)
			continue;
		if (s->run.blk < s->min ||
		    s->run.count > UINT64_MAX - s->run.blk) {
			s->run.count = 0;
			s->rc = -EINVAL;
			break;
		}
		s->min = s->run.blk + s->run.count;
	}
	return s->rc;
}

/* False when nothing is left for the job. */
static bool fill(struct gfs_scan *scan, struct gfs_scan_job *job)
{
	struct source *s = &scan->source;

	gfs_scan_job_clear(job);
	while (source_peek(s) == 1) {
		uint64_t n = gfs_scan_job_add(job, &s->run, scan->gap,
					      scan->end);

		if (!n)
			break;
		s->run.blk += n;
		s->run.count -= n;
	}
	return job->n_parts != 0;
}

static void *work(void *arg)
{
	struct gfs_scan *scan = arg;

	pthread_mutex_lock(&scan->lock);
	while (!scan->quit) {
		struct gfs_scan_job *job;
		uint64_t i;

		if (scan->n_begun == scan->n_filled) {
			pthread_cond_wait(&scan->work, &scan->lock);
			continue;
		}
		i = scan->n_begun++;
		job = &scan->jobs[i % scan->n_jobs];
		pthread_mutex_unlock(&scan->lock);
		gfs_scan_job_read(job, scan->dev, &scan->is_slow);
		pthread_mutex_lock(&scan->lock);
		job->is_done = true;
		if (i == scan->n_taken)
			pthread_cond_signal(&scan->ready);
	}
	pthread_mutex_unlock(&scan->lock);
	return NULL;
}

/* Signals stay with the caller's threads, where programs expect them. */
static void start_threads(struct gfs_scan *scan)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (scan->n_threads < scan->max_threads &&
	       !pthread_create(&scan->threads[scan->n_threads], NULL, work,
			       scan))
		scan->n_threads++;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Without memory or threads the caller's thread just goes on alone. */
static void start(struct gfs_scan *scan)
{
	unsigned int max = scan->max_jobs;
	struct gfs_scan_job *jobs = realloc(scan->jobs, max * sizeof(*jobs));

	scan->max_jobs = 1;
	if (!jobs)
		return;
	scan->jobs = jobs;
	while (scan->n_ready < max) {
		struct gfs_scan_job *job = &jobs[scan->n_ready];

		*job = (struct gfs_scan_job){ 0 };
		if (gfs_scan_job_init(job, scan->bsize, jobs[0].cap))
			break;
		scan->n_ready++;
	}
	if (scan->n_ready == 1)
		return;
	/* Positions in the ring begin anew with its size. */
	scan->n_jobs = scan->n_ready;
	scan->n_taken = scan->n_filled = scan->n_begun = 0;
	start_threads(scan);
	if (!scan->n_threads)
		scan->n_jobs = 1;
}

static int next_job_alone(struct gfs_scan *scan)
{
	scan->has_job = fill(scan, scan->jobs);
	if (!scan->has_job)
		return scan->source.rc;
	gfs_scan_job_read(scan->jobs, scan->dev, &scan->is_slow);
	return 1;
}

/* Keep the ring full. The source is asked outside the lock: it may be slow. */
static void top_up(struct gfs_scan *scan)
{
	while (scan->n_filled - scan->n_taken < scan->n_jobs) {
		if (!fill(scan, &scan->jobs[scan->n_filled % scan->n_jobs]))
			break;
		pthread_mutex_lock(&scan->lock);
		scan->n_filled++;
		pthread_cond_signal(&scan->work);
		pthread_mutex_unlock(&scan->lock);
	}
}

static int next_job_of_ring(struct gfs_scan *scan)
{
	struct gfs_scan_job *job;

	top_up(scan);
	scan->has_job = scan->n_taken < scan->n_filled;
	if (!scan->has_job)
		return scan->source.rc;
	job = &scan->jobs[scan->n_taken % scan->n_jobs];
	pthread_mutex_lock(&scan->lock);
	while (!job->is_done)
		pthread_cond_wait(&scan->ready, &scan->lock);
	pthread_mutex_unlock(&scan->lock);
	return 1;
}

/* Give back the present job and get the next one: 1, 0 at the end, < 0. */
static int next_job(struct gfs_scan *scan)
{
	if (scan->has_job) {
		pthread_mutex_lock(&scan->lock);
		scan->n_taken++;
		pthread_mutex_unlock(&scan->lock);
	}
	scan->has_job = false;
	scan->part = 0;
	scan->in_part = 0;
	if (scan->n_jobs == 1 && scan->max_jobs > 1 &&
	    scan->n_taken == JOBS_ALONE && source_peek(&scan->source) == 1)
		start(scan);
	return scan->n_jobs == 1 ? next_job_alone(scan) :
				   next_job_of_ring(scan);
}

int gfs_scan_next(struct gfs_scan *scan, uint64_t *blk, const void **data,
		  int *error)
{
	const struct gfs_scan_job *job =
		&scan->jobs[scan->n_taken % scan->n_jobs];
	const struct gfs_scan_part *part;
	size_t at;

	if (!scan->has_job || scan->part == job->n_parts) {
		int rc = next_job(scan);

		if (rc != 1)
			return rc;
		job = &scan->jobs[scan->n_taken % scan->n_jobs];
	}
	part = &job->parts[scan->part];
	*blk = part->blk + scan->in_part;
	*data = NULL;
	*error = -GFS_ESHORT;
	if (part->at != GFS_SCAN_NOWHERE) {
		at = part->at + (size_t)scan->in_part;
		*error = job->has_errors ? job->errors[at] : 0;
		if (!*error)
			*data = job->buf + at * job->bsize;
	}
	if (++scan->in_part == part->count) {
		scan->in_part = 0;
		scan->part++;
	}
	return 1;
}

static unsigned int threads_wanted(const struct gfs_scan_options *options)
{
	long n = options->threads;

	if (!n) {
		n = sysconf(_SC_NPROCESSORS_ONLN);
		n = n < 1 ? 1 : (long)gfs_min((uint64_t)n,
					      DEFAULT_MAX_THREADS);
	}
	return (unsigned int)gfs_min((uint64_t)n, MAX_THREADS);
}

static int scan_init(struct gfs_scan *scan, struct gfs_dev *dev,
		     uint32_t bsize, const struct gfs_scan_options *options)
{
	size_t window = options->window ? options->window : DEFAULT_WINDOW;
	size_t job_bytes = (size_t)gfs_max(gfs_min(JOB_BYTES, window / 2),
					   bsize);

	scan->dev = dev;
	scan->bsize = bsize;
	scan->gap = options->gap;
	scan->end = dev->size / bsize;
	scan->source.rc = 1;
	scan->n_jobs = scan->n_ready = 1;
	scan->max_threads = threads_wanted(options);
	scan->max_jobs = scan->max_threads == 1 ?
				 1 :
				 (unsigned int)gfs_min(
					 gfs_max(window / job_bytes, 2),
					 UINT16_MAX);
	scan->jobs = calloc(1, sizeof(*scan->jobs));
	if (!scan->jobs)
		return -ENOMEM;
	return gfs_scan_job_init(scan->jobs, bsize,
				 (uint32_t)(job_bytes / bsize));
}

int gfs_scan_open(struct gfs_scan **scan, struct gfs_dev *dev, uint32_t bsize,
		  int (*next)(void *ctx, struct gfs_run *run), void *ctx,
		  const struct gfs_scan_options *options)
{
	static const struct gfs_scan_options defaults;
	struct gfs_scan *s;
	int rc;

	*scan = NULL;
	if (!bsize)
		return -EINVAL;
	s = calloc(1, sizeof(*s));
	if (!s)
		return -ENOMEM;
	rc = scan_init(s, dev, bsize, options ? options : &defaults);
	if (rc) {
		free(s->jobs);
		free(s);
		return rc;
	}
	s->source.next = next;
	s->source.ctx = ctx;
	/* With default attributes these cannot fail on Linux. */
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->work, NULL);
	pthread_cond_init(&s->ready, NULL);
	*scan = s;
	return 0;
}

static int next_of_list(void *ctx, struct gfs_run *run)
{
	struct list_source *list = ctx;
	size_t n = 1;

	if (!list->n)
		return 0;
	while (n < list->n && list->blks[n] == list->blks[n - 1] + 1)
		n++;
	run->blk = list->blks[0];
	run->count = n;
	list->blks += n;
	list->n -= n;
	return 1;
}

int gfs_scan_open_list(struct gfs_scan **scan, struct gfs_dev *dev,
		       uint32_t bsize, const uint64_t *blks, size_t n,
		       const struct gfs_scan_options *options)
{
	int rc = gfs_scan_open(scan, dev, bsize, next_of_list, NULL, options);

	if (rc)
		return rc;
	(*scan)->list.blks = blks;
	(*scan)->list.n = n;
	(*scan)->source.ctx = &(*scan)->list;
	return 0;
}

void gfs_scan_close(struct gfs_scan *scan)
{
	if (!scan)
		return;
	pthread_mutex_lock(&scan->lock);
	scan->quit = true;
	pthread_cond_broadcast(&scan->work);
	pthread_mutex_unlock(&scan->lock);
	for (unsigned int i = 0; i < scan->n_threads; i++)
		pthread_join(scan->threads[i], NULL);
	pthread_mutex_destroy(&scan->lock);
	pthread_cond_destroy(&scan->work);
	pthread_cond_destroy(&scan->ready);
	for (unsigned int i = 0; i < scan->n_ready; i++)
		gfs_scan_job_fini(&scan->jobs[i]);
	free(scan->jobs);
	free(scan);
}
