// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Recovery of journals written by hand. Expected results are those of the
 * kernel and of gfs2-utils with the same logs: which copies are written,
 * which are revoked, what becomes of statfs, how the journal is closed.
 */
#include "t.h"

#include "lib/jnlvolume.h"

#include <errno.h>
#include <stdlib.h>

#define NORMAL GFS2_LOG_HEAD_FLUSH_NORMAL

static struct gfs_replay_result result;
static uint64_t transactions; /* of the last replay_ok() */

static void replay_ok(uint64_t copies, uint64_t revoked)
{
	uint64_t sequence, pos;

	jv_reopen();
	sequence = jnl->head.sequence;
	pos = jnl->head.pos;
	jv_remember();
	T_EQ(gfs_replay_check(jnl, &result), 0);
	T_OK(jv_is_unchanged());
	T_EQ(gfs_replay(jnl, &result), 0);
	transactions = result.transactions;
	T_EQ(result.copies, copies);
	T_EQ(result.revoked, revoked);
	T_EQ(result.replayed, copies - revoked);
	T_OK(!result.was_clean);
	T_OK(gfs_jnl_is_clean(jnl));
	jv_reopen();
	T_OK(gfs_jnl_is_clean(jnl));
	T_EQ(jnl->head.sequence, sequence + 1);
	T_EQ(jnl->head.pos, (pos + 1) % jnl->nblocks);
	T_EQ(jnl->anomalies, 0);
	jv_remember();
	T_EQ(gfs_replay(jnl, &result), 0);
	T_OK(result.was_clean && jv_is_unchanged());
}

static void replay_refused(void)
{
	jv_reopen();
	jv_remember();
	T_EQ(gfs_replay(jnl, &result), -GFS_ECORRUPT);
	T_OK(jv_is_unchanged());
	T_OK(!gfs_jnl_is_clean(jnl));
}

/* {meta A, meta B}; {jdata C escaped, jdata D; revoke B} */
static void test_two_transactions(void)
{
	const uint64_t a = free_blk, b = a + 1, c = a + 7, d = a + 5;
	const uint64_t metas[] = { a, b }, pairs[] = { c, 1, d, 0 };
	struct logwriter w;

	lw_begin(&w, &v, jnl);
	lw_chunk(&w, metas, 2, 0x41);
	lw_header(&w, NORMAL);
	lw_desc(&w, GFS2_LOG_DESC_JDATA, 3, 2, pairs);
	memset(block, 0x43, v.fs->geom.bsize);
	memset(block, 0, 4);
	lw_block(&w, block);
	memset(block, 0x44, v.fs->geom.bsize);
	memset(block, 0, 4);
	lw_block(&w, block);
	lw_revokes(&w, &b, 1);
	lw_header(&w, NORMAL);
	replay_ok(4, 1);
	T_OK(jv_is_filled(a, 0x41));
	T_OK(jv_is_filled(b, 0));
	T_OK(jv_is_filled(c, 0x43));
	volume_read(&v, d, block);
	T_OK(!memcmp(block, "\0\0\0\0\x44\x44\x44\x44", 8));
}

/* Two transactions and a header alone; the later copy of a block wins. */
static void test_order(void)
{
	const uint64_t one[] = { free_blk + 20, free_blk + 21 };
	const uint64_t two[] = { free_blk + 21, free_blk + 20 };
	struct logwriter w;

	lw_begin(&w, &v, jnl);
	lw_chunk(&w, one, 2, 0x10);
	lw_header(&w, NORMAL);
	lw_header(&w, GFS2_LOG_HEAD_UNMOUNT);
	lw_chunk(&w, two, 2, 0x20);
	lw_chunk(&w, two, 1, 0x30);
	lw_header(&w, NORMAL);
	replay_ok(5, 0);
	T_EQ(transactions, 3);
	T_OK(jv_is_filled(one[0], 0x21));
	T_OK(jv_is_filled(one[1], 0x30));
}

/* Only what the tail still covers is replayed. */
static void test_tail(void)
{
	const uint64_t one[] = { free_blk + 30 }, two[] = { free_blk + 31 };
	struct logwriter w;

	lw_begin(&w, &v, jnl);
	lw_chunk(&w, one, 1, 0x50);
	lw_header(&w, NORMAL);
	w.tail = w.pos;
	lw_chunk(&w, two, 1, 0x51);
	lw_header(&w, NORMAL);
	replay_ok(1, 0);
	T_OK(jv_is_filled(one[0], 0));
	T_OK(jv_is_filled(two[0], 0x51));
}

