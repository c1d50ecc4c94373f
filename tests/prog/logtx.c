// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Leaves a transaction of the journal writer, stopped behind its commit
 * block, in journal 0 of a fresh volume, for others to replay.
 *
 *   logtx make IMAGE EXPECT   writes the transaction and what must be in
 *                             place after replay, as {number, content}
 *   logtx check IMAGE EXPECT  counts blocks that are different: exit 1
 *
 * The transaction has several METADATA and JDATA chunks, data that begins
 * with the magic, revokes with continuation blocks, one of them for a block
 * of the transaction itself, and wraps past the end of the journal. Targets
 * are the root directory, the first resource group and free blocks. The
 * journal is found by its headers, which mkfs puts at every position.
 */
#include "../../libgfs/format/blocktype.h"
#include "../../libgfs/io/log.h"
#include "../../libgfs/io/scan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	N_META = 520,   /* more than the 503 of a 4 KiB descriptor */
	N_JDATA = 260,  /* more than 251 */
	N_REVOKES = 1200, /* more than 503 + 509 */
	N_FILL = 300,
	MAX_JBLOCKS = 1 << 20,
	REVOKED = N_META + 7, /* index of the block that is revoked */
	N = N_META + N_JDATA,
};

struct volume {
	struct gfs_dev *dev;
	struct gfs_geom geom;
	struct gfs_error err;
	struct gfs_log log;
	uint64_t *map;
	uint64_t root, rgrp;
	uint64_t free[N + N_FILL]; /* ascending */
	size_t n_free;
	bool is_scanned; /* its source has been asked */
	uint8_t *bytes; /* of the N blocks */
	struct gfs_log_block blocks[N];
};

static int fail(const struct volume *v, int rc, const char *what)
{
	char text[512];

	fprintf(stderr, "logtx: %s: %s\n", what,
		gfs_error_message(&v->err, rc, text, sizeof(text)));
	return rc;
}

static int read_super(struct volume *v)
{
	uint8_t block[512];
	const struct gfs2_sb *sb = (const void *)block;
	int rc = gfs_dev_read(v->dev, block, sizeof(block), GFS2_SB_OFFSET);

	if (rc)
		return rc;
	if (!gfs_block_is(block, GFS2_METATYPE_SB))
		return -GFS_ENOTFS;
	v->root = be64_to_cpu(sb->sb_root_dir.no_addr);
	return gfs_geom_init(&v->geom, be32_to_cpu(sb->sb_bsize));
}

/* Note a log header of journal 0, which has the lowest inode number. */
static void see_header(struct volume *v, const struct gfs2_log_header *lh,
		       uint64_t blk)
{
	uint64_t jinode = be64_to_cpu(lh->lh_jinode);
	uint64_t sequence = be64_to_cpu(lh->lh_sequence);
	uint32_t pos = be32_to_cpu(lh->lh_blkno);

	if (pos >= MAX_JBLOCKS || (v->log.jinode && v->log.jinode < jinode))
		return;
	if (v->log.jinode != jinode)
		v->log.nblocks = 0;
	v->log.jinode = jinode;
	v->map[pos] = blk;
	v->log.nblocks = (uint32_t)gfs_max(v->log.nblocks, pos + 1);
	if (sequence <= v->log.sequence)
		return;
	v->log.sequence = sequence;
	v->log.pos = pos;
}

static bool is_zero(const struct volume *v, const void *data)
{
	const uint8_t *p = data;

	return !p[0] && !memcmp(p, p + 1, v->geom.bsize - 1);
}

static void see_block(struct volume *v, uint64_t blk, const void *data)
{
	if (gfs_block_is(data, GFS2_METATYPE_LH))
		see_header(v, data, blk);
	if (gfs_block_is(data, GFS2_METATYPE_RG) && !v->rgrp)
		v->rgrp = blk;
	if (blk > v->dev->size / v->geom.bsize / 2 && is_zero(v, data) &&
	    v->n_free < GFS_ARRAY_SIZE(v->free))
		v->free[v->n_free++] = blk;
}

