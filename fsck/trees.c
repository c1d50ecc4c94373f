// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All inodes and their trees, level by level, each level in the order of its
 * blocks: what is where is claimed, what points to nowhere is found.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../libgfs/format/bitmap.h"
#include "../libgfs/format/blocktype.h"
#include "fsck.h"

/* Levels of directories that no bitmap knows, one below the other. */
#define MAX_WALKS 500U
#define STATES_OF_DINODES (1U << GFS2_BLKST_UNLINKED | 1U << GFS2_BLKST_DINODE)

struct walk {
	struct fsck_refs now;    /* the level being scanned, sorted */
	struct fsck_refs next;   /* the level below */
	struct fsck_refs suspects; /* pointers to blocks marked as dinodes */
	size_t pos;              /* in now */
};

static struct fsck_inode *owner_of(struct fsck *f, const struct fsck_ref *ref)
{
	return &f->inodes.v[ref->owner];
}

static struct fsck_at at_ref(struct fsck *f, const struct fsck_ref *ref)
{
	return at_inode(owner_of(f, ref)->addr, ref->parent);
}

static const char *kind_name(const struct fsck_ref *ref)
{
	return ref->kind == REF_QUOTA_CHANGE ?
		       "quota change" :
		       gfs_ref_name((enum gfs_ref_kind)ref->kind);
}

/* Entries of hash tables and xattr lists cannot be cleared one by one. */
static bool can_clear(const struct fsck_ref *ref)
{
	switch (ref->kind) {
	case GFS_REF_LEAF: return false;
	case GFS_REF_TABLE: return false;
	case GFS_REF_EA: return ref->level < 2;
	default: return true;
	}
}

static void clear_pointer(struct fsck *f, const struct fsck_ref *ref)
{
	if (ref->kind == GFS_REF_EA_DATA) {
		fsck_xattr_remove(f, ref->parent, ref->base);
		return;
	}
	edit_set(f, ref->parent, ref->off, 8, 0);
}

/* What is below a pointer that stays damaged is not known to be free. */
static void left_pointer(struct fsck *f, const struct fsck_ref *ref)
{
	if (ref->kind != GFS_REF_DATA)
		f->blind = true;
}

/* A pointer that leads to no data block of any group. */
static void bad_pointer(struct fsck *f, const struct fsck_ref *ref)
{
	enum fsck_check check = CK_PTR_META;

	fsck_touch(f, ref->owner);
	if (ref->kind == GFS_REF_LEAF) {
		problem_note(f, CK_TABLE_LOST, at_ref(f, ref), "offset %u: %"
			     PRIu64, ref->off, ref->blk);
		return;
	}
	if (ref->kind == GFS_REF_TABLE) {
		f->blind = true;
		problem_note(f, CK_TABLE_SIZE, at_ref(f, ref), "offset %u: %"
			     PRIu64, ref->off, ref->blk);
		return;
	}
	if (ref->kind == GFS_REF_EA && ref->level > 1) {
		f->blind = true;
		problem_note(f, CK_EA_LIST, at_ref(f, ref), "offset %u: %"
			     PRIu64, ref->off, ref->blk);
		return;
	}
	if (ref->kind == GFS_REF_CHAIN)
		check = CK_LF_NEXT;
	else if (ref->kind == GFS_REF_EA || ref->kind == GFS_REF_EA_INDIRECT)
		check = CK_EA_PTR;
	else if (gfs_rgrp_covering(&f->fs->rgrps, ref->blk) ||
		 (ref->blk && ref->blk < f->fs->nblocks))
		check = CK_PTR_GAP;
	else if (ref->kind == GFS_REF_DATA || ref->kind == REF_QUOTA_CHANGE)
		check = CK_PTR_DATA;
	if (problem(f, check, at_ref(f, ref), "offset %u: %s %" PRIu64,
		    ref->off, kind_name(ref), ref->blk))
		clear_pointer(f, ref);
	else
		left_pointer(f, ref);
}

bool fsck_claim(struct fsck *f, const struct fsck_ref *ref)
{
	struct fsck_inode *owner = owner_of(f, ref);
	uint64_t i;

	if (!fsck_index(f, ref->blk, &i)) {
		bad_pointer(f, ref);
		return false;
	}
	owner->blocks_left--;
	if (blockmap_get(&f->want, i)) {
		*refs_add(&f->dups) = *ref;
		return false;
	}
	blockmap_set(&f->want, i, GFS2_BLKST_USED);
	return true;
}

