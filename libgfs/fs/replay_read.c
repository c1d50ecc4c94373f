// SPDX-License-Identifier: GPL-2.0-or-later
/* The copies of a plan, read in the order of the journal a batch at a time. */
#include "replay_priv.h"

#include "../format/verify.h"
#include "journal_priv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH_BYTES = 4 << 20 };

/* Where a copy is in the journal, and its place in the batch. */
struct source {
	uint64_t blk;
	size_t slot;
};

struct reader {
	const struct gfs_plan *plan;
	size_t max;             /* copies of a batch */
	char *data;
	struct source *sources;
	uint64_t *blks;
};

static uint32_t position(const struct gfs_plan *plan,
			 const struct gfs_copy *copy)
{
	return gfs_jnl_behind(plan->jnl, plan->jnl->head.tail, copy->order);
}

static int bad_copy(const struct gfs_plan *plan, const struct gfs_copy *copy,
		    const char *what)
{
	const struct gfs_jnl *jnl = plan->jnl;
	uint32_t pos = position(plan, copy);

	return gfs_fail(jnl->fs->err, GFS_ECORRUPT, jnl->map[pos],
			"journal%u, position %u: copy of block %" PRIu64 " %s",
			jnl->jid, pos, copy->blk, what);
}

/* Make the copy what goes to its home, and check that it may. */
static int finish(const struct gfs_plan *plan, const struct gfs_copy *copy,
		  char *data)
{
	const struct gfs_geom *g = &plan->jnl->fs->geom;
	const be32 magic = cpu_to_be32(GFS2_MAGIC);
	struct gfs_flaw flaw = { 0 };

	if (copy->escaped)
		memcpy(data, &magic, sizeof(magic));
	if (copy->is_meta && memcmp(data, &magic, sizeof(magic)))
		return bad_copy(plan, copy, "is not metadata");
	if (copy->blk == g->sb_blk)
		flaw = gfs_verify_sb(g, data, copy->blk);
	if (flaw.why && !flaw.minor)
		return bad_copy(plan, copy, "is not a sound superblock");
	return 0;
}

static int by_source(const void *a, const void *b)
{
	const struct source *x = a, *y = b;

	return (x->blk > y->blk) - (x->blk < y->blk);
}

/* Copies of the batch by their place in the journal. */
static int sort_sources(struct reader *r, const struct gfs_copy *copies,
			size_t n)
{
	const struct gfs_plan *plan = r->plan;

	for (size_t i = 0; i < n; i++) {
		uint32_t pos = position(plan, &copies[i]);

		r->sources[i].blk = plan->jnl->map[pos];
		r->sources[i].slot = i;
	}
	qsort(r->sources, n, sizeof(*r->sources), by_source);
	for (size_t i = 0; i < n; i++) {
		r->blks[i] = r->sources[i].blk;
		if (i && r->blks[i] == r->blks[i - 1])
			return bad_copy(plan, &copies[r->sources[i].slot],
					"is in a block that the journal has "
					"twice");
	}
	return 0;
}

static int read_sources(struct reader *r, const struct gfs_copy *copies,
			size_t n)
{
	struct gfs_fs *fs = r->plan->jnl->fs;
	const uint32_t bsize = fs->geom.bsize;
	struct gfs_scan *scan;
	const void *data;
	uint64_t blk = 0;
	int error, rc;

	rc = gfs_scan_open_list(&scan, fs->dev, bsize, r->blks, n, NULL);
	if (rc)
		return gfs_fail(fs->err, rc, r->blks[0], "cannot read copies");
	for (size_t i = 0; i < n; i++) {
		size_t slot = r->sources[i].slot;

		rc = gfs_scan_next(scan, &blk, &data, &error);
		rc = rc == 1 ? (data ? 0 : error) : (rc ? rc : -EIO);
		if (rc) {
			rc = gfs_fail(fs->err, rc, r->blks[i],
				      "cannot read a copy");
			break;
		}
		memcpy(r->data + slot * bsize, data, bsize);
		rc = finish(r->plan, &copies[slot], r->data + slot * bsize);
		if (rc)
			break;
	}
	gfs_scan_close(scan);
	return rc;
}

static int read_all(struct reader *r,
		    int (*fn)(const struct gfs_plan *plan,
			      const struct gfs_batch *batch))
{
	const struct gfs_plan *plan = r->plan;

	for (size_t i = 0; i < plan->n; i += r->max) {
		struct gfs_batch batch = {
			.copies = &plan->copies[i],
			.data = r->data,
			.n = gfs_min(r->max, plan->n - i),
		};
		int rc = sort_sources(r, batch.copies, batch.n);

		if (!rc)
			rc = read_sources(r, batch.copies, batch.n);
		if (!rc && fn)
			rc = fn(plan, &batch);
		if (rc)
			return rc;
	}
	return 0;
}

int gfs_plan_read(const struct gfs_plan *plan,
		  int (*fn)(const struct gfs_plan *plan,
			    const struct gfs_batch *batch))
{
	const struct gfs_fs *fs = plan->jnl->fs;
	struct reader r = {
		.plan = plan,
		.max = gfs_min(BATCH_BYTES >> fs->geom.shift, plan->n),
	};
	int rc;

	if (!plan->n)
		return 0;
	r.data = malloc(r.max << fs->geom.shift);
	r.sources = malloc(r.max * sizeof(*r.sources));
	r.blks = malloc(r.max * sizeof(*r.blks));
	if (r.data && r.sources && r.blks)
		rc = read_all(&r, fn);
	else
		rc = gfs_fail(fs->err, ENOMEM, plan->jnl->jinode,
			      "no memory for copies");
	free(r.data);
	free(r.sources);
	free(r.blks);
	return rc;
}
