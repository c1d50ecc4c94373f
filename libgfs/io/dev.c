// SPDX-License-Identifier: GPL-2.0-or-later
/* What all kinds of devices share: range checks, statistics, closing. */
#include "dev.h"

#include <stdlib.h>

/* Bytes of an iovec, UINT64_MAX when they do not fit. */
static uint64_t iov_bytes(const struct iovec *iov, int n)
{
	uint64_t sum = 0;

	for (int i = 0; i < n; i++) {
		if (iov[i].iov_len > UINT64_MAX - sum)
			return UINT64_MAX;
		sum += iov[i].iov_len;
	}
	return sum;
}

static int range_check(const struct gfs_dev *dev, uint64_t len, uint64_t off)
{
	if (off > dev->size || len > dev->size - off)
		return -GFS_ESHORT;
	return 0;
}

static void count(uint64_t *calls, uint64_t *bytes, uint64_t len)
{
	__atomic_fetch_add(calls, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(bytes, len, __ATOMIC_RELAXED);
}

int gfs_dev_read(struct gfs_dev *dev, void *buf, size_t len, uint64_t off)
{
	int rc = range_check(dev, len, off);

	if (rc || !len)
		return rc;
	count(&dev->stats.reads, &dev->stats.bytes_read, len);
	return dev->ops->read(dev, buf, len, off);
}

int gfs_dev_readv(struct gfs_dev *dev, const struct iovec *iov, int n,
		  uint64_t off)
{
	uint64_t len = iov_bytes(iov, n);
	int rc = range_check(dev, len, off);

	if (rc || !len)
		return rc;
	count(&dev->stats.reads, &dev->stats.bytes_read, len);
	return dev->ops->readv(dev, iov, n, off);
}

int gfs_dev_writev(struct gfs_dev *dev, const struct iovec *iov, int n,
		   uint64_t off)
{
	uint64_t len = iov_bytes(iov, n);
	int rc;

	if (dev->readonly)
		return -GFS_EREADONLY;
	rc = range_check(dev, len, off);
	if (rc || !len)
		return rc;
	count(&dev->stats.writes, &dev->stats.bytes_written, len);
	return dev->ops->write(dev, iov, n, off);
}

int gfs_dev_write(struct gfs_dev *dev, const void *buf, size_t len,
		  uint64_t off)
{
	/* An iovec has no const; ops->write() only reads from it. */
	union {
		const void *in;
		void *out;
	} base = { .in = buf };
	struct iovec iov = { .iov_base = base.out, .iov_len = len };

	return gfs_dev_writev(dev, &iov, 1, off);
}

int gfs_dev_flush(struct gfs_dev *dev)
{
	if (dev->readonly)
		return 0;
	__atomic_fetch_add(&dev->stats.flushes, 1, __ATOMIC_RELAXED);
	return dev->ops->flush(dev);
}

int gfs_dev_discard(struct gfs_dev *dev, uint64_t off, uint64_t len)
{
	int rc;

	if (dev->readonly)
		return -GFS_EREADONLY;
	rc = range_check(dev, len, off);
	if (rc || !len || !dev->ops->discard)
		return rc;
	return dev->ops->discard(dev, off, len);
}

void gfs_dev_prefetch(struct gfs_dev *dev, uint64_t off, uint64_t len)
{
	if (dev->ops->prefetch && !range_check(dev, len, off))
		dev->ops->prefetch(dev, off, len);
}

int gfs_dev_fd(const struct gfs_dev *dev)
{
	return dev->ops->fd ? dev->ops->fd(dev) : -1;
}

void gfs_dev_close(struct gfs_dev *dev)
{
	if (!dev)
		return;
	free(dev->name);
	dev->ops->close(dev);
}
