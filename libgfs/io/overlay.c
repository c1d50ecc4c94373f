// SPDX-License-Identifier: GPL-2.0-or-later
/* The device that keeps what is written to itself. */
#include "overlay.h"
#include "arena.h"
#include "blkmap.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
	DEFAULT_MEMORY = 256 << 20,
	MAX_RECENT = 1024, /* unsorted keys that a search looks through */
};

/*
 * Keys are the blocks written, in two parts: sorted, then the recent ones as
 * they came, merged into the first part when a search finds too many.
 */
struct overlay_dev {
	struct gfs_dev dev;
	struct gfs_dev *base;
	uint32_t bsize;
	size_t memory;
	pthread_rwlock_t lock; /* scan threads read while one thread writes */
	struct gfs_blkmap map; /* block -> number in the arena */
	struct gfs_arena arena;
	uint64_t *keys;
	size_t n_sorted, n_keys, max_keys;
	uint8_t *block; /* for writes of parts of a block */
};

static struct overlay_dev *overlay_of(struct gfs_dev *dev)
{
	return (struct overlay_dev *)dev;
}

/* Bytes [off, off + len) of one block that is in the overlay. */
static int read_own(const struct overlay_dev *o, uint64_t i, void *buf,
		    size_t len, uint64_t off)
{
	return gfs_arena_read(&o->arena, i, (uint32_t)(off % o->bsize),
			      (uint32_t)len, buf);
}

/* Blocks of the base that follow each other are read at once. */
static int read_mixed(struct overlay_dev *o, char *buf, size_t len,
		      uint64_t off)
{
	size_t base_len = 0; /* bytes before off still to come from the base */
	uint64_t i;
	int rc;

	while (len) {
		size_t part = (size_t)gfs_min(len, o->bsize - off % o->bsize);
		bool own = gfs_blkmap_get(&o->map, off / o->bsize, &i);

		if (own && base_len) {
			rc = gfs_dev_read(o->base, buf - base_len, base_len,
					  off - base_len);
			if (rc)
				return rc;
			base_len = 0;
		}
		rc = own ? read_own(o, i, buf, part, off) : 0;
		if (rc)
			return rc;
		base_len += own ? 0 : part;
		buf += part;
		off += part;
		len -= part;
	}
	return base_len ? gfs_dev_read(o->base, buf - base_len, base_len,
				       off - base_len) :
			  0;
}

static int overlay_read(struct gfs_dev *dev, void *buf, size_t len,
			uint64_t off)
{
	struct overlay_dev *o = overlay_of(dev);
	int rc;

	pthread_rwlock_rdlock(&o->lock);
	rc = o->map.count ? read_mixed(o, buf, len, off) :
			    gfs_dev_read(o->base, buf, len, off);
	pthread_rwlock_unlock(&o->lock);
	return rc;
}

static int overlay_readv(struct gfs_dev *dev, const struct iovec *iov, int n,
			 uint64_t off)
{
	for (int i = 0; i < n; i++) {
		int rc = overlay_read(dev, iov[i].iov_base, iov[i].iov_len,
				      off);

		if (rc)
			return rc;
		off += iov[i].iov_len;
	}
	return 0;
}

static int add_key(struct overlay_dev *o, uint64_t blk)
{
	if (o->n_keys == o->max_keys) {
		size_t max = o->max_keys ? 2 * o->max_keys : 256;
		uint64_t *keys = realloc(o->keys, max * sizeof(*keys));

		if (!keys)
			return -ENOMEM;
		o->keys = keys;
		o->max_keys = max;
	}
	/* Ascending writes, the usual case, keep everything sorted. */
	if (o->n_sorted == o->n_keys &&
	    (!o->n_keys || o->keys[o->n_keys - 1] < blk))
		o->n_sorted++;
	o->keys[o->n_keys++] = blk;
	return 0;
}

static int write_block(struct overlay_dev *o, uint64_t blk, const void *data)
{
	uint64_t i;
	int rc;

	if (gfs_blkmap_get(&o->map, blk, &i))
		return gfs_arena_write(&o->arena, i, data);
	i = o->map.count;
	rc = gfs_arena_write(&o->arena, i, data);
	if (rc)
		return rc;
	rc = add_key(o, blk);
	if (rc)
		return rc;
	rc = gfs_blkmap_put(&o->map, blk, i);
	if (rc)
		o->n_sorted = gfs_min(o->n_sorted, --o->n_keys);
	return rc;
}

/* The block as it is now, zero-filled behind the device's end. */
static int read_present(struct overlay_dev *o, uint64_t blk, uint8_t *block)
{
	uint64_t off = blk * o->bsize;
	size_t len = (size_t)gfs_min(o->bsize, o->dev.size - off);

	memset(block + len, 0, o->bsize - len);
	return read_mixed(o, (char *)block, len, off);
}

static int write_range(struct overlay_dev *o, const uint8_t *buf, size_t len,
		       uint64_t off)
{
	while (len) {
		uint64_t blk = off / o->bsize;
		uint32_t from = (uint32_t)(off % o->bsize);
		size_t part = (size_t)gfs_min(len, o->bsize - from);
		const uint8_t *block = buf;
		int rc = 0;

		if (part < o->bsize) {
			rc = read_present(o, blk, o->block);
			memcpy(o->block + from, buf, part);
			block = o->block;
		}
		if (!rc)
			rc = write_block(o, blk, block);
		if (rc)
			return rc;
		buf += part;
		off += part;
		len -= part;
	}
	return 0;
}

