// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The allocator on volumes of gfs2-utils' mkfs: legal and illegal changes of
 * state, counts, where blocks come from, and when freed ones come back.
 */
#include "t.h"

#include "../../libgfs/format/bitmap.h"
#include "../../libgfs/fs/alloc.h"
#include "../../libgfs/io/txn.h"
#include "lib/volume.h"

#include <errno.h>
#include <stdlib.h>

static struct volume v;
static struct gfs_writer *w;

static void must(int rc, const char *what)
{
	char text[512];

	if (!rc)
		return;
	printf("Bail out! %s: %s\n", what,
	       gfs_error_message(&v.err, rc, text, sizeof(text)));
	exit(1);
}

static void start(uint32_t bsize, const struct gfs_writer_opts *opts)
{
	if (!volume_make(&v, bsize, 1))
		exit(1);
	must(gfs_writer_open(&w, v.fs, opts), "writer");
}

static void stop(void)
{
	gfs_writer_close(w);
	volume_close(&v);
}

/* Headers, bitmaps and statfs of the volume agree. */
static bool counts_agree(void)
{
	struct gfs_statfs master, changes;
	int64_t n_free = 0, n_dinodes = 0;
	bool ok = true;

	for (uint32_t i = 0; i < v.fs->rgrps.n; i++) {
		struct gfs_rgrp_info info;

		must(gfs_rgrp_read_info(v.fs, &v.fs->rgrps.rg[i], &info),
		     "rgrp");
		ok = ok && info.free == info.counted[GFS2_BLKST_FREE] &&
		     info.dinodes == info.counted[GFS2_BLKST_DINODE] +
					     info.counted[GFS2_BLKST_UNLINKED];
		n_free += info.free;
		n_dinodes += info.dinodes;
	}
	must(gfs_fs_read_statfs(v.fs, &master, &changes), "statfs");
	return ok && master.free == n_free && master.dinodes == n_dinodes;
}

static int64_t free_blocks(void)
{
	struct gfs_statfs master, changes;

	must(gfs_fs_read_statfs(v.fs, &master, &changes), "statfs");
	return master.free;
}

/* The group with the most free blocks, which are its last ones. */
static uint32_t roomy(void)
{
	uint32_t best = 0, most = 0;

	for (uint32_t i = 0; i < v.fs->rgrps.n; i++) {
		struct gfs_rgrp_info info;

		must(gfs_rgrp_read_info(v.fs, &v.fs->rgrps.rg[i], &info),
		     "rgrp");
		if (info.free <= most)
			continue;
		most = info.free;
		best = i;
	}
	return best;
}

static int take(uint64_t goal, uint64_t n, struct gfs_blocks *got)
{
	const struct gfs_blocks want = { goal, n };

	return gfs_alloc_blocks(w, &want, got);
}

/* Bring a free block into a state by legal steps. */
static void bring(uint64_t blk, unsigned int state)
{
	if (state == GFS2_BLKST_USED)
		must(gfs_alloc_set_state(w, blk, 1, GFS2_BLKST_USED), "used");
	if (state == GFS2_BLKST_DINODE || state == GFS2_BLKST_UNLINKED)
		must(gfs_alloc_set_state(w, blk, 1, GFS2_BLKST_DINODE), "di");
	if (state == GFS2_BLKST_UNLINKED)
		must(gfs_alloc_set_state(w, blk, 1, GFS2_BLKST_UNLINKED), "ul");
}

