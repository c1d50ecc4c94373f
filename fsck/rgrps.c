// SPDX-License-Identifier: GPL-2.0-or-later
/* Resource groups: every header and bitmap block once, states into a map. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../libgfs/format/bitmap.h"
#include "../libgfs/format/blocktype.h"
#include "../libgfs/format/verify.h"
#include "fsck.h"

#define RG_FLAGS_KNOWN 0x0000001FU

/* Where the scan stands: block `part` of group `rg`. */
struct cursor {
	struct fsck *f;
	uint32_t next; /* group whose run is asked for next */
	uint32_t rg;
	uint32_t part;
};

bool fsck_index(struct fsck *f, uint64_t blk, uint64_t *index)
{
	const struct gfs_rgrps *t = &f->fs->rgrps;
	const struct gfs_rgrp *rg = &t->rg[f->last_rg];

	if (blk < rg->data0 || blk - rg->data0 >= rg->data) {
		rg = gfs_rgrp_find(t, blk);
		if (!rg)
			return false;
		f->last_rg = (uint32_t)(rg - t->rg);
	}
	*index = f->rg[f->last_rg].start + (blk - rg->data0);
	return true;
}

uint32_t fsck_rg_of(struct fsck *f, uint64_t index)
{
	const struct gfs_rgrps *t = &f->fs->rgrps;
	uint32_t from = 0, to = t->n;

	if (index >= f->rg[f->last_rg].start &&
	    index - f->rg[f->last_rg].start < t->rg[f->last_rg].data)
		return f->last_rg;
	while (to - from > 1) {
		uint32_t mid = from + (to - from) / 2;

		if (f->rg[mid].start <= index)
			from = mid;
		else
			to = mid;
	}
	f->last_rg = from;
	return from;
}

uint64_t fsck_block(struct fsck *f, uint64_t index)
{
	uint32_t r = fsck_rg_of(f, index);

	return f->fs->rgrps.rg[r].data0 + (index - f->rg[r].start);
}

/* Distance to the next group; 0 in the last. */
static uint64_t true_skip(const struct fsck *f, uint32_t r)
{
	const struct gfs_rgrps *t = &f->fs->rgrps;

	return r + 1 < t->n ? t->rg[r + 1].addr - t->rg[r].addr : 0;
}

static void fix_rg(struct fsck *f, uint32_t r, uint32_t off, uint8_t len,
		   uint64_t value)
{
	edit_set(f, f->fs->rgrps.rg[r].addr, off, len, value);
	f->rg[r].edited = true;
}

/* The header's copy of the geometry, all zero in old volumes. */
static void check_geometry(struct fsck *f, uint32_t r,
			   const struct gfs2_rgrp *h)
{
	const struct gfs_rgrp *rg = &f->fs->rgrps.rg[r];
	uint64_t data0 = be64_to_cpu(h->rg_data0);
	uint32_t data = be32_to_cpu(h->rg_data);
	uint32_t bytes = be32_to_cpu(h->rg_bitbytes);

	if (!data0 && !data && !bytes)
		return;
	if (data0 == rg->data0 && data == rg->data && bytes == rg->bitbytes)
		return;
	if (!problem(f, CK_RG_GEOMETRY, at_block(rg->addr),
		     "data %" PRIu64 "+%u, %u bytes, index has %" PRIu64
		     "+%u, %u", data0, data, bytes, rg->data0, rg->data,
		     rg->bitbytes))
		return;
	fix_rg(f, r, offsetof(struct gfs2_rgrp, rg_data0), 8, rg->data0);
	fix_rg(f, r, offsetof(struct gfs2_rgrp, rg_data), 4, rg->data);
	fix_rg(f, r, offsetof(struct gfs2_rgrp, rg_bitbytes), 4, rg->bitbytes);
}

/* A header with a right checksum: the index, not rg_skip, is wrong. */
static bool leads_to_group(struct fsck *f, uint64_t blk)
{
	const struct gfs_rgrp *rg = gfs_rgrp_covering(&f->fs->rgrps, blk);
	struct gfs_buf *buf;
	bool ok;

	if ((rg && rg->addr == blk) || !gfs_fs_has_block(f->fs, blk) ||
	    gfs_buf_get(f->fs->cache, blk, &buf))
		return false;
	ok = gfs_block_is(buf->data, GFS2_METATYPE_RG) &&
	     be32_to_cpu(((const struct gfs2_rgrp *)buf->data)->rg_crc) ==
		     gfs_rgrp_crc(buf->data);
	gfs_buf_put(buf);
	return ok;
}

