// SPDX-License-Identifier: GPL-2.0-or-later
/* The arithmetic of a new volume's layout. */
#include "plan.h"

#include <errno.h>
#include <inttypes.h>

#define MIB (UINT64_C(1) << 20)

static uint64_t mb_blocks(const struct gfs_geom *g, uint64_t mb)
{
	return mb << (20 - g->shift);
}

static uint64_t floor4(uint64_t n)
{
	return n - n % GFS2_NBBY;
}

uint32_t mkfs_plan_journal_mb(uint32_t bsize, uint64_t blocks,
			      uint32_t journals)
{
	/* Up to this many blocks a journal: this many blocks for the log. */
	static const struct {
		uint64_t below;
		uint64_t blocks;
	} steps[] = {
		{ 524288, 4096 },	 { 2097152, 8192 },
		{ 4194304, 16384 },	 { 268435456, 32768 },
		{ 2684354560, 131072 },	 { UINT64_MAX, 262144 },
	};
	uint64_t least = MKFS_JOURNAL_MIN_MB * MIB / bsize;
	uint64_t share = blocks / journals;
	uint64_t mb = 0;

	if (share < 2 * least)
		return 0;
	if (share < 131072)
		return MKFS_JOURNAL_MIN_MB;
	for (size_t i = 0; !mb; i++)
		if (share < steps[i].below || i + 1 == GFS_ARRAY_SIZE(steps))
			mb = steps[i].blocks * bsize / MIB;
	mb = gfs_max(mb, MKFS_JOURNAL_MIN_MB);
	return (uint32_t)gfs_min(mb, MKFS_JOURNAL_MAX_MB);
}

uint64_t mkfs_plan_file_blocks(const struct gfs_geom *g, uint64_t n,
			       unsigned int *height)
{
	uint64_t total = n + 1;
	unsigned int h = 1;

	for (uint64_t level = n; level > g->diptrs; h++) {
		level = gfs_div_up(level, g->inptrs);
		total += level;
	}
	if (height)
		*height = h;
	return total;
}

void mkfs_plan_bounds(const struct gfs_geom *g, uint64_t addr, uint64_t total,
		      struct mkfs_rgrp *rg)
{
	uint64_t further = gfs_geom_rgrp_cap(g, 2) - gfs_geom_rgrp_cap(g, 1);
	uint64_t b = 0;
	uint64_t data;

	/* Start below the answer: each block maps at most `further`. */
	if (total > 2 * further)
		b = total / (further + 1) - 1;
	while (gfs_geom_rgrp_cap(g, b + 1) < floor4(total - b))
		b++;
	data = floor4(total - (b + 1));
	if (gfs_geom_rgrp_cap(g, b) < data)
		b++;

	rg->addr = addr;
	rg->total = total;
	rg->length = (uint32_t)b;
	rg->data0 = addr + b;
	rg->data = (uint32_t)data;
	rg->bitbytes = (uint32_t)(data / GFS2_NBBY);
}

void mkfs_plan_divide(const struct gfs_geom *g, const struct mkfs_request *req,
		      uint64_t addr, uint64_t space, struct mkfs_run runs[2])
{
	uint64_t al = req->align;
	uint64_t adj = gfs_max(al, 1);
	uint64_t target = mb_blocks(g, req->rgrp_mb);
	uint64_t most = mb_blocks(g, MKFS_RGRP_MAX_MB);
	uint64_t len, short_len, n, n_short = 0;

	do {
		len = gfs_round_up(target, al) + req->offset;
		target = target > al + 1 ? target - (al + 1) : 0;
	} while (len > most && target);

	short_len = len;
	n = space / len;
	if (space - n * len > al) {
		/* One more, all shorter: the longest length that fits. */
		uint64_t fit = (space - 1) / ++n;

		if (len > fit + adj)
			len -= (len - fit - 1) / adj * adj;
		short_len = len > adj ? len - adj : 0;
		if (len * n >= space)
			n_short = (len * n - space) / adj + 1;
		n_short = gfs_min(n_short, n);
	}
	runs[0] = (struct mkfs_run){ addr, n - n_short, len };
	runs[1] = (struct mkfs_run){ addr + (n - n_short) * len, n_short,
				     short_len };
}

