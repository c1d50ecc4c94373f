// SPDX-License-Identifier: GPL-2.0-or-later
/* Pointers of trees: claims of blocks, and what the blocks really are. */
#include <inttypes.h>
#include <string.h>

#include "../libgfs/format/blocktype.h"
#include "fsck.h"
#include "trees.h"

struct fsck_inode *fsck_ref_owner(struct fsck *f, const struct fsck_ref *ref)
{
	return &f->inodes.v[ref->owner];
}

struct fsck_at fsck_ref_at(struct fsck *f, const struct fsck_ref *ref)
{
	return at_inode(fsck_ref_owner(f, ref)->addr, ref->parent);
}

const char *fsck_ref_name(const struct fsck_ref *ref)
{
	return ref->kind == REF_QUOTA_CHANGE ?
		       "quota change" :
		       gfs_ref_name((enum gfs_ref_kind)ref->kind);
}

/* Entries of hash tables and xattr lists cannot be cleared one by one. */
bool fsck_ref_can_clear(const struct fsck_ref *ref)
{
	switch (ref->kind) {
	case GFS_REF_LEAF: return false;
	case GFS_REF_TABLE: return false;
	case GFS_REF_EA: return ref->level < 2;
	default: return true;
	}
}

void fsck_ref_clear(struct fsck *f, const struct fsck_ref *ref)
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
		problem_note(f, CK_TABLE_LOST, fsck_ref_at(f, ref),
			     "offset %u: %" PRIu64, ref->off, ref->blk);
		return;
	}
	if (ref->kind == GFS_REF_TABLE) {
		f->blind = true;
		problem_note(f, CK_TABLE_SIZE, fsck_ref_at(f, ref),
			     "offset %u: %" PRIu64, ref->off, ref->blk);
		return;
	}
	if (ref->kind == GFS_REF_EA && ref->level > 1) {
		f->blind = true;
		problem_note(f, CK_EA_LIST, fsck_ref_at(f, ref), "offset %u: %"
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
	if (problem(f, check, fsck_ref_at(f, ref), "offset %u: %s %" PRIu64,
		    ref->off, fsck_ref_name(ref), ref->blk))
		fsck_ref_clear(f, ref);
	else
		left_pointer(f, ref);
}

bool fsck_claim(struct fsck *f, const struct fsck_ref *ref)
{
	struct fsck_inode *owner = fsck_ref_owner(f, ref);
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

/* The flag says a list of xattr blocks, the block is one itself; or reverse. */
void fsck_ref_check_ea_shape(struct fsck *f, struct fsck_ref *ref,
			   const void *block)
{
	struct fsck_inode *owner = fsck_ref_owner(f, ref);
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
bool fsck_ref_check_type(struct fsck *f, const struct fsck_ref *ref,
		       const void *block)
{
	uint32_t type = type_of_kind(ref->kind);
	const struct gfs_blocktype *bt = gfs_blocktype_find(type);
	uint32_t fmt = be32_to_cpu(
		((const struct gfs2_meta_header *)block)->mh_format);
	struct fsck_at at = at_inode(fsck_ref_owner(f, ref)->addr, ref->blk);

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

void fsck_ref_drop_block(struct fsck *f, const struct fsck_ref *ref)
{
	enum fsck_check check = CK_IN_TYPE;

	fsck_touch(f, ref->owner);
	switch (ref->kind) {
	case GFS_REF_TABLE:
		f->blind = true;
		problem_note(f, CK_TABLE_SIZE, fsck_ref_at(f, ref),
			     "block %" PRIu64 " is no part of a hash table",
			     ref->blk);
		return;
	case GFS_REF_EA:
	case GFS_REF_EA_INDIRECT:
		check = CK_EA_TYPE;
		if (fsck_ref_can_clear(ref))
			break;
		f->blind = true;
		problem_note(f, CK_EA_LIST, fsck_ref_at(f, ref),
			     "block %" PRIu64 " has no xattrs", ref->blk);
		return;
	case GFS_REF_EA_DATA:
		check = CK_EA_VALUE;
		break;
	default:
		break;
	}
	if (problem(f, check, fsck_ref_at(f, ref), "offset %u: %s %" PRIu64,
		    ref->off, fsck_ref_name(ref), ref->blk))
		fsck_ref_clear(f, ref);
	else
		left_pointer(f, ref);
}

