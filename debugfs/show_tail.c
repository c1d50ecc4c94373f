// SPDX-License-Identifier: GPL-2.0-or-later
/* What stands behind the header struct of a block, by its type. */
#include "field.h"
#include "show.h"

#include "../libgfs/format/bitmap.h"
#include "../libgfs/format/blocktype.h"
#include "../libgfs/format/dirent.h"

#include <string.h>
#include <sys/stat.h>

static int show_dirents(struct dbg *d, uint64_t blk, const void *block)
{
	static const struct emit_column columns[] = {
		{ "n", true },     { "offset", true },  { "formal", true },
		{ "block", true }, { "type", false },   { "hash", true },
		{ "rec_len", true }, { "name", false }
	};
	struct gfs_dirent_iter it;
	struct gfs_dirent_view v;
	const char *why;
	uint64_t n = 0;
	int rc;

	gfs_dirent_first(&it, block, d->fs->geom.bsize,
			 dbg_dirents_start(block));
	emit_table_begin(d->out, "entries", columns, GFS_ARRAY_SIZE(columns),
			 false);
	while ((rc = gfs_dirent_next(&it, &v, &why)) > 0) {
		emit_row_begin(d->out);
		emit_u64(d->out, NULL, n++);
		emit_u64(d->out, NULL, v.offset);
		emit_u64(d->out, NULL,
			 be64_to_cpu(v.de->de_inum.no_formal_ino));
		emit_u64(d->out, NULL, be64_to_cpu(v.de->de_inum.no_addr));
		emit_str(d->out, NULL,
			 v.sentinel ? "empty" : dbg_dirent_type_name(
				 be16_to_cpu(v.de->de_type)));
		emit_hex(d->out, NULL, be32_to_cpu(v.de->de_hash));
		emit_u64(d->out, NULL, v.rec_len);
		if (v.sentinel)
			emit_str(d->out, NULL, NULL);
		else
			emit_bytes(d->out, NULL, v.name, v.name_len);
		emit_row_end(d->out);
	}
	emit_table_end(d->out);
	if (rc < 0)
		return gfs_fail(&d->err, rc, blk, "entry at byte %u: %s",
				it.offset, why);
	return 0;
}

static void ea_row(struct emit *e, const struct gfs_ea_view *v, uint64_t n)
{
	const char *prefix = gfs_ea_prefix(v->ea->ea_type);

	emit_row_begin(e);
	emit_u64(e, NULL, n);
	emit_u64(e, NULL, v->offset);
	emit_u64(e, NULL, v->rec_len);
	if (v->unused) {
		for (int i = 0; i < 4; i++)
			emit_str(e, NULL, NULL);
	} else {
		emit_str(e, NULL, prefix ? prefix : "unknown");
		emit_bytes(e, NULL, v->name, v->name_len);
		emit_u64(e, NULL, v->data_len);
		emit_u64(e, NULL, v->num_ptrs);
	}
	emit_row_end(e);
}

static int show_eas(struct dbg *d, uint64_t blk, const void *block)
{
	static const struct emit_column columns[] = {
		{ "n", true },       { "offset", true }, { "rec_len", true },
		{ "space", false },  { "name", false },  { "size", true },
		{ "blocks", true }
	};
	struct gfs_ea_iter it;
	struct gfs_ea_view v;
	const char *why;
	uint64_t n = 0;
	int rc;

	gfs_ea_first(&it, block, d->fs->geom.bsize);
	emit_table_begin(d->out, "attributes", columns,
			 GFS_ARRAY_SIZE(columns), false);
	while ((rc = gfs_ea_next(&it, &v, &why)) > 0)
		ea_row(d->out, &v, n++);
	emit_table_end(d->out);
	if (rc < 0)
		return gfs_fail(&d->err, rc, blk, "record at byte %u: %s",
				it.offset, why);
	return 0;
}

static uint64_t pointer(const void *block, const struct dbg_pointers *p,
			uint32_t i)
{
	be64 v;

	memcpy(&v, (const char *)block + p->offset + (size_t)i * p->step,
	       sizeof(v));
	return be64_to_cpu(v);
}

