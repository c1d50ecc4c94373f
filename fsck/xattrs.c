// SPDX-License-Identifier: GPL-2.0-or-later
/* Blocks of extended attributes, and of quota changes. */
#include <inttypes.h>
#include <string.h>

#include "../libgfs/format/blocktype.h"
#include "fsck.h"

#define EA_SIZE ((uint32_t)sizeof(struct gfs2_ea_header))
#define EA_START ((uint32_t)sizeof(struct gfs2_meta_header))
#define EA(member) ((uint32_t)offsetof(struct gfs2_ea_header, member))

/* The EA block being read. */
struct block {
	struct fsck *f;
	const struct fsck_ref *ref;
	const char *data;
	uint32_t bsize;
	struct fsck_refs *refs;
};

/* One record in host order. */
struct record {
	uint32_t off, rec_len, data_len, name_len, type, flags, num_ptrs;
};

static struct record read_record(const struct block *b, uint32_t off)
{
	struct gfs2_ea_header ea;

	memcpy(&ea, b->data + off, sizeof(ea));
	return (struct record){
		.off = off,
		.rec_len = be32_to_cpu(ea.ea_rec_len),
		.data_len = be32_to_cpu(ea.ea_data_len),
		.name_len = ea.ea_name_len,
		.type = ea.ea_type,
		.flags = ea.ea_flags,
		.num_ptrs = ea.ea_num_ptrs,
	};
}

static struct fsck_at at_record(const struct block *b)
{
	return at_inode(b->f->inodes.v[b->ref->owner].addr, b->ref->blk);
}

static bool length_valid(const struct block *b, const struct record *r)
{
	return r->rec_len >= EA_SIZE && !(r->rec_len % 8) &&
	       r->rec_len <= b->bsize - r->off;
}

/* Do records join up from off to the block's end? */
static bool chain_valid(const struct block *b, uint32_t off)
{
	while (off + EA_SIZE <= b->bsize) {
		struct record r = read_record(b, off);

		if (!length_valid(b, &r))
			return false;
		off += r.rec_len;
	}
	return off == b->bsize;
}

void fsck_xattr_remove(struct fsck *f, uint64_t blk, uint32_t off)
{
	edit_set(f, blk, off + EA(ea_type), 1, GFS2_EATYPE_UNUSED);
	edit_set(f, blk, off + EA(ea_num_ptrs), 1, 0);
}

/* The record at r->off cannot be: the one before becomes the last. */
static void cut_chain(struct block *b, const struct record *r, uint32_t prev)
{
	uint64_t blk = b->ref->blk;
	uint32_t last = prev ? prev : EA_START;

	if (!problem(b->f, CK_EA_CHAIN, at_record(b), "offset %u: record of %u "
		     "bytes", r->off, r->rec_len))
		return;
	if (!prev)
		fsck_xattr_remove(b->f, blk, EA_START);
	edit_set(b->f, blk, last + EA(ea_rec_len), 4, b->bsize - last);
	edit_set(b->f, blk, last + EA(ea_flags), 1, GFS2_EAFLAG_LAST);
}

/* Is the record marked as last when it is, and only then? */
static void check_last(struct block *b, struct record *r)
{
	bool last = r->flags & GFS2_EAFLAG_LAST;
	uint32_t end = r->off + r->rec_len;
	uint64_t blk = b->ref->blk;

	if (last == (end == b->bsize))
		return;
	if (!last) {
		if (problem(b->f, CK_EA_LAST, at_record(b), "offset %u",
			    r->off))
			edit_set(b->f, blk, r->off + EA(ea_flags), 1,
				 r->flags | GFS2_EAFLAG_LAST);
		return;
	}
	if (chain_valid(b, end)) {
		if (problem(b->f, CK_EA_EARLY, at_record(b), "offset %u",
			    r->off))
			edit_set(b->f, blk, r->off + EA(ea_flags), 1,
				 r->flags & ~(uint32_t)GFS2_EAFLAG_LAST);
		return;
	}
	if (problem(b->f, CK_EA_EARLY, at_record(b), "offset %u", r->off))
		edit_set(b->f, blk, r->off + EA(ea_rec_len), 4,
			 b->bsize - r->off);
	r->rec_len = b->bsize - r->off;
}

static uint32_t ptrs_off(const struct record *r)
{
	return r->off + EA_SIZE + (uint32_t)gfs_round_up(r->name_len, 8);
}

static bool sizes_valid(const struct block *b, const struct record *r)
{
	uint64_t used = EA_SIZE + r->name_len + (uint64_t)r->data_len;

	if (r->data_len > GFS2_EA_MAX_DATA_LEN)
		return false;
	if (!r->num_ptrs)
		return used <= r->rec_len;
	return ptrs_off(r) - r->off + 8 * r->num_ptrs <= r->rec_len &&
	       (uint64_t)r->num_ptrs * b->f->fs->geom.jbsize >= r->data_len;
}

