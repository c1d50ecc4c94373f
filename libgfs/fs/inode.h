/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inodes: a borrowed dinode block that has been verified. */
#ifndef GFS_INODE_H
#define GFS_INODE_H

#include "fs.h"

#include <sys/types.h>

struct gfs_inode {
	struct gfs_fs *fs;
	struct gfs_buf *buf;
	uint64_t blk;
	/* From the dinode, checked by gfs_verify_dinode(). */
	uint32_t mode;
	uint32_t flags;
	uint64_t size;
	uint64_t blocks;
	uint32_t height;
	uint32_t depth;
	uint32_t entries;
	uint64_t eattr;
	/* Private to bmap.c: indirect blocks of the last path, by level. */
	struct gfs_buf *path[GFS2_MAX_META_HEIGHT + 1];
	uint64_t path_lblk;   /* where the last look-up was */
	uint64_t path_loads;  /* indirect blocks read since it went back */
};

/*
 * Borrow and verify the dinode at blk. -GFS_EOUTSIDE, -GFS_ECORRUPT (with the
 * flaw's text), or codes of gfs_buf_get(). put frees it.
 */
int gfs_inode_get(struct gfs_fs *fs, uint64_t blk,
		  struct gfs_inode **ip) GFS_MUST;
void gfs_inode_put(struct gfs_inode *ip);
/* Bring ip's copies up to date after its dinode was edited. */
void gfs_inode_refresh(struct gfs_inode *ip);

static inline const struct gfs2_dinode *gfs_inode_di(const struct gfs_inode *ip)
{
	return ip->buf->data;
}

bool gfs_inode_is_dir(const struct gfs_inode *ip);
/* The directory's entries are in hashed leaves. */
bool gfs_inode_is_exhash(const struct gfs_inode *ip);
/* Data or hash table is in the dinode's tail. */
bool gfs_inode_is_stuffed(const struct gfs_inode *ip);

/* Fill st as the kernel's stat(2) would (st_dev 0). */
struct stat;
void gfs_inode_stat(const struct gfs_inode *ip, struct stat *st);

#endif