/* Slots from i on that name the same block, or blocks in ascending order. */
static uint32_t run_length(const void *block, const struct dbg_pointers *p,
			   uint32_t i, bool *same)
{
	uint64_t first = pointer(block, p, i);
	uint32_t n = 1;

	*same = i + 1 < p->count && pointer(block, p, i + 1) == first;
	while (i + n < p->count &&
	       pointer(block, p, i + n) == first + (*same ? 0 : n))
		n++;
	return n;
}

/* Non-zero pointers; a row is a run of neighbours or of equal ones. */
static void show_pointers(struct emit *e, const void *block,
			  const struct dbg_pointers *p)
{
	static const struct emit_column columns[] = {
		{ "slot", true }, { "count", true }, { "first", true },
		{ "last", true }
	};
	bool same;

	emit_table_begin(e, "pointers", columns, GFS_ARRAY_SIZE(columns),
			 false);
	for (uint32_t i = 0, n; i < p->count; i += n) {
		uint64_t first = pointer(block, p, i);

		n = 1;
		if (!first)
			continue;
		n = run_length(block, p, i, &same);
		emit_row_begin(e);
		emit_u64(e, NULL, i);
		emit_u64(e, NULL, n);
		emit_u64(e, NULL, first);
		emit_u64(e, NULL, same ? first : first + n - 1);
		emit_row_end(e);
	}
	emit_table_end(e);
}

static int show_tags(struct dbg *d, uint64_t blk, const void *block,
		     struct dbg_pointers p)
{
	static const struct emit_column columns[] = {
		{ "n", true }, { "block", true }, { "escaped", false }
	};
	const struct gfs2_log_descriptor *ld = block;
	uint32_t n = be32_to_cpu(ld->ld_data1);
	struct dbg_pointers flag = p;

	flag.offset += 8;
	emit_table_begin(d->out, "tags", columns,
			 p.step == 16 ? 3 : 2, false);
	for (uint32_t i = 0; i < n && i < p.count; i++) {
		emit_row_begin(d->out);
		emit_u64(d->out, NULL, i);
		emit_u64(d->out, NULL, pointer(block, &p, i));
		if (p.step == 16)
			emit_bool(d->out, NULL, pointer(block, &flag, i));
		emit_row_end(d->out);
	}
	emit_table_end(d->out);
	/* The further numbers of a revoke chunk are in continuation blocks. */
	if (n > p.count && be32_to_cpu(ld->ld_type) != GFS2_LOG_DESC_REVOKE)
		return gfs_fail(&d->err, GFS_ECORRUPT, blk,
				"ld_data1 %u exceeds the %u tags of a block", n,
				p.count);
	return 0;
}

static void show_quota_changes(struct dbg *d, const void *block)
{
	static const struct emit_column columns[] = {
		{ "n", true }, { "change", true }, { "kind", false },
		{ "id", true }
	};
	const struct gfs2_quota_change *qc = (const void *)
		((const char *)block + sizeof(struct gfs2_meta_header));

	emit_table_begin(d->out, "changes", columns, GFS_ARRAY_SIZE(columns),
			 false);
	for (uint32_t i = 0; i < d->fs->geom.qc_per_block; i++, qc++) {
		int64_t change = (int64_t)be64_to_cpu(qc->qc_change);
		bool user = be32_to_cpu(qc->qc_flags) & GFS2_QCF_USER;

		if (!change)
			continue;
		emit_row_begin(d->out);
		emit_u64(d->out, NULL, i);
		emit_s64(d->out, NULL, change);
		emit_str(d->out, NULL, user ? "user" : "group");
		emit_u64(d->out, NULL, be32_to_cpu(qc->qc_id));
		emit_row_end(d->out);
	}
	emit_table_end(d->out);
}

