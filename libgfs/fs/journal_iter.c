// SPDX-License-Identifier: GPL-2.0-or-later
/* Cursor over the headers, descriptors and tags of a journal. */
#include "journal.h"

#include "../format/blocktype.h"
#include "journal_priv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct gfs_jnl_iter {
	struct gfs_jnl *jnl;
	bool all;
	uint32_t pos;          /* where the next header or descriptor is */
	uint32_t left;         /* positions to go */
	char *desc;            /* the block there, or the present descriptor */
	char *cont;            /* a continuation of its revokes */
	uint32_t desc_pos;
	uint32_t cont_k;       /* cont is the k-th behind it, 0: none */
	enum gfs_jnl_item_kind kind;
	uint32_t i, n;         /* items given, items in all */
};

static int bad(const struct gfs_jnl_iter *it, uint32_t pos, const char *what)
{
	struct gfs_jnl *jnl = it->jnl;

	return gfs_fail(jnl->fs->err, GFS_ECORRUPT, jnl->map[pos],
			"journal%u, position %u: %s", jnl->jid, pos, what);
}

/* Where the cursor starts and how far it goes. */
static int place(struct gfs_jnl_iter *it)
{
	struct gfs_jnl *jnl = it->jnl;

	if (it->all) {
		it->pos = gfs_jnl_behind(jnl, jnl->head.pos, jnl->has_head);
		it->left = jnl->nblocks;
		return 0;
	}
	if (jnl->has_head && jnl->head.tail >= jnl->nblocks &&
	    !gfs_jnl_is_clean(jnl))
		return bad(it, jnl->head.pos, "tail is not in the journal");
	it->pos = jnl->head.tail;
	it->left = gfs_jnl_active(jnl);
	return 0;
}

int gfs_jnl_first(struct gfs_jnl_iter **it, struct gfs_jnl *jnl, bool all)
{
	const uint32_t bsize = jnl->fs->geom.bsize;
	struct gfs_jnl_iter *i = calloc(1, sizeof(*i) + 2 * (size_t)bsize);
	int rc;

	*it = NULL;
	if (!i)
		return gfs_fail(jnl->fs->err, ENOMEM, jnl->jinode, "journal");
	i->jnl = jnl;
	i->all = all;
	i->desc = (char *)(i + 1);
	i->cont = i->desc + bsize;
	rc = place(i);
	if (rc)
		free(i);
	else
		*it = i;
	return rc;
}

void gfs_jnl_iter_close(struct gfs_jnl_iter *it)
{
	free(it);
}

/* Past the cache: writers of logs do not know it, and it would be flooded. */
static int read_block(struct gfs_jnl_iter *it, char *block, uint32_t pos)
{
	struct gfs_fs *fs = it->jnl->fs;
	uint64_t blk = it->jnl->map[pos];
	int rc = gfs_dev_read(fs->dev, block, fs->geom.bsize,
			      blk << fs->geom.shift);

	return rc ? gfs_fail(fs->err, rc, blk, "cannot read") : 0;
}

static uint64_t tag(const char *block, size_t start, uint32_t i)
{
	be64 v;

	memcpy(&v, block + start + i * sizeof(v), sizeof(v));
	return be64_to_cpu(v);
}

static uint64_t desc_tag(const struct gfs_jnl_iter *it, uint32_t i)
{
	return tag(it->desc, sizeof(struct gfs2_log_descriptor), i);
}

/* Have the k-th continuation block of the present descriptor in it->cont. */
static int load_cont(struct gfs_jnl_iter *it, uint32_t k, uint32_t pos)
{
	int rc;

	if (it->cont_k == k)
		return 0;
	it->cont_k = 0;
	rc = read_block(it, it->cont, pos);
	if (rc)
		return rc;
	if (!gfs_block_is(it->cont, GFS2_METATYPE_LB))
		return bad(it, pos, "revokes do not go on where they should");
	it->cont_k = k;
	return 0;
}

static int revoke_item(struct gfs_jnl_iter *it, struct gfs_jnl_item *item)
{
	const struct gfs_geom *g = &it->jnl->fs->geom;
	uint32_t i = it->i, k;
	int rc;

	item->pos = it->desc_pos;
	if (i < g->ldptrs) {
		item->blk = desc_tag(it, i);
		return 0;
	}
	k = 1 + (i - g->ldptrs) / g->inptrs;
	item->pos = gfs_jnl_behind(it->jnl, it->desc_pos, k);
	rc = load_cont(it, k, item->pos);
	if (!rc)
		item->blk = tag(it->cont, sizeof(struct gfs2_meta_header),
				(i - g->ldptrs) % g->inptrs);
	return rc;
}

