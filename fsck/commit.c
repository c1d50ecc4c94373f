// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The repaired view onto the device: journals first, by the same replay; then
 * every changed block as transactions of a sound journal of the volume, so
 * that a power cut leaves one that can be replayed.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../libgfs/format/blocktype.h"
#include "../libgfs/fs/replay.h"
#include "../libgfs/io/undo.h"
#include "fsck.h"

struct commit {
	struct fsck *f;
	struct gfs_fs *fs;       /* the volume on the device */
	struct gfs_undo *undo;   /* or NULL */
	struct gfs_jnl *jnl;     /* that takes the transactions, or NULL */
	struct gfs_log log;
	struct blockmap journals; /* blocks of journals' contents: 1 */
	struct gfs_log_block *blocks; /* of one transaction */
	uint8_t *data;
	size_t n, max;
	uint64_t n_meta, n_jdata;
	uint64_t written;
};

static int save_undo(struct commit *c)
{
	struct fsck *f = c->f;
	uint64_t blk = 0, *blks = NULL;
	size_t n = 0, room = 0;
	int rc;

	rc = gfs_undo_create(&c->undo, f->opts.undo, f->dev,
			     f->fs->geom.bsize, &f->err);
	while (!rc && (rc = gfs_overlay_next(f->view, &blk, NULL)) > 0) {
		blks = table_grow(blks, n, &room, sizeof(*blks));
		blks[n++] = blk++;
		rc = 0;
	}
	if (!rc)
		rc = gfs_undo_save(c->undo, blks, n);
	free(blks);
	return rc;
}

/* A block of the view and of the device: do they differ? */
static int differs(struct commit *c, uint64_t blk, const uint8_t *new,
		   uint8_t *old, bool *differ)
{
	uint32_t bsize = c->f->fs->geom.bsize;
	int rc = gfs_dev_read(c->f->dev, old, bsize, blk * bsize);

	*differ = !rc && memcmp(old, new, bsize) != 0;
	return rc;
}

/*
 * The superblock is in no journal's reach: one sector written in place. It
 * goes first, since nothing else can be done to a volume that does not open.
 */
static int write_super(struct commit *c)
{
	struct fsck *f = c->f;
	uint8_t new[GFS2_BASIC_BLOCK] = { 0 }, old[GFS2_BASIC_BLOCK] = { 0 };
	int rc;

	if (f->keep_sb)
		return 0;
	rc = gfs_dev_read(f->view, new, sizeof(new), GFS2_SB_OFFSET);
	if (!rc)
		rc = gfs_dev_read(f->dev, old, sizeof(old), GFS2_SB_OFFSET);
	if (rc || !memcmp(new, old, sizeof(new)))
		return rc;
	rc = gfs_dev_write(f->dev, new, sizeof(new), GFS2_SB_OFFSET);
	if (!rc)
		rc = gfs_dev_flush(f->dev);
	c->written++;
	return rc;
}

static void mark_journal(struct commit *c, const struct gfs_jnl *jnl)
{
	for (uint32_t i = 0; i < jnl->nblocks; i++)
		if (jnl->map[i] < c->journals.n)
			blockmap_set(&c->journals, jnl->map[i], 1);
}

/* What the view's journals went through, on the device. */
static int one_journal(struct commit *c, uint32_t jid)
{
	struct gfs_replay_result result;
	struct gfs_jnl *jnl;
	int rc;

	rc = gfs_jnl_open(&jnl, c->fs, jid);
	if (rc)
		return rc == -ENOMEM || rc == -EIO ? rc : 0;
	mark_journal(c, jnl);
	switch (c->f->jnl_actions[jid]) {
	case JNL_KEEP:
		break;
	case JNL_REPLAY:
		rc = gfs_replay(jnl, &result);
		break;
	case JNL_CLEAR:
		rc = gfs_jnl_clear(jnl);
		break;
	}
	gfs_jnl_close(jnl);
	return rc;
}

static int do_journals(struct commit *c)
{
	int rc = 0;

	for (uint32_t i = 0; !rc && i < c->f->n_actions; i++)
		rc = one_journal(c, i);
	return rc;
}

/* The largest clean journal takes the transactions. */
static int choose_journal(struct commit *c)
{
	struct gfs_jnl *jnl;
	int rc;

	for (uint32_t i = 0; i < c->f->n_actions; i++) {
		rc = gfs_jnl_open(&jnl, c->fs, i);
		if (rc == -ENOMEM)
			return rc;
		if (rc)
			continue;
		if (gfs_jnl_is_clean(jnl) &&
		    (!c->jnl || jnl->nblocks > c->jnl->nblocks)) {
			gfs_jnl_close(c->jnl);
			c->jnl = jnl;
		} else {
			gfs_jnl_close(jnl);
		}
	}
	if (!c->jnl) {
		cli_warn("%s: no sound journal: the repair is written in place",
			 c->f->opts.device);
		return 0;
	}
	return gfs_jnl_log(c->jnl, &c->log);
}

