// SPDX-License-Identifier: GPL-2.0-or-later
/* Hash tables of directories: which leaf serves which part. */
#include <inttypes.h>
#include <string.h>

#include "../libgfs/format/blocktype.h"
#include "fsck.h"

static uint64_t entry_at(const void *block, uint32_t off)
{
	be64 v;

	memcpy(&v, (const char *)block + off, sizeof(v));
	return be64_to_cpu(v);
}

void fsck_take_table(struct fsck *f, const struct fsck_table_part *part)
{
	const struct fsck_dir *d = dirs_find(&f->dirs, part->dir);
	struct fsck_leaf_run *run = NULL;
	uint32_t off = part->off;
	uint64_t total = d ? UINT64_C(1) << d->depth : 0;
	uint64_t last = 0, index;

	for (uint32_t i = 0; i < part->n && part->start + i < total;
	     i++, off += 8) {
		uint64_t leaf = entry_at(part->block, off);

		if (run && leaf == last) {
			run->count++;
			continue;
		}
		last = leaf;
		run = leaf_runs_add(&f->runs);
		run->leaf = fsck_index(f, leaf, &index) ? leaf : 0;
		run->blk = part->blk;
		run->off = (uint16_t)off;
		run->dir = part->dir;
		run->start = part->start + i;
		run->count = 1;
	}
}

/* Entries a leaf says it serves, 0 if it is none. */
static uint32_t served(struct fsck *f, const struct fsck_leaf_run *run)
{
	const struct fsck_dir *dir = dirs_find(&f->dirs, run->dir);
	const struct gfs2_leaf *lf;
	struct gfs_buf *buf;
	uint32_t depth, n = 0;

	if (!run->leaf || !dir || gfs_buf_get(f->fs->cache, run->leaf, &buf))
		return 0;
	lf = buf->data;
	depth = be16_to_cpu(lf->lf_depth);
	if (gfs_block_is(lf, GFS2_METATYPE_LF) && depth <= dir->depth)
		n = 1U << (dir->depth - depth);
	gfs_buf_put(buf);
	return n;
}

/* Does the leaf of `with` serve the hole next to it as well? */
static bool belongs_to(struct fsck *f, const struct fsck_leaf_run *hole,
		       const struct fsck_leaf_run *with)
{
	uint32_t n = served(f, with);
	uint32_t first = hole->start < with->start ? hole->start : with->start;

	if (!n || with->dir != hole->dir)
		return false;
	first -= first % n;
	return hole->start >= first && hole->start + hole->count <= first + n &&
	       with->start >= first && with->start + with->count <= first + n;
}

static void fill_hole(struct fsck *f, const struct fsck_leaf_run *hole,
		      uint64_t leaf)
{
	for (uint32_t i = 0; i < hole->count; i++)
		edit_set(f, hole->blk, hole->off + 8 * i, 8, leaf);
}

/* Entries that lead nowhere, between runs i-1 and i+1. */
static void check_hole(struct fsck *f, size_t i)
{
	struct fsck_leaf_run *hole = &f->runs.v[i];
	uint64_t addr = f->inodes.v[hole->dir].addr;
	uint64_t leaf = 0;

	if (i && belongs_to(f, hole, hole - 1))
		leaf = hole[-1].leaf;
	else if (i + 1 < f->runs.n && belongs_to(f, hole, hole + 1))
		leaf = hole[1].leaf;
	fsck_touch(f, hole->dir);
	if (!leaf) {
		f->blind = true;
		problem_note(f, CK_TABLE_LOST, at_inode(addr, hole->blk),
			     "entries %u to %u", hole->start,
			     hole->start + hole->count - 1);
	} else if (problem(f, CK_TABLE_HOLE, at_inode(addr, hole->blk),
			 "entries %u to %u", hole->start,
			 hole->start + hole->count - 1)) {
		fill_hole(f, hole, leaf);
	}
	hole->leaf = leaf;
}

static void check_run(struct fsck *f, const struct fsck_leaf_run *run)
{
	if (dirs_find(&f->dirs, run->dir)->flags & DIR_TORN)
		return;
	if (gfs_is_pow2(run->count) && run->start % run->count == 0)
		return;
	problem_note(f, CK_LF_RANGE,
		     at_inode(f->inodes.v[run->dir].addr, run->leaf),
		     "entries %u to %u", run->start,
		     run->start + run->count - 1);
}

/* Are there parts for all entries? i: first run from this directory on. */
static size_t check_whole(struct fsck *f, struct fsck_dir *dir, size_t i)
{
	const struct fsck_inode *ip = &f->inodes.v[dir->inode];
	uint64_t total = UINT64_C(1) << dir->depth, next = 0;

	for (; i < f->runs.n && f->runs.v[i].dir == dir->inode; i++) {
		if (f->runs.v[i].start != next)
			dir->flags |= DIR_TORN;
		next = f->runs.v[i].start + f->runs.v[i].count;
	}
	if (next != total)
		dir->flags |= DIR_TORN;
	if (dir->flags & DIR_LEAVING || !(dir->flags & DIR_TORN))
		return i;
	f->blind = true;
	fsck_touch(f, dir->inode);
	problem_note(f, CK_TABLE_SIZE, at_inode(ip->addr, ip->addr), "%s", "");
	return i;
}

void fsck_tables(struct fsck *f)
{
	size_t next = 0;

	leaf_runs_merge(&f->runs);
	for (uint32_t i = 0; i < f->dirs.n; i++)
		if (f->inodes.v[f->dirs.v[i].inode].flags & INODE_EXHASH)
			next = check_whole(f, &f->dirs.v[i], next);
	for (size_t i = 0; i < f->runs.n; i++)
		if (!f->runs.v[i].leaf &&
		    !(f->inodes.v[f->runs.v[i].dir].flags & INODE_UNLINKED))
			check_hole(f, i);
	leaf_runs_merge(&f->runs);
	for (size_t i = 0; i < f->runs.n; i++)
		if (f->runs.v[i].leaf)
			check_run(f, &f->runs.v[i]);
}
