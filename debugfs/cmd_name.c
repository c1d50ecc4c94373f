// SPDX-License-Identifier: GPL-2.0-or-later
/* Commands between lock names, blocks and paths: encode, decode, ncheck. */
#include "expr.h"
#include "show.h"

#include "../libgfs/format/bitmap.h"
#include "../libgfs/format/blocktype.h"
#include "../libgfs/format/lockname.h"
#include "../libgfs/fs/path.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A 24-byte name in quotes: its leading spaces matter. */
static void name_cell(struct emit *e, const struct gfs_lockname *ln)
{
	char name[GFS_LOCKNAME_LEN + 1];

	gfs_lockname_format(ln, name);
	if (emit_is_json(e))
		emit_str(e, NULL, name);
	else
		emit_strf(e, NULL, "\"%s\"", name);
}

static void encode_row(struct emit *e, uint32_t type, uint64_t number)
{
	struct gfs_lockname ln = { type, number };

	emit_row_begin(e);
	name_cell(e, &ln);
	emit_str(e, NULL, gfs_locktype_name(type));
	emit_strf(e, NULL, "%u/%" PRIx64, type, number);
	emit_row_end(e);
}

/* Lock types that a block can have, by what it is; a bit each. */
static unsigned int types_of(const void *block)
{
	if (gfs_block_is(block, GFS2_METATYPE_DI))
		return 1U << GFS_LOCK_INODE | 1U << GFS_LOCK_IOPEN |
		       1U << GFS_LOCK_FLOCK;
	if (gfs_block_is(block, GFS2_METATYPE_RG))
		return 1U << GFS_LOCK_RGRP;
	if (gfs_block_is(block, GFS2_METATYPE_SB))
		return 1U << GFS_LOCK_META;
	return 0;
}

/* Id of the journal whose inode is at blk; false if it is none. */
static bool journal_id(struct dbg *d, uint64_t blk, uint32_t *jid)
{
	char path[64];

	for (*jid = 0; *jid < d->fs->njournals; (*jid)++) {
		uint64_t at;

		snprintf(path, sizeof(path), "//jindex/journal%u", *jid);
		if (!gfs_path_lookup(d->fs, path, false, &at) && at == blk)
			return true;
	}
	return false;
}

static void encode_rows(struct dbg *d, unsigned int types, uint64_t blk,
			uint32_t jid)
{
	static const struct emit_column columns[] = {
		{ "name", false }, { "type", false }, { "glock", false }
	};

	emit_table_begin(d->out, NULL, columns, GFS_ARRAY_SIZE(columns),
			 false);
	for (uint32_t type = 0; type < GFS_LOCK_TYPES; type++) {
		if (!(types & 1U << type))
			continue;
		encode_row(d->out, type,
			   type == GFS_LOCK_META ? 0 :
			   type == GFS_LOCK_JOURNAL ? jid : blk);
	}
	emit_table_end(d->out);
}

int dbg_cmd_encode(struct dbg *d, struct dbg_args *a)
{
	struct gfs_buf *buf;
	unsigned int types;
	uint32_t jid = 0;
	uint64_t blk;
	int rc, type;

	rc = dbg_address(d, a->v[0], &blk);
	if (!rc)
		rc = dbg_block(d, blk, &buf);
	if (rc)
		return rc;
	types = types_of(buf->data);
	gfs_buf_put(buf);
	if (!types)
		return gfs_fail(&d->err, EINVAL, blk,
				"is neither inode nor resource group: it has "
				"no lock");
	if (types & 1U << GFS_LOCK_INODE && journal_id(d, blk, &jid))
		types |= 1U << GFS_LOCK_JOURNAL;
	if (a->n > 1) {
		type = gfs_locktype_parse(a->v[1]);
		if (type < 0)
			return dbg_fail(d, EINVAL, "no lock type \"%.40s\"",
					a->v[1]);
		if (!(types & 1U << type))
			return gfs_fail(&d->err, EINVAL, blk,
					"has no %s lock", a->v[1]);
		types = 1U << type;
	} else {
		/* A flock lock exists only while somebody holds one. */
		types &= ~(1U << GFS_LOCK_FLOCK);
	}
	encode_rows(d, types, blk, jid);
	return 0;
}

/* Paths found for a sorted list of inode blocks. */
struct found {
	uint64_t blk;
	char *path;
};

