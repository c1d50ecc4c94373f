/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a journal block by block, sound or not, for tests of its readers;
 * shares nothing with the library's journal writer but checksums.
 */
#ifndef LOGWRITER_H
#define LOGWRITER_H

#include "../../../libgfs/fs/journal.h"
#include "volume.h"

enum { LW_MAX = (8 << 20) / 512 }; /* blocks of a journal */

struct logwriter {
	struct volume *v;
	uint64_t map[LW_MAX];
	uint32_t nblocks;
	uint32_t pos;      /* where the next block goes */
	uint32_t tail;     /* of the next header */
	uint64_t sequence; /* of the next header */
	int64_t local[3];  /* total, free, dinodes of the next header */
	uint32_t crc_xor;  /* spoils lh_crc */
	bool v1;
};

/* Begin behind the head of an open journal. */
void lw_begin(struct logwriter *w, struct volume *v,
	      const struct gfs_jnl *jnl);
/* A block as it is, and on to the next position. */
void lw_block(struct logwriter *w, const void *block);
/* A descriptor with n tags (JDATA: pairs of them). */
void lw_desc(struct logwriter *w, uint32_t type, uint32_t length, uint32_t n,
	     const uint64_t *tags);
/* A block of metadata filled with a byte: a copy of a "JD" block. */
void lw_meta(struct logwriter *w, int fill);
/* A chunk of n revokes with as many continuations as it takes. */
void lw_revokes(struct logwriter *w, const uint64_t *blks, uint32_t n);
/* One METADATA chunk of n copies, the i-th filled with fill + i. */
void lw_chunk(struct logwriter *w, const uint64_t *blks, uint32_t n,
	      int fill);
/* A header; the next one's tail is not changed. */
void lw_header(struct logwriter *w, uint32_t flags);
/* Zero the whole journal. */
void lw_zero(struct logwriter *w);

#endif
