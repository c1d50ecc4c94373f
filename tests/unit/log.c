// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Unit tests of the journal writer: layout in the journal, limits, and what
 * a power cut leaves at any point, also when unflushed writes get lost.
 */
#include "logdisk.h"
#include "../../libgfs/io/fault.h"

#include "t.h"

#include <errno.h>

enum { META = 70, JDATA = 40, N = META + JDATA };

static struct logdisk disk;
static uint8_t new_bytes[N][LD_BSIZE];
static struct gfs_log_block new_blocks[N];

/* Metadata and data mixed, some data beginning with the magic. */
static void make_blocks(void)
{
	for (size_t i = 0; i < N; i++) {
		bool meta = i % 11 < 7;

		memset(new_bytes[i], (int)i, LD_BSIZE);
		if (meta || i % 3 == 0)
			memcpy(new_bytes[i], "\x01\x16\x19\x70", 4);
		new_blocks[i] = (struct gfs_log_block){
			.blk = i < 20 ? 100 + i : 501 + 3 * i,
			.data = new_bytes[i],
			.is_meta = meta,
		};
	}
}

/* 1: all new, 0: all old, -1: neither. Blocks outside must be as ever. */
static int state_of(struct gfs_dev *dev)
{
	uint8_t block[LD_BSIZE];
	size_t olds = 0, news = 0;

	for (size_t i = 0; i < N; i++) {
		uint64_t blk = new_blocks[i].blk;

		ld_read(dev, blk, block);
		news += !memcmp(block, new_bytes[i], LD_BSIZE);
		olds += !memcmp(block, disk.old + blk * LD_BSIZE, LD_BSIZE);
	}
	for (uint64_t blk = 0; blk < 100; blk++) {
		ld_read(dev, blk, block);
		if (memcmp(block, disk.old + blk * LD_BSIZE, LD_BSIZE))
			return -1;
	}
	return news == N ? 1 : olds == N ? 0 : -1;
}

static void test_need(void)
{
	struct gfs_log log = { .nblocks = 2048 };
	struct gfs_geom g;

	/* 4 KiB: 503 tags, 251 of data, 509 revokes in a continuation. */
	T_EQ(gfs_geom_init(&g, 4096), 0);
	T_EQ(gfs_log_need(&g, 0, 0, 0), 2);
	T_EQ(gfs_log_need(&g, 1, 0, 0), 4);
	T_EQ(gfs_log_need(&g, 503, 251, 503), 503 + 1 + 251 + 1 + 1 + 2);
	T_EQ(gfs_log_need(&g, 504, 252, 504), 504 + 2 + 252 + 2 + 2 + 2);
	T_EQ(gfs_log_need(&g, 0, 0, 503 + 509), 4);
	T_EQ(gfs_log_need(&g, 0, 0, 503 + 510), 5);
	T_EQ(gfs_log_limit(&log), 2044);
	log.nblocks = 3;
	T_EQ(gfs_log_limit(&log), 0);
}

static void expect_desc(const uint8_t *b, uint32_t type, uint32_t length,
			uint32_t n)
{
	T_EQ(ld_be32(b), LD_MAGIC);
	T_EQ(ld_be32(b + 4), 9);
	T_EQ(ld_be32(b + 16), 900);
	T_EQ(ld_be32(b + 24), type);
	T_EQ(ld_be32(b + 28), length);
	T_EQ(ld_be32(b + 32), n);
}

static void expect_header(const uint8_t *b, uint32_t pos, uint64_t sequence,
			  uint32_t flags, uint32_t tail)
{
	T_OK(ld_is_header(b, pos));
	T_EQ(ld_be64(b + 24), sequence);
	T_EQ(ld_be32(b + 32), flags);
	T_EQ(ld_be32(b + 36), tail);
	T_EQ(ld_be64(b + 56), 1234567890);
	T_EQ(ld_be64(b + 64), disk.map[pos]);
	T_EQ(ld_be64(b + 72), 77);
	T_EQ(ld_be64(b + 80) | ld_be64(b + 88) | ld_be64(b + 96) |
		     ld_be64(b + 104) | ld_be64(b + 112),
	     0);
}

