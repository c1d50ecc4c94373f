// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Inodes that lost their last name before a crash: legal, but nobody would
 * free them soon. A run that may repair frees them, as the kernel would.
 */
#include <inttypes.h>

#include "fsck.h"

static void free_block(struct fsck *f, uint64_t blk)
{
	uint64_t i;

	if (!fsck_index(f, blk, &i) ||
	    blockmap_get(&f->want, i) == GFS2_BLKST_FREE)
		return;
	fsck_set_state(f, i, GFS2_BLKST_FREE);
	blockmap_set(&f->want, i, GFS2_BLKST_FREE);
}

static void free_ref(struct fsck *f, void *ctx, const struct fsck_ref *ref)
{
	uint64_t i;

	(void)ctx;
	if (fsck_index(f, ref->blk, &i) &&
	    blockmap_get(&f->want, i) == GFS2_BLKST_USED)
		free_block(f, ref->blk);
}

/* Nothing is freed of a volume where it is not known what belongs to whom. */
static bool may_reclaim(const struct fsck *f)
{
	return problem_may_fix(f) && !f->dups.n && !f->blind;
}

int fsck_reclaim(struct fsck *f)
{
	struct blockmap visited;
	uint64_t n = 0;
	int rc = 0;

	if (!may_reclaim(f))
		return 0;
	blockmap_init(&visited, f->n_data);
	for (uint32_t k = 0; !rc && k < f->inodes.n; k++) {
		struct fsck_inode *ip = &f->inodes.v[k];

		if (!(ip->flags & INODE_UNLINKED) || ip->links_left ||
		    ip->flags & (INODE_NAMED | INODE_PARTIAL))
			continue;
		rc = fsck_visit(f, k, &visited, free_ref, NULL);
		free_block(f, ip->addr);
		ip->blocks_left = 0;
		n++;
	}
	blockmap_fini(&visited);
	if (n)
		fsck_say(f, 0, "Freed %" PRIu64 " inodes that were waiting for "
			 "removal.\n", n);
	f->reclaimed += n;
	return rc;
}
