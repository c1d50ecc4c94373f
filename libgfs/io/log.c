// SPDX-License-Identifier: GPL-2.0-or-later
/* The journal writer. */
#include "log.h"
#include "../format/blocktype.h"
#include "gather.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	MARGIN = 4, /* blocks of the journal that stay out of a transaction */
	COMMIT_FLAGS = GFS2_LOG_HEAD_FLUSH_NORMAL,
	CLEAN_FLAGS = GFS2_LOG_HEAD_UNMOUNT,
};

/* A transaction being laid out: what goes to the positions from log->pos on. */
struct layout {
	const struct gfs_log *log;
	uint32_t bsize;
	uint32_t pos;                /* next position */
	struct gfs_log_block *items; /* device block and bytes of each */
	size_t n_items;
	uint8_t *own;                /* blocks made here, not the caller's */
	size_t n_own;
};

/* Items and continuation of a descriptor of n items, `max` a descriptor. */
static uint64_t with_descriptors(uint64_t n, uint32_t max)
{
	return n + gfs_div_up(n, max);
}

static uint64_t revoke_blocks(const struct gfs_geom *g, uint64_t n)
{
	if (!n)
		return 0;
	return n <= g->ldptrs ?
		       1 :
		       1 + gfs_div_up(n - g->ldptrs, g->inptrs);
}

uint64_t gfs_log_need(const struct gfs_geom *g, uint64_t n_meta,
		      uint64_t n_jdata, uint64_t n_revokes)
{
	return with_descriptors(n_meta, g->ldptrs) +
	       with_descriptors(n_jdata, g->jdata_tags) +
	       revoke_blocks(g, n_revokes) + 2;
}

uint64_t gfs_log_limit(const struct gfs_log *log)
{
	return log->nblocks > MARGIN ? log->nblocks - MARGIN : 0;
}

void gfs_log_header_fill(const struct gfs_log *log, void *block, uint32_t pos,
			 uint32_t tail, uint64_t sequence, uint32_t flags)
{
	struct gfs2_log_header *lh = block;

	memset(block, 0, log->geom->bsize);
	gfs_block_header(block, GFS2_METATYPE_LH);
	lh->lh_sequence = cpu_to_be64(sequence);
	lh->lh_flags = cpu_to_be32(flags);
	lh->lh_tail = cpu_to_be32(tail);
	lh->lh_blkno = cpu_to_be32(pos);
	lh->lh_sec = cpu_to_be64(log->sec);
	lh->lh_addr = cpu_to_be64(log->map[pos]);
	lh->lh_jinode = cpu_to_be64(log->jinode);
	gfs_block_seal(log->geom, block);
}

static uint32_t next_pos(const struct gfs_log *log, uint32_t pos)
{
	return pos + 1 == log->nblocks ? 0 : pos + 1;
}

static void put_item(struct layout *l, const void *data)
{
	l->items[l->n_items++] = (struct gfs_log_block){
		.blk = l->log->map[l->pos],
		.data = data,
	};
	l->pos = next_pos(l->log, l->pos);
}

/* A zeroed block at the next position. */
static void *put_own(struct layout *l)
{
	void *block = l->own + l->n_own++ * l->bsize;

	put_item(l, block);
	return block;
}

/*
 * A descriptor of n items; returns where its tags go. length counts journal
 * blocks, this one included.
 */
static be64 *put_descriptor(struct layout *l, uint32_t type, uint32_t length,
			    uint32_t n)
{
	struct gfs2_log_descriptor *ld = put_own(l);

	gfs_block_header(ld, GFS2_METATYPE_LD);
	ld->ld_type = cpu_to_be32(type);
	ld->ld_length = cpu_to_be32(length);
	ld->ld_data1 = cpu_to_be32(n);
	return (be64 *)(ld + 1);
}

static bool has_magic(const void *data)
{
	be32 magic;

	memcpy(&magic, data, sizeof(magic));
	return be32_to_cpu(magic) == GFS2_MAGIC;
}

