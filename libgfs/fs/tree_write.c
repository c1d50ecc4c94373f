// SPDX-License-Identifier: GPL-2.0-or-later
/* Block trees: growing and filling them. */
#include "tree_write.h"

#include "../format/blocktype.h"
#include "alloc.h"
#include "read.h"

#include <errno.h>
#include <inttypes.h>

/* A mapping that is being made. */
struct job {
	struct gfs_writer *w;
	struct gfs_inode *ip;
	uint32_t slot[GFS2_MAX_META_HEIGHT];
	uint32_t height;       /* that the tree is to have */
	uint32_t grow;         /* indirect blocks above the present tree */
	uint32_t missing;      /* and on the way down to the data */
	uint64_t count;        /* data blocks wanted */
	uint64_t left;         /* blocks still to be allocated */
	struct gfs_blocks run; /* allocated and not used yet */
};

static char *tail_of(struct gfs2_dinode *di)
{
	return (char *)(di + 1);
}

uint64_t gfs_tree_goal(const struct gfs_inode *ip)
{
	uint64_t goal = be64_to_cpu(gfs_inode_di(ip)->di_goal_meta);

	return gfs_rgrp_find(&ip->fs->rgrps, goal) ? goal : ip->blk;
}

int gfs_tree_take(struct gfs_writer *w, struct gfs_inode *ip, uint64_t n,
		  struct gfs_blocks *got)
{
	const struct gfs_blocks want = { gfs_tree_goal(ip), n };
	struct gfs2_dinode *di = gfs_writer_dinode(w, ip);
	int rc = di ? gfs_alloc_blocks(w, &want, got) : -ENOMEM;

	if (rc) {
		w->spoiled = true;
		return rc;
	}
	di->di_goal_meta = cpu_to_be64(got->blk + got->n - 1);
	di->di_goal_data = di->di_goal_meta;
	di->di_blocks = cpu_to_be64(be64_to_cpu(di->di_blocks) + got->n);
	gfs_inode_refresh(ip);
	return 0;
}

int gfs_tree_give(struct gfs_writer *w, struct gfs_inode *ip, uint64_t blk,
		  uint64_t n)
{
	struct gfs2_dinode *di = gfs_writer_dinode(w, ip);
	int rc;

	if (!di)
		return -ENOMEM;
	if (n >= ip->blocks)
		return gfs_fail(w->fs->err, GFS_ECORRUPT, ip->blk,
				"inode has more blocks than it counts");
	rc = gfs_alloc_free(w, blk, n);
	if (rc)
		return rc;
	di->di_blocks = cpu_to_be64(ip->blocks - n);
	gfs_inode_refresh(ip);
	return 0;
}

/* One block out of the run that is allocated for the whole job. */
static int take(struct job *j, uint64_t *blk)
{
	int rc = 0;

	if (!j->run.n)
		rc = gfs_tree_take(j->w, j->ip, j->left, &j->run);
	if (rc)
		return rc;
	*blk = j->run.blk++;
	j->run.n--;
	j->left--;
	return 0;
}

static bool has_pointers(const struct gfs_inode *ip)
{
	const void *tail = gfs_inode_di(ip) + 1;

	for (uint32_t i = 0; i < ip->fs->geom.diptrs; i++)
		if (gfs_ptr_get(tail, i))
			return true;
	return false;
}

/* A new indirect block; *slots is its array of pointers. */
static int new_indirect(struct job *j, uint64_t *blk, char **slots)
{
	void *data;
	int rc = take(j, blk);

	if (!rc)
		rc = gfs_writer_fresh(j->w, *blk, GFS2_METATYPE_IN, &data);
	if (!rc)
		*slots = (char *)data + sizeof(struct gfs2_meta_header);
	return rc;
}

/*
 * Raise the tree: new indirect blocks in a row, the lowest of which takes over
 * the dinode's pointers. Without pointers there is nothing to take over.
 */
