/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where everything of a new volume goes, computed from options and size
 * alone: no I/O, no memory, any resource group in constant time. The formulas
 * are those of the established mkfs.gfs2, so that both make the same layout.
 */
#ifndef MKFS_PLAN_H
#define MKFS_PLAN_H

#include "../libgfs/base/error.h"
#include "../libgfs/format/geom.h"

#define MKFS_RGRP_MIN_MB 32U
#define MKFS_RGRP_MAX_MB 2048U
#define MKFS_RGRP_MB     256U /* default */
#define MKFS_JOURNAL_MIN_MB 8U
#define MKFS_JOURNAL_MAX_MB 1024U

/* What the user decides, in the volume's units. */
struct mkfs_request {
	uint32_t bsize;      /* bytes */
	uint64_t blocks;     /* length of the volume */
	uint32_t journals;   /* at least 1 */
	uint32_t journal_mb; /* 0: from the size of the volume */
	uint32_t rgrp_mb;    /* target size of a resource group */
	uint32_t align;      /* groups are a multiple of so many blocks long */
	uint32_t offset;     /* plus so many; both 0 without alignment */
};

/* Bounds of one resource group; blocks unless said otherwise. */
struct mkfs_rgrp {
	uint64_t addr;     /* of its header */
	uint64_t total;    /* distance that it was given */
	uint32_t length;   /* header and bitmap blocks */
	uint64_t data0;    /* first data block: addr + length */
	uint32_t data;     /* data blocks */
	uint32_t bitbytes; /* bytes of bitmap: data / 4 */
};

/* A stretch of equally long groups. */
struct mkfs_run {
	uint64_t addr;  /* of the first */
	uint64_t count;
	uint64_t total; /* length of each, blocks */
};

/* Groups of the whole volume: the journals', then two lengths. */
#define MKFS_RUNS 3

struct mkfs_plan {
	struct gfs_geom geom;
	uint64_t blocks;          /* of the device, as asked for */
	uint32_t journals;
	uint32_t journal_blocks;  /* data blocks of a journal */
	uint32_t journal_total;   /* with its dinode and indirect blocks */
	unsigned int journal_height;
	struct mkfs_run runs[MKFS_RUNS];
	uint64_t rgrps;           /* in all runs */
	uint64_t data;            /* data blocks of all groups */
};

/*
 * Compute the layout. 0; -EINVAL for a block size that is none; -GFS_EFULL
 * with a message when the volume is too small for its journals.
 */
int mkfs_plan_make(struct mkfs_plan *plan, const struct mkfs_request *req,
		   struct gfs_error *err) GFS_MUST;

/* Resource group i < plan->rgrps, in address order. */
void mkfs_plan_rgrp(const struct mkfs_plan *plan, uint64_t i,
		    struct mkfs_rgrp *rg);

/* End of the volume: one behind the last data block of the last group. */
uint64_t mkfs_plan_end(const struct mkfs_plan *plan);

/*
 * Bounds of a group at addr that may take `total` blocks: the fewest header
 * and bitmap blocks that map the rest, rounded down to a multiple of 4.
 */
void mkfs_plan_bounds(const struct gfs_geom *g, uint64_t addr, uint64_t total,
		      struct mkfs_rgrp *rg);

/*
 * Divide the `space` blocks from addr on into groups of about req->rgrp_mb:
 * runs[0] of the longer, runs[1] of the shorter ones. Used for new volumes
 * and for growing old ones.
 */
void mkfs_plan_divide(const struct gfs_geom *g, const struct mkfs_request *req,
		      uint64_t addr, uint64_t space, struct mkfs_run runs[2]);

/*
 * Blocks of a file of n data blocks in a tree of minimal height, with its
 * indirect blocks and dinode; *height (may be NULL) is set.
 */
uint64_t mkfs_plan_file_blocks(const struct gfs_geom *g, uint64_t n,
			       unsigned int *height);

/*
 * Size of each journal in MiB that a volume of this many blocks gets by
 * default; 0 when not even the smallest fits.
 */
uint32_t mkfs_plan_journal_mb(uint32_t bsize, uint64_t blocks,
			      uint32_t journals);

#endif
