// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The locknames command: every DLM name a volume can use. Inodes come from
 * the resource groups' bitmaps, no dinode is read; lines are formatted by
 * hand, since there are millions.
 */
#include "commands.h"
#include "locknames.h"

#include "../libgfs/format/bitmap.h"
#include "../libgfs/format/blocktype.h"
#include "../libgfs/format/lockname.h"
#include "../libgfs/io/scan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONDISK_LOCKS 6U

enum name_format { NAMES_TEXT, NAMES_HEX, NAMES_CSV, NAMES_JSON };

struct dbg_namer {
	struct dbg *d;
	enum name_format format;
	uint32_t types;    /* bit per lock type */
	bool unlinked;     /* inodes in state UNLINKED, too */
	bool any;          /* something was written */
	char line[160];
};

/* Lower-case hex digits of n, right-aligned in width columns of spaces. */
static void put_hex(char *at, unsigned int width, uint64_t n)
{
	static const char digits[] = "0123456789abcdef";
	char *p = at + width;

	memset(at, ' ', width);
	do {
		*--p = digits[n & 15];
		n >>= 4;
	} while (n);
}

static void put_name(char *at, uint32_t type, uint64_t number)
{
	put_hex(at, 8, type);
	put_hex(at + 8, 16, number);
}

/* The bytes of the name as 48 hex digits. */
static size_t hex_of_name(char *at, const char *name)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < GFS_LOCKNAME_LEN; i++) {
		*at++ = digits[(unsigned char)name[i] >> 4];
		*at++ = digits[name[i] & 15];
	}
	return 2 * GFS_LOCKNAME_LEN;
}

void dbg_name_put(struct dbg_namer *n, uint32_t type, uint64_t number)
{
	char name[GFS_LOCKNAME_LEN + 1];
	size_t len = 0;

	put_name(name, type, number);
	name[GFS_LOCKNAME_LEN] = 0;
	switch (n->format) {
	case NAMES_TEXT:
		n->line[0] = '"';
		memcpy(n->line + 1, name, GFS_LOCKNAME_LEN);
		n->line[1 + GFS_LOCKNAME_LEN] = '"';
		len = GFS_LOCKNAME_LEN + 2;
		break;
	case NAMES_HEX: len = hex_of_name(n->line, name); break;
	case NAMES_CSV:
		len = (size_t)snprintf(n->line, sizeof(n->line),
				       "%s,%" PRIu64 ",\"%s\"",
				       gfs_locktype_name(type), number, name);
		break;
	case NAMES_JSON:
		len = (size_t)snprintf(
			n->line, sizeof(n->line),
			"%s  {\"type\": \"%s\", \"number\": %" PRIu64
			", \"name\": \"%s\"}", n->any ? ",\n" : "",
			gfs_locktype_name(type), number, name);
		break;
	}
	n->any = true;
	if (n->format != NAMES_JSON)
		n->line[len++] = '\n';
	fwrite_unlocked(n->line, 1, len, stdout);
}

static bool wants(const struct dbg_namer *n, uint32_t type)
{
	return n->types & 1U << type;
}

static void put_inode(struct dbg_namer *n, uint64_t blk)
{
	if (wants(n, GFS_LOCK_INODE))
		dbg_name_put(n, GFS_LOCK_INODE, blk);
	if (wants(n, GFS_LOCK_IOPEN))
		dbg_name_put(n, GFS_LOCK_IOPEN, blk);
}

/* All inodes in n_blocks states of a bitmap; `first` is the first's block. */
static void put_inodes(struct dbg_namer *n, const char *map, uint64_t n_blocks,
		       uint64_t first)
{
	uint64_t dinode = gfs_bitmap_find(map, 0, n_blocks, GFS2_BLKST_DINODE);
	uint64_t unlinked = n_blocks;

	if (n->unlinked)
		unlinked = gfs_bitmap_find(map, 0, n_blocks,
					   GFS2_BLKST_UNLINKED);
	while (dinode < n_blocks || unlinked < n_blocks) {
		if (dinode < unlinked) {
			put_inode(n, first + dinode);
			dinode = gfs_bitmap_find(map, dinode + 1, n_blocks,
						 GFS2_BLKST_DINODE);
		} else {
			put_inode(n, first + unlinked);
			unlinked = gfs_bitmap_find(map, unlinked + 1, n_blocks,
						   GFS2_BLKST_UNLINKED);
		}
	}
}

struct walk {
	const struct gfs_rgrps *rgrps;
	uint32_t next; /* group whose run comes next */
};

static int next_run(void *ctx, struct gfs_run *run)
{
	struct walk *w = ctx;

	if (w->next == w->rgrps->n)
		return 0;
	run->blk = w->rgrps->rg[w->next].addr;
	run->count = w->rgrps->rg[w->next].length;
	w->next++;
	return 1;
}

/* One header or bitmap block of group rg. */
static int put_bitmap_block(struct dbg_namer *n, const struct gfs_rgrp *rg,
			    uint64_t blk, const void *data)
{
	uint32_t i = (uint32_t)(blk - rg->addr);
	struct gfs_bitmap_part part;

	if (!i && wants(n, GFS_LOCK_RGRP))
		dbg_name_put(n, GFS_LOCK_RGRP, rg->addr);
	if (!gfs_block_is(data, i ? GFS2_METATYPE_RB : GFS2_METATYPE_RG))
		return gfs_fail(&n->d->err, GFS_ECORRUPT, blk,
				"is no bitmap block of the resource group at "
				"%" PRIu64, rg->addr);
	part = gfs_rgrp_bitmap_part(&n->d->fs->geom, rg, i);
	put_inodes(n, (const char *)data + part.offset,
		   (uint64_t)part.bytes * GFS2_NBBY,
		   rg->data0 + (uint64_t)part.start * GFS2_NBBY);
	return 0;
}

