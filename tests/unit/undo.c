// SPDX-License-Identifier: GPL-2.0-or-later
/* Unit tests of undo files: writer, player, damage. */
#include "../../libgfs/io/fault.h"
#include "../../libgfs/io/undo.h"

#include "t.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BSIZE = 512, BLOCKS = 3000, RECORD = 40 + BSIZE, START = 4096 };

static char path[] = "/tmp/gfs-undo-XXXXXX/undo";
static char dir[] = "/tmp/gfs-undo-XXXXXX";

static struct gfs_dev *numbered_device(void)
{
	struct gfs_dev *dev;

	if (gfs_dev_mem_open(&dev, BSIZE * BLOCKS))
		abort();
	for (uint64_t b = 0; b < BLOCKS; b++)
		if (gfs_dev_write(dev, &b, sizeof(b), b * BSIZE))
			abort();
	return dev;
}

/* Blocks that do not have the number they began with. */
static uint64_t changed_blocks(struct gfs_dev *dev)
{
	uint64_t v, sum = 0;

	for (uint64_t b = 0; b < BLOCKS; b++)
		sum += gfs_dev_read(dev, &v, sizeof(v), b * BSIZE) || v != b;
	return sum;
}

static void overwrite(struct gfs_dev *dev, const uint64_t *blks, size_t n,
		      uint64_t v)
{
	for (size_t i = 0; i < n; i++)
		if (gfs_dev_write(dev, &v, sizeof(v), blks[i] * BSIZE))
			abort();
}

static off_t file_size(void)
{
	struct stat st;

	return stat(path, &st) ? -1 : st.st_size;
}

static void flip_byte(off_t at)
{
	int fd = open(path, O_RDWR);
	uint8_t c;

	if (fd < 0 || pread(fd, &c, 1, at) != 1)
		abort();
	c ^= 0xFF;
	if (pwrite(fd, &c, 1, at) != 1)
		abort();
	close(fd);
}

/*
 * Three batches, {1, 5, 9}, {5, 7} (5 is known already), all blocks; each
 * overwritten after it was saved. Returns the records that makes.
 */
static uint64_t run_three(struct gfs_dev *dev, bool close_it)
{
	static const uint64_t one[] = { 1, 5, 9 }, two[] = { 5, 7 };
	static uint64_t all[BLOCKS];
	struct gfs_undo *undo;
	struct gfs_error err;

	unlink(path);
	for (uint64_t b = 0; b < BLOCKS; b++)
		all[b] = b;
	T_EQ(gfs_undo_create(&undo, path, dev, BSIZE, &err), 0);
	T_EQ(gfs_undo_save(undo, one, 3), 0);
	T_EQ(file_size(), START + 3 * RECORD);
	overwrite(dev, one, 3, 1111);
	T_EQ(gfs_undo_save(undo, two, 2), 0);
	overwrite(dev, two, 2, 2222);
	T_EQ(file_size(), START + 4 * RECORD);
	T_EQ(gfs_undo_save(undo, all, BLOCKS), 0);
	overwrite(dev, all, BLOCKS, 33333333);
	if (close_it) {
		T_EQ(gfs_undo_close(undo), 0);
		return BLOCKS;
	}
	/* As after a crash: what closing notes is taken back. */
	{
		uint8_t head[START];
		int fd = open(path, O_RDWR);

		if (fd < 0 || pread(fd, head, START, 0) != START)
			abort();
		T_EQ(gfs_undo_close(undo), 0);
		if (pwrite(fd, head, START, 0) != START)
			abort();
		close(fd);
	}
	return BLOCKS;
}

static void test_round_trip(bool close_it)
{
	struct gfs_dev *dev = numbered_device();
	uint64_t records = run_three(dev, close_it), blocks = 0;
	struct gfs_error err = { 0 };

	T_EQ(file_size(), START + (off_t)records * RECORD);
	T_EQ(changed_blocks(dev), BLOCKS);
	T_EQ(gfs_undo_play(path, dev, &blocks, &err), 0);
	T_EQ(blocks, BLOCKS);
	T_EQ(changed_blocks(dev), 0);
	gfs_dev_close(dev);
}

/* Damage at a byte; nothing may be written to the device then. */
static void damaged_at(struct gfs_dev *dev, off_t at, const char *text)
{
	struct gfs_error err = { 0 };
	uint64_t blocks, writes = dev->stats.writes;

	flip_byte(at);
	T_EQ(gfs_undo_play(path, dev, &blocks, &err), -GFS_EUNDO);
	T_OK(strstr(err.text, text));
	T_OK(strstr(err.text, path));
	T_EQ(blocks, 0);
	T_EQ(dev->stats.writes, writes);
	flip_byte(at);
}

