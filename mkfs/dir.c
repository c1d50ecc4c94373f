// SPDX-License-Identifier: GPL-2.0-or-later
/* Directories of a new volume: linear, hashed, split and doubled. */
#include "dir.h"

#include "../libgfs/format/blocktype.h"
#include "../libgfs/format/dirent.h"
#include "../libgfs/format/hash.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define IN_DINODE ((uint32_t)sizeof(struct gfs2_dinode))
#define IN_LEAF   ((uint32_t)sizeof(struct gfs2_leaf))

static struct gfs2_dirent *dirent_at(char *block, uint32_t offset)
{
	return (struct gfs2_dirent *)(block + offset);
}

static struct gfs2_leaf *leaf_of(const struct mkfs_leaf *leaf)
{
	return (struct gfs2_leaf *)leaf->block;
}

static uint32_t rec_len(const struct gfs2_dirent *de)
{
	return be16_to_cpu(de->de_rec_len);
}

static void set_rec_len(struct gfs2_dirent *de, uint32_t len)
{
	de->de_rec_len = cpu_to_be16((uint16_t)len);
}

static bool is_empty(const struct gfs2_dirent *de)
{
	return !be64_to_cpu(de->de_inum.no_formal_ino);
}

/* One empty record from start to the block's end. */
static void empty_block(const struct mkfs_build *b, char *block, uint32_t start)
{
	set_rec_len(dirent_at(block, start), b->g->bsize - start);
}

/*
 * Write an entry. What an entry moved elsewhere left behind the name stays, as
 * gfs2-utils has it: the images of both are to be the same in every byte.
 */
static void write_entry(char *at, const struct gfs_dirent_new *n)
{
	char *end = at + sizeof(struct gfs2_dirent) + n->name_len;
	size_t len = (size_t)(at + gfs_dirent_need(n->name_len) - end);
	char left[8];

	memcpy(left, end, len);
	gfs_dirent_fill(at, n);
	memcpy(end, left, len);
}

/* Enter n into the first record with room; false when there is none. */
static bool block_insert(const struct mkfs_build *b, char *block,
			 uint32_t start, struct gfs_dirent_new *n)
{
	uint32_t need = gfs_dirent_need(n->name_len);
	uint32_t at = start;

	while (at < b->g->bsize) {
		struct gfs2_dirent *de = dirent_at(block, at);
		uint32_t len = rec_len(de);
		uint32_t own = 0;

		if (!is_empty(de))
			own = gfs_dirent_need(be16_to_cpu(de->de_name_len));
		if (len < own + need) {
			at += len;
			continue;
		}
		if (own)
			set_rec_len(de, own);
		n->rec_len = len - own;
		write_entry(block + at + own, n);
		return true;
	}
	return false;
}

/* A new leaf of the directory; *index is its place in dir->leaves. */
static int new_leaf(struct mkfs_build *b, struct mkfs_dir *dir, uint32_t depth,
		    uint32_t *index)
{
	struct mkfs_leaf leaf = { 0 };
	struct mkfs_leaf *more;
	struct gfs2_leaf *lf;
	int rc;

	more = realloc(dir->leaves, (dir->n_leaves + 1) * sizeof(*more));
	if (!more)
		return mkfs_no_space(b, -ENOMEM);
	dir->leaves = more;
	leaf.block = calloc(1, b->g->bsize);
	if (!leaf.block)
		return mkfs_no_space(b, -ENOMEM);
	*index = dir->n_leaves;
	dir->leaves[dir->n_leaves++] = leaf;
	rc = mkfs_space_take(&b->space, &dir->leaves[*index].blk);
	if (rc)
		return mkfs_no_space(b, rc);
	dir->ino.blocks++;
	dir->ino.di->di_goal_meta = cpu_to_be64(dir->leaves[*index].blk);

	gfs_block_header(leaf.block, GFS2_METATYPE_LF);
	lf = leaf_of(&leaf);
	lf->lf_depth = cpu_to_be16((uint16_t)depth);
	lf->lf_dirent_format = cpu_to_be32(GFS2_FORMAT_DE);
	lf->lf_inode = cpu_to_be64(dir->ino.addr);
	empty_block(b, leaf.block, IN_LEAF);
	return 0;
}

