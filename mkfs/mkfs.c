// SPDX-License-Identifier: GPL-2.0-or-later
/* mkfs.gfs2: make a GFS2 filesystem. */
#include "../libgfs/base/cli.h"
#include "build.h"
#include "opts.h"
#include "target.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uuid/uuid.h>

static volatile sig_atomic_t stop;

/* The time that the new volume bears; SOURCE_DATE_EPOCH fixes it. */
static int choose_time(struct mkfs_volume *v)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	uint64_t seconds;

	v->now = (int64_t)time(NULL);
	if (!epoch)
		return 0;
	if (cli_parse_u64(epoch, 0, INT64_MAX, &seconds)) {
		cli_error("SOURCE_DATE_EPOCH is not a time: '%s'", epoch);
		return -EINVAL;
	}
	v->now = (int64_t)seconds;
	v->reproducible = true;
	return 0;
}

static int choose_volume(struct mkfs_volume *v, const struct mkfs_opts *o)
{
	*v = (struct mkfs_volume){
		.proto = o->proto,
		.table = o->table,
		.format = (uint32_t)o->format,
		.inherit_jdata = o->inherit_jdata,
		.quota_mb = (uint32_t)o->quota_mb,
	};
	memcpy(v->uuid, o->uuid, sizeof(v->uuid));
	return choose_time(v);
}

/* What -D shows: decisions before anything is done. */
static void print_plan(const struct mkfs_plan *plan,
		       const struct mkfs_request *req)
{
	printf("Block size %" PRIu32 ", %" PRIu64 " blocks, groups aligned to "
	       "%" PRIu32 "+%" PRIu32 " blocks\n", req->bsize, req->blocks,
	       req->align, req->offset);
	printf("Journals: %" PRIu32 " of %" PRIu32 " blocks (height %u)\n",
	       plan->journals, plan->journal_blocks, plan->journal_height);
	for (int i = 0; i < MKFS_RUNS; i++)
		if (plan->runs[i].count)
			printf("Resource groups: %" PRIu64 " of %" PRIu64
			       " blocks from block %" PRIu64 "\n",
			       plan->runs[i].count, plan->runs[i].total,
			       plan->runs[i].addr);
}

static void print_result(const struct mkfs_job *job, const char *device)
{
	const struct mkfs_plan *plan = job->plan;
	const struct mkfs_volume *v = job->volume;
	uint64_t end = mkfs_plan_end(plan);
	char size[32], text[UUID_STR_LEN];

	printf("%-27s%s\n", "Device:", device);
	printf("%-27s%" PRIu32 "\n", "Block size:", plan->geom.bsize);
	printf("%-27s%s (%" PRIu64 " blocks)\n", "Device size:",
	       cli_size_text(plan->blocks << plan->geom.shift, size,
			     sizeof(size)), plan->blocks);
	printf("%-27s%s (%" PRIu64 " blocks)\n", "Filesystem size:",
	       cli_size_text(end << plan->geom.shift, size, sizeof(size)),
	       end);
	printf("%-27s%" PRIu32 "\n", "Journals:", plan->journals);
	printf("%-27s%" PRIu64 "MB\n", "Journal size:",
	       (uint64_t)plan->journal_blocks << plan->geom.shift >> 20);
	printf("%-27s%" PRIu64 "\n", "Resource groups:", plan->rgrps);
	printf("%-27s\"%s\"\n", "Locking protocol:", v->proto);
	printf("%-27s\"%s\"\n", "Lock table:", v->table);
	uuid_unparse(v->uuid, text);
	printf("%-27s%s\n", "UUID:", text);
}

static int plan_volume(struct mkfs_target *t, const struct mkfs_opts *o,
		       struct mkfs_plan *plan)
{
	struct gfs_error err = { 0 };
	struct mkfs_request req;
	int rc = mkfs_target_request(t, o, &req);

	if (rc)
		return rc;
	rc = mkfs_plan_make(plan, &req, &err);
	if (rc) {
		cli_error("%s", err.text);
		return rc;
	}
	if (o->debug)
		print_plan(plan, &req);
	return 0;
}

/* Everything that is decided before the first write. */
static int prepare(struct mkfs_job *job, struct mkfs_target *t,
		   const struct mkfs_opts *o)
{
	int rc = mkfs_rehearse(job);

	if (rc) {
		cli_error("%s", job->err->text);
		return MKFS_EXIT_REFUSED;
	}
	if (!mkfs_target_confirm(t, o) || stop)
		return MKFS_EXIT_REFUSED;
	return 0;
}

static int make(struct mkfs_job *job, const struct mkfs_opts *o)
{
	int rc = 0;

	if (job->dev->is_block && o->discard)
		rc = gfs_dev_discard(job->dev, 0, job->dev->size);
	/* Discarding only saves space: every block needed is written below. */
	if (rc && o->debug)
		cli_warn("%s: discard: %s", o->device, gfs_strerror(rc));
	rc = mkfs_build(job);
	if (rc) {
		cli_report(o->device, job->err, rc);
		return MKFS_EXIT_FAILED;
	}
	if (!o->quiet)
		print_result(job, o->device);
	return cli_close_stdout() ? MKFS_EXIT_FAILED : 0;
}

int main(int argc, char **argv)
{
	struct gfs_error err = { 0 };
	struct mkfs_target target = { 0 };
	struct mkfs_volume volume;
	struct mkfs_plan plan;
	struct mkfs_opts opts;
	struct mkfs_job job = {
		.plan = &plan,
		.volume = &volume,
		.stop = &stop,
		.err = &err,
	};
	int status = MKFS_EXIT_REFUSED;

	if (mkfs_opts_parse(&opts, argc, argv))
		goto out;
	job.quiet = opts.quiet;
	cli_catch_signals(&stop);
	if (choose_volume(&volume, &opts) || mkfs_target_open(&target, &opts))
		goto out;
	if (plan_volume(&target, &opts, &plan))
		goto out;
	job.dev = target.dev;
	status = prepare(&job, &target, &opts);
	if (!status)
		status = make(&job, &opts);
out:
	mkfs_target_close(&target);
	mkfs_opts_fini(&opts);
	return status;
}
