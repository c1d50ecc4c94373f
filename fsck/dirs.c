// SPDX-License-Identifier: GPL-2.0-or-later
/* Directory blocks: leaves' headers and the entries in one block. */
#include <inttypes.h>
#include <string.h>

#include "../libgfs/format/blocktype.h"
#include "../libgfs/format/dirent.h"
#include "../libgfs/format/hash.h"
#include "fsck.h"

#define DIRENT_SIZE ((uint32_t)sizeof(struct gfs2_dirent))
/* Entries that fit the largest block, and one. */
#define MAX_ENTRIES (GFS2_BSIZE_MAX / 48U + 2)
#define DE(member) ((uint32_t)offsetof(struct gfs2_dirent, member))

/* The block being read. */
struct block {
	struct fsck *f;
	const char *data;
	uint64_t blk;
	uint32_t bsize;
	uint32_t inode;  /* index of the directory */
	uint32_t run;    /* of the leaf, or NO_INDEX */
	uint64_t addr;   /* of the directory */
	uint32_t prev;   /* offset of the last entry that stays, 0: none */
	uint32_t live, dropped;
	bool mended;     /* the chain was repaired: counts may be wrong */
	uint32_t hashes[MAX_ENTRIES];
	uint16_t offs[MAX_ENTRIES];
};

/* One entry in host order. */
struct entry {
	const char *name;
	uint64_t formal, addr;
	uint32_t off, rec_len, name_len, hash, type;
	bool sentinel;
};

static struct entry read_entry(const struct block *b, uint32_t off)
{
	struct gfs2_dirent de;
	struct entry e;

	memcpy(&de, b->data + off, sizeof(de));
	e.off = off;
	e.name = b->data + off + DIRENT_SIZE;
	e.formal = be64_to_cpu(de.de_inum.no_formal_ino);
	e.addr = be64_to_cpu(de.de_inum.no_addr);
	e.rec_len = be16_to_cpu(de.de_rec_len);
	e.name_len = be16_to_cpu(de.de_name_len);
	e.hash = be32_to_cpu(de.de_hash);
	e.type = be16_to_cpu(de.de_type);
	e.sentinel = !e.formal || !e.addr;
	return e;
}

static struct fsck_at at_entry(const struct block *b)
{
	return at_inode(b->addr, b->blk);
}

static bool lengths_valid(const struct block *b, const struct entry *e)
{
	uint32_t room = b->bsize - e->off;

	if (e->rec_len < DIRENT_SIZE || e->rec_len % 8 || e->rec_len > room)
		return false;
	if (e->sentinel)
		return true;
	return e->name_len <= GFS2_FNAMESIZE &&
	       gfs_dirent_need(e->name_len) <= e->rec_len;
}

/* Does the name fit before `end`, and its hash say it is whole? */
static bool name_valid(const struct entry *e, uint32_t end)
{
	return e->name_len && e->name_len <= GFS2_FNAMESIZE &&
	       e->off + gfs_dirent_need(e->name_len) <= end &&
	       gfs_dir_hash(e->name, e->name_len) == e->hash;
}

/* The next offset from which entries can be believed again, or the end. */
static uint32_t resync(const struct block *b, uint32_t off)
{
	for (off += 8; off + DIRENT_SIZE <= b->bsize; off += 8) {
		struct entry e = read_entry(b, off);

		if (!e.sentinel && lengths_valid(b, &e) &&
		    name_valid(&e, b->bsize))
			return off;
	}
	return b->bsize;
}

/*
 * The entry at e->off does not join up. Its length is corrected if its name
 * is whole, else what cannot be believed is given to its predecessor.
 * Returns true when the entry is live.
 */
