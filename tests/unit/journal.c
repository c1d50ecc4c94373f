// SPDX-License-Identifier: GPL-2.0-or-later
/* Journals: size and map rules, the search for the head, the cursor. */
#include "t.h"

#include "../../libgfs/fs/inode.h"
#include "../../libgfs/fs/journal.h"
#include "lib/logwriter.h"
#include "lib/volume.h"

#include <errno.h>
#include <stdlib.h>

#define NORMAL GFS2_LOG_HEAD_FLUSH_NORMAL
#define CLEAN  GFS2_LOG_HEAD_UNMOUNT

static struct volume v;
static struct gfs_jnl *jnl;
static uint64_t block[GFS2_BSIZE_MAX / 8];

static bool open_jnl(void)
{
	gfs_jnl_close(jnl);
	return T_EQ(gfs_jnl_open(&jnl, v.fs, 0), 0);
}

/* As mkfs leaves it: headers everywhere, going round once. */
static void test_fresh(uint32_t bsize)
{
	struct gfs_jnl_iter *it;
	struct gfs_jnl_item item;
	struct gfs_log log;
	uint64_t n = 0, bad = 0, expect;
	int rc;

	T_EQ(jnl->nblocks, (8 << 20) / bsize);
	T_OK(jnl->has_head && gfs_jnl_is_clean(jnl));
	T_EQ(jnl->anomalies, 0);
	T_EQ(gfs_jnl_active(jnl), 0);
	T_EQ(jnl->head.pos, jnl->head.blkno);
	T_OK(jnl->head.v2);
	T_EQ(gfs_jnl_log(jnl, &log), 0);
	T_EQ(log.sequence, jnl->head.sequence);
	T_EQ(log.pos, jnl->head.pos);
	T_EQ(gfs_jnl_first(&it, jnl, true), 0);
	expect = jnl->head.sequence - jnl->nblocks + 1;
	while ((rc = gfs_jnl_next(it, &item)) == 1) {
		bad += item.kind != GFS_JNL_HEADER;
		bad += item.head.sequence != expect + n++;
	}
	T_EQ(rc, 0);
	T_EQ(n, jnl->nblocks);
	T_EQ(bad, 0);
	gfs_jnl_iter_close(it);
	T_EQ(gfs_jnl_first(&it, jnl, false), 0);
	T_EQ(gfs_jnl_next(it, &item), 0);
	gfs_jnl_iter_close(it);
}

struct expected {
	enum gfs_jnl_item_kind kind;
	uint32_t pos, copy; /* behind the start */
	uint64_t blk;
	bool escaped;
};

static void expect_items(uint32_t start, const struct expected *e, size_t n)
{
	struct gfs_jnl_iter *it;
	struct gfs_jnl_item item;

	T_EQ(gfs_jnl_first(&it, jnl, false), 0);
	for (size_t i = 0; i < n; i++) {
		bool has_copy = e[i].kind == GFS_JNL_META ||
				e[i].kind == GFS_JNL_JDATA;

		T_EQ(gfs_jnl_next(it, &item), 1);
		T_EQ(item.kind, e[i].kind);
		T_EQ(item.pos, (start + e[i].pos) % jnl->nblocks);
		T_EQ(item.blk, e[i].blk);
		T_EQ(item.escaped, e[i].escaped);
		if (has_copy)
			T_EQ(item.copy, (start + e[i].copy) % jnl->nblocks);
	}
	T_EQ(gfs_jnl_next(it, &item), 0);
	T_EQ(gfs_jnl_next(it, &item), 0);
	gfs_jnl_iter_close(it);
}

