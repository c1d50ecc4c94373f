// SPDX-License-Identifier: GPL-2.0-or-later
/* Contents of files and hash tables as bytes. */
#include "file.h"

#include "bmap.h"
#include "read.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A range of a file's bytes on its way to memory. */
struct range {
	char *buf;
	size_t len;
	uint64_t off;
};

static void advance(struct range *r, size_t n)
{
	r->buf += n;
	r->len -= n;
	r->off += n;
}

static void read_stuffed(const struct gfs_inode *ip, const struct range *r)
{
	const char *tail =
		(const char *)ip->buf->data + sizeof(struct gfs2_dinode);

	memcpy(r->buf, tail + r->off, r->len);
}

/* Bytes of one block with a header: part of a hash table. */
static int read_table_block(struct gfs_inode *ip, struct range *r)
{
	const struct gfs_geom *g = &ip->fs->geom;
	uint64_t lblk = r->off / g->jbsize;
	uint32_t in_block = (uint32_t)(r->off % g->jbsize);
	size_t n = gfs_min(r->len, g->jbsize - in_block);
	struct gfs_extent ext;
	struct gfs_buf *buf;
	int rc = gfs_bmap(ip, lblk, 1, &ext);

	if (rc)
		return rc;
	if (!ext.pblk)
		return gfs_fail(ip->fs->err, GFS_ECORRUPT, ip->blk,
				"hash table lacks its block %" PRIu64, lblk);
	rc = gfs_read_get(ip->fs, ext.pblk, GFS2_METATYPE_JD, &buf);
	if (rc)
		return rc;
	memcpy(r->buf,
	       (const char *)buf->data + sizeof(struct gfs2_meta_header) +
		       in_block, n);
	gfs_buf_put(buf);
	advance(r, n);
	return 0;
}

static int read_extent(struct gfs_inode *ip, struct range *r)
{
	const struct gfs_geom *g = &ip->fs->geom;
	uint64_t lblk = r->off >> g->shift;
	uint32_t in_block = (uint32_t)(r->off & (g->bsize - 1));
	uint64_t blocks = (r->len >> g->shift) + 2;
	struct gfs_extent ext;
	size_t n;
	int rc = gfs_bmap(ip, lblk, blocks, &ext);

	if (rc)
		return rc;
	n = gfs_min(r->len, (ext.count << g->shift) - in_block);
	if (!ext.pblk)
		memset(r->buf, 0, n);
	else
		rc = gfs_read_bytes(ip->fs, r->buf, n,
				    (ext.pblk << g->shift) + in_block);
	if (!rc)
		advance(r, n);
	return rc;
}

int gfs_file_read(struct gfs_inode *ip, void *buf, size_t len, uint64_t off,
		  size_t *got)
{
	struct range r = { .buf = buf, .off = off };
	int rc = 0;

	*got = 0;
	if (off >= ip->size)
		return 0;
	r.len = gfs_min(len, ip->size - off);
	*got = r.len;
	if (gfs_inode_is_stuffed(ip)) {
		read_stuffed(ip, &r);
		return 0;
	}
	while (r.len && !rc)
		rc = gfs_inode_is_dir(ip) ? read_table_block(ip, &r) :
					    read_extent(ip, &r);
	*got -= r.len;
	return rc;
}

int gfs_file_readlink(struct gfs_inode *ip, char **target, size_t *len)
{
	char *text;
	int rc;

	*target = NULL;
	*len = 0;
	if (!S_ISLNK(ip->mode))
		return gfs_fail(ip->fs->err, EINVAL, ip->blk,
				"not a symbolic link");
	/* The verifier has seen that it is stuffed and not empty. */
	text = malloc(ip->size + 1);
	if (!text)
		return gfs_fail(ip->fs->err, ENOMEM, ip->blk,
				"no memory for a symbolic link");
	rc = gfs_file_read(ip, text, ip->size, 0, len);
	if (rc) {
		free(text);
		return rc;
	}
	text[*len] = '\0';
	*target = text;
	return 0;
}
