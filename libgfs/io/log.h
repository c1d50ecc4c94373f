/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal writer: a set of blocks as one transaction that the kernel's
 * recovery replays (journal-recovery rules): JDATA chunks with escapes,
 * METADATA chunks, revokes, one header; then the blocks in place; then a
 * clean header. Blocks go in ascending order within each kind.
 */
#ifndef GFS_LOG_H
#define GFS_LOG_H

#include "../format/geom.h"
#include "dev.h"

/* A journal ready for writing: clean, its head known. Filled by fs/journal. */
struct gfs_log {
	struct gfs_dev *dev;
	const struct gfs_geom *geom;
	const uint64_t *map; /* device block of each position; not owned */
	uint32_t nblocks;    /* positions */
	uint64_t jinode;     /* no_addr of the journal's dinode */
	uint64_t sequence;   /* of the head */
	uint32_t pos;        /* of the head */
	uint64_t sec;        /* time stamp of headers */
};

struct gfs_log_block {
	uint64_t blk;     /* home */
	const void *data; /* final image, sealed; bsize bytes */
	bool is_meta;     /* METADATA (has a metadata header), else JDATA */
};

enum gfs_log_stage {
	GFS_LOG_COMMITTED, /* durable in the journal, nothing in place */
	GFS_LOG_IN_PLACE,  /* and in place, the journal still dirty */
	GFS_LOG_CLEAN,     /* and closed by a clean header */
};

/*
 * Blocks of journal that a transaction of n_meta, n_jdata and n_revokes items
 * needs, its descriptors, its header and the clean header included.
 */
uint64_t gfs_log_need(const struct gfs_geom *g, uint64_t n_meta,
		      uint64_t n_jdata, uint64_t n_revokes);

/*
 * Largest need that a log takes: its blocks less 4, a margin as the kernel
 * keeps one (GFS2_LOG_FLUSH_MIN_BLOCKS).
 */
uint64_t gfs_log_limit(const struct gfs_log *log);

/*
 * Commit blocks (ascending by blk) and revokes as one transaction and carry
 * it on to `stage`. -GFS_EFULL when it does not fit the journal (nothing was
 * written), else codes of the device. log's sequence and pos are advanced to
 * the last header written; after a failure behind the first header, as after
 * a stage before GFS_LOG_CLEAN, the journal is dirty and has to be replayed
 * before the next commit. The home blocks must lie on the device and outside
 * the journal: -EINVAL. Nothing at all to commit: 0, nothing is written.
 *
 * What reaches the device, with a flush at each semicolon: descriptors,
 * copies and revokes; the header, tail at their start; the blocks in place,
 * ascending; a clean header.
 */
int gfs_log_commit(struct gfs_log *log, const struct gfs_log_block *blocks,
		   size_t n, const uint64_t *revokes, size_t n_revokes,
		   enum gfs_log_stage stage) GFS_MUST;

/*
 * Build a sealed version 2 header in block (bsize bytes): position pos, tail,
 * sequence, flags; mh_jid 0, statfs values 0.
 */
void gfs_log_header_fill(const struct gfs_log *log, void *block, uint32_t pos,
			 uint32_t tail, uint64_t sequence, uint32_t flags);

#endif
