// SPDX-License-Identifier: GPL-2.0-or-later
/* Verifiers of superblock, resource groups and blocks of pointers or data. */
#include "verify.h"

#include "../base/crc.h"
#include "blocktype.h"
#include "dirent.h"
#include "verify_rules.h"

static const struct gfs_flaw sane;

struct gfs_flaw gfs_flaw_make(const struct gfs_layout *layout, uint32_t base,
			      const char *field, const char *why)
{
	size_t offset = 0;
	struct gfs_flaw flaw = { .why = why };

	flaw.field = gfs_layout_field(layout, field, &offset);
	flaw.offset = base + (uint32_t)offset;
	return flaw;
}

struct gfs_flaw gfs_flaw_minor(const struct gfs_layout *layout, uint32_t base,
			       const char *field, const char *why)
{
	struct gfs_flaw flaw = gfs_flaw_make(layout, base, field, why);

	flaw.minor = true;
	return flaw;
}

static struct gfs_flaw check_magic(const struct gfs2_meta_header *mh,
				   uint32_t type)
{
	const struct gfs_layout *layout = &gfs_layout_meta_header;

	if (be32_to_cpu(mh->mh_magic) != GFS2_MAGIC)
		return gfs_flaw_make(layout, 0, "mh_magic",
				     "block has no metadata header");
	if (be32_to_cpu(mh->mh_type) != type)
		return gfs_flaw_make(layout, 0, "mh_type",
				     "block is of another type");
	return sane;
}

static struct gfs_flaw check_format(const struct gfs2_meta_header *mh,
				    uint32_t type)
{
	if (be32_to_cpu(mh->mh_format) == gfs_blocktype_find(type)->format)
		return sane;
	return gfs_flaw_minor(&gfs_layout_meta_header, 0, "mh_format",
			      "format does not belong to the type");
}

struct gfs_flaw gfs_verify_rules(const struct gfs_subject *s, uint32_t type,
				 gfs_rule *const rules[])
{
	struct gfs_flaw flaw = check_magic(s->block, type);

	while (!flaw.why && rules && *rules)
		flaw = (*rules++)(s);
	if (!flaw.why)
		flaw = check_format(s->block, type);
	return flaw;
}

static struct gfs_flaw header_only(const struct gfs_geom *g, const void *block,
				   uint64_t blk, uint32_t type)
{
	const struct gfs_subject s = { g, block, blk };

	return gfs_verify_rules(&s, type, NULL);
}

struct gfs_flaw gfs_verify_bitmap(const struct gfs_geom *g, const void *block,
				  uint64_t blk)
{
	return header_only(g, block, blk, GFS2_METATYPE_RB);
}

struct gfs_flaw gfs_verify_jdata(const struct gfs_geom *g, const void *block,
				 uint64_t blk)
{
	return header_only(g, block, blk, GFS2_METATYPE_JD);
}

struct gfs_flaw gfs_verify_eadata(const struct gfs_geom *g, const void *block,
				  uint64_t blk)
{
	return header_only(g, block, blk, GFS2_METATYPE_ED);
}

/* Resource groups */

static struct gfs_flaw rgrp_flaw(const char *field, const char *why)
{
	return gfs_flaw_minor(&gfs_layout_rgrp, 0, field, why);
}

/* The copy of the rindex entry; all zero in old volumes. */
static struct gfs_flaw rule_rgrp_place(const struct gfs_subject *s)
{
	const struct gfs2_rgrp *rg = s->block;
	uint64_t data0 = be64_to_cpu(rg->rg_data0);
	uint64_t data = be32_to_cpu(rg->rg_data);
	uint64_t skip = be32_to_cpu(rg->rg_skip);
	uint64_t length = data0 - s->blk;