static bool mend(struct block *b, struct entry *e)
{
	struct fsck *f = b->f;
	bool room = b->bsize - e->off >= DIRENT_SIZE;
	uint32_t next = resync(b, e->off);
	bool keep = room && !e->sentinel && name_valid(e, next);
	bool fix = problem(f, CK_DE_CHAIN, at_entry(b),
			   "offset %u: record of %u, name of %u bytes%s",
			   e->off, e->rec_len, e->name_len,
			   keep ? "" : "; the name is lost");

	b->mended = true;
	e->rec_len = next - e->off;
	if (!fix)
		return keep;
	if (keep || (!b->prev && room)) {
		edit_set(f, b->blk, e->off + DE(de_rec_len), 2, e->rec_len);
		if (!keep)
			edit_zero(f, b->blk, e->off, sizeof(struct gfs2_inum));
	} else if (b->prev) {
		edit_set(f, b->blk, b->prev + DE(de_rec_len), 2,
			 next - b->prev);
	}
	return keep;
}

static bool is_dot(const struct entry *e)
{
	return e->name_len == 1 && e->name[0] == '.';
}

static bool is_dotdot(const struct entry *e)
{
	return e->name_len == 2 && e->name[0] == '.' && e->name[1] == '.';
}

static void take_dot(const struct block *b, struct fsck_dir *dir,
		     const struct entry *e)
{
	struct fsck *f = b->f;
	uint64_t formal = f->inodes.v[b->inode].formal;

	dir->flags |= DIR_DOT;
	if (e->addr == b->addr && e->formal == formal)
		return;
	if (!problem(f, CK_DOT_WRONG, at_entry(b), "%" PRIu64 "/%" PRIu64,
		     e->formal, e->addr))
		return;
	edit_set(f, b->blk, e->off, 8, formal);
	edit_set(f, b->blk, e->off + 8, 8, b->addr);
}

static void take_dotdot(const struct block *b, struct fsck_dir *dir,
			const struct entry *e)
{
	dir->flags |= DIR_DOTDOT;
	dir->dotdot_addr = e->addr;
	dir->dotdot_formal = e->formal;
	dir->dotdot_blk = b->blk;
	dir->dotdot_off = (uint16_t)e->off;
}

/* Has an entry before this one the same name? */
static void check_twice(struct block *b, const struct entry *e)
{
	for (uint32_t i = 0; i < b->live; i++) {
		struct entry o;

		if (b->hashes[i] != e->hash)
			continue;
		o = read_entry(b, b->offs[i]);
		if (o.name_len == e->name_len &&
		    !memcmp(o.name, e->name, e->name_len))
			problem_note(b->f, CK_DE_TWICE, at_entry(b),
				     "offsets %u and %u: \"%.*s\"", o.off,
				     e->off, (int)e->name_len, e->name);
	}
	if (b->live < MAX_ENTRIES) {
		b->hashes[b->live] = e->hash;
		b->offs[b->live] = (uint16_t)e->off;
	}
}

static void check_name(const struct block *b, struct entry *e)
{
	uint32_t hash = gfs_dir_hash(e->name, e->name_len);

	if (hash != e->hash &&
	    problem(b->f, CK_DE_HASH, at_entry(b),
		    "\"%.*s\": 0x%x, should be 0x%x", (int)e->name_len,
		    e->name, e->hash, hash))
		edit_set(b->f, b->blk, e->off + DE(de_hash), 4, hash);
	e->hash = hash;
	if (memchr(e->name, '\0', e->name_len) ||
	    memchr(e->name, '/', e->name_len))
		problem_note(b->f, CK_DE_NAME, at_entry(b), "offset %u",
			     e->off);
}

/* Does the hash belong to the leaf's part of the table? */
static void check_place(const struct block *b, const struct fsck_dir *dir,
			const struct entry *e)
{
	const struct fsck_leaf_run *run = &b->f->runs.v[b->run];
	uint32_t i = gfs_dir_index(e->hash, dir->depth);

	if (dir->flags & DIR_TORN)
		return;
	if (i < run->start || i - run->start >= run->count)
		problem_note(b->f, CK_LF_PLACE, at_entry(b),
			     "\"%.*s\": table entry %u, leaf has %u to %u",
			     (int)e->name_len, e->name, i, run->start,
			     run->start + run->count - 1);
}

