// SPDX-License-Identifier: GPL-2.0-or-later
/* Commands that show single blocks and fields: print, get, hex, fields. */
#include "expr.h"
#include "show.h"

#include "../libgfs/format/blocktype.h"

#include <errno.h>
#include <string.h>

/* Structs that have no block to themselves but fill file blocks. */
static bool is_record(const struct gfs_layout *layout)
{
	return !strcmp(layout->name, "gfs2_rindex") ||
	       !strcmp(layout->name, "gfs2_quota");
}

/* Struct of a block type ("leaf") or by its own name ("gfs2_leaf"). */
static const struct gfs_layout *layout_named(const char *name)
{
	const struct gfs_layout *layout = gfs_layout_find(name);
	const struct gfs_blocktype *t;

	if (layout)
		return layout;
	t = gfs_blocktype_by_name(name);
	return t ? t->layout : NULL;
}

static int print_as(struct dbg *d, const char *name, const void *block)
{
	const struct gfs_layout *layout = layout_named(name);

	if (!layout)
		return dbg_fail(d, EINVAL,
				"no struct \"%.60s\"; \"fields\" lists them",
				name);
	emit_str(d->out, "struct", layout->name);
	if (is_record(layout) && gfs_block_is(block, GFS2_METATYPE_DI))
		dbg_show_records(d->out, layout,
				 (const char *)block +
					 sizeof(struct gfs2_dinode),
				 d->fs->geom.stuffed_max / layout->size);
	else if (is_record(layout))
		dbg_show_records(d->out, layout, block,
				 d->fs->geom.bsize / layout->size);
	else
		dbg_show_struct(d->out, layout, block);
	return 0;
}

static int print_typed(struct dbg *d, uint64_t blk, const void *block)
{
	const struct gfs_blocktype *t = gfs_blocktype_of(block);
	struct gfs_flaw flaw = { .why = NULL };

	emit_str(d->out, "type", t ? t->name : NULL);
	if (t && t->layout)
		dbg_show_struct(d->out, t->layout, block);
	if (t)
		flaw = gfs_verify_block(&d->fs->geom, block, blk);
	if (flaw.why)
		emit_strf(d->out, "flaw", "%s%s%s",
			  flaw.field ? flaw.field->name : "",
			  flaw.field ? ": " : "", flaw.why);
	return dbg_show_tail(d, blk, block);
}

int dbg_cmd_print(struct dbg *d, struct dbg_args *a)
{
	struct gfs_buf *buf;
	uint64_t blk;
	int rc;

	rc = dbg_address(d, a->v[0], &blk);
	if (!rc)
		rc = dbg_block(d, blk, &buf);
	if (rc)
		return rc;
	emit_object_begin(d->out, NULL);
	emit_u64(d->out, "block", blk);
	if (a->n > 1)
		rc = print_as(d, a->v[1], buf->data);
	else
		rc = print_typed(d, blk, buf->data);
	emit_object_end(d->out);
	gfs_buf_put(buf);
	return rc;
}

int dbg_cmd_get(struct dbg *d, struct dbg_args *a)
{
	struct dbg_field f;
	struct gfs_buf *buf;
	uint64_t blk;
	int rc;

	rc = dbg_address(d, a->v[0], &blk);
	if (!rc)
		rc = dbg_find_field(d, blk, a->v[1], &f);
	if (!rc)
		rc = dbg_block(d, f.blk, &buf);
	if (rc)
		return rc;
	emit_object_begin(d->out, NULL);
	if (emit_is_json(d->out)) {
		emit_u64(d->out, "block", f.blk);
		emit_u64(d->out, "offset", f.offset);
	}
	dbg_show_field(d->out, a->v[1], &f.f,
		       (const char *)buf->data + f.offset);
	emit_object_end(d->out);
	gfs_buf_put(buf);
	return 0;
}

int dbg_cmd_hex(struct dbg *d, struct dbg_args *a)
{
	struct gfs_buf *buf;
	uint64_t blk;
	int rc;

	rc = dbg_address(d, a->v[0], &blk);
	if (!rc)
		rc = dbg_block(d, blk, &buf);
	if (rc)
		return rc;
	emit_object_begin(d->out, NULL);
	emit_u64(d->out, "block", blk);
	dbg_show_hex(d->out, buf->data, d->fs->geom.bsize);
	emit_object_end(d->out);
	gfs_buf_put(buf);
	return 0;
}

static void list_structs(struct emit *e)
{
	static const struct emit_column columns[] = {
		{ "struct", false }, { "size", true }, { "help", false }
	};

	emit_table_begin(e, NULL, columns, GFS_ARRAY_SIZE(columns), false);
	for (unsigned int i = 0; gfs_layouts[i]; i++) {
		emit_row_begin(e);
		emit_str(e, NULL, gfs_layouts[i]->name);
		emit_u64(e, NULL, gfs_layouts[i]->size);
		emit_str(e, NULL, gfs_layouts[i]->help);
		emit_row_end(e);
	}
	emit_table_end(e);
}

struct lister {
	struct emit *e;
	const void *base;
};

static int list_field(void *ctx, const char *name, const struct gfs_field *f,
		      const void *at)
{
	const struct lister *l = ctx;

	emit_row_begin(l->e);
	emit_str(l->e, NULL, name);
	emit_u64(l->e, NULL,
		 (uint64_t)((const char *)at - (const char *)l->base));
	emit_u64(l->e, NULL, f->size);
	emit_str(l->e, NULL, f->help);
	emit_row_end(l->e);
	return 0;
}

int dbg_cmd_fields(struct dbg *d, struct dbg_args *a)
{
	static const struct emit_column columns[] = {
		{ "field", false }, { "offset", true }, { "size", true },
		{ "help", false }
	};
	const char zeros[512] = { 0 };
	const struct gfs_layout *layout;
	struct lister l = { d->out, zeros };
	int rc;

	if (!a->n) {
		list_structs(d->out);
		return 0;
	}
	layout = layout_named(a->v[0]);
	if (!layout || layout->size > sizeof(zeros))
		return dbg_fail(d, EINVAL, "no struct \"%.60s\"", a->v[0]);
	emit_table_begin(d->out, NULL, columns, GFS_ARRAY_SIZE(columns),
			 false);
	rc = gfs_layout_each(layout, zeros, list_field, &l);
	emit_table_end(d->out);
	return rc;
}