static void check_header_fields(struct fsck *f, uint32_t r,
				const struct gfs2_rgrp *h)
{
	uint64_t addr = f->fs->rgrps.rg[r].addr;
	uint32_t flags = be32_to_cpu(h->rg_flags);
	uint32_t skip = be32_to_cpu(h->rg_skip);
	uint64_t want = true_skip(f, r);
	uint64_t found = f->problems.found;

	check_geometry(f, r, h);
	if (skip && skip != want && leads_to_group(f, addr + skip)) {
		problem_note(f, CK_RINDEX_HOLE, at_block(addr + skip),
			     "the group at %" PRIu64 " leads there", addr);
		f->rgrps_missing = true;
	} else if (skip && skip != want &&
	    problem(f, CK_RG_SKIP, at_block(addr), "recorded %u, is %" PRIu64,
		    skip, want))
		fix_rg(f, r, offsetof(struct gfs2_rgrp, rg_skip), 4, want);
	if (flags & ~RG_FLAGS_KNOWN &&
	    problem(f, CK_RG_FLAGS, at_block(addr), "0x%x",
		    flags & ~RG_FLAGS_KNOWN))
		fix_rg(f, r, offsetof(struct gfs2_rgrp, rg_flags), 4,
		       flags & RG_FLAGS_KNOWN);
	if (be32_to_cpu(h->rg_header.mh_format) != GFS2_FORMAT_RG &&
	    problem(f, CK_RG_FORMAT, at_block(addr), "%u",
		    be32_to_cpu(h->rg_header.mh_format)))
		fix_rg(f, r, offsetof(struct gfs2_meta_header, mh_format), 4,
		       GFS2_FORMAT_RG);
	f->rg[r].noted = f->problems.found > found;
}

/* A header that is none: rebuilt from the index, counts at the end. */
static void lost_header(struct fsck *f, uint32_t r)
{
	const struct gfs_rgrp *rg = &f->fs->rgrps.rg[r];

	if (!problem(f, CK_RG_HEADER, at_block(rg->addr), "%s", "")) {
		f->rg[r].header_bad = true;
		return;
	}
	edit_zero(f, rg->addr, 0, sizeof(struct gfs2_rgrp));
	edit_header(f, rg->addr, GFS2_METATYPE_RG);
	fix_rg(f, r, offsetof(struct gfs2_rgrp, rg_skip), 4, true_skip(f, r));
	fix_rg(f, r, offsetof(struct gfs2_rgrp, rg_data0), 8, rg->data0);
	fix_rg(f, r, offsetof(struct gfs2_rgrp, rg_data), 4, rg->data);
	fix_rg(f, r, offsetof(struct gfs2_rgrp, rg_bitbytes), 4, rg->bitbytes);
	f->rg[r].header_bad = true;
}

/* Only the first bytes are damaged: the geometry is as it should be. */
static bool only_magic_lost(const struct fsck *f, uint32_t r,
			    const struct gfs2_rgrp *h)
{
	const struct gfs_rgrp *rg = &f->fs->rgrps.rg[r];

	return be64_to_cpu(h->rg_data0) == rg->data0 &&
	       be32_to_cpu(h->rg_data) == rg->data &&
	       be32_to_cpu(h->rg_bitbytes) == rg->bitbytes;
}

static void take_header(struct fsck *f, uint32_t r, const struct gfs2_rgrp *h)
{
	struct fsck_rg *s = &f->rg[r];
	bool lost = !gfs_block_is(h, GFS2_METATYPE_RG);

	if (lost && !only_magic_lost(f, r, h)) {
		lost_header(f, r);
		return;
	}
	if (lost && problem(f, CK_RG_HEADER, at_block(f->fs->rgrps.rg[r].addr),
			    "%s", "only its first bytes")) {
		edit_header(f, f->fs->rgrps.rg[r].addr, GFS2_METATYPE_RG);
		s->edited = true;
	}
	s->flags = be32_to_cpu(h->rg_flags);
	s->free = be32_to_cpu(h->rg_free);
	s->dinodes = be32_to_cpu(h->rg_dinodes);
	s->igeneration = be64_to_cpu(h->rg_igeneration);
	s->crc_bad = !lost && be32_to_cpu(h->rg_crc) &&
		     be32_to_cpu(h->rg_crc) != gfs_rgrp_crc(h);
	if (lost)
		return;
	check_header_fields(f, r, h);
}

