// SPDX-License-Identifier: GPL-2.0-or-later
/* Entries of directories: adding, removing, changing. */
#include "dir_write.h"

#include "../format/hash.h"
#include "alloc.h"
#include "dir_block.h"
#include "dir_table.h"
#include "read.h"
#include "tree_write.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

enum {
	DI_HEAD = sizeof(struct gfs2_dinode),
	LEAF_HEAD = sizeof(struct gfs2_leaf),
	/* From linear over every depth to a chain: one step each, and more. */
	MAX_STEPS = 64,
};

/* What a look for a name finds. */
struct found {
	uint64_t blk;             /* with the entry; 0: there is none */
	uint32_t offset;          /* of the entry */
	uint32_t prev;            /* of the record before, or 0 */
	struct gfs_dir_room room; /* blk 0: there is none */
	struct gfs_dir_chain chain;
};

void gfs_dir_target_of(const struct gfs_inode *ip, struct gfs_dir_target *t)
{
	t->ino.formal = be64_to_cpu(gfs_inode_di(ip)->di_num.no_formal_ino);
	t->ino.addr = ip->blk;
	t->mode = ip->mode;
	t->rahead = ip->eattr == ip->blk + 1;
}

static int check_name(const struct gfs_inode *dir, const struct gfs_name *n)
{
	struct gfs_error *err = dir->fs->err;

	if (!gfs_inode_is_dir(dir))
		return gfs_fail(err, ENOTDIR, dir->blk, "inode");
	if (n->len > GFS2_FNAMESIZE)
		return gfs_fail(err, ENAMETOOLONG, dir->blk, "name of %u bytes",
				n->len);
	if (!n->len || memchr(n->name, '/', n->len) ||
	    memchr(n->name, '\0', n->len))
		return gfs_fail(err, EINVAL, dir->blk, "not a name: '%.*s'",
				(int)n->len, n->name);
	return 0;
}

/* Look through one block. */
static int look_at(struct gfs_inode *dir, const struct gfs_buf *buf,
		   const struct gfs_name *name, struct found *f)
{
	/* Only read here. */
	const struct gfs_dirblk b = {
		.block = (char *)(uintptr_t)buf->data,
		.bsize = dir->fs->geom.bsize,
		.start = buf->blk == dir->blk ? DI_HEAD : LEAF_HEAD,
	};
	struct gfs_dirblk_found in_block;
	const char *why;
	int rc = gfs_dirblk_find(&b, name->name, name->len, &in_block, &why);

	if (rc)
		return gfs_fail(dir->fs->err, rc, buf->blk,
				"directory entry: %s", why);
	if (in_block.entry && !f->blk) {
		f->blk = buf->blk;
		f->offset = in_block.entry;
		f->prev = in_block.prev;
	}
	if (in_block.room && !f->room.blk) {
		f->room.blk = buf->blk;
		f->room.offset = in_block.room;
	}
	return 0;
}

/* Look through the chain of leaves where the name belongs. */
static int look_hashed(struct gfs_inode *dir, const struct gfs_name *name,
		       struct found *f)
{
	uint64_t left = gfs_min(dir->blocks, dir->fs->nblocks);
	uint32_t hash = gfs_dir_hash(name->name, name->len);
	uint64_t blk;
	int rc = gfs_dir_table(dir, gfs_dir_index(hash, dir->depth), &blk);

	f->chain.first = blk;
	for (; !rc && blk; left--) {
		const struct gfs2_leaf *lf;
		struct gfs_buf *buf;

		if (!left)
			return gfs_fail(dir->fs->err, GFS_ECYCLE, blk,
					"chain of leaves");
		rc = gfs_read_get(dir->fs, blk, GFS2_METATYPE_LF, &buf);
		if (rc)
			return rc;
		lf = buf->data;
		rc = look_at(dir, buf, name, f);
		if (blk == f->chain.first)
			f->chain.depth = be16_to_cpu(lf->lf_depth);
		f->chain.last = blk;
		blk = be64_to_cpu(lf->lf_next);
		gfs_buf_put(buf);
	}
	if (!rc && !f->chain.first)
		rc = gfs_fail(dir->fs->err, GFS_ECORRUPT, dir->blk,
			      "hash table entry is 0");
	return rc;
}

static int look(struct gfs_inode *dir, const struct gfs_name *name,
		struct found *f)
{
	int rc = check_name(dir, name);

	*f = (struct found){ 0 };
	if (rc)
		return rc;
	return gfs_inode_is_exhash(dir) ? look_hashed(dir, name, f)
					: look_at(dir, dir->buf, name, f);
}

/* The entry must be there. */
static int look_for(struct gfs_inode *dir, const struct gfs_name *name,
		    struct found *f)
{
	int rc = look(dir, name, f);