/* Claim now, or later when the target may be a dinode. */
static void claim_or_suspect(struct fsck *f, struct walk *w,
			     const struct fsck_ref *ref)
{
	uint64_t i;

	if (fsck_index(f, ref->blk, &i) &&
	    blockmap_get(&f->disk, i) >= GFS2_BLKST_UNLINKED) {
		*refs_add(&w->suspects) = *ref;
		return;
	}
	if (fsck_claim(f, ref) && ref->kind != GFS_REF_DATA)
		*refs_add(&w->next) = *ref;
}

/* All references of a block but those of hash tables. */
static void take_refs(struct fsck *f, struct walk *w, const void *block,
		      uint64_t blk, uint32_t owner,
		      const struct gfs_ref_parent *parent, uint32_t base)
{
	uint32_t inptrs = f->fs->geom.inptrs;
	struct gfs_ref_iter it;
	struct gfs_ref r;
	struct fsck_ref ref;
	uint32_t head = parent->is_dinode ? sizeof(struct gfs2_dinode) :
					    sizeof(struct gfs2_meta_header);

	gfs_ref_first(&it, &f->fs->geom, block, parent);
	while (gfs_ref_next(&it, &r)) {
		if (r.kind == GFS_REF_LEAF)
			continue;
		memset(&ref, 0, sizeof(ref));
		ref.blk = r.blk;
		ref.parent = blk;
		ref.owner = owner;
		ref.off = (uint16_t)r.offset;
		ref.kind = (uint8_t)r.kind;
		ref.level = r.level;
		if (parent->is_dir && r.offset >= head)
			ref.base = base * inptrs + (r.offset - head) / 8;
		if (r.kind == GFS_REF_DATA &&
		    f->inodes.v[owner].flags & INODE_QUOTA_CHANGE)
			ref.kind = REF_QUOTA_CHANGE;
		claim_or_suspect(f, w, &ref);
	}
}

static uint16_t inode_flags(struct fsck *f, uint64_t blk,
			    const struct gfs2_dinode *di, unsigned int state)
{
	uint32_t flags = be32_to_cpu(di->di_flags);
	enum fsck_role_kind role = fsck_role_of(f, blk).kind;
	uint32_t fmt = be32_to_cpu(di->di_mode) & S_IFMT;
	uint16_t v = 0;

	/* A directory being removed becomes a file with a hash table. */
	if (fmt == S_IFDIR || (state == GFS2_BLKST_UNLINKED &&
			       flags & GFS2_DIF_EXHASH))
		v |= INODE_DIR;
	if (flags & GFS2_DIF_SYSTEM)
		v |= INODE_SYSTEM;
	if (flags & GFS2_DIF_EXHASH)
		v |= INODE_EXHASH;
	if (state == GFS2_BLKST_UNLINKED)
		v |= INODE_UNLINKED;
	if (role == ROLE_QUOTA_CHANGE)
		v |= INODE_QUOTA_CHANGE;
	if (role == ROLE_JOURNAL)
		v |= INODE_JOURNAL;
	if (fmt == S_IFREG && !be64_to_cpu(di->di_size) &&
	    !be64_to_cpu(di->di_eattr) && be64_to_cpu(di->di_blocks) == 1)
		v |= INODE_EMPTY;
	return v;
}

static void add_dir(struct fsck *f, uint64_t blk, const void *block,
		    const struct gfs2_dinode *di)
{
	const uint32_t tail = sizeof(struct gfs2_dinode);
	uint32_t inode = f->inodes.n - 1;
	struct fsck_dir *dir = dirs_add(&f->dirs);

	dir->inode = inode;
	dir->parent = NO_INDEX;
	if (f->inodes.v[inode].flags & INODE_UNLINKED)
		dir->flags = DIR_LEAVING;
	dir->entries = be32_to_cpu(di->di_entries);
	dir->depth = (uint8_t)be16_to_cpu(di->di_depth);
	if (!(be32_to_cpu(di->di_flags) & GFS2_DIF_EXHASH))
		fsck_dirents(f, blk, block, inode, NO_INDEX);
	else if (!be16_to_cpu(di->di_height))
		fsck_table_part(f, blk, block, tail,
				(uint32_t)gfs_min(f->fs->geom.diptrs,
						  UINT64_C(1) << dir->depth),
				0, inode);
}

