// SPDX-License-Identifier: GPL-2.0-or-later
/* The block cache: a hash of entries, the unborrowed ones in order of use. */
#include "cache.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	DEFAULT_BLOCKS = 4096,
	FIRST_BUCKETS = 256,
};

struct gfs_cache {
	struct gfs_dev *dev;
	struct gfs_error *err;
	struct gfs_txn *txn;
	uint32_t bsize;
	uint32_t max_unused;
	uint32_t unused; /* entries in the list of use */
	size_t count;    /* entries in the hash */
	struct gfs_entry *newest, *oldest;
	struct gfs_entry **buckets;
	unsigned int bits; /* log2 of the number of buckets */
};

static size_t bucket_of(uint64_t blk, unsigned int bits)
{
	return (size_t)((blk * 0x9E3779B97F4A7C15U) >> (64 - bits));
}

static void use_unlink(struct gfs_cache *cache, struct gfs_entry *e)
{
	*(e->newer ? &e->newer->older : &cache->newest) = e->older;
	*(e->older ? &e->older->newer : &cache->oldest) = e->newer;
	cache->unused--;
}

static void use_link(struct gfs_cache *cache, struct gfs_entry *e)
{
	e->newer = NULL;
	e->older = cache->newest;
	*(e->older ? &e->older->newer : &cache->oldest) = e;
	cache->newest = e;
	cache->unused++;
}

static void hash_unlink(struct gfs_cache *cache, struct gfs_entry *e)
{
	struct gfs_entry **p =
		&cache->buckets[bucket_of(e->buf.blk, cache->bits)];

	while (*p != e)
		p = &(*p)->chain;
	*p = e->chain;
	cache->count--;
}

/* Without memory for more buckets the chains just get longer. */
static void hash_grow(struct gfs_cache *cache)
{
	unsigned int bits = cache->bits + 1;
	struct gfs_entry **more = calloc((size_t)1 << bits, sizeof(*more));

	if (!more)
		return;
	for (size_t i = 0; i < (size_t)1 << cache->bits; i++) {
		struct gfs_entry *e = cache->buckets[i];

		while (e) {
			struct gfs_entry *next = e->chain;
			size_t b = bucket_of(e->buf.blk, bits);

			e->chain = more[b];
			more[b] = e;
			e = next;
		}
	}
	free(cache->buckets);
	cache->buckets = more;
	cache->bits = bits;
}

static void hash_link(struct gfs_cache *cache, struct gfs_entry *e)
{
	size_t b;

	if (cache->count >> cache->bits)
		hash_grow(cache);
	b = bucket_of(e->buf.blk, cache->bits);
	e->chain = cache->buckets[b];
	cache->buckets[b] = e;
	cache->count++;
}

struct gfs_entry *gfs_entry_find(struct gfs_cache *cache, uint64_t blk)
{
	struct gfs_entry *e = cache->buckets[bucket_of(blk, cache->bits)];

	while (e && e->buf.blk != blk)
		e = e->chain;
	return e;
}

/* A borrowed entry for blk outside the hash: the oldest one or a new one. */
static struct gfs_entry *entry_take(struct gfs_cache *cache, uint64_t blk)
{
	struct gfs_entry *e = cache->oldest;

	if (e && cache->unused >= cache->max_unused) {
		use_unlink(cache, e);
		hash_unlink(cache, e);
	} else {
		e = malloc(sizeof(*e) + cache->bsize);
		if (!e)
			return NULL;
	}
	*e = (struct gfs_entry){
		.buf = { .blk = blk, .data = e->data },
		.cache = cache,
		.refs = 1,
	};
	return e;
}

static int read_block(struct gfs_cache *cache, uint64_t blk, void *data)
{
	if (blk > UINT64_MAX / cache->bsize)
		return -GFS_ESHORT;
	return gfs_dev_read(cache->dev, data, cache->bsize,
			    blk * cache->bsize);
}

void gfs_entry_ref(struct gfs_entry *e)
{
	if (!e->refs++)
		use_unlink(e->cache, e);
}

int gfs_buf_get(struct gfs_cache *cache, uint64_t blk, struct gfs_buf **buf)
{
	struct gfs_entry *e = gfs_entry_find(cache, blk);
	int rc;

	*buf = NULL;
	if (e) {
		gfs_entry_ref(e);
		*buf = &e->buf;
		return 0;
	}
	e = entry_take(cache, blk);
	if (!e)
		return gfs_fail(cache->err, ENOMEM, blk, "cannot read");
	rc = read_block(cache, blk, e->data);
	if (rc) {
		free(e);
		return gfs_fail(cache->err, rc, blk, "cannot read");
	}
	hash_link(cache, e);
	*buf = &e->buf;
	return 0;
}