static int overlay_write(struct gfs_dev *dev, const struct iovec *iov, int n,
			 uint64_t off)
{
	struct overlay_dev *o = overlay_of(dev);
	int rc = 0;

	pthread_rwlock_wrlock(&o->lock);
	for (int i = 0; i < n && !rc; i++) {
		rc = write_range(o, iov[i].iov_base, iov[i].iov_len, off);
		off += iov[i].iov_len;
	}
	pthread_rwlock_unlock(&o->lock);
	return rc;
}

static int overlay_flush(struct gfs_dev *dev)
{
	(void)dev;
	return 0;
}

/* What the overlay has itself is read from the base in vain: it is little. */
static void overlay_prefetch(struct gfs_dev *dev, uint64_t off, uint64_t len)
{
	gfs_dev_prefetch(overlay_of(dev)->base, off, len);
}

static void overlay_close(struct gfs_dev *dev)
{
	struct overlay_dev *o = overlay_of(dev);

	gfs_blkmap_fini(&o->map);
	gfs_arena_fini(&o->arena);
	pthread_rwlock_destroy(&o->lock);
	free(o->keys);
	free(o->block);
	free(o);
}

static const struct gfs_dev_ops overlay_ops = {
	.kind = "overlay",
	.read = overlay_read,
	.readv = overlay_readv,
	.write = overlay_write,
	.flush = overlay_flush,
	.prefetch = overlay_prefetch,
	.close = overlay_close,
};

int gfs_dev_overlay_open(struct gfs_dev **dev, struct gfs_dev *base,
			 uint32_t bsize, size_t memory)
{
	struct overlay_dev *o;

	*dev = NULL;
	if (!gfs_is_pow2(bsize) || bsize < 512 || bsize > 65536)
		return -EINVAL;
	o = calloc(1, sizeof(*o));
	if (!o)
		return -ENOMEM;
	o->dev = (struct gfs_dev){
		.ops = &overlay_ops,
		.name = strdup(base->name),
		.size = base->size,
		.is_block = base->is_block,
		.sector = base->sector,
	};
	o->base = base;
	o->bsize = bsize;
	o->memory = memory ? memory : DEFAULT_MEMORY;
	o->block = malloc(bsize);
	if (!o->dev.name || !o->block ||
	    pthread_rwlock_init(&o->lock, NULL)) {
		free(o->dev.name);
		free(o->block);
		free(o);
		return -ENOMEM;
	}
	gfs_arena_init(&o->arena, bsize, o->memory);
	*dev = &o->dev;
	return 0;
}

uint64_t gfs_overlay_count(const struct gfs_dev *dev)
{
	return ((const struct overlay_dev *)dev)->map.count;
}

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a;
	uint64_t y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Merge the recent keys into the sorted ones, from the ends. */
static int sort_keys(struct overlay_dev *o)
{
	size_t n = o->n_keys - o->n_sorted;
	size_t at = o->n_keys;
	uint64_t *recent = malloc(n * sizeof(*recent));

	if (!recent)
		return -ENOMEM;
	memcpy(recent, o->keys + o->n_sorted, n * sizeof(*recent));
	qsort(recent, n, sizeof(*recent), compare_u64);
	while (n) {
		size_t s = o->n_sorted;

		if (s && o->keys[s - 1] > recent[n - 1])
			o->keys[--at] = o->keys[--o->n_sorted];
		else
			o->keys[--at] = recent[--n];
	}
	o->n_sorted = o->n_keys;
	free(recent);
	return 0;
}

/* Index of the first sorted key >= blk. */
static size_t search_sorted(const struct overlay_dev *o, uint64_t blk)
{
	size_t low = 0, high = o->n_sorted;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (o->keys[mid] < blk)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

int gfs_overlay_next(struct gfs_dev *dev, uint64_t *blk, void *buf)
{
	struct overlay_dev *o = overlay_of(dev);
	uint64_t best = UINT64_MAX;
	uint64_t i;
	size_t at;
	int rc;

	if (o->n_keys - o->n_sorted > MAX_RECENT) {
		rc = sort_keys(o);
		if (rc)
			return rc;
	}
	at = search_sorted(o, *blk);
	if (at < o->n_sorted)
		best = o->keys[at];
	for (at = o->n_sorted; at < o->n_keys; at++)
		if (o->keys[at] >= *blk && o->keys[at] < best)
			best = o->keys[at];
	if (!gfs_blkmap_get(&o->map, best, &i))
		return 0;
	*blk = best;
	if (!buf)
		return 1;
	rc = gfs_arena_read(&o->arena, i, 0, o->bsize, buf);
	return rc ? rc : 1;
}

void gfs_overlay_reset(struct gfs_dev *dev)
{
	struct overlay_dev *o = overlay_of(dev);

	pthread_rwlock_wrlock(&o->lock);
	gfs_blkmap_fini(&o->map);
	gfs_arena_fini(&o->arena);
	gfs_arena_init(&o->arena, o->bsize, o->memory);
	o->n_sorted = o->n_keys = 0;
	pthread_rwlock_unlock(&o->lock);
}