static struct fsck_inode *add_inode(struct fsck *f, uint64_t blk,
				    const struct gfs2_dinode *di,
				    unsigned int state)
{
	struct fsck_inode *ip = inodes_add(&f->inodes);

	ip->addr = blk;
	ip->formal = be64_to_cpu(di->di_num.no_formal_ino);
	ip->blocks_left = be64_to_cpu(di->di_blocks) - 1;
	ip->links_left = be32_to_cpu(di->di_nlink);
	ip->type = (uint8_t)((be32_to_cpu(di->di_mode) & S_IFMT) >> 12);
	ip->height = (uint8_t)be16_to_cpu(di->di_height);
	ip->flags = inode_flags(f, blk, di, state);
	return ip;
}

/* A dinode that cannot be read keeps its block, and nothing is freed. */
static void unreadable_dinode(struct fsck *f, uint64_t blk, uint64_t index,
			      unsigned int state)
{
	struct fsck_inode *ip = inodes_add(&f->inodes);

	ip->addr = blk;
	ip->flags = INODE_UNREADABLE | INODE_PARTIAL;
	if (state == GFS2_BLKST_UNLINKED)
		ip->flags |= INODE_UNLINKED;
	blockmap_set(&f->want, index, state);
}

static int take_dinode(struct fsck *f, void *ctx, uint64_t blk,
		       const void *block)
{
	struct gfs_ref_parent parent = { .is_dinode = true };
	struct gfs2_dinode di;
	struct fsck_inode *ip;
	unsigned int state;
	uint64_t i, gen;
	uint32_t n;

	if (!fsck_index(f, blk, &i))
		return 0;
	state = blockmap_get(&f->disk, i);
	if (!block) {
		unreadable_dinode(f, blk, i, state);
		return 0;
	}
	if (!fsck_dinode(f, blk, block, &di)) {
		f->lost_dinodes++;
		return 0;
	}
	blockmap_set(&f->want, i, state);
	gen = be64_to_cpu(di.di_generation);
	if (gen > f->rg[f->last_rg].max_generation)
		f->rg[f->last_rg].max_generation = gen;
	ip = add_inode(f, blk, &di, state);
	n = f->inodes.n - 1;
	parent.is_dir = ip->flags & INODE_DIR;
	parent.height = ip->height;
	parent.flags = be32_to_cpu(di.di_flags);
	if (ip->flags & INODE_DIR)
		add_dir(f, blk, block, &di);
	take_refs(f, ctx, block, blk, n, &parent, 0);
	return 0;
}

/* Every block that a bitmap calls a dinode. */
static int walk_dinodes(struct fsck *f, struct walk *w)
{
	uint64_t *blks = NULL;
	size_t n = 0, room = 0;
	uint64_t i = 0;
	int rc;

	while ((i = blockmap_next(&f->disk, i, STATES_OF_DINODES)) <
	       f->n_data) {
		blks = table_grow(blks, n, &room, sizeof(*blks));
		blks[n++] = fsck_block(f, i++);
	}
	rc = fsck_scan(f, blks, n, take_dinode, w);
	free(blks);
	return rc;
}

/* Pointers to blocks marked as dinodes: if they are, the dinode wins. */
static void settle_suspects(struct fsck *f, struct walk *w)
{
	refs_sort(&w->suspects);
	for (size_t k = 0; k < w->suspects.n; k++) {
		const struct fsck_ref *ref = &w->suspects.v[k];

		if (inodes_find(&f->inodes, ref->blk) == NO_INDEX) {
			if (fsck_claim(f, ref) && ref->kind != GFS_REF_DATA)
				*refs_add(&w->next) = *ref;
			continue;
		}
		fsck_touch(f, ref->owner);
		if (problem(f, CK_PTR_DINODE, at_ref(f, ref),
			    "offset %u: %s %" PRIu64, ref->off, kind_name(ref),
			    ref->blk) && can_clear(ref))
			clear_pointer(f, ref);
	}
	w->suspects.n = 0;
}

