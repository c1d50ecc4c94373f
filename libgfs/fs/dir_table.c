// SPDX-License-Identifier: GPL-2.0-or-later
/* Growth of hashed directories: first leaf, splits, doubling, chains. */
#include "dir_table.h"

#include "../format/blocktype.h"
#include "../format/hash.h"
#include "alloc.h"
#include "dir_block.h"
#include "file.h"
#include "read.h"
#include "tree_write.h"

#include <errno.h>
#include <stdlib.h>

enum {
	LEAF_HEAD = sizeof(struct gfs2_leaf),
	JD_HEAD = sizeof(struct gfs2_meta_header),
	PTR = sizeof(be64),
};

int gfs_dir_table_load(struct gfs_inode *dir, be64 **table)
{
	size_t got, size = (size_t)PTR << dir->depth;
	int rc;

	*table = malloc(size);
	if (!*table)
		return gfs_fail(dir->fs->err, ENOMEM, dir->blk, "hash table");
	rc = gfs_file_read(dir, *table, size, 0, &got);
	if (!rc && got != size)
		rc = gfs_fail(dir->fs->err, GFS_ECORRUPT, dir->blk,
			      "hash table ends early");
	if (rc) {
		free(*table);
		*table = NULL;
	}
	return rc;
}

/* A new leaf without entries; it counts in di_blocks. */
static int new_leaf(struct gfs_writer *w, struct gfs_inode *dir, uint32_t depth,
		    struct gfs2_leaf **leaf, uint64_t *blk)
{
	struct gfs_blocks got;
	struct gfs2_leaf *lf;
	void *data;
	int rc = gfs_tree_take(w, dir, 1, &got);

	if (!rc)
		rc = gfs_writer_fresh(w, got.blk, GFS2_METATYPE_LF, &data);
	if (rc)
		return rc;
	lf = data;
	lf->lf_depth = cpu_to_be16((uint16_t)depth);
	lf->lf_dirent_format = cpu_to_be32(GFS2_FORMAT_DE);
	lf->lf_inode = cpu_to_be64(dir->blk);
	lf->lf_dist = cpu_to_be32(1);
	lf->lf_nsec = cpu_to_be32((uint32_t)w->opts.now.tv_nsec);
	lf->lf_sec = cpu_to_be64((uint64_t)w->opts.now.tv_sec);
	gfs_dirblk_clear(
		&(struct gfs_dirblk){ data, w->fs->geom.bsize, LEAF_HEAD });
	*leaf = lf;
	*blk = got.blk;
	return 0;
}

/* The records of the dinode as those of a leaf: the last one is longer. */
static void copy_records(const struct gfs_geom *g, const struct gfs2_dinode *di,
			 struct gfs2_leaf *lf)
{
	char *to = (char *)lf + LEAF_HEAD;
	uint32_t at = 0, left = g->bsize - LEAF_HEAD;
	struct gfs2_dirent *de = (struct gfs2_dirent *)to;

	memcpy(to, di + 1, g->stuffed_max);
	/* The dinode has been verified: its records end where it ends. */
	while (at < g->stuffed_max) {
		de = (struct gfs2_dirent *)(to + at);
		left = g->bsize - LEAF_HEAD - at;
		at += be16_to_cpu(de->de_rec_len);
	}
	de->de_rec_len = cpu_to_be16((uint16_t)left);
}

int gfs_dir_hash_it(struct gfs_writer *w, struct gfs_inode *dir)
{
	const struct gfs_geom *g = &w->fs->geom;
	struct gfs2_dinode *di;
	struct gfs2_leaf *lf;
	uint64_t blk;
	int rc = gfs_alloc_check(w, gfs_tree_goal(dir), 1);

	if (rc)
		return rc;
	di = gfs_writer_dinode(w, dir);
	rc = di ? new_leaf(w, dir, 0, &lf, &blk) : -ENOMEM;
	if (rc)
		return rc;
	lf->lf_entries = cpu_to_be16((uint16_t)dir->entries);
	copy_records(g, di, lf);
	memset(di + 1, 0, g->stuffed_max);
	for (uint32_t i = 0; i < g->hash_ptrs; i++)
		gfs_ptr_put(di + 1, i, blk);
	di->di_size = cpu_to_be64((uint64_t)g->hash_ptrs * PTR);
	di->di_flags = cpu_to_be32(dir->flags | GFS2_DIF_EXHASH);
	di->di_depth = cpu_to_be16((uint16_t)g->min_depth);
	di->di_payload_format = cpu_to_be32(0);
	gfs_inode_refresh(dir);
	return 0;
}

