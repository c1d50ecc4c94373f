// SPDX-License-Identifier: GPL-2.0-or-later
/* Extended attributes: a cursor over all EA blocks of an inode. */
#include "xattr.h"

#include "../format/dirent.h"
#include "read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gfs_xattr_iter {
	struct gfs_inode *ip;
	struct gfs_buf *list;  /* the IN block of EA blocks, or NULL */
	uint32_t slot;         /* next pointer in it */
	bool is_started;       /* for a single EA block */
	struct gfs_buf *block; /* the present EA block, or NULL */
	struct gfs_ea_iter records;
	char *value;           /* of unstuffed ones, GFS2_EA_MAX_DATA_LEN */
};

int gfs_xattr_open(struct gfs_xattr_iter **it, struct gfs_inode *ip)
{
	struct gfs_xattr_iter *i = calloc(1, sizeof(*i));
	int rc = 0;

	*it = NULL;
	if (!i)
		return gfs_fail(ip->fs->err, ENOMEM, ip->blk, "xattrs");
	i->ip = ip;
	if (ip->eattr && (ip->flags & GFS2_DIF_EA_INDIRECT))
		rc = gfs_read_get(ip->fs, ip->eattr, GFS2_METATYPE_IN,
				  &i->list);
	if (rc)
		free(i);
	else
		*it = i;
	return rc;
}

/* Number of the next EA block, or 0. */
static uint64_t next_blk(struct gfs_xattr_iter *it)
{
	uint64_t blk;

	if (!it->list) {
		blk = it->is_started ? 0 : it->ip->eattr;
		it->is_started = true;
		return blk;
	}
	if (it->slot >= it->ip->fs->geom.inptrs)
		return 0;
	blk = gfs_indirect_ptr(it->list->data, it->slot);
	/* The list ends at its first zero. */
	it->slot = blk ? it->slot + 1 : it->ip->fs->geom.inptrs;
	return blk;
}

/* Go to the next EA block: 1, 0 when there is none, < 0. */
static int next_block(struct gfs_xattr_iter *it)
{
	struct gfs_fs *fs = it->ip->fs;
	uint64_t blk;
	int rc;

	gfs_buf_put(it->block);
	it->block = NULL;
	blk = next_blk(it);
	if (!blk)
		return 0;
	rc = gfs_read_get(fs, blk, GFS2_METATYPE_EA, &it->block);
	if (rc)
		return rc;
	gfs_ea_first(&it->records, it->block->data, fs->geom.bsize);
	return 1;
}

static void fill_name(struct gfs_xattr *x, const struct gfs_ea_view *view)
{
	const char *prefix = gfs_ea_prefix(view->ea->ea_type);
	char unknown[16];
	size_t n;

	x->type = view->ea->ea_type;
	snprintf(unknown, sizeof(unknown), "type%u.", x->type);
	n = (size_t)snprintf(x->name, sizeof(x->name), "%s",
			     prefix ? prefix : unknown);
	memcpy(x->name + n, view->name, view->name_len);
	x->name[n + view->name_len] = '\0';
}

/* Put the parts of a value together from its ED blocks. */
static int read_value(struct gfs_xattr_iter *it, const struct gfs_ea_view *view)
{
	struct gfs_fs *fs = it->ip->fs;
	size_t done = 0;

	if (!it->value)
		it->value = malloc(GFS2_EA_MAX_DATA_LEN);
	if (!it->value)
		return gfs_fail(fs->err, ENOMEM, it->ip->blk, "xattr value");
	for (uint32_t i = 0; done < view->data_len; i++) {
		size_t n = gfs_min(view->data_len - done, fs->geom.jbsize);
		struct gfs_buf *buf;
		be64 ptr;
		int rc;

		memcpy(&ptr, view->ptrs + i * sizeof(ptr), sizeof(ptr));
		rc = gfs_read_get(fs, be64_to_cpu(ptr), GFS2_METATYPE_ED,
				  &buf);
		if (rc)
			return rc;
		memcpy(it->value + done,
		       (const char *)buf->data +
			       sizeof(struct gfs2_meta_header), n);
		gfs_buf_put(buf);
		done += n;
	}
	return 0;
}

static int fill(struct gfs_xattr_iter *it, const struct gfs_ea_view *view,
		struct gfs_xattr *x)
{
	int rc = 0;

	fill_name(x, view);
	x->len = view->data_len;
	x->value = view->value;
	if (!view->value) {
		rc = read_value(it, view);
		x->value = it->value;
	}
	return rc ? rc : 1;
}

/* The next used record of the present block: 1, 0 at its end, < 0. */
static int next_record(struct gfs_xattr_iter *it, struct gfs_xattr *x)
{
	struct gfs_fs *fs = it->ip->fs;
	uint64_t blk = it->block->blk;
	struct gfs_ea_view view;
	const char *why;
	int rc;

	while ((rc = gfs_ea_next(&it->records, &view, &why)) == 1)
		if (!view.unused)
			return fill(it, &view, x);
	gfs_buf_put(it->block);
	it->block = NULL;
	if (rc)
		return gfs_fail(fs->err, GFS_ECORRUPT, blk,
				"xattr at byte %u: %s", it->records.offset,
				why);
	return 0;
}

int gfs_xattr_next(struct gfs_xattr_iter *it, struct gfs_xattr *x)
{
	for (;;) {
		int rc = it->block ? next_record(it, x) : 0;

		if (rc)
			return rc;
		rc = next_block(it);
		if (rc != 1)
			return rc;
	}
}

void gfs_xattr_close(struct gfs_xattr_iter *it)
{
	if (!it)
		return;
	gfs_buf_put(it->block);
	gfs_buf_put(it->list);
	free(it->value);
	free(it);
}