/* The flag says a list of xattr blocks, the block is one itself; or reverse. */
static void check_ea_shape(struct fsck *f, struct fsck_ref *ref,
			   const void *block)
{
	struct fsck_inode *owner = owner_of(f, ref);
	bool list = ref->kind == GFS_REF_EA_INDIRECT;

	if ((list && !gfs_block_is(block, GFS2_METATYPE_EA)) ||
	    (ref->kind == GFS_REF_EA && (ref->level > 1 ||
	     !gfs_block_is(block, GFS2_METATYPE_IN))) ||
	    (!list && ref->kind != GFS_REF_EA))
		return;
	if (problem(f, CK_EA_INDIRECT, at_inode(owner->addr, ref->blk),
		    "the flag is%s set", list ? "" : " not"))
		edit_add(f, owner->addr, offsetof(struct gfs2_dinode, di_flags),
			 4, list ? -(int64_t)GFS2_DIF_EA_INDIRECT :
				   (int64_t)GFS2_DIF_EA_INDIRECT);
	ref->kind = list ? GFS_REF_EA : GFS_REF_EA_INDIRECT;
}

static uint32_t type_of_kind(uint8_t kind)
{
	switch (kind) {
	case GFS_REF_INDIRECT: return GFS2_METATYPE_IN;
	case GFS_REF_EA_INDIRECT: return GFS2_METATYPE_IN;
	case GFS_REF_TABLE: return GFS2_METATYPE_JD;
	case GFS_REF_LEAF: return GFS2_METATYPE_LF;
	case GFS_REF_CHAIN: return GFS2_METATYPE_LF;
	case GFS_REF_EA: return GFS2_METATYPE_EA;
	case GFS_REF_EA_DATA: return GFS2_METATYPE_ED;
	case REF_QUOTA_CHANGE: return GFS2_METATYPE_QC;
	default: return GFS2_METATYPE_NONE;
	}
}

/* Could this be a block of pointers whose header alone is damaged? */
static bool plausible_pointers(struct fsck *f, const void *block)
{
	uint32_t n = f->fs->geom.inptrs, good = 0;
	uint64_t i;

	for (uint32_t k = 0; k < n; k++) {
		uint64_t ptr = gfs_indirect_ptr(block, k);

		if (!ptr)
			continue;
		if (!fsck_index(f, ptr, &i))
			return false;
		good++;
	}
	return good > 0;
}

/* A block with a whole header of another type is not a damaged one of ours. */
static bool is_other(const void *block)
{
	const struct gfs_blocktype *bt = gfs_blocktype_of(block);

	return bt && be32_to_cpu(((const struct gfs2_meta_header *)block)
					 ->mh_format) == bt->format;
}

/* Right header, or one that was put right; false: not what it should be. */
static bool check_type(struct fsck *f, const struct fsck_ref *ref,
		       const void *block)
{
	uint32_t type = type_of_kind(ref->kind);
	const struct gfs_blocktype *bt = gfs_blocktype_find(type);
	uint32_t fmt = be32_to_cpu(
		((const struct gfs2_meta_header *)block)->mh_format);
	struct fsck_at at = at_inode(owner_of(f, ref)->addr, ref->blk);

	if (gfs_block_is(block, type)) {
		if (fmt != bt->format &&
		    problem(f, type == GFS2_METATYPE_IN ? CK_IN_FORMAT :
							  CK_DI_FORMAT, at,
			    "%s: %u, should be %u", bt->name, fmt, bt->format))
			edit_set(f, ref->blk,
				 offsetof(struct gfs2_meta_header, mh_format),
				 4, bt->format);
		return true;
	}
	if ((type == GFS2_METATYPE_IN || type == GFS2_METATYPE_JD) &&
	    !is_other(block) && plausible_pointers(f, block)) {
		if (problem(f, type == GFS2_METATYPE_IN ? CK_IN_HEADER :
							  CK_JD_TYPE, at,
			    "%s", ""))
			edit_header(f, ref->blk, type);
		return true;
	}
	return false;
}

