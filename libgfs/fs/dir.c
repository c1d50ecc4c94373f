// SPDX-License-Identifier: GPL-2.0-or-later
/* Directories: a cursor over entries, and lookup by name. */
#include "dir.h"

#include "../format/dirent.h"
#include "../format/hash.h"
#include "../io/blkmap.h"
#include "file.h"
#include "read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	TABLE_CHUNK = 512, /* table entries read at once */
};

struct gfs_dir_iter {
	struct gfs_inode *dir;
	struct gfs_buf *leaf;   /* borrowed; NULL for a linear directory */
	uint64_t blk;           /* of leaf, or of the dinode */
	struct gfs_dirent_iter dirents;
	bool in_block;          /* dirents has something to give */
	uint64_t next;          /* next leaf of the chain, or 0 */
	struct gfs_blkmap seen; /* leaves, so that none is visited twice */
	uint32_t index;         /* next table entry to look at */
	uint64_t previous;      /* leaf of the entry before */
	uint32_t chunk_start, chunk_n;
	be64 chunk[TABLE_CHUNK];
};

/* 1 when a leaf is new, 0 when it has been visited, -ENOMEM. */
static int mark_seen(struct gfs_dir_iter *it, uint64_t leaf)
{
	int rc;

	/* What is not on the volume is not remembered: it cannot be read. */
	if (!gfs_fs_has_block(it->dir->fs, leaf))
		return 1;
	if (gfs_blkmap_get(&it->seen, leaf, NULL))
		return 0;
	rc = gfs_blkmap_put(&it->seen, leaf, 0);
	return rc ? rc : 1;
}

static int get_leaf(struct gfs_inode *dir, uint64_t blk, struct gfs_buf **buf)
{
	struct gfs_fs *fs = dir->fs;
	struct gfs_flaw flaw;
	int rc = gfs_read_get(fs, blk, GFS2_METATYPE_LF, buf);

	if (rc)
		return rc;
	flaw = gfs_verify_leaf(&fs->geom, (*buf)->data, blk);
	rc = gfs_read_flaw(fs, blk, &flaw);
	if (rc) {
		gfs_buf_put(*buf);
		*buf = NULL;
	}
	return rc;
}

static uint64_t next_in_chain(const struct gfs_buf *leaf)
{
	const struct gfs2_leaf *lf = leaf->data;

	return be64_to_cpu(lf->lf_next);
}

static void fill_entry(struct gfs_dir_entry *e,
		       const struct gfs_dirent_view *view, uint64_t blk)
{
	memcpy(e->name, view->name, view->name_len);
	e->name[view->name_len] = '\0';
	e->name_len = view->name_len;
	e->ino.formal = be64_to_cpu(view->de->de_inum.no_formal_ino);
	e->ino.addr = be64_to_cpu(view->de->de_inum.no_addr);
	e->type = be16_to_cpu(view->de->de_type);
	e->hash = be32_to_cpu(view->de->de_hash);
	e->leaf = blk;
}

int gfs_dir_open(struct gfs_dir_iter **it, struct gfs_inode *dir)
{
	struct gfs_fs *fs = dir->fs;
	struct gfs_dir_iter *i;

	*it = NULL;
	if (!gfs_inode_is_dir(dir))
		return gfs_fail(fs->err, ENOTDIR, dir->blk, "inode");
	i = calloc(1, sizeof(*i));
	if (!i)
		return gfs_fail(fs->err, ENOMEM, dir->blk, "directory");
	i->dir = dir;
	if (!gfs_inode_is_exhash(dir)) {
		i->blk = dir->blk;
		i->in_block = true;
		gfs_dirent_first(&i->dirents, dir->buf->data, fs->geom.bsize,
				 sizeof(struct gfs2_dinode));
	}
	*it = i;
	return 0;
}

/* The next live entry of the present block: 1, 0 at its end, < 0. */
static int next_in_block(struct gfs_dir_iter *it, struct gfs_dir_entry *e)
{
	struct gfs_dirent_view view;
	const char *why;
	int rc;

	while ((rc = gfs_dirent_next(&it->dirents, &view, &why)) == 1) {
		if (view.sentinel)
			continue;
		fill_entry(e, &view, it->blk);
		return 1;
	}
	it->in_block = false;
	if (rc)
		return gfs_fail(it->dir->fs->err, GFS_ECORRUPT, it->blk,
				"directory entry at byte %u: %s",
				it->dirents.offset, why);
	return 0;
}

/* Entry it->index of the table, through a chunk of it. */
static int table_entry(struct gfs_dir_iter *it, uint64_t *leaf)
{
	struct gfs_inode *dir = it->dir;
	uint32_t at = it->index - it->chunk_start;
	size_t got;
	int rc;

	if (at >= it->chunk_n) {
		rc = gfs_file_read(dir, it->chunk, sizeof(it->chunk),
				   it->index * sizeof(be64), &got);
		if (rc)
			return rc;
		it->chunk_start = it->index;
		it->chunk_n = (uint32_t)(got / sizeof(be64));
		at = 0;
	}
	if (!it->chunk_n)
		return gfs_fail(dir->fs->err, GFS_ECORRUPT, dir->blk,
				"hash table ends early");
	*leaf = be64_to_cpu(it->chunk[at]);
	return 0;
}

