// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Blocks claimed more than once: who claims them, and who is wrong. Only when
 * there are some, the trees are walked once more to find the first claims.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../libgfs/format/blocktype.h"
#include "fsck.h"

static int blk_order(const void *pa, const void *pb)
{
	const uint64_t *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

static void collect_blks(struct fsck *f)
{
	size_t n = 0;

	free(f->dup_blks);
	f->dup_blks = cli_alloc((f->dups.n + 1) * sizeof(*f->dup_blks));
	for (size_t i = 0; i < f->dups.n; i++)
		f->dup_blks[i] = f->dups.v[i].blk;
	qsort(f->dup_blks, f->dups.n, sizeof(*f->dup_blks), blk_order);
	for (size_t i = 0; i < f->dups.n; i++)
		if (!n || f->dup_blks[n - 1] != f->dup_blks[i])
			f->dup_blks[n++] = f->dup_blks[i];
	f->n_dup_blks = n;
}

static bool in_dispute(const struct fsck *f, uint64_t blk)
{
	return bsearch(&blk, f->dup_blks, f->n_dup_blks, sizeof(blk),
		       blk_order);
}

static void note_claim(struct fsck *f, void *ctx, const struct fsck_ref *r)
{
	struct fsck_refs *claims = ctx;

	if (!in_dispute(f, r->blk))
		return;
	/* A leaf that goes on in the next table block is one claim. */
	for (size_t i = claims->n; r->kind == GFS_REF_LEAF && i-- > 0;)
		if (claims->v[i].blk == r->blk &&
		    claims->v[i].owner == r->owner)
			return;
	*refs_add(claims) = *r;
}

static bool kind_fits(uint8_t kind, const struct gfs_blocktype *bt)
{
	if (!bt)
		return false;
	switch (kind) {
	case GFS_REF_INDIRECT:
	case GFS_REF_EA_INDIRECT: return bt->type == GFS2_METATYPE_IN;
	case GFS_REF_TABLE: return bt->type == GFS2_METATYPE_JD;
	case GFS_REF_LEAF:
	case GFS_REF_CHAIN: return bt->type == GFS2_METATYPE_LF;
	case GFS_REF_EA: return bt->type == GFS2_METATYPE_EA;
	case GFS_REF_EA_DATA: return bt->type == GFS2_METATYPE_ED;
	default: return false;
	}
}

static bool is_tree_pointer(uint8_t kind)
{
	return kind == GFS_REF_DATA || kind == GFS_REF_INDIRECT ||
	       kind == GFS_REF_CHAIN;
}

/* One claim is by the block's own kind: the others are wrong. */
static void clear_others(struct fsck *f, const struct fsck_ref *v, size_t n,
			 const struct gfs_blocktype *bt)
{
	for (size_t i = 0; i < n; i++) {
		struct fsck_at at =
			at_inode(f->inodes.v[v[i].owner].addr, v[i].parent);

		if (kind_fits(v[i].kind, bt))
			continue;
		fsck_touch(f, v[i].owner);
		f->blind = true;
		if (!is_tree_pointer(v[i].kind))
			problem_note(f, CK_DUP_META, at, "offset %u: %" PRIu64,
				     v[i].off, v[i].blk);
		else if (problem(f, CK_DUP_TYPE, at, "offset %u: %" PRIu64
				 " is of type %s", v[i].off, v[i].blk,
				 bt->name)) {
			edit_set(f, v[i].parent, v[i].off, 8, 0);
			f->dups_cleared = true;
		}
	}
}

static void report(struct fsck *f, const struct fsck_ref *v, size_t n)
{
	enum fsck_check check = CK_DUP_SELF;
	uint64_t first = f->inodes.v[v[0].owner].addr;
	char others[200] = "";
	size_t len = 0;

	for (size_t i = 1; i < n; i++) {
		uint64_t addr = f->inodes.v[v[i].owner].addr;

		if (v[i].owner != v[0].owner && check == CK_DUP_SELF)
			check = CK_DUP_DATA;
		if (v[i].kind != GFS_REF_DATA)
			check = CK_DUP_META;
		if (len + 24 < sizeof(others))
			len += (size_t)snprintf(others + len,
						sizeof(others) - len,
						" %" PRIu64, addr);
	}
	if (check == CK_DUP_META)
		f->blind = true;
	problem_note(f, check, at_inode(first, v[0].blk),
		     "claimed by inodes %" PRIu64 "%s", first, others);
}

static void settle(struct fsck *f, const struct fsck_ref *v, size_t n)
{
	const struct gfs_blocktype *bt;
	struct gfs_buf *buf;
	size_t fits = 0;

	if (n < 2)
		return;
	if (gfs_buf_get(f->fs->cache, v[0].blk, &buf)) {
		report(f, v, n);
		return;
	}
	bt = gfs_blocktype_of(buf->data);
	gfs_buf_put(buf);
	for (size_t i = 0; i < n; i++)
		fits += kind_fits(v[i].kind, bt);
	if (fits == 1)
		clear_others(f, v, n, bt);
	else
		report(f, v, n);
}

int fsck_dups(struct fsck *f)
{
	struct fsck_refs claims = { .n = 0 };
	struct blockmap visited;
	int rc = 0;

	if (!f->dups.n)
		return 0;
	collect_blks(f);
	blockmap_init(&visited, f->n_data);
	for (uint32_t i = 0; !rc && i < f->inodes.n; i++)
		rc = fsck_visit(f, i, &visited, note_claim, &claims);
	refs_sort(&claims);
	for (size_t i = 0, n; !rc && i < claims.n; i += n) {
		for (n = 1; i + n < claims.n &&
			    claims.v[i + n].blk == claims.v[i].blk;)
			n++;
		settle(f, &claims.v[i], n);
	}
	blockmap_fini(&visited);
	free(claims.v);
	return rc;
}
