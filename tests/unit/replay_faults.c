// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Recovery and clearing of journals when the device fails or the power goes,
 * on overlays, and where the journal itself is in no order.
 */
#include "t.h"

#include "../../libgfs/io/fault.h"
#include "../../libgfs/io/overlay.h"
#include "lib/jnlvolume.h"

#include <errno.h>
#include <stdlib.h>

#define NORMAL GFS2_LOG_HEAD_FLUSH_NORMAL

static struct gfs_replay_result result;

static void write_log(void)
{
	const uint64_t blks[] = { free_blk + 80, free_blk + 81, free_blk + 90 };
	struct logwriter w;

	lw_begin(&w, &v, jnl);
	lw_chunk(&w, blks, 3, 0x21);
	lw_header(&w, NORMAL);
	jv_reopen();
}

static bool is_replayed(void)
{
	return jv_is_filled(free_blk + 80, 0x21) &&
	       jv_is_filled(free_blk + 81, 0x22) &&
	       jv_is_filled(free_blk + 90, 0x23);
}

/* The volume on another device over the same bytes. */
static int replay_on(struct gfs_dev *dev)
{
	struct gfs_fs *fs;
	struct gfs_jnl *j = NULL;
	int rc = gfs_fs_open(&fs, dev, 0, &v.err);

	if (!rc)
		rc = gfs_jnl_open(&j, fs, 0);
	if (!rc)
		rc = gfs_replay(j, &result);
	if (!rc && !gfs_jnl_is_clean(j))
		rc = -1;
	gfs_jnl_close(j);
	gfs_fs_close(fs);
	return rc;
}

static void test_devices(void)
{
	struct gfs_dev *over;

	write_log();
	jv_remember();
	T_EQ(gfs_dev_overlay_open(&over, v.dev, v.fs->geom.bsize, 0), 0);
	T_EQ(replay_on(over), 0);
	T_OK(jv_is_unchanged());
	T_OK(gfs_overlay_count(over) >= 4);
	T_EQ(replay_on(over), 0);
	T_OK(result.was_clean);
	gfs_dev_close(over);
	v.dev->readonly = true;
	T_EQ(gfs_replay(jnl, &result), -GFS_EREADONLY);
	v.dev->readonly = false;
}

/* The power goes at each write in turn: the next replay completes it. */
static void test_power_cuts(void)
{
	uint32_t bad = 0, cuts = 0;

	for (uint64_t k = 1; k < 30; k++) {
		const struct gfs_fault_plan plan = { .stop_write = k,
						     .torn = 100 };
		struct gfs_dev *fault;
		bool done;

		if (gfs_dev_write(v.dev, before, v.dev->size, 0) ||
		    gfs_dev_fault_open(&fault, v.dev, &plan))
			abort();
		bad += replay_on(fault) != 0;
		done = fault->stats.writes < k;
		gfs_dev_close(fault);
		if (done)
			break;
		cuts++;
		gfs_cache_drop(v.fs->cache);
		bad += replay_on(v.dev) != 0 || !is_replayed();
	}
	T_EQ(bad, 0);
	/* Two runs of blocks, statfs_change0, the header. */
	T_EQ(cuts, 4);
}

/* Write errors are told and leave a journal that can be replayed. */
static void test_write_errors(void)
{
	uint32_t bad = 0;

	for (uint64_t k = 1; k <= 4; k++) {
		const struct gfs_fault_plan plan = { .fail_write = k,
						     .fail_after = true };
		struct gfs_dev *fault;

		if (gfs_dev_write(v.dev, before, v.dev->size, 0) ||
		    gfs_dev_fault_open(&fault, v.dev, &plan))
			abort();
		bad += replay_on(fault) != -EIO;
		gfs_dev_close(fault);
		gfs_cache_drop(v.fs->cache);
		bad += replay_on(v.dev) != 0 || !is_replayed();
	}
	T_EQ(bad, 0);
	jv_reopen();
}

/* Cut anywhere, clearing leaves either the old journal or a clean one. */
static void test_clear(void)
{
	struct gfs_dev *dev = v.fs->dev;
	uint32_t bad = 0;

	write_log();
	jv_remember();
	for (uint64_t k = 1; k < 20; k++) {
		const struct gfs_fault_plan plan = { .stop_write = k };

		if (gfs_dev_write(v.dev, before, v.dev->size, 0) ||
		    gfs_dev_fault_open(&v.fs->dev, dev, &plan))
			abort();
		jv_reopen();
		bad += gfs_jnl_clear(jnl) != 0;
		gfs_dev_close(v.fs->dev);
		v.fs->dev = dev;
		jv_reopen();
		bad += gfs_jnl_is_clean(jnl) != (k > 1);
	}
	T_EQ(bad, 0);
	T_EQ(gfs_jnl_clear(jnl), 0);
	T_EQ(jnl->head.pos, jnl->nblocks - 1);
	T_EQ(jnl->anomalies, 0);
	jv_reopen();
	T_OK(gfs_jnl_is_clean(jnl));
	volume_read(&v, jnl->map[9], block);
	T_EQ(block[4], htobe64(0x8000000100000000));
}

static void test_empty_journal(void)
{
	struct logwriter w;

	lw_begin(&w, &v, jnl);
	lw_zero(&w);
	jv_reopen();
	T_EQ(gfs_replay_check(jnl, &result), 0);
	T_EQ(gfs_replay(jnl, &result), 0);
	T_EQ(result.copies, 0);
	jv_reopen();
	T_OK(gfs_jnl_is_clean(jnl));
	T_EQ(jnl->head.pos, 1);
	T_EQ(jnl->head.sequence, 1);
}

/*
 * Sequences out of order: a kernel stops its search at the first step back,
 * so that one clean header is not enough. Sequences that cannot go on.
 */
static void test_disorder(uint64_t sequence, bool disorder)
{
	const uint64_t blk = free_blk + 60;
	struct logwriter w;

	lw_begin(&w, &v, jnl);
	if (disorder)
		w.pos = w.tail = 1000;
	w.sequence = sequence;
	lw_chunk(&w, &blk, 1, 0x33);
	lw_header(&w, NORMAL);
	if (disorder) {
		w.pos = 1010;
		w.sequence = 7;
		lw_header(&w, NORMAL);
	}
	jv_reopen();
	T_EQ(jnl->head.sequence, sequence);
	T_EQ(jnl->anomalies != 0, disorder);
	T_EQ(gfs_replay(jnl, &result), 0);
	T_EQ(result.replayed, 1);
	T_OK(jv_is_filled(blk, 0x33));
	T_OK(gfs_jnl_is_clean(jnl));
	T_EQ(jnl->head.pos, jnl->nblocks - 1);
	T_EQ(jnl->anomalies, 0);
	jv_reopen();
	T_OK(gfs_jnl_is_clean(jnl));
	T_EQ(jnl->head.pos, jnl->nblocks - 1);
}

int main(void)
{
	if (!T_NAMED(jv_begin(4096, 1), "volume of 4096"))
		return t_done();
	test_devices();
	test_power_cuts();
	test_write_errors();
	test_clear();
	test_empty_journal();
	test_disorder(900, true);
	test_disorder(UINT64_MAX - 100, false);
	test_disorder(UINT64_MAX, true);
	jv_end();
	return t_done();
}
