// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The icheck command: which inode has a block. GFS2 blocks do not know their
 * owner, so all metadata is read, one level of all trees after the other, each
 * level in ascending order.
 */
#include "expr.h"

#include "../libgfs/format/bitmap.h"
#include "../libgfs/format/blocktype.h"
#include "../libgfs/fs/walk.h"
#include "../libgfs/io/scan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A metadata block to read: where it stands in whose tree. */
struct node {
	uint64_t blk;
	uint64_t owner;
	struct gfs_ref_parent parent;
	/*
	 * Leaf chains can be cyclic. Brent's method: `mark` is an earlier
	 * block of the chain, moved up whenever `steps` reaches `limit`.
	 */
	uint64_t mark;
	uint32_t steps, limit;
};

struct level {
	struct node *nodes;
	size_t n, room;
};

struct search {
	struct dbg *d;
	uint64_t *targets; /* sorted */
	bool *found;
	size_t n;
	struct level next;
	int failed; /* a block could not be read */
};

static int compare_blks(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int compare_nodes(const void *a, const void *b)
{
	const struct node *x = a, *y = b;

	if (x->blk != y->blk)
		return x->blk > y->blk ? 1 : -1;
	return (x->owner > y->owner) - (x->owner < y->owner);
}

static void add_node(struct level *l, const struct node *node)
{
	if (l->n == l->room) {
		l->room = l->room ? 2 * l->room : 1024;
		l->nodes = cli_realloc(l->nodes, l->room * sizeof(*l->nodes));
	}
	l->nodes[l->n++] = *node;
}

static void row(struct search *s, uint64_t blk, uint64_t owner,
		const char *kind)
{
	const uint64_t *t = bsearch(&blk, s->targets, s->n, sizeof(blk),
				    compare_blks);

	if (!t)
		return;
	s->found[t - s->targets] = true;
	emit_row_begin(s->d->out);
	emit_u64(s->d->out, NULL, blk);
	emit_u64(s->d->out, NULL, owner);
	emit_str(s->d->out, NULL, kind);
	emit_row_end(s->d->out);
}

/* The next step of a leaf chain; false when it has come back. */
static bool step_chain(struct node *node)
{
	if (node->blk == node->mark)
		return false;
	if (++node->steps < node->limit)
		return true;
	node->mark = node->blk;
	node->steps = 0;
	node->limit = node->limit ? 2 * node->limit : 1;
	return true;
}

/* Note what a block refers to: targets are found, metadata is read next. */
static void follow(struct search *s, const struct node *node, const void *block)
{
	struct gfs_ref_iter it;
	struct gfs_ref ref;

	gfs_ref_first(&it, &s->d->fs->geom, block, &node->parent);
	while (gfs_ref_next(&it, &ref)) {
		struct node child = *node;

		row(s, ref.blk, node->owner, gfs_ref_name(ref.kind));
		if (ref.kind == GFS_REF_DATA || ref.kind == GFS_REF_EA_DATA ||
		    !gfs_fs_has_block(s->d->fs, ref.blk))
			continue;
		child.blk = ref.blk;
		child.parent.kind = ref.kind;
		child.parent.is_dinode = false;
		child.parent.level = ref.level;
		if (ref.kind != GFS_REF_CHAIN || step_chain(&child))
			add_node(&s->next, &child);
	}
}

static void start_dinode(struct search *s, uint64_t blk, const void *block)
{
	const struct gfs2_dinode *di = block;
	struct node node = { .blk = blk, .owner = blk };

	if (!gfs_block_is(block, GFS2_METATYPE_DI))
		return;
	node.parent = (struct gfs_ref_parent){
		.is_dinode = true,
		.is_dir = S_ISDIR(be32_to_cpu(di->di_mode)),
		.height = (uint8_t)gfs_min(be16_to_cpu(di->di_height),
					   GFS2_MAX_META_HEIGHT),
		.flags = be32_to_cpu(di->di_flags),
	};
	follow(s, &node, block);
}

static int unreadable(struct search *s, uint64_t blk, int error)
{
	s->failed = dbg_complain(s->d, gfs_fail(&s->d->err, error, blk,
						"read"));
	return s->failed;
}

/* Read the blocks of one level in ascending order. */
static int scan_level(struct search *s, const struct level *l, uint64_t *blks)
{
	size_t n = 0, i = 0;
	struct gfs_scan *scan;
	const void *data;
	uint64_t blk;
	int rc, error;

	for (size_t k = 0; k < l->n; k++)
		if (!k || l->nodes[k].blk != l->nodes[k - 1].blk)
			blks[n++] = l->nodes[k].blk;
	rc = gfs_scan_open_list(&scan, s->d->dev, s->d->fs->geom.bsize, blks, n,
				NULL);
	if (rc)
		return dbg_fail(s->d, rc, "scan");
	while ((rc = gfs_scan_next(scan, &blk, &data, &error)) > 0) {
		if (!data) {
			unreadable(s, blk, error);
			continue;
		}
		while (l->nodes[i].blk < blk)
			i++;
		for (; i < l->n && l->nodes[i].blk == blk; i++) {
			const struct node *node = &l->nodes[i];

			/* A leaf that several table blocks name: once. */
			if (i && node[-1].blk == blk &&
			    node[-1].owner == node->owner)
				continue;
			if (node->parent.is_dinode)
				start_dinode(s, blk, data);
			else
				follow(s, node, data);
		}
	}
	gfs_scan_close(scan);
	return rc;
}

/* All blocks in an inode's state of one group, as nodes. */
static int add_dinodes(struct search *s, const struct gfs_rgrp *rg)
{
	uint8_t *map = cli_alloc(rg->bitbytes);
	int rc = gfs_rgrp_read_bitmap(s->d->fs, rg, map);

	for (uint32_t i = 0; !rc && i < rg->data; i++) {
		unsigned int state = gfs_bitmap_get(map, i);
		struct node node = { .blk = rg->data0 + i,
				     .parent.is_dinode = true };

		node.owner = node.blk;
		if (state != GFS2_BLKST_DINODE && state != GFS2_BLKST_UNLINKED)
			continue;
		row(s, node.blk, node.blk, "inode");
		add_node(&s->next, &node);
	}
	free(map);
	return rc;
}

static int search_trees(struct search *s)
{
	int rc = 0;

	for (uint32_t i = 0; i < s->d->fs->rgrps.n; i++) {
		int one = add_dinodes(s, &s->d->fs->rgrps.rg[i]);

		s->failed = one ? dbg_complain(s->d, one) : s->failed;
	}
	while (!rc && s->next.n) {
		struct level l = s->next;
		uint64_t *blks = cli_alloc(l.n * sizeof(*blks));

		s->next = (struct level){ .n = 0 };
		qsort(l.nodes, l.n, sizeof(*l.nodes), compare_nodes);
		rc = scan_level(s, &l, blks);
		free(blks);
		free(l.nodes);
	}
	return rc;
}

static void sort_targets(struct search *s)
{
	size_t kept = 0;

	qsort(s->targets, s->n, sizeof(*s->targets), compare_blks);
	for (size_t i = 0; i < s->n; i++)
		if (!i || s->targets[i] != s->targets[i - 1])
			s->targets[kept++] = s->targets[i];
	s->n = kept;
}

/* Blocks that no inode refers to. */
static void left_rows(struct search *s)
{
	for (size_t i = 0; i < s->n; i++) {
		bool group = gfs_rgrp_covering(&s->d->fs->rgrps,
					       s->targets[i]) &&
			     !gfs_rgrp_find(&s->d->fs->rgrps, s->targets[i]);

		if (s->found[i])
			continue;
		emit_row_begin(s->d->out);
		emit_u64(s->d->out, NULL, s->targets[i]);
		emit_str(s->d->out, NULL, NULL);
		emit_str(s->d->out, NULL,
			 s->targets[i] == s->d->fs->geom.sb_blk ? "superblock" :
			 group ? "resource group" : "no owner");
		emit_row_end(s->d->out);
	}
}

int dbg_cmd_icheck(struct dbg *d, struct dbg_args *a)
{
	static const struct emit_column columns[] = {
		{ "block", true }, { "inode", true }, { "kind", false }
	};
	struct search s = { .d = d };
	int rc = 0;

	s.targets = cli_alloc((size_t)a->n * sizeof(*s.targets));
	s.found = cli_alloc((size_t)a->n * sizeof(*s.found));
	for (int i = 0; i < a->n; i++) {
		int one = dbg_complain(d, dbg_address(d, a->v[i],
						      &s.targets[s.n]));

		s.failed = one ? one : s.failed;
		s.n += !one;
	}
	sort_targets(&s);
	emit_table_begin(d->out, NULL, columns, GFS_ARRAY_SIZE(columns),
			 false);
	if (s.n)
		rc = search_trees(&s);
	if (!rc && !s.failed)
		left_rows(&s);
	emit_table_end(d->out);
	free(s.next.nodes);
	free(s.targets);
	free(s.found);
	return rc ? rc : s.failed;
}
