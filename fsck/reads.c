// SPDX-License-Identifier: GPL-2.0-or-later
/* A device that counts blocks read, and the scan of sorted blocks. */
#include "reads.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "fsck.h"

enum seen_state { SEEN_NOT, SEEN_EARLY, SEEN_SCAN };

struct counter {
	struct gfs_dev dev;
	struct gfs_dev *base;
	pthread_mutex_t lock; /* of what follows */
	struct blockmap seen;
	uint32_t bsize;       /* 0: no round yet */
	bool track, scanning;
	uint64_t blocks, distinct;
	uint8_t *sb;          /* the superblock's block, or NULL */
	uint32_t sb_len;
};

static struct counter *counter_of(const struct gfs_dev *dev)
{
	return (struct counter *)(uintptr_t)dev;
}

static void note(struct counter *c, uint64_t off, size_t len)
{
	uint64_t blk, end;

	if (!c->bsize || !len)
		return;
	end = gfs_min((off + len - 1) / c->bsize + 1, c->seen.n);
	pthread_mutex_lock(&c->lock);
	for (blk = off / c->bsize; blk < end; blk++) {
		c->blocks++;
		if (c->scanning && !c->track)
			continue;
		if (blockmap_get(&c->seen, blk))
			continue;
		c->distinct++;
		blockmap_set(&c->seen, blk,
			     c->scanning ? SEEN_SCAN : SEEN_EARLY);
	}
	pthread_mutex_unlock(&c->lock);
}

/* The superblock is read by several parties, from the device only once. */
static bool from_sb(const struct counter *c, size_t len, uint64_t off)
{
	return c->sb && off >= GFS2_SB_OFFSET &&
	       off + len <= GFS2_SB_OFFSET + c->sb_len;
}

static int counter_read(struct gfs_dev *dev, void *buf, size_t len,
			uint64_t off)
{
	struct counter *c = counter_of(dev);

	if (from_sb(c, len, off)) {
		memcpy(buf, c->sb + (off - GFS2_SB_OFFSET), len);
		return 0;
	}
	note(c, off, len);
	return gfs_dev_read(c->base, buf, len, off);
}

static int counter_readv(struct gfs_dev *dev, const struct iovec *iov, int n,
			 uint64_t off)
{
	struct counter *c = counter_of(dev);
	size_t len = 0;

	for (int i = 0; i < n; i++)
		len += iov[i].iov_len;
	if (n == 1 && from_sb(c, len, off))
		return counter_read(dev, iov[0].iov_base, len, off);
	note(c, off, len);
	return gfs_dev_readv(c->base, iov, n, off);
}

static int counter_write(struct gfs_dev *dev, const struct iovec *iov, int n,
			 uint64_t off)
{
	(void)dev;
	(void)iov;
	(void)n;
	(void)off;
	return -GFS_EREADONLY;
}

static int counter_flush(struct gfs_dev *dev)
{
	(void)dev;
	return 0;
}

static void counter_close(struct gfs_dev *dev)
{
	struct counter *c = counter_of(dev);

	blockmap_fini(&c->seen);
	pthread_mutex_destroy(&c->lock);
	free(c->sb);
	free(c);
}

static const struct gfs_dev_ops counter_ops = {
	.kind = "counter",
	.read = counter_read,
	.readv = counter_readv,
	.write = counter_write,
	.flush = counter_flush,
	.close = counter_close,
};

/* Keep the superblock's block; its size is what it says, if possible. */
static void keep_sb(struct counter *c)
{
	struct gfs2_sb sb;
	uint32_t bsize;

	c->sb = cli_alloc(GFS2_BSIZE_MAX);
	c->sb_len = GFS2_BASIC_BLOCK;
	if (gfs_dev_read(c->base, c->sb, c->sb_len, GFS2_SB_OFFSET)) {
		free(c->sb);
		c->sb = NULL;
		return;
	}
	memcpy(&sb, c->sb, sizeof(sb));
	bsize = be32_to_cpu(sb.sb_bsize);
	if (!gfs_is_pow2(bsize) || bsize <= GFS2_BSIZE_MIN ||
	    bsize > GFS2_BSIZE_MAX)
		return;
	if (!gfs_dev_read(c->base, c->sb + c->sb_len, bsize - c->sb_len,
			  GFS2_SB_OFFSET + c->sb_len))
		c->sb_len = bsize;
}