/* A data copy that looks like metadata is stored with its magic zeroed. */
static void put_jdata(struct layout *l, const void *data)
{
	uint8_t *copy;

	if (!has_magic(data)) {
		put_item(l, data);
		return;
	}
	copy = put_own(l);
	memcpy(copy + 4, (const uint8_t *)data + 4, l->bsize - 4);
}

static void put_jdata_chunk(struct layout *l,
			    const struct gfs_log_block *const *blocks,
			    uint32_t n)
{
	be64 *tags = put_descriptor(l, GFS2_LOG_DESC_JDATA, n + 1, n);

	for (uint32_t i = 0; i < n; i++) {
		tags[2 * i] = cpu_to_be64(blocks[i]->blk);
		tags[2 * i + 1] = cpu_to_be64(has_magic(blocks[i]->data));
	}
	for (uint32_t i = 0; i < n; i++)
		put_jdata(l, blocks[i]->data);
}

static void put_meta_chunk(struct layout *l,
			   const struct gfs_log_block *const *blocks,
			   uint32_t n)
{
	be64 *tags = put_descriptor(l, GFS2_LOG_DESC_METADATA, n + 1, n);

	for (uint32_t i = 0; i < n; i++)
		tags[i] = cpu_to_be64(blocks[i]->blk);
	for (uint32_t i = 0; i < n; i++)
		put_item(l, blocks[i]->data);
}

static void put_revokes(struct layout *l, const uint64_t *revokes, size_t n)
{
	const struct gfs_geom *g = l->log->geom;
	size_t room = g->ldptrs;
	be64 *tags;

	if (!n)
		return;
	tags = put_descriptor(l, GFS2_LOG_DESC_REVOKE,
			      (uint32_t)revoke_blocks(g, n), (uint32_t)n);
	for (size_t i = 0; i < n; i++) {
		if (!room) {
			struct gfs2_meta_header *mh = put_own(l);

			gfs_block_header(mh, GFS2_METATYPE_LB);
			tags = (be64 *)(mh + 1);
			room = g->inptrs;
		}
		*tags++ = cpu_to_be64(revokes[i]);
		room--;
	}
}

typedef void put_chunk_fn(struct layout *l,
			  const struct gfs_log_block *const *blocks,
			  uint32_t n);

/* All blocks of one kind, `max` a chunk, through an array for one chunk. */
static void put_kind(struct layout *l, const struct gfs_log_block *blocks,
		     size_t n, bool is_meta,
		     const struct gfs_log_block **chunk)
{
	const struct gfs_geom *g = l->log->geom;
	uint32_t max = is_meta ? g->ldptrs : g->jdata_tags;
	put_chunk_fn *put = is_meta ? put_meta_chunk : put_jdata_chunk;
	uint32_t len = 0;

	for (size_t i = 0; i < n; i++) {
		if (blocks[i].is_meta == is_meta)
			chunk[len++] = &blocks[i];
		if (len == max || (len && i + 1 == n)) {
			put(l, chunk, len);
			len = 0;
		}
	}
}

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a;
	uint64_t y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Home blocks ascend, on the device, outside the journal, metadata is that. */
static int check_blocks(const struct gfs_log *log,
			const struct gfs_log_block *blocks, size_t n)
{
	uint64_t end = log->dev->size / log->geom->bsize;
	uint64_t *own = malloc(log->nblocks * sizeof(*own));
	int rc = 0;

	if (!own)
		return -ENOMEM;
	memcpy(own, log->map, log->nblocks * sizeof(*own));
	qsort(own, log->nblocks, sizeof(*own), compare_u64);
	for (size_t i = 0; i < n && !rc; i++) {
		if (blocks[i].blk >= end ||
		    (i && blocks[i - 1].blk >= blocks[i].blk) ||
		    (blocks[i].is_meta && !has_magic(blocks[i].data)) ||
		    bsearch(&blocks[i].blk, own, log->nblocks, sizeof(*own),
			    compare_u64))
			rc = -EINVAL;
	}
	free(own);
	return rc;
}

