// SPDX-License-Identifier: GPL-2.0-or-later
/* Unit tests of transactions, plain and through a journal. */
#include "../../libgfs/io/txn.h"
#include "../../libgfs/format/blocktype.h"
#include "../../libgfs/io/fault.h"
#include "../../libgfs/io/undo.h"
#include "logdisk.h"

#include "t.h"

#include <errno.h>
#include <unistd.h>

static struct logdisk disk;
static struct gfs_error err;
static char dir[] = "/tmp/gfs-txn-XXXXXX";

static struct gfs_cache *make_cache(struct gfs_dev *dev)
{
	struct gfs_cache *cache;

	if (gfs_cache_new(&cache, dev, LD_BSIZE, 0, &err))
		abort();
	return cache;
}

static struct gfs_txn *begin(struct gfs_cache *cache)
{
	struct gfs_txn *txn;

	if (gfs_txn_begin(&txn, cache, &disk.geom, NULL, 0))
		abort();
	return txn;
}

/* Fill a block with a byte in the transaction. */
static void edit(struct gfs_txn *txn, struct gfs_cache *cache, uint64_t blk,
		 int byte)
{
	struct gfs_buf *buf;
	void *data;

	if (gfs_buf_get(cache, blk, &buf))
		abort();
	data = gfs_txn_edit(txn, buf);
	if (!data)
		abort();
	memset(data, byte, LD_BSIZE);
	gfs_buf_put(buf);
}

static bool dev_has(struct gfs_dev *dev, uint64_t blk, int byte)
{
	uint8_t b[LD_BSIZE], want[LD_BSIZE];

	memset(want, byte, LD_BSIZE);
	ld_read(dev, blk, b);
	return !memcmp(b, want, LD_BSIZE);
}

static bool cache_has(struct gfs_cache *cache, uint64_t blk, int byte)
{
	struct gfs_buf *buf;
	uint8_t want[LD_BSIZE];
	bool same;

	memset(want, byte, LD_BSIZE);
	if (gfs_buf_get(cache, blk, &buf))
		return false;
	same = !memcmp(buf->data, want, LD_BSIZE);
	gfs_buf_put(buf);
	return same;
}

static bool dev_is_old(struct gfs_dev *dev, uint64_t blk)
{
	uint8_t b[LD_BSIZE];

	ld_read(dev, blk, b);
	return !memcmp(b, disk.old + blk * LD_BSIZE, LD_BSIZE);
}

static bool cache_is_old(struct gfs_cache *cache, uint64_t blk)
{
	struct gfs_buf *buf;
	bool same;

	if (gfs_buf_get(cache, blk, &buf))
		return false;
	same = !memcmp(buf->data, disk.old + blk * LD_BSIZE, LD_BSIZE);
	gfs_buf_put(buf);
	return same;
}

static void test_begin(void)
{
	struct gfs_dev *dev = ld_copy(&disk);
	struct gfs_cache *cache = make_cache(dev);
	struct gfs_txn *txn, *second;
	struct gfs_geom other;

	T_EQ(gfs_geom_init(&other, 4096), 0);
	T_EQ(gfs_txn_begin(&txn, cache, &other, NULL, 0), -EINVAL);
	T_EQ(gfs_txn_begin(&txn, cache, &disk.geom, NULL, 0), 0);
	T_EQ(gfs_txn_begin(&second, cache, &disk.geom, NULL, 0), -EBUSY);
	T_OK(!second);
	T_EQ(gfs_txn_commit(txn), 0);
	T_EQ(dev->stats.writes, 1); /* ld_copy()'s */
	T_EQ(dev->stats.flushes, 0);
	gfs_txn_abort(NULL);
	dev->readonly = true;
	T_EQ(gfs_txn_begin(&txn, cache, &disk.geom, NULL, 0),
	     -GFS_EREADONLY);
	gfs_cache_free(cache);
	gfs_dev_close(dev);
}

