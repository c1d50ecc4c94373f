// SPDX-License-Identifier: GPL-2.0-or-later
/* The order of passes, and the rounds until the view is clean. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fsck.h"

#define MAX_ROUNDS 12U /* of repair and proof */

/* Master's entries and the number of journals. */
static int find_system(struct fsck *f)
{
	uint64_t master = f->fs->sb.master.addr;
	char why[256];
	int rc;

	rc = gfs_fs_find_system(f->fs);
	if (!rc)
		rc = gfs_fs_count_journals(f->fs);
	if (rc == -ENOMEM)
		return fsck_report(f, rc);
	if (!rc)
		return fsck_system(f);
	problem_note(f, CK_SYS_MISSING, at_inode(master, master), "%s",
		     gfs_error_message(&f->err, rc, why, sizeof(why)));
	rc = fsck_mend_number(f, f->fs->sys.jindex.addr);
	return rc ? rc : -GFS_ECORRUPT;
}

static const struct {
	const char *name;
	int (*run)(struct fsck *f);
} passes[] = {
	{ "superblock", fsck_super },
	{ "superblock's inodes", fsck_super_inodes },
	{ "system files", find_system },
	{ "journals", fsck_journals },
	{ "resource group index", fsck_rindex },
	{ "totals", fsck_read_statfs },
	{ "resource groups", fsck_rgrps },
	{ "inodes and trees", fsck_trees },
	{ "duplicates", fsck_dups },
	{ "names", fsck_names },
	{ "connectivity", fsck_reach },
	{ "unlinked inodes", fsck_reclaim },
	{ "links and sizes", fsck_links },
	{ "bitmaps", fsck_bitmaps },
	{ "counts", fsck_counts },
};

int fsck_report(struct fsck *f, int code)
{
	if (code == -GFS_EINTR)
		return code;
	cli_report(f->opts.device, &f->err, code);
	f->failed = true;
	return code;
}

void fsck_complain(struct fsck *f, const char *fmt, ...)
{
	char text[500];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	cli_error("%s: %s", f->opts.device, text);
	f->failed = true;
}

void fsck_say(const struct fsck *f, int level, const char *fmt, ...)
{
	va_list ap;

	if (f->opts.json || f->opts.verbosity < level)
		return;
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	fflush(stdout);
}

void fsck_unreadable(struct fsck *f, uint64_t blk, int code)
{
	f->blind = true;
	f->failed = true;
	problem_note(f, CK_READ_ERROR, at_block(blk), "%s",
		     gfs_strerror(code));
}

void fsck_touch(struct fsck *f, uint32_t inode)
{
	struct fsck_inode *ip = &f->inodes.v[inode];

	ip->flags |= INODE_PARTIAL;
	if (gfs_blkmap_put(&f->touched, ip->addr, f->round))
		fsck_complain(f, "out of memory");
}

bool fsck_touched(const struct fsck *f, uint64_t addr)
{
	return gfs_blkmap_get(&f->touched, addr, NULL);
}

void fsck_round_fini(struct fsck *f)
{
	blockmap_fini(&f->disk);
	blockmap_fini(&f->want);
	free(f->rg);
	f->rg = NULL;
	free(f->inodes.v);
	free(f->dirs.v);
	free(f->dirents.v);
	free(f->runs.v);
	free(f->dups.v);
	free(f->dup_blks);
	memset(&f->inodes, 0, sizeof(f->inodes));
	memset(&f->dirs, 0, sizeof(f->dirs));
	memset(&f->dirents, 0, sizeof(f->dirents));
	memset(&f->runs, 0, sizeof(f->runs));
	memset(&f->dups, 0, sizeof(f->dups));
	f->dup_blks = NULL;
	f->n_dup_blks = 0;
	f->n_roles = 0;
	f->n_data = 0;
	f->last_rg = 0;
	gfs_fs_close(f->fs);
	f->fs = NULL;
}

/* All passes once; 1 when a pass said that is enough. */
static int one_round(struct fsck *f)
{
	struct fsck_read_counts c;
	int rc = 0;

	problems_begin(&f->problems);
	f->blind = false;
	f->dups_cleared = false;
	f->rgrps_missing = false;
	for (size_t i = 0; !rc && i < GFS_ARRAY_SIZE(passes); i++) {
		fsck_say(f, 1, "Round %u: checking %s.\n", f->round,
			 passes[i].name);
		rc = f->stop ? -GFS_EINTR : passes[i].run(f);
		/* What follows needs to know what belongs to whom. */
		if (!rc && passes[i].run == fsck_dups && f->dups_cleared)
			return 0;
	}
	if (rc)
		return rc;
	c = reads_counts(f->counter);
	fsck_say(f, 1, "Blocks read %" PRIu64 ", distinct %" PRIu64 ".\n",
		 c.blocks, c.distinct);
	fsck_say(f, 1, "%u inodes, %u directories, %zu entries, %u resource "
		 "groups.\n", f->inodes.n, f->dirs.n, f->dirents.n,
		 f->fs->rgrps.n);
	return 0;
}

int fsck_run(struct fsck *f)
{
	int rc = 0;

	for (f->round = 1; f->round <= MAX_ROUNDS; f->round++) {
		fsck_round_fini(f);
		rc = one_round(f);
		/* A pass that gave up may find its way after a repair. */
		if ((rc && rc != -GFS_ECORRUPT) || f->failed || !f->edits.n)
			break;
		rc = edits_apply(f);
		if (rc)
			break;
	}
	if (rc == 1) {
		f->unchecked = true;
		return 0;
	}
	if (!rc && f->round > MAX_ROUNDS) {
		fsck_complain(f, "repairs bring new findings after %u rounds; "
			      "nothing is written", MAX_ROUNDS);
		return -GFS_ECORRUPT;
	}
	return rc;
}
