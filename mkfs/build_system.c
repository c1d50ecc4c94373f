// SPDX-License-Identifier: GPL-2.0-or-later
/* The system files and the root directory, in the order of their numbers. */
#include "build_parts.h"
#include "dir.h"

#include "../libgfs/format/blocktype.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DIR_FLAGS  (GFS2_DIF_SYSTEM | GFS2_DIF_JDATA)
#define FILE_FLAGS (GFS2_DIF_SYSTEM | GFS2_DIF_JDATA)
#define FILE_MODE  (S_IFREG | 0600U)

/* Kept open until the end: entries and numbers are added all the way. */
struct system_files {
	struct mkfs_dir master;
	struct mkfs_dir per_node;
	struct mkfs_inode inum;
	struct mkfs_inode statfs;
};

static char *stuffed(struct mkfs_inode *ino)
{
	return ino->block + sizeof(struct gfs2_dinode);
}

static void set_content(struct mkfs_inode *ino, const void *data, size_t len)
{
	memcpy(stuffed(ino), data, len);
	ino->di->di_size = cpu_to_be64(len);
}

/* A new file in a directory of the system. */
static int new_file(struct mkfs_build *b, struct mkfs_dir *dir,
		    struct mkfs_inode *ino, const char *name, uint32_t flags)
{
	int rc = mkfs_inode_new(b, ino, FILE_MODE, flags);

	return rc ? rc : mkfs_dir_add(b, dir, name, ino);
}

static int make_jindex(struct mkfs_build *b, struct system_files *s)
{
	struct mkfs_dir jindex = { 0 };
	struct mkfs_rgrp rg;
	char name[32];
	int rc;

	rc = mkfs_dir_new(b, &jindex, S_IFDIR | 0700, DIR_FLAGS,
			  &s->master.ino);
	if (!rc)
		rc = mkfs_dir_add(b, &s->master, "jindex", &jindex.ino);
	for (uint32_t n = 0; !rc && n < b->plan->journals; n++) {
		struct mkfs_inode journal = { .formal = n + UINT64_C(1),
					      .mode = FILE_MODE };

		mkfs_plan_rgrp(b->plan, n, &rg);
		journal.addr = rg.data0;
		snprintf(name, sizeof(name), "journal%" PRIu32, n);
		rc = mkfs_dir_add(b, &jindex, name, &journal);
	}
	if (!rc)
		rc = mkfs_dir_finish(b, &jindex);
	mkfs_dir_drop(&jindex);
	return rc;
}

/* A file of zeros that is stuffed and belongs to one node. */
static int make_zeros(struct mkfs_build *b, struct mkfs_dir *dir,
		      const char *name, uint32_t n, uint64_t size)
{
	struct mkfs_inode ino = { 0 };
	char full[32];
	int rc;

	snprintf(full, sizeof(full), "%s%" PRIu32, name, n);
	rc = new_file(b, dir, &ino, full, FILE_FLAGS);
	if (!rc) {
		ino.di->di_size = cpu_to_be64(size);
		rc = mkfs_inode_finish(b, &ino);
	}
	mkfs_inode_drop(&ino);
	return rc;
}

static int fill_quota_change(struct mkfs_build *b, struct mkfs_inode *ino)
{
	uint64_t bytes = (uint64_t)b->job->volume->quota_mb << 20;
	uint64_t n = bytes >> b->g->shift;
	char *block = calloc(1, b->g->bsize);
	uint64_t blk;
	int rc = 0;

	if (!block)
		return mkfs_no_space(b, -ENOMEM);
	gfs_block_header(block, GFS2_METATYPE_QC);
	ino->height = gfs_geom_height_for(b->g, bytes + b->g->bsize);
	for (uint64_t i = 0; !rc && i < n; i++) {
		rc = mkfs_inode_extend(b, ino, i, &blk);
		if (!rc)
			rc = mkfs_out_put(&b->out, blk, block);
	}
	free(block);
	ino->di->di_size = cpu_to_be64(bytes);
	return rc;
}