	if (!rc && !f->blk)
		rc = gfs_fail(dir->fs->err, ENOENT, dir->blk, "'%.*s'",
			      (int)name->len, name->name);
	return rc;
}

int gfs_dir_prepare(struct gfs_writer *w, struct gfs_inode *dir,
		    const struct gfs_name *name, struct gfs_dir_room *room)
{
	uint32_t hash =
		gfs_dir_hash(name->name, gfs_min(name->len, GFS2_FNAMESIZE));

	for (int step = 0; step < MAX_STEPS; step++) {
		struct found f;
		int rc = look(dir, name, &f);

		if (!rc && f.blk)
			rc = gfs_fail(w->fs->err, EEXIST, dir->blk, "'%.*s'",
				      (int)name->len, name->name);
		*room = f.room;
		if (rc || room->blk)
			return gfs_writer_result(w, rc);
		rc = gfs_inode_is_exhash(dir)
			     ? gfs_dir_grow(w, dir, hash, &f.chain)
			     : gfs_dir_hash_it(w, dir);
		if (rc)
			return gfs_writer_result(w, rc);
	}
	return gfs_writer_result(w, gfs_fail(w->fs->err, GFS_ECORRUPT, dir->blk,
					     "directory grows without end"));
}

static bool is_dotdot(const struct gfs_name *n)
{
	return n->len == 2 && n->name[0] == '.' && n->name[1] == '.';
}

/* A block of the directory, writable, and its dinode. */
struct edit {
	struct gfs_dirblk b;
	struct gfs2_leaf *leaf; /* NULL: the dinode itself */
	struct gfs2_dinode *di;
};

static int edit_block(struct gfs_writer *w, struct gfs_inode *dir, uint64_t blk,
		      struct edit *e)
{
	struct gfs_buf *buf;
	int rc;

	*e = (struct edit){ .di = gfs_writer_dinode(w, dir) };
	if (!e->di)
		return -ENOMEM;
	e->b.bsize = w->fs->geom.bsize;
	if (blk == dir->blk) {
		e->b.block = (char *)e->di;
		e->b.start = DI_HEAD;
		return 0;
	}
	rc = gfs_read_get(w->fs, blk, GFS2_METATYPE_LF, &buf);
	if (rc)
		return rc;
	e->leaf = gfs_writer_edit(w, buf);
	e->b.block = (char *)e->leaf;
	e->b.start = LEAF_HEAD;
	gfs_buf_put(buf);
	return e->leaf ? 0 : -ENOMEM;
}

/* Count entries that came or went, and the links of subdirectories. */
static void account(struct gfs_writer *w, struct gfs_inode *dir,
		    const struct edit *e, int entries, int links)
{
	struct gfs2_dinode *di = e->di;

	di->di_entries =
		cpu_to_be32((uint32_t)((int64_t)dir->entries + entries));
	di->di_nlink =
		cpu_to_be32((uint32_t)(be32_to_cpu(di->di_nlink) + links));
	gfs_writer_touch(w, di, true);
	if (e->leaf) {
		e->leaf->lf_entries = cpu_to_be16(
			(uint16_t)(be16_to_cpu(e->leaf->lf_entries) + entries));
		e->leaf->lf_sec = di->di_mtime;
		e->leaf->lf_nsec = di->di_mtime_nsec;
	}
	gfs_inode_refresh(dir);
}

static void set_rahead(const struct edit *e, const struct gfs_name *name)
{
	struct gfs_dirblk_found found;
	const char *why;

	if (!gfs_dirblk_find(&e->b, name->name, name->len, &found, &why) &&
	    found.entry)
		((struct gfs2_dirent *)(e->b.block + found.entry))->de_rahead =
			cpu_to_be16(1);
}

int gfs_dir_insert(struct gfs_writer *w, struct gfs_inode *dir,
		   const struct gfs_name *name, const struct gfs_dir_target *t,
		   const struct gfs_dir_room *room)
{
	const struct gfs_dirent_new n = {
		.name = name->name,
		.name_len = name->len,
		.formal = t->ino.formal,
		.addr = t->ino.addr,
		.mode = t->mode,
	};
	struct edit e;
	int rc = edit_block(w, dir, room->blk, &e);

	if (rc)
		return gfs_writer_result(w, rc);
	gfs_dirblk_insert(&e.b, room->offset, &n);
	if (t->rahead)
		set_rahead(&e, name);
	account(w, dir, &e, 1, S_ISDIR(t->mode) ? 1 : 0);
	return 0;
}

int gfs_dir_add(struct gfs_writer *w, struct gfs_inode *dir,
		const struct gfs_name *name, const struct gfs_dir_target *t)
{
	struct gfs_dir_room room;
	int rc = gfs_dir_prepare(w, dir, name, &room);

	return rc ? rc : gfs_dir_insert(w, dir, name, t, &room);
}

