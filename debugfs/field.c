// SPDX-License-Identifier: GPL-2.0-or-later
/* Fields of a block by name, record and subscript. */
#include "field.h"
#include "words.h"

#include "../libgfs/format/blocktype.h"
#include "../libgfs/format/dirent.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

struct finder {
	const struct gfs_geom *g;
	const char *block;
	struct dbg_field *out;
	struct gfs_error *err;
};

static int not_found(const struct finder *x, const char *text)
{
	const struct gfs_blocktype *t = gfs_blocktype_of(x->block);

	return gfs_fail(x->err, ENOENT, GFS_NO_BLOCK,
			"no field \"%.80s\" in a block of type %s", text,
			t ? t->name : "unknown");
}

static int beyond(const struct finder *x, const char *text)
{
	return gfs_fail(x->err, ERANGE, GFS_NO_BLOCK,
			"\"%.80s\" is not in this block", text);
}

/* A field that no layout has, at byte `at`. */
static int found(const struct finder *x, const char *text, uint64_t at,
		 const struct gfs_field *f)
{
	if (at + f->size > x->g->bsize)
		return beyond(x, text);
	x->out->offset = (uint32_t)at;
	x->out->f = *f;
	x->out->is_bytes = false;
	return 0;
}

static int found_ptr(const struct finder *x, const char *text, uint64_t at)
{
	static const struct gfs_field ptr = {
		.name = "ptr", .size = 8, .repr = GFS_REPR_BE64,
		.sense = GFS_S_BLOCK, .help = "a block pointer"
	};

	return found(x, text, at, &ptr);
}

static int found_bytes(const struct finder *x, const char *text, uint64_t at,
		       uint32_t len)
{
	struct gfs_field f = {
		.name = "bytes", .size = (uint16_t)len, .repr = GFS_REPR_RAW,
		.sense = GFS_S_STRING, .help = "bytes"
	};
	int rc;

	if (!len)
		return gfs_fail(x->err, ENOENT, GFS_NO_BLOCK,
				"\"%.80s\" has no bytes", text);
	rc = found(x, text, at, &f);
	x->out->is_bytes = !rc;
	return rc;
}

int dbg_field_of(const struct dbg_struct *s, const char *text,
		 struct dbg_field *out, struct gfs_error *err)
{
	struct finder x = { s->g, NULL, out, err };
	const struct gfs_field *f;
	size_t offset;

	f = gfs_layout_field(s->layout, text, &offset);
	if (!f || f->repr == GFS_REPR_STRUCT)
		return gfs_fail(err, ENOENT, GFS_NO_BLOCK,
				"no field \"%.80s\" in struct %s", text,
				s->layout->name);
	return found(&x, text, (uint64_t)s->base + offset, f);
}

/* FIELD of a struct of the finder's block. */
static int find_in(const struct finder *x, const struct gfs_layout *layout,
		   uint32_t base, const char *text)
{
	struct dbg_struct s = { x->g, layout, base };

	return dbg_field_of(&s, text, x->out, x->err);
}

bool dbg_block_pointers(const struct gfs_geom *g, const void *block,
			struct dbg_pointers *p)
{
	const struct gfs_blocktype *t = gfs_blocktype_of(block);
	const struct gfs2_log_descriptor *ld = block;

	*p = (struct dbg_pointers){ sizeof(struct gfs2_meta_header),
				    g->inptrs, 8 };
	if (!t)
		return false;
	switch (t->type) {
	case GFS2_METATYPE_IN:
	case GFS2_METATYPE_JD:
	case GFS2_METATYPE_LB:
		return true;
	case GFS2_METATYPE_DI:
		p->offset = sizeof(struct gfs2_dinode);
		p->count = g->diptrs;
		return true;
	case GFS2_METATYPE_LD:
		p->offset = sizeof(struct gfs2_log_descriptor);
		p->count = g->ldptrs;
		if (be32_to_cpu(ld->ld_type) != GFS2_LOG_DESC_JDATA)
			return true;
		p->count = g->jdata_tags;
		p->step = 16;
		return true;
	default:
		return false;
	}
}