int gfs_entry_get(struct gfs_cache *cache, uint64_t blk,
		  struct gfs_entry **entry, bool *is_new)
{
	struct gfs_entry *e = gfs_entry_find(cache, blk);

	*is_new = !e;
	*entry = e;
	if (e) {
		gfs_entry_ref(e);
		return 0;
	}
	e = entry_take(cache, blk);
	if (!e)
		return gfs_fail(cache->err, ENOMEM, blk, "no block buffer");
	hash_link(cache, e);
	*entry = e;
	return 0;
}

void gfs_buf_put(struct gfs_buf *buf)
{
	struct gfs_entry *e = gfs_entry_of(buf);
	struct gfs_cache *cache;

	if (!buf || --e->refs)
		return;
	cache = e->cache;
	if (e->is_detached) {
		free(e);
		return;
	}
	use_link(cache, e);
	if (cache->unused > cache->max_unused) {
		e = cache->oldest;
		use_unlink(cache, e);
		hash_unlink(cache, e);
		free(e);
	}
}

void gfs_entry_detach(struct gfs_entry *e)
{
	if (e->is_detached)
		return;
	hash_unlink(e->cache, e);
	e->is_detached = true;
}

void gfs_entry_refresh(struct gfs_cache *cache, uint64_t blk)
{
	struct gfs_entry *e = gfs_entry_find(cache, blk);

	if (!e)
		return;
	if (!e->refs) {
		use_unlink(cache, e);
		hash_unlink(cache, e);
		free(e);
		return;
	}
	/* What cannot be read again is at least not found any more. */
	if (read_block(cache, blk, e->data))
		gfs_entry_detach(e);
}

int gfs_cache_add(struct gfs_cache *cache, uint64_t blk, const void *data)
{
	struct gfs_entry *e;

	if (gfs_entry_find(cache, blk))
		return 0;
	e = entry_take(cache, blk);
	if (!e)
		return gfs_fail(cache->err, ENOMEM, blk, "no block buffer");
	memcpy(e->data, data, cache->bsize);
	hash_link(cache, e);
	gfs_buf_put(&e->buf);
	return 0;
}

const void *gfs_cache_peek(struct gfs_cache *cache, uint64_t blk)
{
	const struct gfs_entry *e = gfs_entry_find(cache, blk);

	return e ? e->data : NULL;
}

void gfs_cache_drop(struct gfs_cache *cache)
{
	while (cache->oldest) {
		struct gfs_entry *e = cache->oldest;

		use_unlink(cache, e);
		hash_unlink(cache, e);
		free(e);
	}
}

int gfs_cache_new(struct gfs_cache **cache, struct gfs_dev *dev,
		  uint32_t bsize, uint32_t max_blocks, struct gfs_error *err)
{
	struct gfs_cache *c;

	*cache = NULL;
	if (!gfs_is_pow2(bsize) || bsize < 512 || bsize > 65536)
		return gfs_fail(err, EINVAL, GFS_NO_BLOCK,
				"block size %u is not possible", bsize);
	c = calloc(1, sizeof(*c));
	if (!c)
		return gfs_fail(err, ENOMEM, GFS_NO_BLOCK, "no block cache");
	c->dev = dev;
	c->err = err;
	c->bsize = bsize;
	c->max_unused = max_blocks ? max_blocks : DEFAULT_BLOCKS;
	c->bits = gfs_log2(FIRST_BUCKETS);
	c->buckets = calloc(FIRST_BUCKETS, sizeof(*c->buckets));
	if (!c->buckets) {
		free(c);
		return gfs_fail(err, ENOMEM, GFS_NO_BLOCK, "no block cache");
	}
	*cache = c;
	return 0;
}

void gfs_cache_free(struct gfs_cache *cache)
{
	if (!cache)
		return;
	for (size_t i = 0; i < (size_t)1 << cache->bits; i++) {
		while (cache->buckets[i]) {
			struct gfs_entry *e = cache->buckets[i];

			cache->buckets[i] = e->chain;
			free(e);
		}
	}
	free(cache->buckets);
	free(cache);
}

struct gfs_dev *gfs_cache_dev(const struct gfs_cache *cache)
{
	return cache->dev;
}

uint32_t gfs_cache_bsize(const struct gfs_cache *cache)
{
	return cache->bsize;
}

struct gfs_error *gfs_cache_error(const struct gfs_cache *cache)
{
	return cache->err;
}

struct gfs_txn **gfs_cache_txn(struct gfs_cache *cache)
{
	return &cache->txn;
}
