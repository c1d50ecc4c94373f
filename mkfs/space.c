// SPDX-License-Identifier: GPL-2.0-or-later
/* Handing out the blocks of a new volume in ascending order. */
#include "space.h"

#include <errno.h>
#include <stdlib.h>

/* Blocks of group i that its journal has. */
static uint32_t journal_share(const struct mkfs_plan *plan, uint64_t i)
{
	return i < plan->journals ? plan->journal_total : 0;
}

static void enter_group(struct mkfs_space *sp, uint64_t i)
{
	sp->group = i;
	sp->used = journal_share(sp->plan, i);
	if (i < sp->plan->rgrps)
		mkfs_plan_rgrp(sp->plan, i, &sp->rg);
}

void mkfs_space_init(struct mkfs_space *sp, const struct mkfs_plan *plan)
{
	*sp = (struct mkfs_space){
		.plan = plan,
		.taken = (uint64_t)plan->journals * plan->journal_total,
	};
	enter_group(sp, 0);
}

void mkfs_space_fini(struct mkfs_space *sp)
{
	free(sp->dinodes);
	sp->dinodes = NULL;
}

int mkfs_space_take(struct mkfs_space *sp, uint64_t *blk)
{
	while (sp->group < sp->plan->rgrps && sp->used >= sp->rg.data)
		enter_group(sp, sp->group + 1);
	if (sp->group >= sp->plan->rgrps)
		return -GFS_EFULL;
	*blk = sp->rg.data0 + sp->used++;
	sp->taken++;
	return 0;
}

int mkfs_space_take_dinode(struct mkfs_space *sp, uint64_t *blk)
{
	uint64_t *more;
	int rc;

	/* Doubles whenever the number of entries is a power of two. */
	if (!(sp->n_dinodes & (sp->n_dinodes - 1))) {
		more = realloc(sp->dinodes, gfs_max(2 * sp->n_dinodes, 16) *
						    sizeof(*more));
		if (!more)
			return -ENOMEM;
		sp->dinodes = more;
	}
	rc = mkfs_space_take(sp, blk);
	if (!rc)
		sp->dinodes[sp->n_dinodes++] = *blk;
	return rc;
}

uint32_t mkfs_space_used(const struct mkfs_space *sp, uint64_t i,
			 const struct mkfs_rgrp *rg)
{
	if (i < sp->group)
		return rg->data;
	return i == sp->group ? sp->used : journal_share(sp->plan, i);
}

/* Index of the first inode at or behind blk. */
static uint64_t lower_bound(const struct mkfs_space *sp, uint64_t blk)
{
	uint64_t low = 0, high = sp->n_dinodes;

	while (low < high) {
		uint64_t mid = low + (high - low) / 2;

		if (sp->dinodes[mid] < blk)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

uint64_t mkfs_space_dinodes(const struct mkfs_space *sp, uint64_t from,
			    uint64_t to, const uint64_t **first)
{
	uint64_t low = lower_bound(sp, from);

	*first = sp->dinodes + low;
	return lower_bound(sp, to) - low;
}
