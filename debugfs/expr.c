// SPDX-License-Identifier: GPL-2.0-or-later
/* From what users write to blocks, inodes and fields. */
#include "expr.h"
#include "words.h"

#include "../libgfs/format/lockname.h"
#include "../libgfs/fs/bmap.h"
#include "../libgfs/fs/path.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SUFFIXES 16U

static int check_block(struct dbg *d, uint64_t blk)
{
	if (blk < d->fs->nblocks)
		return 0;
	return dbg_fail(d, GFS_EOUTSIDE,
			"block %" PRIu64 ": the device ends with %" PRIu64, blk,
			d->fs->nblocks - 1);
}

int dbg_block(struct dbg *d, uint64_t blk, struct gfs_buf **buf)
{
	int rc = check_block(d, blk);

	if (rc)
		return rc;
	return gfs_buf_get(d->fs->cache, blk, buf);
}

/* "journal3" with prefix "journal": digits and nothing behind them. */
static bool has_number(const char *text, const char *prefix, uint64_t *n)
{
	size_t len = strlen(prefix);

	if (strncmp(text, prefix, len))
		return false;
	text += len;
	if (len == 2 && *text == ' ')
		text++;
	return (isdigit((unsigned char)*text) || *text == '<') &&
	       !dbg_number(text, n);
}

static int rgrp_address(struct dbg *d, uint64_t n, uint64_t *blk)
{
	int rc = dbg_need(d, DBG_RGRPS);

	if (rc)
		return rc;
	if (n >= d->fs->rgrps.n)
		return dbg_fail(d, ENOENT,
				"no resource group %" PRIu64
				": the volume has %u", n, d->fs->rgrps.n);
	*blk = d->fs->rgrps.rg[n].addr;
	return 0;
}

static int journal_address(struct dbg *d, uint64_t n, uint64_t *blk)
{
	char path[64];

	if (d->have & DBG_JOURNALS && n >= d->fs->njournals)
		return dbg_fail(d, ENOENT,
				"no journal %" PRIu64 ": the volume has %u", n,
				d->fs->njournals);
	snprintf(path, sizeof(path), "//jindex/journal%" PRIu64, n);
	return gfs_path_lookup(d->fs, path, false, blk);
}

/* The block of a glock or DLM name. */
static int lock_address(struct dbg *d, const char *text, uint64_t *blk)
{
	struct gfs_lockname ln;

	if (gfs_lockname_parse(text, strlen(text), &ln))
		return dbg_fail(d, EINVAL, "no lock name: \"%.60s\"", text);
	switch (ln.type) {
	case GFS_LOCK_INODE:
	case GFS_LOCK_RGRP:
	case GFS_LOCK_IOPEN:
	case GFS_LOCK_FLOCK:
		*blk = ln.number;
		return check_block(d, *blk);
	case GFS_LOCK_META:
		*blk = d->fs->geom.sb_blk;
		return 0;
	case GFS_LOCK_JOURNAL:
		return journal_address(d, ln.number, blk);
	default:
		return dbg_fail(d, EINVAL, "a %s lock belongs to no block",
				gfs_locktype_name(ln.type));
	}
}

static int system_address(struct dbg *d, const char *text, uint64_t *blk)
{
	const struct gfs_system *sys = &d->fs->sys;
	const struct {
		const char *name;
		uint64_t addr;
		unsigned int need;
	} names[] = {
		{ "root", d->fs->sb.root.addr, 0 },
		{ "master", d->fs->sb.master.addr, 0 },
		{ "sb", d->fs->geom.sb_blk, 0 },
		{ "jindex", sys->jindex.addr, DBG_SYSTEM },
		{ "per_node", sys->per_node.addr, DBG_SYSTEM },
		{ "inum", sys->inum.addr, DBG_SYSTEM },
		{ "statfs", sys->statfs.addr, DBG_SYSTEM },
		{ "rindex", sys->rindex.addr, DBG_SYSTEM },
		{ "quota", sys->quota.addr, DBG_SYSTEM },
	};

	for (size_t i = 0; i < GFS_ARRAY_SIZE(names); i++) {
		int rc;

		if (strcmp(text, names[i].name))
			continue;
		*blk = names[i].addr;
		if (*blk)
			return check_block(d, *blk);
		rc = dbg_need(d, names[i].need);
		return rc ? rc : dbg_fail(d, ENOENT, "%s is missing", text);
	}
	return 1;
}

