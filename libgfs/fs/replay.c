// SPDX-License-Identifier: GPL-2.0-or-later
/* Journal recovery: a plan, checked; then written; then the journal closed. */
#include "replay.h"

#include "../format/blocktype.h"
#include "journal_priv.h"
#include "replay_priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CLEAR_BYTES = 1 << 20 };

/* A plan whose every copy has been looked at. */
static int make_checked(struct gfs_plan *plan, struct gfs_jnl *jnl,
			struct gfs_replay_result *result)
{
	int rc = gfs_plan_make(plan, jnl, result);

	return rc ? rc : gfs_plan_read(plan, NULL);
}

int gfs_replay_check(struct gfs_jnl *jnl, struct gfs_replay_result *result)
{
	struct gfs_plan plan;
	int rc;

	if (gfs_jnl_is_clean(jnl)) {
		*result = (struct gfs_replay_result){ .was_clean = true };
		return 0;
	}
	rc = make_checked(&plan, jnl, result);
	gfs_plan_fini(&plan);
	return rc;
}

static int write_blocks(struct gfs_fs *fs, uint64_t blk, const void *data,
			size_t n)
{
	int rc = gfs_dev_write(fs->dev, data, n << fs->geom.shift,
			       blk << fs->geom.shift);

	return rc ? gfs_fail(fs->err, rc, blk, "cannot write") : 0;
}

static int flush(struct gfs_fs *fs)
{
	int rc = gfs_dev_flush(fs->dev);

	return rc ? gfs_fail(fs->err, rc, GFS_NO_BLOCK, "cannot flush") : 0;
}

/* Neighbours among the homes are neighbours in the batch. */
static int write_batch(const struct gfs_plan *plan,
		       const struct gfs_batch *batch)
{
	struct gfs_fs *fs = plan->jnl->fs;
	const struct gfs_copy *copies = batch->copies;

	for (size_t i = 0, end; i < batch->n; i = end) {
		int rc;

		end = i + 1;
		while (end < batch->n &&
		       copies[end].blk == copies[end - 1].blk + 1)
			end++;
		rc = write_blocks(fs, copies[i].blk,
				  batch->data + (i << fs->geom.shift),
				  end - i);
		if (rc)
			return rc;
	}
	return 0;
}

/* Are these codes about what the volume holds, not about reading it? */
static bool is_damage(int rc)
{
	return rc == -GFS_ECORRUPT || rc == -GFS_EOUTSIDE ||
	       rc == -GFS_ECYCLE || rc == -ENOENT || rc == -ENOTDIR;
}

static void add_to(be64 *field, int64_t delta)
{
	*field = cpu_to_be64(be64_to_cpu(*field) + (uint64_t)delta);
}

/* A statfs file: add a head's values, or, without head, set all to 0. */
static int update_statfs(struct gfs_fs *fs, uint64_t blk,
			 const struct gfs_log_head *head)
{
	struct gfs2_statfs_change *sc;
	char *block;
	int rc;

	if (!gfs_fs_has_block(fs, blk))
		return 0;
	block = malloc(fs->geom.bsize);
	if (!block)
		return gfs_fail(fs->err, ENOMEM, blk, "no block buffer");
	rc = gfs_dev_read(fs->dev, block, fs->geom.bsize,
			  blk << fs->geom.shift);
	if (rc) {
		rc = gfs_fail(fs->err, rc, blk, "cannot read");
		goto out;
	}
	if (!gfs_block_is(block, GFS2_METATYPE_DI))
		goto out;
	sc = (struct gfs2_statfs_change *)(block + sizeof(struct gfs2_dinode));
	if (head) {
		add_to(&sc->sc_total, head->local_total);
		add_to(&sc->sc_free, head->local_free);
		add_to(&sc->sc_dinodes, head->local_dinodes);
	} else {
		*sc = (struct gfs2_statfs_change){ 0 };
	}
	rc = write_blocks(fs, blk, block, 1);
out:
	free(block);
	return rc;
}

static int recover_statfs(struct gfs_jnl *jnl)
{
	const struct gfs_log_head *head = &jnl->head;
	struct gfs_fs *fs = jnl->fs;
	struct gfs_ino change;
	int rc = 0;

	if (head->local_total || head->local_free || head->local_dinodes)
		rc = update_statfs(fs, fs->sys.statfs.addr, head);
	if (rc)
		return rc;
	rc = gfs_fs_per_node(fs, "statfs_change", jnl->jid, &change);
	if (!rc)
		rc = update_statfs(fs, change.addr, NULL);
	return is_damage(rc) ? 0 : rc;
}