/* The next leaf that the table names and that was not yet visited, or 0. */
static int next_of_table(struct gfs_dir_iter *it, uint64_t *leaf)
{
	for (; it->index < 1U << it->dir->depth; it->index++) {
		int rc = table_entry(it, leaf);

		if (rc) {
			it->index = 1U << it->dir->depth;
			return rc;
		}
		/* 0: range of a directory that is being removed */
		if (!*leaf || *leaf == it->previous)
			continue;
		it->previous = *leaf;
		rc = mark_seen(it, *leaf);
		if (rc < 0)
			return gfs_fail(it->dir->fs->err, rc, *leaf,
					"directory");
		if (rc) {
			it->index++;
			return 0;
		}
	}
	*leaf = 0;
	return 0;
}

/* The next leaf of the present chain; twice the same one is an error. */
static int next_of_chain(struct gfs_dir_iter *it, uint64_t *leaf)
{
	int rc;

	*leaf = it->next;
	it->next = 0;
	rc = mark_seen(it, *leaf);
	if (rc == 1)
		return 0;
	if (!rc)
		rc = -GFS_ECYCLE;
	return gfs_fail(it->dir->fs->err, rc, *leaf, "chain of leaves");
}

/* Go to the next leaf: 1, 0 when there is none, < 0. */
static int next_leaf(struct gfs_dir_iter *it)
{
	uint64_t leaf = 0;
	int rc;

	gfs_buf_put(it->leaf);
	it->leaf = NULL;
	if (!gfs_inode_is_exhash(it->dir))
		return 0;
	rc = it->next ? next_of_chain(it, &leaf) : next_of_table(it, &leaf);
	if (rc || !leaf)
		return rc;
	rc = get_leaf(it->dir, leaf, &it->leaf);
	if (rc)
		return rc;
	it->blk = leaf;
	it->next = next_in_chain(it->leaf);
	it->in_block = true;
	gfs_dirent_first(&it->dirents, it->leaf->data,
			 it->dir->fs->geom.bsize, sizeof(struct gfs2_leaf));
	return 1;
}

int gfs_dir_next(struct gfs_dir_iter *it, struct gfs_dir_entry *e)
{
	for (;;) {
		int rc = it->in_block ? next_in_block(it, e) : 0;

		if (rc)
			return rc;
		rc = next_leaf(it);
		if (rc != 1)
			return rc;
	}
}

void gfs_dir_close(struct gfs_dir_iter *it)
{
	if (!it)
		return;
	gfs_buf_put(it->leaf);
	gfs_blkmap_fini(&it->seen);
	free(it);
}

/* A name that is looked for. */
struct wanted {
	const char *name;
	size_t len;
};

/* Look in one block, from byte start: 1 found, 0 not, < 0. */
static int lookup_block(struct gfs_inode *dir, const struct gfs_buf *buf,
			uint32_t start, const struct wanted *w,
			struct gfs_dir_entry *e)
{
	struct gfs_dirent_iter it;
	struct gfs_dirent_view view;
	const char *why;
	int rc;

	gfs_dirent_first(&it, buf->data, dir->fs->geom.bsize, start);
	while ((rc = gfs_dirent_next(&it, &view, &why)) == 1) {
		if (view.sentinel || view.name_len != w->len ||
		    memcmp(view.name, w->name, w->len))
			continue;
		fill_entry(e, &view, buf->blk);
		return 1;
	}
	if (rc)
		return gfs_fail(dir->fs->err, GFS_ECORRUPT, buf->blk,
				"directory entry at byte %u: %s", it.offset,
				why);
	return 0;
}

static int lookup_hashed(struct gfs_inode *dir, const struct wanted *w,
			 struct gfs_dir_entry *e)
{
	uint64_t left = gfs_min(dir->blocks, dir->fs->nblocks);
	uint64_t leaf;
	int rc = gfs_dir_table(dir,
			       gfs_dir_index(gfs_dir_hash(w->name, w->len),
					     dir->depth), &leaf);

	for (; !rc && leaf; left--) {
		struct gfs_buf *buf;

		if (!left)
			return gfs_fail(dir->fs->err, GFS_ECYCLE, leaf,
					"chain of leaves");
		rc = get_leaf(dir, leaf, &buf);
		if (rc)
			return rc;
		rc = lookup_block(dir, buf, sizeof(struct gfs2_leaf), w, e);
		leaf = next_in_chain(buf);
		gfs_buf_put(buf);
	}
	return rc;
}

int gfs_dir_lookup(struct gfs_inode *dir, const char *name, size_t len,
		   struct gfs_dir_entry *e)
{
	const struct wanted w = { name, len };
	struct gfs_error *err = dir->fs->err;
	int rc;

	if (!gfs_inode_is_dir(dir))
		return gfs_fail(err, ENOTDIR, dir->blk, "inode");
	rc = gfs_inode_is_exhash(dir) ?
		     lookup_hashed(dir, &w, e) :
		     lookup_block(dir, dir->buf, sizeof(struct gfs2_dinode),
				  &w, e);
	if (rc < 0)
		return rc;
	if (!rc)
		return gfs_fail(err, ENOENT, dir->blk, "'%.*s'",
				(int)gfs_min(len, GFS2_FNAMESIZE), name);
	return 0;
}

int gfs_dir_table(struct gfs_inode *dir, uint32_t i, uint64_t *leaf)
{
	be64 entry;
	size_t got;
	int rc;

	if (!gfs_inode_is_exhash(dir) || i >= 1U << dir->depth)
		return gfs_fail(dir->fs->err, EINVAL, dir->blk,
				"no hash table entry %u", i);
	rc = gfs_file_read(dir, &entry, sizeof(entry), i * sizeof(entry),
			   &got);
	if (rc)
		return rc;
	if (got != sizeof(entry))
		return gfs_fail(dir->fs->err, GFS_ECORRUPT, dir->blk,
				"hash table ends early");
	*leaf = be64_to_cpu(entry);
	return 0;
}
