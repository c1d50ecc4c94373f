// SPDX-License-Identifier: GPL-2.0-or-later
/* Unit tests of the scan engine: same result for any number of threads. */
#include "../../libgfs/io/fault.h"
#include "../../libgfs/io/scan.h"

#include "t.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { BSIZE = 512, BLOCKS = 60000 };

static const unsigned int thread_counts[] = { 1, 2, 4, 8, 0 };

/* Every block begins with its number plus 1. */
static struct gfs_dev *numbered_device(void)
{
	struct gfs_dev *dev;

	if (gfs_dev_mem_open(&dev, (uint64_t)BSIZE * BLOCKS + 100))
		abort();
	for (uint64_t b = 0; b < BLOCKS; b++) {
		uint64_t v = b + 1;

		if (gfs_dev_write(dev, &v, sizeof(v), b * BSIZE))
			abort();
	}
	return dev;
}

static bool is_block(const void *data, uint64_t blk)
{
	uint64_t v;

	if (!data)
		return false;
	memcpy(&v, data, sizeof(v));
	return v == blk + 1;
}

struct runs {
	const struct gfs_run *run;
	size_t n, i;
	int end; /* returned after the last run */
};

static int next_run(void *ctx, struct gfs_run *run)
{
	struct runs *r = ctx;

	if (r->i == r->n)
		return r->end;
	*run = r->run[r->i++];
	return 1;
}

/* Scan a sorted list; true when exactly its blocks come with right bytes. */
static bool list_is_scanned(struct gfs_dev *dev, const uint64_t *blks,
			    size_t n, const struct gfs_scan_options *options)
{
	struct gfs_scan *scan;
	const void *data;
	uint64_t blk;
	size_t i = 0;
	int error, rc;

	if (gfs_scan_open_list(&scan, dev, BSIZE, blks, n, options))
		return false;
	while ((rc = gfs_scan_next(scan, &blk, &data, &error)) == 1) {
		if (i == n || blk != blks[i] || error || !is_block(data, blk))
			break;
		i++;
	}
	/* The end stays the end. */
	if (!rc)
		rc = gfs_scan_next(scan, &blk, &data, &error);
	gfs_scan_close(scan);
	return !rc && i == n;
}

static void test_lists(struct gfs_dev *dev)
{
	static uint64_t blks[BLOCKS];
	const size_t spread[] = { 1, 2, 3, 17, 100 };

	for (size_t s = 0; s < GFS_ARRAY_SIZE(spread); s++) {
		size_t n = 0;

		srand(1);
		for (uint64_t b = 0; b < BLOCKS; b++)
			if ((size_t)rand() % spread[s] == 0)
				blks[n++] = b;
		for (size_t t = 0; t < GFS_ARRAY_SIZE(thread_counts); t++) {
			struct gfs_scan_options o = {
				.threads = thread_counts[t],
				.window = s % 2 ? 0 : 300000,
				.gap = (uint32_t)(s * t % 7),
			};

			T_OK(list_is_scanned(dev, blks, n, &o));
		}
	}
	T_OK(list_is_scanned(dev, blks, 0, NULL));
	T_OK(list_is_scanned(dev, blks, 1, NULL));
}

/* Merging: the number of reads of a device is what it should be. */
static void test_merging(struct gfs_dev *dev)
{
	const uint64_t blks[] = { 3, 4, 5, 9, 12, 13, 2000 };
	struct gfs_scan_options o = { .threads = 1 };
	uint64_t before = dev->stats.reads, bytes = dev->stats.bytes_read;

	T_OK(list_is_scanned(dev, blks, 7, &o));
	T_EQ(dev->stats.reads - before, 4);
	T_EQ(dev->stats.bytes_read - bytes, 7 * BSIZE);
	before = dev->stats.reads;
	bytes = dev->stats.bytes_read;
	o.gap = 3;
	T_OK(list_is_scanned(dev, blks, 7, &o));
	T_EQ(dev->stats.reads - before, 2);
	T_EQ(dev->stats.bytes_read - bytes, 12 * BSIZE);
	/* 1024 blocks in portions of at most 256 KiB. */
	before = dev->stats.reads;
	T_EQ(dev->size / BSIZE, BLOCKS);
	{
		const struct gfs_run run = { 100, 1024 };
		struct runs r = { .run = &run, .n = 1 };
		struct gfs_scan *scan;
		const void *data;
		uint64_t blk, sum = 0;
		int error;

		T_EQ(gfs_scan_open(&scan, dev, BSIZE, next_run, &r, NULL), 0);
		while (gfs_scan_next(scan, &blk, &data, &error) == 1)
			sum += is_block(data, blk);
		T_EQ(sum, 1024);
		T_EQ(dev->stats.reads - before, 2);
		gfs_scan_close(scan);
	}
}

