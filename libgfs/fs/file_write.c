// SPDX-License-Identifier: GPL-2.0-or-later
/* Contents of files: writing, extending, truncating. */
#include "file_write.h"

#include "../io/txn.h"
#include "alloc.h"
#include "tree_write.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>

/* What is left to be written. */
struct rest {
	const char *buf;
	size_t len;
	uint64_t off;
};

static int check_file(const struct gfs_inode *ip, uint64_t end)
{
	if (!S_ISREG(ip->mode) && !S_ISLNK(ip->mode))
		return gfs_fail(ip->fs->err, EINVAL, ip->blk,
				"not a regular file");
	if (end > INT64_MAX)
		return gfs_fail(ip->fs->err, EFBIG, ip->blk,
				"%" PRIu64 " bytes", end);
	return 0;
}

/* One block of data: all new, all overwritten, or partly. */
static int write_block(struct gfs_writer *w, uint64_t blk, bool is_new,
		       struct rest *r)
{
	uint32_t bsize = w->fs->geom.bsize;
	uint32_t in_block = (uint32_t)(r->off & (bsize - 1));
	size_t n = gfs_min(r->len, bsize - in_block);
	struct gfs_buf *buf = NULL;
	void *data = NULL;
	int rc = 0;

	if (is_new || n == bsize) {
		rc = gfs_writer_fresh(w, blk, 0, &data);
	} else {
		rc = gfs_buf_get(w->fs->cache, blk, &buf);
		if (!rc)
			data = gfs_writer_edit(w, buf);
		if (data)
			gfs_txn_set_data(w->txn, blk);
	}
	if (data)
		memcpy((char *)data + in_block, r->buf, n);
	gfs_buf_put(buf);
	if (!rc && !data)
		rc = -ENOMEM;
	r->buf += n;
	r->len -= n;
	r->off += n;
	return rc;
}

/* As much as one run of blocks takes. */
static int write_run(struct gfs_writer *w, struct gfs_inode *ip, struct rest *r)
{
	uint32_t shift = w->fs->geom.shift;
	uint64_t last = (r->off + r->len - 1) >> shift;
	uint64_t lblk = r->off >> shift;
	struct gfs_tree_run run;
	int rc = gfs_tree_map(w, ip, lblk, last - lblk + 1, &run);

	for (uint64_t i = 0; i < run.n && !rc; i++) {
		rc = write_block(w, run.pblk + i, run.is_new, r);
		if (rc)
			w->spoiled = true;
	}
	return rc;
}

static int write_stuffed(struct gfs_writer *w, struct gfs_inode *ip,
			 struct rest *r)
{
	char *tail = gfs_writer_edit(w, ip->buf);

	if (!tail)
		return -ENOMEM;
	tail += sizeof(struct gfs2_dinode);
	/* What an older end left behind must not come to light. */
	if (r->off > ip->size)
		memset(tail + ip->size, 0, r->off - ip->size);
	memcpy(tail + r->off, r->buf, r->len);
	r->off += r->len;
	r->len = 0;
	return 0;
}

/* Size and times after a change; size is the new one. */
static int finish(struct gfs_writer *w, struct gfs_inode *ip, uint64_t size)
{
	struct gfs2_dinode *di = gfs_writer_dinode(w, ip);

	if (!di)
		return -ENOMEM;
	di->di_size = cpu_to_be64(size);
	gfs_writer_touch(w, di, true);
	gfs_inode_refresh(ip);
	return 0;
}

/* Zero the rest of the block that the end of the file lies in. */
static int zero_behind_end(struct gfs_writer *w, struct gfs_inode *ip,
			   uint64_t end)
{
	const struct gfs_geom *g = &w->fs->geom;
	uint32_t in_block = (uint32_t)(end & (g->bsize - 1));
	struct gfs_extent ext;
	struct gfs_buf *buf;
	char *data;
	int rc;

	if (!in_block || (end >> g->shift) >= g->height_blocks[ip->height])
		return 0;
	rc = gfs_bmap(ip, end >> g->shift, 1, &ext);
	if (rc || !ext.pblk)
		return rc;
	rc = gfs_buf_get(w->fs->cache, ext.pblk, &buf);
	if (rc)
		return rc;
	data = gfs_writer_edit(w, buf);
	gfs_buf_put(buf);
	if (!data)
		return -ENOMEM;
	gfs_txn_set_data(w->txn, ext.pblk);
	memset(data + in_block, 0, g->bsize - in_block);
	return 0;
}

static int write_all(struct gfs_writer *w, struct gfs_inode *ip, struct rest *r)
{
	uint64_t end = r->off + r->len;
	int rc = 0;

	if (!ip->height && end <= w->fs->geom.stuffed_max)
		return write_stuffed(w, ip, r);
	if (!ip->height)
		rc = gfs_tree_unstuff(w, ip);
	/* Blocks behind the end may hold anything. */
	if (!rc && r->off > ip->size)
		rc = zero_behind_end(w, ip, ip->size);
	while (r->len && !rc)
		rc = write_run(w, ip, r);
	return rc;
}

int gfs_file_write(struct gfs_writer *w, struct gfs_inode *ip,
		   const struct gfs_file_piece *piece, size_t *done)
{
	struct rest r = { piece->buf, piece->len, piece->off };
	int rc, end;

	*done = 0;
	rc = check_file(ip, piece->off);
	if (!rc && piece->len > INT64_MAX - piece->off)
		rc = check_file(ip, UINT64_MAX);
	if (rc || !piece->len)
		return rc;
	rc = write_all(w, ip, &r);
	*done = piece->len - r.len;
	if (*done && (!rc || rc == -ENOSPC)) {
		end = finish(w, ip, gfs_max(ip->size, r.off));
		rc = end ? end : rc;
	}
	return gfs_writer_result(w, rc);
}

static int shrink(struct gfs_writer *w, struct gfs_inode *ip, uint64_t size)
{
	const struct gfs_geom *g = &w->fs->geom;
	char *tail;
	int rc;

	if (ip->height) {
		rc = gfs_tree_trim(w, ip, gfs_div_up(size, g->bsize));
		return rc || !ip->height ? rc : zero_behind_end(w, ip, size);
	}
	tail = gfs_writer_edit(w, ip->buf);
	if (!tail)
		return -ENOMEM;
	memset(tail + sizeof(struct gfs2_dinode) + size, 0,
	       g->stuffed_max - size);
	return 0;
}

static int extend(struct gfs_writer *w, struct gfs_inode *ip, uint64_t size)
{
	const uint32_t max = w->fs->geom.stuffed_max;
	char *tail;

	if (ip->height)
		return zero_behind_end(w, ip, ip->size);
	if (size > max)
		return gfs_tree_unstuff(w, ip);
	tail = gfs_writer_edit(w, ip->buf);
	if (!tail)
		return -ENOMEM;
	memset(tail + sizeof(struct gfs2_dinode) + ip->size, 0,
	       size - ip->size);
	return 0;
}

int gfs_file_truncate(struct gfs_writer *w, struct gfs_inode *ip, uint64_t size)
{
	int rc = check_file(ip, size);

	if (!rc)
		rc = size > ip->size ? extend(w, ip, size)
				     : shrink(w, ip, size);
	if (!rc)
		rc = finish(w, ip, size);
	return gfs_writer_result(w, rc);
}