struct finder {
	uint64_t *blks; /* sorted, no repeats */
	size_t n;
	struct found *found;
	size_t n_found;
};

static int compare_blks(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int keep_path(void *ctx, uint64_t blk, const char *path)
{
	struct finder *f = ctx;

	if (!(f->n_found & (f->n_found - 1)))
		f->found = cli_realloc(f->found, 2 * (f->n_found + 1) *
						 sizeof(*f->found));
	f->found[f->n_found++] = (struct found){ blk, cli_strdup(path) };
	return 0;
}

/* Sort the list, drop repeats, find the paths. */
static int find_paths(struct dbg *d, struct finder *f)
{
	size_t kept = 0;

	if (!f->n)
		return 0;
	qsort(f->blks, f->n, sizeof(*f->blks), compare_blks);
	for (size_t i = 0; i < f->n; i++)
		if (!i || f->blks[i] != f->blks[i - 1])
			f->blks[kept++] = f->blks[i];
	f->n = kept;
	return gfs_path_find(d->fs, f->blks, f->n, keep_path, f);
}

static void free_finder(struct finder *f)
{
	for (size_t i = 0; i < f->n_found; i++)
		free(f->found[i].path);
	free(f->found);
	free(f->blks);
}

/* Block of the object behind a name, GFS_NO_BLOCK if it has none. */
static uint64_t block_of(struct dbg *d, const struct gfs_lockname *ln)
{
	char path[64];
	uint64_t blk;

	switch (ln->type) {
	case GFS_LOCK_INODE:
	case GFS_LOCK_RGRP:
	case GFS_LOCK_IOPEN:
	case GFS_LOCK_FLOCK: return ln->number;
	case GFS_LOCK_META: return d->fs->geom.sb_blk;
	case GFS_LOCK_QUOTA:
		return d->fs->sys.quota.addr ? d->fs->sys.quota.addr
					     : GFS_NO_BLOCK;
	case GFS_LOCK_JOURNAL:
		snprintf(path, sizeof(path), "//jindex/journal%" PRIu64,
			 ln->number);
		return gfs_path_lookup(d->fs, path, false, &blk) ? GFS_NO_BLOCK
								 : blk;
	default: return GFS_NO_BLOCK;
	}
}

static bool is_inode_lock(const struct gfs_lockname *ln)
{
	return ln->type == GFS_LOCK_INODE || ln->type == GFS_LOCK_IOPEN ||
	       ln->type == GFS_LOCK_FLOCK;
}

static void rgrp_text(const struct dbg *d, uint64_t blk, char *buf, size_t size)
{
	const struct gfs_rgrp *rg = gfs_rgrp_covering(&d->fs->rgrps, blk);

	if (rg && rg->addr == blk)
		snprintf(buf, size, "rg %td", rg - d->fs->rgrps.rg);
	else
		snprintf(buf, size, "no resource group of this volume");
}

/* What the bitmaps say about a block that should be an inode. */
static void inode_text(struct dbg *d, uint64_t blk, char *buf, size_t size)
{
	int state = -1;

	if (gfs_rgrp_find(&d->fs->rgrps, blk))
		state = gfs_rgrp_state(d->fs, blk);
	if (state == GFS2_BLKST_DINODE)
		snprintf(buf, size, "inode");
	else if (state >= 0)
		snprintf(buf, size, "no inode: block is %s",
			 gfs_blkst_name((unsigned int)state));
	else if (d->have & DBG_RGRPS)
		snprintf(buf, size, "no inode: in no data area");
	else
		snprintf(buf, size, "unknown");
}

/* What a lock protects, in words. */
static void object_text(struct dbg *d, const struct gfs_lockname *ln, char *buf,
			size_t size)
{
	static const char *const nondisk[] = { "mount",  "live",    "freeze",
					       "rename", "control", "mounted" };
	uint64_t n = ln->number;

	switch (ln->type) {
	case GFS_LOCK_NONDISK:
		snprintf(buf, size, "%s", n < GFS_ARRAY_SIZE(nondisk) ?
			 nondisk[n] : "unknown");
		break;
	case GFS_LOCK_RGRP: rgrp_text(d, n, buf, size); break;
	case GFS_LOCK_META:
		snprintf(buf, size, n ? "unknown" : "superblock");
		break;
	case GFS_LOCK_QUOTA:
		snprintf(buf, size, "%s %" PRIu64, n & 1 ? "group" : "user",
			 n / 2);
		break;
	case GFS_LOCK_JOURNAL:
		snprintf(buf, size, "journal %" PRIu64, n);
		break;
	case GFS_LOCK_INODE:
	case GFS_LOCK_IOPEN:
	case GFS_LOCK_FLOCK: inode_text(d, n, buf, size); break;
	default: snprintf(buf, size, "unknown"); break;
	}
}

static void decode_row(struct dbg *d, const struct gfs_lockname *ln,
		       const char *path)
{
	uint64_t blk = block_of(d, ln);
	char text[96];

	emit_row_begin(d->out);
	name_cell(d->out, ln);
	emit_str(d->out, NULL, gfs_locktype_name(ln->type));
	emit_u64(d->out, NULL, ln->number);
	if (blk == GFS_NO_BLOCK)
		emit_str(d->out, NULL, NULL);
	else
		emit_u64(d->out, NULL, blk);
	object_text(d, ln, text, sizeof(text));
	emit_str(d->out, NULL, text);
	emit_str(d->out, NULL, path);
	emit_row_end(d->out);
}

/* A row for each path of an inode, one for other locks. */
static void decode_rows(struct dbg *d, const struct gfs_lockname *ln,
			const struct finder *f)
{
	bool any = false;

	for (size_t i = 0; is_inode_lock(ln) && i < f->n_found; i++) {
		if (f->found[i].blk != ln->number)
			continue;
		decode_row(d, ln, f->found[i].path);
		any = true;
	}
	if (!any)
		decode_row(d, ln, NULL);
}

/* Read all names; the ones that are none are complained about. */
static int parse_names(struct dbg *d, const struct dbg_args *a,
		       struct gfs_lockname *names, int *n)
{
	int rc = 0;

	for (int i = 0; i < a->n; i++) {
		if (!gfs_lockname_parse(a->v[i], strlen(a->v[i]), &names[*n]))
			(*n)++;
		else
			rc = dbg_complain(d, dbg_fail(d, EINVAL,
						      "no lock name: \"%.60s\"",
						      a->v[i]));
	}
	return rc;
}

int dbg_cmd_decode(struct dbg *d, struct dbg_args *a)
{
	static const struct emit_column columns[] = {
		{ "name", false },  { "type", false },   { "number", true },
		{ "block", true },  { "object", false }, { "path", false }
	};
	size_t size = (size_t)a->n;
	struct gfs_lockname *names = cli_alloc(size * sizeof(*names));
	struct finder f = { .blks = cli_alloc(size * sizeof(*f.blks)) };
	int n = 0, rc, one;

	rc = parse_names(d, a, names, &n);
	for (int i = 0; i < n; i++)
		if (is_inode_lock(&names[i]))
			f.blks[f.n++] = names[i].number;
	one = dbg_complain(d, find_paths(d, &f));
	rc = one ? one : rc;
	emit_table_begin(d->out, NULL, columns, GFS_ARRAY_SIZE(columns),
			 false);
	for (int i = 0; i < n; i++)
		decode_rows(d, &names[i], &f);
	emit_table_end(d->out);
	free_finder(&f);
	free(names);
	return rc;
}

int dbg_cmd_ncheck(struct dbg *d, struct dbg_args *a)
{
	static const struct emit_column columns[] = {
		{ "inode", true }, { "path", false }
	};
	struct finder f = {
		.blks = cli_alloc((size_t)a->n * sizeof(*f.blks))
	};
	int rc = 0, one;

	for (int i = 0; i < a->n; i++) {
		one = dbg_complain(d, dbg_address(d, a->v[i], &f.blks[f.n]));
		if (one)
			rc = one;
		else
			f.n++;
	}
	one = dbg_complain(d, find_paths(d, &f));
	rc = one ? one : rc;
	emit_table_begin(d->out, NULL, columns, GFS_ARRAY_SIZE(columns),
			 false);
	for (size_t i = 0; i < f.n_found; i++) {
		emit_row_begin(d->out);
		emit_u64(d->out, NULL, f.found[i].blk);
		emit_str(d->out, NULL, f.found[i].path);
		emit_row_end(d->out);
	}
	emit_table_end(d->out);
	free_finder(&f);
	return rc;
}