/* Resource groups and the inodes in them, by address. */
static int put_rgrps(struct dbg_namer *n)
{
	struct gfs_fs *fs = n->d->fs;
	struct walk w = { &fs->rgrps, 0 };
	const struct gfs_rgrp *rg = fs->rgrps.rg;
	struct gfs_scan *scan;
	const void *data;
	uint64_t blk;
	int rc, error, failed = 0;

	rc = gfs_scan_open(&scan, fs->dev, fs->geom.bsize, next_run, &w, NULL);
	if (rc)
		return dbg_fail(n->d, rc, "scan of the resource groups");
	while ((rc = gfs_scan_next(scan, &blk, &data, &error)) > 0) {
		while (blk >= rg->addr + rg->length)
			rg++;
		if (data)
			error = put_bitmap_block(n, rg, blk, data);
		else
			error = gfs_fail(&n->d->err, error, blk, "read");
		if (error)
			failed = dbg_complain(n->d, error);
	}
	gfs_scan_close(scan);
	return rc ? rc : failed;
}

static int put_all(struct dbg_namer *n)
{
	const uint32_t scanned = 1U << GFS_LOCK_INODE | 1U << GFS_LOCK_IOPEN;
	struct gfs_fs *fs = n->d->fs;
	int rc = 0, one;

	if (wants(n, GFS_LOCK_NONDISK))
		for (uint32_t i = 0; i < NONDISK_LOCKS; i++)
			dbg_name_put(n, GFS_LOCK_NONDISK, i);
	if (wants(n, GFS_LOCK_META))
		dbg_name_put(n, GFS_LOCK_META, 0);
	if (n->types & scanned)
		rc = put_rgrps(n);
	else if (wants(n, GFS_LOCK_RGRP))
		for (uint32_t i = 0; i < fs->rgrps.n; i++)
			dbg_name_put(n, GFS_LOCK_RGRP, fs->rgrps.rg[i].addr);
	if (wants(n, GFS_LOCK_QUOTA)) {
		one = dbg_complain(n->d, dbg_names_of_quotas(n->d, n));
		rc = one ? one : rc;
	}
	if (wants(n, GFS_LOCK_JOURNAL))
		for (uint32_t j = 0; j < fs->njournals; j++)
			dbg_name_put(n, GFS_LOCK_JOURNAL, j);
	return rc;
}

/* What of the volume must be there for the names of these types. */
static unsigned int needs(uint32_t types)
{
	unsigned int need = 0;

	if (types & (1U << GFS_LOCK_INODE | 1U << GFS_LOCK_IOPEN |
		     1U << GFS_LOCK_RGRP))
		need |= DBG_RGRPS;
	if (types & 1U << GFS_LOCK_QUOTA)
		need |= DBG_SYSTEM;
	if (types & 1U << GFS_LOCK_JOURNAL)
		need |= DBG_JOURNALS;
	return need;
}

static const uint32_t all_types =
	1U << GFS_LOCK_NONDISK | 1U << GFS_LOCK_INODE | 1U << GFS_LOCK_RGRP |
	1U << GFS_LOCK_META | 1U << GFS_LOCK_IOPEN | 1U << GFS_LOCK_QUOTA |
	1U << GFS_LOCK_JOURNAL;

static int parse_types(struct dbg *d, const char *text, uint32_t *types)
{
	char *copy = cli_strdup(text);
	char *save = NULL;
	int rc = 0;

	*types = 0;
	for (char *word = strtok_r(copy, ",", &save); word && !rc;
	     word = strtok_r(NULL, ",", &save)) {
		int type = gfs_locktype_parse(word);

		if (type < 0)
			rc = dbg_fail(d, EINVAL, "no lock type \"%.40s\"",
				      word);
		else if (!(all_types & 1U << type))
			rc = dbg_fail(d, EINVAL, "the volume does not say "
				      "which %s locks there are", word);
		else
			*types |= 1U << type;
	}
	free(copy);
	if (!rc && !*types)
		rc = dbg_fail(d, EINVAL, "no lock types given");
	return rc;
}

static int parse_format(struct dbg *d, const char *text,
			enum name_format *format)
{
	static const char *const names[] = {
		[NAMES_TEXT] = "text", [NAMES_HEX] = "hex",
		[NAMES_CSV] = "csv", [NAMES_JSON] = "json"
	};

	if (!text) {
		*format = d->json ? NAMES_JSON : NAMES_TEXT;
		return 0;
	}
	for (size_t i = 0; i < GFS_ARRAY_SIZE(names); i++) {
		if (strcmp(text, names[i]))
			continue;
		*format = (enum name_format)i;
		return 0;
	}
	return dbg_fail(d, EINVAL, "no format \"%.40s\": text, hex, csv or "
			"json", text);
}

int dbg_cmd_locknames(struct dbg *d, struct dbg_args *a)
{
	struct dbg_namer n = { .d = d, .types = all_types };
	int rc;

	n.unlinked = a->opt[2];
	rc = a->opt[0] ? parse_types(d, a->opt[0], &n.types) : 0;
	if (!rc)
		rc = parse_format(d, a->opt[1], &n.format);
	if (!rc)
		rc = dbg_need(d, needs(n.types));
	if (rc)
		return rc;
	if (n.format == NAMES_CSV)
		puts("type,number,name");
	if (n.format == NAMES_JSON)
		puts("[");
	rc = put_all(&n);
	if (n.format == NAMES_JSON)
		puts("\n]");
	return rc;
}
