/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is this block sane by itself? One pure function per block type; bounds of
 * the volume are the caller's matter.
 */
#ifndef GFS_VERIFY_H
#define GFS_VERIFY_H

#include "geom.h"
#include "layout.h"

struct gfs_flaw {
	const struct gfs_field *field; /* concerned, or NULL */
	const char *why;               /* literal; NULL: no flaw */
	uint32_t offset;               /* bytes from the block's start */
	/*
	 * The kernel and readers can do their work with the block as it is:
	 * only a checker cares. Flaws that are not minor are found first.
	 */
	bool minor;
};

/*
 * Each takes a whole block of g->bsize bytes, aligned to 8, and its block
 * number, looks at magic, type and every rule that can be decided from the
 * block alone (format word included), and returns the first flaw. Nothing
 * outside the block is read whatever it holds.
 */
struct gfs_flaw gfs_verify_sb(const struct gfs_geom *g, const void *block,
			      uint64_t blk);
struct gfs_flaw gfs_verify_rgrp(const struct gfs_geom *g, const void *block,
				uint64_t blk);
struct gfs_flaw gfs_verify_bitmap(const struct gfs_geom *g, const void *block,
				  uint64_t blk);
struct gfs_flaw gfs_verify_dinode(const struct gfs_geom *g, const void *block,
				  uint64_t blk);
struct gfs_flaw gfs_verify_indirect(const struct gfs_geom *g, const void *block,
				    uint64_t blk);
struct gfs_flaw gfs_verify_leaf(const struct gfs_geom *g, const void *block,
				uint64_t blk);
struct gfs_flaw gfs_verify_jdata(const struct gfs_geom *g, const void *block,
				 uint64_t blk);
struct gfs_flaw gfs_verify_logheader(const struct gfs_geom *g,
				     const void *block, uint64_t blk);
struct gfs_flaw gfs_verify_logdesc(const struct gfs_geom *g, const void *block,
				   uint64_t blk);
struct gfs_flaw gfs_verify_logcont(const struct gfs_geom *g, const void *block,
				   uint64_t blk);
struct gfs_flaw gfs_verify_ea(const struct gfs_geom *g, const void *block,
			      uint64_t blk);
struct gfs_flaw gfs_verify_eadata(const struct gfs_geom *g, const void *block,
				  uint64_t blk);
struct gfs_flaw gfs_verify_quotachange(const struct gfs_geom *g,
				       const void *block, uint64_t blk);

/* Any block with a header, by its type. */
struct gfs_flaw gfs_verify_block(const struct gfs_geom *g, const void *block,
				 uint64_t blk);

/* Geometry of one rindex entry (format.md 6.1), without volume bounds. */
struct gfs_flaw gfs_verify_rindex(const struct gfs_geom *g,
				  const struct gfs2_rindex *ri);

/*
 * Superblock before its block size is known: what a mount depends on. Lock
 * names are looked at by gfs_verify_sb() only.
 */
struct gfs_flaw gfs_verify_sb_start(const struct gfs2_sb *sb);

/*
 * Lock table "cluster:fs" rules of mkfs.gfs2; NULL or what is wrong, a literal
 * in the words of mkfs.gfs2. *bad_char is the character that is not allowed,
 * or NUL when something else is wrong; bad_char may be NULL.
 */
const char *gfs_verify_locktable(const char *table, char *bad_char);

/* Checksums as stored and as they should be over the block as it is. */
uint32_t gfs_rgrp_crc(const struct gfs2_rgrp *rg);
uint32_t gfs_logheader_hash(const struct gfs2_log_header *lh);
uint32_t gfs_logheader_crc(const struct gfs_geom *g, const void *block);

#endif