	if (data0 == 0 && data == 0)
		return sane;
	if (data0 <= s->blk)
		return rgrp_flaw("rg_data0", "data does not follow the header");
	if (data % GFS2_NBBY)
		return rgrp_flaw("rg_data", "is not a multiple of 4");
	if (be32_to_cpu(rg->rg_bitbytes) != data / GFS2_NBBY)
		return rgrp_flaw("rg_bitbytes", "is not a quarter of rg_data");
	if (data > gfs_geom_rgrp_cap(s->g, length) ||
	    data <= gfs_geom_rgrp_cap(s->g, length - 1))
		return rgrp_flaw("rg_data",
				 "does not fit the number of bitmap blocks");
	if (skip && skip < length + data)
		return rgrp_flaw("rg_skip", "ends inside this group");
	if ((uint64_t)be32_to_cpu(rg->rg_free) + be32_to_cpu(rg->rg_dinodes) >
	    data)
		return rgrp_flaw(
			"rg_free",
			"more blocks than the group has, with dinodes");
	return sane;
}

static struct gfs_flaw rule_rgrp_flags(const struct gfs_subject *s)
{
	const struct gfs2_rgrp *rg = s->block;
	const uint32_t known = GFS2_RGF_JOURNAL | GFS2_RGF_METAONLY |
			       GFS2_RGF_DATAONLY | GFS2_RGF_NOALLOC |
			       GFS2_RGF_TRIMMED;

	if (be32_to_cpu(rg->rg_flags) & ~known)
		return rgrp_flaw("rg_flags", "unknown flags");
	return sane;
}

/* Bits after the bitmap's end, where it ends in this block. */
static struct gfs_flaw rule_rgrp_slack(const struct gfs_subject *s)
{
	const struct gfs2_rgrp *rg = s->block;
	const uint8_t *block = s->block;
	uint64_t from = gfs_geom_bitmap_offset(0) +
			(uint64_t)be32_to_cpu(rg->rg_bitbytes);

	if (!be64_to_cpu(rg->rg_data0))
		return sane;
	for (; from < s->g->bsize; from++)
		if (block[from])
			return (struct gfs_flaw){
				.why = "bits set after the bitmap's end",
				.offset = (uint32_t)from,
				.minor = true,
			};
	return sane;
}

static struct gfs_flaw rule_rgrp_crc(const struct gfs_subject *s)
{
	const struct gfs2_rgrp *rg = s->block;
	uint32_t crc = be32_to_cpu(rg->rg_crc);

	if (crc && crc != gfs_rgrp_crc(rg))
		return rgrp_flaw("rg_crc", "checksum is wrong");
	return sane;
}

struct gfs_flaw gfs_verify_rgrp(const struct gfs_geom *g, const void *block,
				uint64_t blk)
{
	static gfs_rule *const rules[] = { rule_rgrp_place, rule_rgrp_flags,
					   rule_rgrp_slack, rule_rgrp_crc,
					   NULL };
	const struct gfs_subject s = { g, block, blk };

	return gfs_verify_rules(&s, GFS2_METATYPE_RG, rules);
}

uint32_t gfs_rgrp_crc(const struct gfs2_rgrp *rg)
{
	struct gfs2_rgrp copy = *rg;

	copy.rg_crc = cpu_to_be32(0);
	return gfs_crc32(&copy, sizeof(copy));
}

struct gfs_flaw gfs_verify_rindex(const struct gfs_geom *g,
				  const struct gfs2_rindex *ri)
{
	const struct gfs_layout *layout = &gfs_layout_rindex;
	uint64_t addr = be64_to_cpu(ri->ri_addr);
	uint32_t length = be32_to_cpu(ri->ri_length);
	uint32_t data = be32_to_cpu(ri->ri_data);

	if (!addr)
		return gfs_flaw_make(layout, 0, "ri_addr", "is 0");
	if (!length)
		return gfs_flaw_make(layout, 0, "ri_length", "is 0");
	if (data % GFS2_NBBY)
		return gfs_flaw_make(layout, 0, "ri_data",
				     "is not a multiple of 4");
	if (be32_to_cpu(ri->ri_bitbytes) != data / GFS2_NBBY)
		return gfs_flaw_make(layout, 0, "ri_bitbytes",
				     "is not a quarter of ri_data");
	if (data > gfs_geom_rgrp_cap(g, length) ||
	    data <= gfs_geom_rgrp_cap(g, length - 1))
		return gfs_flaw_make(layout, 0, "ri_length",
				     "does not fit the size of the bitmap");
	if (addr > UINT64_MAX - length ||
	    be64_to_cpu(ri->ri_data0) != addr + length)
		return gfs_flaw_make(layout, 0, "ri_data0",
				     "does not follow header and bitmaps");
	return sane;
}

