/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of which build.c puts a volume together. */
#ifndef MKFS_BUILD_PARTS_H
#define MKFS_BUILD_PARTS_H

#include "inode.h"

/* Write journal n: dinode, indirect blocks, log. */
int mkfs_build_journal(struct mkfs_build *b, uint32_t n) GFS_MUST;

/*
 * Make and write all other inodes. The addresses the superblock needs are set
 * in *master and *root.
 */
int mkfs_build_system(struct mkfs_build *b, struct gfs2_inum *master,
		      struct gfs2_inum *root) GFS_MUST;

/*
 * Write headers and bitmaps of all resource groups, and zeros between them.
 * Everything must have been taken from b->space.
 */
int mkfs_build_rgrps(struct mkfs_build *b) GFS_MUST;

#endif
