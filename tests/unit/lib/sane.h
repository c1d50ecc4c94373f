/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks without a flaw, of every type, to be spoiled by tests. */
#ifndef SANE_H
#define SANE_H

#include "../../../libgfs/format/geom.h"

#define SANE_BLK 1000U /* number of each block but the superblock */

/* Geometry of the blocks to be made: set it first. */
extern struct gfs_geom sane_geom;

/*
 * A new block on the heap, exactly one block long, so that a sanitizer sees
 * every byte read too far. free() it.
 */
typedef void *sane_fn(void);
sane_fn sane_sb, sane_file, sane_tree, sane_fifo, sane_symlink, sane_linear,
	sane_hashed, sane_leaf, sane_rgrp, sane_logheader, sane_logdesc,
	sane_ea, sane_indirect, sane_quotachange, sane_bitmap, sane_jdata,
	sane_eadata, sane_logcont;
/* All but the superblock; ends with NULL. */
extern sane_fn *const sane_all[];

/* A block of zeros with the header of a type. */
void *sane_block(uint32_t type);
/* Set a field by name to a value as a user writes it; aborts if it can't. */
void sane_set(void *block, const char *field, const char *value);
/* Set the pointer at a byte offset. */
void sane_set_ptr(void *block, uint32_t at, uint64_t ptr);

#endif