static int show_bitmap(struct dbg *d, uint64_t blk, const void *block)
{
	const struct gfs_rgrp *rg = gfs_rgrp_covering(&d->fs->rgrps, blk);
	uint64_t count[4] = { 0 };
	struct gfs_bitmap_part part;

	if (!rg) {
		emit_note(d->out,
			  "(no known resource group has this block: which part "
			  "of it is bitmap is not known)");
		return 0;
	}
	part = gfs_rgrp_bitmap_part(&d->fs->geom, rg,
				    (uint32_t)(blk - rg->addr));
	gfs_bitmap_count((const char *)block + part.offset,
			 (uint64_t)part.bytes * GFS2_NBBY, count);
	emit_object_begin(d->out, "bitmap");
	emit_u64(d->out, "resource_group", rg->addr);
	emit_u64(d->out, "first_block",
		 rg->data0 + (uint64_t)part.start * GFS2_NBBY);
	for (unsigned int s = 0; s < 4; s++)
		emit_u64(d->out, gfs_blkst_name(s), count[s]);
	emit_object_end(d->out);
	return 0;
}

/* Content of a dinode's tail that is neither entries nor pointers. */
static void show_stuffed(struct dbg *d, uint64_t blk,
			 const struct gfs2_dinode *di)
{
	const char *tail = (const char *)(di + 1);
	uint64_t size = be64_to_cpu(di->di_size);
	const char *name = NULL;
	const struct gfs_layout *layout;

	size = gfs_min(size, d->fs->geom.stuffed_max);
	if (d->have & DBG_SYSTEM && blk == d->fs->sys.rindex.addr)
		name = "rindex";
	else if (d->have & DBG_SYSTEM && blk == d->fs->sys.quota.addr)
		name = "quota";
	if (name) {
		layout = gfs_layout_find(name);
		dbg_show_records(d->out, layout, tail, size / layout->size);
		return;
	}
	if (S_ISLNK(be32_to_cpu(di->di_mode))) {
		emit_bytes(d->out, "target", tail, size);
		return;
	}
	if (be32_to_cpu(di->di_flags) & GFS2_DIF_SYSTEM)
		name = size == sizeof(struct gfs2_statfs_change) ?
			       "statfs_change" :
		       size == sizeof(struct gfs2_inum_range) ? "inum_range" :
								NULL;
	layout = name ? gfs_layout_find(name) : NULL;
	if (layout) {
		emit_object_begin(d->out, "content");
		dbg_show_struct(d->out, layout, tail);
		emit_object_end(d->out);
	} else if (size) {
		emit_object_begin(d->out, "content");
		dbg_show_hex(d->out, tail, size);
		emit_object_end(d->out);
	}
}

static int show_dinode_tail(struct dbg *d, uint64_t blk, const void *block,
			    struct dbg_pointers p)
{
	const struct gfs2_dinode *di = block;
	uint32_t depth = be16_to_cpu(di->di_depth);

	if (be16_to_cpu(di->di_height)) {
		show_pointers(d->out, block, &p);
		return 0;
	}
	if (dbg_dirents_start(block))
		return show_dirents(d, blk, block);
	if (!S_ISDIR(be32_to_cpu(di->di_mode))) {
		show_stuffed(d, blk, di);
		return 0;
	}
	if (depth < 32)
		p.count = (uint32_t)gfs_min(p.count, UINT64_C(1) << depth);
	show_pointers(d->out, block, &p);
	return 0;
}

int dbg_show_tail(struct dbg *d, uint64_t blk, const void *block)
{
	const struct gfs_blocktype *t = gfs_blocktype_of(block);
	struct dbg_pointers p;

	if (!t) {
		dbg_show_hex(d->out, block, d->fs->geom.bsize);
		return 0;
	}
	dbg_block_pointers(&d->fs->geom, block, &p);
	switch (t->type) {
	case GFS2_METATYPE_DI: return show_dinode_tail(d, blk, block, p);
	case GFS2_METATYPE_LF: return show_dirents(d, blk, block);
	case GFS2_METATYPE_EA: return show_eas(d, blk, block);
	case GFS2_METATYPE_LD: return show_tags(d, blk, block, p);
	case GFS2_METATYPE_RG:
	case GFS2_METATYPE_RB: return show_bitmap(d, blk, block);
	case GFS2_METATYPE_QC: show_quota_changes(d, block); return 0;
	case GFS2_METATYPE_IN:
	case GFS2_METATYPE_JD:
	case GFS2_METATYPE_LB: show_pointers(d->out, block, &p); return 0;
	default: return 0;
	}
}
