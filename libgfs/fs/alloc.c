// SPDX-License-Identifier: GPL-2.0-or-later
/* Allocation states: changing and counting them. */
#include "../format/bitmap.h"
#include "alloc_priv.h"
#include "read.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int gfs_alloc_open(struct gfs_writer *w)
{
	uint32_t n = w->fs->rgrps.n;

	w->alloc = calloc(1, sizeof(*w->alloc));
	if (w->alloc)
		w->alloc->groups =
			calloc(n ? n : 1, sizeof(struct gfs_alloc_group));
	if (w->alloc && w->alloc->groups)
		return 0;
	free(w->alloc);
	return gfs_fail(w->fs->err, ENOMEM, GFS_NO_BLOCK,
			"no memory for %u resource groups", n);
}

static void drop_clones(struct gfs_alloc *a)
{
	for (size_t i = 0; i < a->n_clones; i++)
		free(a->clones[i].bits);
	a->n_clones = 0;
	gfs_blkmap_fini(&a->clone_of);
}

void gfs_alloc_committed(struct gfs_writer *w)
{
	for (uint32_t i = 0; i < w->fs->rgrps.n; i++) {
		struct gfs_alloc_group *g = &w->alloc->groups[i];

		g->avail += g->pending;
		g->pending = 0;
	}
	drop_clones(w->alloc);
}

void gfs_alloc_aborted(struct gfs_writer *w)
{
	for (uint32_t i = 0; i < w->fs->rgrps.n; i++)
		w->alloc->groups[i] = (struct gfs_alloc_group){ 0 };
	w->alloc->free = w->alloc->dinodes = 0;
	drop_clones(w->alloc);
}

void gfs_alloc_close(struct gfs_writer *w)
{
	drop_clones(w->alloc);
	free(w->alloc->clones);
	free(w->alloc->groups);
	free(w->alloc);
}

/* Add the sums to the master statfs file, which must be stuffed. */
int gfs_alloc_settle(struct gfs_writer *w)
{
	struct gfs_alloc *a = w->alloc;
	struct gfs2_statfs_change *sc;
	struct gfs2_dinode *di;
	struct gfs_inode *ip;
	int rc;

	if (!a->free && !a->dinodes)
		return 0;
	rc = gfs_inode_get(w->fs, w->fs->sys.statfs.addr, &ip);
	if (rc)
		return rc;
	if (!gfs_inode_is_stuffed(ip) || ip->size < sizeof(*sc)) {
		rc = gfs_fail(w->fs->err, GFS_ECORRUPT, ip->blk,
			      "statfs is not stuffed");
		goto out;
	}
	di = gfs_writer_dinode(w, ip);
	if (!di) {
		rc = -ENOMEM;
		goto out;
	}
	sc = (struct gfs2_statfs_change *)(di + 1);
	sc->sc_free = cpu_to_be64(be64_to_cpu(sc->sc_free) + (uint64_t)a->free);
	sc->sc_dinodes =
		cpu_to_be64(be64_to_cpu(sc->sc_dinodes) + (uint64_t)a->dinodes);
	a->free = a->dinodes = 0;
out:
	gfs_inode_put(ip);
	return rc;
}

int gfs_alloc_load(struct gfs_writer *w, uint32_t i,
		   struct gfs_alloc_group **group)
{
	const struct gfs_rgrp *rg = &w->fs->rgrps.rg[i];
	struct gfs_alloc_group *g = &w->alloc->groups[i];
	const struct gfs2_rgrp *hdr;
	struct gfs_buf *buf;
	int rc;

	*group = g;
	if (g->is_loaded)
		return 0;
	rc = gfs_read_get(w->fs, rg->addr, GFS2_METATYPE_RG, &buf);
	if (rc)
		return rc;
	hdr = buf->data;
	g->avail = be32_to_cpu(hdr->rg_free);
	g->is_barred = (be32_to_cpu(hdr->rg_flags) & GFS2_RGF_NOALLOC) ||
		       (w->opts.rgrps && i >= w->opts.rgrps);
	gfs_buf_put(buf);
	g->is_loaded = g->avail <= rg->data;
	if (!g->is_loaded)
		return gfs_fail(w->fs->err, GFS_ECORRUPT, rg->addr,
				"rg_free is more than the group has");
	return 0;
}

void gfs_alloc_goto(const struct gfs_writer *w, struct gfs_alloc_place *p,
		    uint32_t at)
{
	const struct gfs_geom *g = &w->fs->geom;
	uint32_t first = gfs_geom_bitmap_bytes(g, 0);
	uint32_t byte = at / GFS2_NBBY;

	p->part_no = byte < first ? 0 : 1 + (byte - first) / g->jbsize;
	p->part = gfs_rgrp_bitmap_part(g, p->rg, p->part_no);
	p->from = at - p->part.start * GFS2_NBBY;
	p->to = p->part.bytes * GFS2_NBBY;
}