/*
 * n revokes in one chunk, the region starting `before_end` blocks before the
 * journal's end. Copies: of the first, the last and a middle number before
 * the revokes, of the last one again behind them.
 */
static void test_revokes(uint32_t n, uint32_t before_end, uint64_t base)
{
	uint64_t *blks = malloc(n * sizeof(*blks));
	uint64_t copies[4];
	struct logwriter w;

	for (uint32_t i = 0; i < n; i++)
		blks[i] = base + i;
	copies[0] = blks[0];
	copies[1] = blks[n - 1];
	copies[2] = blks[n - n / 8];
	copies[3] = base - 1;
	lw_begin(&w, &v, jnl);
	while (before_end && w.pos != w.nblocks - before_end)
		lw_header(&w, GFS2_LOG_HEAD_UNMOUNT);
	w.tail = w.pos;
	lw_chunk(&w, copies, 4, 0x60);
	lw_revokes(&w, blks, n);
	lw_header(&w, NORMAL);
	lw_chunk(&w, &copies[1], 1, 0x70);
	lw_header(&w, NORMAL);
	replay_ok(5, 3);
	T_OK(jv_is_filled(copies[0], 0));
	T_OK(jv_is_filled(copies[1], 0x70));
	T_OK(jv_is_filled(copies[2], 0));
	T_OK(jv_is_filled(copies[3], 0x63));
	free(blks);
}

/* A block revoked twice: what counts is the last time. */
static void test_revoked_again(void)
{
	const uint64_t blk = free_blk + 40, other = free_blk + 41;
	struct logwriter w;

	lw_begin(&w, &v, jnl);
	lw_revokes(&w, &blk, 1);
	lw_chunk(&w, &blk, 1, 0x11);
	lw_chunk(&w, &other, 1, 0x12);
	lw_header(&w, NORMAL);
	lw_revokes(&w, &blk, 1);
	lw_header(&w, NORMAL);
	replay_ok(2, 1);
	T_OK(jv_is_filled(blk, 0));
	T_OK(jv_is_filled(other, 0x12));
}

/* Values of a statfs file: total, free, dinodes. */
static void statfs_of(uint64_t addr, int64_t values[3])
{
	volume_read(&v, addr, block);
	for (int i = 0; i < 3; i++)
		values[i] = (int64_t)gfs_dinode_ptr(block, (uint32_t)i);
}

static void test_statfs(bool v1)
{
	const uint64_t master = v.fs->sys.statfs.addr;
	int64_t old[3], now[3];
	struct gfs_ino change;
	struct logwriter w;

	statfs_of(master, old);
	T_EQ(gfs_fs_per_node(v.fs, "statfs_change", 0, &change), 0);
	volume_read(&v, change.addr, block);
	for (uint32_t i = 0; i < 3; i++)
		put64(block, 232 + 8 * i, 77);
	volume_write(&v, change.addr, block);
	lw_begin(&w, &v, jnl);
	w.local[1] = -5;
	w.local[2] = 2;
	w.v1 = v1;
	lw_header(&w, NORMAL);
	replay_ok(0, 0);
	statfs_of(master, now);
	T_EQ(now[0], old[0]);
	T_EQ(now[1], old[1] - (v1 ? 0 : 5));
	T_EQ(now[2], old[2] + (v1 ? 0 : 2));
	statfs_of(change.addr, now);
	T_OK(!now[0] && !now[1] && !now[2]);
}

/* The header that closes a journal, byte by byte. */
static void test_clean_header(void)
{
	const struct gfs2_log_header *lh =
		(const struct gfs2_log_header *)block;
	struct logwriter w;

	lw_begin(&w, &v, jnl);
	w.local[0] = 4;
	lw_header(&w, NORMAL);
	replay_ok(0, 0);
	volume_read(&v, jnl->map[jnl->head.pos], block);
	T_EQ(be32_to_cpu(lh->lh_flags), 0x80000021);
	T_EQ(be32_to_cpu(lh->lh_tail), 0);
	T_EQ(be32_to_cpu(lh->lh_blkno), jnl->head.pos);
	T_EQ(be64_to_cpu(lh->lh_addr), jnl->map[jnl->head.pos]);
	T_EQ(be64_to_cpu(lh->lh_jinode), jnl->jinode);
	T_EQ(be64_to_cpu(lh->lh_local_total), 0);
	T_OK(jnl->head.v2);
}