static int grow(struct job *j, struct gfs2_dinode *di)
{
	uint32_t bytes = j->w->fs->geom.diptrs * (uint32_t)sizeof(be64);
	char *parent = NULL, *slots = NULL;
	uint64_t top = 0, blk;

	for (uint32_t i = 0; i < j->grow; i++) {
		int rc = new_indirect(j, &blk, &slots);

		if (rc)
			return rc;
		if (parent)
			gfs_ptr_put(parent, 0, blk);
		else
			top = blk;
		parent = slots;
	}
	if (slots) {
		memcpy(slots, tail_of(di), bytes);
		memset(tail_of(di), 0, bytes);
		gfs_ptr_put(tail_of(di), 0, top);
	}
	di->di_height = cpu_to_be16((uint16_t)j->height);
	gfs_inode_refresh(j->ip);
	return 0;
}

/* From the block *buf one level down along the path; makes what is missing. */
static int step_down(struct job *j, uint32_t level, struct gfs_buf **buf)
{
	size_t head = level > 1 ? sizeof(struct gfs2_meta_header)
				: sizeof(struct gfs2_dinode);
	uint32_t slot = j->slot[level - 1];
	uint64_t blk = gfs_ptr_get((const char *)(*buf)->data + head, slot);
	struct gfs_buf *next;
	char *parent, *slots;
	int rc = 0;

	if (!blk) {
		parent = gfs_writer_edit(j->w, *buf);
		rc = parent ? new_indirect(j, &blk, &slots) : -ENOMEM;
		if (!rc)
			gfs_ptr_put(parent + head, slot, blk);
	}
	if (!rc)
		rc = gfs_read_get(j->w->fs, blk, GFS2_METATYPE_IN, &next);
	if (rc)
		return rc;
	if (level > 1)
		gfs_buf_put(*buf);
	*buf = next;
	return 0;
}

/* Enter a run of data blocks into the bottom block of pointers. */
static int fill(struct job *j, struct gfs_buf *buf, struct gfs_tree_run *run)
{
	size_t head = j->height > 1 ? sizeof(struct gfs2_meta_header)
				    : sizeof(struct gfs2_dinode);
	uint32_t slot = j->slot[j->height - 1];
	char *slots = gfs_writer_edit(j->w, buf);
	int rc = 0;

	if (!slots)
		return -ENOMEM;
	if (!j->run.n)
		rc = gfs_tree_take(j->w, j->ip, j->left, &j->run);
	if (rc)
		return rc;
	run->pblk = j->run.blk;
	run->n = j->run.n;
	run->is_new = true;
	for (uint32_t i = 0; i < run->n; i++)
		gfs_ptr_put(slots + head, slot + i, run->pblk + i);
	return 0;
}

static int build(struct job *j, struct gfs_tree_run *run)
{
	struct gfs2_dinode *di = gfs_writer_dinode(j->w, j->ip);
	struct gfs_buf *buf = j->ip->buf;
	int rc = di ? 0 : -ENOMEM;

	if (!rc && j->height != j->ip->height)
		rc = grow(j, di);
	for (uint32_t level = 1; level < j->height && !rc; level++)
		rc = step_down(j, level, &buf);
	if (!rc)
		rc = fill(j, buf, run);
	if (buf != j->ip->buf)
		gfs_buf_put(buf);
	if (rc)
		j->w->spoiled = true;
	return rc;
}

/* Indirect blocks missing on the way down in a tree high enough. */
static int count_missing(struct job *j)
{
	struct gfs_fs *fs = j->w->fs;
	const char *slots = (const char *)(gfs_inode_di(j->ip) + 1);
	struct gfs_buf *buf = NULL;
	uint32_t level = 1;
	int rc = 0;

	while (level < j->height) {
		uint64_t blk = gfs_ptr_get(slots, j->slot[level - 1]);

		gfs_buf_put(buf);
		buf = NULL;
		if (!blk)
			break;
		rc = gfs_read_get(fs, blk, GFS2_METATYPE_IN, &buf);
		if (rc)
			return rc;
		slots = (const char *)buf->data +
			sizeof(struct gfs2_meta_header);
		level++;
	}
	gfs_buf_put(buf);
	j->missing = j->height - level;
	return 0;
}