static void drop_block(struct fsck *f, const struct fsck_ref *ref)
{
	enum fsck_check check = CK_IN_TYPE;

	fsck_touch(f, ref->owner);
	switch (ref->kind) {
	case GFS_REF_TABLE:
		f->blind = true;
		problem_note(f, CK_TABLE_SIZE, at_ref(f, ref), "block %" PRIu64
			     " is no part of a hash table", ref->blk);
		return;
	case GFS_REF_EA:
	case GFS_REF_EA_INDIRECT:
		check = CK_EA_TYPE;
		if (can_clear(ref))
			break;
		f->blind = true;
		problem_note(f, CK_EA_LIST, at_ref(f, ref), "block %" PRIu64
			     " has no xattrs", ref->blk);
		return;
	case GFS_REF_EA_DATA:
		check = CK_EA_VALUE;
		break;
	default:
		break;
	}
	if (problem(f, check, at_ref(f, ref), "offset %u: %s %" PRIu64,
		    ref->off, kind_name(ref), ref->blk))
		clear_pointer(f, ref);
	else
		left_pointer(f, ref);
}

static void take_block(struct fsck *f, struct walk *w,
		       const struct fsck_ref *ref, const void *block)
{
	struct fsck_inode *owner = owner_of(f, ref);
	struct gfs_ref_parent parent = {
		.kind = (enum gfs_ref_kind)ref->kind,
		.is_dir = owner->flags & INODE_DIR,
		.height = owner->height,
		.level = ref->level,
	};
	uint32_t per = f->fs->geom.inptrs;
	struct fsck_dir *dir;

	switch (ref->kind) {
	case GFS_REF_INDIRECT:
		take_refs(f, w, block, ref->blk, ref->owner, &parent,
			  ref->base);
		break;
	case GFS_REF_EA_INDIRECT:
		parent.is_dir = false;
		take_refs(f, w, block, ref->blk, ref->owner, &parent, 0);
		break;
	case GFS_REF_TABLE:
		dir = dirs_find(&f->dirs, ref->owner);
		if (dir && ref->base < (1U << dir->depth) / per + 1)
			fsck_table_part(f, ref->blk, block,
					sizeof(struct gfs2_meta_header), per,
					ref->base * per, ref->owner);
		break;
	case GFS_REF_EA:
		fsck_xattrs(f, ref, block, &w->next);
		break;
	case REF_QUOTA_CHANGE:
		fsck_quota_change(f, ref, block);
		break;
	default:
		break;
	}
}

/* Leaves: entries, and the next of the chain. */
static void take_leaf(struct fsck *f, struct walk *w,
		      const struct fsck_ref *ref, const void *block)
{
	uint64_t next = be64_to_cpu(((const struct gfs2_leaf *)block)->lf_next);
	struct fsck_ref chain = *ref;

	if (!fsck_leaf(f, ref, block)) {
		f->blind = true;
		fsck_touch(f, ref->owner);
		return;
	}
	fsck_dirents(f, ref->blk, block, ref->owner, ref->base);
	if (!next)
		return;
	chain.blk = next;
	chain.parent = ref->blk;
	chain.off = offsetof(struct gfs2_leaf, lf_next);
	chain.kind = GFS_REF_CHAIN;
	chain.len = ref->len + 1;
	claim_or_suspect(f, w, &chain);
}

static int take_level_block(struct fsck *f, void *ctx, uint64_t blk,
			    const void *block)
{
	struct walk *w = ctx;
	struct fsck_ref *ref = &w->now.v[w->pos++];

	(void)blk;
	if (!block) {
		fsck_touch(f, ref->owner);
		return 0;
	}
	check_ea_shape(f, ref, block);
	if (ref->kind == GFS_REF_LEAF || ref->kind == GFS_REF_CHAIN)
		take_leaf(f, w, ref, block);
	else if (ref->kind == REF_QUOTA_CHANGE || check_type(f, ref, block))
		take_block(f, w, ref, block);
	else
		drop_block(f, ref);
	return 0;
}

/* Levels until there is none. Claims make sure that it ends. */
static int walk_levels(struct fsck *f, struct walk *w)
{
	uint64_t *blks = NULL;
	size_t room = 0;
	int rc = 0;

	settle_suspects(f, w);
	while (!rc && w->next.n) {
		struct fsck_refs t = w->now;

		w->now = w->next;
		w->next = t;
		w->next.n = 0;
		w->pos = 0;
		refs_sort(&w->now);
		if (room < w->now.n) {
			room = w->now.n;
			blks = cli_realloc(blks, room * sizeof(*blks));
		}
		for (size_t i = 0; i < w->now.n; i++)
			blks[i] = w->now.v[i].blk;
		rc = fsck_scan(f, blks, w->now.n, take_level_block, w);
		settle_suspects(f, w);
	}
	free(blks);
	return rc;
}

