// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes a journal block by block, sound or not. */
#include "logwriter.h"

#include "../../../libgfs/format/verify.h"

#include <string.h>

static uint64_t block[GFS2_BSIZE_MAX / 8];

static uint32_t bsize_of(const struct logwriter *w)
{
	return w->v->fs->geom.bsize;
}

void lw_begin(struct logwriter *w, struct volume *v, const struct gfs_jnl *jnl)
{
	*w = (struct logwriter){
		.v = v,
		.nblocks = jnl->nblocks,
		.pos = (jnl->head.pos + 1) % jnl->nblocks,
		.sequence = jnl->head.sequence + 1,
	};
	w->tail = w->pos;
	memcpy(w->map, jnl->map, w->nblocks * sizeof(w->map[0]));
}

void lw_block(struct logwriter *w, const void *data)
{
	volume_write(w->v, w->map[w->pos], data);
	w->pos = (w->pos + 1) % w->nblocks;
}

void lw_desc(struct logwriter *w, uint32_t type, uint32_t length, uint32_t n,
	     const uint64_t *tags)
{
	uint32_t count = type == GFS2_LOG_DESC_JDATA ? 2 * n : n;

	memset(block, 0, bsize_of(w));
	put_header(block, GFS2_METATYPE_LD);
	put64(block, 24, (uint64_t)type << 32 | length);
	put64(block, 32, (uint64_t)n << 32);
	for (uint32_t i = 0; i < count && 72 + 8 * i < bsize_of(w); i++)
		put64(block, 72 + 8 * i, tags[i]);
	lw_block(w, block);
}

void lw_meta(struct logwriter *w, int fill)
{
	memset(block, fill, bsize_of(w));
	put_header(block, GFS2_METATYPE_JD);
	lw_block(w, block);
}

void lw_chunk(struct logwriter *w, const uint64_t *blks, uint32_t n, int fill)
{
	lw_desc(w, GFS2_LOG_DESC_METADATA, n + 1, n, blks);
	for (uint32_t i = 0; i < n; i++)
		lw_meta(w, fill + (int)i);
}

void lw_revokes(struct logwriter *w, const uint64_t *blks, uint32_t n)
{
	const uint32_t first = (bsize_of(w) - 72) / 8;
	const uint32_t further = (bsize_of(w) - 24) / 8;
	uint32_t i = first, length = 1;

	while (i < n) {
		i += further;
		length++;
	}
	lw_desc(w, GFS2_LOG_DESC_REVOKE, length, n, blks);
	for (i = first; i < n; i += further) {
		memset(block, 0, bsize_of(w));
		put_header(block, GFS2_METATYPE_LB);
		for (uint32_t k = 0; k < further && i + k < n; k++)
			put64(block, 24 + 8 * k, blks[i + k]);
		lw_block(w, block);
	}
}

void lw_header(struct logwriter *w, uint32_t flags)
{
	struct gfs2_log_header *lh = (struct gfs2_log_header *)block;

	memset(block, 0, bsize_of(w));
	put_header(block, GFS2_METATYPE_LH);
	lh->lh_sequence = cpu_to_be64(w->sequence++);
	lh->lh_flags = cpu_to_be32(flags);
	lh->lh_tail = cpu_to_be32(w->tail);
	lh->lh_blkno = cpu_to_be32(w->pos);
	lh->lh_sec = cpu_to_be64(1234567);
	lh->lh_local_total = cpu_to_be64((uint64_t)w->local[0]);
	lh->lh_local_free = cpu_to_be64((uint64_t)w->local[1]);
	lh->lh_local_dinodes = cpu_to_be64((uint64_t)w->local[2]);
	if (!w->v1)
		lh->lh_crc = cpu_to_be32(
			gfs_logheader_crc(&w->v->fs->geom, block) ^
			w->crc_xor);
	lh->lh_hash = cpu_to_be32(gfs_logheader_hash(lh));
	lw_block(w, block);
}

void lw_zero(struct logwriter *w)
{
	memset(block, 0, bsize_of(w));
	for (uint32_t i = 0; i < w->nblocks; i++)
		lw_block(w, block);
}