/* Length of the group that holds one journal and nothing else. */
static uint64_t journal_rgrp(const struct gfs_geom *g, uint64_t blocks,
			     const struct mkfs_request *req)
{
	uint64_t need = gfs_round_up(blocks, GFS2_NBBY);
	uint64_t first = gfs_geom_rgrp_cap(g, 1);
	uint64_t further = gfs_geom_rgrp_cap(g, 2) - first;
	uint64_t length = 1;

	if (need > first)
		length += gfs_div_up(need - first, further);
	return gfs_round_up(need + length, req->align) + req->offset;
}

static int too_small(struct gfs_error *err)
{
	return gfs_fail(err, GFS_EFULL, GFS_NO_BLOCK,
			"gfs2 will not fit on this device");
}

/* Blocks of each journal in plan->journal_blocks. */
static int plan_journals(struct mkfs_plan *plan, const struct mkfs_request *req,
			 struct gfs_error *err)
{
	uint64_t half = req->blocks / 2;
	uint64_t mb = req->journal_mb;
	uint64_t most;

	if (!mb) {
		mb = mkfs_plan_journal_mb(req->bsize, req->blocks,
					  req->journals);
		if (!mb)
			return too_small(err);
	} else if (mb_blocks(&plan->geom, mb) > half / req->journals) {
		most = half / req->journals >> (20 - plan->geom.shift);
		if (most < MKFS_JOURNAL_MIN_MB)
			return too_small(err);
		return gfs_fail(err, GFS_EFULL, GFS_NO_BLOCK,
				"gfs2 will not fit on this device. Maximum "
				"size for %" PRIu32 " journals on this device "
				"is %" PRIu64 "MB.", req->journals, most);
	}
	plan->journals = req->journals;
	plan->journal_blocks = (uint32_t)mb_blocks(&plan->geom, mb);
	plan->journal_total = (uint32_t)mkfs_plan_file_blocks(
		&plan->geom, plan->journal_blocks, &plan->journal_height);
	return 0;
}

static void count_groups(struct mkfs_plan *plan)
{
	struct mkfs_rgrp rg;

	for (int i = 0; i < MKFS_RUNS; i++) {
		if (!plan->runs[i].count)
			continue;
		mkfs_plan_bounds(&plan->geom, 0, plan->runs[i].total, &rg);
		plan->rgrps += plan->runs[i].count;
		plan->data += plan->runs[i].count * rg.data;
	}
}

int mkfs_plan_make(struct mkfs_plan *plan, const struct mkfs_request *req,
		   struct gfs_error *err)
{
	uint64_t addr, len;
	int rc;

	*plan = (struct mkfs_plan){ .blocks = req->blocks };
	rc = gfs_geom_init(&plan->geom, req->bsize);
	if (rc)
		return gfs_fail(err, rc, GFS_NO_BLOCK,
				"no block size: %" PRIu32, req->bsize);
	rc = plan_journals(plan, req, err);
	if (rc)
		return rc;
	addr = gfs_round_up(plan->geom.sb_blk + 1, req->offset);
	len = journal_rgrp(&plan->geom, plan->journal_total, req);
	if (addr >= req->blocks || (req->blocks - addr) / req->journals < len)
		return too_small(err);
	plan->runs[0] = (struct mkfs_run){ addr, req->journals, len };
	addr += req->journals * len;
	if (addr < req->blocks)
		mkfs_plan_divide(&plan->geom, req, addr, req->blocks - addr,
				 &plan->runs[1]);
	count_groups(plan);
	return 0;
}

void mkfs_plan_rgrp(const struct mkfs_plan *plan, uint64_t i,
		    struct mkfs_rgrp *rg)
{
	const struct mkfs_run *run = plan->runs;

	while (i >= run->count && run < &plan->runs[MKFS_RUNS - 1]) {
		i -= run->count;
		run++;
	}
	mkfs_plan_bounds(&plan->geom, run->addr + i * run->total, run->total,
			 rg);
}

uint64_t mkfs_plan_end(const struct mkfs_plan *plan)
{
	struct mkfs_rgrp rg;

	mkfs_plan_rgrp(plan, plan->rgrps - 1, &rg);
	return rg.data0 + rg.data;
}