static void leaf_count(const struct mkfs_leaf *leaf, int change)
{
	struct gfs2_leaf *lf = leaf_of(leaf);

	lf->lf_entries = cpu_to_be16((uint16_t)(be16_to_cpu(lf->lf_entries) +
						change));
}

/* Move the entries out of the dinode into a first leaf. */
static int make_hashed(struct mkfs_build *b, struct mkfs_dir *dir)
{
	char *tail = dir->ino.block + IN_DINODE;
	uint32_t at = IN_LEAF;
	struct gfs2_dirent *de;
	uint32_t index;
	int rc;

	rc = new_leaf(b, dir, 0, &index);
	if (rc)
		return rc;
	dir->table = calloc(b->g->hash_ptrs, sizeof(*dir->table));
	if (!dir->table)
		return mkfs_no_space(b, -ENOMEM);
	memcpy(dir->leaves[0].block + IN_LEAF, tail, b->g->stuffed_max);
	memset(tail, 0, b->g->stuffed_max);
	leaf_count(&dir->leaves[0], (int)dir->entries);
	for (;;) {
		de = dirent_at(dir->leaves[0].block, at);
		if (at + rec_len(de) + IN_DINODE - IN_LEAF >= b->g->bsize)
			break;
		at += rec_len(de);
	}
	set_rec_len(de, b->g->bsize - at);
	dir->hashed = true;
	dir->depth = b->g->min_depth;
	return 0;
}

/* Take the entries with a hash below `divider` from one leaf to another. */
static void move_entries(const struct mkfs_build *b, struct mkfs_leaf *from,
			 struct mkfs_leaf *to, uint32_t divider)
{
	struct gfs2_dirent *prev = NULL;
	uint32_t at = IN_LEAF;

	while (at < b->g->bsize) {
		struct gfs2_dirent *de = dirent_at(from->block, at);
		struct gfs_dirent_new n = {
			.name = (char *)(de + 1),
			.name_len = be16_to_cpu(de->de_name_len),
			.formal = be64_to_cpu(de->de_inum.no_formal_ino),
			.addr = be64_to_cpu(de->de_inum.no_addr),
			.mode = DT2IF(be16_to_cpu(de->de_type)),
		};

		at += rec_len(de);
		if (is_empty(de) || be32_to_cpu(de->de_hash) >= divider) {
			prev = de;
			continue;
		}
		if (block_insert(b, to->block, IN_LEAF, &n))
			leaf_count(to, 1);
		leaf_count(from, -1);
		if (prev) {
			set_rec_len(prev, rec_len(prev) + rec_len(de));
			continue;
		}
		de->de_inum = (struct gfs2_inum){ 0 };
		prev = de;
	}
}

/* Split the leaf that entry `slot` of the table names. */
static int split_leaf(struct mkfs_build *b, struct mkfs_dir *dir, uint32_t slot)
{
	uint32_t old = dir->table[slot];
	uint32_t depth = be16_to_cpu(leaf_of(&dir->leaves[old])->lf_depth) + 1U;
	uint32_t half = 1U << (dir->depth - depth);
	uint32_t start = slot & ~(2 * half - 1);
	uint32_t fresh;
	int rc;

	rc = new_leaf(b, dir, depth, &fresh);
	if (rc)
		return rc;
	leaf_of(&dir->leaves[old])->lf_depth = cpu_to_be16((uint16_t)depth);
	for (uint32_t i = start; i < start + half; i++)
		dir->table[i] = fresh;
	move_entries(b, &dir->leaves[old], &dir->leaves[fresh],
		     (start + half) << (32 - dir->depth));
	return 0;
}