/* A bad spot costs its own blocks only; same for reads over gaps. */
static void test_bad_blocks(struct gfs_dev *base)
{
	struct gfs_fault_plan plan = {
		.bad_from = 5000 * BSIZE + 100,
		.bad_to = 5003 * BSIZE + 1,
	};
	struct gfs_dev *dev;

	T_EQ(gfs_dev_fault_open(&dev, base, &plan), 0);
	for (size_t t = 0; t < GFS_ARRAY_SIZE(thread_counts); t++) {
		const struct gfs_run runs[] = { { 10, 4991 }, { 5002, 5000 } };
		struct runs r = { .run = runs, .n = 2 };
		struct gfs_scan_options o = { .threads = thread_counts[t],
					      .gap = (uint32_t)t % 2 };
		struct gfs_scan *scan;
		const void *data;
		uint64_t blk, good = 0, bad = 0, last = 9;
		int error;

		T_EQ(gfs_scan_open(&scan, dev, BSIZE, next_run, &r, &o), 0);
		while (gfs_scan_next(scan, &blk, &data, &error) == 1) {
			good += !error && is_block(data, blk) && blk > last;
			bad += error == -EIO && !data &&
			       (blk == 5000 || blk == 5002 || blk == 5003);
			last = blk;
		}
		T_EQ(good, 9991 - 3);
		T_EQ(bad, 3);
		T_EQ(last, 10001);
		gfs_scan_close(scan);
	}
	gfs_dev_close(dev);
}

static void test_behind_the_end(struct gfs_dev *dev)
{
	const struct gfs_run runs[] = {
		{ BLOCKS - 2, 4 }, { BLOCKS + 10, 0 }, { BLOCKS + 10, 2 },
		{ 1ULL << 60, 1 }, { UINT64_MAX - 1, 1 },
	};
	const uint64_t want[] = {
		BLOCKS - 2, BLOCKS - 1, BLOCKS, BLOCKS + 1, BLOCKS + 10,
		BLOCKS + 11, 1ULL << 60, UINT64_MAX - 1,
	};
	struct runs r = { .run = runs, .n = 5 };
	struct gfs_scan *scan;
	const void *data;
	uint64_t blk;
	int error;

	T_EQ(gfs_scan_open(&scan, dev, BSIZE, next_run, &r, NULL), 0);
	for (size_t i = 0; i < 8; i++) {
		T_EQ(gfs_scan_next(scan, &blk, &data, &error), 1);
		T_EQ(blk, want[i]);
		T_EQ(error, i < 2 ? 0 : -GFS_ESHORT);
		T_EQ(i < 2 ? is_block(data, blk) : !data, 1);
	}
	T_EQ(gfs_scan_next(scan, &blk, &data, &error), 0);
	gfs_scan_close(scan);
}

/* What was asked for before a failing source is still handed over. */
static uint64_t blocks_until(struct gfs_dev *dev, const struct gfs_run *runs,
			     size_t n, int end, int *rc)
{
	struct runs r = { .run = runs, .n = n, .end = end };
	struct gfs_scan *scan;
	const void *data;
	uint64_t blk, sum = 0;
	int error;

	*rc = gfs_scan_open(&scan, dev, BSIZE, next_run, &r, NULL);
	if (*rc)
		return 0;
	while ((*rc = gfs_scan_next(scan, &blk, &data, &error)) == 1)
		sum++;
	if (gfs_scan_next(scan, &blk, &data, &error) != *rc)
		*rc = 99;
	gfs_scan_close(scan);
	return sum;
}