static int per_node_address(struct dbg *d, const char *text, uint64_t *blk)
{
	static const char *const names[] = { "statfs_change", "quota_change",
					     "inum_range" };
	char path[64];
	uint64_t n;

	for (size_t i = 0; i < GFS_ARRAY_SIZE(names); i++) {
		if (!has_number(text, names[i], &n))
			continue;
		snprintf(path, sizeof(path), "//per_node/%s%" PRIu64, names[i],
			 n);
		return gfs_path_lookup(d->fs, path, false, blk);
	}
	return dbg_fail(d, EINVAL, "no address: \"%.80s\"", text);
}

/* An address without suffixes. */
static int base_address(struct dbg *d, const char *text, uint64_t *blk)
{
	uint64_t n;
	int rc;

	if (*text == '/')
		return gfs_path_lookup(d->fs, text, false, blk);
	if (!dbg_number(text, blk))
		return check_block(d, *blk);
	if (has_number(text, "rg", &n))
		return rgrp_address(d, n, blk);
	if (has_number(text, "journal", &n))
		return journal_address(d, n, blk);
	if (strchr(text, '/') || *text == ' ')
		return lock_address(d, text, blk);
	rc = system_address(d, text, blk);
	if (rc <= 0)
		return rc;
	return per_node_address(d, text, blk);
}

/* The last suffix of an address, NULL if it has none. */
static const char *last_suffix(const char *text)
{
	const char *at;
	uint64_t n;

	for (at = text + strlen(text); at > text; at--) {
		if ((*at == ':' || *at == '+') && !dbg_number(at + 1, &n))
			return at;
		if (at[0] == '-' && at[1] == '>' && at[2])
			return at;
		if (*at == '/')
			return NULL;
	}
	return NULL;
}

/* Block `lblk` of what the inode at *blk contains. */
static int content_block(struct dbg *d, uint64_t lblk, uint64_t *blk)
{
	struct gfs_inode *ip;
	struct gfs_extent ext;
	int rc;

	rc = gfs_inode_get(d->fs, *blk, &ip);
	if (rc)
		return rc;
	if (gfs_inode_is_stuffed(ip))
		rc = dbg_fail(d, ENODATA, "the content of inode %" PRIu64
			      " is in the inode itself", *blk);
	else
		rc = gfs_bmap(ip, lblk, 1, &ext);
	gfs_inode_put(ip);
	if (rc)
		return rc;
	if (!ext.pblk)
		return dbg_fail(d, ENODATA,
				"block %" PRIu64 " of inode %" PRIu64
				" is a hole", lblk, *blk);
	*blk = ext.pblk;
	return 0;
}

/* Follow the pointer in a field of the block *blk. */
static int follow_field(struct dbg *d, const char *field, uint64_t *blk)
{
	struct dbg_field f;
	struct gfs_buf *buf;
	uint64_t to;
	int rc;

	rc = dbg_find_field(d, *blk, field, &f);
	if (rc)
		return rc;
	if (f.f.repr == GFS_REPR_RAW || f.f.sense == GFS_S_STRING)
		return dbg_fail(d, EINVAL, "\"%.60s\" is no pointer", field);
	rc = dbg_block(d, f.blk, &buf);
	if (rc)
		return rc;
	to = gfs_field_get(&f.f, (const char *)buf->data + f.offset);
	gfs_buf_put(buf);
	if (!to)
		return dbg_fail(d, ENODATA, "\"%.60s\" of block %" PRIu64
				" points nowhere", field, *blk);
	*blk = to;
	return check_block(d, to);
}

static int apply_suffix(struct dbg *d, const char *suffix, uint64_t *blk)
{
	uint64_t n;
	int rc;

	if (*suffix == '-')
		return follow_field(d, suffix + 2, blk);
	rc = dbg_number(suffix + 1, &n);
	if (rc)
		return dbg_fail(d, rc, "\"%.60s\"", suffix);
	if (*suffix == ':')
		return content_block(d, n, blk);
	if (__builtin_add_overflow(*blk, n, blk))
		return dbg_fail(d, GFS_EOUTSIDE, "\"%.60s\"", suffix);
	return check_block(d, *blk);
}

