/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One pointer of a tree: what trees.c and claims.c share. */
#ifndef FSCK_TREES_H
#define FSCK_TREES_H

#include "fsck.h"

/* The inode whose tree has the pointer; where the pointer stands. */
struct fsck_inode *fsck_ref_owner(struct fsck *f, const struct fsck_ref *ref);
struct fsck_at fsck_ref_at(struct fsck *f, const struct fsck_ref *ref);
/* "data", "indirect", ... */
const char *fsck_ref_name(const struct fsck_ref *ref);

/* Can the pointer be cleared by itself? */
bool fsck_ref_can_clear(const struct fsck_ref *ref);
/* Plan to clear it, or to remove the xattr whose value it leads to. */
void fsck_ref_clear(struct fsck *f, const struct fsck_ref *ref);

/* An inode's flag about a list of xattr blocks against the block: ref->kind. */
void fsck_ref_check_ea_shape(struct fsck *f, struct fsck_ref *ref,
			     const void *block);
/*
 * Has the block the header that its pointer asks for, or one that is put
 * right? False: it is something else, fsck_ref_drop_block() is next.
 */
bool fsck_ref_check_type(struct fsck *f, const struct fsck_ref *ref,
			 const void *block);
/* A block that is not what the pointer asks for. */
void fsck_ref_drop_block(struct fsck *f, const struct fsck_ref *ref);

#endif
