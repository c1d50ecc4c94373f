// SPDX-License-Identifier: GPL-2.0-or-later
/* Neighbouring blocks become one vectored write. */
#include "gather.h"

enum { MAX_IOV = 256 };

/* An iovec has no const; writing only reads from it. */
static void *iov_base(const void *data)
{
	union {
		const void *in;
		void *out;
	} base = { .in = data };

	return base.out;
}

int gfs_gather_write(struct gfs_dev *dev, uint32_t bsize,
		     const struct gfs_log_block *blocks, size_t n,
		     size_t *done)
{
	struct iovec iov[MAX_IOV];
	size_t i = 0;
	int rc = 0;

	while (i < n && !rc) {
		uint64_t blk = blocks[i].blk;
		int len = 0;

		while (i + (size_t)len < n && len < MAX_IOV &&
		       blocks[i + (size_t)len].blk == blk + (uint64_t)len) {
			iov[len].iov_base =
				iov_base(blocks[i + (size_t)len].data);
			iov[len++].iov_len = bsize;
		}
		rc = blk > UINT64_MAX / bsize ?
			     -GFS_ESHORT :
			     gfs_dev_writev(dev, iov, len, blk * bsize);
		i += rc ? 0 : (size_t)len;
	}
	if (done)
		*done = i;
	return rc;
}
