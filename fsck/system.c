// SPDX-License-Identifier: GPL-2.0-or-later
/* System files: which inode is what. */
#include <errno.h>
#include <stdlib.h>

#include "fsck.h"

static void add_role(struct fsck *f, enum fsck_role_kind kind, uint32_t jid,
		     uint64_t addr)
{
	struct fsck_role *r;

	f->roles = table_grow(f->roles, f->n_roles, &f->roles_room,
			      sizeof(*f->roles));
	r = &f->roles[f->n_roles++];
	r->addr = addr;
	r->jid = jid;
	r->kind = kind;
}

static int role_order(const void *pa, const void *pb)
{
	const struct fsck_role *a = pa, *b = pb;

	return (a->addr > b->addr) - (a->addr < b->addr);
}

struct fsck_role fsck_role_of(const struct fsck *f, uint64_t addr)
{
	size_t from = 0, to = f->n_roles;

	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (f->roles[mid].addr < addr)
			from = mid + 1;
		else
			to = mid;
	}
	if (from < f->n_roles && f->roles[from].addr == addr)
		return f->roles[from];
	return (struct fsck_role){ .addr = addr, .kind = ROLE_NONE };
}

/* Files right below master. */
static void master_files(struct fsck *f)
{
	const struct gfs_system *s = &f->fs->sys;
	const struct {
		const char *name;
		const struct gfs_ino *ino;
		enum fsck_role_kind kind;
	} files[] = {
		{ "jindex", &s->jindex, ROLE_JINDEX },
		{ "per_node", &s->per_node, ROLE_PER_NODE },
		{ "inum", &s->inum, ROLE_INUM },
		{ "statfs", &s->statfs, ROLE_STATFS },
		{ "quota", &s->quota, ROLE_QUOTA },
		{ "rindex", &s->rindex, ROLE_RINDEX },
	};
	uint64_t master = f->fs->sb.master.addr;

	for (size_t i = 0; i < GFS_ARRAY_SIZE(files); i++) {
		if (files[i].ino->addr)
			add_role(f, files[i].kind, 0, files[i].ino->addr);
		else
			problem_note(f, files[i].kind == ROLE_RINDEX ?
					     CK_RINDEX_MISSING : CK_SYS_MISSING,
				     at_inode(master, master), "%s",
				     files[i].name);
	}
}

/* Files of one journal's node. */
static int node_files(struct fsck *f, uint32_t jid)
{
	static const struct {
		const char *name;
		enum fsck_role_kind kind;
	} files[] = {
		{ "inum_range", ROLE_INUM_RANGE },
		{ "statfs_change", ROLE_STATFS_CHANGE },
		{ "quota_change", ROLE_QUOTA_CHANGE },
	};
	uint64_t dir = f->fs->sys.per_node.addr;
	struct gfs_ino ino;
	int rc;

	for (size_t i = 0; i < GFS_ARRAY_SIZE(files); i++) {
		rc = gfs_fs_per_node(f->fs, files[i].name, jid, &ino);
		if (!rc)
			add_role(f, files[i].kind, jid, ino.addr);
		else if (rc == -ENOMEM)
			return fsck_report(f, rc);
		else
			problem_note(f, CK_PER_NODE, at_inode(dir, dir), "%s%u",
				     files[i].name, jid);
	}
	return 0;
}

/* Called again after replay: what is known about journals stays. */
static void keep_journals(struct fsck *f)
{
	size_t kept = 0;

	for (size_t i = 0; i < f->n_roles; i++)
		if (f->roles[i].kind == ROLE_JOURNAL)
			f->roles[kept++] = f->roles[i];
	f->n_roles = kept;
}

int fsck_system(struct fsck *f)
{
	int rc = 0;

	keep_journals(f);
	add_role(f, ROLE_MASTER, 0, f->fs->sb.master.addr);
	add_role(f, ROLE_ROOT, 0, f->fs->sb.root.addr);
	master_files(f);
	for (uint32_t i = 0; !rc && f->fs->sys.per_node.addr &&
			     i < f->fs->njournals; i++)
		rc = node_files(f, i);
	return rc;
}

void fsck_role_add_journal(struct fsck *f, uint32_t jid, uint64_t addr)
{
	add_role(f, ROLE_JOURNAL, jid, addr);
}

void fsck_roles_sort(struct fsck *f)
{
	if (f->n_roles)
		qsort(f->roles, f->n_roles, sizeof(*f->roles), role_order);
}