uint32_t dbg_dirents_start(const void *block)
{
	const struct gfs2_dinode *di = block;

	if (gfs_block_is(block, GFS2_METATYPE_LF))
		return sizeof(struct gfs2_leaf);
	if (!gfs_block_is(block, GFS2_METATYPE_DI) ||
	    !S_ISDIR(be32_to_cpu(di->di_mode)) ||
	    be32_to_cpu(di->di_flags) & GFS2_DIF_EXHASH)
		return 0;
	return sizeof(struct gfs2_dinode);
}

/* "byte[3]", "be64[40]": 1 if it is none of these. */
static int find_raw(const struct finder *x, const char *text)
{
	static const struct gfs_field fields[] = {
		{ .name = "byte", .size = 1, .repr = GFS_REPR_U8 },
		{ .name = "be16", .size = 2, .repr = GFS_REPR_BE16 },
		{ .name = "be32", .size = 4, .repr = GFS_REPR_BE32 },
		{ .name = "be64", .size = 8, .repr = GFS_REPR_BE64 },
	};
	uint64_t n;

	for (size_t i = 0; i < GFS_ARRAY_SIZE(fields); i++)
		if (dbg_subscript(text, fields[i].name, &n))
			return n < x->g->bsize ? found(x, text, n, &fields[i]) :
						 beyond(x, text);
	return 1;
}

/* "ptr[3]", "tag[3]", "escape[3]": 1 if it is none of these. */
static int find_pointer(const struct finder *x, const char *text)
{
	struct dbg_pointers p;
	uint64_t n, skip = 0;

	if (dbg_subscript(text, "escape", &n))
		skip = 8;
	else if (!dbg_subscript(text, "ptr", &n) &&
		 !dbg_subscript(text, "tag", &n))
		return 1;
	if (!dbg_block_pointers(x->g, x->block, &p) || (skip && p.step != 16))
		return not_found(x, text);
	if (n >= p.count)
		return beyond(x, text);
	return found_ptr(x, text, p.offset + n * p.step + skip);
}

static int no_record(const struct finder *x, uint64_t n, int rc,
		     const char *why)
{
	if (rc < 0)
		return gfs_fail(x->err, rc, GFS_NO_BLOCK,
				"records before %llu: %s",
				(unsigned long long)n, why);
	return gfs_fail(x->err, ENOENT, GFS_NO_BLOCK,
			"the block has no record %llu",
			(unsigned long long)n);
}

static int find_dirent(const struct finder *x, uint64_t n, const char *rest)
{
	struct gfs_dirent_view v = { .offset = 0 };
	struct gfs_dirent_iter it;
	const char *why = "";
	int rc;

	gfs_dirent_first(&it, x->block, x->g->bsize,
			 dbg_dirents_start(x->block));
	for (uint64_t i = 0; i <= n; i++) {
		rc = gfs_dirent_next(&it, &v, &why);
		/* A broken record itself can still be looked at and mended. */
		if (rc < 0 && i == n && v.de && v.offset == it.offset)
			break;
		if (rc <= 0)
			return no_record(x, n, rc, why);
	}
	if (!strcmp(rest, "name"))
		return found_bytes(x, rest, v.offset +
				   sizeof(struct gfs2_dirent), v.name_len);
	return find_in(x, gfs_layout_find("dirent"), v.offset, rest);
}

