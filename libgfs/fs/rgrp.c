// SPDX-License-Identifier: GPL-2.0-or-later
/* Resource groups: the table from rindex, lookup, headers and bitmaps. */
#include "rgrp.h"

#include "../format/bitmap.h"
#include "../format/blocktype.h"
#include "file.h"
#include "read.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	CHUNK = 512,      /* rindex entries read at once */
	PARTS = 256 << 10, /* bytes of bitmap blocks read at once */
};

/* Room for more groups; the array doubles. */
static int grow(struct gfs_fs *fs, uint32_t *cap, uint32_t need)
{
	struct gfs_rgrp *more;
	uint32_t want = *cap ? *cap : CHUNK;

	if (need <= *cap)
		return 0;
	while (want < need)
		want *= 2;
	more = realloc(fs->rgrps.rg, want * sizeof(*more));
	if (!more)
		return gfs_fail(fs->err, ENOMEM, GFS_NO_BLOCK,
				"no memory for %u resource groups", want);
	fs->rgrps.rg = more;
	*cap = want;
	return 0;
}

static uint64_t end_of(const struct gfs_rgrp *rg)
{
	return rg->data0 + rg->data;
}

static int add_entry(struct gfs_fs *fs, const struct gfs2_rindex *ri)
{
	struct gfs_flaw flaw = gfs_verify_rindex(&fs->geom, ri);
	struct gfs_rgrp *rg = &fs->rgrps.rg[fs->rgrps.n];
	const uint64_t blk = fs->sys.rindex.addr;

	if (flaw.why && !flaw.minor)
		return gfs_fail(fs->err, GFS_ECORRUPT, blk,
				"rindex entry %u: %s %s", fs->rgrps.n,
				flaw.field ? flaw.field->name : "", flaw.why);
	rg->addr = be64_to_cpu(ri->ri_addr);
	rg->data0 = be64_to_cpu(ri->ri_data0);
	rg->length = be32_to_cpu(ri->ri_length);
	rg->data = be32_to_cpu(ri->ri_data);
	rg->bitbytes = be32_to_cpu(ri->ri_bitbytes);
	/* Its end lies behind data0, so these also see an overflow. */
	if (!gfs_fs_has_block(fs, rg->addr) ||
	    !gfs_fs_has_block(fs, rg->data0) ||
	    rg->data > fs->nblocks - rg->data0)
		return gfs_fail(fs->err, GFS_EOUTSIDE, blk,
				"rindex entry %u: group at %" PRIu64,
				fs->rgrps.n, rg->addr);
	fs->rgrps.n++;
	return 0;
}

static int read_entries(struct gfs_fs *fs, struct gfs_inode *ip)
{
	struct gfs2_rindex chunk[CHUNK];
	uint32_t cap = 0;
	uint64_t off = 0;

	while (off < ip->size) {
		size_t got, n;
		int rc = gfs_file_read(ip, chunk, sizeof(chunk), off, &got);

		if (rc)
			return rc;
		n = got / sizeof(chunk[0]);
		rc = grow(fs, &cap, fs->rgrps.n + (uint32_t)n);
		for (size_t i = 0; i < n && !rc; i++)
			rc = add_entry(fs, &chunk[i]);
		if (rc)
			return rc;
		off += got;
	}
	return 0;
}

static int by_addr(const void *a, const void *b)
{
	const struct gfs_rgrp *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

static int check_overlap(struct gfs_fs *fs)
{
	const struct gfs_rgrps *r = &fs->rgrps;

	for (uint32_t i = 1; i < r->n; i++)
		if (end_of(&r->rg[i - 1]) > r->rg[i].addr)
			return gfs_fail(fs->err, GFS_ECORRUPT,
					fs->sys.rindex.addr,
					"groups at %" PRIu64 " and %" PRIu64
					" overlap", r->rg[i - 1].addr,
					r->rg[i].addr);
	return 0;
}

static int load_from(struct gfs_fs *fs, struct gfs_inode *ip)
{
	int rc;

	if (!ip->size || ip->size % sizeof(struct gfs2_rindex) ||
	    gfs_inode_is_dir(ip))
		return gfs_fail(fs->err, GFS_ECORRUPT, ip->blk,
				"rindex of %" PRIu64 " bytes", ip->size);
	rc = read_entries(fs, ip);
	if (rc)
		return rc;
	qsort(fs->rgrps.rg, fs->rgrps.n, sizeof(*fs->rgrps.rg), by_addr);
	return check_overlap(fs);
}

int gfs_rgrps_load(struct gfs_fs *fs)
{
	struct gfs_inode *ip;
	int rc;

	gfs_rgrps_free(&fs->rgrps);
	if (!fs->sys.rindex.addr)
		return gfs_fail(fs->err, GFS_ECORRUPT, fs->sb.master.addr,
				"there is no rindex");
	rc = gfs_inode_get(fs, fs->sys.rindex.addr, &ip);
	if (!rc)
		rc = load_from(fs, ip);
	if (rc)
		gfs_rgrps_free(&fs->rgrps);
	gfs_inode_put(ip);
	return rc;
}

void gfs_rgrps_free(struct gfs_rgrps *rgrps)
{
	free(rgrps->rg);
	*rgrps = (struct gfs_rgrps){ 0 };
}

const struct gfs_rgrp *gfs_rgrp_covering(const struct gfs_rgrps *rgrps,
					 uint64_t blk)
{
	uint32_t low = 0, high = rgrps->n;

	/* The last group that starts at or before blk. */
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (rgrps->rg[mid].addr <= blk)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low || blk >= end_of(&rgrps->rg[low - 1]))
		return NULL;
	return &rgrps->rg[low - 1];
}