static int all_blocks(void *ctx, struct gfs_run *run)
{
	struct volume *v = ctx;
	uint64_t end = v->dev->size / v->geom.bsize;

	if (v->is_scanned)
		return 0;
	run->blk = v->geom.sb_blk;
	run->count = end - run->blk;
	v->is_scanned = true;
	return 1;
}

static int look_around(struct volume *v)
{
	struct gfs_scan *scan;
	const void *data;
	uint64_t blk;
	int error, rc;

	v->map = calloc(MAX_JBLOCKS, sizeof(*v->map));
	if (!v->map)
		return -ENOMEM;
	rc = gfs_scan_open(&scan, v->dev, v->geom.bsize, all_blocks, v, NULL);
	if (rc)
		return rc;
	while ((rc = gfs_scan_next(scan, &blk, &data, &error)) == 1) {
		if (!error)
			see_block(v, blk, data);
	}
	gfs_scan_close(scan);
	if (!rc && (!v->log.jinode || !v->rgrp ||
		    v->n_free < GFS_ARRAY_SIZE(v->free)))
		rc = -GFS_EFULL;
	for (uint32_t i = 0; !rc && i < v->log.nblocks; i++)
		rc = v->map[i] ? 0 : -GFS_ECORRUPT;
	v->log.dev = v->dev;
	v->log.geom = &v->geom;
	v->log.map = v->map;
	v->log.sec = 1700000000;
	return rc;
}

static int open_volume(struct volume *v, const char *path)
{
	int rc = gfs_dev_open(&v->dev, path, GFS_DEV_WRITE, &v->err);

	if (rc)
		return fail(v, rc, path);
	rc = read_super(v);
	if (!rc)
		rc = look_around(v);
	return rc ? fail(v, rc, "no fresh volume") : 0;
}

static uint8_t *bytes_of(const struct volume *v, size_t i)
{
	return v->bytes + i * v->geom.bsize;
}

/* Root with another mode, resource group with another generation. */
static int edit_metadata(struct volume *v)
{
	struct gfs2_rgrp *rg = (void *)bytes_of(v, 0);
	struct gfs2_dinode *di = (void *)bytes_of(v, 1);
	uint32_t bsize = v->geom.bsize;
	int rc = gfs_dev_read(v->dev, rg, bsize, v->rgrp * bsize);

	if (!rc)
		rc = gfs_dev_read(v->dev, di, bsize, v->root * bsize);
	if (rc)
		return rc;
	if (v->rgrp >= v->root || v->root >= v->free[0])
		return -GFS_ECORRUPT;
	rg->rg_igeneration =
		cpu_to_be64(be64_to_cpu(rg->rg_igeneration) + 1000);
	gfs_block_seal(&v->geom, rg);
	di->di_mode = cpu_to_be32(040711);
	v->blocks[0].blk = v->rgrp;
	v->blocks[1].blk = v->root;
	return 0;
}

/* Metadata and data alternate as long as there is some of both. */
static int make_blocks(struct volume *v)
{
	size_t n_data = 0;

	v->bytes = calloc(N, v->geom.bsize);
	if (!v->bytes)
		return -ENOMEM;
	for (size_t i = 0; i < N; i++) {
		bool meta = i % 3 != 2 && i - n_data < N_META;

		n_data += !meta;
		v->blocks[i] = (struct gfs_log_block){
			.blk = i < 2 ? 0 : v->free[i],
			.data = bytes_of(v, i),
			.is_meta = meta,
		};
		memset(bytes_of(v, i), (int)(i % 251), v->geom.bsize);
		if (meta || i % 2)
			gfs_block_header(bytes_of(v, i), GFS2_METATYPE_IN);
	}
	return edit_metadata(v);
}