/* Pointers and slots */

static struct gfs_flaw rule_pointers(const struct gfs_subject *s)
{
	for (uint32_t i = 0; i < s->g->inptrs; i++)
		if (s->blk && gfs_indirect_ptr(s->block, i) == s->blk)
			return (struct gfs_flaw){
				.why = "pointer to the block itself",
				.offset = gfs_geom_bitmap_offset(1) + 8 * i,
				.minor = true,
			};
	return sane;
}

struct gfs_flaw gfs_verify_indirect(const struct gfs_geom *g, const void *block,
				    uint64_t blk)
{
	static gfs_rule *const rules[] = { rule_pointers, NULL };
	const struct gfs_subject s = { g, block, blk };

	return gfs_verify_rules(&s, GFS2_METATYPE_IN, rules);
}

static struct gfs_flaw rule_quota_flags(const struct gfs_subject *s)
{
	const uint32_t head = sizeof(struct gfs2_meta_header);
	const struct gfs2_quota_change *qc =
		(const void *)((const char *)s->block + head);

	for (uint32_t i = 0; i < s->g->qc_per_block; i++)
		if (be32_to_cpu(qc[i].qc_flags) & ~(uint32_t)GFS2_QCF_USER)
			return gfs_flaw_minor(&gfs_layout_quota_change,
					      head + i * (uint32_t)sizeof(*qc),
					      "qc_flags", "unknown flags");
	return sane;
}

struct gfs_flaw gfs_verify_quotachange(const struct gfs_geom *g,
				       const void *block, uint64_t blk)
{
	static gfs_rule *const rules[] = { rule_quota_flags, NULL };
	const struct gfs_subject s = { g, block, blk };

	return gfs_verify_rules(&s, GFS2_METATYPE_QC, rules);
}

static struct gfs_flaw rule_ea_records(const struct gfs_subject *s)
{
	const struct gfs_layout *layout = &gfs_layout_ea_header;
	struct gfs_ea_iter it;
	struct gfs_ea_view view;
	const char *why = NULL;
	int rc;

	gfs_ea_first(&it, s->block, s->g->bsize);
	while ((rc = gfs_ea_next(&it, &view, &why)) > 0)
		if (!GFS2_EATYPE_VALID(view.ea->ea_type))
			return gfs_flaw_make(layout, view.offset, "ea_type",
					     "unknown kind of attribute");
	if (rc < 0)
		return gfs_flaw_make(layout, it.offset, "ea_rec_len", why);
	return sane;
}

struct gfs_flaw gfs_verify_ea(const struct gfs_geom *g, const void *block,
			      uint64_t blk)
{
	static gfs_rule *const rules[] = { rule_ea_records, NULL };
	const struct gfs_subject s = { g, block, blk };

	return gfs_verify_rules(&s, GFS2_METATYPE_EA, rules);
}

struct gfs_flaw gfs_verify_block(const struct gfs_geom *g, const void *block,
				 uint64_t blk)
{
	const struct gfs_blocktype *t = gfs_blocktype_of(block);

	if (t)
		return t->verify(g, block, blk);
	return gfs_flaw_make(&gfs_layout_meta_header, 0, "mh_magic",
			     "block has no known metadata header");
}