static uint64_t value_ptr(const struct block *b, const struct record *r,
			  uint32_t i)
{
	be64 v;

	memcpy(&v, b->data + ptrs_off(r) + 8 * i, sizeof(v));
	return be64_to_cpu(v);
}

/* All value blocks of a record lead to data blocks that are no dinodes. */
static bool values_valid(const struct block *b, const struct record *r)
{
	uint32_t need = (uint32_t)gfs_div_up(r->data_len,
					     b->f->fs->geom.jbsize);
	uint64_t i;

	for (uint32_t k = 0; k < r->num_ptrs; k++) {
		uint64_t blk = value_ptr(b, r, k);

		if (!blk && k >= need)
			continue;
		if (!fsck_index(b->f, blk, &i) ||
		    inodes_find(&b->f->inodes, blk) != NO_INDEX)
			return false;
	}
	return true;
}

static void take_values(struct block *b, const struct record *r)
{
	struct fsck_ref ref = *b->ref;

	ref.parent = b->ref->blk;
	ref.kind = GFS_REF_EA_DATA;
	ref.base = r->off;
	for (uint32_t k = 0; k < r->num_ptrs; k++) {
		ref.blk = value_ptr(b, r, k);
		ref.off = (uint16_t)(ptrs_off(r) + 8 * k);
		if (ref.blk && fsck_claim(b->f, &ref))
			*refs_add(b->refs) = ref;
	}
}

static void check_record(struct block *b, const struct record *r)
{
	uint32_t top = b->f->fs->sb.fs_format < GFS2_FORMAT_FS_MAX ?
			       GFS2_EATYPE_SECURITY :
			       GFS2_EATYPE_TRUSTED;
	enum fsck_check check = CK_COUNT;

	if (r->type == GFS2_EATYPE_UNUSED)
		return;
	if (r->type > top)
		check = CK_EA_KIND;
	else if (!r->name_len)
		check = CK_EA_NAME;
	else if (!sizes_valid(b, r))
		check = CK_EA_LENGTH;
	else if (!values_valid(b, r))
		check = CK_EA_VALUE;
	if (check == CK_COUNT) {
		take_values(b, r);
		return;
	}
	if (check == CK_EA_VALUE)
		fsck_touch(b->f, b->ref->owner);
	if (problem(b->f, check, at_record(b),
		    "offset %u: type %u, name of %u, value of %u bytes in %u "
		    "blocks", r->off, r->type, r->name_len, r->data_len,
		    r->num_ptrs))
		fsck_xattr_remove(b->f, b->ref->blk, r->off);
}

void fsck_xattrs(struct fsck *f, const struct fsck_ref *ref, const void *block,
		 struct fsck_refs *refs)
{
	struct block b = {
		.f = f,
		.ref = ref,
		.data = block,
		.bsize = f->fs->geom.bsize,
		.refs = refs,
	};
	uint32_t off = EA_START, prev = 0;

	while (off + EA_SIZE <= b.bsize) {
		struct record r = read_record(&b, off);

		if (!length_valid(&b, &r) ||
		    (b.bsize - off - r.rec_len &&
		     b.bsize - off - r.rec_len < EA_SIZE)) {
			cut_chain(&b, &r, prev);
			return;
		}
		check_last(&b, &r);
		check_record(&b, &r);
		prev = off;
		off += r.rec_len;
	}
}

void fsck_quota_change(struct fsck *f, const struct fsck_ref *ref,
		       const void *block)
{
	struct fsck_at at = at_inode(f->inodes.v[ref->owner].addr, ref->blk);
	const uint32_t start = sizeof(struct gfs2_meta_header);
	struct gfs2_quota_change qc;

	if (!gfs_block_is(block, GFS2_METATYPE_QC)) {
		if (!problem(f, CK_QC_HEADER, at, "%s", ""))
			return;
		edit_zero(f, ref->blk, 0, f->fs->geom.bsize);
		edit_header(f, ref->blk, GFS2_METATYPE_QC);
		return;
	}
	for (uint32_t i = 0; i < f->fs->geom.qc_per_block; i++) {
		uint32_t off = start + i * (uint32_t)sizeof(qc), flags;

		memcpy(&qc, (const char *)block + off, sizeof(qc));
		flags = be32_to_cpu(qc.qc_flags);
		if (!be64_to_cpu(qc.qc_change) || !(flags & ~GFS2_QCF_USER))
			continue;
		if (problem(f, CK_QC_FLAGS, at, "offset %u: 0x%x", off, flags))
			edit_set(f, ref->blk,
				 off + (uint32_t)offsetof(
					       struct gfs2_quota_change,
					       qc_flags),
				 4, flags & GFS2_QCF_USER);
	}
}
