// SPDX-License-Identifier: GPL-2.0-or-later
/* Collect agreed repairs; make them in the view at the end of a round. */
#include "edits.h"

#include <stdlib.h>
#include <string.h>

#include "../libgfs/format/bitmap.h"
#include "../libgfs/format/blocktype.h"
#include "../libgfs/format/dirent.h"
#include "fsck.h"

static struct fsck_edit *edit_new(struct fsck *f, enum fsck_edit_kind kind,
				  uint64_t blk, uint32_t off)
{
	struct fsck_edits *t = &f->edits;
	struct fsck_edit *e;

	t->v = table_grow(t->v, t->n, &t->room, sizeof(*t->v));
	e = &t->v[t->n];
	memset(e, 0, sizeof(*e));
	e->kind = (uint8_t)kind;
	e->blk = blk;
	e->off = off;
	e->seq = (uint32_t)t->n++;
	return e;
}

void edit_set(struct fsck *f, uint64_t blk, uint32_t off, uint8_t len,
	      uint64_t value)
{
	struct fsck_edit *e = edit_new(f, EDIT_SET, blk, off);

	e->len = len;
	e->value = value;
}

void edit_add(struct fsck *f, uint64_t blk, uint32_t off, uint8_t len,
	      int64_t delta)
{
	struct fsck_edit *e = edit_new(f, EDIT_ADD, blk, off);

	e->len = len;
	e->value = (uint64_t)delta;
}

void edit_state(struct fsck *f, uint64_t index, unsigned int state)
{
	uint32_t r = fsck_rg_of(f, index);
	const struct gfs_rgrp *rg = &f->fs->rgrps.rg[r];
	uint64_t in_group = index - f->rg[r].start;
	uint32_t byte = (uint32_t)(in_group / GFS2_NBBY);
	struct gfs_bitmap_part part;
	struct fsck_edit *e;

	for (uint32_t i = 0; i < rg->length; i++) {
		part = gfs_rgrp_bitmap_part(&f->fs->geom, rg, i);
		if (byte < part.start || byte >= part.start + part.bytes)
			continue;
		e = edit_new(f, EDIT_BITS, part.blk,
			     part.offset + byte - part.start);
		e->len = (uint8_t)(in_group % GFS2_NBBY * GFS2_BIT_SIZE);
		e->value = state;
		return;
	}
}

void edit_dirent_remove(struct fsck *f, uint64_t blk, uint32_t off)
{
	(void)edit_new(f, EDIT_DIRENT, blk, off);
}

void edit_header(struct fsck *f, uint64_t blk, uint32_t mh_type)
{
	edit_new(f, EDIT_HEADER, blk, 0)->value = mh_type;
}

void edit_zero(struct fsck *f, uint64_t blk, uint32_t off, uint32_t len)
{
	edit_new(f, EDIT_ZERO, blk, off)->value = len;
}

void edit_seal(struct fsck *f, uint64_t blk)
{
	(void)edit_new(f, EDIT_SEAL, blk, 0);
}

static uint64_t get_be(const uint8_t *at, unsigned int len)
{
	uint64_t v = 0;

	for (unsigned int i = 0; i < len; i++)
		v = v << 8 | at[i];
	return v;
}

static void put_be(uint8_t *at, unsigned int len, uint64_t v)
{
	while (len--) {
		at[len] = (uint8_t)v;
		v >>= 8;
	}
}

/* Where entries start in a block of this type. */
static uint32_t dirents_start(const void *block)
{
	return gfs_block_is(block, GFS2_METATYPE_LF) ?
		       (uint32_t)sizeof(struct gfs2_leaf) :
		       (uint32_t)sizeof(struct gfs2_dinode);
}

/*
 * The chain is walked as it is now, since earlier repairs of the same block
 * may have moved the predecessor. An entry that is not found stays.
 */
static void remove_dirent(uint8_t *block, uint32_t bsize, uint32_t off)
{
	const uint32_t rec_at = offsetof(struct gfs2_dirent, de_rec_len);
	uint32_t at = dirents_start(block), prev = 0;

	while (at < off && at + sizeof(struct gfs2_dirent) <= bsize) {
		uint32_t len = (uint32_t)get_be(block + at + rec_at, 2);

		if (len < sizeof(struct gfs2_dirent) || len > bsize - at)
			return;
		prev = at;
		at += len;
	}
	if (at != off)
		return;
	if (!prev) {
		memset(block + off, 0, sizeof(struct gfs2_inum));
		return;
	}
	put_be(block + prev + rec_at, 2,
	       get_be(block + prev + rec_at, 2) +
		       get_be(block + off + rec_at, 2));
}

static void set_header(uint8_t *block, uint32_t mh_type)
{
	struct gfs2_meta_header old, *mh = (struct gfs2_meta_header *)block;

	memcpy(&old, mh, sizeof(old));
	gfs_block_header(block, mh_type);
	mh->mh_jid = old.mh_jid;
}

static void apply_one(const struct fsck_edit *e, uint8_t *block, uint32_t bsize)
{
	uint8_t *at = block + e->off;
	uint32_t width = e->kind == EDIT_BITS ? 1 : e->len;

	if (e->off >= bsize || width > bsize - e->off)
		return;
	switch ((enum fsck_edit_kind)e->kind) {
	case EDIT_SET:
		put_be(at, e->len, e->value);
		break;
	case EDIT_ADD:
		put_be(at, e->len, get_be(at, e->len) + e->value);
		break;
	case EDIT_BITS:
		*at = (uint8_t)((*at & ~(GFS2_BIT_MASK << e->len)) |
				e->value << e->len);
		break;
	case EDIT_DIRENT:
		remove_dirent(block, bsize, e->off);
		break;
	case EDIT_HEADER:
		set_header(block, (uint32_t)e->value);
		break;
	case EDIT_ZERO:
		memset(at, 0, (size_t)gfs_min(e->value, bsize - e->off));
		break;
	case EDIT_SEAL:
		break;
	}
}

static int edit_order(const void *pa, const void *pb)
{
	const struct fsck_edit *a = pa, *b = pb;

	if (a->blk != b->blk)
		return a->blk < b->blk ? -1 : 1;
	return (a->seq > b->seq) - (a->seq < b->seq);
}

/* Make n changes of one block. */
static int apply_block(struct fsck *f, const struct fsck_edit *e, size_t n,
		       uint8_t *block)
{
	uint32_t bsize = f->fs->geom.bsize;
	uint64_t off = e->blk * bsize;
	int rc;

	rc = gfs_dev_read(f->view, block, bsize, off);
	if (!rc) {
		for (size_t i = 0; i < n; i++)
			apply_one(&e[i], block, bsize);
		if (gfs_block_is(block, GFS2_METATYPE_RG))
			gfs_block_seal(&f->fs->geom, block);
		rc = gfs_dev_write(f->view, block, bsize, off);
	}
	if (rc)
		return gfs_fail(&f->err, rc, e->blk, "repair in memory");
	return 0;
}

int edits_apply(struct fsck *f)
{
	struct fsck_edits *t = &f->edits;
	uint8_t *block = cli_alloc(f->fs->geom.bsize);
	size_t i = 0, n;
	int rc = 0;

	if (t->n)
		qsort(t->v, t->n, sizeof(*t->v), edit_order);
	while (!rc && i < t->n) {
		for (n = 1; i + n < t->n && t->v[i + n].blk == t->v[i].blk;)
			n++;
		rc = apply_block(f, &t->v[i], n, block);
		i += n;
	}
	t->n = 0;
	free(block);
	return rc ? fsck_report(f, rc) : 0;
}
