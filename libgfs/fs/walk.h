/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * References of one metadata block to others, for whole-volume tools: what a
 * block points to, decided from its bytes alone, without reading anything.
 */
#ifndef GFS_WALK_H
#define GFS_WALK_H

#include "../format/geom.h"

enum gfs_ref_kind {
	GFS_REF_INDIRECT, /* IN block of a file or directory tree */
	GFS_REF_TABLE,    /* JD block of a hash table */
	GFS_REF_DATA,     /* file data */
	GFS_REF_LEAF,     /* directory leaf, from a stuffed table */
	GFS_REF_CHAIN,    /* next leaf of a chain */
	GFS_REF_EA,       /* EA block */
	GFS_REF_EA_INDIRECT,
	GFS_REF_EA_DATA,  /* ED block */
};

/* Where in the owner's trees a block with pointers stands. */
struct gfs_ref_parent {
	enum gfs_ref_kind kind; /* of the block itself; ignored for dinodes */
	bool is_dinode;
	bool is_dir;      /* owner is a directory */
	uint8_t height;   /* owner's di_height */
	uint8_t level;    /* 0 = dinode, 1 = first IN level, ... */
	uint32_t flags;   /* owner's di_flags */
};

struct gfs_ref {
	uint64_t blk;           /* not checked against the volume */
	enum gfs_ref_kind kind;
	uint32_t offset;        /* of the pointer in the block, bytes */
	uint8_t level;          /* of the block pointed to */
};

struct gfs_ref_iter {
	const struct gfs_geom *g;
	const void *block;
	struct gfs_ref_parent parent;
	uint32_t slot;  /* private */
	uint32_t stage; /* private */
	uint64_t last;  /* private: table entry, or offset of EA record */
	const char *why; /* literal, when next stopped at broken EA records */
};

/*
 * Begin over a block (dinode, IN, LF, EA block, or hash table block). The
 * dinode gives di_eattr first, then tree pointers or, for an exhash directory
 * of height 0, the leaves of its stuffed table, each run of equal entries
 * once (a table block looks at itself only: a run that goes on in the next one
 * comes again there). Zero pointers are skipped; a list of EA blocks ends at
 * its first zero. Of ref.level: the tree's as in gfs_ref_parent, leaves one
 * below the table, chained leaves as their predecessor, EA blocks 1 or 2.
 */
void gfs_ref_first(struct gfs_ref_iter *it, const struct gfs_geom *g,
		   const void *block, const struct gfs_ref_parent *parent);
/* Next reference: true, or false at the end (or at broken EAs: it->why). */
bool gfs_ref_next(struct gfs_ref_iter *it, struct gfs_ref *ref);

/* "indirect", "data", ... */
const char *gfs_ref_name(enum gfs_ref_kind kind);

#endif