static void check_bitmap_header(struct fsck *f, const void *block, uint64_t blk)
{
	const struct gfs2_meta_header *mh = block;

	if (!gfs_block_is(block, GFS2_METATYPE_RB)) {
		if (problem(f, CK_RB_HEADER, at_block(blk), "%s", ""))
			edit_header(f, blk, GFS2_METATYPE_RB);
		return;
	}
	if (be32_to_cpu(mh->mh_format) != GFS2_FORMAT_RB &&
	    problem(f, CK_RG_FORMAT, at_block(blk), "%u",
		    be32_to_cpu(mh->mh_format)))
		edit_set(f, blk, offsetof(struct gfs2_meta_header, mh_format),
			 4, GFS2_FORMAT_RB);
}

static void check_slack(struct fsck *f, uint32_t r,
			const struct gfs_bitmap_part *part,
			const uint8_t *block)
{
	uint32_t end = part->offset + part->bytes;
	uint32_t bsize = f->fs->geom.bsize;

	for (uint32_t i = end; i < bsize; i++) {
		if (!block[i])
			continue;
		if (problem(f, CK_RG_SLACK, at_block(part->blk), "%s", "")) {
			edit_zero(f, part->blk, end, bsize - end);
			f->rg[r].edited = true;
		}
		return;
	}
}

static void take_part(struct fsck *f, uint32_t r, uint32_t i, const void *block)
{
	const struct gfs_rgrp *rg = &f->fs->rgrps.rg[r];
	struct gfs_bitmap_part part;
	uint64_t count[4] = { 0 };
	const uint8_t *bits;
	uint64_t n;

	if (i)
		check_bitmap_header(f, block, rg->addr + i);
	else
		take_header(f, r, block);
	part = gfs_rgrp_bitmap_part(&f->fs->geom, rg, i);
	bits = (const uint8_t *)block + part.offset;
	n = (uint64_t)part.bytes * GFS2_NBBY;
	blockmap_load(&f->disk,
		      f->rg[r].start + (uint64_t)part.start * GFS2_NBBY, bits,
		      n);
	gfs_bitmap_count(bits, n, count);
	f->rg[r].disk_free += (uint32_t)count[GFS2_BLKST_FREE];
	f->rg[r].disk_dinodes += (uint32_t)(count[GFS2_BLKST_UNLINKED] +
					    count[GFS2_BLKST_DINODE]);
	check_slack(f, r, &part, block);
}

static int next_run(void *ctx, struct gfs_run *run)
{
	struct cursor *c = ctx;
	const struct gfs_rgrps *t = &c->f->fs->rgrps;

	if (c->next >= t->n)
		return 0;
	run->blk = t->rg[c->next].addr;
	run->count = t->rg[c->next].length;
	c->next++;
	return 1;
}

static int scan_groups(struct fsck *f, struct gfs_scan *scan, struct cursor *c)
{
	const struct gfs_rgrps *t = &f->fs->rgrps;
	const void *data;
	uint64_t blk;
	int rc, error;

	while ((rc = gfs_scan_next(scan, &blk, &data, &error)) > 0) {
		if (f->stop)
			return -GFS_EINTR;
		if (data) {
			take_part(f, c->rg, c->part, data);
		} else {
			problem_note(f, CK_RG_UNREADABLE, at_block(blk), "%s",
				     gfs_strerror(error));
			f->rg[c->rg].unreadable = true;
			f->blind = true;
			f->failed = true;
		}
		if (++c->part == t->rg[c->rg].length) {
			c->rg++;
			c->part = 0;
		}
	}
	return rc;
}

int fsck_rgrps(struct fsck *f)
{
	struct cursor c = { .f = f };
	struct gfs_scan *scan;
	int rc;

	blockmap_init(&f->disk, f->n_data);
	blockmap_init(&f->want, f->n_data);
	reads_scanning(f->counter, true);
	rc = gfs_scan_open(&scan, f->view, f->fs->geom.bsize, next_run, &c,
			   NULL);
	if (!rc) {
		rc = scan_groups(f, scan, &c);
		gfs_scan_close(scan);
	}
	reads_scanning(f->counter, false);
	if (rc && rc != -GFS_EINTR)
		return fsck_report(f, rc);
	if (!rc && f->rgrps_missing) {
		fsck_say(f, 0, "What is in a missing group cannot be checked, "
			 "so nothing else is.\n");
		return -GFS_ECORRUPT;
	}
	return rc;
}
