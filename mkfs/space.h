/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which blocks of a new volume are taken. Nothing is ever freed and the lowest
 * free block is always next, so a position and the list of inodes say it all.
 */
#ifndef MKFS_SPACE_H
#define MKFS_SPACE_H

#include "plan.h"

struct mkfs_space {
	const struct mkfs_plan *plan;
	uint64_t group;       /* in which the next block is looked for */
	struct mkfs_rgrp rg;  /* its bounds */
	uint32_t used;        /* blocks taken in it, from data0 on */
	uint64_t taken;       /* blocks in all, the journals' included */
	uint64_t *dinodes;    /* addresses, ascending, without the journals' */
	uint64_t n_dinodes;
};

/* Every journal is taken; the rest is free. */
void mkfs_space_init(struct mkfs_space *sp, const struct mkfs_plan *plan);
void mkfs_space_fini(struct mkfs_space *sp);

/* Take the lowest free block. 0, -GFS_EFULL. */
int mkfs_space_take(struct mkfs_space *sp, uint64_t *blk) GFS_MUST;

/* The same for an inode. Also -ENOMEM. */
int mkfs_space_take_dinode(struct mkfs_space *sp, uint64_t *blk) GFS_MUST;

/* What is taken of group i: so many blocks from data0 on. */
uint32_t mkfs_space_used(const struct mkfs_space *sp, uint64_t i,
			 const struct mkfs_rgrp *rg);

/*
 * Inodes with addresses in [from, to), ascending, without the journals': the
 * first in *first, their number is returned.
 */
uint64_t mkfs_space_dinodes(const struct mkfs_space *sp, uint64_t from,
			    uint64_t to, const uint64_t **first);

#endif