/* How much memory the layout takes; -GFS_EFULL when the journal is small. */
static int layout_init(struct layout *l, const struct gfs_log *log,
		       const struct gfs_log_block *blocks, size_t n,
		       size_t n_revokes)
{
	uint64_t n_meta = 0, n_escaped = 0, need;

	for (size_t i = 0; i < n; i++) {
		n_meta += blocks[i].is_meta;
		n_escaped += !blocks[i].is_meta && has_magic(blocks[i].data);
	}
	need = gfs_log_need(log->geom, n_meta, n - n_meta, n_revokes);
	if (need > gfs_log_limit(log))
		return -GFS_EFULL;
	l->log = log;
	l->bsize = log->geom->bsize;
	l->pos = next_pos(log, log->pos);
	l->items = calloc(need, sizeof(*l->items));
	l->own = calloc(need - n + n_escaped, l->bsize);
	return l->items && l->own ? 0 : -ENOMEM;
}

static int write_header(struct gfs_log *log, uint8_t *block, uint32_t pos,
			uint32_t tail, uint32_t flags)
{
	struct gfs_log_block item = { .blk = log->map[pos], .data = block };
	int rc;

	gfs_log_header_fill(log, block, pos, tail, log->sequence + 1,
			    GFS2_LOG_HEAD_USERSPACE | flags);
	rc = gfs_gather_write(log->dev, log->geom->bsize, &item, 1, NULL);
	if (rc)
		return rc;
	log->sequence++;
	log->pos = pos;
	return gfs_dev_flush(log->dev);
}

static int write_items(struct gfs_log *log, const struct gfs_log_block *items,
		       size_t n)
{
	int rc = gfs_gather_write(log->dev, log->geom->bsize, items, n, NULL);

	return rc ? rc : gfs_dev_flush(log->dev);
}

/* Everything is laid out and checked: only the device can fail now. */
static int write_stages(struct gfs_log *log, struct layout *l,
			const struct gfs_log_block *blocks, size_t n,
			enum gfs_log_stage stage)
{
	uint32_t tail = next_pos(log, log->pos);
	uint8_t *block = l->own + l->n_own * l->bsize;
	int rc = write_items(log, l->items, l->n_items);

	if (!rc)
		rc = write_header(log, block, l->pos, tail, COMMIT_FLAGS);
	if (rc || stage == GFS_LOG_COMMITTED)
		return rc;
	rc = write_items(log, blocks, n);
	if (rc || stage == GFS_LOG_IN_PLACE)
		return rc;
	tail = next_pos(log, log->pos);
	return write_header(log, block, tail, tail, CLEAN_FLAGS);
}

int gfs_log_commit(struct gfs_log *log, const struct gfs_log_block *blocks,
		   size_t n, const uint64_t *revokes, size_t n_revokes,
		   enum gfs_log_stage stage)
{
	struct layout l = { 0 };
	const struct gfs_log_block **chunk = NULL;
	int rc;

	if (!n && !n_revokes)
		return 0;
	if (log->dev->readonly)
		return -GFS_EREADONLY;
	if (log->pos >= log->nblocks)
		return -EINVAL;
	rc = check_blocks(log, blocks, n);
	if (rc)
		return rc;
	rc = layout_init(&l, log, blocks, n, n_revokes);
	if (rc)
		goto out;
	chunk = calloc(log->geom->ldptrs, sizeof(*chunk));
	if (!chunk) {
		rc = -ENOMEM;
		goto out;
	}
	put_kind(&l, blocks, n, false, chunk);
	put_kind(&l, blocks, n, true, chunk);
	put_revokes(&l, revokes, n_revokes);
	rc = write_stages(log, &l, blocks, n, stage);
out:
	free(chunk);
	free(l.items);
	free(l.own);
	return rc;
}