/* Writable entries of the table from number i on, in one block: *n of them. */
static int edit_table(struct gfs_writer *w, struct gfs_inode *dir, uint32_t i,
		      char **at, uint32_t *n)
{
	uint32_t per = w->fs->geom.jbsize / PTR;
	struct gfs_tree_run run;
	struct gfs_buf *buf;
	void *data;
	int rc;

	if (!dir->height) {
		data = gfs_writer_dinode(w, dir);
		*at = (char *)data + sizeof(struct gfs2_dinode) + i * PTR;
		*n = w->fs->geom.diptrs - i;
		return data ? 0 : -ENOMEM;
	}
	*n = per - i % per;
	rc = gfs_tree_map(w, dir, i / per, 1, &run);
	if (!rc && run.is_new) {
		rc = gfs_writer_fresh(w, run.pblk, GFS2_METATYPE_JD, &data);
	} else if (!rc) {
		rc = gfs_read_get(w->fs, run.pblk, GFS2_METATYPE_JD, &buf);
		if (rc)
			return rc;
		data = gfs_writer_edit(w, buf);
		gfs_buf_put(buf);
		rc = data ? 0 : -ENOMEM;
	}
	if (!rc)
		*at = (char *)data + JD_HEAD + i % per * PTR;
	return rc;
}

/* Entries [i, end) change from one leaf to another. */
static int redirect(struct gfs_writer *w, struct gfs_inode *dir,
		    const uint32_t range[2], uint64_t from, uint64_t to)
{
	uint32_t i = range[0];

	while (i < range[1]) {
		char *at;
		uint32_t n;
		int rc = edit_table(w, dir, i, &at, &n);

		if (rc)
			return rc;
		n = (uint32_t)gfs_min(n, range[1] - i);
		for (uint32_t k = 0; k < n; k++) {
			if (gfs_ptr_get(at, k) != from)
				return gfs_fail(w->fs->err, GFS_ECORRUPT,
						dir->blk,
						"hash table entry %u is not "
						"that of its leaf",
						i + k);
			gfs_ptr_put(at, k, to);
		}
		i += n;
	}
	return 0;
}

static void add_entries(struct gfs2_leaf *lf, int n)
{
	lf->lf_entries =
		cpu_to_be16((uint16_t)(be16_to_cpu(lf->lf_entries) + n));
}

/* Entries with the lower half of the leaf's hashes go to a new leaf. */
static int split_into(struct gfs_writer *w, struct gfs_inode *dir,
		      uint32_t index, struct gfs2_leaf *old, uint64_t old_blk)
{
	uint32_t bsize = w->fs->geom.bsize;
	uint32_t depth = be16_to_cpu(old->lf_depth) + 1U;
	uint32_t half = 1U << (dir->depth - depth);
	uint32_t start = index & ~(2 * half - 1);
	uint32_t divider = (start + half) << (32 - dir->depth);
	const struct gfs_dirblk from = { (char *)old, bsize, LEAF_HEAD };
	struct gfs_dirblk to = { NULL, bsize, LEAF_HEAD };
	struct gfs2_leaf *lf;
	uint64_t blk;
	int moved, rc = new_leaf(w, dir, depth, &lf, &blk);

	if (!rc)
		rc = redirect(w, dir, (uint32_t[]){ start, start + half },
			      old_blk, blk);
	if (rc)
		return rc;
	to.block = (char *)lf;
	old->lf_depth = cpu_to_be16((uint16_t)depth);
	moved = gfs_dirblk_split(&from, &to, divider);
	if (moved < 0)
		return gfs_fail(w->fs->err, moved, old_blk,
				"directory entries");
	add_entries(lf, moved);
	add_entries(old, -moved);
	return 0;
}

