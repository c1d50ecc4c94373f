/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses: how users name a block, an inode or a field of a volume. */
#ifndef DBG_EXPR_H
#define DBG_EXPR_H

#include "../libgfs/fs/inode.h"
#include "commands.h"
#include "field.h"

/*
 * Block of an address:
 *   17 0x11 <17>            a block number
 *   /path //path            an inode (// from the system directory); the last
 *                           symlink is not followed
 *   root master sb jindex per_node inum statfs rindex quota
 *   journal0 statfs_change0 quota_change0 inum_range0
 *   rg 0                    the header of a resource group
 *   2/805b                  what a glock protects (2, 5, 6 inode, 3 rgrp,
 *                           4 superblock, 9 journal), or a DLM name
 * each followed by any of
 *   ADDRESS:N               block N of an inode's content
 *   ADDRESS+N               the Nth block behind it on the device
 *   ADDRESS->FIELD          the block that a field points to
 * The block is on the device: -GFS_EOUTSIDE otherwise.
 */
int dbg_address(struct dbg *d, const char *text, uint64_t *blk) GFS_MUST;

/* Borrow the inode at an address; the last symlink is followed if asked. */
int dbg_inode(struct dbg *d, const char *text, bool follow,
	      struct gfs_inode **ip) GFS_MUST;

/* Borrow a block of the device; -GFS_EOUTSIDE behind its end. */
int dbg_block(struct dbg *d, uint64_t blk, struct gfs_buf **buf) GFS_MUST;

/*
 * A field of the block at blk (field.h); N.FIELD of the rindex and quota
 * dinodes is the Nth record of the file.
 */
int dbg_find_field(struct dbg *d, uint64_t blk, const char *text,
		   struct dbg_field *out) GFS_MUST;

#endif