static void test_commit(void)
{
	struct gfs_dev *dev = ld_copy(&disk);
	struct gfs_cache *cache = make_cache(dev);
	struct gfs_txn *txn = begin(cache);
	struct gfs_buf *reader;
	uint64_t writes = dev->stats.writes;
	void *data;

	T_EQ(gfs_buf_get(cache, 52, &reader), 0);
	edit(txn, cache, 52, 1);
	edit(txn, cache, 50, 2);
	edit(txn, cache, 51, 3);
	edit(txn, cache, 52, 4);
	T_EQ(gfs_txn_fresh(txn, 90, &data), 0);
	memset(data, 5, LD_BSIZE);
	T_EQ(gfs_txn_count(txn), 4);
	T_EQ(*(const uint8_t *)reader->data, 4);
	T_OK(dev_is_old(dev, 52));
	T_EQ(gfs_txn_commit(txn), 0);
	/* 50 to 52 in one call, 90 in another. */
	T_EQ(dev->stats.writes - writes, 2);
	T_EQ(dev->stats.flushes, 1);
	T_OK(dev_has(dev, 50, 2) && dev_has(dev, 51, 3));
	T_OK(dev_has(dev, 52, 4) && dev_has(dev, 90, 5));
	T_OK(cache_has(cache, 52, 4) && cache_has(cache, 90, 5));
	gfs_buf_put(reader);
	gfs_cache_free(cache);
	gfs_dev_close(dev);
}

static void test_abort(void)
{
	struct gfs_dev *dev = ld_copy(&disk);
	struct gfs_cache *cache = make_cache(dev);
	struct gfs_txn *txn = begin(cache);
	struct gfs_buf *reader, *fresh;
	void *data;
	uint64_t reads;

	T_EQ(gfs_buf_get(cache, 60, &reader), 0);
	edit(txn, cache, 60, 1);
	edit(txn, cache, 61, 1);
	reads = dev->stats.reads;
	T_EQ(gfs_txn_fresh(txn, 62, &data), 0);
	T_EQ(gfs_txn_fresh(txn, 63, &data), 0);
	T_EQ(gfs_txn_fresh(txn, 61, &data), 0);
	T_EQ(dev->stats.reads, reads);
	T_EQ(*(uint8_t *)data, 0);
	T_EQ(gfs_txn_count(txn), 4);
	/* Somebody borrows a fresh block: has to see old bytes afterwards. */
	T_EQ(gfs_buf_get(cache, 63, &fresh), 0);
	T_EQ(gfs_txn_fresh(txn, LD_BLOCKS, &data), -GFS_ESHORT);
	T_OK(!data);
	gfs_txn_abort(txn);
	T_OK(!memcmp(reader->data, disk.old + 60 * LD_BSIZE, LD_BSIZE));
	T_OK(!memcmp(fresh->data, disk.old + 63 * LD_BSIZE, LD_BSIZE));
	for (uint64_t blk = 60; blk < 64; blk++)
		T_OK(dev_is_old(dev, blk) && cache_is_old(cache, blk));
	gfs_buf_put(reader);
	gfs_buf_put(fresh);
	gfs_cache_free(cache);
	gfs_dev_close(dev);
}

/* A resource group gets its CRC; a wrong one is refused; raw is neither. */
static void test_seal_and_verify(void)
{
	struct gfs_dev *dev = ld_copy(&disk);
	struct gfs_cache *cache = make_cache(dev);
	struct gfs_txn *txn = begin(cache);
	struct gfs2_rgrp rg, copy;
	void *data;

	T_EQ(gfs_txn_fresh(txn, 70, &data), 0);
	gfs_block_header(data, GFS2_METATYPE_RG);
	T_EQ(gfs_txn_commit(txn), 0);
	T_EQ(gfs_dev_read(dev, &rg, sizeof(rg), 70 * LD_BSIZE), 0);
	copy = rg;
	memset(&copy.rg_crc, 0, 4);
	T_EQ(be32_to_cpu(rg.rg_crc), crc32(0, (void *)&copy, 128));

	txn = begin(cache);
	edit(txn, cache, 40, 9);
	T_EQ(gfs_txn_fresh(txn, 71, &data), 0);
	gfs_block_header(data, GFS2_METATYPE_IN);
	((struct gfs2_meta_header *)data)->mh_format = cpu_to_be32(1234);
	T_EQ(gfs_txn_commit(txn), -GFS_ECORRUPT);
	T_EQ(err.blk, 71);
	T_OK(strstr(err.text, "mh_format"));
	T_OK(dev_is_old(dev, 40) && cache_is_old(cache, 40));
	T_OK(dev_is_old(dev, 71) && cache_is_old(cache, 71));

	T_EQ(gfs_txn_begin(&txn, cache, &disk.geom, NULL, GFS_TXN_RAW), 0);
	T_EQ(gfs_txn_fresh(txn, 71, &data), 0);
	gfs_block_header(data, GFS2_METATYPE_RG);
	((struct gfs2_meta_header *)data)->mh_format = cpu_to_be32(1234);
	T_EQ(gfs_txn_commit(txn), 0);
	T_EQ(gfs_dev_read(dev, &rg, sizeof(rg), 71 * LD_BSIZE), 0);
	T_EQ(be32_to_cpu(rg.rg_crc), 0);
	T_EQ(be32_to_cpu(rg.rg_header.mh_format), 1234);
	gfs_cache_free(cache);
	gfs_dev_close(dev);
}