static int split(struct gfs_writer *w, struct gfs_inode *dir, uint32_t index,
		 uint64_t blk)
{
	struct gfs_buf *buf;
	struct gfs2_leaf *old;
	int rc = gfs_alloc_check(w, gfs_tree_goal(dir), 1);

	if (!rc)
		rc = gfs_read_get(w->fs, blk, GFS2_METATYPE_LF, &buf);
	if (rc)
		return rc;
	old = gfs_writer_edit(w, buf);
	rc = old ? split_into(w, dir, index, old, blk) : -ENOMEM;
	gfs_buf_put(buf);
	return rc;
}

/* Blocks that the table needs when it has twice the entries. */
static uint64_t doubling_cost(const struct gfs_inode *dir)
{
	const struct gfs_geom *g = &dir->fs->geom;
	uint64_t size = (uint64_t)PTR << dir->depth;
	uint64_t now =
		dir->height ? gfs_tree_size(g, gfs_div_up(size, g->jbsize)) : 0;

	if (2 * size <= g->stuffed_max)
		return 0;
	return gfs_tree_size(g, gfs_div_up(2 * size, g->jbsize)) - now;
}

/* Write each entry of the old table twice in a row. */
static int store_doubled(struct gfs_writer *w, struct gfs_inode *dir,
			 const be64 *old)
{
	uint32_t end = 2U << dir->depth;
	uint32_t i = 0;

	while (i < end) {
		char *at;
		uint32_t n;
		int rc = edit_table(w, dir, i, &at, &n);

		if (rc)
			return rc;
		n = (uint32_t)gfs_min(n, end - i);
		for (uint32_t k = 0; k < n; k++)
			memcpy(at + k * PTR, &old[(i + k) / 2], PTR);
		i += n;
	}
	return 0;
}

static int double_table(struct gfs_writer *w, struct gfs_inode *dir)
{
	uint64_t size = (uint64_t)PTR << dir->depth;
	struct gfs2_dinode *di;
	be64 *old;
	int rc = gfs_alloc_check(w, gfs_tree_goal(dir), doubling_cost(dir));

	if (!rc)
		rc = gfs_dir_table_load(dir, &old);
	if (rc)
		return rc;
	if (!dir->height && 2 * size > w->fs->geom.stuffed_max)
		rc = gfs_tree_unstuff(w, dir);
	if (!rc)
		rc = store_doubled(w, dir, old);
	free(old);
	if (rc)
		return rc;
	di = gfs_writer_dinode(w, dir);
	if (!di)
		return -ENOMEM;
	di->di_size = cpu_to_be64(2 * size);
	di->di_depth = cpu_to_be16((uint16_t)(dir->depth + 1));
	gfs_inode_refresh(dir);
	return 0;
}

static int lengthen(struct gfs_writer *w, struct gfs_inode *dir,
		    const struct gfs_dir_chain *chain)
{
	struct gfs2_leaf *last, *lf;
	struct gfs_buf *buf;
	uint64_t blk;
	uint32_t dist;
	int rc = gfs_alloc_check(w, gfs_tree_goal(dir), 1);

	if (!rc)
		rc = gfs_read_get(w->fs, chain->last, GFS2_METATYPE_LF, &buf);
	if (rc)
		return rc;
	last = gfs_writer_edit(w, buf);
	gfs_buf_put(buf);
	rc = last ? new_leaf(w, dir, chain->depth, &lf, &blk) : -ENOMEM;
	if (rc)
		return rc;
	dist = be32_to_cpu(last->lf_dist);
	lf->lf_dist = cpu_to_be32(dist ? dist + 1 : 0);
	last->lf_next = cpu_to_be64(blk);
	return 0;
}

int gfs_dir_grow(struct gfs_writer *w, struct gfs_inode *dir, uint32_t hash,
		 const struct gfs_dir_chain *chain)
{
	bool is_chain = chain->last != chain->first;

	if (chain->depth > dir->depth)
		return gfs_fail(w->fs->err, GFS_ECORRUPT, chain->first,
				"leaf is deeper than its directory");
	/* Chains at lesser depths, which others may have made, stay chains. */
	if (chain->depth < dir->depth && !is_chain)
		return split(w, dir, gfs_dir_index(hash, dir->depth),
			     chain->first);
	if (dir->depth < GFS2_DIR_MAX_DEPTH && !is_chain)
		return double_table(w, dir);
	return lengthen(w, dir, chain);
}
