// SPDX-License-Identifier: GPL-2.0-or-later
/* Resource groups: headers and bitmaps, computed from what has been taken. */
#include "build_parts.h"

#include "../libgfs/format/bitmap.h"
#include "../libgfs/format/blocktype.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A gap up to this long goes out in one write with the header behind it. */
#define GAP_BYTES 65536U

struct rgrp_writer {
	char *buf;        /* GAP_BYTES of zeros, then header and bitmaps */
	char *head;       /* buf + GAP_BYTES */
	uint32_t length;  /* blocks of headers that are in buf */
	bool dirty;       /* bitmaps in buf are not all free */
};

/* Set the state of blocks from .. from + n - 1 of a group. */
static void mark(const struct mkfs_build *b, char *head, uint64_t from,
		 uint64_t n, unsigned int state)
{
	uint64_t start = 0;

	for (uint32_t i = 0; n; i++) {
		uint64_t cap = GFS2_NBBY *
			       (uint64_t)gfs_geom_bitmap_bytes(b->g, i);
		uint64_t some;

		if (from < start + cap) {
			some = gfs_min(n, start + cap - from);
			gfs_bitmap_fill(head + (size_t)i * b->g->bsize +
						gfs_geom_bitmap_offset(i),
					from - start, some, state);
			from += some;
			n -= some;
		}
		start += cap;
	}
}

/* Headers of the bitmap blocks; bitmaps all free. */
static void prepare(const struct mkfs_build *b, struct rgrp_writer *w,
		    uint32_t length)
{
	if (w->length == length && !w->dirty)
		return;
	memset(w->head, 0, (size_t)length * b->g->bsize);
	gfs_block_header(w->head, GFS2_METATYPE_RG);
	for (uint32_t i = 1; i < length; i++)
		gfs_block_header(w->head + (size_t)i * b->g->bsize,
				 GFS2_METATYPE_RB);
	w->length = length;
	w->dirty = false;
}

static void fill(const struct mkfs_build *b, struct rgrp_writer *w, uint64_t i,
		 const struct mkfs_rgrp *rg)
{
	struct gfs2_rgrp *head = (struct gfs2_rgrp *)w->head;
	uint32_t used = mkfs_space_used(&b->space, i, rg);
	const uint64_t *dinode;
	uint64_t n = mkfs_space_dinodes(&b->space, rg->data0,
					rg->data0 + rg->data, &dinode);
	bool journal = i < b->plan->journals;

	mark(b, w->head, 0, used, GFS2_BLKST_USED);
	if (journal)
		mark(b, w->head, 0, 1, GFS2_BLKST_DINODE);
	for (uint64_t k = 0; k < n; k++)
		mark(b, w->head, dinode[k] - rg->data0, 1, GFS2_BLKST_DINODE);
	w->dirty = used != 0;

	head->rg_free = cpu_to_be32(rg->data - used);
	head->rg_dinodes = cpu_to_be32((uint32_t)n + journal);
	head->rg_skip = cpu_to_be32(
		i + 1 < b->plan->rgrps ? (uint32_t)rg->total : 0);
	head->rg_data0 = cpu_to_be64(rg->data0);
	head->rg_data = cpu_to_be32(rg->data);
	head->rg_bitbytes = cpu_to_be32(rg->bitbytes);
	gfs_block_seal(b->g, head);
}

/* Write group i, and zeros from `from` to it. */
static int write_one(struct mkfs_build *b, struct rgrp_writer *w, uint64_t i,
		     uint64_t from)
{
	struct mkfs_rgrp rg;
	uint64_t gap;

	mkfs_plan_rgrp(b->plan, i, &rg);
	prepare(b, w, rg.length);
	fill(b, w, i, &rg);
	gap = rg.addr - from;
	if (gap * b->g->bsize > GAP_BYTES) {
		int rc = mkfs_out_zero(&b->out, from, gap);

		if (rc)
			return rc;
		gap = 0;
	}
	if (gap && mkfs_out_is_hole(&b->out, from, gap))
		gap = 0;
	return mkfs_out_write(&b->out, rg.addr - gap,
			      w->head - gap * b->g->bsize, gap + rg.length);
}

static uint32_t longest(const struct mkfs_plan *plan)
{
	struct mkfs_rgrp rg;
	uint32_t length = 0;

	for (int i = 0; i < MKFS_RUNS; i++) {
		if (!plan->runs[i].count)
			continue;
		mkfs_plan_bounds(&plan->geom, 0, plan->runs[i].total, &rg);
		length = (uint32_t)gfs_max(length, rg.length);
	}
	return length;
}

int mkfs_build_rgrps(struct mkfs_build *b)
{
	struct rgrp_writer w = { 0 };
	uint64_t from = b->g->sb_blk + 1;
	struct mkfs_rgrp rg;
	int rc = 0;

	w.buf = calloc(1, GAP_BYTES +
				  (size_t)longest(b->plan) * b->g->bsize);
	if (!w.buf)
		return mkfs_no_space(b, -ENOMEM);
	w.head = w.buf + GAP_BYTES;
	for (uint64_t i = 0; !rc && i < b->plan->rgrps; i++) {
		rc = write_one(b, &w, i, from);
		mkfs_plan_rgrp(b->plan, i, &rg);
		from = rg.data0 + rg.data;
		cli_progress_step(&b->progress, i);
	}
	free(w.buf);
	return rc;
}