/* File content that looks like a broken resource group stays as it is. */
static void test_data(void)
{
	struct gfs_dev *dev = ld_copy(&disk);
	struct gfs_cache *cache = make_cache(dev);
	struct gfs_log log = ld_log(&disk, dev, 20);
	uint8_t content[LD_BSIZE], b[LD_BSIZE];

	memset(content, 0xAB, LD_BSIZE);
	gfs_block_header(content, GFS2_METATYPE_RG);
	for (int logged = 0; logged < 2; logged++) {
		struct gfs_txn *txn = begin(cache);
		uint64_t blk = logged ? 72 : 73;
		void *data;

		T_EQ(gfs_txn_fresh(txn, blk, &data), 0);
		memcpy(data, content, LD_BSIZE);
		gfs_txn_set_data(txn, blk);
		T_EQ(logged ? gfs_txn_commit_logged(txn, &log) :
			      gfs_txn_commit(txn),
		     0);
		ld_read(dev, blk, b);
		T_OK(!memcmp(b, content, LD_BSIZE));
	}
	/* In the journal as data, with the magic escaped. */
	ld_read(dev, disk.map[21], b);
	T_EQ(ld_be32(b + 24), 302);
	T_EQ(ld_be64(b + 80), 1);
	gfs_cache_free(cache);
	gfs_dev_close(dev);
}

/* The 2nd of 3 calls fails: each block in the cache is what the device has. */
static void test_failure(void)
{
	struct gfs_fault_plan plan = { .fail_write = 2, .error = ENOSPC };
	struct gfs_dev *base = ld_copy(&disk), *dev;
	struct gfs_cache *cache;
	struct gfs_txn *txn;

	T_EQ(gfs_dev_fault_open(&dev, base, &plan), 0);
	cache = make_cache(dev);
	txn = begin(cache);
	for (uint64_t blk = 10; blk < 16; blk += 2)
		edit(txn, cache, blk, 7);
	T_EQ(gfs_txn_commit(txn), -ENOSPC);
	T_EQ(err.blk, 12);
	T_OK(dev_has(base, 10, 7) && cache_has(cache, 10, 7));
	T_OK(dev_is_old(base, 12) && cache_is_old(cache, 12));
	T_OK(dev_is_old(base, 14) && cache_is_old(cache, 14));
	/* And the cache can have the next transaction. */
	txn = begin(cache);
	edit(txn, cache, 12, 8);
	T_EQ(gfs_txn_commit(txn), 0);
	T_OK(dev_has(base, 12, 8));
	gfs_cache_free(cache);
	gfs_dev_close(dev);
	gfs_dev_close(base);
}

static void test_undo(void)
{
	struct gfs_dev *dev = ld_copy(&disk);
	struct gfs_cache *cache = make_cache(dev);
	struct gfs_log log = ld_log(&disk, dev, 20);
	struct gfs_undo *undo;
	char path[64];
	uint64_t blocks;

	snprintf(path, sizeof(path), "%s/undo", dir);
	T_EQ(gfs_undo_create(&undo, path, dev, LD_BSIZE, &err), 0);
	for (int round = 1; round < 4; round++) {
		struct gfs_txn *txn;

		T_EQ(gfs_txn_begin(&txn, cache, &disk.geom, undo, 0), 0);
		for (uint64_t blk = 0; blk < 100; blk += (uint64_t)round)
			edit(txn, cache, blk, round);
		T_EQ(round == 2 ? gfs_txn_commit_logged(txn, &log) :
				  gfs_txn_commit(txn),
		     0);
	}
	T_OK(dev_has(dev, 99, 3) && dev_has(dev, 1, 1));
	T_EQ(gfs_undo_close(undo), 0);
	T_EQ(gfs_undo_play(path, dev, &blocks, &err), 0);
	T_EQ(blocks, 100);
	gfs_cache_drop(cache);
	for (uint64_t blk = 0, good = 0; blk < 100; blk++) {
		good += dev_is_old(dev, blk) && cache_is_old(cache, blk);
		if (blk == 99)
			T_EQ(good, 100);
	}
	unlink(path);
	gfs_cache_free(cache);
	gfs_dev_close(dev);
}