static void take_entry(struct block *b, struct fsck_dir *dir, struct entry *e)
{
	struct fsck *f = b->f;
	struct fsck_dirent *de;

	if (!e->name_len) {
		b->live++;
		if (problem(f, CK_DE_NO_NAME, at_entry(b), "offset %u",
			    e->off)) {
			fsck_drop_entry(f, b->inode, b->blk, e->off);
			b->dropped++;
		}
		return;
	}
	check_name(b, e);
	check_twice(b, e);
	b->live++;
	if (b->run != NO_INDEX)
		check_place(b, dir, e);
	if (is_dot(e)) {
		take_dot(b, dir, e);
		return;
	}
	if (is_dotdot(e)) {
		take_dotdot(b, dir, e);
		return;
	}
	if (b->addr == f->fs->sb.root.addr && e->name_len == 10 &&
	    !memcmp(e->name, "lost+found", 10))
		f->lost_found = e->addr;
	de = dirents_add(&f->dirents);
	de->addr = e->addr;
	de->formal = e->formal;
	de->blk = b->blk;
	de->off = (uint16_t)e->off;
	de->dir = b->inode;
	de->type = (uint8_t)gfs_min(e->type, UINT8_MAX);
}

/* One entry at off; returns the offset of the next. */
static uint32_t step(struct block *b, struct fsck_dir *dir, uint32_t off)
{
	struct entry e;

	memset(&e, 0, sizeof(e));
	e.off = off;
	e.sentinel = true;
	if (b->bsize - off >= DIRENT_SIZE)
		e = read_entry(b, off);
	if (!lengths_valid(b, &e)) {
		bool live = mend(b, &e);

		if (live || !b->prev)
			b->prev = off;
		if (live)
			take_entry(b, dir, &e);
		return off + e.rec_len;
	}
	/* Not left by a split as in a leaf, and never removed: damaged. */
	if (e.sentinel && b->run == NO_INDEX && (is_dot(&e) || is_dotdot(&e)) &&
	    name_valid(&e, off + e.rec_len))
		e.sentinel = false;
	if (!e.sentinel) {
		b->prev = off;
		take_entry(b, dir, &e);
	} else if (b->prev) {
		if (problem(b->f, CK_DE_EMPTY, at_entry(b), "offset %u", off))
			edit_dirent_remove(b->f, b->blk, off);
	} else {
		b->prev = off;
	}
	return off + e.rec_len;
}

static void check_leaf_count(struct block *b)
{
	const struct gfs2_leaf *lf = (const struct gfs2_leaf *)b->data;
	uint32_t recorded = be16_to_cpu(lf->lf_entries);
	bool fix;

	if (recorded == b->live)
		return;
	fix = b->mended ? problem_may_fix(b->f) :
			  problem(b->f, CK_LF_ENTRIES, at_entry(b),
				  "recorded %u, counted %u", recorded, b->live);
	if (fix)
		edit_set(b->f, b->blk, offsetof(struct gfs2_leaf, lf_entries),
			 2, b->live - b->dropped);
}

void fsck_dirents(struct fsck *f, uint64_t blk, const void *block, uint32_t dir,
		  uint32_t run)
{
	struct fsck_dir *d = dirs_find(&f->dirs, dir);
	static struct block b;
	uint32_t off = run == NO_INDEX ? sizeof(struct gfs2_dinode) :
					 sizeof(struct gfs2_leaf);

	if (!d || d->flags & DIR_LEAVING)
		return;
	b.f = f;
	b.data = block;
	b.blk = blk;
	b.bsize = f->fs->geom.bsize;
	b.inode = dir;
	b.run = run;
	b.addr = f->inodes.v[dir].addr;
	b.prev = b.live = b.dropped = 0;
	b.mended = false;
	while (off < b.bsize)
		off = step(&b, d, off);
	d->live += b.live;
	if (b.mended)
		d->flags |= DIR_BROKEN;
	if (run != NO_INDEX)
		check_leaf_count(&b);
}

