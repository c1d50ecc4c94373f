// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading blocks that a pointer led to, with its range and type checked. */
#include "read.h"

#include "../format/blocktype.h"

#include <string.h>

int gfs_read_get(struct gfs_fs *fs, uint64_t blk, uint32_t mh_type,
		 struct gfs_buf **buf)
{
	const struct gfs_blocktype *want;
	int rc;

	*buf = NULL;
	want = gfs_blocktype_find(mh_type);
	if (!gfs_fs_has_block(fs, blk))
		return gfs_fail(fs->err, GFS_EOUTSIDE, blk,
				"pointer to a block (%s)", want->name);
	rc = gfs_buf_get(fs->cache, blk, buf);
	if (rc)
		return rc;
	if (gfs_block_is((*buf)->data, mh_type))
		return 0;
	gfs_buf_put(*buf);
	*buf = NULL;
	return gfs_fail(fs->err, GFS_ECORRUPT, blk, "not a block of type %s",
			want->name);
}

int gfs_read_flaw(struct gfs_fs *fs, uint64_t blk, const struct gfs_flaw *flaw)
{
	if (!flaw->why || flaw->minor)
		return 0;
	if (flaw->field)
		return gfs_fail(fs->err, GFS_ECORRUPT, blk, "%s %s",
				flaw->field->name, flaw->why);
	return gfs_fail(fs->err, GFS_ECORRUPT, blk, "byte %u: %s",
			flaw->offset, flaw->why);
}

/* Put the cached bytes of block blk, if any, into a range read at off. */
static void put_cached(struct gfs_fs *fs, uint64_t blk, char *buf, size_t len,
		       uint64_t off)
{
	const char *data = gfs_cache_peek(fs->cache, blk);
	uint64_t start = blk << fs->geom.shift;
	uint64_t from = gfs_max(start, off);
	uint64_t to = gfs_min(start + fs->geom.bsize, off + len);

	if (data && from < to)
		memcpy(buf + (from - off), data + (from - start), to - from);
}

int gfs_read_bytes(struct gfs_fs *fs, void *buf, size_t len, uint64_t off)
{
	uint64_t blk = off >> fs->geom.shift;
	uint64_t end = off + len;
	int rc = gfs_dev_read(fs->dev, buf, len, off);

	if (rc)
		return gfs_fail(fs->err, rc, blk, "cannot read");
	for (; blk << fs->geom.shift < end; blk++)
		put_cached(fs, blk, buf, len, off);
	return 0;
}
