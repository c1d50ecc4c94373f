// SPDX-License-Identifier: GPL-2.0-or-later
/* Committing a transaction: seal, verify, undo file, journal, in place. */
#include "../format/blocktype.h"
#include "gather.h"
#include "txn.h"
#include "txn_priv.h"
#include "undo.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static int compare_pins(const void *a, const void *b)
{
	uint64_t x = ((const struct gfs_pin *)a)->entry->buf.blk;
	uint64_t y = ((const struct gfs_pin *)b)->entry->buf.blk;

	return (x > y) - (x < y);
}

static void sort_pins(struct gfs_txn *txn)
{
	if (txn->n)
		qsort(txn->pins, txn->n, sizeof(*txn->pins), compare_pins);
	for (size_t i = 0; i < txn->n; i++)
		txn->pins[i].entry->pin = i + 1;
}

static bool is_meta(const struct gfs_pin *p)
{
	return !p->is_data && gfs_blocktype_of(p->entry->data);
}

static int seal_and_verify(struct gfs_txn *txn, const struct gfs_pin *p)
{
	struct gfs_error *err = gfs_cache_error(txn->cache);
	uint64_t blk = p->entry->buf.blk;
	struct gfs_flaw flaw;

	if (!is_meta(p))
		return 0;
	gfs_block_seal(txn->geom, p->entry->data);
	flaw = gfs_verify_block(txn->geom, p->entry->data, blk);
	if (!flaw.why)
		return 0;
	return gfs_fail(err, GFS_ECORRUPT, blk, "not written: %s%s%s",
			flaw.field ? flaw.field->name : "",
			flaw.field ? " " : "", flaw.why);
}

static int save_undo(struct gfs_txn *txn)
{
	struct gfs_error *err = gfs_cache_error(txn->cache);
	uint64_t *blks;
	int rc;

	if (!txn->undo || !txn->n)
		return 0;
	blks = calloc(txn->n, sizeof(*blks));
	if (!blks)
		return gfs_fail(err, ENOMEM, GFS_NO_BLOCK,
				"cannot save to the undo file");
	for (size_t i = 0; i < txn->n; i++)
		blks[i] = txn->pins[i].entry->buf.blk;
	rc = gfs_undo_save(txn->undo, blks, txn->n);
	free(blks);
	return rc ? gfs_fail(err, rc, GFS_NO_BLOCK,
			     "cannot save to the undo file") :
		    0;
}

/* Everything that can refuse the transaction, before anything is written. */
static int prepare(struct gfs_txn *txn)
{
	sort_pins(txn);
	for (size_t i = 0; i < txn->n && !(txn->flags & GFS_TXN_RAW); i++) {
		int rc = seal_and_verify(txn, &txn->pins[i]);

		if (rc)
			return rc;
	}
	return save_undo(txn);
}

static void set_fate(struct gfs_txn *txn, const struct gfs_log_block *blocks,
		     size_t n, enum gfs_pin_fate fate)
{
	for (size_t i = 0; i < n; i++) {
		struct gfs_entry *e = gfs_entry_find(txn->cache,
						     blocks[i].blk);

		txn->pins[e->pin - 1].fate = fate;
	}
}

/* Write in place and flush. */
static int write_direct(struct gfs_txn *txn,
			const struct gfs_log_block *blocks, size_t n)
{
	struct gfs_error *err = gfs_cache_error(txn->cache);
	struct gfs_dev *dev = gfs_cache_dev(txn->cache);
	size_t done = 0;
	int rc;

	if (!n)
		return 0;
	rc = gfs_gather_write(dev, txn->geom->bsize, blocks, n, &done);
	set_fate(txn, blocks, done, GFS_PIN_KEEP);
	if (rc) {
		/* The call that failed may have written any part of it. */
		set_fate(txn, blocks + done, n - done, GFS_PIN_REFRESH);
		return gfs_fail(err, rc, blocks[done].blk, "cannot write");
	}
	rc = gfs_dev_flush(dev);
	return rc ? gfs_fail(err, rc, GFS_NO_BLOCK, "cannot flush") : 0;
}

static struct gfs_log_block block_of(const struct gfs_pin *p)
{
	return (struct gfs_log_block){
		.blk = p->entry->buf.blk,
		.data = p->entry->data,
		.is_meta = is_meta(p),
	};
}