/* Earlier transactions, complete, until the next one has to wrap. */
static int move_to_the_end(struct volume *v)
{
	struct gfs_log_block fill[N_FILL];
	size_t n = 1;

	while (v->log.pos + 40 < v->log.nblocks && n) {
		uint32_t left = v->log.nblocks - v->log.pos - 20;
		int rc;

		n = left < 8 ? 0 : (size_t)gfs_min(N_FILL, left - 6);
		for (size_t i = 0; i < n; i++)
			fill[i] = (struct gfs_log_block){
				.blk = v->free[N + i],
				.data = bytes_of(v, 2),
			};
		rc = gfs_log_commit(&v->log, fill, n, NULL, 0, GFS_LOG_CLEAN);
		if (rc)
			return rc;
	}
	return 0;
}

static int commit(struct volume *v)
{
	uint64_t revokes[N_REVOKES];
	uint32_t before;
	int rc = move_to_the_end(v);

	if (rc)
		return rc;
	/* Blocks that are in no transaction, but for the last but one. */
	for (uint64_t i = 0; i < N_REVOKES; i++)
		revokes[i] = v->free[0] - 2 - i;
	revokes[N_REVOKES - 2] = v->blocks[REVOKED].blk;
	before = v->log.pos;
	rc = gfs_log_commit(&v->log, v->blocks, N, revokes, N_REVOKES,
			    GFS_LOG_COMMITTED);
	if (!rc)
		printf("jinode %" PRIu64 ", %u blocks, from %u to %u, "
		       "sequence %" PRIu64 "\n",
		       v->log.jinode, v->log.nblocks, before + 1, v->log.pos,
		       v->log.sequence);
	return !rc && v->log.pos > before ? -GFS_EFULL : rc;
}

/* The revoked block keeps its zeros. */
static int write_expect(const struct volume *v, const char *path)
{
	FILE *f = fopen(path, "w");
	bool ok = f;

	memset(bytes_of(v, REVOKED), 0, v->geom.bsize);
	for (size_t i = 0; i < N && ok; i++)
		ok = fwrite(&v->blocks[i].blk, 8, 1, f) == 1 &&
		     fwrite(bytes_of(v, i), v->geom.bsize, 1, f) == 1;
	if (f && fclose(f))
		ok = false;
	return ok ? 0 : -EIO;
}

static int make(struct volume *v, const char *image, const char *expect)
{
	int rc = open_volume(v, image);

	if (rc)
		return rc;
	rc = make_blocks(v);
	if (!rc)
		rc = commit(v);
	if (!rc)
		rc = write_expect(v, expect);
	return rc ? fail(v, rc, "no transaction") : 0;
}

static int check(struct volume *v, const char *image, const char *expect)
{
	FILE *f = fopen(expect, "r");
	unsigned int good = 0, bad = 0;
	uint8_t *block = NULL;
	uint64_t blk;
	int rc = f ? 0 : -errno;

	if (!rc)
		rc = gfs_dev_open(&v->dev, image, 0, &v->err);
	if (!rc)
		rc = read_super(v);
	if (!rc)
		block = calloc(2, v->geom.bsize);
	while (!rc && block && fread(&blk, 8, 1, f) == 1 &&
	       fread(block, v->geom.bsize, 1, f) == 1) {
		uint8_t *now = block + v->geom.bsize;

		rc = gfs_dev_read(v->dev, now, v->geom.bsize,
				  blk * v->geom.bsize);
		if (rc || memcmp(now, block, v->geom.bsize)) {
			printf("block %" PRIu64 " differs\n", blk);
			bad++;
		} else {
			good++;
		}
	}
	free(block);
	if (f)
		fclose(f);
	printf("%u blocks as they should be, %u not\n", good, bad);
	return rc ? fail(v, rc, "check") : bad || good != N ? -EIO : 0;
}

int main(int argc, char **argv)
{
	static struct volume v = { .err = { .blk = GFS_NO_BLOCK } };
	int rc = -EINVAL;

	if (argc == 4 && !strcmp(argv[1], "make"))
		rc = make(&v, argv[2], argv[3]);
	else if (argc == 4 && !strcmp(argv[1], "check"))
		rc = check(&v, argv[2], argv[3]);
	else
		fputs("usage: logtx make|check IMAGE EXPECT\n", stderr);
	gfs_dev_close(v.dev);
	free(v.map);
	free(v.bytes);
	return rc ? 1 : 0;
}