/* A log of one copy whose target is refused. */
static void refuse_target(uint64_t blk)
{
	const uint64_t good = free_blk + 50;
	struct logwriter w;

	lw_begin(&w, &v, jnl);
	lw_chunk(&w, &good, 1, 0x71);
	lw_chunk(&w, &blk, 1, 0x72);
	lw_header(&w, NORMAL);
	replay_refused();
}

static void test_targets(void)
{
	const uint64_t sb = v.fs->geom.sb_blk, good = free_blk + 51;
	struct gfs_jnl *other;
	struct logwriter w;

	refuse_target(0);
	refuse_target(sb - 1);
	refuse_target(v.fs->nblocks);
	refuse_target(UINT64_MAX);
	refuse_target(jnl->map[0]);
	refuse_target(jnl->map[jnl->nblocks - 1]);
	T_EQ(gfs_jnl_open(&other, v.fs, 1), 0);
	refuse_target(other->map[5]);
	gfs_jnl_close(other);
	/* The copy of a superblock is none; then it is one. */
	refuse_target(sb);
	volume_read(&v, sb, block);
	put64(block, 300, 0x1234);
	lw_begin(&w, &v, jnl);
	lw_desc(&w, GFS2_LOG_DESC_METADATA, 2, 1, &sb);
	lw_block(&w, block);
	lw_header(&w, NORMAL);
	replay_ok(1, 0);
	volume_read(&v, sb, block);
	T_OK(!memcmp((char *)block + 300, "\0\0\0\0\0\0\x12\x34", 8));
	/* A copy that is not metadata, unless it is revoked anyway. */
	memset(block, 0x55, v.fs->geom.bsize);
	lw_begin(&w, &v, jnl);
	lw_desc(&w, GFS2_LOG_DESC_METADATA, 2, 1, &good);
	lw_block(&w, block);
	lw_header(&w, NORMAL);
	replay_refused();
	lw_revokes(&w, &good, 1);
	lw_header(&w, NORMAL);
	replay_ok(1, 1);
	T_OK(jv_is_filled(good, 0));
}

/* More copies than a batch has room for, homes in no order. */
static void test_many(void)
{
	const uint32_t n = 9000, max = v.fs->geom.ldptrs;
	uint64_t *homes = malloc(n * sizeof(*homes));
	uint32_t bad = 0, copies = 0;
	struct logwriter w;

	for (uint32_t i = 0; i < n; i++)
		homes[i] = free_blk + i * 7ULL % n;
	lw_begin(&w, &v, jnl);
	for (uint32_t i = 0; i < n; i += max) {
		uint32_t len = n - i < max ? n - i : max;

		lw_desc(&w, GFS2_LOG_DESC_METADATA, len + 1, len, homes + i);
		for (uint32_t k = 0; k < len; k++)
			lw_meta(&w, 1 + (int)((homes[i + k] - free_blk) % 99));
		copies += len;
	}
	lw_header(&w, NORMAL);
	replay_ok(copies, 0);
	for (uint32_t i = 0; i < n; i++)
		bad += !jv_is_filled(free_blk + i, 1 + (int)(i % 99));
	T_EQ(bad, 0);
	free(homes);
}

static void test_4096(void)
{
	if (!T_NAMED(jv_begin(4096, 2), "volume of 4096"))
		return;
	test_two_transactions();
	test_order();
	test_tail();
	test_revokes(600, 3, free_blk + 100);
	test_revokes(1200, 0, free_blk + 90);
	test_revoked_again();
	test_statfs(false);
	test_statfs(true);
	test_clean_header();
	test_targets();
	jv_end();
}

static void test_512(void)
{
	if (!T_NAMED(jv_begin(512, 1), "volume of 512"))
		return;
	test_two_transactions();
	test_revokes(100, 4, free_blk + 200);
	test_many();
	jv_end();
}

int main(void)
{
	test_4096();
	test_512();
	return t_done();
}
