// SPDX-License-Identifier: GPL-2.0-or-later
/* Directory entries against the inodes they name. */
#include <dirent.h>
#include <inttypes.h>
#include <string.h>

#include "fsck.h"

#define DE(member) ((uint32_t)offsetof(struct gfs2_dirent, member))

/* All entries that name one block. */
struct group {
	struct fsck_dirent *v;
	size_t n;
	uint32_t inode; /* index, or NO_INDEX */
};

static struct fsck_at at_entry(const struct fsck *f,
			       const struct fsck_dirent *de)
{
	return at_inode(f->inodes.v[de->dir].addr, de->blk);
}

/* The directory itself waits for removal: what it says means nothing. */
static bool is_dropped(const struct fsck_dirent *de)
{
	return de->flags & ENTRY_DROPPED;
}

static void drop(struct fsck *f, struct fsck_dirent *de)
{
	fsck_drop_entry(f, de->dir, de->blk, de->off);
	de->flags |= ENTRY_DROPPED;
}

/* Entries to something that is no inode. */
static void nowhere(struct fsck *f, struct group *g)
{
	uint64_t i;
	bool inside = fsck_index(f, g->v[0].addr, &i);

	if (inside && f->rg[fsck_rg_of(f, i)].unreadable)
		return;
	for (size_t k = 0; k < g->n; k++) {
		struct fsck_dirent *de = &g->v[k];

		/* What is lost here can be found or made again. */
		if (f->inodes.v[de->dir].flags & INODE_SYSTEM) {
			f->blind = true;
			problem_note(f, CK_DE_TARGET, at_entry(f, de),
				     "offset %u: system inode %" PRIu64,
				     de->off, de->addr);
			continue;
		}
		if (problem(f, inside ? CK_DE_TARGET : CK_DE_OUTSIDE,
			    at_entry(f, de), "offset %u: %" PRIu64 "/%" PRIu64,
			    de->off, de->formal, de->addr))
			drop(f, de);
	}
}

static void check_formal(struct fsck *f, struct group *g)
{
	uint64_t formal = f->inodes.v[g->inode].formal;
	size_t right = 0;

	for (size_t k = 0; k < g->n; k++)
		right += g->v[k].formal == formal;
	for (size_t k = 0; right < g->n && k < g->n; k++) {
		struct fsck_dirent *de = &g->v[k];
		bool fix;

		if (de->formal == formal)
			continue;
		fix = problem(f, right ? CK_DE_STALE : CK_DE_FORMAL,
			      at_entry(f, de),
			      "offset %u: inode %" PRIu64 ": %" PRIu64
			      ", should be %" PRIu64, de->off, de->addr,
			      de->formal, formal);
		if (fix && right)
			drop(f, de);
		else if (fix)
			edit_set(f, de->blk, de->off, 8, formal);
	}
}

/* A name for an inode that waits for removal: it stays. */
static void revive(struct fsck *f, struct group *g)
{
	struct fsck_inode *ip = &f->inodes.v[g->inode];
	uint64_t i;

	if (!problem(f, CK_DE_UNLINKED, at_inode(ip->addr, ip->addr),
		     "named in directory %" PRIu64,
		     f->inodes.v[g->v[0].dir].addr))
		return;
	if (!fsck_index(f, ip->addr, &i))
		return;
	fsck_set_state(f, i, GFS2_BLKST_DINODE);
	blockmap_set(&f->want, i, GFS2_BLKST_DINODE);
	ip->flags = (uint16_t)((ip->flags & ~INODE_UNLINKED) | INODE_SKIP);
}

static void check_types(struct fsck *f, struct group *g)
{
	uint8_t type = f->inodes.v[g->inode].type;

	for (size_t k = 0; k < g->n; k++) {
		struct fsck_dirent *de = &g->v[k];

		if (de->type != type && !is_dropped(de) &&
		    problem(f, CK_DE_TYPE, at_entry(f, de),
			    "offset %u: inode %" PRIu64 ": %u, should be %u",
			    de->off, de->addr, de->type, type))
			edit_set(f, de->blk, de->off + DE(de_type), 2, type);
	}
}

/* System inodes are named by system directories only, others never. */
static void check_system(struct fsck *f, struct group *g)
{
	struct fsck_inode *ip = &f->inodes.v[g->inode];
	size_t by_system = 0;

	if (!(ip->flags & INODE_SYSTEM))
		return;
	for (size_t k = 0; k < g->n; k++)
		by_system += f->inodes.v[g->v[k].dir].flags & INODE_SYSTEM ? 1 :
									     0;
	if (by_system == g->n)
		return;
	if (!by_system && fsck_role_of(f, ip->addr).kind == ROLE_NONE) {
		if (problem(f, CK_DI_SYSTEM, at_inode(ip->addr, ip->addr),
			    "%s", ""))
			edit_add(f, ip->addr,
				 offsetof(struct gfs2_dinode, di_flags), 4,
				 -(int64_t)GFS2_DIF_SYSTEM);
		return;
	}
	for (size_t k = 0; k < g->n; k++) {
		struct fsck_dirent *de = &g->v[k];

		if (!(f->inodes.v[de->dir].flags & INODE_SYSTEM) &&
		    problem(f, CK_DE_SYSTEM, at_entry(f, de),
			    "offset %u: inode %" PRIu64, de->off, de->addr))
			drop(f, de);
	}
}

