/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds of blocks that carry a metadata header, one row each. */
#ifndef GFS_BLOCKTYPE_H
#define GFS_BLOCKTYPE_H

#include "geom.h"
#include "layout.h"
#include "verify.h"

struct gfs_blocktype {
	uint32_t type;   /* GFS2_METATYPE_* */
	uint32_t format; /* GFS2_FORMAT_* */
	const char *name; /* "dinode" */
	const char *abbr; /* "DI" */
	const struct gfs_layout *layout; /* struct at the block's start */
	/* Structural rules; NULL in *flaw.why if sane. */
	struct gfs_flaw (*verify)(const struct gfs_geom *g, const void *block,
				  uint64_t blk);
	/* Set checksums over final content; NULL if the type has none. */
	void (*seal)(const struct gfs_geom *g, void *block);
};

/* Row of a type; NULL for NONE and unassigned values. */
const struct gfs_blocktype *gfs_blocktype_find(uint32_t mh_type);
const struct gfs_blocktype *gfs_blocktype_by_name(const char *name_or_abbr);
/* All rows; *n is set. */
const struct gfs_blocktype *gfs_blocktype_all(unsigned int *n);

/* Row of a block by its header (magic and type); NULL if it has none. */
const struct gfs_blocktype *gfs_blocktype_of(const void *block);

/* Does the block begin with magic and this type? */
bool gfs_block_is(const void *block, uint32_t mh_type);

/* Write a metadata header (format from the table, pad and jid 0). */
void gfs_block_header(void *block, uint32_t mh_type);

/* Set the checksums of a block by its type; blocks without are left alone. */
void gfs_block_seal(const struct gfs_geom *g, void *block);

#endif