/* What the entry's type adds to the directory's links. */
static int links_of(const struct edit *e, uint32_t offset,
		    const struct gfs_name *name)
{
	const struct gfs2_dirent *de = (void *)(e->b.block + offset);

	return be16_to_cpu(de->de_type) == IF2DT(S_IFDIR) && !is_dotdot(name);
}

int gfs_dir_remove(struct gfs_writer *w, struct gfs_inode *dir,
		   const struct gfs_name *name)
{
	struct found f;
	struct edit e;
	int links, rc = look_for(dir, name, &f);

	if (!rc)
		rc = edit_block(w, dir, f.blk, &e);
	if (rc)
		return gfs_writer_result(w, rc);
	links = links_of(&e, f.offset, name);
	gfs_dirblk_remove(&e.b, f.prev, f.offset);
	account(w, dir, &e, -1, -links);
	return 0;
}

int gfs_dir_replace(struct gfs_writer *w, struct gfs_inode *dir,
		    const struct gfs_name *name, const struct gfs_dir_target *t)
{
	struct gfs2_dirent *de;
	struct found f;
	struct edit e;
	int links, rc = look_for(dir, name, &f);

	if (!rc)
		rc = edit_block(w, dir, f.blk, &e);
	if (rc)
		return gfs_writer_result(w, rc);
	de = (struct gfs2_dirent *)(e.b.block + f.offset);
	links = -links_of(&e, f.offset, name);
	de->de_inum.no_formal_ino = cpu_to_be64(t->ino.formal);
	de->de_inum.no_addr = cpu_to_be64(t->ino.addr);
	de->de_type = cpu_to_be16((uint16_t)IF2DT(t->mode));
	de->de_rahead = cpu_to_be16(t->rahead);
	links += links_of(&e, f.offset, name);
	account(w, dir, &e, 0, links);
	return 0;
}

void gfs_dir_init(const struct gfs_geom *g, struct gfs2_dinode *di,
		  const struct gfs_ino *parent)
{
	const struct gfs_dirblk b = { (char *)di, g->bsize, DI_HEAD };
	struct gfs_dirent_new n = {
		.name = "..",
		.name_len = 1,
		.formal = be64_to_cpu(di->di_num.no_formal_ino),
		.addr = be64_to_cpu(di->di_num.no_addr),
		.mode = S_IFDIR,
	};

	gfs_dirblk_clear(&b);
	gfs_dirblk_insert(&b, DI_HEAD, &n);
	n.name_len = 2;
	n.formal = parent->formal;
	n.addr = parent->addr;
	gfs_dirblk_insert(&b, DI_HEAD, &n);
	di->di_entries = cpu_to_be32(2);
	di->di_size = cpu_to_be64(g->stuffed_max);
	di->di_payload_format = cpu_to_be32(GFS2_FORMAT_DE);
}

/* Free a chain of leaves. A leaf met twice is free then: an error. */
static int release_chain(struct gfs_writer *w, struct gfs_inode *dir,
			 uint64_t blk)
{
	while (blk) {
		const struct gfs2_leaf *lf;
		struct gfs_buf *buf;
		uint64_t next;
		int rc = gfs_read_get(w->fs, blk, GFS2_METATYPE_LF, &buf);

		if (rc)
			return rc;
		lf = buf->data;
		next = be64_to_cpu(lf->lf_next);
		gfs_buf_put(buf);
		rc = gfs_tree_give(w, dir, blk, 1);
		if (rc)
			return rc;
		blk = next;
	}
	return 0;
}

int gfs_dir_release(struct gfs_writer *w, struct gfs_inode *dir)
{
	struct gfs2_dinode *di;
	be64 *table;
	uint64_t before = 0;
	int rc;

	if (!gfs_inode_is_exhash(dir))
		return 0;
	rc = gfs_dir_table_load(dir, &table);
	if (rc)
		return rc;
	for (uint32_t i = 0; i < 1U << dir->depth && !rc; i++) {
		uint64_t blk = be64_to_cpu(table[i]);

		if (blk != before)
			rc = release_chain(w, dir, blk);
		before = blk;
	}
	free(table);
	if (!rc)
		rc = gfs_tree_trim(w, dir, 0);
	di = rc ? NULL : gfs_writer_dinode(w, dir);
	if (!di)
		return rc ? rc : -ENOMEM;
	/* As the kernel leaves it: an empty file that was the table. */
	di->di_mode = cpu_to_be32(S_IFREG);
	di->di_flags = cpu_to_be32(dir->flags & ~(uint32_t)GFS2_DIF_EXHASH);
	di->di_size = cpu_to_be64(0);
	di->di_depth = cpu_to_be16(0);
	memset(di + 1, 0, w->fs->geom.stuffed_max);
	gfs_inode_refresh(dir);
	return 0;
}
