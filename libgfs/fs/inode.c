// SPDX-License-Identifier: GPL-2.0-or-later
/* Inodes: borrowing, verifying, and what stat(2) says of them. */
#include "inode.h"

#include "read.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#define STAT_UNIT_SHIFT 9U /* st_blocks counts 512 bytes */

void gfs_inode_refresh(struct gfs_inode *ip)
{
	const struct gfs2_dinode *di = gfs_inode_di(ip);

	ip->mode = be32_to_cpu(di->di_mode);
	ip->flags = be32_to_cpu(di->di_flags);
	ip->size = be64_to_cpu(di->di_size);
	ip->blocks = be64_to_cpu(di->di_blocks);
	ip->height = be16_to_cpu(di->di_height);
	ip->depth = be16_to_cpu(di->di_depth);
	ip->entries = be32_to_cpu(di->di_entries);
	ip->eattr = be64_to_cpu(di->di_eattr);
}

int gfs_inode_get(struct gfs_fs *fs, uint64_t blk, struct gfs_inode **ip)
{
	struct gfs_flaw flaw;
	struct gfs_inode *i;
	struct gfs_buf *buf;
	int rc = gfs_read_get(fs, blk, GFS2_METATYPE_DI, &buf);

	*ip = NULL;
	if (rc)
		return rc;
	flaw = gfs_verify_dinode(&fs->geom, buf->data, blk);
	rc = gfs_read_flaw(fs, blk, &flaw);
	if (rc)
		goto bad;
	i = calloc(1, sizeof(*i));
	if (!i) {
		rc = gfs_fail(fs->err, ENOMEM, blk, "no inode");
		goto bad;
	}
	i->fs = fs;
	i->buf = buf;
	i->blk = blk;
	gfs_inode_refresh(i);
	*ip = i;
	return 0;
bad:
	gfs_buf_put(buf);
	return rc;
}

void gfs_inode_put(struct gfs_inode *ip)
{
	if (!ip)
		return;
	for (size_t i = 0; i < GFS_ARRAY_SIZE(ip->path); i++)
		gfs_buf_put(ip->path[i]);
	gfs_buf_put(ip->buf);
	free(ip);
}

bool gfs_inode_is_dir(const struct gfs_inode *ip)
{
	return S_ISDIR(ip->mode);
}

bool gfs_inode_is_exhash(const struct gfs_inode *ip)
{
	return gfs_inode_is_dir(ip) && (ip->flags & GFS2_DIF_EXHASH);
}

bool gfs_inode_is_stuffed(const struct gfs_inode *ip)
{
	return !ip->height;
}

static struct timespec time_of(be64 sec, be32 nsec)
{
	return (struct timespec){
		.tv_sec = (time_t)be64_to_cpu(sec),
		.tv_nsec = (long)be32_to_cpu(nsec),
	};
}

void gfs_inode_stat(const struct gfs_inode *ip, struct stat *st)
{
	const struct gfs2_dinode *di = gfs_inode_di(ip);
	unsigned int shift = ip->fs->geom.shift - STAT_UNIT_SHIFT;

	*st = (struct stat){
		.st_ino = ip->blk,
		.st_mode = ip->mode,
		.st_nlink = be32_to_cpu(di->di_nlink),
		.st_uid = be32_to_cpu(di->di_uid),
		.st_gid = be32_to_cpu(di->di_gid),
		.st_size = (off_t)ip->size,
		.st_blksize = (blksize_t)ip->fs->geom.bsize,
		.st_blocks = (blkcnt_t)(ip->blocks << shift),
		.st_atim = time_of(di->di_atime, di->di_atime_nsec),
		.st_mtim = time_of(di->di_mtime, di->di_mtime_nsec),
		.st_ctim = time_of(di->di_ctime, di->di_ctime_nsec),
	};
	if (S_ISCHR(ip->mode) || S_ISBLK(ip->mode))
		st->st_rdev = makedev(be32_to_cpu(di->di_major),
				      be32_to_cpu(di->di_minor));
}
