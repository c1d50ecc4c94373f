// SPDX-License-Identifier: GPL-2.0-or-later
/* Commands that write: set, zero, copy, fuzz, setbit, seal. */
#include "edit.h"
#include "expr.h"
#include "show.h"
#include "words.h"

#include "../libgfs/format/bitmap.h"
#include "../libgfs/format/blocktype.h"
#include "../libgfs/io/txn.h"
#include "../libgfs/io/undo.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int open_undo(struct dbg *d)
{
	if (!d->undo_path || d->undo)
		return 0;
	return gfs_undo_create(&d->undo, d->undo_path, d->dev,
			       d->fs->geom.bsize, &d->err);
}

static int edit_in(struct dbg *d, struct gfs_txn *txn, uint64_t blk,
		   const void *data)
{
	struct gfs_buf *buf;
	void *bytes;
	int rc;

	rc = gfs_buf_get(d->fs->cache, blk, &buf);
	if (rc)
		return rc;
	bytes = gfs_txn_edit(txn, buf);
	if (bytes)
		memcpy(bytes, data, d->fs->geom.bsize);
	else
		rc = dbg_fail(d, ENOMEM, "block %" PRIu64, blk);
	gfs_buf_put(buf);
	return rc;
}

int dbg_write_block(struct dbg *d, uint64_t blk, const void *data, bool seal)
{
	struct gfs_txn *txn;
	char *copy;
	int rc;

	rc = open_undo(d);
	if (!rc)
		rc = gfs_txn_begin(&txn, d->fs->cache, &d->fs->geom, d->undo,
				   GFS_TXN_RAW);
	if (rc)
		return rc;
	copy = cli_alloc(d->fs->geom.bsize);
	memcpy(copy, data, d->fs->geom.bsize);
	if (seal)
		gfs_block_seal(&d->fs->geom, copy);
	rc = edit_in(d, txn, blk, copy);
	if (rc)
		gfs_txn_abort(txn);
	else
		rc = gfs_txn_commit(txn);
	free(copy);
	return rc;
}

/* A copy of a block to change, freed by the caller. */
static int copy_block(struct dbg *d, uint64_t blk, char **copy)
{
	struct gfs_buf *buf;
	int rc = dbg_block(d, blk, &buf);

	if (rc)
		return rc;
	*copy = cli_alloc(d->fs->geom.bsize);
	memcpy(*copy, buf->data, d->fs->geom.bsize);
	gfs_buf_put(buf);
	return 0;
}

/* A change of one field: what to do with its bytes. */
struct change {
	const char *value;           /* set */
	const struct dbg_fuzz *fuzz; /* or damage */
	bool seal;
};

/* A name or value in place: what is shorter is filled up with zeros. */
static int parse_bytes(const char *text, char *at, size_t size)
{
	size_t len = strlen(text);

	if (len > size)
		return -ERANGE;
	memcpy(at, text, len);
	memset(at + len, 0, size - len);
	return 0;
}

static int apply(struct dbg *d, const struct change *c,
		 const struct dbg_field *f, char *at)
{
	int rc;

	if (c->fuzz) {
		rc = dbg_fuzz_bytes(c->fuzz, (uint8_t *)at, f->f.size);
		if (rc)
			return dbg_fail(d, rc, "no verb \"%.40s\"",
					c->fuzz->verb);
		return 0;
	}
	rc = f->is_bytes ? parse_bytes(c->value, at, f->f.size)
			 : gfs_field_parse(&f->f, at, c->value);
	if (rc)
		return dbg_fail(d, rc, "value \"%.80s\" for %s", c->value,
				f->f.name);
	return 0;
}

/* Change the field `name` of the block at `address` and show old and new. */
static int change_field(struct dbg *d, const char *address, const char *name,
			const struct change *c)
{
	struct dbg_field f;
	char *data, *old;
	uint64_t blk;
	int rc;

	rc = dbg_address(d, address, &blk);
	if (!rc)
		rc = dbg_find_field(d, blk, name, &f);
	if (!rc)
		rc = copy_block(d, f.blk, &data);
	if (rc)
		return rc;
	old = cli_alloc(f.f.size);
	memcpy(old, data + f.offset, f.f.size);
	rc = apply(d, c, &f, data + f.offset);
	if (!rc)
		rc = dbg_write_block(d, f.blk, data, c->seal);
	if (!rc) {
		emit_object_begin(d->out, NULL);
		emit_u64(d->out, "block", f.blk);
		emit_str(d->out, "field", name);
		dbg_show_field(d->out, "old", &f.f, old);
		dbg_show_field(d->out, "new", &f.f, data + f.offset);
		emit_object_end(d->out);
	}
	free(old);
	free(data);
	return rc;
}

