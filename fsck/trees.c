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

#include "../libgfs/format/blocktype.h"
#include "fsck.h"
#include "trees.h"

/* Levels of directories that no bitmap knows, one below the other. */
#define MAX_WALKS 500U
/* No counter gets there: a generation beyond is damage, not evidence. */
#define GENERATION_MAX (UINT64_C(1) << 62)
#define STATES_OF_DINODES (1U << GFS2_BLKST_UNLINKED | 1U << GFS2_BLKST_DINODE)

/* A block with pointers. */
struct source {
	const void *block;
	uint64_t blk;
	uint32_t owner; /* inode index */
	uint32_t base;  /* directories: logical number of the block */
	struct gfs_ref_parent parent;
};

struct walk {
	struct fsck_refs now;    /* the level being scanned, sorted */
	struct fsck_refs next;   /* the level below */
	struct fsck_refs suspects; /* pointers to blocks marked as dinodes */
	size_t pos;              /* in now */
};

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
static void take_refs(struct fsck *f, struct walk *w, const struct source *s)
{
	const struct gfs_ref_parent *parent = &s->parent;
	uint32_t inptrs = f->fs->geom.inptrs;
	struct gfs_ref_iter it;
	struct gfs_ref r;
	struct fsck_ref ref;
	uint32_t head = parent->is_dinode ? sizeof(struct gfs2_dinode) :
					    sizeof(struct gfs2_meta_header);

	gfs_ref_first(&it, &f->fs->geom, s->block, parent);
	while (gfs_ref_next(&it, &r)) {
		if (r.kind == GFS_REF_LEAF)
			continue;
		memset(&ref, 0, sizeof(ref));
		ref.blk = r.blk;
		ref.parent = s->blk;
		ref.owner = s->owner;
		ref.off = (uint16_t)r.offset;
		ref.kind = (uint8_t)r.kind;
		ref.level = r.level;
		if (parent->is_dir && r.offset >= head)
			ref.base = s->base * inptrs + (r.offset - head) / 8;
		if (r.kind == GFS_REF_DATA &&
		    f->inodes.v[s->owner].flags & INODE_QUOTA_CHANGE)
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
	uint32_t inode = f->inodes.n - 1;
	struct fsck_dir *dir = dirs_add(&f->dirs);
	struct fsck_table_part part = {
		.blk = blk,
		.block = block,
		.off = sizeof(struct gfs2_dinode),
		.n = f->fs->geom.diptrs,
		.dir = inode,
	};

	dir->inode = inode;
	dir->parent = NO_INDEX;
	if (f->inodes.v[inode].flags & INODE_UNLINKED)
		dir->flags = DIR_LEAVING;
	dir->entries = be32_to_cpu(di->di_entries);
	dir->depth = (uint8_t)be16_to_cpu(di->di_depth);
	if (!(be32_to_cpu(di->di_flags) & GFS2_DIF_EXHASH))
		fsck_dirents(f, blk, block, inode, NO_INDEX);
	else if (!be16_to_cpu(di->di_height))
		fsck_take_table(f, &part);
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
	struct source s = { .block = block, .blk = blk };
	struct gfs2_dinode di;
	struct fsck_inode *ip;
	unsigned int state;
	uint64_t i, gen;

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
	if (gen > f->rg[f->last_rg].max_generation && gen < GENERATION_MAX)
		f->rg[f->last_rg].max_generation = gen;
	ip = add_inode(f, blk, &di, state);
	s.owner = f->inodes.n - 1;
	s.parent.is_dinode = true;
	s.parent.is_dir = ip->flags & INODE_DIR;
	s.parent.height = ip->height;
	s.parent.flags = be32_to_cpu(di.di_flags);
	if (ip->flags & INODE_DIR)
		add_dir(f, blk, block, &di);
	take_refs(f, ctx, &s);
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
		if (!fsck_ref_can_clear(ref)) {
			f->blind = true;
			problem_note(f, CK_PTR_DINODE, fsck_ref_at(f, ref),
				     "offset %u: %s %" PRIu64, ref->off,
				     fsck_ref_name(ref), ref->blk);
			continue;
		}
		if (problem(f, CK_PTR_DINODE, fsck_ref_at(f, ref),
			    "offset %u: %s %" PRIu64, ref->off,
			    fsck_ref_name(ref), ref->blk))
			fsck_ref_clear(f, ref);
	}
	w->suspects.n = 0;
}

static void take_table(struct fsck *f, const struct fsck_ref *ref,
		       const void *block)
{
	const struct fsck_dir *dir = dirs_find(&f->dirs, ref->owner);
	uint32_t per = f->fs->geom.inptrs;
	struct fsck_table_part part = {
		.blk = ref->blk,
		.block = block,
		.off = sizeof(struct gfs2_meta_header),
		.n = per,
		.dir = ref->owner,
	};

	if (!dir || ref->base >= (1U << dir->depth) / per + 1)
		return;
	part.start = ref->base * per;
	fsck_take_table(f, &part);
}

static void take_block(struct fsck *f, struct walk *w,
		       const struct fsck_ref *ref, const void *block)
{
	const struct fsck_inode *owner = fsck_ref_owner(f, ref);
	struct source s = {
		.block = block,
		.blk = ref->blk,
		.owner = ref->owner,
		.base = ref->base,
		.parent = {
			.kind = (enum gfs_ref_kind)ref->kind,
			.is_dir = owner->flags & INODE_DIR,
			.height = owner->height,
			.level = ref->level,
		},
	};

	switch (ref->kind) {
	case GFS_REF_EA_INDIRECT:
		s.parent.is_dir = false;
		take_refs(f, w, &s);
		break;
	case GFS_REF_INDIRECT:
		take_refs(f, w, &s);
		break;
	case GFS_REF_TABLE:
		take_table(f, ref, block);
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
	fsck_ref_check_ea_shape(f, ref, block);
	if (ref->kind == GFS_REF_LEAF || ref->kind == GFS_REF_CHAIN)
		take_leaf(f, w, ref, block);
	else if (ref->kind == REF_QUOTA_CHANGE ||
		 fsck_ref_check_type(f, ref, block))
		take_block(f, w, ref, block);
	else
		fsck_ref_drop_block(f, ref);
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

int fsck_trees(struct fsck *f)
{
	bool again = true;
	int rc = 0;

	for (unsigned int i = 0; !rc && again && i < MAX_WALKS; i++) {
		rc = walk_once(f);
		if (!rc)
			rc = fsck_find_lost(f, &again);
	}
	if (rc || !again)
		return rc;
	fsck_say(f, 0, "More lost directories below each other than can be "
		 "followed: nothing is repaired.\n");
	f->view_only = true;
	return 0;
}
