// SPDX-License-Identifier: GPL-2.0-or-later
/* Unit tests of the overlay, its block map and its arena. */
#include "../../libgfs/io/overlay.h"

#include "t.h"

#include <errno.h>
#include <stdlib.h>

enum { BSIZE = 512, BLOCKS = 300 };

static uint8_t base_byte(uint64_t off)
{
	return (uint8_t)(off * 2654435761U >> 13);
}

static struct gfs_dev *make_base(uint64_t size)
{
	struct gfs_dev *base;
	uint8_t *buf = malloc(size);

	if (!buf || gfs_dev_mem_open(&base, size))
		abort();
	for (uint64_t i = 0; i < size; i++)
		buf[i] = base_byte(i);
	if (gfs_dev_write(base, buf, size, 0))
		abort();
	free(buf);
	return base;
}

static void test_basics(void)
{
	struct gfs_dev *base = make_base(BSIZE * 4 + 100);
	struct gfs_dev *dev;
	uint8_t buf[BSIZE * 4];
	uint64_t blk = 0;
	uint64_t writes;

	T_EQ(gfs_dev_overlay_open(&dev, base, 500, 0), -EINVAL);
	T_OK(!dev);
	base->readonly = true;
	writes = base->stats.writes;
	T_EQ(gfs_dev_overlay_open(&dev, base, BSIZE, 0), 0);
	T_STR(dev->ops->kind, "overlay");
	T_EQ(dev->size, BSIZE * 4 + 100);
	T_EQ(gfs_dev_fd(dev), -1);
	T_EQ(gfs_overlay_next(dev, &blk, buf), 0);
	/* The end of block 1, all of 2, the start of 3. */
	memset(buf, 0xEE, sizeof(buf));
	T_EQ(gfs_dev_write(dev, buf, 4 + BSIZE + 6, 2 * BSIZE - 4), 0);
	T_EQ(gfs_overlay_count(dev), 3);
	T_EQ(gfs_dev_flush(dev), 0);
	T_EQ(gfs_dev_discard(dev, 0, BSIZE), 0);
	memset(buf, 0, sizeof(buf));
	T_EQ(gfs_dev_read(dev, buf, sizeof(buf), 0), 0);
	T_EQ(buf[0], base_byte(0));
	T_EQ(buf[2 * BSIZE - 5], base_byte(2 * BSIZE - 5));
	T_EQ(buf[2 * BSIZE - 4], 0xEE);
	T_EQ(buf[3 * BSIZE + 5], 0xEE);
	T_EQ(buf[3 * BSIZE + 6], base_byte(3 * BSIZE + 6));
	T_EQ(gfs_dev_read(base, buf, 1, 2 * BSIZE), 0);
	T_EQ(buf[0], base_byte(2 * BSIZE));
	T_EQ(base->stats.writes, writes);
	/* The last, incomplete block. */
	T_EQ(gfs_dev_write(dev, "z", 1, 4 * BSIZE + 99), 0);
	T_EQ(gfs_dev_write(dev, "z", 1, 4 * BSIZE + 100), -GFS_ESHORT);
	blk = 4;
	T_EQ(gfs_overlay_next(dev, &blk, buf), 1);
	T_EQ(blk, 4);
	T_EQ(buf[98], base_byte(4 * BSIZE + 98));
	T_EQ(buf[99], 'z');
	T_EQ(buf[100], 0);
	blk = 5;
	T_EQ(gfs_overlay_next(dev, &blk, NULL), 0);
	blk = UINT64_MAX;
	T_EQ(gfs_overlay_next(dev, &blk, NULL), 0);
	gfs_overlay_reset(dev);
	T_EQ(gfs_overlay_count(dev), 0);
	T_EQ(gfs_dev_read(dev, buf, 1, 2 * BSIZE), 0);
	T_EQ(buf[0], base_byte(2 * BSIZE));
	gfs_dev_close(dev);
	gfs_dev_close(base);
}