/* Have block lblk of the table, if it is not there yet. */
static int need_table_blk(struct mkfs_build *b, struct mkfs_dir *dir,
			  uint32_t lblk)
{
	if (dir->table_blks[lblk])
		return 0;
	return mkfs_inode_extend(b, &dir->ino, lblk, &dir->table_blks[lblk]);
}

/*
 * Give a table of `size` bytes its blocks. The order is that of gfs2-utils,
 * which doubles a table piece by piece, the last piece first; a tree of more
 * than one level, which only a vast number of journals needs, grows in plain
 * order.
 */
static int grow_table(struct mkfs_build *b, struct mkfs_dir *dir, uint32_t size)
{
	uint32_t n = (uint32_t)gfs_div_up(size, b->g->jbsize);
	uint32_t piece = n > b->g->diptrs ? size : b->g->bsize;
	uint64_t *more;
	int rc = 0;

	more = realloc(dir->table_blks, n * sizeof(*more));
	if (!more)
		return mkfs_no_space(b, -ENOMEM);
	memset(more + dir->n_table_blks, 0,
	       (n - dir->n_table_blks) * sizeof(*more));
	dir->table_blks = more;
	if (!dir->n_table_blks)
		rc = need_table_blk(b, dir, 0);
	dir->n_table_blks = n;
	for (uint32_t end = size; !rc && end; end -= piece) {
		uint32_t last = (end - 1) / b->g->jbsize;
		uint32_t lblk = (end - piece) / b->g->jbsize;

		for (; !rc && lblk <= last; lblk++)
			rc = need_table_blk(b, dir, lblk);
	}
	return rc;
}

static int double_table(struct mkfs_build *b, struct mkfs_dir *dir)
{
	uint32_t n = 2U << dir->depth;
	uint32_t *more;

	more = realloc(dir->table, n * sizeof(*more));
	if (!more)
		return mkfs_no_space(b, -ENOMEM);
	for (uint32_t i = n; i--;)
		more[i] = more[i / 2];
	dir->table = more;
	dir->depth++;
	if (n * sizeof(be64) <= b->g->stuffed_max)
		return 0;
	return grow_table(b, dir, n * (uint32_t)sizeof(be64));
}

/* Enter n behind the hash table; makes room as often as it takes. */
static int hashed_insert(struct mkfs_build *b, struct mkfs_dir *dir,
			 struct gfs_dirent_new *n)
{
	uint32_t hash = gfs_dir_hash(n->name, n->name_len);

	for (;;) {
		uint32_t slot = gfs_dir_index(hash, dir->depth);
		struct mkfs_leaf *leaf = &dir->leaves[dir->table[slot]];
		int rc;

		if (block_insert(b, leaf->block, IN_LEAF, n)) {
			leaf_count(leaf, 1);
			return 0;
		}
		if (be16_to_cpu(leaf_of(leaf)->lf_depth) < dir->depth)
			rc = split_leaf(b, dir, slot);
		else if (dir->depth < GFS2_DIR_MAX_DEPTH)
			rc = double_table(b, dir);
		else
			rc = mkfs_no_space(b, -GFS_EFULL);
		if (rc)
			return rc;
	}
}

static int enter(struct mkfs_build *b, struct mkfs_dir *dir, const char *name,
		 const struct mkfs_inode *target)
{
	struct gfs_dirent_new n = {
		.name = name,
		.name_len = (uint32_t)strlen(name),
		.formal = target->formal,
		.addr = target->addr,
		.mode = target->mode,
	};
	int rc = 0;

	if (!dir->hashed && !block_insert(b, dir->ino.block, IN_DINODE, &n))
		rc = make_hashed(b, dir);
	else if (!dir->hashed)
		goto entered;
	if (!rc)
		rc = hashed_insert(b, dir, &n);
	if (rc)
		return rc;
entered:
	dir->entries++;
	return 0;
}

