// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of block types, and what can be done with any of them. */
#include "blocktype.h"

#include <strings.h>

/*
 * rg_crc covers the struct with the field 0. The kernel recomputes it with
 * every change and never checks it; gfs2-utils checks it.
 */
static void seal_rgrp(const struct gfs_geom *g, void *block)
{
	struct gfs2_rgrp *rg = block;

	(void)g;
	rg->rg_crc = cpu_to_be32(gfs_rgrp_crc(rg));
}

static void seal_logheader(const struct gfs_geom *g, void *block)
{
	struct gfs2_log_header *lh = block;

	lh->lh_crc = cpu_to_be32(gfs_logheader_crc(g, block));
	lh->lh_hash = cpu_to_be32(gfs_logheader_hash(lh));
}

#define ROW(abbr_, name_, layout_, verify_, seal_)                         \
	{                                                                  \
		.type = GFS2_METATYPE_##abbr_,                             \
		.format = GFS2_FORMAT_##abbr_, .name = (name_),            \
		.abbr = #abbr_, .layout = &gfs_layout_##layout_,           \
		.verify = gfs_verify_##verify_, .seal = (seal_),           \
	}

/* clang-format off */
static const struct gfs_blocktype rows[] = {
	ROW(SB, "superblock",  sb,             sb,          NULL),
	ROW(RG, "rgrp",        rgrp,           rgrp,        seal_rgrp),
	ROW(RB, "bitmap",      meta_header,    bitmap,      NULL),
	ROW(DI, "dinode",      dinode,         dinode,      NULL),
	ROW(IN, "indirect",    meta_header,    indirect,    NULL),
	ROW(LF, "leaf",        leaf,           leaf,        NULL),
	ROW(JD, "jdata",       meta_header,    jdata,       NULL),
	ROW(LH, "logheader",   log_header,     logheader,   seal_logheader),
	ROW(LD, "logdesc",     log_descriptor, logdesc,     NULL),
	ROW(EA, "xattr",       meta_header,    ea,          NULL),
	ROW(ED, "xattrdata",   meta_header,    eadata,      NULL),
	ROW(LB, "logcont",     meta_header,    logcont,     NULL),
	ROW(QC, "quotachange", meta_header,    quotachange, NULL),
};
/* clang-format on */

const struct gfs_blocktype *gfs_blocktype_find(uint32_t mh_type)
{
	for (size_t i = 0; i < GFS_ARRAY_SIZE(rows); i++)
		if (rows[i].type == mh_type)
			return &rows[i];
	return NULL;
}

const struct gfs_blocktype *gfs_blocktype_by_name(const char *name_or_abbr)
{
	for (size_t i = 0; i < GFS_ARRAY_SIZE(rows); i++)
		if (!strcasecmp(rows[i].name, name_or_abbr) ||
		    !strcasecmp(rows[i].abbr, name_or_abbr))
			return &rows[i];
	return NULL;
}

const struct gfs_blocktype *gfs_blocktype_all(unsigned int *n)
{
	*n = GFS_ARRAY_SIZE(rows);
	return rows;
}

static bool has_magic(const void *block)
{
	const struct gfs2_meta_header *mh = block;

	return be32_to_cpu(mh->mh_magic) == GFS2_MAGIC;
}

const struct gfs_blocktype *gfs_blocktype_of(const void *block)
{
	const struct gfs2_meta_header *mh = block;

	if (!has_magic(block))
		return NULL;
	return gfs_blocktype_find(be32_to_cpu(mh->mh_type));
}

bool gfs_block_is(const void *block, uint32_t mh_type)
{
	const struct gfs2_meta_header *mh = block;

	return has_magic(block) && be32_to_cpu(mh->mh_type) == mh_type;
}

void gfs_block_header(void *block, uint32_t mh_type)
{
	const struct gfs_blocktype *t = gfs_blocktype_find(mh_type);
	struct gfs2_meta_header mh = { 0 };

	mh.mh_magic = cpu_to_be32(GFS2_MAGIC);
	mh.mh_type = cpu_to_be32(mh_type);
	mh.mh_format = cpu_to_be32(t ? t->format : GFS2_FORMAT_NONE);
	memcpy(block, &mh, sizeof(mh));
}

void gfs_block_seal(const struct gfs_geom *g, void *block)
{
	const struct gfs_blocktype *t = gfs_blocktype_of(block);

	if (t && t->seal)
		t->seal(g, block);
}
