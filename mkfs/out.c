// SPDX-License-Identifier: GPL-2.0-or-later
/* The window through which a new volume is written. */
#include "out.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int mkfs_out_init(struct mkfs_out *out, struct gfs_dev *dev, uint32_t bsize,
		  struct gfs_error *err)
{
	*out = (struct mkfs_out){
		.dev = dev,
		.err = err,
		.bsize = bsize,
		.holes = dev && !dev->is_block,
		.slots = MKFS_PIECE / bsize,
	};
	out->window = calloc(1, MKFS_PIECE);
	out->filled = calloc(1, out->slots);
	if (out->window && out->filled)
		return 0;
	mkfs_out_fini(out);
	return gfs_fail(err, ENOMEM, GFS_NO_BLOCK, "cannot begin to write");
}

void mkfs_out_fini(struct mkfs_out *out)
{
	free(out->window);
	free(out->filled);
	out->window = NULL;
	out->filled = NULL;
}

int mkfs_out_write(struct mkfs_out *out, uint64_t blk, const void *data,
		   uint64_t n)
{
	int rc;

	if (out->stop && *out->stop)
		return gfs_fail(out->err, GFS_EINTR, GFS_NO_BLOCK,
				"the filesystem is not complete");
	out->bytes += n * out->bsize;
	if (!out->dev)
		return 0;
	rc = gfs_dev_write(out->dev, data, n * out->bsize, blk * out->bsize);
	if (rc)
		return gfs_fail(out->err, rc, blk, "cannot write");
	return 0;
}

int mkfs_out_drain(struct mkfs_out *out)
{
	uint32_t from = 0;
	int rc = 0;

	while (!rc && from < out->used) {
		uint32_t to = from;

		while (to < out->used && out->filled[to])
			to++;
		if (to > from)
			rc = mkfs_out_write(out, out->base + from,
					    out->window +
						    (size_t)from * out->bsize,
					    to - from);
		from = to + 1;
	}
	memset(out->filled, 0, out->used);
	out->used = 0;
	return rc;
}

int mkfs_out_put(struct mkfs_out *out, uint64_t blk, const void *block)
{
	uint64_t slot;
	int rc;

	if (out->used && blk < out->base)
		return mkfs_out_write(out, blk, block, 1);
	if (!out->used || blk >= out->base + out->slots) {
		rc = mkfs_out_drain(out);
		if (rc)
			return rc;
		out->base = blk;
	}
	slot = blk - out->base;
	memcpy(out->window + slot * out->bsize, block, out->bsize);
	out->filled[slot] = 1;
	out->used = (uint32_t)gfs_max(out->used, slot + 1);
	return 0;
}

bool mkfs_out_is_hole(const struct mkfs_out *out, uint64_t blk, uint64_t n)
{
	off_t from = (off_t)(blk * out->bsize);
	off_t data;

	if (!out->holes)
		return false;
	data = lseek(gfs_dev_fd(out->dev), from, SEEK_DATA);
	if (data < 0)
		return errno == ENXIO;
	return (uint64_t)data >= (blk + n) * out->bsize;
}

int mkfs_out_zero(struct mkfs_out *out, uint64_t blk, uint64_t n)
{
	char *zeros;
	int rc = 0;

	if (!n || !out->dev || mkfs_out_is_hole(out, blk, n))
		return 0;
	zeros = calloc(1, gfs_min(n * out->bsize, MKFS_PIECE));
	if (!zeros)
		return gfs_fail(out->err, ENOMEM, blk, "cannot write zeros");
	while (!rc && n) {
		uint64_t some = gfs_min(n, out->slots);

		rc = mkfs_out_write(out, blk, zeros, some);
		blk += some;
		n -= some;
	}
	free(zeros);
	return rc;
}

int mkfs_out_flush(struct mkfs_out *out)
{
	int rc = mkfs_out_drain(out);

	if (rc || !out->dev)
		return rc;
	rc = gfs_dev_flush(out->dev);
	if (rc)
		return gfs_fail(out->err, rc, GFS_NO_BLOCK,
				"cannot make what was written durable");
	return 0;
}
