// SPDX-License-Identifier: GPL-2.0-or-later
/* Finding free blocks and allocating them. */
#include "../format/bitmap.h"
#include "alloc_priv.h"
#include "read.h"

#include <errno.h>
#include <inttypes.h>

/* Leave out what the caller does not want: at most n blocks, maybe 0. */
static uint64_t wanted_run(const struct gfs_writer *w, uint64_t blk, uint64_t n)
{
	uint64_t i = 0;

	if (!w->opts.avoid)
		return n;
	while (i < n && !w->opts.avoid(w->opts.ctx, blk + i))
		i++;
	return i;
}

/* The first run in the part of a place; got->n is 0 when there is none. */
static int find_in_part(struct gfs_writer *w, const struct gfs_alloc_place *p,
			uint64_t n, struct gfs_blocks *got)
{
	const uint8_t *bits = gfs_alloc_clone_bits(w->alloc, p->part.blk);
	uint64_t base = p->rg->data0 + p->part.start * GFS2_NBBY;
	struct gfs_buf *buf = NULL;
	uint64_t at = p->from;
	int rc;

	if (!bits) {
		rc = gfs_alloc_part(w, p, &buf);
		if (rc)
			return rc;
		bits = (const uint8_t *)buf->data + p->part.offset;
	}
	got->n = 0;
	while (!got->n) {
		uint64_t end;

		at = gfs_bitmap_find(bits, at, p->to, GFS2_BLKST_FREE);
		if (at == p->to)
			break;
		end = gfs_bitmap_find_other(bits, at, gfs_min(p->to, at + n),
					    GFS2_BLKST_FREE);
		got->blk = base + at;
		got->n = wanted_run(w, got->blk, end - at);
		at++;
	}
	gfs_buf_put(buf);
	return 0;
}

/* The first run of a group from a place on, then from its start. */
static int find_in_group(struct gfs_writer *w, struct gfs_alloc_place *p,
			 uint64_t n, struct gfs_blocks *got)
{
	uint32_t start = p->from;
	uint32_t at = start;
	bool wrapped = false;

	got->n = 0;
	for (;;) {
		int rc;

		gfs_alloc_goto(w, p, at);
		rc = find_in_part(w, p, n, got);
		if (rc || got->n)
			return rc;
		at += p->to - p->from;
		if (at >= p->rg->data) {
			if (wrapped || !start)
				return 0;
			wrapped = true;
			at = 0;
		} else if (wrapped && at > start) {
			return 0;
		}
	}
}

/* Search the groups that have at least `least` blocks left. */
static int find(struct gfs_writer *w, const struct gfs_blocks *want,
		uint64_t least, struct gfs_blocks *got)
{
	const struct gfs_rgrps *r = &w->fs->rgrps;
	const struct gfs_rgrp *home = gfs_rgrp_find(r, want->blk);
	uint32_t begin = home ? gfs_alloc_index(w, home) : 0;

	got->n = 0;
	for (uint32_t k = 0; k < r->n; k++) {
		struct gfs_alloc_place p = { .rg = &r->rg[(begin + k) % r->n] };
		int rc = gfs_alloc_load(w, gfs_alloc_index(w, p.rg), &p.group);

		if (rc)
			return rc;
		if (p.group->is_barred || p.group->avail < least)
			continue;
		p.from = p.rg == home ? (uint32_t)(want->blk - p.rg->data0)
				      : p.group->last;
		rc = find_in_group(w, &p, want->n, got);
		if (rc || got->n)
			return rc;
		/* Nothing that could be had, whatever the header says. */
		p.group->avail = 0;
	}
	return 0;
}

/* Find a run and make its blocks USED, the first one `state`. */
static int allocate(struct gfs_writer *w, const struct gfs_blocks *want,
		    unsigned int state, struct gfs_blocks *got)
{
	const struct gfs_rgrp *rg;
	int rc = find(w, want, want->n, got);

	if (!rc && !got->n && want->n > 1)
		rc = find(w, want, 1, got);
	if (rc)
		return rc;
	if (!got->n)
		return gfs_fail(w->fs->err, ENOSPC, GFS_NO_BLOCK,
				"no block is free");
	if (state == GFS2_BLKST_USED)
		rc = gfs_alloc_set_state(w, got->blk, got->n, state);
	else
		rc = gfs_alloc_set_state(w, got->blk, 1, state);
	if (!rc && state != GFS2_BLKST_USED && got->n > 1)
		rc = gfs_alloc_set_state(w, got->blk + 1, got->n - 1,
					 GFS2_BLKST_USED);
	rg = gfs_rgrp_find(&w->fs->rgrps, got->blk);
	w->alloc->groups[gfs_alloc_index(w, rg)].last =
		(uint32_t)(got->blk - rg->data0);
	return rc;
}

int gfs_alloc_blocks(struct gfs_writer *w, const struct gfs_blocks *want,
		     struct gfs_blocks *got)
{
	return allocate(w, want, GFS2_BLKST_USED, got);
}

/* The group's generation for a new inode; the next one is stored. */
static int take_generation(struct gfs_writer *w, uint64_t blk, uint64_t *gen)
{
	const struct gfs_rgrp *rg = gfs_rgrp_find(&w->fs->rgrps, blk);
	struct gfs2_rgrp *hdr;
	struct gfs_buf *buf;
	int rc = gfs_read_get(w->fs, rg->addr, GFS2_METATYPE_RG, &buf);

	if (rc)
		return rc;
	hdr = gfs_writer_edit(w, buf);
	gfs_buf_put(buf);
	if (!hdr)
		return -ENOMEM;
	*gen = be64_to_cpu(hdr->rg_igeneration);
	if (!*gen)
		*gen = 1;
	hdr->rg_igeneration = cpu_to_be64(*gen + 1);
	return 0;
}

int gfs_alloc_dinode(struct gfs_writer *w, const struct gfs_blocks *want,
		     struct gfs_blocks *got, uint64_t *generation)
{
	const struct gfs_rgrp *home = gfs_rgrp_find(&w->fs->rgrps, want->blk);
	struct gfs_blocks from = *want;
	struct gfs_alloc_group *group;
	int rc;

	/* Inodes go where the group's last allocation was, not to the goal. */
	if (home) {
		rc = gfs_alloc_load(w, gfs_alloc_index(w, home), &group);
		if (rc)
			return rc;
		from.blk = home->data0 + group->last;
	}
	rc = allocate(w, &from, GFS2_BLKST_DINODE, got);
	return rc ? rc : take_generation(w, got->blk, generation);
}

int gfs_alloc_check(struct gfs_writer *w, uint64_t goal, uint64_t n)
{
	const struct gfs_rgrps *r = &w->fs->rgrps;
	const struct gfs_rgrp *home = gfs_rgrp_find(r, goal);
	uint32_t begin = home ? gfs_alloc_index(w, home) : 0;
	uint64_t sum = 0;

	for (uint32_t k = 0; k < r->n; k++) {
		struct gfs_alloc_group *group;
		int rc = gfs_alloc_load(w, (begin + k) % r->n, &group);

		if (rc)
			return rc;
		if (!group->is_barred)
			sum += group->avail;
		if (sum >= n)
			return 0;
	}
	return gfs_fail(w->fs->err, ENOSPC, GFS_NO_BLOCK,
			"%" PRIu64 " blocks needed, %" PRIu64 " are free", n,
			sum);
}