int gfs_alloc_part(struct gfs_writer *w, const struct gfs_alloc_place *p,
		   struct gfs_buf **buf)
{
	return gfs_read_get(w->fs, p->part.blk,
			    p->part_no ? GFS2_METATYPE_RB : GFS2_METATYPE_RG,
			    buf);
}

uint8_t *gfs_alloc_clone_bits(const struct gfs_alloc *a, uint64_t blk)
{
	uint64_t i;

	return gfs_blkmap_get(&a->clone_of, blk, &i) ? a->clones[i].bits : NULL;
}

static int add_clone(struct gfs_writer *w, const struct gfs_alloc_place *p,
		     const uint8_t *bits)
{
	struct gfs_alloc *a = w->alloc;
	size_t max = a->max_clones ? 2 * a->max_clones : 16;
	uint8_t *copy;

	if (a->n_clones == a->max_clones) {
		struct gfs_alloc_clone *more =
			realloc(a->clones, max * sizeof(*more));

		if (!more)
			return -ENOMEM;
		a->clones = more;
		a->max_clones = max;
	}
	copy = malloc(p->part.bytes);
	if (!copy)
		return -ENOMEM;
	if (gfs_blkmap_put(&a->clone_of, p->part.blk, a->n_clones)) {
		free(copy);
		return -ENOMEM;
	}
	memcpy(copy, bits, p->part.bytes);
	a->clones[a->n_clones++] =
		(struct gfs_alloc_clone){ p->part.blk, copy };
	return 0;
}

/* What searches see of a change to bits that are still as before. */
static int note_change(struct gfs_writer *w, const struct gfs_alloc_place *p,
		       const uint8_t *bits, unsigned int state)
{
	uint8_t *copy = gfs_alloc_clone_bits(w->alloc, p->part.blk);

	if (state != GFS2_BLKST_FREE) {
		if (copy)
			gfs_bitmap_fill(copy, p->from, p->to - p->from, state);
		return 0;
	}
	if (copy || !add_clone(w, p, bits))
		return 0;
	w->spoiled = true;
	return gfs_fail(w->fs->err, ENOMEM, p->part.blk, "bitmap");
}

static bool is_legal(unsigned int from, unsigned int to)
{
	static const uint8_t targets[] = {
		[GFS2_BLKST_FREE] =
			1 << GFS2_BLKST_USED | 1 << GFS2_BLKST_DINODE,
		[GFS2_BLKST_USED] = 1 << GFS2_BLKST_FREE,
		[GFS2_BLKST_UNLINKED] = 1 << GFS2_BLKST_FREE,
		[GFS2_BLKST_DINODE] =
			1 << GFS2_BLKST_FREE | 1 << GFS2_BLKST_UNLINKED,
	};

	return targets[from] >> to & 1;
}

/* Check the transition of the blocks at a place and make it. */
static int change_part(struct gfs_writer *w, const struct gfs_alloc_place *p,
		       unsigned int *from, unsigned int to)
{
	struct gfs_buf *buf;
	uint64_t bad;
	uint8_t *bits;
	int rc = gfs_alloc_part(w, p, &buf);

	if (rc)
		return rc;
	bits = (uint8_t *)gfs_writer_edit(w, buf);
	if (!bits) {
		rc = -ENOMEM;
		goto out;
	}
	bits += p->part.offset;
	if (*from > GFS2_BLKST_DINODE)
		*from = gfs_bitmap_get(bits, p->from);
	bad = is_legal(*from, to)
		      ? gfs_bitmap_find_other(bits, p->from, p->to, *from)
		      : p->from;
	if (bad < p->to) {
		rc = gfs_fail(w->fs->err, GFS_ECORRUPT,
			      p->rg->data0 + p->part.start * GFS2_NBBY + bad,
			      "%s block cannot become %s",
			      gfs_blkst_name(gfs_bitmap_get(bits, bad)),
			      gfs_blkst_name(to));
		goto out;
	}
	rc = note_change(w, p, bits, to);
	if (!rc)
		gfs_bitmap_fill(bits, p->from, p->to - p->from, to);
out:
	gfs_buf_put(buf);
	return rc;
}

static bool is_inode(unsigned int state)
{
	return state == GFS2_BLKST_DINODE || state == GFS2_BLKST_UNLINKED;
}