int gfs_txn_commit(struct gfs_txn *txn)
{
	struct gfs_log_block *blocks = NULL;
	int rc = prepare(txn);

	if (rc || !txn->n)
		goto out;
	blocks = calloc(txn->n, sizeof(*blocks));
	if (!blocks) {
		rc = gfs_fail(gfs_cache_error(txn->cache), ENOMEM,
			      GFS_NO_BLOCK, "cannot commit");
		goto out;
	}
	for (size_t i = 0; i < txn->n; i++)
		blocks[i] = block_of(&txn->pins[i]);
	rc = write_direct(txn, blocks, txn->n);
out:
	free(blocks);
	gfs_txn_end(txn);
	return rc;
}

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a;
	uint64_t y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/*
 * Split the blocks into an array of 2 * txn->n: those that can be logged in
 * its first half, how many is returned, the others in its second half; both
 * ascending. own: sorted map of the journal.
 */
static size_t split(const struct gfs_txn *txn, const struct gfs_log *log,
		    const uint64_t *own, struct gfs_log_block *blocks)
{
	struct gfs_log_block *direct = blocks + txn->n;
	size_t n = 0, n_direct = 0;

	for (size_t i = 0; i < txn->n; i++) {
		struct gfs_log_block b = block_of(&txn->pins[i]);

		if (b.blk == txn->geom->sb_blk ||
		    bsearch(&b.blk, own, log->nblocks, sizeof(*own),
			    compare_u64))
			direct[n_direct++] = b;
		else
			blocks[n++] = b;
	}
	return n;
}

/* How many of the blocks fit the journal as one transaction. */
static size_t fitting(const struct gfs_log *log,
		      const struct gfs_log_block *blocks, size_t n)
{
	uint64_t limit = gfs_log_limit(log);
	uint64_t n_meta = 0, n_jdata = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		n_meta += blocks[i].is_meta;
		n_jdata += !blocks[i].is_meta;
		if (gfs_log_need(log->geom, n_meta, n_jdata, 0) > limit)
			break;
	}
	return i;
}

static int write_logged(struct gfs_txn *txn, struct gfs_log *log,
			const struct gfs_log_block *blocks, size_t n)
{
	struct gfs_error *err = gfs_cache_error(txn->cache);

	while (n) {
		size_t part = fitting(log, blocks, n);
		int rc = part ? gfs_log_commit(log, blocks, part, NULL, 0,
					       GFS_LOG_CLEAN) :
				-GFS_EFULL;

		set_fate(txn, blocks, part,
			 rc ? GFS_PIN_REFRESH : GFS_PIN_KEEP);
		if (rc)
			return gfs_fail(err, rc, GFS_NO_BLOCK,
					"cannot commit through the journal");
		blocks += part;
		n -= part;
	}
	return 0;
}

static int commit_split(struct gfs_txn *txn, struct gfs_log *log)
{
	struct gfs_log_block *blocks = calloc(2 * txn->n, sizeof(*blocks));
	uint64_t *own = calloc(log->nblocks, sizeof(*own));
	size_t n;
	int rc;

	if (!blocks || !own) {
		rc = gfs_fail(gfs_cache_error(txn->cache), ENOMEM,
			      GFS_NO_BLOCK, "cannot commit");
		goto out;
	}
	for (uint32_t i = 0; i < log->nblocks; i++)
		own[i] = log->map[i];
	qsort(own, log->nblocks, sizeof(*own), compare_u64);
	n = split(txn, log, own, blocks);
	rc = write_logged(txn, log, blocks, n);
	if (!rc)
		rc = write_direct(txn, blocks + txn->n, txn->n - n);
out:
	free(blocks);
	free(own);
	return rc;
}

int gfs_txn_commit_logged(struct gfs_txn *txn, struct gfs_log *log)
{
	struct gfs_cache *cache = txn->cache;
	int rc = prepare(txn);

	if (!rc && txn->n)
		rc = commit_split(txn, log);
	gfs_txn_end(txn);
	/* The writer went round the cache. */
	for (uint32_t i = 0; i < log->nblocks; i++)
		gfs_entry_refresh(cache, log->map[i]);
	return rc;
}