/* Everything that a log holds, across the journal's end. */
static void test_items(void)
{
	static const uint64_t meta[] = { 5001, 5000 };
	static const uint64_t pairs[] = { 6000, 1, 6001, 0 };
	static const uint64_t unknown[] = { 1 };
	static const struct expected want[] = {
		{ GFS_JNL_DESC, 0, 0, 0, false },
		{ GFS_JNL_META, 0, 1, 5001, false },
		{ GFS_JNL_META, 0, 2, 5000, false },
		{ GFS_JNL_HEADER, 3, 0, 0, false },
		{ GFS_JNL_DESC, 4, 0, 0, false },
		{ GFS_JNL_JDATA, 4, 5, 6000, true },
		{ GFS_JNL_JDATA, 4, 6, 6001, false },
		{ GFS_JNL_DESC, 7, 0, 0, false },
		{ GFS_JNL_DESC, 9, 0, 0, false },
		{ GFS_JNL_REVOKE, 9, 0, 5000, false },
	};
	struct gfs_log log;
	struct logwriter w;
	uint32_t start;

	lw_begin(&w, &v, jnl);
	w.pos = jnl->nblocks - 5;
	w.sequence += jnl->nblocks;
	w.tail = start = w.pos;
	lw_chunk(&w, meta, 2, 1);
	lw_header(&w, NORMAL);
	lw_desc(&w, GFS2_LOG_DESC_JDATA, 3, 2, pairs);
	lw_meta(&w, 3);
	lw_meta(&w, 4);
	lw_desc(&w, 999, 2, 1, unknown);
	lw_meta(&w, 5);
	lw_revokes(&w, meta + 1, 1);
	lw_header(&w, NORMAL);
	open_jnl();
	T_OK(jnl->has_head && !gfs_jnl_is_clean(jnl));
	T_EQ(jnl->head.pos, 5);
	T_EQ(gfs_jnl_active(jnl), 10);
	T_EQ(jnl->head.sec, 1234567);
	T_EQ(gfs_jnl_log(jnl, &log), -GFS_EDIRTY);
	expect_items(start, want, sizeof(want) / sizeof(want[0]));
}

/* The first item of the active region that is refused. */
static int walk(void)
{
	struct gfs_jnl_iter *it;
	struct gfs_jnl_item item;
	int rc = gfs_jnl_first(&it, jnl, false);

	if (rc)
		return rc;
	while ((rc = gfs_jnl_next(it, &item)) == 1)
		continue;
	gfs_jnl_iter_close(it);
	return rc;
}

/* One descriptor with these counts, a copy, and a header behind it. */
static int walk_desc(uint32_t type, uint32_t length, uint32_t n)
{
	static uint64_t tags[100000];
	struct logwriter w;

	lw_begin(&w, &v, jnl);
	lw_desc(&w, type, length, n, tags);
	lw_meta(&w, 1);
	lw_header(&w, NORMAL);
	open_jnl();
	return walk();
}