static int make_quota_change(struct mkfs_build *b, struct mkfs_dir *dir,
			     uint32_t n)
{
	struct mkfs_inode ino = { 0 };
	char name[32];
	int rc;

	snprintf(name, sizeof(name), "quota_change%" PRIu32, n);
	rc = new_file(b, dir, &ino, name, GFS2_DIF_SYSTEM);
	if (!rc)
		rc = fill_quota_change(b, &ino);
	if (!rc)
		rc = mkfs_inode_finish(b, &ino);
	mkfs_inode_drop(&ino);
	return rc;
}

static int make_per_node(struct mkfs_build *b, struct system_files *s)
{
	int rc = mkfs_dir_new(b, &s->per_node, S_IFDIR | 0700, DIR_FLAGS,
			      &s->master.ino);

	if (!rc)
		rc = mkfs_dir_add(b, &s->master, "per_node", &s->per_node.ino);
	for (uint32_t n = 0; !rc && n < b->plan->journals; n++) {
		rc = make_zeros(b, &s->per_node, "inum_range", n,
				sizeof(struct gfs2_inum_range));
		if (!rc)
			rc = make_zeros(b, &s->per_node, "statfs_change", n,
					sizeof(struct gfs2_statfs_change));
		if (!rc)
			rc = make_quota_change(b, &s->per_node, n);
	}
	return rc ? rc : mkfs_dir_finish(b, &s->per_node);
}

/* Bytes [off, off + len) of the resource index, with its empty last entry. */
static void rindex_bytes(const struct mkfs_plan *plan, uint64_t off,
			 uint32_t len, char *buf)
{
	const uint64_t size = sizeof(struct gfs2_rindex);
	uint64_t end = off + len;

	memset(buf, 0, len);
	for (uint64_t i = off / size; i < plan->rgrps && i * size < end; i++) {
		uint64_t from = gfs_max(off, i * size);
		uint64_t to = gfs_min(end, (i + 1) * size);
		struct gfs2_rindex ri = { 0 };
		struct mkfs_rgrp rg;

		mkfs_plan_rgrp(plan, i, &rg);
		ri.ri_addr = cpu_to_be64(rg.addr);
		ri.ri_length = cpu_to_be32(rg.length);
		ri.ri_data0 = cpu_to_be64(rg.data0);
		ri.ri_data = cpu_to_be32(rg.data);
		ri.ri_bitbytes = cpu_to_be32(rg.bitbytes);
		memcpy(buf + (from - off),
		       (const char *)&ri + (from - i * size), to - from);
	}
}

static int fill_rindex(struct mkfs_build *b, struct mkfs_inode *ino)
{
	uint64_t size = b->plan->rgrps * sizeof(struct gfs2_rindex);
	uint64_t room = size + sizeof(struct gfs2_rindex);
	char *block;
	uint64_t blk;
	int rc = 0;

	ino->di->di_size = cpu_to_be64(size);
	ino->di->di_payload_format = cpu_to_be32(GFS2_FORMAT_RI);
	if (room <= b->g->stuffed_max) {
		rindex_bytes(b->plan, 0, b->g->stuffed_max, stuffed(ino));
		return 0;
	}
	block = malloc(b->g->bsize);
	if (!block)
		return mkfs_no_space(b, -ENOMEM);
	for (uint64_t i = 0; !rc && i << b->g->shift < room; i++) {
		rc = mkfs_inode_extend(b, ino, i, &blk);
		if (rc)
			break;
		rindex_bytes(b->plan, i << b->g->shift, b->g->bsize, block);
		rc = mkfs_out_put(&b->out, blk, block);
	}
	free(block);
	return rc;
}

