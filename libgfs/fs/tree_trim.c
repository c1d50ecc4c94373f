// SPDX-License-Identifier: GPL-2.0-or-later
/* Block trees: freeing what lies behind a logical block. */
#include "alloc.h"
#include "read.h"
#include "tree_write.h"

#include <errno.h>

struct trim {
	struct gfs_writer *w;
	struct gfs_inode *ip;
	uint32_t slot[GFS2_MAX_META_HEIGHT]; /* path of the first to go */
	uint64_t blk, n; /* a run that is about to be freed */
};

/* Free the run that has come together. */
static int flush(struct trim *t)
{
	int rc = t->n ? gfs_tree_give(t->w, t->ip, t->blk, t->n) : 0;

	t->n = 0;
	return rc;
}

/* Free a block, together with its neighbours. */
static int give(struct trim *t, uint64_t blk)
{
	int rc = 0;

	if (t->n && blk == t->blk + t->n &&
	    gfs_rgrp_find(&t->w->fs->rgrps, blk) ==
		    gfs_rgrp_find(&t->w->fs->rgrps, t->blk)) {
		t->n++;
		return 0;
	}
	rc = flush(t);
	t->blk = blk;
	t->n = 1;
	return rc;
}

/* Free the subtree at blk; level is the pointers' distance from the dinode. */
static int give_tree(struct trim *t, uint32_t level, uint64_t blk)
{
	struct gfs_fs *fs = t->w->fs;
	struct gfs_buf *buf;
	int rc;

	if (level == t->ip->height)
		return give(t, blk);
	rc = gfs_read_get(fs, blk, GFS2_METATYPE_IN, &buf);
	if (rc)
		return rc;
	for (uint32_t i = 0; i < fs->geom.inptrs && !rc; i++) {
		uint64_t child = gfs_indirect_ptr(buf->data, i);

		if (child)
			rc = give_tree(t, level + 1, child);
	}
	gfs_buf_put(buf);
	return rc ? rc : give(t, blk);
}

/* Does the cut go through the child on the path, or just in front of it? */
static bool is_cut(const struct trim *t, uint32_t level)
{
	for (uint32_t i = level + 1; i < t->ip->height; i++)
		if (t->slot[i])
			return true;
	return false;
}

static int trim_block(struct trim *t, uint32_t level, struct gfs_buf *buf);

/* The child on the path, of which a part stays. */
static int trim_child(struct trim *t, uint32_t level, uint64_t blk)
{
	struct gfs_buf *buf;
	int rc = gfs_read_get(t->w->fs, blk, GFS2_METATYPE_IN, &buf);

	if (rc)
		return rc;
	rc = trim_block(t, level, buf);
	gfs_buf_put(buf);
	return rc;
}

/* Free what a block of pointers on the path has from the cut on. */
static int trim_block(struct trim *t, uint32_t level, struct gfs_buf *buf)
{
	const struct gfs_geom *g = &t->w->fs->geom;
	size_t head = level ? sizeof(struct gfs2_meta_header)
			    : sizeof(struct gfs2_dinode);
	uint32_t n = level ? g->inptrs : g->diptrs;
	uint32_t i = t->slot[level];
	char *slots;
	int rc = 0;

	if (is_cut(t, level)) {
		uint64_t blk = gfs_ptr_get((const char *)buf->data + head, i);

		if (blk)
			rc = trim_child(t, level + 1, blk);
		i++;
	}
	for (; i < n && !rc; i++) {
		uint64_t blk = gfs_ptr_get((const char *)buf->data + head, i);

		if (!blk)
			continue;
		slots = gfs_writer_edit(t->w, buf);
		if (!slots)
			return -ENOMEM;
		gfs_ptr_put(slots + head, i, 0);
		rc = give_tree(t, level + 1, blk);
	}
	return rc;
}

static int cut(struct trim *t, uint64_t first)
{
	struct gfs_inode *ip = t->ip;
	const struct gfs_geom *g = &t->w->fs->geom;
	struct gfs2_dinode *di;
	int rc;

	if (!ip->height || first >= g->height_blocks[ip->height])
		return 0;
	rc = gfs_geom_path(g, ip->height, first, t->slot);
	if (!rc)
		rc = trim_block(t, 0, ip->buf);
	if (!rc)
		rc = flush(t);
	if (rc || first)
		return rc;
	di = gfs_writer_dinode(t->w, ip);
	if (!di)
		return -ENOMEM;
	memset(di + 1, 0, g->stuffed_max);
	di->di_height = cpu_to_be16(0);
	di->di_goal_meta = di->di_goal_data = cpu_to_be64(ip->blk);
	gfs_inode_refresh(ip);
	return 0;
}

int gfs_tree_trim(struct gfs_writer *w, struct gfs_inode *ip, uint64_t first)
{
	struct trim t = { .w = w, .ip = ip };
	int rc = cut(&t, first);

	if (rc)
		w->spoiled = true;
	return rc;
}