int mkfs_dir_new(struct mkfs_build *b, struct mkfs_dir *dir, uint32_t mode,
		 uint32_t flags, const struct mkfs_inode *parent)
{
	int rc;

	*dir = (struct mkfs_dir){ .nlink = 2 };
	rc = mkfs_inode_new(b, &dir->ino, mode, flags);
	if (rc)
		return rc;
	empty_block(b, dir->ino.block, IN_DINODE);
	rc = enter(b, dir, ".", &dir->ino);
	if (!rc)
		rc = enter(b, dir, "..", parent ? parent : &dir->ino);
	return rc;
}

int mkfs_dir_add(struct mkfs_build *b, struct mkfs_dir *dir, const char *name,
		 const struct mkfs_inode *target)
{
	dir->nlink += S_ISDIR(target->mode);
	return enter(b, dir, name, target);
}

/* Put the table where it belongs. */
static int write_table(struct mkfs_build *b, struct mkfs_dir *dir)
{
	uint32_t per_blk = b->g->jbsize / (uint32_t)sizeof(be64);
	uint32_t n = 1U << dir->depth;
	char *stuffed = dir->ino.block + IN_DINODE;
	char *block;
	int rc = 0;

	if (!dir->n_table_blks) {
		for (uint32_t i = 0; i < n; i++)
			mkfs_ptr_set(stuffed, i,
				     dir->leaves[dir->table[i]].blk);
		return 0;
	}
	block = malloc(b->g->bsize);
	if (!block)
		return mkfs_no_space(b, -ENOMEM);
	for (uint32_t k = 0; !rc && k < dir->n_table_blks; k++) {
		memset(block, 0, b->g->bsize);
		gfs_block_header(block, GFS2_METATYPE_JD);
		for (uint32_t i = 0; i < per_blk && k * per_blk + i < n; i++)
			mkfs_ptr_set(
				block + sizeof(struct gfs2_meta_header), i,
				dir->leaves[dir->table[k * per_blk + i]].blk);
		rc = mkfs_out_put(&b->out, dir->table_blks[k], block);
	}
	free(block);
	return rc;
}

static int write_hashed(struct mkfs_build *b, struct mkfs_dir *dir)
{
	struct gfs2_dinode *di = dir->ino.di;
	int rc;

	di->di_flags = cpu_to_be32(be32_to_cpu(di->di_flags) | GFS2_DIF_EXHASH);
	di->di_depth = cpu_to_be16((uint16_t)dir->depth);
	di->di_size = cpu_to_be64(sizeof(be64) << dir->depth);
	rc = write_table(b, dir);
	for (uint32_t i = 0; !rc && i < dir->n_leaves; i++)
		rc = mkfs_out_put(&b->out, dir->leaves[i].blk,
				  dir->leaves[i].block);
	return rc;
}

int mkfs_dir_finish(struct mkfs_build *b, struct mkfs_dir *dir)
{
	struct gfs2_dinode *di = dir->ino.di;
	int rc = 0;

	di->di_nlink = cpu_to_be32(dir->nlink);
	di->di_entries = cpu_to_be32(dir->entries);
	di->di_size = cpu_to_be64(b->g->stuffed_max);
	if (dir->hashed)
		rc = write_hashed(b, dir);
	else
		di->di_payload_format = cpu_to_be32(GFS2_FORMAT_DE);
	if (!rc)
		rc = mkfs_inode_finish(b, &dir->ino);
	mkfs_dir_drop(dir);
	return rc;
}

void mkfs_dir_drop(struct mkfs_dir *dir)
{
	for (uint32_t i = 0; i < dir->n_leaves; i++)
		free(dir->leaves[i].block);
	free(dir->leaves);
	free(dir->table);
	free(dir->table_blks);
	mkfs_inode_drop(&dir->ino);
	*dir = (struct mkfs_dir){ 0 };
}