/* Without a journal: in ascending order, one flush. */
static int write_in_place(struct commit *c)
{
	uint32_t bsize = c->f->fs->geom.bsize;
	int rc = 0;

	for (size_t i = 0; !rc && i < c->n; i++)
		rc = gfs_dev_write(c->f->dev, c->blocks[i].data, bsize,
				   c->blocks[i].blk * bsize);
	return rc ? rc : gfs_dev_flush(c->f->dev);
}

static int flush_blocks(struct commit *c)
{
	int rc;

	if (!c->n)
		return 0;
	if (c->jnl)
		rc = gfs_log_commit(&c->log, c->blocks, c->n, NULL, 0,
				    GFS_LOG_CLEAN);
	else
		rc = write_in_place(c);
	c->written += c->n;
	c->n = 0;
	c->n_meta = c->n_jdata = 0;
	return rc;
}

static bool fits(const struct commit *c, bool is_meta)
{
	if (c->n >= c->max)
		return false;
	return !c->jnl ||
	       gfs_log_need(&c->f->fs->geom, c->n_meta + is_meta,
			    c->n_jdata + !is_meta, 0) + 4 <= c->log.nblocks;
}

static int add_block(struct commit *c, uint64_t blk, const uint8_t *data)
{
	uint32_t bsize = c->f->fs->geom.bsize;
	bool is_meta = gfs_blocktype_of(data) != NULL;
	uint8_t *copy;
	int rc;

	if (!fits(c, is_meta)) {
		rc = flush_blocks(c);
		if (rc)
			return rc;
	}
	copy = c->data + c->n * bsize;
	memcpy(copy, data, bsize);
	c->blocks[c->n].blk = blk;
	c->blocks[c->n].data = copy;
	c->blocks[c->n].is_meta = is_meta;
	c->n++;
	c->n_meta += is_meta;
	c->n_jdata += !is_meta;
	return 0;
}

static int write_blocks(struct commit *c)
{
	uint32_t bsize = c->f->fs->geom.bsize;
	uint8_t *new = cli_alloc(bsize), *old = cli_alloc(bsize);
	uint64_t blk = 0;
	bool differ;
	int rc;

	while ((rc = gfs_overlay_next(c->f->view, &blk, new)) > 0) {
		rc = 0;
		if (blk != c->f->fs->geom.sb_blk &&
		    !(blk < c->journals.n && blockmap_get(&c->journals, blk)))
			rc = differs(c, blk, new, old, &differ);
		else
			differ = false;
		if (!rc && differ)
			rc = add_block(c, blk, new);
		if (rc)
			break;
		blk++;
	}
	if (!rc)
		rc = flush_blocks(c);
	free(new);
	free(old);
	return rc;
}

static int make_room(struct commit *c)
{
	uint64_t count = gfs_overlay_count(c->f->view);

	c->max = (size_t)gfs_min(count, c->jnl ? c->log.nblocks : 4096) + 1;
	c->blocks = cli_alloc(c->max * sizeof(*c->blocks));
	c->data = cli_alloc(c->max * c->f->fs->geom.bsize);
	return 0;
}

/*
 * Without the directories that lead to them there are no journals to replay
 * or to use; what was repaired may be just these directories.
 */
static int prepare_journals(struct commit *c)
{
	int rc = gfs_fs_find_system(c->fs);

	if (rc == -GFS_ECORRUPT) {
		cli_warn("%s: journals are out of reach: the repair is "
			 "written in place", c->f->opts.device);
		return 0;
	}
	if (!rc)
		rc = do_journals(c);
	return rc ? rc : choose_journal(c);
}

static int commit_all(struct commit *c)
{
	struct fsck *f = c->f;
	int rc = 0;

	if (f->opts.undo)
		rc = save_undo(c);
	if (!rc)
		rc = write_super(c);
	if (!rc)
		rc = gfs_fs_open(&c->fs, f->dev, GFS_FS_BARE, &f->err);
	if (!rc)
		rc = prepare_journals(c);
	if (!rc)
		rc = make_room(c);
	if (!rc)
		rc = write_blocks(c);
	return rc;
}

int fsck_commit(struct fsck *f)
{
	struct commit c = { .f = f };
	int rc, end = 0;

	if (!f->view || !f->fs || !gfs_overlay_count(f->view))
		return 0;
	blockmap_init(&c.journals, f->fs->nblocks);
	rc = commit_all(&c);
	if (c.undo)
		end = gfs_undo_close(c.undo);
	gfs_jnl_close(c.jnl);
	gfs_fs_close(c.fs);
	blockmap_fini(&c.journals);
	free(c.blocks);
	free(c.data);
	if (rc || end)
		return fsck_report(f, rc ? rc : end);
	fsck_say(f, 0, "Written: %" PRIu64 " blocks.\n", c.written);
	return 0;
}
