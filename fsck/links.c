// SPDX-License-Identifier: GPL-2.0-or-later
/* What inodes count: links, blocks and directory entries. */
#include <inttypes.h>

#include "fsck.h"

/* Recorded di_nlink and di_blocks, read again for the few that are wrong. */
static bool recorded(struct fsck *f, uint64_t addr, uint32_t *nlink,
		     uint64_t *blocks)
{
	const struct gfs2_dinode *di;
	struct gfs_buf *buf;

	if (gfs_buf_get(f->fs->cache, addr, &buf))
		return false;
	di = buf->data;
	*nlink = be32_to_cpu(di->di_nlink);
	*blocks = be64_to_cpu(di->di_blocks);
	gfs_buf_put(buf);
	return true;
}

static void check_links(struct fsck *f, const struct fsck_inode *ip,
			uint32_t nlink)
{
	struct fsck_at at = at_inode(ip->addr, ip->addr);
	uint32_t counted = nlink - ip->links_left;
	uint32_t off = offsetof(struct gfs2_dinode, di_nlink);

	if (ip->flags & INODE_UNLINKED) {
		if (problem(f, CK_DI_ALIVE, at, "%u", nlink))
			edit_set(f, ip->addr, off, 4, 0);
		return;
	}
	if (!(ip->flags & INODE_NAMED))
		return;
	if (problem(f, CK_NLINK, at, "recorded %u, counted %u", nlink, counted))
		edit_set(f, ip->addr, off, 4, counted);
}

static void check_blocks(struct fsck *f, const struct fsck_inode *ip,
			 uint64_t blocks)
{
	uint64_t counted = blocks - ip->blocks_left;
	bool fix;

	/* What was cut off in an earlier round is no new finding. */
	if (fsck_touched(f, ip->addr))
		fix = problem_may_fix(f);
	else
		fix = problem(f, CK_DI_BLOCKS, at_inode(ip->addr, ip->addr),
			      "recorded %" PRIu64 ", counted %" PRIu64, blocks,
			      counted);
	if (fix)
		edit_set(f, ip->addr, offsetof(struct gfs2_dinode, di_blocks),
			 8, counted);
}

static void check_inode(struct fsck *f, const struct fsck_inode *ip)
{
	bool torn = ip->flags & INODE_PARTIAL && ip->flags & INODE_DIR;
	bool links = ip->links_left && !torn && !(ip->flags & INODE_SKIP);
	bool blocks = ip->blocks_left && !(ip->flags & INODE_PARTIAL);
	uint64_t n_blocks;
	uint32_t nlink;

	if (ip->flags & INODE_UNREADABLE || (!links && !blocks) ||
	    !recorded(f, ip->addr, &nlink, &n_blocks))
		return;
	if (links)
		check_links(f, ip, nlink);
	if (blocks)
		check_blocks(f, ip, n_blocks);
}

static void check_entries(struct fsck *f, const struct fsck_dir *dir)
{
	const struct fsck_inode *ip = &f->inodes.v[dir->inode];
	bool fix = dir->dropped;

	if (ip->flags & (INODE_PARTIAL | INODE_SKIP) ||
	    dir->flags & DIR_LEAVING)
		return;
	if (dir->entries != dir->live) {
		if (dir->flags & DIR_BROKEN || fsck_touched(f, ip->addr))
			fix = problem_may_fix(f);
		else
			fix = problem(f, CK_DI_DIR_ENTRIES,
				      at_inode(ip->addr, ip->addr),
				      "recorded %u, counted %u", dir->entries,
				      dir->live);
	}
	if (fix)
		edit_set(f, ip->addr, offsetof(struct gfs2_dinode, di_entries),
			 4, dir->live - dir->dropped);
}

int fsck_links(struct fsck *f)
{
	for (uint32_t i = 0; i < f->inodes.n; i++)
		check_inode(f, &f->inodes.v[i]);
	for (uint32_t i = 0; i < f->dirs.n; i++)
		check_entries(f, &f->dirs.v[i]);
	return f->stop ? -GFS_EINTR : 0;
}