static void read_pos(struct gfs_dev *dev, uint32_t pos, uint8_t *b)
{
	ld_read(dev, disk.map[pos % LD_JBLOCKS], b);
}

/* Every block of a small transaction that wraps, looked at. */
static void test_layout(void)
{
	struct gfs_log_block blocks[3] = { new_blocks[1], new_blocks[8],
					   new_blocks[18] };
	struct gfs_dev *dev = ld_copy(&disk);
	struct gfs_log log = ld_log(&disk, dev, 196);
	uint64_t revokes[60];
	uint8_t b[LD_BSIZE], copy[LD_BSIZE];

	for (uint64_t i = 0; i < 60; i++)
		revokes[i] = 1900 - i;
	T_EQ(gfs_log_commit(&log, blocks, 3, revokes, 60, GFS_LOG_CLEAN), 0);
	/* Blocks 8 and 18 are data, 18 begins with the magic. */
	read_pos(dev, 197, b);
	expect_desc(b, 302, 3, 2);
	T_EQ(ld_be64(b + 72), 108);
	T_EQ(ld_be64(b + 80), 0);
	T_EQ(ld_be64(b + 88), 118);
	T_EQ(ld_be64(b + 96), 1);
	read_pos(dev, 198, b);
	T_OK(!memcmp(b, new_bytes[8], LD_BSIZE));
	read_pos(dev, 199, b);
	memcpy(copy, new_bytes[18], LD_BSIZE);
	memset(copy, 0, 4);
	T_OK(!memcmp(b, copy, LD_BSIZE));
	read_pos(dev, 200, b);
	expect_desc(b, 300, 2, 1);
	T_EQ(ld_be64(b + 72), 101);
	read_pos(dev, 201, b);
	T_OK(!memcmp(b, new_bytes[1], LD_BSIZE));
	read_pos(dev, 202, b);
	expect_desc(b, 301, 2, 60);
	T_EQ(ld_be64(b + 72), 1900);
	T_EQ(ld_be64(b + 72 + 8 * 54), 1900 - 54);
	read_pos(dev, 203, b);
	T_EQ(ld_be32(b), LD_MAGIC);
	T_EQ(ld_be32(b + 4), 12);
	T_EQ(ld_be32(b + 16), 1000);
	T_EQ(ld_be64(b + 24), 1900 - 55);
	T_EQ(ld_be64(b + 24 + 8 * 4), 1900 - 59);
	T_EQ(ld_be64(b + 24 + 8 * 5), 0);
	read_pos(dev, 204, b);
	expect_header(b, 4, 1001, 0x80000002, 197);
	read_pos(dev, 205, b);
	expect_header(b, 5, 1002, 0x80000001, 5);
	T_EQ(log.sequence, 1002);
	T_EQ(log.pos, 5);
	gfs_dev_close(dev);
}

static void test_stages(void)
{
	for (int stage = GFS_LOG_COMMITTED; stage <= GFS_LOG_CLEAN; stage++) {
		struct gfs_dev *dev = ld_copy(&disk);
		struct gfs_log log = ld_log(&disk, dev, 150);

		T_EQ(gfs_log_commit(&log, new_blocks, N, NULL, 0,
				    (enum gfs_log_stage)stage),
		     0);
		T_EQ(state_of(dev), stage != GFS_LOG_COMMITTED);
		T_EQ(ld_head(&disk, dev), log.pos);
		T_EQ(ld_replay(&disk, dev), stage != GFS_LOG_CLEAN);
		T_EQ(state_of(dev), 1);
		gfs_dev_close(dev);
	}
}

