// SPDX-License-Identifier: GPL-2.0-or-later
/* Dinodes and block trees of a new volume. */
#include "inode.h"

#include "../libgfs/format/blocktype.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define TAIL(ino)     ((ino)->block + sizeof(struct gfs2_dinode))
#define POINTERS(blk) ((blk) + sizeof(struct gfs2_meta_header))

uint64_t mkfs_ptr_get(const void *at, uint32_t i)
{
	be64 v;

	memcpy(&v, (const char *)at + i * sizeof(v), sizeof(v));
	return be64_to_cpu(v);
}

void mkfs_ptr_set(void *at, uint32_t i, uint64_t blk)
{
	be64 v = cpu_to_be64(blk);

	memcpy((char *)at + i * sizeof(v), &v, sizeof(v));
}

int mkfs_no_space(struct mkfs_build *b, int rc)
{
	if (rc == -GFS_EFULL)
		return gfs_fail(b->job->err, rc, GFS_NO_BLOCK,
				"gfs2 will not fit on this device");
	return gfs_fail(b->job->err, rc, GFS_NO_BLOCK,
			"cannot make the system files");
}

void mkfs_dinode_fill(const struct mkfs_build *b, void *block,
		      struct gfs2_inum num, uint32_t mode, uint32_t flags)
{
	struct gfs2_dinode *di = block;
	be64 now = cpu_to_be64((uint64_t)b->job->volume->now);

	memset(block, 0, b->g->bsize);
	gfs_block_header(block, GFS2_METATYPE_DI);
	di->di_num = num;
	di->di_mode = cpu_to_be32(mode);
	di->di_nlink = cpu_to_be32(S_ISDIR(mode) ? 2 : 1);
	di->di_blocks = cpu_to_be64(1);
	di->di_atime = now;
	di->di_mtime = now;
	di->di_ctime = now;
	di->di_goal_meta = num.no_addr;
	di->di_goal_data = num.no_addr;
	di->di_flags = cpu_to_be32(flags);
}

int mkfs_inode_new(struct mkfs_build *b, struct mkfs_inode *ino, uint32_t mode,
		   uint32_t flags)
{
	struct gfs2_inum num;
	int rc;

	*ino = (struct mkfs_inode){ .mode = mode, .blocks = 1 };
	rc = mkfs_space_take_dinode(&b->space, &ino->addr);
	if (rc)
		return mkfs_no_space(b, rc);
	ino->block = malloc(b->g->bsize);
	if (!ino->block)
		return mkfs_no_space(b, -ENOMEM);
	ino->di = (struct gfs2_dinode *)ino->block;
	ino->formal = b->next_formal++;
	num.no_formal_ino = cpu_to_be64(ino->formal);
	num.no_addr = cpu_to_be64(ino->addr);
	mkfs_dinode_fill(b, ino->block, num, mode, flags);
	return 0;
}

static int take_block(struct mkfs_build *b, struct mkfs_inode *ino,
		      uint64_t *blk)
{
	int rc = mkfs_space_take(&b->space, blk);

	if (rc)
		return mkfs_no_space(b, rc);
	ino->blocks++;
	ino->di->di_goal_meta = cpu_to_be64(*blk);
	return 0;
}

/* Begin a new indirect block at a level whose old one is complete. */
static int new_indirect(struct mkfs_build *b, struct mkfs_inode *ino,
			unsigned int level)
{
	char *data = ino->edge[level].data;
	int rc;

	if (data) {
		rc = mkfs_out_put(&b->out, ino->edge[level].blk, data);
		if (rc)
			return rc;
	} else {
		data = malloc(b->g->bsize);
		if (!data)
			return mkfs_no_space(b, -ENOMEM);
		ino->edge[level].data = data;
	}
	memset(data, 0, b->g->bsize);
	gfs_block_header(data, GFS2_METATYPE_IN);
	return take_block(b, ino, &ino->edge[level].blk);
}

/* One level more: a new block takes over the dinode's pointers. */
static int grow(struct mkfs_build *b, struct mkfs_inode *ino)
{
	size_t len = sizeof(be64) * b->g->diptrs;
	int rc;

	ino->height++;
	if (!mkfs_ptr_get(TAIL(ino), 0))
		return 0;
	memmove(&ino->edge[2], &ino->edge[1],
		(ino->height - 2) * sizeof(ino->edge[0]));
	ino->edge[1].data = NULL;
	rc = new_indirect(b, ino, 1);
	if (rc)
		return rc;
	memcpy(POINTERS(ino->edge[1].data), TAIL(ino), len);
	memset(TAIL(ino), 0, len);
	mkfs_ptr_set(TAIL(ino), 0, ino->edge[1].blk);
	return 0;
}

int mkfs_inode_extend(struct mkfs_build *b, struct mkfs_inode *ino,
		      uint64_t lblk, uint64_t *blk)
{
	uint32_t slot[GFS2_MAX_META_HEIGHT];
	char *ptrs = TAIL(ino);
	int rc = 0;

	while (!rc && lblk >= b->g->height_blocks[ino->height])
		rc = grow(b, ino);
	if (!rc)
		rc = gfs_geom_path(b->g, ino->height, lblk, slot);
	for (unsigned int i = 1; !rc && i < ino->height; i++) {
		if (!mkfs_ptr_get(ptrs, slot[i - 1])) {
			rc = new_indirect(b, ino, i);
			mkfs_ptr_set(ptrs, slot[i - 1], ino->edge[i].blk);
		}
		ptrs = POINTERS(ino->edge[i].data);
	}
	if (!rc)
		rc = take_block(b, ino, blk);
	if (!rc)
		mkfs_ptr_set(ptrs, slot[ino->height - 1], *blk);
	return rc;
}

void mkfs_inode_drop(struct mkfs_inode *ino)
{
	for (unsigned int i = 1; i < GFS_ARRAY_SIZE(ino->edge); i++) {
		free(ino->edge[i].data);
		ino->edge[i].data = NULL;
	}
	free(ino->block);
	ino->block = NULL;
}

int mkfs_inode_finish(struct mkfs_build *b, struct mkfs_inode *ino)
{
	int rc = 0;

	for (unsigned int i = 1; !rc && i < ino->height; i++)
		if (ino->edge[i].data)
			rc = mkfs_out_put(&b->out, ino->edge[i].blk,
					  ino->edge[i].data);
	ino->di->di_height = cpu_to_be16((uint16_t)ino->height);
	ino->di->di_blocks = cpu_to_be64(ino->blocks);
	if (!rc)
		rc = mkfs_out_put(&b->out, ino->addr, ino->block);
	mkfs_inode_drop(ino);
	return rc;
}