static void test_sources(struct gfs_dev *dev)
{
	const struct gfs_run good[] = { { 1, 3000 }, { 3001, 1 }, { 9000, 9 } };
	const struct gfs_run overlap[] = { { 1, 3 }, { 3, 1 } };
	const struct gfs_run back[] = { { 7, 1 }, { 3, 1 } };
	const struct gfs_run wrap[] = { { 7, 1 }, { UINT64_MAX, 2 } };
	int rc;

	T_EQ(blocks_until(dev, good, 3, 0, &rc), 3010);
	T_EQ(rc, 0);
	T_EQ(blocks_until(dev, good, 3, -GFS_EINTR, &rc), 3010);
	T_EQ(rc, -GFS_EINTR);
	T_EQ(blocks_until(dev, overlap, 2, 0, &rc), 3);
	T_EQ(rc, -EINVAL);
	T_EQ(blocks_until(dev, back, 2, 0, &rc), 1);
	T_EQ(rc, -EINVAL);
	T_EQ(blocks_until(dev, wrap, 2, 0, &rc), 1);
	T_EQ(rc, -EINVAL);
	T_EQ(blocks_until(dev, good, 0, -ENOMEM, &rc), 0);
	T_EQ(rc, -ENOMEM);
}

/* Closing in the middle, at every stage. */
static void test_early_close(struct gfs_dev *dev)
{
	const struct gfs_run run = { 0, BLOCKS };
	const int stops[] = { 0, 1, 600, 1100, 3000, 20000 };
	bool good = true;

	for (size_t i = 0; i < GFS_ARRAY_SIZE(stops); i++) {
		struct runs r = { .run = &run, .n = 1 };
		struct gfs_scan_options o = { .threads = 4 };
		struct gfs_scan *scan;
		const void *data;
		uint64_t blk;
		int error;

		T_EQ(gfs_scan_open(&scan, dev, BSIZE, next_run, &r, &o), 0);
		for (int k = 0; k < stops[i]; k++)
			good = good && gfs_scan_next(scan, &blk, &data,
						     &error) == 1 &&
			       is_block(data, (uint64_t)k);
		gfs_scan_close(scan);
	}
	T_OK(good);
	gfs_scan_close(NULL);
}

/* A device that may make its readers wait, and notes announcements. */
static unsigned int n_announced, n_wrong;
static bool is_waiting;

static int wait_read(struct gfs_dev *dev, void *buf, size_t len, uint64_t off)
{
	uint64_t v = off / BSIZE + 1;

	(void)dev;
	memset(buf, 0, len);
	memcpy(buf, &v, sizeof(v));
	if (is_waiting)
		usleep(1);
	return 0;
}

static void note_prefetch(struct gfs_dev *dev, uint64_t off, uint64_t len)
{
	(void)dev;
	n_announced++;
	n_wrong += off / BSIZE % 5 || len != BSIZE;
}

static const struct gfs_dev_ops wait_ops = {
	.kind = "waiting",
	.read = wait_read,
	.prefetch = note_prefetch,
};

/* Reads are announced when, and only when, they have to wait. */
static void test_prefetch(void)
{
	enum { N = 512 * 6 };
	struct gfs_scan_options o = { .threads = 1 };
	struct gfs_dev dev = { .ops = &wait_ops, .size = 5 * N * BSIZE };
	uint64_t blks[N];

	for (uint64_t i = 0; i < N; i++)
		blks[i] = 5 * i;
	T_OK(list_is_scanned(&dev, blks, N, &o));
	T_EQ(n_announced, 0);
	is_waiting = true;
	T_OK(list_is_scanned(&dev, blks, N, &o));
	/* All portions of 512 blocks but the first, which found out. */
	T_EQ(n_announced, N - 512);
	T_EQ(n_wrong, 0);
}

int main(void)
{
	struct gfs_dev *dev = numbered_device();

	test_lists(dev);
	test_merging(dev);
	test_bad_blocks(dev);
	test_behind_the_end(dev);
	test_sources(dev);
	test_early_close(dev);
	test_prefetch();
	gfs_dev_close(dev);
	return t_done();
}