static int find_ea(const struct finder *x, uint64_t n, const char *rest)
{
	struct gfs_ea_view v = { .offset = 0 };
	struct gfs_ea_iter it;
	const char *why = "";
	uint64_t i;
	int rc;

	gfs_ea_first(&it, x->block, x->g->bsize);
	for (i = 0; i <= n; i++) {
		rc = gfs_ea_next(&it, &v, &why);
		if (rc <= 0)
			return no_record(x, n, rc, why);
	}
	if (!strcmp(rest, "name") && !v.unused)
		return found_bytes(x, rest, (uint64_t)(v.name - x->block),
				   v.name_len);
	if (!strcmp(rest, "value") && !v.unused && v.value)
		return found_bytes(x, rest, (uint64_t)(v.value - x->block),
				   v.data_len);
	if (dbg_subscript(rest, "ptr", &i)) {
		if (v.unused || !v.ptrs || i >= v.num_ptrs)
			return beyond(x, rest);
		return found_ptr(x, rest,
				 (uint64_t)(v.ptrs - x->block) + 8 * i);
	}
	return find_in(x, gfs_layout_find("ea_header"), v.offset, rest);
}

/* Record n of an array of structs that begins at byte `base`. */
static int find_element(const struct finder *x, const struct gfs_layout *layout,
			uint32_t base, uint64_t n, const char *rest)
{
	if (n >= (x->g->bsize - base) / layout->size)
		return no_record(x, n, 0, NULL);
	return find_in(x, layout, base + (uint32_t)(n * layout->size), rest);
}

static int find_record(const struct finder *x, uint64_t n, const char *rest,
		       const char *text)
{
	if (dbg_dirents_start(x->block))
		return find_dirent(x, n, rest);
	if (gfs_block_is(x->block, GFS2_METATYPE_EA))
		return find_ea(x, n, rest);
	if (gfs_block_is(x->block, GFS2_METATYPE_QC))
		return find_element(x, gfs_layout_find("quota_change"),
				    sizeof(struct gfs2_meta_header), n, rest);
	return not_found(x, text);
}

/* "STRUCT:FIELD" and "STRUCT:N.FIELD": 1 if text is none of these. */
static int find_in_struct(const struct finder *x, const char *text)
{
	const char *colon = strchr(text, ':');
	const struct gfs_layout *layout;
	const char *rest;
	char name[64];
	uint64_t n;

	if (!colon || (size_t)(colon - text) >= sizeof(name))
		return 1;
	memcpy(name, text, (size_t)(colon - text));
	name[colon - text] = 0;
	layout = gfs_layout_find(name);
	if (!layout)
		return gfs_fail(x->err, ENOENT, GFS_NO_BLOCK,
				"no struct \"%s\"; \"fields\" lists them",
				name);
	if (dbg_record_prefix(colon + 1, &n, &rest))
		return find_element(x, layout, 0, n, rest);
	return find_in(x, layout, 0, colon + 1);
}

/* A field of the struct at the block's start, or of a known dinode tail. */
static int find_by_type(const struct finder *x, const char *text)
{
	static const char *const tails[] = { "statfs_change", "inum_range" };
	const struct gfs_blocktype *t = gfs_blocktype_of(x->block);
	const struct gfs_layout *layout;
	size_t offset;

	if (!t || !t->layout)
		return not_found(x, text);
	if (gfs_layout_field(t->layout, text, &offset))
		return find_in(x, t->layout, 0, text);
	for (size_t i = 0; i < GFS_ARRAY_SIZE(tails); i++) {
		layout = gfs_layout_find(tails[i]);
		if (t->type == GFS2_METATYPE_DI && layout &&
		    gfs_layout_field(layout, text, &offset))
			return find_in(x, layout, sizeof(struct gfs2_dinode),
				       text);
	}
	return not_found(x, text);
}

int dbg_field_in_block(const struct gfs_geom *g, const void *block,
		       const char *text, struct dbg_field *out,
		       struct gfs_error *err)
{
	struct finder x = { g, block, out, err };
	const char *rest;
	uint64_t n;
	int rc;

	if (*text == '.')
		text++;
	rc = find_raw(&x, text);
	if (rc > 0)
		rc = find_pointer(&x, text);
	if (rc > 0)
		rc = find_in_struct(&x, text);
	if (rc <= 0)
		return rc;
	if (dbg_record_prefix(text, &n, &rest))
		return find_record(&x, n, rest, text);
	return find_by_type(&x, text);
}