static void test_bad_items(void)
{
	const uint32_t ldptrs = v.fs->geom.ldptrs;
	struct logwriter w;

	T_EQ(walk_desc(GFS2_LOG_DESC_METADATA, 2, 1), 0);
	T_EQ(walk_desc(GFS2_LOG_DESC_METADATA, 0, 1), -GFS_ECORRUPT);
	T_EQ(walk_desc(GFS2_LOG_DESC_METADATA, 3, 1), -GFS_ECORRUPT);
	T_EQ(walk_desc(GFS2_LOG_DESC_METADATA, 2, 2), -GFS_ECORRUPT);
	T_EQ(walk_desc(GFS2_LOG_DESC_METADATA, 2, ldptrs + 1), -GFS_ECORRUPT);
	T_EQ(walk_desc(GFS2_LOG_DESC_METADATA, 2, UINT32_MAX), -GFS_ECORRUPT);
	T_EQ(walk_desc(GFS2_LOG_DESC_METADATA, UINT32_MAX, 1), -GFS_ECORRUPT);
	T_EQ(walk_desc(GFS2_LOG_DESC_JDATA, 2, 1), 0);
	T_EQ(walk_desc(GFS2_LOG_DESC_JDATA, 2, ldptrs / 2 + 1), -GFS_ECORRUPT);
	T_EQ(walk_desc(GFS2_LOG_DESC_REVOKE, 2, ldptrs), 0);
	T_EQ(walk_desc(GFS2_LOG_DESC_REVOKE, 2, ldptrs + 1), -GFS_ECORRUPT);
	T_EQ(walk_desc(GFS2_LOG_DESC_REVOKE, 1, ldptrs + 1), -GFS_ECORRUPT);
	T_EQ(walk_desc(GFS2_LOG_DESC_REVOKE, 2, UINT32_MAX), -GFS_ECORRUPT);
	T_EQ(walk_desc(77, 2, UINT32_MAX), 0);
	/* What is neither; a bad header inside; a tail that is nowhere. */
	lw_begin(&w, &v, jnl);
	lw_meta(&w, 1);
	lw_header(&w, NORMAL);
	open_jnl();
	T_EQ(walk(), -GFS_ECORRUPT);
	T_EQ(v.err.blk, jnl->map[jnl->head.tail]);
	lw_begin(&w, &v, jnl);
	w.crc_xor = 1;
	lw_header(&w, NORMAL);
	w.crc_xor = 0;
	lw_header(&w, NORMAL);
	open_jnl();
	T_EQ(walk(), -GFS_ECORRUPT);
	lw_begin(&w, &v, jnl);
	w.tail = jnl->nblocks;
	lw_header(&w, NORMAL);
	open_jnl();
	T_EQ(gfs_jnl_active(jnl), 0);
	T_EQ(walk(), -GFS_ECORRUPT);
}

static void test_head(void)
{
	struct logwriter w;

	/* Nothing at all: dirty, nothing to replay. */
	lw_begin(&w, &v, jnl);
	lw_zero(&w);
	open_jnl();
	T_OK(!jnl->has_head && !gfs_jnl_is_clean(jnl));
	T_EQ(gfs_jnl_active(jnl), 0);
	T_EQ(walk(), 0);

	/* One version 1 header in the middle; the bytes behind mean nothing. */
	w.pos = 700;
	w.sequence = 5;
	w.v1 = true;
	w.local[0] = -3;
	lw_header(&w, CLEAN);
	open_jnl();
	T_OK(gfs_jnl_is_clean(jnl));
	T_EQ(jnl->head.pos, 700);
	T_EQ(jnl->head.sequence, 5);
	T_OK(!jnl->head.v2);
	T_EQ(jnl->head.local_total, 0);
	T_EQ(jnl->head.sec, 0);
	T_EQ(jnl->anomalies, 0);

	/* Headers with a wrong checksum or position are not seen. */
	w.v1 = false;
	w.crc_xor = 0x80000000;
	lw_header(&w, NORMAL);
	w.crc_xor = 0;
	lw_header(&w, NORMAL);
	volume_read(&v, jnl->map[702], block);
	volume_write(&v, jnl->map[703], block);
	put64(block, 24, 100);
	volume_write(&v, jnl->map[702], block);
	open_jnl();
	T_EQ(jnl->head.sequence, 5);

	/* Later ones count, gaps are no anomalies, steps back are. */
	w.pos = 710;
	w.sequence = 1000;
	w.local[1] = INT64_MIN;
	lw_header(&w, NORMAL);
	w.pos = 10;
	w.sequence = 2;
	lw_header(&w, NORMAL);
	open_jnl();
	T_EQ(jnl->head.sequence, 1000);
	T_EQ(jnl->head.local_total, -3);
	T_EQ(jnl->head.local_free, INT64_MIN);
	T_EQ(jnl->anomalies, 0);
	w.pos = 720;
	w.sequence = 900;
	lw_header(&w, NORMAL);
	open_jnl();
	T_EQ(jnl->head.sequence, 1000);
	/* From 1000 on: 900, 2 (steps back), 5, 1000. */
	T_EQ(jnl->anomalies, 1);
	w.pos = 711;
	w.sequence = 2;
	lw_header(&w, NORMAL);
	w.pos = 712;
	w.sequence = 2;
	lw_header(&w, NORMAL);
	open_jnl();
	/* 2, 2 (the same), 900, 2 (back), 5, 1000. */
	T_EQ(jnl->anomalies, 2);
}