static bool is_top(const struct fsck *f, uint64_t addr)
{
	return addr == f->fs->sb.root.addr || addr == f->fs->sb.master.addr;
}

/* A directory has one name: the one that ".." agrees with, else the first. */
static void check_directory(struct fsck *f, struct group *g,
			    struct fsck_dir *dir)
{
	const struct fsck_inode *ip = &f->inodes.v[g->inode];
	struct fsck_dirent *keep = NULL;
	bool top = is_top(f, ip->addr);

	for (size_t k = 0; !top && k < g->n; k++) {
		struct fsck_dirent *de = &g->v[k];

		if (is_dropped(de))
			continue;
		if (!keep || f->inodes.v[de->dir].addr == dir->dotdot_addr)
			keep = de;
		if (f->inodes.v[de->dir].addr == dir->dotdot_addr)
			break;
	}
	for (size_t k = 0; k < g->n; k++) {
		struct fsck_dirent *de = &g->v[k];

		if (de != keep && !is_dropped(de) &&
		    problem(f, CK_DIR_TWICE, at_entry(f, de),
			    "offset %u: directory %" PRIu64, de->off, ip->addr))
			drop(f, de);
	}
	if (keep)
		dir->parent = keep->dir;
}

static void count_links(struct fsck *f, const struct group *g)
{
	struct fsck_inode *ip = &f->inodes.v[g->inode];
	uint32_t kept = 0;

	for (size_t k = 0; k < g->n; k++) {
		if (is_dropped(&g->v[k]))
			continue;
		kept++;
		if (ip->flags & INODE_DIR)
			f->inodes.v[g->v[k].dir].links_left--;
	}
	if (!kept)
		return;
	ip->flags |= INODE_NAMED;
	ip->links_left -= ip->flags & INODE_DIR ? 2 : kept;
}

static void check_group(struct fsck *f, struct group *g)
{
	struct fsck_inode *ip;
	struct fsck_dir *dir;

	if (g->inode == NO_INDEX) {
		nowhere(f, g);
		return;
	}
	ip = &f->inodes.v[g->inode];
	if (ip->flags & INODE_UNREADABLE) {
		ip->flags |= INODE_NAMED | INODE_SKIP;
		return;
	}
	check_formal(f, g);
	if (ip->flags & INODE_UNLINKED)
		revive(f, g);
	check_types(f, g);
	check_system(f, g);
	dir = ip->flags & INODE_DIR ? dirs_find(&f->dirs, g->inode) : NULL;
	if (dir)
		check_directory(f, g, dir);
	count_links(f, g);
}

/* Root and master have no name and are their own parents. */
static void prepare_top(struct fsck *f, uint64_t addr)
{
	uint32_t n = inodes_find(&f->inodes, addr);
	struct fsck_dir *dir;

	if (n == NO_INDEX)
		return;
	f->inodes.v[n].flags |= INODE_NAMED;
	f->inodes.v[n].links_left -= 2;
	dir = dirs_find(&f->dirs, n);
	if (dir)
		dir->parent = n;
}

/* "." and ".." of a directory whose parent is known. */
static void check_dots(struct fsck *f, const struct fsck_dir *dir)
{
	const struct fsck_inode *ip = &f->inodes.v[dir->inode];
	const struct fsck_inode *parent;

	if (ip->flags & (INODE_PARTIAL | INODE_SKIP) ||
	    dir->flags & DIR_LEAVING)
		return;
	if (!(dir->flags & DIR_DOT))
		problem_note(f, CK_DOT_MISSING, at_inode(ip->addr, ip->addr),
			     "%s", "");
	if (!(dir->flags & DIR_DOTDOT)) {
		problem_note(f, CK_DOTDOT_MISSING,
			     at_inode(ip->addr, ip->addr), "%s", "");
		return;
	}
	if (dir->parent == NO_INDEX)
		return;
	parent = &f->inodes.v[dir->parent];
	if (parent->addr == dir->dotdot_addr &&
	    parent->formal == dir->dotdot_formal)
		return;
	if (!problem(f, CK_DOTDOT_WRONG, at_inode(ip->addr, dir->dotdot_blk),
		     "%" PRIu64 "/%" PRIu64 ", should be %" PRIu64 "/%" PRIu64,
		     dir->dotdot_formal, dir->dotdot_addr, parent->formal,
		     parent->addr))
		return;
	edit_set(f, dir->dotdot_blk, dir->dotdot_off, 8, parent->formal);
	edit_set(f, dir->dotdot_blk, dir->dotdot_off + 8, 8, parent->addr);
}

int fsck_names(struct fsck *f)
{
	struct fsck_dirents *t = &f->dirents;
	uint32_t n = 0;

	prepare_top(f, f->fs->sb.root.addr);
	prepare_top(f, f->fs->sb.master.addr);
	dirents_sort(t);
	for (size_t i = 0; i < t->n;) {
		struct group g = { .v = &t->v[i], .n = 1, .inode = NO_INDEX };

		while (i + g.n < t->n && t->v[i + g.n].addr == g.v[0].addr)
			g.n++;
		while (n < f->inodes.n && f->inodes.v[n].addr < g.v[0].addr)
			n++;
		if (n < f->inodes.n && f->inodes.v[n].addr == g.v[0].addr)
			g.inode = n;
		check_group(f, &g);
		i += g.n;
	}
	for (uint32_t i = 0; i < f->dirs.n; i++)
		check_dots(f, &f->dirs.v[i]);
	return f->stop ? -GFS_EINTR : 0;
}
