// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbered blocks in chunks of memory, then in a temporary file. */
#include "arena.h"
#include "../base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK_BYTES = 1 << 20 };

void gfs_arena_init(struct gfs_arena *a, uint32_t bsize, size_t memory)
{
	*a = (struct gfs_arena){
		.bsize = bsize,
		.per_chunk = CHUNK_BYTES / bsize,
		.max_chunks = memory / CHUNK_BYTES,
		.fd = -1,
	};
}

void gfs_arena_fini(struct gfs_arena *a)
{
	for (uint64_t i = 0; i < a->n_chunks; i++)
		free(a->chunks[i]);
	free(a->chunks);
	if (a->fd >= 0)
		close(a->fd);
}

/* Systems and filesystems without O_TMPFILE get a file made and removed. */
static int make_file(int *fd)
{
	const char *dir = getenv("TMPDIR");
	char path[4096];
	int n;

	if (!dir || !*dir)
		dir = "/var/tmp";
	*fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
	if (*fd >= 0)
		return 0;
	n = snprintf(path, sizeof(path), "%s/gfs-XXXXXX", dir);
	if (n < 0 || (size_t)n >= sizeof(path))
		return -ENAMETOOLONG;
	*fd = mkostemp(path, O_CLOEXEC);
	if (*fd < 0)
		return -errno;
	unlink(path);
	return 0;
}

static off_t file_offset(const struct gfs_arena *a, uint64_t i)
{
	return (off_t)((i - a->max_chunks * a->per_chunk) * a->bsize);
}

static int file_write(struct gfs_arena *a, uint64_t i, const void *data)
{
	off_t off = file_offset(a, i);
	const char *p = data;
	size_t left = a->bsize;

	if (a->fd < 0) {
		int rc = make_file(&a->fd);

		if (rc)
			return rc;
	}
	while (left) {
		ssize_t n = pwrite(a->fd, p, left, off);

		if (n < 0 && errno != EINTR)
			return -errno;
		if (n <= 0)
			continue;
		p += n;
		off += n;
		left -= (size_t)n;
	}
	return 0;
}

static int file_read(const struct gfs_arena *a, uint64_t i, uint32_t from,
		     uint32_t len, void *data)
{
	off_t off = file_offset(a, i) + from;
	char *p = data;

	while (len) {
		ssize_t n = pread(a->fd, p, len, off);

		if (!n)
			return -EIO;
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n < 0)
			continue;
		p += n;
		off += n;
		len -= (uint32_t)n;
	}
	return 0;
}

static int add_chunk(struct gfs_arena *a)
{
	uint8_t **chunks = a->chunks;
	uint8_t *chunk;

	if (!(a->n_chunks & (a->n_chunks + 1)) || !chunks) {
		chunks = realloc(chunks, (2 * a->n_chunks + 2) *
						 sizeof(*chunks));
		if (!chunks)
			return -ENOMEM;
		a->chunks = chunks;
	}
	chunk = malloc(CHUNK_BYTES);
	if (!chunk)
		return -ENOMEM;
	a->chunks[a->n_chunks++] = chunk;
	return 0;
}

static uint8_t *in_memory(const struct gfs_arena *a, uint64_t i)
{
	return a->chunks[i / a->per_chunk] +
	       i % a->per_chunk * a->bsize;
}

int gfs_arena_write(struct gfs_arena *a, uint64_t i, const void *data)
{
	uint64_t chunk = i / a->per_chunk;

	if (chunk >= a->max_chunks)
		return file_write(a, i, data);
	if (chunk == a->n_chunks) {
		int rc = add_chunk(a);

		if (rc)
			return rc;
	}
	memcpy(in_memory(a, i), data, a->bsize);
	return 0;
}

int gfs_arena_read(const struct gfs_arena *a, uint64_t i, uint32_t from,
		   uint32_t len, void *data)
{
	if (i / a->per_chunk >= a->max_chunks)
		return file_read(a, i, from, len, data);
	memcpy(data, in_memory(a, i) + from, len);
	return 0;
}
