// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts of the resource groups, and the totals of the filesystem. */
#include <errno.h>
#include <inttypes.h>

#include "fsck.h"

#define RG(member) ((uint32_t)offsetof(struct gfs2_rgrp, member))

/* Counts of a group: in the bitmap now, after repair, and as it should be. */
struct truth {
	uint32_t disk, final;
	uint32_t want;
};

static void set_count(struct fsck *f, uint32_t r, uint32_t off, uint32_t value)
{
	edit_set(f, f->fs->rgrps.rg[r].addr, off, 4, value);
	f->rg[r].edited = true;
}

/*
 * A recorded count. One that fits the bitmap before or after repairs agreed to
 * is no finding of its own; it follows.
 */
static void check_count(struct fsck *f, uint32_t r, enum fsck_check check,
			uint32_t recorded, const struct truth *t)
{
	uint32_t off = check == CK_RG_FREE ? RG(rg_free) : RG(rg_dinodes);
	bool fix;

	if (recorded == t->final)
		return;
	if (recorded == t->disk || recorded == t->want || f->rg[r].header_bad)
		fix = problem_may_fix(f) &&
		      (t->disk != t->final || f->rg[r].edited);
	else
		fix = problem(f, check, at_block(f->fs->rgrps.rg[r].addr),
			      "recorded %u, counted %u", recorded, t->final);
	if (fix)
		set_count(f, r, off, t->final);
}

static void check_generation(struct fsck *f, uint32_t r)
{
	struct fsck_rg *s = &f->rg[r];
	uint64_t addr = f->fs->rgrps.rg[r].addr;

	if (!s->max_generation || s->igeneration > s->max_generation)
		return;
	if (s->header_bad ? !s->edited :
			    !problem(f, CK_RG_GENERATION, at_block(addr),
				     "%" PRIu64 ", a dinode has %" PRIu64,
				     s->igeneration, s->max_generation))
		return;
	edit_set(f, addr, RG(rg_igeneration), 8, s->max_generation + 1);
	s->edited = true;
}

static void check_group(struct fsck *f, uint32_t r)
{
	struct fsck_rg *s = &f->rg[r];
	uint64_t want[4] = { 0 };
	struct truth free = { .disk = s->disk_free };
	struct truth dinodes = { .disk = s->disk_dinodes };
	uint64_t found = f->problems.found;

	if (s->unreadable || (s->header_bad && !s->edited))
		return;
	free.final = (uint32_t)(s->disk_free + s->free_delta);
	dinodes.final = (uint32_t)(s->disk_dinodes + s->dinodes_delta);
	if (s->free != free.final || s->dinodes != dinodes.final)
		blockmap_count(&f->want, s->start, f->fs->rgrps.rg[r].data,
			       want);
	free.want = (uint32_t)want[GFS2_BLKST_FREE];
	dinodes.want = (uint32_t)(want[GFS2_BLKST_UNLINKED] +
				  want[GFS2_BLKST_DINODE]);
	check_count(f, r, CK_RG_FREE, s->free, &free);
	check_count(f, r, CK_RG_DINODES, s->dinodes, &dinodes);
	check_generation(f, r);
	if (s->crc_bad && !s->edited && !s->noted &&
	    f->problems.found == found &&
	    problem(f, CK_RG_CRC, at_block(f->fs->rgrps.rg[r].addr), "%s", ""))
		edit_seal(f, f->fs->rgrps.rg[r].addr);
}

int fsck_read_statfs(struct fsck *f)
{
	int rc;

	f->have_statfs = false;
	if (!f->fs->sys.statfs.addr)
		return 0;
	rc = gfs_fs_read_statfs(f->fs, &f->statfs, &f->changes);
	if (rc == -ENOMEM)
		return fsck_report(f, rc);
	f->have_statfs = !rc;
	return 0;
}

static bool same(const struct gfs_statfs *a, const struct gfs_statfs *b)
{
	return a->total == b->total && a->free == b->free &&
	       a->dinodes == b->dinodes;
}

/* Put the true totals into master's file, nothing into those of the nodes. */
static void set_statfs(struct fsck *f, const struct gfs_statfs *want)
{
	const uint32_t at = sizeof(struct gfs2_dinode);
	uint64_t addr = f->fs->sys.statfs.addr;

	edit_set(f, addr, at, 8, (uint64_t)want->total);
	edit_set(f, addr, at + 8, 8, (uint64_t)want->free);
	edit_set(f, addr, at + 16, 8, (uint64_t)want->dinodes);
	if (!f->changes.total && !f->changes.free && !f->changes.dinodes)
		return;
	for (size_t i = 0; i < f->n_roles; i++)
		if (f->roles[i].kind == ROLE_STATFS_CHANGE)
			edit_zero(f, f->roles[i].addr, at,
				  sizeof(struct gfs2_statfs_change));
}

/* A file that is no 24 bytes inside its dinode has no totals to compare. */
static bool is_stuffed(struct fsck *f, uint64_t addr)
{
	uint32_t n = inodes_find(&f->inodes, addr);

	return n != NO_INDEX && !f->inodes.v[n].height &&
	       !(f->inodes.v[n].flags & INODE_UNREADABLE);
}

static void check_statfs(struct fsck *f)
{
	struct gfs_statfs now = {
		.total = f->statfs.total + f->changes.total,
		.free = f->statfs.free + f->changes.free,
		.dinodes = f->statfs.dinodes + f->changes.dinodes,
	};
	struct gfs_statfs want = { .total = (int64_t)f->n_data };
	struct gfs_statfs recorded = want;
	uint64_t addr = f->fs->sys.statfs.addr;
	bool fix;

	for (uint32_t r = 0; r < f->fs->rgrps.n; r++) {
		const struct fsck_rg *s = &f->rg[r];

		if (s->unreadable || (s->header_bad && !s->edited))
			return;
		want.free += s->disk_free + s->free_delta;
		want.dinodes += s->disk_dinodes + s->dinodes_delta;
		recorded.free += s->free;
		recorded.dinodes += s->dinodes;
	}
	if (same(&now, &want) || !is_stuffed(f, addr))
		return;
	if (same(&now, &recorded))
		fix = problem_may_fix(f);
	else
		fix = problem(f, CK_STATFS, at_inode(addr, addr),
			      "recorded %" PRId64 " %" PRId64 " %" PRId64
			      ", counted %" PRId64 " %" PRId64 " %" PRId64,
			      now.total, now.free, now.dinodes, want.total,
			      want.free, want.dinodes);
	if (fix)
		set_statfs(f, &want);
}

int fsck_counts(struct fsck *f)
{
	for (uint32_t r = 0; r < f->fs->rgrps.n; r++)
		check_group(f, r);
	if (f->have_statfs)
		check_statfs(f);
	return f->stop ? -GFS_EINTR : 0;
}