static void test_damage(void)
{
	struct gfs_dev *dev = numbered_device();
	struct gfs_dev *small;
	struct gfs_error err = { 0 };
	uint64_t blocks;

	run_three(dev, true);
	damaged_at(dev, 0, "not an undo file");
	damaged_at(dev, 11, "unknown version");
	damaged_at(dev, 20, "header is damaged");
	damaged_at(dev, START, "record 0 is damaged");
	damaged_at(dev, START + RECORD + 100, "record 1 is damaged");
	damaged_at(dev, file_size() - 1, "record 2999 is damaged");
	T_EQ(gfs_dev_mem_open(&small, BSIZE * (BLOCKS - 1)), 0);
	T_EQ(gfs_undo_play(path, small, &blocks, &err), -GFS_EUNDO);
	T_OK(strstr(err.text, "another size"));
	gfs_dev_close(small);
	T_EQ(truncate(path, file_size() - 1), 0);
	T_EQ(gfs_undo_play(path, dev, &blocks, &err), -GFS_EUNDO);
	T_OK(strstr(err.text, "missing at the end"));
	T_EQ(truncate(path, 10), 0);
	T_EQ(gfs_undo_play(path, dev, &blocks, &err), -GFS_EUNDO);
	unlink(path);
	T_EQ(gfs_undo_play(path, dev, &blocks, &err), -ENOENT);
	gfs_dev_close(dev);
}

/*
 * A writer that did not end: its last batch may be torn anywhere, because
 * nothing of it was overwritten; an earlier one may not.
 */
static void test_power_cut(void)
{
	struct gfs_dev *dev = numbered_device();
	struct gfs_error err = { 0 };
	uint64_t blocks;

	run_three(dev, false);
	T_EQ(truncate(path, START + 2000 * RECORD + 77), 0);
	flip_byte(START + 4 * RECORD + 200); /* first of the third batch */
	flip_byte(START + 900 * RECORD + 9);
	T_EQ(gfs_undo_play(path, dev, &blocks, &err), 0);
	T_EQ(blocks, 1998);
	T_EQ(changed_blocks(dev), BLOCKS - 1998);
	damaged_at(dev, START + 3 * RECORD + 200, "record 3 is damaged");
	T_EQ(truncate(path, START + 5 * RECORD), 0);
	/* Now nothing sound is behind the second batch. */
	flip_byte(START + 3 * RECORD + 200);
	T_EQ(gfs_undo_play(path, dev, &blocks, &err), 0);
	T_EQ(blocks, 3);
	T_EQ(truncate(path, START - 1), 0);
	T_EQ(gfs_undo_play(path, dev, &blocks, &err), 0);
	T_EQ(blocks, 0);
	gfs_dev_close(dev);
	unlink(path);
}

static void test_refusals(void)
{
	const uint64_t behind[] = { BLOCKS }, bad[] = { 3, 4, 5 };
	const struct gfs_fault_plan plan = { .bad_from = 4 * BSIZE,
					     .bad_to = 5 * BSIZE };
	struct gfs_dev *dev = numbered_device(), *fault;
	struct gfs_error err = { 0 };
	struct gfs_undo *undo;
	uint64_t blocks;

	T_EQ(gfs_undo_create(&undo, "/nonexistent/undo", dev, BSIZE, &err),
	     -ENOENT);
	T_OK(strstr(err.text, "/nonexistent/undo"));
	T_EQ(gfs_undo_create(&undo, path, dev, 500, &err), -EINVAL);
	T_EQ(gfs_dev_fault_open(&fault, dev, &plan), 0);
	T_EQ(gfs_undo_create(&undo, path, fault, BSIZE, &err), 0);
	T_EQ(gfs_undo_save(undo, behind, 1), -GFS_ESHORT);
	T_EQ(gfs_undo_save(undo, bad, 3), -EIO);
	/* 3 was read in vain and has to be saved now. */
	T_EQ(gfs_undo_save(undo, bad, 1), 0);
	T_EQ(gfs_undo_close(undo), 0);
	T_EQ(gfs_undo_close(NULL), 0);
	T_EQ(gfs_undo_create(&undo, path, dev, BSIZE, &err), -EEXIST);
	T_OK(!undo);
	dev->readonly = true;
	T_EQ(gfs_undo_play(path, dev, &blocks, &err), -GFS_EREADONLY);
	dev->readonly = false;
	overwrite(dev, bad, 3, 88);
	T_EQ(gfs_undo_play(path, dev, &blocks, &err), 0);
	T_EQ(blocks, 1);
	T_EQ(changed_blocks(dev), 2);
	gfs_dev_close(fault);
	gfs_dev_close(dev);
	unlink(path);
}

int main(void)
{
	if (!mkdtemp(dir))
		return 99;
	memcpy(path, dir, sizeof(dir) - 1);
	test_round_trip(true);
	test_round_trip(false);
	test_damage();
	test_power_cut();
	test_refusals();
	rmdir(dir);
	return t_done();
}