/* Exactly as much as the limit allows, then one more. */
static void test_full(void)
{
	enum { MAX = LD_JBLOCKS - 4 - 2 - 4 }; /* 4 descriptors of 55 tags */
	static struct gfs_log_block blocks[MAX + 1];
	struct gfs_dev *dev = ld_copy(&disk);
	struct gfs_log log = ld_log(&disk, dev, 77);
	uint8_t b[LD_BSIZE];
	uint64_t writes, good = 0;

	for (size_t i = 0; i <= MAX; i++) {
		blocks[i] = new_blocks[0];
		blocks[i].blk = 1200 + i;
	}
	writes = dev->stats.writes;
	T_EQ(gfs_log_commit(&log, blocks, MAX + 1, NULL, 0, GFS_LOG_CLEAN),
	     -GFS_EFULL);
	T_EQ(dev->stats.writes, writes);
	T_EQ(gfs_log_commit(&log, blocks, MAX, NULL, 0, GFS_LOG_COMMITTED), 0);
	T_EQ(log.pos, (77 + MAX + 4 + 1) % LD_JBLOCKS);
	T_EQ(ld_replay(&disk, dev), 1);
	for (size_t i = 0; i < MAX; i++) {
		ld_read(dev, 1200 + i, b);
		good += !memcmp(b, new_bytes[0], LD_BSIZE);
	}
	T_EQ(good, MAX);
	gfs_dev_close(dev);
}

static void test_refusals(void)
{
	struct gfs_log_block two[2] = { new_blocks[0], new_blocks[0] };
	struct gfs_dev *dev = ld_copy(&disk);
	struct gfs_log log = ld_log(&disk, dev, 3);
	uint64_t writes = dev->stats.writes;

	T_EQ(gfs_log_commit(&log, NULL, 0, NULL, 0, GFS_LOG_CLEAN), 0);
	T_EQ(gfs_log_commit(&log, two, 2, NULL, 0, GFS_LOG_CLEAN), -EINVAL);
	two[1].blk = disk.map[100];
	T_EQ(gfs_log_commit(&log, two, 2, NULL, 0, GFS_LOG_CLEAN), -EINVAL);
	two[1].blk = LD_BLOCKS;
	T_EQ(gfs_log_commit(&log, two, 2, NULL, 0, GFS_LOG_CLEAN), -EINVAL);
	two[1].blk = LD_BLOCKS - 1;
	two[1].data = new_bytes[7];
	T_EQ(gfs_log_commit(&log, two, 2, NULL, 0, GFS_LOG_CLEAN), -EINVAL);
	dev->readonly = true;
	T_EQ(gfs_log_commit(&log, two, 1, NULL, 0, GFS_LOG_CLEAN),
	     -GFS_EREADONLY);
	T_EQ(dev->stats.writes, writes);
	T_EQ(log.sequence, 1000);
	gfs_dev_close(dev);
}

/* The power goes at every write, with whole and torn last writes. */
static void test_power_cut(void)
{
	static const uint32_t torn[] = { 0, 512, 5120, 100 };
	int last = 0, seen_new = 0, bad = 0, back = 0;

	for (uint64_t k = 1; k < 1000; k++) {
		struct gfs_fault_plan plan = { .stop_write = k + 1,
					       .torn = torn[k % 4] };
		struct gfs_dev *base = ld_copy(&disk), *dev;
		struct gfs_log log;
		int rc, state;

		if (gfs_dev_fault_open(&dev, base, &plan))
			abort();
		log = ld_log(&disk, dev, 120);
		rc = gfs_log_commit(&log, new_blocks, N, NULL, 0,
				    GFS_LOG_CLEAN);
		rc = rc ? rc : ld_replay(&disk, base);
		state = state_of(base);
		bad += rc < 0 || state < 0;
		back += state == 0 && last == 1;
		seen_new += state == 1;
		last = state;
		rc = dev->stats.writes < k + 1;
		gfs_dev_close(dev);
		gfs_dev_close(base);
		if (rc)
			break;
	}
	T_EQ(bad, 0);
	T_EQ(back, 0);
	T_OK(seen_new > 10);
}