/* allocator.md 1: every pair of states. */
static void test_transitions(void)
{
	static const char legal[4][5] = { "-y-y", "y---", "y---", "y-y-" };

	for (unsigned int from = 0; from < 4; from++)
		for (unsigned int to = 0; to < 4; to++) {
			bool want = legal[from][to] == 'y';
			char name[64];
			uint64_t blk;
			int rc;

			start(512, NULL);
			blk = v.fs->rgrps.rg[roomy()].data0;
			blk += v.fs->rgrps.rg[roomy()].data - 1;
			bring(blk, from);
			rc = gfs_alloc_set_state(w, blk, 1, to);
			snprintf(name, sizeof(name), "%s to %s: %s",
				 gfs_blkst_name(from), gfs_blkst_name(to),
				 want ? "legal" : "refused");
			T_NAMED(rc == (want ? 0 : -GFS_ECORRUPT) &&
					w->spoiled == !want, name);
			if (want) {
				must(gfs_writer_commit(w), "commit");
				T_EQ(gfs_rgrp_state(v.fs, blk), to);
				T_OK(counts_agree());
			} else {
				T_EQ(gfs_writer_commit(w), -EINVAL);
			}
			stop();
		}
}

/* Runs of blocks in several bitmap blocks; blocks of different states. */
static void test_ranges(void)
{
	const struct gfs_rgrp *rg;
	uint64_t blk;

	start(512, NULL);
	rg = &v.fs->rgrps.rg[roomy()];
	blk = rg->data0 + rg->data - 10000;
	T_EQ(gfs_alloc_set_state(w, blk, 5000, GFS2_BLKST_USED), 0);
	T_EQ(gfs_alloc_set_state(w, blk + 5000, 1, GFS2_BLKST_DINODE), 0);
	T_EQ(gfs_writer_commit(w), 0);
	T_OK(counts_agree());
	T_EQ(gfs_rgrp_state(v.fs, blk - 1), GFS2_BLKST_FREE);
	T_EQ(gfs_rgrp_state(v.fs, blk + 4999), GFS2_BLKST_USED);
	T_EQ(gfs_alloc_set_state(w, blk + 4990, 11, GFS2_BLKST_FREE),
	     -GFS_ECORRUPT);
	gfs_writer_abort(w);
	T_EQ(gfs_rgrp_state(v.fs, blk + 4990), GFS2_BLKST_USED);
	T_EQ(gfs_alloc_free(w, blk + 5000, 1), -GFS_ECORRUPT);
	T_EQ(gfs_alloc_free(w, blk, 5000), 0);
	T_EQ(gfs_writer_commit(w), 0);
	T_OK(counts_agree());
	T_EQ(gfs_alloc_set_state(w, rg->data0 + rg->data - 1, 2,
				 GFS2_BLKST_USED), -GFS_EOUTSIDE);
	T_EQ(gfs_alloc_set_state(w, rg->addr, 1, GFS2_BLKST_USED),
	     -GFS_EOUTSIDE);
	stop();
}

/* Everything is allocated; what is freed comes back after the commit only. */
static void test_full(uint32_t bsize)
{
	struct gfs_blocks got, kept = { 0 };
	uint64_t sum = 0, all;
	int rc;

	start(bsize, NULL);
	all = (uint64_t)free_blocks();
	T_EQ(gfs_alloc_check(w, 0, all), 0);
	T_EQ(gfs_alloc_check(w, 0, all + 1), -ENOSPC);
	while (!(rc = take(0, 1000, &got))) {
		sum += got.n;
		if (!kept.n && got.n == 1000)
			kept = got;
	}
	T_EQ(rc, -ENOSPC);
	T_OK(!w->spoiled);
	T_EQ(sum, all);
	T_EQ(gfs_alloc_check(w, 0, 1), -ENOSPC);
	T_EQ(gfs_writer_commit(w), 0);
	T_EQ(free_blocks(), 0);
	T_OK(counts_agree());
	T_EQ(gfs_alloc_free(w, kept.blk + 100, 10), 0);
	T_EQ(take(kept.blk, 1, &got), -ENOSPC);
	T_EQ(gfs_alloc_check(w, 0, 1), -ENOSPC);
	T_EQ(gfs_writer_commit(w), 0);
	T_EQ(free_blocks(), 10);
	T_EQ(take(kept.blk, 20, &got), 0);
	T_EQ(got.blk, kept.blk + 100);
	T_EQ(got.n, 10);
	gfs_writer_abort(w);
	T_EQ(gfs_rgrp_state(v.fs, kept.blk + 100), GFS2_BLKST_FREE);
	T_EQ(take(kept.blk, 20, &got), 0);
	T_EQ(got.n, 10);
	T_EQ(gfs_writer_commit(w), 0);
	T_OK(counts_agree());
	stop();
}

