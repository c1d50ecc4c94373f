// SPDX-License-Identifier: GPL-2.0-or-later
/* A device in memory, for tests and rehearsals. */
#include "dev.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct mem_dev {
	struct gfs_dev dev;
	uint8_t *bytes;
};

static struct mem_dev *mem_of(struct gfs_dev *dev)
{
	return (struct mem_dev *)dev;
}

static size_t mapped_size(uint64_t size)
{
	return size ? (size_t)size : 1;
}

static int mem_read(struct gfs_dev *dev, void *buf, size_t len, uint64_t off)
{
	memcpy(buf, mem_of(dev)->bytes + off, len);
	return 0;
}

static int mem_readv(struct gfs_dev *dev, const struct iovec *iov, int n,
		     uint64_t off)
{
	for (int i = 0; i < n; i++) {
		memcpy(iov[i].iov_base, mem_of(dev)->bytes + off,
		       iov[i].iov_len);
		off += iov[i].iov_len;
	}
	return 0;
}

static int mem_write(struct gfs_dev *dev, const struct iovec *iov, int n,
		     uint64_t off)
{
	for (int i = 0; i < n; i++) {
		memcpy(mem_of(dev)->bytes + off, iov[i].iov_base,
		       iov[i].iov_len);
		off += iov[i].iov_len;
	}
	return 0;
}

static int mem_flush(struct gfs_dev *dev)
{
	(void)dev;
	return 0;
}

/* Whole pages go back to the system and read as zero; the rest is kept. */
static int mem_discard(struct gfs_dev *dev, uint64_t off, uint64_t len)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t from = gfs_round_up(off, page);
	uint64_t to = (off + len) / page * page;

	if (from < to)
		(void)madvise(mem_of(dev)->bytes + from, to - from,
			      MADV_DONTNEED);
	return 0;
}

static void mem_close(struct gfs_dev *dev)
{
	struct mem_dev *m = mem_of(dev);

	munmap(m->bytes, mapped_size(dev->size));
	free(m);
}

static const struct gfs_dev_ops mem_ops = {
	.kind = "memory",
	.read = mem_read,
	.readv = mem_readv,
	.write = mem_write,
	.flush = mem_flush,
	.discard = mem_discard,
	.close = mem_close,
};

int gfs_dev_mem_open(struct gfs_dev **dev, uint64_t size)
{
	struct mem_dev *m;

	*dev = NULL;
	if (size > SIZE_MAX / 2)
		return -ENOMEM;
	m = calloc(1, sizeof(*m));
	if (!m)
		return -ENOMEM;
	m->dev = (struct gfs_dev){
		.ops = &mem_ops,
		.name = strdup("memory"),
		.size = size,
		.sector = 1,
	};
	m->bytes = mmap(NULL, mapped_size(size), PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (!m->dev.name || m->bytes == MAP_FAILED) {
		if (m->bytes != MAP_FAILED)
			munmap(m->bytes, mapped_size(size));
		free(m->dev.name);
		free(m);
		return -ENOMEM;
	}
	*dev = &m->dev;
	return 0;
}