/* The leaves of all tables, now that neighbours are joined. */
static void take_runs(struct fsck *f, struct walk *w)
{
	struct fsck_ref ref;

	fsck_tables(f);
	for (size_t i = 0; i < f->runs.n; i++) {
		const struct fsck_leaf_run *run = &f->runs.v[i];

		if (!run->leaf)
			continue;
		memset(&ref, 0, sizeof(ref));
		ref.blk = run->leaf;
		ref.parent = run->blk;
		ref.off = run->off;
		ref.owner = run->dir;
		ref.base = (uint32_t)i;
		ref.kind = GFS_REF_LEAF;
		claim_or_suspect(f, w, &ref);
	}
}

static void reset_tables(struct fsck *f)
{
	f->inodes.n = 0;
	f->dirs.n = 0;
	f->dirents.n = 0;
	f->runs.n = 0;
	f->dups.n = 0;
	f->lost_found = 0;
	f->lost_dinodes = 0;
	blockmap_fini(&f->want);
	blockmap_init(&f->want, f->n_data);
	for (uint32_t i = 0; i < f->fs->rgrps.n; i++)
		f->rg[i].max_generation = 0;
}

static int walk_once(struct fsck *f)
{
	struct walk w;
	int rc;

	memset(&w, 0, sizeof(w));
	reset_tables(f);
	rc = walk_dinodes(f, &w);
	if (!rc)
		rc = walk_levels(f, &w);
	if (!rc) {
		take_runs(f, &w);
		rc = walk_levels(f, &w);
	}
	free(w.now.v);
	free(w.next.v);
	free(w.suspects.v);
	return rc;
}

/*
 * Is there a dinode at blk that an entry names by the right pair, although no
 * bitmap says so? It is taken for one from now on.
 */
static int resurrect(struct fsck *f, const struct fsck_dirent *de,
		     bool *found)
{
	const struct gfs2_dinode *di;
	struct gfs_buf *buf;
	uint64_t i;
	bool ok;
	int rc;

	if (!fsck_index(f, de->addr, &i) || blockmap_get(&f->want, i) ||
	    blockmap_get(&f->disk, i) >= GFS2_BLKST_UNLINKED)
		return 0;
	rc = gfs_buf_get(f->fs->cache, de->addr, &buf);
	if (rc)
		return rc == -ENOMEM ? fsck_report(f, rc) : 0;
	di = buf->data;
	ok = gfs_block_is(di, GFS2_METATYPE_DI) &&
	     be64_to_cpu(di->di_num.no_addr) == de->addr &&
	     be64_to_cpu(di->di_num.no_formal_ino) == de->formal &&
	     (be32_to_cpu(di->di_mode) & S_IFMT) >> 12 == de->type;
	gfs_buf_put(buf);
	if (!ok)
		return 0;
	if (problem(f, CK_DI_LOST_STATE, at_inode(de->addr, de->addr), "%s",
		    gfs_blkst_name(blockmap_get(&f->disk, i))))
		fsck_set_state(f, i, GFS2_BLKST_DINODE);
	else
		blockmap_set(&f->disk, i, GFS2_BLKST_DINODE);
	*found = true;
	return 0;
}

static int find_lost(struct fsck *f, bool *found)
{
	int rc = 0;
	uint32_t n = 0;

	*found = false;
	dirents_sort(&f->dirents);
	for (size_t k = 0; !rc && k < f->dirents.n; k++) {
		const struct fsck_dirent *de = &f->dirents.v[k];

		while (n < f->inodes.n && f->inodes.v[n].addr < de->addr)
			n++;
		if (n < f->inodes.n && f->inodes.v[n].addr == de->addr)
			continue;
		rc = resurrect(f, de, found);
	}
	return rc;
}

int fsck_trees(struct fsck *f)
{
	bool again = true;
	int rc = 0;

	for (unsigned int i = 0; !rc && again && i < MAX_WALKS; i++) {
		rc = walk_once(f);
		if (!rc)
			rc = find_lost(f, &again);
	}
	if (rc || !again)
		return rc;
	fsck_say(f, 0, "More lost directories below each other than can be "
		 "followed: nothing is repaired.\n");
	f->view_only = true;
	return 0;
}