int dbg_cmd_set(struct dbg *d, struct dbg_args *a)
{
	struct change c = { .value = a->v[2], .seal = a->opt[0] };

	return change_field(d, a->v[0], a->v[1], &c);
}

int dbg_cmd_fuzz(struct dbg *d, struct dbg_args *a)
{
	struct dbg_fuzz fuzz = { .verb = a->v[2], .has_n = a->n > 3 };
	struct change c = { .fuzz = &fuzz, .seal = a->opt[0] };
	int rc;

	rc = fuzz.has_n ? dbg_number(a->v[3], &fuzz.n) : 0;
	if (rc)
		return dbg_fail(d, rc, "\"%.60s\"", a->v[3]);
	return change_field(d, a->v[0], a->v[1], &c);
}

static int wrote(struct dbg *d, int rc, const char *what, uint64_t blk)
{
	if (rc)
		return rc;
	emit_object_begin(d->out, NULL);
	emit_u64(d->out, what, blk);
	emit_object_end(d->out);
	return 0;
}

int dbg_cmd_zero(struct dbg *d, struct dbg_args *a)
{
	char *zeros;
	uint64_t blk;
	int rc;

	rc = dbg_address(d, a->v[0], &blk);
	if (rc)
		return rc;
	zeros = cli_alloc(d->fs->geom.bsize);
	rc = dbg_write_block(d, blk, zeros, false);
	free(zeros);
	return wrote(d, rc, "zeroed", blk);
}

int dbg_cmd_copy(struct dbg *d, struct dbg_args *a)
{
	uint64_t from, to;
	char *data;
	int rc;

	rc = dbg_address(d, a->v[0], &from);
	if (!rc)
		rc = dbg_address(d, a->v[1], &to);
	if (!rc)
		rc = copy_block(d, from, &data);
	if (rc)
		return rc;
	rc = dbg_write_block(d, to, data, false);
	free(data);
	return wrote(d, rc, "overwritten", to);
}

int dbg_cmd_seal(struct dbg *d, struct dbg_args *a)
{
	uint64_t blk;
	char *data;
	int rc;

	rc = dbg_address(d, a->v[0], &blk);
	if (!rc)
		rc = copy_block(d, blk, &data);
	if (rc)
		return rc;
	if (gfs_blocktype_of(data))
		rc = dbg_write_block(d, blk, data, true);
	else
		rc = gfs_fail(&d->err, EINVAL, blk, "has no metadata header");
	free(data);
	return wrote(d, rc, "sealed", blk);
}

static int parse_state(struct dbg *d, const char *text, unsigned int *state)
{
	for (*state = 0; *state < 4; (*state)++)
		if (!strcmp(text, gfs_blkst_name(*state)))
			return 0;
	return dbg_fail(d, EINVAL,
			"no state \"%.40s\": free, used, unlinked or dinode",
			text);
}

/* Bitmap block of group rg that holds the state of its data block i. */
static struct gfs_bitmap_part find_part(const struct gfs_geom *g,
					const struct gfs_rgrp *rg, uint64_t i)
{
	struct gfs_bitmap_part part = gfs_rgrp_bitmap_part(g, rg, 0);
	uint64_t byte = i / GFS2_NBBY;

	for (uint32_t n = 1; byte >= (uint64_t)part.start + part.bytes; n++)
		part = gfs_rgrp_bitmap_part(g, rg, n);
	return part;
}

int dbg_cmd_setbit(struct dbg *d, struct dbg_args *a)
{
	const struct gfs_rgrp *rg;
	struct gfs_bitmap_part part;
	unsigned int state = 0;
	uint64_t blk, i;
	char *data;
	int rc;

	rc = dbg_address(d, a->v[0], &blk);
	if (!rc)
		rc = parse_state(d, a->v[1], &state);
	if (rc)
		return rc;
	rg = gfs_rgrp_find(&d->fs->rgrps, blk);
	if (!rg)
		return gfs_fail(&d->err, EINVAL, blk,
				"is in no resource group's data area");
	part = find_part(&d->fs->geom, rg, blk - rg->data0);
	rc = copy_block(d, part.blk, &data);
	if (rc)
		return rc;
	i = blk - rg->data0 - (uint64_t)part.start * GFS2_NBBY;
	emit_object_begin(d->out, NULL);
	emit_u64(d->out, "block", blk);
	emit_str(d->out, "old",
		 gfs_blkst_name(gfs_bitmap_get(data + part.offset, i)));
	gfs_bitmap_set(data + part.offset, i, state);
	rc = dbg_write_block(d, part.blk, data, a->opt[0]);
	if (!rc)
		emit_str(d->out, "new", gfs_blkst_name(state));
	emit_object_end(d->out);
	free(data);
	return rc;
}