enum { BIG = 450 };

/* Blocks of the big transaction: not the journal's, 128 is the superblock. */
static uint64_t big_blk(uint64_t i)
{
	return i < BIG - 2 ? 1200 + i : i == BIG - 2 ? 128 : disk.map[199];
}

/* The journal's block gets what no copy in the journal has. */
static int big_byte(uint64_t i)
{
	return i == BIG - 1 ? 9 : 6;
}

/* More than the journal holds, the superblock, and a block of the journal. */
static int commit_big(struct gfs_dev *dev, struct gfs_log *log)
{
	struct gfs_cache *cache = make_cache(dev);
	struct gfs_buf *cached;
	struct gfs_txn *txn;
	int rc;

	if (gfs_buf_get(cache, disk.map[21], &cached))
		abort();
	txn = begin(cache);
	for (uint64_t i = 0; i < BIG; i++)
		edit(txn, cache, big_blk(BIG - 1 - i),
		     big_byte(BIG - 1 - i));
	rc = gfs_txn_commit_logged(txn, log);
	if (!rc) {
		uint8_t b[LD_BSIZE];

		/* What the writer put into the journal is seen. */
		ld_read(dev, disk.map[21], b);
		rc = memcmp(cached->data, b, LD_BSIZE) ? 99 : 0;
	}
	gfs_buf_put(cached);
	gfs_cache_free(cache);
	return rc;
}

static void test_split(void)
{
	struct gfs_dev *dev = ld_copy(&disk);
	struct gfs_log log = ld_log(&disk, dev, 20);
	uint64_t good = 0;

	T_EQ(disk.geom.sb_blk, 128);
	T_EQ(commit_big(dev, &log), 0);
	for (uint64_t i = 0; i < BIG; i++)
		good += dev_has(dev, big_blk(i), big_byte(i));
	T_EQ(good, BIG);
	/* 448 of data, 187 and 7 descriptors a time: 3 times 2 headers. */
	T_EQ(log.sequence, 1006);
	T_EQ(ld_replay(&disk, dev), 0);
	gfs_dev_close(dev);
}

/*
 * At every point of a power cut a prefix of the blocks is new after replay,
 * cut only between transactions, and the unlogged ones come last of all.
 */
static void test_split_power_cut(void)
{
	uint64_t bad = 0, last = 0, steps = 0;

	for (uint64_t k = 2; k < 3000 && last < BIG; k++) {
		struct gfs_fault_plan plan = { .stop_write = k };
		struct gfs_dev *base = ld_copy(&disk), *dev;
		struct gfs_log log;
		uint64_t n = 0, i;

		if (gfs_dev_fault_open(&dev, base, &plan))
			abort();
		log = ld_log(&disk, dev, 20);
		(void)commit_big(dev, &log);
		bad += ld_replay(&disk, base) < 0;
		while (n < BIG && dev_has(base, big_blk(n), big_byte(n)))
			n++;
		for (i = n; i < BIG; i++)
			bad += !dev_is_old(base, big_blk(i)) &&
			       !(i == BIG - 1);
		bad += n < last;
		steps += n != last;
		last = n;
		gfs_dev_close(dev);
		gfs_dev_close(base);
	}
	T_EQ(bad, 0);
	T_EQ(last, BIG);
	/* Three transactions, then two single blocks. */
	T_EQ(steps, 5);
}

static void test_tiny_journal(void)
{
	struct gfs_dev *dev = ld_copy(&disk);
	struct gfs_cache *cache = make_cache(dev);
	struct gfs_log log = ld_log(&disk, dev, 2);
	struct gfs_txn *txn = begin(cache);

	log.nblocks = 7;
	edit(txn, cache, 5, 1);
	T_EQ(gfs_txn_commit_logged(txn, &log), -GFS_EFULL);
	T_OK(dev_is_old(dev, 5) && cache_is_old(cache, 5));
	gfs_cache_free(cache);
	gfs_dev_close(dev);
}

int main(void)
{
	if (!mkdtemp(dir))
		return 99;
	ld_init(&disk, 20);
	test_begin();
	test_commit();
	test_abort();
	test_seal_and_verify();
	test_data();
	test_failure();
	test_undo();
	test_split();
	test_split_power_cut();
	test_tiny_journal();
	gfs_dev_close(disk.dev);
	rmdir(dir);
	return t_done();
}