static int open_with(uint64_t blk, uint32_t offset, uint64_t value)
{
	struct gfs_jnl *other;
	be64 old;
	int rc;

	volume_read(&v, blk, block);
	memcpy(&old, (char *)block + offset, sizeof(old));
	put64(block, offset, value);
	volume_write(&v, blk, block);
	rc = gfs_jnl_open(&other, v.fs, 0);
	gfs_jnl_close(other);
	put64(block, offset, be64_to_cpu(old));
	volume_write(&v, blk, block);
	return rc;
}

/* Size rules and the map; the blocks of journals are height 2 here. */
static void test_rules(void)
{
	const uint64_t di = jnl->jinode;
	struct gfs_inode *ip;
	struct gfs_jnl *other;
	uint64_t in;

	T_EQ(gfs_jnl_open(&other, v.fs, 1), -ENOENT);
	T_EQ(gfs_inode_get(v.fs, di, &ip), 0);
	T_EQ(ip->height, 2);
	in = gfs_dinode_ptr(ip->buf->data, 1);
	gfs_inode_put(ip);
	T_EQ(open_with(di, 56, 8 << 20), 0);
	T_EQ(open_with(di, 56, 4 << 20), -GFS_ECORRUPT);
	T_EQ(open_with(di, 56, (8 << 20) + 1), -GFS_ECORRUPT);
	T_EQ(open_with(di, 56, (8 << 20) + 4096), -GFS_ECORRUPT);
	T_EQ(open_with(di, 56, (1 << 30) + 4096), -GFS_ECORRUPT);
	T_EQ(open_with(in, 24 + 8 * 100, 0), -GFS_ECORRUPT);
	T_EQ(open_with(in, 24 + 8 * 100, v.fs->nblocks), -GFS_EOUTSIDE);
	T_EQ(open_with(di, 232, 0), -GFS_ECORRUPT);
	T_EQ(open_with(di, 232, di), -GFS_ECORRUPT);
}

/* A map in any order: single blocks, short and long runs. */
static void test_scattered(void)
{
	struct gfs_inode *ip;
	struct logwriter w;
	uint64_t in;

	T_EQ(gfs_inode_get(v.fs, jnl->jinode, &ip), 0);
	in = gfs_dinode_ptr(ip->buf->data, 0);
	gfs_inode_put(ip);
	/* Positions 0..508, the first 200 of them the other way round. */
	volume_read(&v, in, block);
	for (uint32_t i = 0; i < 200; i++)
		put64(block, 24 + 8 * i, jnl->map[199 - i]);
	volume_write(&v, in, block);
	open_jnl();
	lw_begin(&w, &v, jnl);
	lw_zero(&w);
	w.pos = 50;
	for (uint32_t i = 0; i < 300; i++)
		lw_header(&w, i == 299 ? CLEAN : NORMAL);
	open_jnl();
	T_OK(gfs_jnl_is_clean(jnl));
	T_EQ(jnl->head.pos, 349);
	T_EQ(jnl->head.sequence, w.sequence - 1);
	T_EQ(jnl->anomalies, 0);
}

int main(void)
{
	if (!T_NAMED(volume_make(&v, 512, 1), "volume of 512"))
		return t_done();
	if (open_jnl())
		test_fresh(512);
	gfs_jnl_close(jnl);
	jnl = NULL;
	volume_close(&v);
	if (!T_NAMED(volume_make(&v, 4096, 1), "volume of 4096"))
		return t_done();
	if (open_jnl()) {
		test_fresh(4096);
		test_rules();
		test_items();
		test_bad_items();
		test_head();
		test_scattered();
	}
	gfs_jnl_close(jnl);
	volume_close(&v);
	return t_done();
}
