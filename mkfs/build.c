// SPDX-License-Identifier: GPL-2.0-or-later
/* Putting a new volume together: old superblock away, parts, superblock. */
#include "build.h"

#include "../libgfs/format/blocktype.h"
#include "build_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int begin(struct mkfs_build *b, const struct mkfs_job *job,
		 struct gfs_dev *dev)
{
	*b = (struct mkfs_build){
		.job = job,
		.plan = job->plan,
		.g = &job->plan->geom,
	};
	mkfs_space_init(&b->space, job->plan);
	return mkfs_out_init(&b->out, dev, b->g->bsize, job->err);
}

static void end(struct mkfs_build *b)
{
	mkfs_space_fini(&b->space);
	mkfs_out_fini(&b->out);
}

int mkfs_rehearse(const struct mkfs_job *job)
{
	struct gfs2_inum master, root;
	struct mkfs_build b;
	int rc = begin(&b, job, NULL);

	if (!rc)
		rc = mkfs_build_system(&b, &master, &root);
	end(&b);
	return rc;
}

static int build_journals(struct mkfs_build *b)
{
	uint64_t bytes = (uint64_t)b->plan->journals * b->plan->journal_total
			 << b->g->shift;
	int rc = 0;

	cli_progress_begin(&b->progress, "Journals", bytes, b->job->quiet);
	for (uint32_t n = 0; !rc && n < b->plan->journals; n++)
		rc = mkfs_build_journal(b, n);
	cli_progress_end(&b->progress);
	return rc;
}

static int build_rgrps(struct mkfs_build *b)
{
	int rc;

	cli_progress_begin(&b->progress, "Resource groups", b->plan->rgrps,
			   b->job->quiet);
	rc = mkfs_build_rgrps(b);
	cli_progress_end(&b->progress);
	return rc;
}

static int write_superblock(struct mkfs_build *b, struct gfs2_inum master,
			    struct gfs2_inum root)
{
	const struct mkfs_volume *v = b->job->volume;
	char *block = calloc(1, b->g->bsize);
	struct gfs2_sb *sb = (struct gfs2_sb *)block;
	int rc;

	if (!block)
		return mkfs_no_space(b, -ENOMEM);
	gfs_block_header(block, GFS2_METATYPE_SB);
	sb->sb_fs_format = cpu_to_be32(v->format);
	sb->sb_multihost_format = cpu_to_be32(GFS2_FORMAT_MULTI);
	sb->sb_bsize = cpu_to_be32(b->g->bsize);
	sb->sb_bsize_shift = cpu_to_be32(b->g->shift);
	sb->sb_master_dir = master;
	sb->sb_root_dir = root;
	memcpy(sb->sb_lockproto, v->proto, strlen(v->proto));
	memcpy(sb->sb_locktable, v->table, strlen(v->table));
	memcpy(sb->sb_uuid, v->uuid, sizeof(sb->sb_uuid));
	rc = mkfs_out_write(&b->out, b->g->sb_blk, block, 1);
	free(block);
	return rc ? rc : mkfs_out_flush(&b->out);
}

/*
 * The first 64 KiB belong to nobody, and there must be no superblock until the
 * end: a volume of which one half is new must not look like one.
 */
static int wipe_superblock(struct mkfs_build *b)
{
	int rc = mkfs_out_zero(&b->out, 0, b->g->sb_blk + 1);

	return rc ? rc : mkfs_out_flush(&b->out);
}

int mkfs_build(const struct mkfs_job *job)
{
	struct gfs2_inum master, root;
	struct mkfs_build b;
	int rc = begin(&b, job, job->dev);

	b.out.stop = job->stop;
	if (!rc)
		rc = wipe_superblock(&b);
	if (!rc)
		rc = build_journals(&b);
	if (!rc)
		rc = mkfs_build_system(&b, &master, &root);
	if (!rc)
		rc = build_rgrps(&b);
	if (!rc)
		rc = mkfs_out_flush(&b.out);
	if (!rc)
		rc = write_superblock(&b, master, root);
	end(&b);
	return rc;
}