static int make_rindex(struct mkfs_build *b, struct system_files *s)
{
	struct mkfs_inode ino = { 0 };
	int rc = new_file(b, &s->master, &ino, "rindex", FILE_FLAGS);

	if (!rc)
		rc = fill_rindex(b, &ino);
	if (!rc)
		rc = mkfs_inode_finish(b, &ino);
	mkfs_inode_drop(&ino);
	return rc;
}

/* Usage of user 0 and group 0: the root directory's block. */
static int make_quota(struct mkfs_build *b, struct system_files *s)
{
	struct gfs2_quota records[2] = {
		{ .qu_value = cpu_to_be64(1) },
		{ .qu_value = cpu_to_be64(1) },
	};
	struct mkfs_inode ino = { 0 };
	int rc = new_file(b, &s->master, &ino, "quota", FILE_FLAGS);

	if (!rc) {
		set_content(&ino, records, sizeof(records));
		ino.di->di_payload_format = cpu_to_be32(GFS2_FORMAT_QU);
		rc = mkfs_inode_finish(b, &ino);
	}
	mkfs_inode_drop(&ino);
	return rc;
}

static struct gfs2_inum number_of(const struct mkfs_inode *ino)
{
	return (struct gfs2_inum){
		.no_formal_ino = cpu_to_be64(ino->formal),
		.no_addr = cpu_to_be64(ino->addr),
	};
}

static int make_root(struct mkfs_build *b, struct gfs2_inum *root)
{
	uint32_t inherit = b->job->volume->inherit_jdata ?
				   GFS2_DIF_INHERIT_JDATA :
				   0;
	struct mkfs_dir dir = { 0 };
	int rc = mkfs_dir_new(b, &dir, S_IFDIR | 0755,
			      GFS2_DIF_JDATA | inherit, NULL);

	*root = number_of(&dir.ino);
	if (!rc)
		rc = mkfs_dir_finish(b, &dir);
	mkfs_dir_drop(&dir);
	return rc;
}

/* Everything is taken: the totals are known. */
static int finish(struct mkfs_build *b, struct system_files *s)
{
	uint64_t dinodes = b->space.n_dinodes + b->plan->journals;
	struct gfs2_statfs_change totals = {
		.sc_total = cpu_to_be64(b->plan->data),
		.sc_free = cpu_to_be64(b->plan->data - b->space.taken),
		.sc_dinodes = cpu_to_be64(dinodes),
	};
	be64 next = cpu_to_be64(b->next_formal);
	int rc;

	set_content(&s->inum, &next, sizeof(next));
	set_content(&s->statfs, &totals, sizeof(totals));
	rc = mkfs_inode_finish(b, &s->inum);
	if (!rc)
		rc = mkfs_inode_finish(b, &s->statfs);
	if (!rc)
		rc = mkfs_dir_finish(b, &s->master);
	return rc ? rc : mkfs_out_drain(&b->out);
}

int mkfs_build_system(struct mkfs_build *b, struct gfs2_inum *master,
		      struct gfs2_inum *root)
{
	struct system_files s = { 0 };
	int rc;

	b->next_formal = b->plan->journals + UINT64_C(1);
	rc = mkfs_dir_new(b, &s.master, S_IFDIR | 0755, DIR_FLAGS, NULL);
	*master = number_of(&s.master.ino);
	if (!rc)
		rc = make_jindex(b, &s);
	if (!rc)
		rc = make_per_node(b, &s);
	if (!rc)
		rc = new_file(b, &s.master, &s.inum, "inum", FILE_FLAGS);
	if (!rc)
		rc = new_file(b, &s.master, &s.statfs, "statfs", FILE_FLAGS);
	if (!rc)
		rc = make_rindex(b, &s);
	if (!rc)
		rc = make_quota(b, &s);
	if (!rc)
		rc = make_root(b, root);
	if (!rc)
		rc = finish(b, &s);
	mkfs_dir_drop(&s.master);
	mkfs_dir_drop(&s.per_node);
	mkfs_inode_drop(&s.inum);
	mkfs_inode_drop(&s.statfs);
	return rc;
}