int reads_open(struct gfs_dev **dev, struct gfs_dev *base)
{
	struct counter *c = cli_alloc(sizeof(*c));

	c->base = base;
	c->dev.ops = &counter_ops;
	c->dev.name = cli_strdup(base->name);
	c->dev.size = base->size;
	c->dev.readonly = true;
	c->dev.is_block = base->is_block;
	c->dev.sector = base->sector;
	pthread_mutex_init(&c->lock, NULL);
	keep_sb(c);
	*dev = &c->dev;
	return 0;
}

void reads_begin(struct gfs_dev *dev, uint32_t bsize, bool track)
{
	struct counter *c = counter_of(dev);

	blockmap_fini(&c->seen);
	blockmap_init(&c->seen, dev->size / bsize + 1);
	c->bsize = bsize;
	c->track = track;
	c->scanning = false;
	c->blocks = 0;
	c->distinct = 0;
	if (c->sb)
		note(c, GFS2_SB_OFFSET, c->sb_len);
}

void reads_scanning(struct gfs_dev *dev, bool scanning)
{
	struct counter *c = counter_of(dev);

	pthread_mutex_lock(&c->lock);
	c->scanning = scanning;
	pthread_mutex_unlock(&c->lock);
}

bool reads_has(struct gfs_dev *dev, uint64_t blk)
{
	struct counter *c = counter_of(dev);
	bool has;

	pthread_mutex_lock(&c->lock);
	has = blk < c->seen.n && blockmap_get(&c->seen, blk) == SEEN_EARLY;
	pthread_mutex_unlock(&c->lock);
	return has;
}

struct fsck_read_counts reads_counts(const struct gfs_dev *dev)
{
	const struct counter *c = counter_of(dev);

	return (struct fsck_read_counts){
		.blocks = c->blocks,
		.distinct = c->track ? c->distinct : 0,
	};
}

/* One block that is in the cache, to fn. */
static int hand_cached(struct fsck *f, uint64_t blk, fsck_block_fn fn,
		       void *ctx)
{
	struct gfs_buf *buf = NULL;
	int rc = gfs_buf_get(f->fs->cache, blk, &buf);

	if (rc == -ENOMEM)
		return rc;
	if (rc)
		fsck_unreadable(f, blk, rc);
	rc = fn(f, ctx, blk, buf ? buf->data : NULL);
	gfs_buf_put(buf);
	return rc;
}

/* Split blks: the ones to scan, in order. */
static size_t not_cached(struct fsck *f, const uint64_t *blks, size_t n,
			 uint64_t *scan)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (!reads_has(f->counter, blks[i]))
			scan[kept++] = blks[i];
	return kept;
}

struct merge {
	const uint64_t *blks;
	size_t n, pos; /* next of all blocks to hand over */
	fsck_block_fn fn;
	void *ctx;
};

/* Hand over cached blocks that come before blk. */
static int hand_before(struct fsck *f, struct merge *m, uint64_t blk)
{
	int rc = 0;

	while (!rc && m->pos < m->n && m->blks[m->pos] < blk) {
		if (f->stop)
			return -GFS_EINTR;
		rc = hand_cached(f, m->blks[m->pos++], m->fn, m->ctx);
	}
	return rc;
}

static int scan_merged(struct fsck *f, struct gfs_scan *scan, struct merge *m)
{
	const void *data;
	uint64_t blk;
	int rc, error;

	while ((rc = gfs_scan_next(scan, &blk, &data, &error)) > 0) {
		if (f->stop)
			return -GFS_EINTR;
		rc = hand_before(f, m, blk);
		if (rc)
			return rc;
		if (!data)
			fsck_unreadable(f, blk, error);
		rc = m->fn(f, m->ctx, blk, data);
		if (rc)
			return rc;
		m->pos++;
	}
	return rc ? rc : hand_before(f, m, UINT64_MAX);
}

int fsck_scan(struct fsck *f, const uint64_t *blks, size_t n, fsck_block_fn fn,
	      void *ctx)
{
	struct merge m = { .blks = blks, .n = n, .fn = fn, .ctx = ctx };
	uint64_t *list = cli_alloc((n + 1) * sizeof(*list));
	struct gfs_scan *scan = NULL;
	size_t n_scan = not_cached(f, blks, n, list);
	int rc;

	reads_scanning(f->counter, true);
	rc = gfs_scan_open_list(&scan, f->view, f->fs->geom.bsize, list, n_scan,
				NULL);
	if (!rc) {
		rc = scan_merged(f, scan, &m);
		gfs_scan_close(scan);
	}
	reads_scanning(f->counter, false);
	free(list);
	return rc;
}