/* Random reads and writes against a plain array. */
static void test_random(size_t memory)
{
	enum { SIZE = BSIZE * BLOCKS + 77 };
	static uint8_t model[SIZE], buf[SIZE];
	struct gfs_dev *base = make_base(SIZE);
	struct gfs_dev *dev;
	bool good = true;

	srand(42);
	if (gfs_dev_read(base, model, SIZE, 0) ||
	    gfs_dev_overlay_open(&dev, base, BSIZE, memory))
		abort();
	for (int round = 0; round < 2000; round++) {
		size_t off = (size_t)rand() % SIZE;
		size_t len = (size_t)rand() % gfs_min(SIZE - off, 3000);
		struct iovec iov[2] = { { model + off, len / 3 },
					{ model + off + len / 3,
					  len - len / 3 } };

		if (round % 3)
			memset(model + off, round, len);
		good = good && !gfs_dev_writev(dev, iov, 2, off);
		off = (size_t)rand() % SIZE;
		iov[0].iov_base = buf;
		iov[0].iov_len = (SIZE - off) / 2;
		iov[1].iov_base = buf + (SIZE - off) / 2;
		iov[1].iov_len = SIZE - off - (SIZE - off) / 2;
		good = good && !gfs_dev_readv(dev, iov, 2, off) &&
		       !memcmp(buf, model + off, SIZE - off);
	}
	T_OK(good);
	gfs_dev_close(dev);
	gfs_dev_close(base);
}

/* Written blocks come back in ascending order, however they were written. */
static void test_iterate(uint64_t n, size_t memory)
{
	struct gfs_dev *base, *dev;
	uint64_t word[BSIZE / 8] = { 0 };
	uint64_t blk = 0, seen = 0;
	bool good = true;

	if (gfs_dev_mem_open(&base, n * 7 * BSIZE) ||
	    gfs_dev_overlay_open(&dev, base, BSIZE, memory))
		abort();
	for (uint64_t i = 0; i < n; i++) {
		word[0] = i * 48271 % n * 7;
		good = good && !gfs_dev_write(dev, word, BSIZE,
					      word[0] * BSIZE);
	}
	T_OK(good);
	T_EQ(gfs_overlay_count(dev), n);
	for (; gfs_overlay_next(dev, &blk, word) == 1; blk++, seen++)
		good = good && blk == seen * 7 && word[0] == blk;
	T_OK(good);
	T_EQ(seen, n);
	gfs_dev_close(dev);
	gfs_dev_close(base);
}

/* Blocks written during the walk are met when they lie ahead. */
static void test_iterate_and_write(void)
{
	struct gfs_dev *base, *dev;
	uint64_t blk = 0, sum = 0;
	int rc = 0;

	if (gfs_dev_mem_open(&base, 5000 * BSIZE) ||
	    gfs_dev_overlay_open(&dev, base, BSIZE, 0))
		abort();
	rc |= gfs_dev_write(dev, "x", 1, 1000 * BSIZE);
	for (; !rc && gfs_overlay_next(dev, &blk, NULL) == 1; blk++) {
		sum++;
		if (blk < 4000)
			rc |= gfs_dev_write(dev, "x", 1, (blk + 1) * BSIZE);
		rc |= gfs_dev_write(dev, "x", 1, (blk - 1000) / 4 * BSIZE);
	}
	T_EQ(rc, 0);
	T_EQ(sum, 3001);
	gfs_dev_close(dev);
	gfs_dev_close(base);
}

static void test_no_spill_directory(void)
{
	struct gfs_dev *base, *dev;

	if (gfs_dev_mem_open(&base, 1 << 20) ||
	    gfs_dev_overlay_open(&dev, base, BSIZE, 1))
		abort();
	setenv("TMPDIR", "/nonexistent", 1);
	T_EQ(gfs_dev_write(dev, "x", 1, 0), -ENOENT);
	T_EQ(gfs_overlay_count(dev), 0);
	unsetenv("TMPDIR");
	T_EQ(gfs_dev_write(dev, "x", 1, 0), 0);
	T_EQ(gfs_overlay_count(dev), 1);
	gfs_dev_close(dev);
	gfs_dev_close(base);
}

int main(void)
{
	test_basics();
	test_random(0);
	test_random(1); /* all in the temporary file */
	test_iterate(100000, 0);
	test_iterate(10007, 2 << 20); /* less than half in memory */
	test_iterate_and_write();
	test_no_spill_directory();
	return t_done();
}