void fsck_drop_entry(struct fsck *f, uint32_t dir, uint64_t blk, uint32_t off)
{
	struct fsck_dir *d = dirs_find(&f->dirs, dir);

	edit_dirent_remove(f, blk, off);
	if (blk != f->inodes.v[dir].addr)
		edit_add(f, blk, offsetof(struct gfs2_leaf, lf_entries), 2, -1);
	if (d)
		d->dropped++;
}

/* A block without a leaf's header whose entries join up all the same. */
static bool plausible_leaf(struct fsck *f, const void *block)
{
	struct gfs_dirent_iter it;
	struct gfs_dirent_view view;
	const char *why;
	int rc;

	gfs_dirent_first(&it, block, f->fs->geom.bsize,
			 sizeof(struct gfs2_leaf));
	do
		rc = gfs_dirent_next(&it, &view, &why);
	while (rc > 0);
	return !rc;
}

static bool leaf_header(struct fsck *f, const struct fsck_ref *ref,
			const void *block)
{
	struct fsck_at at = at_inode(f->inodes.v[ref->owner].addr, ref->blk);

	if (gfs_block_is(block, GFS2_METATYPE_LF))
		return true;
	if (plausible_leaf(f, block)) {
		if (problem(f, CK_LF_TYPE, at, "%s", ""))
			edit_header(f, ref->blk, GFS2_METATYPE_LF);
		return true;
	}
	if (ref->kind != GFS_REF_CHAIN)
		problem_note(f, CK_LF_NOT, at, "%s", "");
	else if (problem(f, CK_LF_NEXT, at, "%s", "not a leaf"))
		edit_set(f, ref->parent, ref->off, 8, 0);
	return false;
}

static void leaf_depth(struct fsck *f, const struct fsck_ref *ref,
		       const struct gfs2_leaf *lf)
{
	const struct fsck_leaf_run *run = &f->runs.v[ref->base];
	const struct fsck_dir *dir = dirs_find(&f->dirs, ref->owner);
	uint32_t depth = be16_to_cpu(lf->lf_depth), want;

	if (!dir || dir->flags & DIR_TORN || !gfs_is_pow2(run->count) ||
	    run->start % run->count)
		return;
	want = dir->depth - gfs_log2(run->count);
	if (depth != want &&
	    problem(f, CK_LF_DEPTH,
		    at_inode(f->inodes.v[ref->owner].addr, ref->blk),
		    "%u, should be %u", depth, want))
		edit_set(f, ref->blk, offsetof(struct gfs2_leaf, lf_depth), 2,
			 want);
}

bool fsck_leaf(struct fsck *f, const struct fsck_ref *ref, const void *block)
{
	const struct gfs2_leaf *lf = block;
	uint64_t addr = f->inodes.v[ref->owner].addr;
	struct fsck_at at = at_inode(addr, ref->blk);
	uint64_t inode = be64_to_cpu(lf->lf_inode);
	uint32_t fmt = be32_to_cpu(lf->lf_dirent_format);

	if (!leaf_header(f, ref, block))
		return false;
	if (be32_to_cpu(lf->lf_header.mh_format) != GFS2_FORMAT_LF &&
	    gfs_block_is(block, GFS2_METATYPE_LF) &&
	    problem(f, CK_DI_FORMAT, at, "leaf: %u",
		    be32_to_cpu(lf->lf_header.mh_format)))
		edit_set(f, ref->blk,
			 offsetof(struct gfs2_meta_header, mh_format), 4,
			 GFS2_FORMAT_LF);
	if (fmt != GFS2_FORMAT_DE &&
	    problem(f, CK_LF_FORMAT, at, "%u", fmt))
		edit_set(f, ref->blk,
			 offsetof(struct gfs2_leaf, lf_dirent_format), 4,
			 GFS2_FORMAT_DE);
	if (inode && inode != addr &&
	    problem(f, CK_LF_INODE, at, "%" PRIu64, inode))
		edit_set(f, ref->blk, offsetof(struct gfs2_leaf, lf_inode), 8,
			 addr);
	leaf_depth(f, ref, lf);
	return true;
}
