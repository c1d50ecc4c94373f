/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Repairs that were agreed on: small changes of blocks, collected while
 * passes read and made in the view when they are done. Nothing is written
 * while something is being checked.
 */
#ifndef FSCK_EDITS_H
#define FSCK_EDITS_H

#include "../libgfs/base/base.h"

struct fsck;

enum fsck_edit_kind {
	EDIT_SET,    /* len bytes at off := value, big-endian */
	EDIT_ADD,    /* len bytes at off += value */
	EDIT_BITS,   /* the two bits at shift len of byte off := value */
	EDIT_DIRENT, /* remove the entry at off */
	EDIT_HEADER, /* metadata header of type value */
	EDIT_ZERO,   /* value bytes at off := 0 */
	EDIT_SEAL,   /* nothing but the checksum */
};

struct fsck_edit {
	uint64_t blk;
	uint64_t value;
	uint32_t off;
	uint32_t seq; /* order of planning, within a block */
	uint8_t kind;
	uint8_t len;
};

struct fsck_edits {
	struct fsck_edit *v;
	size_t n, room;
};

/* len 1, 2, 4 or 8 bytes at off of block blk. */
void edit_set(struct fsck *f, uint64_t blk, uint32_t off, uint8_t len,
	      uint64_t value);
/* Add to what is there then; wraps. */
void edit_add(struct fsck *f, uint64_t blk, uint32_t off, uint8_t len,
	      int64_t delta);
/* Allocation state of data block with map index `index`. */
void edit_state(struct fsck *f, uint64_t index, unsigned int state);
/*
 * Remove a directory entry: it is joined to its predecessor, or emptied when
 * it is the first. Counts are not touched.
 */
void edit_dirent_remove(struct fsck *f, uint64_t blk, uint32_t off);
/* A metadata header of a type: magic, type, format; pad and jid stay. */
void edit_header(struct fsck *f, uint64_t blk, uint32_t mh_type);
void edit_zero(struct fsck *f, uint64_t blk, uint32_t off, uint32_t len);
/* Recompute the block's checksum (all other edits do so as well). */
void edit_seal(struct fsck *f, uint64_t blk);

/*
 * Make all planned changes in the view, ascending by block, and forget them.
 * Codes of the view's device after a message.
 */
int edits_apply(struct fsck *f) GFS_MUST;

#endif
