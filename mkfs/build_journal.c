// SPDX-License-Identifier: GPL-2.0-or-later
/* A journal: one file in a resource group of its own, full of log headers. */
#include "build_parts.h"

#include "../libgfs/base/crc.h"
#include "../libgfs/format/blocktype.h"
#include "../libgfs/format/verify.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

#define FLAGS (GFS2_LOG_HEAD_UNMOUNT | GFS2_LOG_HEAD_USERSPACE)

/* Where the parts of one journal are. */
struct journal {
	uint64_t dinode;
	uint64_t data;      /* first block of the log */
	uint32_t blocks;    /* of the log */
	uint32_t start;     /* sequence number of the first block */
	uint64_t level[GFS2_MAX_META_HEIGHT + 1]; /* first block of each */
	uint64_t count[GFS2_MAX_META_HEIGHT + 1]; /* blocks of each level */
};

static void lay_out(const struct mkfs_build *b, uint32_t n, struct journal *j)
{
	unsigned int h = b->plan->journal_height;
	struct mkfs_rgrp rg;
	uint64_t blk;

	mkfs_plan_rgrp(b->plan, n, &rg);
	j->dinode = rg.data0;
	j->blocks = b->plan->journal_blocks;
	j->count[h] = j->blocks;
	for (unsigned int i = h; i > 1; i--)
		j->count[i - 1] = gfs_div_up(j->count[i], b->g->inptrs);
	blk = j->dinode + 1;
	for (unsigned int i = 1; i <= h; i++) {
		j->level[i] = blk;
		blk += j->count[i];
	}
	j->data = j->level[h];
}

/*
 * Journals begin at different sequence numbers, so that not all disks wear at
 * the same place; the number only has to be below the journal's length.
 */
static uint32_t choose_start(const struct mkfs_build *b, uint32_t n)
{
	const struct mkfs_volume *v = b->job->volume;
	uint8_t text[sizeof(v->uuid) + sizeof(be32)];
	be32 number = cpu_to_be32(n);
	uint32_t value;

	if (!v->reproducible &&
	    getrandom(&value, sizeof(value), 0) == sizeof(value))
		return value % b->plan->journal_blocks;
	memcpy(text, v->uuid, sizeof(v->uuid));
	memcpy(text + sizeof(v->uuid), &number, sizeof(number));
	return gfs_crc32(text, sizeof(text)) % b->plan->journal_blocks;
}

static int write_dinode(struct mkfs_build *b, uint32_t n,
			const struct journal *j, char *block)
{
	struct gfs2_dinode *di = (struct gfs2_dinode *)block;
	uint64_t last = j->data + j->blocks - 1;
	struct gfs2_inum num = {
		.no_formal_ino = cpu_to_be64(n + UINT64_C(1)),
		.no_addr = cpu_to_be64(j->dinode),
	};

	mkfs_dinode_fill(b, block, num, S_IFREG | 0600, GFS2_DIF_SYSTEM);
	di->di_size = cpu_to_be64((uint64_t)j->blocks << b->g->shift);
	di->di_blocks = cpu_to_be64(b->plan->journal_total);
	di->di_height = cpu_to_be16((uint16_t)b->plan->journal_height);
	di->di_goal_meta = cpu_to_be64(last - j->blocks);
	di->di_goal_data = cpu_to_be64(last);
	for (uint32_t i = 0; i < j->count[1]; i++)
		mkfs_ptr_set(block + sizeof(*di), i, j->level[1] + i);
	return mkfs_out_put(&b->out, j->dinode, block);
}

/* Indirect blocks of one level: consecutive pointers to the next. */
static int write_level(struct mkfs_build *b, const struct journal *j,
		       unsigned int level, char *block)
{
	uint64_t left = j->count[level + 1];
	uint64_t target = j->level[level + 1];
	int rc = 0;

	for (uint64_t i = 0; !rc && i < j->count[level]; i++) {
		uint32_t n = (uint32_t)gfs_min(left, b->g->inptrs);

		memset(block, 0, b->g->bsize);
		gfs_block_header(block, GFS2_METATYPE_IN);
		for (uint32_t k = 0; k < n; k++)
			mkfs_ptr_set(block + sizeof(struct gfs2_meta_header),
				     k, target++);
		left -= n;
		rc = mkfs_out_put(&b->out, j->level[level] + i, block);
	}
	return rc;
}

/* Only the number, the places and the checksums differ between blocks. */
static void log_header(const struct mkfs_build *b, const struct journal *j,
		       uint32_t pos, char *block)
{
	struct gfs2_log_header *lh = (struct gfs2_log_header *)block;
	const char *from = block + offsetof(struct gfs2_log_header, lh_crc) +
			   sizeof(lh->lh_crc);
	size_t len = sizeof(*lh) - (size_t)(from - block);
	uint64_t sequence = ((uint64_t)j->start + pos) % j->blocks;
	uint32_t crc;

	lh->lh_sequence = cpu_to_be64(sequence);
	lh->lh_blkno = cpu_to_be32(pos);
	lh->lh_addr = cpu_to_be64(j->data + pos);
	lh->lh_hash = cpu_to_be32(gfs_logheader_hash(lh));
	crc = gfs_crc32c(UINT32_MAX, from, len);
	crc = gfs_crc32c_zeros(crc, b->g->bsize - sizeof(*lh));
	lh->lh_crc = cpu_to_be32(crc);
}

static int write_log(struct mkfs_build *b, const struct journal *j)
{
	uint32_t bsize = b->g->bsize;
	uint32_t piece = MKFS_PIECE / bsize;
	char *buf = calloc(piece, bsize);
	int rc = 0;

	if (!buf)
		return mkfs_no_space(b, -ENOMEM);
	for (uint32_t i = 0; i < piece; i++) {
		struct gfs2_log_header *lh =
			(struct gfs2_log_header *)(buf + (size_t)i * bsize);

		gfs_block_header(lh, GFS2_METATYPE_LH);
		lh->lh_flags = cpu_to_be32(FLAGS);
		lh->lh_jinode = cpu_to_be64(j->dinode);
	}
	for (uint32_t pos = 0; !rc && pos < j->blocks; pos += piece) {
		uint32_t n = (uint32_t)gfs_min(piece, j->blocks - pos);

		for (uint32_t i = 0; i < n; i++)
			log_header(b, j, pos + i, buf + (size_t)i * bsize);
		rc = mkfs_out_write(&b->out, j->data + pos, buf, n);
		cli_progress_step(&b->progress, b->out.bytes);
	}
	free(buf);
	return rc;
}

int mkfs_build_journal(struct mkfs_build *b, uint32_t n)
{
	struct journal j = { .start = choose_start(b, n) };
	char *block = malloc(b->g->bsize);
	int rc;

	if (!block)
		return mkfs_no_space(b, -ENOMEM);
	lay_out(b, n, &j);
	rc = write_dinode(b, n, &j, block);
	for (unsigned int i = 1; !rc && i < b->plan->journal_height; i++)
		rc = write_level(b, &j, i, block);
	free(block);
	if (!rc)
		rc = mkfs_out_drain(&b->out);
	return rc ? rc : write_log(b, &j);
}