/* From the goal on; behind what was freed in the same transaction. */
static void test_goal(void)
{
	struct gfs_blocks a, b, c;
	uint64_t goal;

	start(4096, NULL);
	goal = v.fs->rgrps.rg[roomy()].data0;
	goal += v.fs->rgrps.rg[roomy()].data - 1000;
	T_EQ(take(goal, 8, &a), 0);
	T_EQ(a.blk, goal);
	T_EQ(a.n, 8);
	T_EQ(take(goal + 7, 8, &b), 0);
	T_EQ(b.blk, goal + 8);
	T_EQ(gfs_writer_commit(w), 0);
	T_EQ(gfs_alloc_free(w, a.blk, 8), 0);
	T_EQ(take(goal, 4, &c), 0);
	T_EQ(c.blk, goal + 16);
	T_EQ(gfs_writer_commit(w), 0);
	T_EQ(take(goal, 20, &c), 0);
	T_EQ(c.blk, goal);
	T_EQ(c.n, 8);
	stop();
}

static void test_dinodes(void)
{
	struct gfs_blocks want = { 0, 2 }, got;
	uint64_t gen;

	start(4096, NULL);
	want.blk = v.fs->sb.root.addr;
	T_EQ(gfs_alloc_dinode(w, &want, &got, &gen), 0);
	T_EQ(gen, 1);
	T_EQ(got.n, 2);
	T_EQ(gfs_rgrp_state(v.fs, got.blk), GFS2_BLKST_DINODE);
	T_EQ(gfs_rgrp_state(v.fs, got.blk + 1), GFS2_BLKST_USED);
	want.n = 1;
	T_EQ(gfs_alloc_dinode(w, &want, &got, &gen), 0);
	T_EQ(gen, 2);
	T_EQ(gfs_writer_commit(w), 0);
	T_OK(counts_agree());
	T_EQ(gfs_alloc_set_state(w, got.blk, 1, GFS2_BLKST_UNLINKED), 0);
	T_EQ(gfs_writer_commit(w), 0);
	T_OK(counts_agree());
	T_EQ(gfs_alloc_set_state(w, got.blk, 1, GFS2_BLKST_FREE), 0);
	T_EQ(gfs_writer_commit(w), 0);
	T_OK(counts_agree());
	T_EQ(gfs_alloc_dinode(w, &want, &got, &gen), 0);
	T_EQ(gen, 3);
	stop();
}

static void set_flags(uint32_t i, uint32_t flags)
{
	static uint64_t block[GFS2_BSIZE_MAX / 8];
	struct gfs2_rgrp *rg = (struct gfs2_rgrp *)block;
	uint64_t addr = v.fs->rgrps.rg[i].addr;

	volume_read(&v, addr, block);
	rg->rg_flags = cpu_to_be32(flags);
	volume_write(&v, addr, block);
}

static uint32_t flags_of(uint32_t i)
{
	struct gfs_rgrp_info info;

	must(gfs_rgrp_read_info(v.fs, &v.fs->rgrps.rg[i], &info), "rgrp");
	return info.flags;
}

static bool odd(void *ctx, uint64_t blk)
{
	(void)ctx;
	return blk & 1;
}