const struct gfs_rgrp *gfs_rgrp_find(const struct gfs_rgrps *rgrps,
				     uint64_t blk)
{
	const struct gfs_rgrp *rg = gfs_rgrp_covering(rgrps, blk);

	return rg && blk >= rg->data0 ? rg : NULL;
}

struct gfs_bitmap_part gfs_rgrp_bitmap_part(const struct gfs_geom *g,
					    const struct gfs_rgrp *rg,
					    uint32_t i)
{
	uint32_t first = gfs_geom_bitmap_bytes(g, 0);
	uint64_t start = i ? first + (uint64_t)(i - 1) * g->jbsize : 0;
	struct gfs_bitmap_part part = {
		.blk = rg->addr + i,
		.offset = gfs_geom_bitmap_offset(i),
	};

	if (start >= rg->bitbytes)
		return part;
	part.start = (uint32_t)start;
	part.bytes = (uint32_t)gfs_min(gfs_geom_bitmap_bytes(g, i),
				       rg->bitbytes - start);
	return part;
}

/* What is done with each block of a group, read in pieces. */
struct visit {
	void (*fn)(void *ctx, const char *block,
		   const struct gfs_bitmap_part *part);
	void *ctx;
};

static int visit_block(struct gfs_fs *fs, const struct gfs_rgrp *rg,
		       uint32_t i, const char *block, const struct visit *v)
{
	struct gfs_bitmap_part part = gfs_rgrp_bitmap_part(&fs->geom, rg, i);
	uint32_t type = i ? GFS2_METATYPE_RB : GFS2_METATYPE_RG;

	if (!gfs_block_is(block, type))
		return gfs_fail(fs->err, GFS_ECORRUPT, part.blk,
				"not a block of type %s",
				gfs_blocktype_find(type)->name);
	v->fn(v->ctx, block, &part);
	return 0;
}

static int visit_blocks(struct gfs_fs *fs, const struct gfs_rgrp *rg,
			const struct visit *v)
{
	const struct gfs_geom *g = &fs->geom;
	uint32_t max = (uint32_t)gfs_min(rg->length, PARTS >> g->shift);
	char *buf = malloc((size_t)max << g->shift);
	int rc = 0;

	if (!buf)
		return gfs_fail(fs->err, ENOMEM, rg->addr, "no bitmap buffer");
	for (uint32_t i = 0; i < rg->length && !rc; i += max) {
		uint32_t n = (uint32_t)gfs_min(max, rg->length - i);

		rc = gfs_read_bytes(fs, buf, (size_t)n << g->shift,
				    (rg->addr + i) << g->shift);
		for (uint32_t k = 0; k < n && !rc; k++)
			rc = visit_block(fs, rg, i + k,
					 buf + ((size_t)k << g->shift), v);
	}
	free(buf);
	return rc;
}

static void visit_info(void *ctx, const char *block,
		       const struct gfs_bitmap_part *part)
{
	const struct gfs2_rgrp *rg = (const struct gfs2_rgrp *)block;
	struct gfs_rgrp_info *info = ctx;

	gfs_bitmap_count(block + part->offset,
			 (uint64_t)part->bytes * GFS2_NBBY, info->counted);
	if (!gfs_block_is(block, GFS2_METATYPE_RG))
		return;
	info->flags = be32_to_cpu(rg->rg_flags);
	info->free = be32_to_cpu(rg->rg_free);
	info->dinodes = be32_to_cpu(rg->rg_dinodes);
	info->skip = be32_to_cpu(rg->rg_skip);
	info->crc = be32_to_cpu(rg->rg_crc);
	info->igeneration = be64_to_cpu(rg->rg_igeneration);
	info->crc_ok = !info->crc || info->crc == gfs_rgrp_crc(rg);
}

int gfs_rgrp_read_info(struct gfs_fs *fs, const struct gfs_rgrp *rg,
		       struct gfs_rgrp_info *info)
{
	const struct visit v = { visit_info, info };

	*info = (struct gfs_rgrp_info){ 0 };
	return visit_blocks(fs, rg, &v);
}

static void visit_copy(void *ctx, const char *block,
		       const struct gfs_bitmap_part *part)
{
	memcpy((char *)ctx + part->start, block + part->offset, part->bytes);
}

int gfs_rgrp_read_bitmap(struct gfs_fs *fs, const struct gfs_rgrp *rg,
			 void *buf)
{
	const struct visit v = { visit_copy, buf };

	return visit_blocks(fs, rg, &v);
}

int gfs_rgrp_state(struct gfs_fs *fs, uint64_t blk)
{
	const struct gfs_rgrp *rg = gfs_rgrp_find(&fs->rgrps, blk);
	const uint32_t first = gfs_geom_bitmap_bytes(&fs->geom, 0);
	struct gfs_bitmap_part part;
	struct gfs_buf *buf;
	uint64_t byte;
	uint32_t i;
	int rc;

	if (!rg)
		return gfs_fail(fs->err, GFS_EOUTSIDE, blk,
				"block of no resource group");
	byte = (blk - rg->data0) / GFS2_NBBY;
	i = byte < first ? 0 :
			   1 + (uint32_t)((byte - first) / fs->geom.jbsize);
	part = gfs_rgrp_bitmap_part(&fs->geom, rg, i);
	rc = gfs_read_get(fs, part.blk, i ? GFS2_METATYPE_RB : GFS2_METATYPE_RG,
			  &buf);
	if (rc)
		return rc;
	rc = (int)gfs_bitmap_get((const char *)buf->data + part.offset,
				 blk - rg->data0 -
					 (uint64_t)part.start * GFS2_NBBY);
	gfs_buf_put(buf);
	return rc;
}
