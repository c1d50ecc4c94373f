// SPDX-License-Identifier: GPL-2.0-or-later
/* The bitmaps' states against those that the trees ask for. */
#include <inttypes.h>
#include <stdio.h>

#include "../libgfs/format/bitmap.h"
#include "fsck.h"

/* Blocks of one group with the same contradiction. */
struct stretch {
	uint64_t index, n;
	uint32_t rg;
	unsigned int disk, want;
};

static bool is_dinode_state(unsigned int state)
{
	return state >= GFS2_BLKST_UNLINKED;
}

void fsck_set_state(struct fsck *f, uint64_t index, unsigned int state)
{
	unsigned int old = blockmap_get(&f->disk, index);
	struct fsck_rg *rg = &f->rg[fsck_rg_of(f, index)];

	rg->free_delta += (state == GFS2_BLKST_FREE) - (old == GFS2_BLKST_FREE);
	rg->dinodes_delta += is_dinode_state(state) - is_dinode_state(old);
	edit_state(f, index, state);
	blockmap_set(&f->disk, index, state);
}

static struct stretch stretch_at(struct fsck *f, uint64_t index)
{
	struct stretch s = {
		.index = index,
		.n = 1,
		.rg = fsck_rg_of(f, index),
		.disk = blockmap_get(&f->disk, index),
		.want = blockmap_get(&f->want, index),
	};
	uint64_t end = f->rg[s.rg].start + f->fs->rgrps.rg[s.rg].data;

	while (index + s.n < end &&
	       blockmap_get(&f->disk, index + s.n) == s.disk &&
	       blockmap_get(&f->want, index + s.n) == s.want)
		s.n++;
	return s;
}

static enum fsck_check check_of(const struct stretch *s)
{
	if (is_dinode_state(s->disk) && s->want == GFS2_BLKST_FREE)
		return CK_DI_NOT;
	if (s->want == GFS2_BLKST_FREE)
		return CK_MAP_LEAK;
	return s->disk == GFS2_BLKST_FREE ? CK_MAP_FREE : CK_MAP_STATE;
}

/* What is not known to belong to nothing is not freed. */
static bool may_ask(const struct fsck *f, const struct stretch *s)
{
	return s->want != GFS2_BLKST_FREE || !f->blind;
}

static void check_stretch(struct fsck *f, const struct stretch *s)
{
	uint64_t blk = fsck_block(f, s->index);
	char detail[80] = "";
	bool fix = false;

	snprintf(detail, sizeof(detail), "%" PRIu64 " blocks, %s, should be %s",
		 s->n, gfs_blkst_name(s->disk), gfs_blkst_name(s->want));
	if (may_ask(f, s))
		fix = problem(f, check_of(s), at_block(blk), "%s", detail);
	else
		problem_note(f, check_of(s), at_block(blk), "%s", detail);
	for (uint64_t i = 0; fix && i < s->n; i++)
		fsck_set_state(f, s->index + i, s->want);
}

int fsck_bitmaps(struct fsck *f)
{
	uint64_t i = 0;

	while ((i = blockmap_differ(&f->disk, &f->want, i)) < f->n_data) {
		struct stretch s = stretch_at(f, i);

		if (f->stop)
			return -GFS_EINTR;
		if (!f->rg[s.rg].unreadable)
			check_stretch(f, &s);
		i += s.n;
	}
	return 0;
}