/* What a hole at lblk, of j->count blocks at most, needs to be filled. */
static int plan(struct job *j, uint64_t lblk)
{
	const struct gfs_geom *g = &j->w->fs->geom;
	struct gfs_inode *ip = j->ip;
	uint32_t in_bottom;
	int rc;

	j->height = ip->height;
	while (j->height <= g->max_height &&
	       lblk >= g->height_blocks[j->height])
		j->height++;
	if (j->height > g->max_height)
		return gfs_fail(ip->fs->err, EFBIG, ip->blk,
				"logical block %" PRIu64, lblk);
	rc = gfs_geom_path(g, j->height, lblk, j->slot);
	if (rc)
		return rc;
	if (j->height == ip->height) {
		rc = count_missing(j);
	} else if (has_pointers(ip)) {
		/* The first of the new ones may be on the way down as well. */
		j->grow = j->height - ip->height;
		j->missing = j->height - (j->slot[0] ? 1 : 2);
	} else {
		j->missing = j->height - 1;
	}
	in_bottom = j->height > 1 ? g->inptrs : g->diptrs;
	j->count = gfs_min(j->count, in_bottom - j->slot[j->height - 1]);
	j->left = j->grow + j->missing + j->count;
	return rc;
}

int gfs_tree_map(struct gfs_writer *w, struct gfs_inode *ip, uint64_t lblk,
		 uint64_t max, struct gfs_tree_run *run)
{
	struct job j = { .w = w, .ip = ip, .count = gfs_max(max, 1) };
	struct gfs_extent ext = { 0 };
	int rc = 0;

	if (!ip->height)
		return gfs_fail(ip->fs->err, EINVAL, ip->blk,
				"a stuffed inode has no block tree");
	if (lblk < w->fs->geom.height_blocks[ip->height]) {
		rc = gfs_bmap(ip, lblk, j.count, &ext);
		j.count = ext.count;
	}
	if (rc)
		return rc;
	if (ext.pblk) {
		*run = (struct gfs_tree_run){ ext.pblk, ext.count, false };
		return 0;
	}
	rc = plan(&j, lblk);
	if (!rc)
		rc = gfs_alloc_check(w, gfs_tree_goal(ip),
				     j.grow + j.missing + 1ULL);
	return rc ? rc : build(&j, run);
}

uint64_t gfs_tree_size(const struct gfs_geom *g, uint64_t n)
{
	uint64_t sum = n;
	unsigned int h = 1;

	while (n > g->height_blocks[h] && h < g->max_height)
		h++;
	for (uint64_t above = n; h > 1; h--) {
		above = gfs_div_up(above, g->inptrs);
		sum += above;
	}
	return sum;
}

int gfs_tree_unstuff(struct gfs_writer *w, struct gfs_inode *ip)
{
	const struct gfs_geom *g = &w->fs->geom;
	bool is_dir = gfs_inode_is_dir(ip);
	uint32_t head = is_dir ? sizeof(struct gfs2_meta_header) : 0;
	struct gfs2_dinode *di;
	struct gfs_blocks got = { 0 };
	void *data;
	int rc = ip->size ? gfs_alloc_check(w, gfs_tree_goal(ip), 1) : 0;

	if (rc)
		return rc;
	di = gfs_writer_dinode(w, ip);
	if (!di)
		return -ENOMEM;
	if (ip->size) {
		rc = gfs_tree_take(w, ip, 1, &got);
		if (!rc)
			rc = gfs_writer_fresh(w, got.blk,
					      is_dir ? GFS2_METATYPE_JD : 0,
					      &data);
		if (rc)
			return rc;
		memcpy((char *)data + head, tail_of(di), ip->size);
	}
	memset(tail_of(di), 0, g->stuffed_max);
	gfs_ptr_put(tail_of(di), 0, got.blk);
	di->di_height = cpu_to_be16(1);
	gfs_inode_refresh(ip);
	return 0;
}