static int find_address(struct dbg *d, const char *text, unsigned int depth,
			uint64_t *blk)
{
	const char *suffix = depth < MAX_SUFFIXES ? last_suffix(text) : NULL;
	char *prefix;
	int rc;

	/* A path may itself look as if it had a suffix. */
	if (!suffix || *text == '/') {
		rc = base_address(d, text, blk);
		if (!suffix || !rc || (rc != -ENOENT && rc != -ENOTDIR))
			return rc;
	}
	prefix = cli_strdup(text);
	prefix[suffix - text] = 0;
	rc = find_address(d, prefix, depth + 1, blk);
	free(prefix);
	return rc ? rc : apply_suffix(d, suffix, blk);
}

int dbg_address(struct dbg *d, const char *text, uint64_t *blk)
{
	int rc = find_address(d, text, 0, blk);

	return rc ? rc : check_block(d, *blk);
}

int dbg_inode(struct dbg *d, const char *text, bool follow,
	      struct gfs_inode **ip)
{
	uint64_t blk;
	int rc = -ENOENT;

	if (*text == '/' && follow)
		rc = gfs_path_lookup(d->fs, text, true, &blk);
	if (rc == -ENOENT || rc == -ENOTDIR)
		rc = dbg_address(d, text, &blk);
	if (rc)
		return rc;
	return gfs_inode_get(d->fs, blk, ip);
}

/* Field of record n of a system file that is an array of structs. */
static int file_record(struct dbg *d, const struct gfs_layout *layout,
		       uint64_t n, struct dbg_field *out)
{
	uint32_t bsize = d->fs->geom.bsize;
	uint64_t off, blk = out->blk;
	int rc;

	if (__builtin_mul_overflow(n, layout->size, &off) ||
	    __builtin_add_overflow(off, out->offset, &off))
		return dbg_fail(d, ERANGE, "record %" PRIu64, n);
	rc = content_block(d, off / bsize, &blk);
	if (rc)
		return rc;
	out->blk = blk;
	out->offset = (uint32_t)(off % bsize);
	if (out->offset + out->f.size > bsize)
		return dbg_fail(d, EINVAL,
				"the field lies in two blocks; use be64[] and "
				"its kin");
	return 0;
}

/* Layout of the records of a system file, NULL for other blocks. */
static const struct gfs_layout *record_layout(const struct dbg *d, uint64_t blk)
{
	if (!(d->have & DBG_SYSTEM) || !blk)
		return NULL;
	if (blk == d->fs->sys.rindex.addr)
		return gfs_layout_find("rindex");
	if (blk == d->fs->sys.quota.addr)
		return gfs_layout_find("quota");
	return NULL;
}

/* Is the file's content in its dinode's tail? */
static bool is_stuffed(const void *block)
{
	const struct gfs2_dinode *di = block;

	return !be16_to_cpu(di->di_height);
}

int dbg_find_field(struct dbg *d, uint64_t blk, const char *text,
		   struct dbg_field *out)
{
	struct dbg_struct s = { &d->fs->geom, record_layout(d, blk), 0 };
	struct gfs_buf *buf;
	const char *rest;
	uint64_t n;
	int rc;

	if (*text == '.')
		text++;
	rc = dbg_block(d, blk, &buf);
	if (rc)
		return rc;
	out->blk = blk;
	if (!s.layout || !dbg_record_prefix(text, &n, &rest)) {
		rc = dbg_field_in_block(&d->fs->geom, buf->data, text, out,
					&d->err);
	} else if (!is_stuffed(buf->data)) {
		rc = dbg_field_of(&s, rest, out, &d->err);
		if (!rc)
			rc = file_record(d, s.layout, n, out);
	} else if (n > d->fs->geom.stuffed_max / s.layout->size) {
		rc = dbg_fail(d, ERANGE, "record %" PRIu64, n);
	} else {
		s.base = (uint32_t)(sizeof(struct gfs2_dinode) +
				    n * s.layout->size);
		rc = dbg_field_of(&s, rest, out, &d->err);
	}
	gfs_buf_put(buf);
	return rc;
}