/* A device that notes its writes, block by block, and its flushes. */
struct note {
	uint64_t blk;
	unsigned int epoch; /* flushes before it */
	uint8_t bytes[LD_BSIZE];
};

static struct note notes[2000];
static size_t n_notes;
static unsigned int epoch;

static int note_write(struct gfs_dev *dev, const struct iovec *iov, int n,
		      uint64_t off)
{
	(void)dev;
	for (int i = 0; i < n; i++, off += LD_BSIZE) {
		struct note *note = &notes[n_notes++];

		if (iov[i].iov_len != LD_BSIZE || off % LD_BSIZE)
			return -EINVAL;
		note->blk = off / LD_BSIZE;
		note->epoch = epoch;
		memcpy(note->bytes, iov[i].iov_base, LD_BSIZE);
	}
	return 0;
}

static int note_flush(struct gfs_dev *dev)
{
	(void)dev;
	epoch++;
	return 0;
}

static const struct gfs_dev_ops note_ops = {
	.kind = "notes",
	.write = note_write,
	.flush = note_flush,
};

/*
 * Writes after the last flush may reach the disk in any order or not at all:
 * random subsets of one epoch on top of all before it.
 */
static void test_lost_writes(void)
{
	struct gfs_dev dev = { .ops = &note_ops,
			       .size = LD_BLOCKS * LD_BSIZE };
	struct gfs_log log = ld_log(&disk, &dev, 120);
	int bad = 0, states[2] = { 0, 0 };

	n_notes = 0;
	T_EQ(gfs_log_commit(&log, new_blocks, N, NULL, 0, GFS_LOG_CLEAN), 0);
	T_EQ(epoch, 4);
	srand(7);
	for (int round = 0; round < 400; round++) {
		unsigned int cut = (unsigned int)rand() % 4;
		int part = rand() % 5; /* of 4 writes: how many get lost */
		struct gfs_dev *copy = ld_copy(&disk);
		int state, rc;

		ld_log(&disk, copy, 120);
		for (size_t i = 0; i < n_notes; i++) {
			const struct note *w = &notes[i];

			if (w->epoch > cut ||
			    (w->epoch == cut && rand() % 4 < part))
				continue;
			if (gfs_dev_write(copy, w->bytes, LD_BSIZE,
					  w->blk * LD_BSIZE))
				abort();
		}
		rc = ld_replay(&disk, copy);
		state = state_of(copy);
		bad += rc < 0 || state < 0 || (cut > 1 && !state);
		states[state == 1]++;
		gfs_dev_close(copy);
	}
	T_EQ(bad, 0);
	T_OK(states[0] > 50 && states[1] > 50);
}

/* An error of the device at any write: reported, and recoverable as well. */
static void test_write_errors(void)
{
	int bad = 0, failures = 0;

	for (uint64_t k = 1; k < 1000; k++) {
		struct gfs_fault_plan plan = { .fail_write = k + 1,
					       .fail_after = true };
		struct gfs_dev *base = ld_copy(&disk), *dev;
		struct gfs_log log;
		int rc;

		if (gfs_dev_fault_open(&dev, base, &plan))
			abort();
		log = ld_log(&disk, dev, 120);
		rc = gfs_log_commit(&log, new_blocks, N, NULL, 0,
				    GFS_LOG_CLEAN);
		failures += rc == -EIO;
		bad += (rc && rc != -EIO) || ld_replay(&disk, base) < 0 ||
		       state_of(base) < 0;
		gfs_dev_close(dev);
		gfs_dev_close(base);
		if (!rc)
			break;
	}
	T_EQ(bad, 0);
	T_OK(failures > 10);
}

int main(void)
{
	ld_init(&disk, 120);
	make_blocks();
	test_need();
	test_layout();
	test_stages();
	test_full();
	test_refusals();
	test_power_cut();
	test_lost_writes();
	test_write_errors();
	gfs_dev_close(disk.dev);
	return t_done();
}
