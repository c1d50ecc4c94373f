// SPDX-License-Identifier: GPL-2.0-or-later
/* Commands on resource groups and allocation: rgrps, blocktype. */
#include "expr.h"
#include "show.h"

#include "../libgfs/format/bitmap.h"
#include "../libgfs/format/blocktype.h"

static void flags_cell(struct emit *e, uint32_t flags)
{
	const struct gfs_field *f;
	be32 raw = cpu_to_be32(flags);
	char text[128];
	size_t offset;

	f = gfs_layout_field(gfs_layout_find("rgrp"), "rg_flags", &offset);
	if (emit_is_json(e))
		emit_u64(e, NULL, flags);
	else
		emit_str(e, NULL, gfs_field_text(f, &raw, text, sizeof(text)));
}

static void rgrp_row(struct emit *e, uint32_t n, const struct gfs_rgrp *rg,
		     const struct gfs_rgrp_info *info)
{
	uint64_t dinodes = info->counted[GFS2_BLKST_DINODE] +
			   info->counted[GFS2_BLKST_UNLINKED];

	emit_row_begin(e);
	emit_u64(e, NULL, n);
	emit_u64(e, NULL, rg->addr);
	emit_u64(e, NULL, rg->length);
	emit_u64(e, NULL, rg->data0);
	emit_u64(e, NULL, rg->data);
	for (unsigned int s = 0; s < 4; s++)
		emit_u64(e, NULL, info->counted[s]);
	emit_u64(e, NULL, info->free);
	emit_u64(e, NULL, info->dinodes);
	emit_bool(e, NULL, info->free == info->counted[GFS2_BLKST_FREE] &&
				   info->dinodes == dinodes);
	flags_cell(e, info->flags);
	emit_u64(e, NULL, info->skip);
	emit_u64(e, NULL, info->igeneration);
	emit_bool(e, NULL, info->crc_ok);
	emit_row_end(e);
}

int dbg_cmd_rgrps(struct dbg *d, struct dbg_args *a)
{
	static const struct emit_column columns[] = {
		{ "n", true },        { "addr", true },   { "length", true },
		{ "data0", true },    { "data", true },   { "free", true },
		{ "used", true },     { "unlinked", true }, { "dinode", true },
		{ "rg_free", true },  { "rg_dinodes", true },
		{ "agree", false },   { "flags", false }, { "skip", true },
		{ "igeneration", true }, { "crc_ok", false }
	};
	int rc = 0;

	(void)a;
	emit_table_begin(d->out, NULL, columns, GFS_ARRAY_SIZE(columns),
			 false);
	for (uint32_t i = 0; i < d->fs->rgrps.n; i++) {
		const struct gfs_rgrp *rg = &d->fs->rgrps.rg[i];
		struct gfs_rgrp_info info;
		int one = gfs_rgrp_read_info(d->fs, rg, &info);

		if (one)
			rc = dbg_complain(d, one);
		else
			rgrp_row(d->out, i, rg, &info);
	}
	emit_table_end(d->out);
	return rc;
}

/* Where a block is when no resource group's bitmap speaks of it. */
static const char *place_name(const struct dbg *d, uint64_t blk)
{
	if (blk < d->fs->geom.sb_blk)
		return "before the superblock";
	if (blk == d->fs->geom.sb_blk)
		return "superblock";
	if (!(d->have & DBG_RGRPS))
		return "unknown";
	if (gfs_rgrp_covering(&d->fs->rgrps, blk))
		return "resource group";
	return "in no resource group";
}

static int blocktype_row(struct dbg *d, uint64_t blk)
{
	const struct gfs_rgrp *rg = gfs_rgrp_covering(&d->fs->rgrps, blk);
	const struct gfs_blocktype *t;
	struct gfs_buf *buf;
	int state = -1;
	int rc;

	rc = dbg_block(d, blk, &buf);
	if (rc)
		return rc;
	t = gfs_blocktype_of(buf->data);
	gfs_buf_put(buf);
	if (rg && blk >= rg->data0) {
		state = gfs_rgrp_state(d->fs, blk);
		if (state < 0)
			return state;
	}
	emit_row_begin(d->out);
	emit_u64(d->out, NULL, blk);
	emit_str(d->out, NULL, t ? t->name : NULL);
	emit_str(d->out, NULL, state < 0 ? place_name(d, blk)
					 : gfs_blkst_name((unsigned int)state));
	if (rg)
		emit_u64(d->out, NULL, (uint64_t)(rg - d->fs->rgrps.rg));
	else
		emit_str(d->out, NULL, NULL);
	emit_row_end(d->out);
	return 0;
}

int dbg_cmd_blocktype(struct dbg *d, struct dbg_args *a)
{
	static const struct emit_column columns[] = {
		{ "block", true }, { "type", false }, { "state", false },
		{ "rgrp", true }
	};
	int rc = 0;

	emit_table_begin(d->out, NULL, columns, GFS_ARRAY_SIZE(columns),
			 false);
	for (int i = 0; i < a->n; i++) {
		uint64_t blk;
		int one = dbg_address(d, a->v[i], &blk);

		if (!one)
			one = blocktype_row(d, blk);
		rc = one ? dbg_complain(d, one) : rc;
	}
	emit_table_end(d->out);
	return rc;
}
