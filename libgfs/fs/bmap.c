// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Block trees. The indirect blocks of the last path stay borrowed, so that a
 * walk in order reads each of them once.
 */
#include "bmap.h"

#include "read.h"

#include <errno.h>
#include <inttypes.h>

/* A block of pointers on the path, and a slot in it. */
struct place {
	const char *slots;
	uint32_t slot;
	uint32_t n;    /* slots in the block */
	uint64_t span; /* logical blocks below one pointer */
};

static uint64_t pointer(const struct place *at, uint32_t slot)
{
	be64 v;

	memcpy(&v, at->slots + slot * sizeof(v), sizeof(v));
	return be64_to_cpu(v);
}

static void place_dinode(const struct gfs_inode *ip, struct place *at)
{
	const struct gfs_geom *g = &ip->fs->geom;

	at->slots = (const char *)ip->buf->data + sizeof(struct gfs2_dinode);
	at->n = g->diptrs;
	at->span = 1;
	for (uint32_t h = 1; h < ip->height; h++)
		at->span *= g->inptrs;
}

/*
 * Have the indirect block blk as path[level]. A walk in one direction loads no
 * more blocks than the volume has, unless its tree has a cycle.
 */
static int load(struct gfs_inode *ip, uint32_t level, uint64_t blk)
{
	struct gfs_buf **buf = &ip->path[level];

	if (*buf && (*buf)->blk == blk)
		return 0;
	if (++ip->path_loads > ip->fs->nblocks)
		return gfs_fail(ip->fs->err, GFS_ECYCLE, ip->blk,
				"block tree has more branches than blocks");
	gfs_buf_put(*buf);
	*buf = NULL;
	return gfs_read_get(ip->fs, blk, GFS2_METATYPE_IN, buf);
}

/* From the dinode down to the last block of pointers, or to a null one. */
static int find(struct gfs_inode *ip, uint64_t lblk, struct place *at)
{
	const struct gfs_geom *g = &ip->fs->geom;
	uint32_t slots[GFS2_MAX_META_HEIGHT];
	int rc = gfs_geom_path(g, ip->height, lblk, slots);

	if (rc)
		return rc;
	if (lblk < ip->path_lblk)
		ip->path_loads = 0;
	ip->path_lblk = lblk;
	place_dinode(ip, at);
	at->slot = slots[0];
	for (uint32_t level = 1; level < ip->height; level++) {
		uint64_t blk = pointer(at, at->slot);

		if (!blk)
			return 0;
		rc = load(ip, level, blk);
		if (rc)
			return rc;
		at->slots = (const char *)ip->path[level]->data +
			    sizeof(struct gfs2_meta_header);
		at->slot = slots[level];
		at->n = g->inptrs;
		at->span /= g->inptrs;
	}
	return 0;
}

/* Blocks from lblk to the next pointer of the block that is not 0. */
static uint64_t hole_length(const struct place *at, uint64_t lblk)
{
	uint32_t end = at->slot + 1;

	while (end < at->n && !pointer(at, end))
		end++;
	return (end - at->slot) * at->span - lblk % at->span;
}

static uint64_t run_length(const struct gfs_inode *ip, const struct place *at,
			   uint64_t max)
{
	uint64_t first = pointer(at, at->slot);
	uint64_t n = gfs_min(max, at->n - at->slot);
	uint64_t i = 1;

	n = gfs_min(n, ip->fs->nblocks - first);
	while (i < n && pointer(at, at->slot + (uint32_t)i) == first + i)
		i++;
	return i;
}

/* The part of an extent that lies in one block of pointers. */
static int piece(struct gfs_inode *ip, uint64_t lblk, uint64_t max,
		 struct gfs_extent *ext)
{
	struct place at;
	uint64_t blk;
	int rc;

	*ext = (struct gfs_extent){ .lblk = lblk, .count = max };
	if (lblk >= ip->fs->geom.height_blocks[ip->height])
		return 0;
	rc = find(ip, lblk, &at);
	if (rc)
		return rc;
	blk = pointer(&at, at.slot);
	if (!blk) {
		ext->count = gfs_min(max, hole_length(&at, lblk));
		return 0;
	}
	if (!gfs_fs_has_block(ip->fs, blk))
		return gfs_fail(ip->fs->err, GFS_EOUTSIDE, ip->blk,
				"logical block %" PRIu64 " at %" PRIu64, lblk,
				blk);
	ext->pblk = blk;
	ext->count = run_length(ip, &at, max);
	return 0;
}

static bool goes_on(const struct gfs_extent *ext, const struct gfs_extent *next)
{
	if (!ext->pblk)
		return !next->pblk;
	return next->pblk == ext->pblk + ext->count;
}

int gfs_bmap(struct gfs_inode *ip, uint64_t lblk, uint64_t max,
	     struct gfs_extent *ext)
{
	struct gfs_extent next;
	int rc;

	if (!ip->height)
		return gfs_fail(ip->fs->err, EINVAL, ip->blk,
				"a stuffed inode has no block tree");
	max = gfs_min(gfs_max(max, 1), UINT64_MAX - lblk);
	rc = piece(ip, lblk, max, ext);
	while (!rc && ext->count < max) {
		/* What is wrong behind this extent is for the next call. */
		if (piece(ip, lblk + ext->count, max - ext->count, &next) ||
		    !goes_on(ext, &next))
			break;
		ext->count += next.count;
	}
	return rc;
}

int gfs_bmap_next(struct gfs_inode *ip, uint64_t lblk, uint64_t max,
		  struct gfs_extent *ext)
{
	uint64_t end = ip->fs->geom.height_blocks[ip->height];

	while (lblk < end) {
		int rc = piece(ip, lblk, end - lblk, ext);

		if (rc)
			return rc;
		if (ext->pblk) {
			rc = gfs_bmap(ip, lblk, max, ext);
			return rc ? rc : 1;
		}
		lblk += ext->count;
	}
	return 0;
}
