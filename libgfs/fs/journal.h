/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Journals: their blocks, headers, head, and the descriptors in between. */
#ifndef GFS_JOURNAL_H
#define GFS_JOURNAL_H

#include "../io/log.h"
#include "fs.h"

/* A log header in host order. */
struct gfs_log_head {
	uint64_t sequence;
	uint32_t flags;
	uint32_t tail;
	uint32_t pos;      /* where it stands */
	uint32_t blkno;    /* where it says it stands */
	bool v2;           /* has the checksummed second half */
	uint64_t sec;
	uint32_t nsec;
	uint64_t statfs_addr;
	int64_t local_total, local_free, local_dinodes; /* 0 for v1 */
};

struct gfs_jnl {
	struct gfs_fs *fs;
	uint32_t jid;
	uint64_t jinode;   /* no_addr */
	uint32_t nblocks;  /* positions */
	uint64_t *map;     /* device block of each position */
	bool has_head;     /* some valid header exists */
	struct gfs_log_head head; /* highest sequence */
	/*
	 * Valid headers whose sequence is not above that of the one before,
	 * counted round the journal from behind the head.
	 */
	uint32_t anomalies;
};

/*
 * Open journal jid: size rules, block map without holes, head. `journal%u` is
 * looked up in jindex; -ENOENT. With no valid header at all has_head is false
 * and the journal counts as dirty with nothing to replay, as for the kernel.
 */
int gfs_jnl_open(struct gfs_jnl **jnl, struct gfs_fs *fs,
		 uint32_t jid) GFS_MUST;
void gfs_jnl_close(struct gfs_jnl *jnl);
bool gfs_jnl_is_clean(const struct gfs_jnl *jnl);
/* Blocks from tail to head; 0 when clean, whatever its tail says. */
uint32_t gfs_jnl_active(const struct gfs_jnl *jnl);

/* Borrow the block at a position. */
int gfs_jnl_get(struct gfs_jnl *jnl, uint32_t pos,
		struct gfs_buf **buf) GFS_MUST;

/*
 * Is this block, at position pos, a valid header? Magic, type, lh_hash,
 * lh_crc (unless 0), lh_blkno.
 */
bool gfs_log_head_read(const struct gfs_geom *g, const void *block,
		       uint32_t pos, struct gfs_log_head *head);

/* One item of the active region, in log order. */
enum gfs_jnl_item_kind {
	GFS_JNL_HEADER,
	GFS_JNL_DESC,   /* a descriptor: n items follow if the type is known */
	GFS_JNL_META,   /* copy of block blk at position copy */
	GFS_JNL_JDATA,  /* likewise; escaped tells about the first 4 bytes */
	GFS_JNL_REVOKE, /* of block blk, recorded at position pos */
};

struct gfs_jnl_item {
	enum gfs_jnl_item_kind kind;
	uint32_t pos;    /* of header, descriptor, or revoke's block */
	uint32_t copy;   /* position of the copy */
	uint64_t blk;    /* home block */
	bool escaped;
	uint32_t n;      /* of DESC: ld_data1 */
	uint32_t ld_type, ld_length; /* of DESC */
	struct gfs_log_head head;    /* of HEADER */
};

/*
 * Cursor from tail to head (all == false) or over the whole journal from the
 * block after the head (all == true, skipping what is no chain). Lengths and
 * counts are checked against the descriptor's capacity and the distance to
 * the head: -GFS_ECORRUPT naming position and block, and then the end. The
 * copies themselves are not read.
 */
struct gfs_jnl_iter;
int gfs_jnl_first(struct gfs_jnl_iter **it, struct gfs_jnl *jnl,
		  bool all) GFS_MUST;
int gfs_jnl_next(struct gfs_jnl_iter *it, struct gfs_jnl_item *item) GFS_MUST;
void gfs_jnl_iter_close(struct gfs_jnl_iter *it);

/* A clean journal as a log for the writer; jnl must outlive it. */
int gfs_jnl_log(struct gfs_jnl *jnl, struct gfs_log *log) GFS_MUST;

#endif
