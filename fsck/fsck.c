// SPDX-License-Identifier: GPL-2.0-or-later
/* fsck.gfs2: check a volume in a view of it, then write what was repaired. */
#include "fsck.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int open_device(struct fsck *f)
{
	unsigned int flags = f->opts.no ? 0 : GFS_DEV_WRITE | GFS_DEV_EXCL;
	int rc = gfs_dev_open(&f->dev, f->opts.device, flags, &f->err);

	if (rc) {
		char why[500];

		gfs_error_message(&f->err, rc, why, sizeof(why));
		cli_error("%s", why);
		f->refused = true;
		return rc;
	}
	rc = reads_open(&f->counter, f->dev);
	return rc ? fsck_report(f, rc) : 0;
}

static int exit_code(const struct fsck *f, int rc)
{
	int code = 0;

	if (f->refused)
		return FSCK_EXIT_USAGE;
	if (f->stop || rc == -GFS_EINTR)
		code |= FSCK_EXIT_CANCELLED;
	if (f->problems.fixed && !code && !f->failed)
		code |= FSCK_EXIT_FIXED;
	if (f->problems.left)
		code |= FSCK_EXIT_LEFT;
	if (f->failed)
		code |= FSCK_EXIT_FAILED;
	return code;
}

static void totals(const struct fsck *f, int code)
{
	const struct fsck_problems *p = &f->problems;
	struct fsck_read_counts c;
	/* Some go away when others are repaired. */
	uint64_t fixed = code & FSCK_EXIT_FIXED ? p->found - p->left : 0;

	if (!p->json) {
		if (p->found)
			printf("%s: %" PRIu64 " findings, %" PRIu64
			       " corrected, %" PRIu64 " left.\n",
			       f->opts.device, p->found, fixed,
			       p->found - fixed);
		else if (!code && !f->unchecked)
			fsck_say(f, 0, "%s: no errors found.\n",
				 f->opts.device);
		return;
	}
	emit_list_end(p->json);
	emit_u64(p->json, "found", p->found);
	emit_u64(p->json, "corrected", fixed);
	emit_u64(p->json, "left", p->found - fixed);
	if (f->counter) {
		c = reads_counts(f->counter);
		emit_u64(p->json, "blocks_read", c.blocks);
		emit_u64(p->json, "blocks_distinct", c.distinct);
	}
	emit_u64(p->json, "exit", (uint64_t)code);
	emit_object_end(p->json);
}

static void begin_json(struct fsck *f)
{
	if (!f->opts.json)
		return;
	f->problems.json = emit_new(stdout, EMIT_JSON);
	if (!f->problems.json)
		exit(FSCK_EXIT_FAILED);
	emit_object_begin(f->problems.json, NULL);
	emit_str(f->problems.json, "device", f->opts.device);
	emit_list_begin(f->problems.json, "problems");
}

static int check_device(struct fsck *f)
{
	bool whole;
	int rc = open_device(f);

	if (rc)
		return rc;
	rc = fsck_run(f);
	whole = !rc || rc == -GFS_ECORRUPT;
	if (f->stop)
		return -GFS_EINTR;
	if (!whole || f->opts.no || f->view_only ||
	    (!f->problems.fixed && !f->reclaimed))
		return rc;
	if (fsck_commit(f))
		return -EIO;
	return rc;
}

static void fini(struct fsck *f)
{
	fsck_round_fini(f);
	free(f->roles);
	free(f->edits.v);
	free(f->jnl_actions);
	gfs_blkmap_fini(&f->touched);
	problems_fini(&f->problems);
	gfs_dev_close(f->view);
	gfs_dev_close(f->counter);
	gfs_dev_close(f->dev);
}

int main(int argc, char **argv)
{
	static struct fsck f;
	int rc, code;

	rc = fsck_options(&f, argc, argv);
	if (rc)
		return rc < 0 ? FSCK_EXIT_USAGE : GFS_EXIT_OK;
	cli_catch_signals(&f.stop);
	begin_json(&f);
	rc = check_device(&f);
	code = exit_code(&f, rc);
	if (code & FSCK_EXIT_CANCELLED)
		fsck_say(&f, 0, "Interrupted: nothing was written.\n");
	totals(&f, code);
	if (f.problems.json && emit_free(f.problems.json))
		code |= FSCK_EXIT_FAILED;
	fini(&f);
	if (cli_close_stdout())
		code |= FSCK_EXIT_FAILED;
	return code;
}