/* NOALLOC groups are passed by, but freeing in them works. */
static void test_flags(void)
{
	const struct gfs_writer_opts bound = { .rgrps = 1 };
	const struct gfs_writer_opts even = { .avoid = odd };
	struct gfs_blocks got;
	uint32_t i0;
	uint64_t blk;

	start(4096, NULL);
	i0 = roomy();
	blk = v.fs->rgrps.rg[i0].data0 + v.fs->rgrps.rg[i0].data - 1000;
	for (uint32_t i = 0; i < v.fs->rgrps.n; i++)
		set_flags(i, GFS2_RGF_TRIMMED);
	T_EQ(take(blk, 5, &got), 0);
	T_EQ(got.blk, blk);
	T_EQ(gfs_writer_commit(w), 0);
	T_EQ(flags_of(i0), GFS2_RGF_TRIMMED);
	for (uint32_t i = 0; i < v.fs->rgrps.n; i++)
		set_flags(i, GFS2_RGF_TRIMMED | GFS2_RGF_NOALLOC);
	gfs_writer_close(w);
	must(gfs_writer_open(&w, v.fs, NULL), "writer");
	T_EQ(take(blk, 1, &got), -ENOSPC);
	T_EQ(gfs_alloc_free(w, blk, 5), 0);
	T_EQ(gfs_writer_commit(w), 0);
	T_EQ(flags_of(i0), GFS2_RGF_NOALLOC);
	T_OK(counts_agree());
	for (uint32_t i = 0; i < v.fs->rgrps.n; i++)
		set_flags(i, 0);
	gfs_writer_close(w);
	must(gfs_writer_open(&w, v.fs, &even), "writer");
	T_EQ(take(blk + 1, 5, &got), 0);
	T_EQ(got.n, 1);
	T_EQ(got.blk & 1, 0);
	gfs_writer_close(w);
	must(gfs_writer_open(&w, v.fs, &bound), "writer");
	while (!take(v.fs->rgrps.rg[v.fs->rgrps.n - 1].data0, 4096, &got))
		if (got.blk >= v.fs->rgrps.rg[0].data0 + v.fs->rgrps.rg[0].data)
			break;
	T_EQ(got.n, 0);
	stop();
}

/* The caller's transaction is filled, not ended. */
static void test_callers_txn(void)
{
	struct gfs_writer_opts opts = { 0 };
	struct gfs_blocks got;

	if (!volume_make(&v, 4096, 1))
		exit(1);
	must(gfs_txn_begin(&opts.txn, v.fs->cache, &v.fs->geom, NULL, 0),
	     "txn");
	must(gfs_writer_open(&w, v.fs, &opts), "writer");
	T_EQ(take(0, 3, &got), 0);
	T_EQ(gfs_writer_checkpoint(w), 0);
	T_OK(gfs_txn_count(opts.txn) > 1);
	gfs_writer_close(w);
	w = NULL;
	T_EQ(gfs_txn_commit(opts.txn), 0);
	T_OK(counts_agree());
	T_EQ(gfs_rgrp_state(v.fs, got.blk), GFS2_BLKST_USED);
	stop();
}

/* A header that promises what the bitmap does not have. */
static void test_false_header(void)
{
	static uint64_t block[GFS2_BSIZE_MAX / 8];
	struct gfs2_rgrp *rg = (struct gfs2_rgrp *)block;
	const struct gfs_rgrp *r;
	struct gfs_blocks got;

	start(4096, NULL);
	r = &v.fs->rgrps.rg[roomy()];
	volume_read(&v, r->addr, block);
	rg->rg_free = cpu_to_be32(5);
	volume_write(&v, r->addr, block);
	T_EQ(gfs_alloc_set_state(w, r->data0 + r->data - 100, 9,
				 GFS2_BLKST_USED), -GFS_ECORRUPT);
	gfs_writer_abort(w);
	rg->rg_free = cpu_to_be32(UINT32_MAX);
	volume_write(&v, r->addr, block);
	T_EQ(take(r->data0, 1, &got), -GFS_ECORRUPT);
	stop();
}

int main(void)
{
	test_transitions();
	test_ranges();
	test_full(512);
	test_full(4096);
	test_goal();
	test_dinodes();
	test_flags();
	test_callers_txn();
	test_false_header();
	return t_done();
}
