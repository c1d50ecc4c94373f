// SPDX-License-Identifier: GPL-2.0-or-later
/* Sources through libarchive: any compression it has, and tar archives. */
#include "source.h"

#ifdef HAVE_ARCHIVE

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define READ_SIZE (256U << 10)

struct rg_source {
	struct archive *a;
	bool raw;
	const char *block; /* what is left of the one read last */
	size_t left;
};

static int fail(struct rg_source *src, struct gfs_error *err)
{
	int code = archive_errno(src->a);
	const char *text = archive_error_string(src->a);

	/* libarchive's own codes are not errno values. */
	if (code <= 0 || code > 200)
		code = EIO;
	return gfs_fail(err, code, GFS_NO_BLOCK, "%s", text ? text : "read");
}

/* No filter that runs a program is among these. */
static void support(struct archive *a)
{
	archive_read_support_filter_bzip2(a);
	archive_read_support_filter_compress(a);
	archive_read_support_filter_gzip(a);
	archive_read_support_filter_lz4(a);
	archive_read_support_filter_lzma(a);
	archive_read_support_filter_xz(a);
	archive_read_support_filter_zstd(a);
	archive_read_support_format_tar(a);
	archive_read_support_format_empty(a);
	archive_read_support_format_raw(a);
}

int rg_source_open(const char *path, struct rg_source **out,
		   struct gfs_error *err)
{
	struct rg_source *src = calloc(1, sizeof(*src));
	int rc = 0;

	if (src)
		src->a = archive_read_new();
	if (!src || !src->a) {
		free(src);
		return gfs_fail(err, ENOMEM, GFS_NO_BLOCK, "open");
	}
	support(src->a);
	if (!strcmp(path, "-"))
		rc = archive_read_open_fd(src->a, STDIN_FILENO, READ_SIZE);
	else
		rc = archive_read_open_filename(src->a, path, READ_SIZE);
	if (rc != ARCHIVE_OK) {
		rc = fail(src, err);
		/* Its text of a missing file repeats name and reason. */
		if (archive_errno(src->a) > 0)
			rc = gfs_fail(err, rc, GFS_NO_BLOCK, "open");
		rg_source_close(src);
		return rc;
	}
	*out = src;
	return 0;
}

void rg_source_close(struct rg_source *src)
{
	if (!src)
		return;
	archive_read_free(src->a);
	free(src);
}

int rg_source_next(struct rg_source *src, const char **name,
		   struct gfs_error *err)
{
	struct archive_entry *entry;
	int rc;

	src->left = 0;
	for (;;) {
		rc = archive_read_next_header(src->a, &entry);
		if (rc == ARCHIVE_EOF)
			return 0;
		if (rc != ARCHIVE_OK && rc != ARCHIVE_WARN)
			return fail(src, err);
		src->raw = archive_format(src->a) == ARCHIVE_FORMAT_RAW;
		if (src->raw || archive_entry_filetype(entry) == AE_IFREG)
			break;
	}
	*name = src->raw ? NULL : archive_entry_pathname(entry);
	if (!src->raw && !*name)
		*name = "";
	return 1;
}

ssize_t rg_source_read(struct rg_source *src, void *buf, size_t size,
		       struct gfs_error *err)
{
	const void *block;
	size_t n;
	la_int64_t offset;
	int rc;

	/* By blocks: what stands before a damaged place is not lost. */
	while (!src->left) {
		rc = archive_read_data_block(src->a, &block, &n, &offset);
		if (rc == ARCHIVE_EOF)
			return 0;
		if (rc != ARCHIVE_OK && rc != ARCHIVE_WARN)
			return fail(src, err);
		src->block = block;
		src->left = n;
	}
	n = gfs_min(size, src->left);
	memcpy(buf, src->block, n);
	src->block += n;
	src->left -= n;
	return (ssize_t)n;
}

uint64_t rg_source_taken(const struct rg_source *src)
{
	return (uint64_t)archive_filter_bytes(src->a, -1);
}

#endif
