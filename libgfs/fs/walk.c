// SPDX-License-Identifier: GPL-2.0-or-later
/* References of one metadata block, decided from its bytes alone. */
#include "walk.h"

#include "../format/dirent.h"

enum stage {
	STAGE_EATTR,   /* a dinode's di_eattr, then its tail */
	STAGE_POINTERS,
	STAGE_TABLE,   /* leaves, each run of equal entries once */
	STAGE_CHAIN,   /* lf_next */
	STAGE_XATTRS,  /* slot is of the record at `last` */
	STAGE_END,
};

static uint64_t be64_at(const void *block, size_t offset)
{
	be64 v;

	memcpy(&v, (const char *)block + offset, sizeof(v));
	return be64_to_cpu(v);
}

static size_t tail_of(const struct gfs_ref_iter *it)
{
	return it->parent.is_dinode ? sizeof(struct gfs2_dinode) :
				      sizeof(struct gfs2_meta_header);
}

/* Pointers in the tail: at most so many slots are looked at. */
static uint32_t slots_of(const struct gfs_ref_iter *it)
{
	return it->parent.is_dinode ? it->g->diptrs : it->g->inptrs;
}

/*
 * Entries of a table in a dinode. What a wrong depth would hide may still be
 * pointers, so then the whole tail counts.
 */
static uint32_t stuffed_entries(const struct gfs_ref_iter *it)
{
	const struct gfs2_dinode *di = it->block;
	unsigned int depth = be16_to_cpu(di->di_depth);

	if (depth < it->g->min_depth || depth > GFS2_DIR_MAX_DEPTH)
		return it->g->diptrs;
	return (uint32_t)gfs_min(UINT64_C(1) << depth, it->g->diptrs);
}

static enum stage tail_stage(const struct gfs_ref_iter *it)
{
	const struct gfs_ref_parent *p = &it->parent;

	if (p->height)
		return STAGE_POINTERS;
	if (p->is_dir && (p->flags & GFS2_DIF_EXHASH))
		return STAGE_TABLE;
	return STAGE_END;
}

static enum stage stage_of_kind(enum gfs_ref_kind kind)
{
	switch (kind) {
	case GFS_REF_INDIRECT:
	case GFS_REF_EA_INDIRECT: return STAGE_POINTERS;
	case GFS_REF_TABLE: return STAGE_TABLE;
	case GFS_REF_LEAF:
	case GFS_REF_CHAIN: return STAGE_CHAIN;
	case GFS_REF_EA: return STAGE_XATTRS;
	case GFS_REF_DATA:
	case GFS_REF_EA_DATA: return STAGE_END;
	}
	return STAGE_END;
}

void gfs_ref_first(struct gfs_ref_iter *it, const struct gfs_geom *g,
		   const void *block, const struct gfs_ref_parent *parent)
{
	*it = (struct gfs_ref_iter){
		.g = g,
		.block = block,
		.parent = *parent,
	};
	it->stage = parent->is_dinode ? STAGE_EATTR :
					stage_of_kind(parent->kind);
	if (it->stage == STAGE_XATTRS)
		it->last = sizeof(struct gfs2_meta_header);
}

/* What the pointers of this dinode or indirect block lead to. */
static enum gfs_ref_kind kind_below(const struct gfs_ref_parent *p)
{
	if (!p->is_dinode && p->kind == GFS_REF_EA_INDIRECT)
		return GFS_REF_EA;
	if (p->level + 1U < p->height)
		return GFS_REF_INDIRECT;
	return p->is_dir ? GFS_REF_TABLE : GFS_REF_DATA;
}

static bool next_eattr(struct gfs_ref_iter *it, struct gfs_ref *ref)
{
	const size_t offset = offsetof(struct gfs2_dinode, di_eattr);
	uint64_t blk = be64_at(it->block, offset);

	it->stage = tail_stage(it);
	if (!blk)
		return false;
	ref->blk = blk;
	ref->kind = it->parent.flags & GFS2_DIF_EA_INDIRECT ?
			    GFS_REF_EA_INDIRECT :
			    GFS_REF_EA;
	ref->offset = (uint32_t)offset;
	ref->level = 1;
	return true;
}

