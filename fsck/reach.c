// SPDX-License-Identifier: GPL-2.0-or-later
/* Is every inode reachable from the root or the master directory? */
#include <dirent.h>
#include <inttypes.h>

#include "fsck.h"

static struct fsck_dir *parent_of(struct fsck *f, const struct fsck_dir *dir)
{
	return dir->parent == NO_INDEX ? NULL :
					 dirs_find(&f->dirs, dir->parent);
}

static bool is_top(const struct fsck_dir *dir)
{
	return dir->parent == dir->inode;
}

static void report_top(struct fsck *f, const struct fsck_dir *dir, bool loop)
{
	const struct fsck_inode *ip = &f->inodes.v[dir->inode];

	if (dir->flags & DIR_LEAVING || ip->flags & INODE_SKIP)
		return;
	f->blind = true;
	problem_note(f, loop ? CK_DIR_LOOP : CK_ORPHAN_DIR,
		     at_inode(ip->addr, ip->addr), "%s", "");
}

/*
 * Go up from dir until something known; then give all on the way the result.
 * Each directory is passed at most twice in all.
 */
static void visit(struct fsck *f, struct fsck_dir *dir)
{
	struct fsck_dir *top = dir, *d;
	uint8_t result;

	while (!(top->flags & (DIR_REACHED | DIR_LOST | DIR_VISITING)) &&
	       !is_top(top)) {
		top->flags |= DIR_VISITING;
		d = parent_of(f, top);
		if (!d)
			break;
		top = d;
	}
	result = is_top(top) || top->flags & DIR_REACHED ? DIR_REACHED :
							   DIR_LOST;
	if (result == DIR_LOST && top->flags & DIR_VISITING)
		report_top(f, top, top->parent != NO_INDEX);
	for (d = dir; d && !(d->flags & (DIR_REACHED | DIR_LOST));
	     d = is_top(d) ? NULL : parent_of(f, d))
		d->flags = (uint8_t)((d->flags & ~DIR_VISITING) | result);
}

static void orphan(struct fsck *f, struct fsck_inode *ip)
{
	struct fsck_at at = at_inode(ip->addr, ip->addr);
	uint64_t i;

	if (!(ip->flags & INODE_EMPTY) || ip->flags & INODE_SYSTEM ||
	    f->blind || f->lost_dinodes || !fsck_index(f, ip->addr, &i)) {
		problem_note(f, CK_ORPHAN, at, "%s", "");
		f->blind = true;
		return;
	}
	if (!problem(f, CK_ORPHAN_EMPTY, at, "%s", ""))
		return;
	fsck_set_state(f, i, GFS2_BLKST_FREE);
	blockmap_set(&f->want, i, GFS2_BLKST_FREE);
}

int fsck_reach(struct fsck *f)
{
	for (uint32_t i = 0; i < f->dirs.n; i++)
		visit(f, &f->dirs.v[i]);
	for (uint32_t i = 0; i < f->inodes.n; i++) {
		struct fsck_inode *ip = &f->inodes.v[i];

		if (!(ip->flags & (INODE_NAMED | INODE_UNLINKED | INODE_DIR |
				   INODE_UNREADABLE)))
			orphan(f, ip);
	}
	return f->stop ? -GFS_EINTR : 0;
}
