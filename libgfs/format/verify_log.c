// SPDX-License-Identifier: GPL-2.0-or-later
/* Verifiers of a journal's own blocks. */
#include "verify.h"

#include "../base/crc.h"
#include "verify_rules.h"

static const struct gfs_flaw sane;

uint32_t gfs_logheader_hash(const struct gfs2_log_header *lh)
{
	struct gfs2_log_header copy = *lh;

	copy.lh_hash = cpu_to_be32(0);
	/* The part that version 1 had. */
	return gfs_crc32(&copy, offsetof(struct gfs2_log_header, lh_crc));
}

uint32_t gfs_logheader_crc(const struct gfs_geom *g, const void *block)
{
	const size_t start = offsetof(struct gfs2_log_header, lh_nsec);

	return gfs_crc32c(UINT32_MAX, (const char *)block + start,
			  g->bsize - start);
}

static struct gfs_flaw rule_checksums(const struct gfs_subject *s)
{
	const struct gfs_layout *layout = &gfs_layout_log_header;
	const struct gfs2_log_header *lh = s->block;
	uint32_t crc = be32_to_cpu(lh->lh_crc);

	if (be32_to_cpu(lh->lh_hash) != gfs_logheader_hash(lh))
		return gfs_flaw_make(layout, 0, "lh_hash", "checksum is wrong");
	/* 0: written by a kernel that knew only the first version. */
	if (crc && crc != gfs_logheader_crc(s->g, s->block))
		return gfs_flaw_make(layout, 0, "lh_crc", "checksum is wrong");
	return sane;
}

static struct gfs_flaw rule_address(const struct gfs_subject *s)
{
	const struct gfs2_log_header *lh = s->block;
	uint64_t addr = be64_to_cpu(lh->lh_addr);

	if (be32_to_cpu(lh->lh_crc) && addr && addr != s->blk)
		return gfs_flaw_minor(&gfs_layout_log_header, 0, "lh_addr",
				      "is not the block it is in");
	return sane;
}

struct gfs_flaw gfs_verify_logheader(const struct gfs_geom *g,
				     const void *block, uint64_t blk)
{
	static gfs_rule *const rules[] = { rule_checksums, rule_address, NULL };
	const struct gfs_subject s = { g, block, blk };

	return gfs_verify_rules(&s, GFS2_METATYPE_LH, rules);
}

static struct gfs_flaw desc_flaw(const char *field, const char *why)
{
	return gfs_flaw_make(&gfs_layout_log_descriptor, 0, field, why);
}

/* Journal blocks that a descriptor of n items takes; 0: n is too large. */
static uint64_t chunk_length(const struct gfs_geom *g, uint32_t type,
			     uint32_t n)
{
	if (type == GFS2_LOG_DESC_REVOKE)
		return n <= g->ldptrs
			       ? 1
			       : 1 + gfs_div_up(n - g->ldptrs, g->inptrs);
	if (n > (type == GFS2_LOG_DESC_JDATA ? g->jdata_tags : g->ldptrs))
		return 0;
	return (uint64_t)n + 1;
}

static struct gfs_flaw rule_counts(const struct gfs_subject *s)
{
	const struct gfs2_log_descriptor *ld = s->block;
	uint32_t type = be32_to_cpu(ld->ld_type);
	uint64_t length;

	if (type != GFS2_LOG_DESC_METADATA && type != GFS2_LOG_DESC_REVOKE &&
	    type != GFS2_LOG_DESC_JDATA)
		return desc_flaw("ld_type", "unknown type of descriptor");
	length = chunk_length(s->g, type, be32_to_cpu(ld->ld_data1));
	if (!length)
		return desc_flaw("ld_data1", "more items than the block holds");
	if (be32_to_cpu(ld->ld_length) != length)
		return desc_flaw("ld_length",
				 "does not fit the number of items");
	return sane;
}

static struct gfs_flaw rule_tags(const struct gfs_subject *s)
{
	const struct gfs2_log_descriptor *ld = s->block;
	bool pairs = be32_to_cpu(ld->ld_type) == GFS2_LOG_DESC_JDATA;
	uint32_t step = pairs ? 2 : 1;
	uint64_t n = gfs_min(be32_to_cpu(ld->ld_data1), s->g->ldptrs / step);
	const be64 *tag = (const be64 *)(ld + 1);

	for (uint64_t i = 0; i < n; i++) {
		struct gfs_flaw flaw = {
			.offset = (uint32_t)(sizeof(*ld) + 8 * i * step),
		};

		if (!be64_to_cpu(tag[i * step]))
			flaw.why = "block number is 0";
		else if (pairs && be64_to_cpu(tag[i * step + 1]) > 1)
			flaw.why = "escape mark is neither 0 nor 1";
		if (flaw.why)
			return flaw;
	}
	return sane;
}

struct gfs_flaw gfs_verify_logdesc(const struct gfs_geom *g, const void *block,
				   uint64_t blk)
{
	static gfs_rule *const rules[] = { rule_counts, rule_tags, NULL };
	const struct gfs_subject s = { g, block, blk };

	return gfs_verify_rules(&s, GFS2_METATYPE_LD, rules);
}

struct gfs_flaw gfs_verify_logcont(const struct gfs_geom *g, const void *block,
				   uint64_t blk)
{
	const struct gfs_subject s = { g, block, blk };

	return gfs_verify_rules(&s, GFS2_METATYPE_LB, NULL);
}