static bool next_pointer(struct gfs_ref_iter *it, struct gfs_ref *ref)
{
	const enum gfs_ref_kind kind = kind_below(&it->parent);
	const uint32_t n = slots_of(it);
	const char *slots = (const char *)it->block + tail_of(it);
	uint32_t i = it->slot;
	be64 v = { { 0 } };
	static const be64 none;

	for (; i < n; i++) {
		memcpy(&v, slots + i * sizeof(v), sizeof(v));
		if (memcmp(&v, &none, sizeof(v)))
			break;
		/* A list of EA blocks ends at its first zero. */
		if (kind == GFS_REF_EA)
			i = n - 1;
	}
	it->slot = i + 1;
	if (i >= n) {
		it->stage = STAGE_END;
		return false;
	}
	ref->blk = be64_to_cpu(v);
	ref->kind = kind;
	ref->offset = (uint32_t)(tail_of(it) + i * sizeof(v));
	ref->level = (uint8_t)(it->parent.level + 1);
	return true;
}

static bool next_leaf(struct gfs_ref_iter *it, struct gfs_ref *ref)
{
	const uint32_t n = it->parent.is_dinode ? stuffed_entries(it) :
						  it->g->inptrs;
	const size_t tail = tail_of(it);

	while (it->slot < n) {
		size_t offset = tail + it->slot++ * sizeof(be64);
		uint64_t blk = be64_at(it->block, offset);

		if (blk == it->last)
			continue;
		it->last = blk;
		if (!blk)
			continue;
		ref->blk = blk;
		ref->kind = GFS_REF_LEAF;
		ref->offset = (uint32_t)offset;
		ref->level = (uint8_t)(it->parent.level + 1);
		return true;
	}
	it->stage = STAGE_END;
	return false;
}

static bool next_chain(struct gfs_ref_iter *it, struct gfs_ref *ref)
{
	const size_t offset = offsetof(struct gfs2_leaf, lf_next);

	it->stage = STAGE_END;
	ref->blk = be64_at(it->block, offset);
	ref->kind = GFS_REF_CHAIN;
	ref->offset = (uint32_t)offset;
	ref->level = it->parent.level;
	return ref->blk != 0;
}

/* The next pointer that is not 0 of one record. */
static bool next_of_record(struct gfs_ref_iter *it,
			   const struct gfs_ea_view *view, struct gfs_ref *ref)
{
	uint32_t n = view->unused || !view->ptrs ? 0 : view->num_ptrs;

	while (it->slot < n) {
		size_t offset = (size_t)(view->ptrs - (const char *)it->block) +
				it->slot++ * sizeof(be64);

		ref->blk = be64_at(it->block, offset);
		if (!ref->blk)
			continue;
		ref->kind = GFS_REF_EA_DATA;
		ref->offset = (uint32_t)offset;
		ref->level = (uint8_t)(it->parent.level + 1);
		return true;
	}
	return false;
}

static bool next_xattr(struct gfs_ref_iter *it, struct gfs_ref *ref)
{
	struct gfs_ea_iter records;
	struct gfs_ea_view view;

	/* The record that was left in the middle is looked at again. */
	gfs_ea_first(&records, it->block, it->g->bsize);
	records.offset = (uint32_t)it->last;
	while (gfs_ea_next(&records, &view, &it->why) == 1) {
		it->last = view.offset;
		if (next_of_record(it, &view, ref))
			return true;
		it->slot = 0;
	}
	it->stage = STAGE_END;
	return false;
}

bool gfs_ref_next(struct gfs_ref_iter *it, struct gfs_ref *ref)
{
	bool found = false;

	while (!found && it->stage != STAGE_END) {
		switch ((enum stage)it->stage) {
		case STAGE_EATTR: found = next_eattr(it, ref); break;
		case STAGE_POINTERS: found = next_pointer(it, ref); break;
		case STAGE_TABLE: found = next_leaf(it, ref); break;
		case STAGE_CHAIN: found = next_chain(it, ref); break;
		case STAGE_XATTRS: found = next_xattr(it, ref); break;
		case STAGE_END: break;
		}
	}
	return found;
}

const char *gfs_ref_name(enum gfs_ref_kind kind)
{
	switch (kind) {
	case GFS_REF_INDIRECT: return "indirect";
	case GFS_REF_TABLE: return "hash table";
	case GFS_REF_DATA: return "data";
	case GFS_REF_LEAF: return "leaf";
	case GFS_REF_CHAIN: return "chained leaf";
	case GFS_REF_EA: return "xattr";
	case GFS_REF_EA_INDIRECT: return "xattr indirect";
	case GFS_REF_EA_DATA: return "xattr data";
	}
	return "unknown";
}
