// SPDX-License-Identifier: GPL-2.0-or-later
/* Unit tests of the block cache. */
#include "../../libgfs/io/buf.h"
#include "../../libgfs/io/fault.h"

#include "t.h"

#include <errno.h>

enum { BSIZE = 512, BLOCKS = 5000 };

static struct gfs_dev *numbered_device(void)
{
	struct gfs_dev *dev;

	if (gfs_dev_mem_open(&dev, (uint64_t)BSIZE * BLOCKS + 100))
		return NULL;
	for (uint64_t b = 0; b < BLOCKS; b++)
		if (gfs_dev_write(dev, &b, sizeof(b), b * BSIZE))
			return NULL;
	return dev;
}

static uint64_t number_in(const struct gfs_buf *buf)
{
	uint64_t v;

	memcpy(&v, buf->data, sizeof(v));
	return v;
}

static void test_borrow(struct gfs_dev *dev)
{
	struct gfs_error err = { 0 };
	struct gfs_cache *cache;
	struct gfs_buf *a, *b, *c;
	uint64_t before = dev->stats.reads;

	T_EQ(gfs_cache_new(&cache, dev, BSIZE, 2, &err), 0);
	T_OK(gfs_cache_dev(cache) == dev && gfs_cache_error(cache) == &err);
	T_EQ(gfs_cache_bsize(cache), BSIZE);
	T_EQ(gfs_buf_get(cache, 7, &a), 0);
	T_EQ(a->blk, 7);
	T_EQ(number_in(a), 7);
	T_EQ((uintptr_t)a->data % 8, 0);
	T_EQ(gfs_buf_get(cache, 7, &b), 0);
	T_OK(a == b);
	T_EQ(dev->stats.reads - before, 1);
	gfs_buf_put(a);
	gfs_buf_put(b);
	gfs_buf_put(NULL);
	/* Room for two unused: 7 is pushed out by 9 and 10, not by 8. */
	T_EQ(gfs_buf_get(cache, 8, &a), 0);
	T_EQ(gfs_buf_get(cache, 9, &b), 0);
	T_EQ(gfs_buf_get(cache, 10, &c), 0);
	gfs_buf_put(b);
	T_EQ(dev->stats.reads - before, 4);
	gfs_buf_put(c);
	T_EQ(gfs_buf_get(cache, 8, &b), 0);
	T_OK(a == b);
	T_EQ(dev->stats.reads - before, 4);
	gfs_buf_put(a);
	gfs_buf_put(b);
	T_EQ(gfs_buf_get(cache, 7, &a), 0);
	T_EQ(dev->stats.reads - before, 5);
	gfs_buf_put(a);
	gfs_cache_free(cache);
}

static void test_errors(struct gfs_dev *dev)
{
	struct gfs_error err = { 0 };
	struct gfs_cache *cache;
	struct gfs_buf *buf;

	T_EQ(gfs_cache_new(&cache, dev, 1000, 0, &err), -EINVAL);
	T_EQ(gfs_cache_new(&cache, dev, 256, 0, NULL), -EINVAL);
	T_EQ(gfs_cache_new(&cache, dev, 131072, 0, NULL), -EINVAL);
	T_OK(!cache);
	gfs_cache_free(cache);
	T_EQ(gfs_cache_new(&cache, dev, BSIZE, 0, &err), 0);
	/* The device has 100 bytes of this one. */
	T_EQ(gfs_buf_get(cache, BLOCKS, &buf), -GFS_ESHORT);
	T_OK(!buf);
	T_EQ(err.blk, BLOCKS);
	T_EQ(err.code, -GFS_ESHORT);
	/* Times 512 this is 512 modulo 2^64. */
	T_EQ(gfs_buf_get(cache, (1ULL << 55) + 1, &buf), -GFS_ESHORT);
	gfs_cache_free(cache);
}

static void test_read_error_is_not_kept(struct gfs_dev *dev)
{
	struct gfs_fault_plan plan = { .fail_read = 1 };
	struct gfs_dev *fault;
	struct gfs_cache *cache;
	struct gfs_buf *buf;

	T_EQ(gfs_dev_fault_open(&fault, dev, &plan), 0);
	T_EQ(gfs_cache_new(&cache, fault, BSIZE, 0, NULL), 0);
	T_EQ(gfs_buf_get(cache, 3, &buf), -EIO);
	T_EQ(gfs_buf_get(cache, 3, &buf), 0);
	T_EQ(number_in(buf), 3);
	gfs_buf_put(buf);
	gfs_cache_free(cache);
	gfs_dev_close(fault);
}

static void test_add_and_drop(struct gfs_dev *dev)
{
	uint64_t data[BSIZE / 8] = { 1234 };
	struct gfs_cache *cache;
	struct gfs_buf *a, *b;
	uint64_t before;

	T_EQ(gfs_cache_new(&cache, dev, BSIZE, 0, NULL), 0);
	before = dev->stats.reads;
	T_EQ(gfs_cache_add(cache, 5, data), 0);
	data[0] = 99;
	T_EQ(gfs_cache_add(cache, 5, data), 0);
	T_EQ(gfs_buf_get(cache, 5, &a), 0);
	T_EQ(number_in(a), 1234);
	T_EQ(dev->stats.reads, before);
	T_EQ(gfs_buf_get(cache, 6, &b), 0);
	gfs_buf_put(b);
	gfs_cache_drop(cache);
	/* The borrowed one stays, the other is read anew. */
	T_EQ(number_in(a), 1234);
	T_EQ(gfs_buf_get(cache, 6, &b), 0);
	T_EQ(dev->stats.reads, before + 2);
	gfs_buf_put(b);
	gfs_buf_put(a);
	gfs_cache_drop(cache);
	T_EQ(gfs_buf_get(cache, 5, &a), 0);
	T_EQ(number_in(a), 5);
	gfs_buf_put(a);
	gfs_cache_free(cache);
}

/* All blocks borrowed at once, several times over, through a tiny cache. */
static void test_many(struct gfs_dev *dev)
{
	static struct gfs_buf *bufs[BLOCKS];
	struct gfs_cache *cache;
	bool good = true;

	T_EQ(gfs_cache_new(&cache, dev, BSIZE, 16, NULL), 0);
	for (int round = 0; round < 3; round++) {
		for (uint64_t b = 0; b < BLOCKS; b++)
			good = good && !gfs_buf_get(cache, b, &bufs[b]);
		for (uint64_t b = 0; b < BLOCKS; b++)
			good = good && number_in(bufs[b]) == b;
		for (uint64_t b = 0; b < BLOCKS; b++)
			gfs_buf_put(bufs[b * 7 % BLOCKS]);
	}
	T_OK(good);
	gfs_cache_free(cache);
}

int main(void)
{
	struct gfs_dev *dev = numbered_device();

	if (!T_OK(dev))
		return t_done();
	test_borrow(dev);
	test_errors(dev);
	test_read_error_is_not_kept(dev);
	test_add_and_drop(dev);
	test_many(dev);
	gfs_dev_close(dev);
	return t_done();
}