/* An item of the present descriptor. */
static int desc_item(struct gfs_jnl_iter *it, struct gfs_jnl_item *item)
{
	int rc = 0;

	*item = (struct gfs_jnl_item){ .kind = it->kind, .pos = it->desc_pos };
	if (it->kind == GFS_JNL_REVOKE) {
		rc = revoke_item(it, item);
	} else {
		item->copy = gfs_jnl_behind(it->jnl, it->desc_pos, 1 + it->i);
		item->blk = desc_tag(it, it->i *
					 (it->kind == GFS_JNL_JDATA ? 2 : 1));
		item->escaped = it->kind == GFS_JNL_JDATA &&
				desc_tag(it, it->i * 2 + 1);
	}
	it->i++;
	return rc ? rc : 1;
}

/* What is wrong with a descriptor's counts, NULL if nothing; sets n. */
static const char *check_desc(struct gfs_jnl_iter *it,
			      const struct gfs_jnl_item *item)
{
	const struct gfs_geom *g = &it->jnl->fs->geom;
	uint64_t n = item->n, need = n + 1, max = 0;

	if (!item->ld_length || item->ld_length > it->left)
		return "descriptor reaches beyond the head";
	switch (item->ld_type) {
	case GFS2_LOG_DESC_METADATA:
		it->kind = GFS_JNL_META;
		max = g->ldptrs;
		break;
	case GFS2_LOG_DESC_JDATA:
		it->kind = GFS_JNL_JDATA;
		max = g->jdata_tags;
		break;
	case GFS2_LOG_DESC_REVOKE:
		it->kind = GFS_JNL_REVOKE;
		max = UINT32_MAX;
		need = n <= g->ldptrs ?
			       1 :
			       1 + gfs_div_up(n - g->ldptrs, g->inptrs);
		break;
	default: /* passed over by its length, as the kernel does */
		it->n = 0;
		return NULL;
	}
	if (n > max || need > item->ld_length)
		return "descriptor has more items than it can hold";
	it->n = item->n;
	return NULL;
}

static void pass(struct gfs_jnl_iter *it, uint32_t n)
{
	it->pos = gfs_jnl_behind(it->jnl, it->pos, n);
	it->left -= n;
}

/* The block in it->desc is a descriptor: 1, 0 when a bad one, < 0. */
static int take_desc(struct gfs_jnl_iter *it, struct gfs_jnl_item *item)
{
	const struct gfs2_log_descriptor *ld =
		(const struct gfs2_log_descriptor *)it->desc;
	const char *why;

	*item = (struct gfs_jnl_item){
		.kind = GFS_JNL_DESC,
		.pos = it->pos,
		.n = be32_to_cpu(ld->ld_data1),
		.ld_type = be32_to_cpu(ld->ld_type),
		.ld_length = be32_to_cpu(ld->ld_length),
	};
	why = check_desc(it, item);
	if (why) {
		it->n = 0;
		return it->all ? 0 : bad(it, it->pos, why);
	}
	it->desc_pos = it->pos;
	pass(it, item->ld_length);
	return 1;
}

/* What stands at it->pos: 1, 0 when it is nothing of a log, < 0. */
static int next_block(struct gfs_jnl_iter *it, struct gfs_jnl_item *item)
{
	uint32_t pos = it->pos;
	int rc = read_block(it, it->desc, pos);

	if (rc)
		return rc;
	if (gfs_block_is(it->desc, GFS2_METATYPE_LD))
		return take_desc(it, item);
	*item = (struct gfs_jnl_item){ .kind = GFS_JNL_HEADER, .pos = pos };
	if (gfs_log_head_read(&it->jnl->fs->geom, it->desc, pos,
			      &item->head)) {
		pass(it, 1);
		return 1;
	}
	if (it->all)
		return 0;
	return bad(it, pos, "neither a sound header nor a descriptor");
}

static void leave_desc(struct gfs_jnl_iter *it)
{
	it->i = it->n = it->cont_k = 0;
}

static int next_item(struct gfs_jnl_iter *it, struct gfs_jnl_item *item)
{
	int rc;

	if (it->i < it->n) {
		rc = desc_item(it, item);
		/* Old revokes may be overwritten from the middle on. */
		if (rc != -GFS_ECORRUPT || !it->all)
			return rc;
	}
	leave_desc(it);
	while (it->left) {
		rc = next_block(it, item);
		if (rc)
			return rc;
		pass(it, 1);
	}
	return 0;
}

int gfs_jnl_next(struct gfs_jnl_iter *it, struct gfs_jnl_item *item)
{
	int rc = next_item(it, item);

	if (rc < 0) {
		leave_desc(it);
		it->left = 0;
	}
	return rc;
}
