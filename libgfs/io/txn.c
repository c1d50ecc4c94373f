// SPDX-License-Identifier: GPL-2.0-or-later
/* Transactions: pinning blocks, their old bytes, and giving them back. */
#include "txn.h"
#include "txn_priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int gfs_txn_begin(struct gfs_txn **txn, struct gfs_cache *cache,
		  const struct gfs_geom *geom, struct gfs_undo *undo,
		  unsigned int flags)
{
	struct gfs_error *err = gfs_cache_error(cache);
	struct gfs_txn *t;

	*txn = NULL;
	if (gfs_cache_dev(cache)->readonly)
		return gfs_fail(err, GFS_EREADONLY, GFS_NO_BLOCK,
				"cannot write");
	if (geom->bsize != gfs_cache_bsize(cache))
		return gfs_fail(err, EINVAL, GFS_NO_BLOCK,
				"block size %u does not fit a cache of %u",
				geom->bsize, gfs_cache_bsize(cache));
	if (*gfs_cache_txn(cache))
		return gfs_fail(err, EBUSY, GFS_NO_BLOCK,
				"another transaction is running");
	t = calloc(1, sizeof(*t));
	if (!t)
		return gfs_fail(err, ENOMEM, GFS_NO_BLOCK, "no transaction");
	t->cache = cache;
	t->geom = geom;
	t->undo = undo;
	t->flags = flags;
	*gfs_cache_txn(cache) = t;
	*txn = t;
	return 0;
}

/* Room for one more pin. */
static int reserve(struct gfs_txn *txn)
{
	size_t max = txn->max ? 2 * txn->max : 64;
	struct gfs_pin *pins;

	if (txn->n < txn->max)
		return 0;
	pins = realloc(txn->pins, max * sizeof(*pins));
	if (!pins)
		return -ENOMEM;
	txn->pins = pins;
	txn->max = max;
	return 0;
}

/* Pin a borrowed entry, whose borrow passes to the transaction on success. */
static int pin(struct gfs_txn *txn, struct gfs_entry *e, bool has_bytes)
{
	uint32_t bsize = txn->geom->bsize;
	void *before = NULL;
	int rc = reserve(txn);

	if (rc)
		return rc;
	if (has_bytes) {
		before = malloc(bsize);
		if (!before)
			return -ENOMEM;
		memcpy(before, e->data, bsize);
	}
	txn->pins[txn->n++] = (struct gfs_pin){
		.entry = e,
		.before = before,
		.fate = GFS_PIN_RESTORE,
	};
	e->pin = txn->n;
	return 0;
}

void *gfs_txn_edit(struct gfs_txn *txn, struct gfs_buf *buf)
{
	struct gfs_entry *e = gfs_entry_of(buf);

	if (e->pin)
		return e->data;
	if (e->is_detached) {
		gfs_fail(gfs_cache_error(txn->cache), EIO, buf->blk,
			 "cannot edit");
		return NULL;
	}
	gfs_entry_ref(e);
	if (pin(txn, e, true)) {
		gfs_buf_put(buf);
		gfs_fail(gfs_cache_error(txn->cache), ENOMEM, buf->blk,
			 "cannot edit");
		return NULL;
	}
	return e->data;
}

int gfs_txn_fresh(struct gfs_txn *txn, uint64_t blk, void **data)
{
	struct gfs_error *err = gfs_cache_error(txn->cache);
	uint64_t end = gfs_cache_dev(txn->cache)->size / txn->geom->bsize;
	struct gfs_entry *e;
	bool is_new;
	int rc;

	*data = NULL;
	if (blk >= end)
		return gfs_fail(err, GFS_ESHORT, blk, "cannot write");
	rc = gfs_entry_get(txn->cache, blk, &e, &is_new);
	if (rc)
		return rc;
	if (e->pin) {
		gfs_buf_put(&e->buf);
	} else {
		rc = pin(txn, e, !is_new);
		if (rc && is_new)
			gfs_entry_detach(e);
		if (rc) {
			gfs_buf_put(&e->buf);
			return gfs_fail(err, rc, blk, "cannot edit");
		}
	}
	memset(e->data, 0, txn->geom->bsize);
	*data = e->data;
	return 0;
}

void gfs_txn_set_data(struct gfs_txn *txn, uint64_t blk)
{
	struct gfs_entry *e = gfs_entry_find(txn->cache, blk);

	if (e && e->pin)
		txn->pins[e->pin - 1].is_data = true;
}

uint64_t gfs_txn_count(const struct gfs_txn *txn)
{
	return txn->n;
}

/* A block that came without being read has no old bytes to go back to. */
static void restore(struct gfs_txn *txn, const struct gfs_pin *p)
{
	struct gfs_entry *e = p->entry;

	if (p->before)
		memcpy(e->data, p->before, txn->geom->bsize);
	else if (e->refs == 1)
		gfs_entry_detach(e);
	else
		gfs_entry_refresh(txn->cache, e->buf.blk);
}

void gfs_txn_end(struct gfs_txn *txn)
{
	for (size_t i = 0; i < txn->n; i++) {
		struct gfs_pin *p = &txn->pins[i];

		if (p->fate == GFS_PIN_RESTORE)
			restore(txn, p);
		else if (p->fate == GFS_PIN_REFRESH)
			gfs_entry_refresh(txn->cache, p->entry->buf.blk);
		p->entry->pin = 0;
		gfs_buf_put(&p->entry->buf);
		free(p->before);
	}
	*gfs_cache_txn(txn->cache) = NULL;
	free(txn->pins);
	free(txn);
}

void gfs_txn_abort(struct gfs_txn *txn)
{
	if (txn)
		gfs_txn_end(txn);
}
