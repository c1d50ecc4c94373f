// SPDX-License-Identifier: GPL-2.0-or-later
/* The writer of undo files. */
#include "undo.h"
#include "../base/crc.h"
#include "blkmap.h"
#include "undo_format.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 20 };

struct gfs_undo {
	struct gfs_dev *dev;
	uint32_t bsize;
	int fd;
	uint64_t records; /* durable ones */
	struct gfs_blkmap saved;
	uint8_t *buffer;  /* of records on their way to the file */
	size_t record_size, per_buffer;
};

uint32_t gfs_undo_header_crc(const struct gfs_undo_header *h)
{
	return gfs_crc32c(UINT32_MAX, h, offsetof(struct gfs_undo_header, crc));
}

uint32_t gfs_undo_record_crc(const struct gfs_undo_record *r, uint32_t bsize)
{
	size_t from = offsetof(struct gfs_undo_record, index);

	return gfs_crc32c(UINT32_MAX, (const uint8_t *)r + from,
			  sizeof(*r) - from + bsize);
}

static int write_all(int fd, const void *data, size_t len, uint64_t off)
{
	const char *p = data;

	while (len) {
		ssize_t n = pwrite(fd, p, len, (off_t)off);

		if (n < 0 && errno != EINTR)
			return -errno;
		if (n <= 0)
			continue;
		p += n;
		off += (uint64_t)n;
		len -= (size_t)n;
	}
	return 0;
}

static int write_header(struct gfs_undo *undo, bool closed)
{
	struct gfs_undo_header h = {
		.magic = GFS_UNDO_MAGIC,
		.version = cpu_to_be32(GFS_UNDO_VERSION),
		.bsize = cpu_to_be32(undo->bsize),
		.dev_size = cpu_to_be64(undo->dev->size),
		.records = cpu_to_be64(closed ? undo->records : 0),
		.closed = cpu_to_be32(closed),
	};
	int rc;

	h.crc = cpu_to_be32(gfs_undo_header_crc(&h));
	rc = write_all(undo->fd, &h, sizeof(h), 0);
	if (rc)
		return rc;
	return fsync(undo->fd) ? -errno : 0;
}

/* The file's name has to survive a power cut as well. */
static int sync_directory(const char *path)
{
	char *copy = strdup(path);
	int rc = 0;
	int fd;

	if (!copy)
		return -ENOMEM;
	fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || (fsync(fd) && errno != EINVAL))
		rc = -errno;
	if (fd >= 0)
		close(fd);
	free(copy);
	return rc;
}

static struct gfs_undo *undo_new(struct gfs_dev *dev, uint32_t bsize)
{
	struct gfs_undo *undo = calloc(1, sizeof(*undo));

	if (!undo)
		return NULL;
	undo->dev = dev;
	undo->bsize = bsize;
	undo->fd = -1;
	undo->record_size = sizeof(struct gfs_undo_record) + bsize;
	undo->per_buffer = BUFFER_BYTES / undo->record_size;
	undo->buffer = malloc(undo->per_buffer * undo->record_size);
	if (undo->buffer)
		return undo;
	free(undo);
	return NULL;
}

static void undo_free(struct gfs_undo *undo)
{
	if (undo->fd >= 0)
		close(undo->fd);
	gfs_blkmap_fini(&undo->saved);
	free(undo->buffer);
	free(undo);
}

int gfs_undo_create(struct gfs_undo **undo, const char *path,
		    struct gfs_dev *dev, uint32_t bsize, struct gfs_error *err)
{
	struct gfs_undo *u;
	int rc;

	*undo = NULL;
	if (!gfs_is_pow2(bsize) || bsize < 512 || bsize > 65536)
		return gfs_fail(err, EINVAL, GFS_NO_BLOCK,
				"block size %u is not possible", bsize);
	u = undo_new(dev, bsize);
	if (!u)
		return gfs_fail(err, ENOMEM, GFS_NO_BLOCK,
				"cannot create undo file %s", path);
	u->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (u->fd < 0)
		rc = -errno;
	else
		rc = write_header(u, false);
	if (!rc)
		rc = sync_directory(path);
	if (rc) {
		if (u->fd >= 0)
			unlink(path);
		undo_free(u);
		return gfs_fail(err, rc, GFS_NO_BLOCK,
				"cannot create undo file %s", path);
	}
	*undo = u;
	return 0;
}

static int fill_record(struct gfs_undo *undo, size_t slot, uint64_t index,
		       uint64_t blk)
{
	uint8_t *at = undo->buffer + slot * undo->record_size;
	struct gfs_undo_record *r = (struct gfs_undo_record *)at;
	int rc;

	if (blk > UINT64_MAX / undo->bsize)
		return -GFS_ESHORT;
	rc = gfs_dev_read(undo->dev, r + 1, undo->bsize, blk * undo->bsize);
	if (rc)
		return rc;
	*r = (struct gfs_undo_record){
		.magic = cpu_to_be32(GFS_UNDO_RECORD_MAGIC),
		.index = cpu_to_be64(index),
		.batch = cpu_to_be64(undo->records),
		.blk = cpu_to_be64(blk),
	};
	r->crc = cpu_to_be32(gfs_undo_record_crc(r, undo->bsize));
	return 0;
}

static int write_buffer(struct gfs_undo *undo, size_t n, uint64_t index)
{
	return write_all(undo->fd, undo->buffer, n * undo->record_size,
			 GFS_UNDO_START + (index - n) * undo->record_size);
}

/* Write the records of a batch; *index ends behind its last one. */
static int write_batch(struct gfs_undo *undo, const uint64_t *blks, size_t n,
		       uint64_t *index)
{
	size_t slot = 0;
	int rc;

	for (size_t i = 0; i < n; i++) {
		if (gfs_blkmap_get(&undo->saved, blks[i], NULL))
			continue;
		rc = fill_record(undo, slot, *index, blks[i]);
		if (rc)
			return rc;
		++*index;
		if (++slot < undo->per_buffer)
			continue;
		rc = write_buffer(undo, slot, *index);
		if (rc)
			return rc;
		slot = 0;
	}
	return slot ? write_buffer(undo, slot, *index) : 0;
}

int gfs_undo_save(struct gfs_undo *undo, const uint64_t *blks, size_t n)
{
	uint64_t index = undo->records;
	int rc = write_batch(undo, blks, n, &index);

	/* A batch that failed is overwritten by the next one. */
	if (rc || index == undo->records)
		return rc;
	if (fsync(undo->fd))
		return -errno;
	undo->records = index;
	/*
	 * A block that is not remembered for lack of memory may be recorded
	 * again later; played newest first, the oldest record wins.
	 */
	for (size_t i = 0; i < n && !rc; i++)
		rc = gfs_blkmap_put(&undo->saved, blks[i], 1);
	return rc;
}

int gfs_undo_close(struct gfs_undo *undo)
{
	int rc;

	if (!undo)
		return 0;
	rc = write_header(undo, true);
	undo_free(undo);
	return rc;
}