/* The copies of the geometry that the kernel renews with every change. */
static void renew_geometry(const struct gfs_writer *w,
			   const struct gfs_rgrp *rg, struct gfs2_rgrp *hdr)
{
	uint32_t i = gfs_alloc_index(w, rg);

	if (i + 1 < w->fs->rgrps.n)
		hdr->rg_skip = cpu_to_be32((uint32_t)(rg[1].addr - rg->addr));
	hdr->rg_data0 = cpu_to_be64(rg->data0);
	hdr->rg_data = cpu_to_be32(rg->data);
	hdr->rg_bitbytes = cpu_to_be32(rg->bitbytes);
}

static int count_change(struct gfs_writer *w, const struct gfs_rgrp *rg,
			int64_t d_free, int64_t d_dinodes)
{
	struct gfs_buf *buf;
	struct gfs2_rgrp *hdr;
	int64_t n_free, n_dinodes;
	int rc = gfs_read_get(w->fs, rg->addr, GFS2_METATYPE_RG, &buf);

	if (rc)
		return rc;
	hdr = gfs_writer_edit(w, buf);
	gfs_buf_put(buf);
	if (!hdr)
		return -ENOMEM;
	n_free = (int64_t)be32_to_cpu(hdr->rg_free) + d_free;
	n_dinodes = (int64_t)be32_to_cpu(hdr->rg_dinodes) + d_dinodes;
	if (n_free < 0 || n_dinodes < 0 || n_free + n_dinodes > rg->data)
		return gfs_fail(w->fs->err, GFS_ECORRUPT, rg->addr,
				"counts of the group contradict its bitmap");
	hdr->rg_free = cpu_to_be32((uint32_t)n_free);
	hdr->rg_dinodes = cpu_to_be32((uint32_t)n_dinodes);
	if (d_free > 0)
		hdr->rg_flags = cpu_to_be32(be32_to_cpu(hdr->rg_flags) &
					    ~(uint32_t)GFS2_RGF_TRIMMED);
	renew_geometry(w, rg, hdr);
	w->alloc->free += d_free;
	w->alloc->dinodes += d_dinodes;
	return 0;
}

/* The bits and the header; what was done stays done when this fails. */
static int change(struct gfs_writer *w, struct gfs_alloc_place *p, uint64_t n,
		  unsigned int state)
{
	uint32_t at = p->from;
	unsigned int from = UINT32_MAX;
	int64_t d_free = 0, d_dinodes = 0;

	for (uint64_t left = n; left;) {
		int rc;

		gfs_alloc_goto(w, p, at);
		p->to = (uint32_t)gfs_min(p->to, p->from + left);
		rc = change_part(w, p, &from, state);
		if (rc)
			return rc;
		at += p->to - p->from;
		left -= p->to - p->from;
	}
	d_free += state == GFS2_BLKST_FREE ? (int64_t)n : 0;
	d_free -= from == GFS2_BLKST_FREE ? (int64_t)n : 0;
	d_dinodes += is_inode(state) ? (int64_t)n : 0;
	d_dinodes -= is_inode(from) ? (int64_t)n : 0;
	if (d_free > 0)
		p->group->pending += (uint32_t)n;
	if (d_free < 0)
		p->group->avail -= (uint32_t)gfs_min(n, p->group->avail);
	return count_change(w, p->rg, d_free, d_dinodes);
}

int gfs_alloc_set_state(struct gfs_writer *w, uint64_t blk, uint64_t n,
			unsigned int state)
{
	struct gfs_alloc_place p = { .rg = gfs_rgrp_find(&w->fs->rgrps, blk) };
	int rc;

	if (!p.rg || n > p.rg->data - (blk - p.rg->data0))
		return gfs_fail(w->fs->err, GFS_EOUTSIDE, blk,
				"not blocks of one resource group");
	rc = gfs_alloc_load(w, gfs_alloc_index(w, p.rg), &p.group);
	if (rc || !n)
		return rc;
	p.from = (uint32_t)(blk - p.rg->data0);
	rc = change(w, &p, n, state);
	/* Bits may have been changed without the header. */
	if (rc)
		w->spoiled = true;
	return rc;
}

int gfs_alloc_free(struct gfs_writer *w, uint64_t blk, uint64_t n)
{
	int rc = gfs_rgrp_state(w->fs, blk);

	if (rc < 0)
		return rc;
	if (rc != GFS2_BLKST_USED)
		return gfs_fail(w->fs->err, GFS_ECORRUPT, blk,
				"block to be freed is %s",
				gfs_blkst_name((unsigned int)rc));
	return gfs_alloc_set_state(w, blk, n, GFS2_BLKST_FREE);
}