static struct gfs_log log_of(const struct gfs_jnl *jnl)
{
	return (struct gfs_log){
		.dev = jnl->fs->dev,
		.geom = &jnl->fs->geom,
		.map = jnl->map,
		.nblocks = jnl->nblocks,
		.jinode = jnl->jinode,
		.sec = (uint64_t)time(NULL),
	};
}

static int write_clean_header(struct gfs_jnl *jnl)
{
	const struct gfs_log log = log_of(jnl);
	struct gfs_fs *fs = jnl->fs;
	uint32_t pos = gfs_jnl_behind(jnl, jnl->head.pos, 1);
	void *block = malloc(fs->geom.bsize);
	int rc;

	if (!block)
		return gfs_fail(fs->err, ENOMEM, jnl->map[pos],
				"no block buffer");
	gfs_log_header_fill(&log, block, pos, 0, jnl->head.sequence + 1,
			    GFS2_LOG_HEAD_UNMOUNT | GFS2_LOG_HEAD_RECOVERY |
				    GFS2_LOG_HEAD_USERSPACE);
	rc = write_blocks(fs, jnl->map[pos], block, 1);
	if (!rc)
		jnl->has_head = gfs_log_head_read(&fs->geom, block, pos,
						  &jnl->head);
	free(block);
	return rc ? rc : flush(fs);
}

/* No room for the sequences that closing the journal needs. */
static bool is_exhausted(const struct gfs_jnl *jnl)
{
	return jnl->head.sequence > UINT64_MAX - jnl->nblocks - 1;
}

/* Everything after the check; the order of flushes makes it repeatable. */
static int carry_out(struct gfs_plan *plan)
{
	struct gfs_jnl *jnl = plan->jnl;
	struct gfs_fs *fs = jnl->fs;
	int rc = gfs_plan_read(plan, write_batch);

	gfs_cache_drop(fs->cache);
	if (!rc)
		rc = flush(fs);
	if (!rc)
		rc = recover_statfs(jnl);
	if (!rc)
		rc = flush(fs);
	if (rc)
		return rc;
	if (jnl->anomalies || is_exhausted(jnl))
		return gfs_jnl_clear(jnl);
	return write_clean_header(jnl);
}

int gfs_replay(struct gfs_jnl *jnl, struct gfs_replay_result *result)
{
	struct gfs_plan plan;
	int rc;

	*result = (struct gfs_replay_result){ 0 };
	if (gfs_jnl_is_clean(jnl)) {
		result->was_clean = true;
		return 0;
	}
	if (jnl->fs->dev->readonly)
		return gfs_fail(jnl->fs->err, GFS_EREADONLY, GFS_NO_BLOCK,
				"cannot replay journal%u", jnl->jid);
	rc = make_checked(&plan, jnl, result);
	if (!rc)
		rc = carry_out(&plan);
	gfs_plan_fini(&plan);
	gfs_cache_drop(jnl->fs->cache);
	return rc;
}

/* Fresh headers at positions [from, to), in buf as far as they are one run. */
static int clear_range(struct gfs_jnl *jnl, char *buf, uint32_t from,
		       uint32_t to)
{
	const struct gfs_log log = log_of(jnl);
	const uint32_t shift = jnl->fs->geom.shift;
	const uint32_t max = CLEAR_BYTES >> shift;
	const uint64_t first = is_exhausted(jnl) ? 1 : jnl->head.sequence + 1;

	while (from < to) {
		uint32_t n = 0;
		int rc;

		while (from + n < to && n < max &&
		       jnl->map[from + n] == jnl->map[from] + n) {
			gfs_log_header_fill(&log, buf + ((size_t)n << shift),
					    from + n, 0,
					    first + from + n,
					    GFS2_LOG_HEAD_UNMOUNT |
						    GFS2_LOG_HEAD_USERSPACE);
			n++;
		}
		rc = write_blocks(jnl->fs, jnl->map[from], buf, n);
		if (rc)
			return rc;
		from += n;
	}
	return 0;
}

int gfs_jnl_clear(struct gfs_jnl *jnl)
{
	struct gfs_fs *fs = jnl->fs;
	char *buf = malloc(CLEAR_BYTES);
	int rc;

	if (!buf)
		return gfs_fail(fs->err, ENOMEM, jnl->jinode,
				"no memory to clear journal%u", jnl->jid);
	/*
	 * Once the first position holds the highest sequence, every way of
	 * searching finds a clean head.
	 */
	rc = clear_range(jnl, buf, 0, 1);
	if (!rc)
		rc = flush(fs);
	if (!rc)
		rc = clear_range(jnl, buf, 1, jnl->nblocks);
	if (!rc)
		rc = flush(fs);
	free(buf);
	gfs_cache_drop(fs->cache);
	return rc ? rc : gfs_jnl_find_head(jnl);
}
