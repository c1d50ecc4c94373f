// SPDX-License-Identifier: GPL-2.0-or-later
/* Journals: replayed, or cleared when that cannot be done, in the view. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../libgfs/fs/replay.h"
#include "fsck.h"

#define MAX_ANOMALIES 10U /* headers out of order that the peer tolerates */

struct journals {
	bool replayed;  /* the view is not what was read before */
	uint32_t dirty; /* journals not closed, or damaged */
};

/* Preening leaves the journals of a cluster's volume alone. */
static bool preen_unsafe(const struct fsck *f)
{
	return f->opts.preen && !f->opts.force &&
	       strcmp(f->fs->sb.lockproto, "lock_nolock") != 0;
}

static void set_action(struct fsck *f, uint32_t jid,
		       enum fsck_jnl_action action)
{
	if (jid < f->n_actions)
		f->jnl_actions[jid] = action;
}

static int clear_journal(struct fsck *f, struct gfs_jnl *jnl,
			 struct journals *js)
{
	int rc = gfs_jnl_clear(jnl);

	if (rc)
		return fsck_report(f, rc);
	set_action(f, jnl->jid, JNL_CLEAR);
	js->replayed = true;
	return 0;
}

static int damaged(struct fsck *f, struct gfs_jnl *jnl, struct journals *js,
		   enum fsck_check check, const char *why)
{
	js->dirty++;
	if (!problem(f, check, at_inode(jnl->jinode, jnl->jinode),
		     "journal %u%s%s", jnl->jid, *why ? ": " : "", why))
		return 0;
	return clear_journal(f, jnl, js);
}

/* The view shows the replayed volume even if the device is left alone. */
static int replay(struct fsck *f, struct gfs_jnl *jnl, struct journals *js)
{
	struct gfs_replay_result result;
	char why[256];
	bool agreed;
	int rc;

	js->dirty++;
	memset(&result, 0, sizeof(result));
	rc = gfs_replay_check(jnl, &result);
	if (rc == -ENOMEM)
		return fsck_report(f, rc);
	if (rc)
		return damaged(f, jnl, js, CK_JNL_REPLAY,
			       gfs_error_message(&f->err, rc, why,
						 sizeof(why)));
	agreed = problem(f, CK_JNL_DIRTY, at_inode(jnl->jinode, jnl->jinode),
			 "journal %u, %" PRIu64 " transactions", jnl->jid,
			 result.transactions);
	if (!agreed && problem_may_fix(f)) {
		fsck_say(f, 0, "Nothing is repaired while a journal is left "
			 "dirty.\n");
		f->view_only = true;
	}
	rc = gfs_replay(jnl, &result);
	if (rc)
		return fsck_report(f, rc);
	fsck_say(f, 0, "Journal %u: %" PRIu64 " transactions, %" PRIu64
		 " of %" PRIu64 " blocks replayed%s.\n", jnl->jid,
		 result.transactions, result.replayed, result.copies,
		 agreed ? "" : " for this check only");
	set_action(f, jnl->jid, JNL_REPLAY);
	js->replayed = true;
	return 0;
}

static int check_journal(struct fsck *f, struct gfs_jnl *jnl,
			 struct journals *js)
{
	if (!jnl->has_head)
		return damaged(f, jnl, js, CK_JNL_NO_HEAD, "");
	if (jnl->anomalies > MAX_ANOMALIES)
		return damaged(f, jnl, js, CK_JNL_ORDER, "");
	if (gfs_jnl_is_clean(jnl))
		return 0;
	if (preen_unsafe(f)) {
		js->dirty++;
		return 0;
	}
	return replay(f, jnl, js);
}

static int each_journal(struct fsck *f, struct journals *js)
{
	uint64_t jindex = f->fs->sys.jindex.addr;
	struct gfs_jnl *jnl;
	int rc = 0;

	for (uint32_t i = 0; !rc && i < f->fs->njournals; i++) {
		if (f->stop)
			return -GFS_EINTR;
		rc = gfs_jnl_open(&jnl, f->fs, i);
		if (rc == -ENOMEM)
			return fsck_report(f, rc);
		if (rc) {
			char why[256];

			gfs_error_message(&f->err, rc, why, sizeof(why));
			problem_note(f, CK_JNL_TREE, at_inode(jindex, jindex),
				       "journal %u: %s", i, why);
			rc = 0;
			continue;
		}
		fsck_role_add_journal(f, i, jnl->jinode);
		rc = check_journal(f, jnl, js);
		gfs_jnl_close(jnl);
	}
	return rc;
}

/* System files again, through blocks that replay may have changed. */
static int read_again(struct fsck *f)
{
	int rc;

	gfs_cache_drop(f->fs->cache);
	rc = gfs_fs_read_super(f->fs);
	if (!rc)
		rc = gfs_fs_find_system(f->fs);
	if (!rc)
		rc = gfs_fs_count_journals(f->fs);
	if (rc)
		return fsck_report(f, rc);
	return fsck_system(f);
}

static void make_actions(struct fsck *f)
{
	if (f->jnl_actions)
		return;
	f->n_actions = f->fs->njournals;
	f->jnl_actions = cli_alloc((f->n_actions + 1) *
				   sizeof(*f->jnl_actions));
}

static int preen_verdict(struct fsck *f, const struct journals *js)
{
	if (!f->opts.preen || f->opts.force || f->round > 1)
		return 0;
	if (js->dirty && preen_unsafe(f)) {
		fsck_complain(f, "%u journals are not clean; repairing a "
			      "volume of a cluster may be unsafe: run "
			      "fsck.gfs2 without -a and -p when no node has "
			      "it mounted", js->dirty);
		return -GFS_EDIRTY;
	}
	if (js->dirty || f->problems.found)
		return 0;
	fsck_say(f, -1, "%s: clean.\n", f->opts.device);
	return 1;
}

int fsck_journals(struct fsck *f)
{
	struct journals js = { .replayed = false };
	int rc;

	make_actions(f);
	if (f->fs->njournals == 0 && f->fs->sys.jindex.addr)
		problem_note(f, CK_JINDEX_GAP,
			       at_inode(f->fs->sys.jindex.addr,
					f->fs->sys.jindex.addr), "journal 0");
	rc = each_journal(f, &js);
	if (rc)
		return rc;
	if (js.replayed) {
		rc = read_again(f);
		if (rc)
			return rc;
	}
	fsck_roles_sort(f);
	return preen_verdict(f, &js);
}
