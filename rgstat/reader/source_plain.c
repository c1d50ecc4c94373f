// SPDX-License-Identifier: GPL-2.0-or-later
/* Sources without libarchive: plain files and, through zlib, gzip. */
#include "source.h"

#ifndef HAVE_ARCHIVE

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

struct rg_source {
	gzFile gz;
	bool given;
};

int rg_source_open(const char *path, struct rg_source **out,
		   struct gfs_error *err)
{
	struct rg_source *src = calloc(1, sizeof(*src));

	if (!src)
		return gfs_fail(err, ENOMEM, GFS_NO_BLOCK, "open");
	errno = 0;
	if (!strcmp(path, "-"))
		src->gz = gzdopen(dup(STDIN_FILENO), "rb");
	else
		src->gz = gzopen(path, "rb");
	if (!src->gz) {
		free(src);
		return gfs_fail(err, errno ? errno : ENOMEM, GFS_NO_BLOCK,
				"open");
	}
	gzbuffer(src->gz, 1U << 18);
	*out = src;
	return 0;
}

void rg_source_close(struct rg_source *src)
{
	if (!src)
		return;
	gzclose(src->gz);
	free(src);
}

int rg_source_next(struct rg_source *src, const char **name,
		   struct gfs_error *err)
{
	(void)err;
	*name = NULL;
	if (src->given)
		return 0;
	src->given = true;
	return 1;
}

ssize_t rg_source_read(struct rg_source *src, void *buf, size_t size,
		       struct gfs_error *err)
{
	int n = gzread(src->gz, buf, (unsigned int)gfs_min(size, 1U << 20));
	int code = Z_OK;
	const char *text;

	if (n > 0)
		return n;
	text = gzerror(src->gz, &code);
	if (code == Z_OK || code == Z_STREAM_END)
		return 0;
	return gfs_fail(err, code == Z_ERRNO ? errno : EIO, GFS_NO_BLOCK, "%s",
			text);
}

uint64_t rg_source_taken(const struct rg_source *src)
{
	z_off_t at = gzoffset(src->gz);

	return at > 0 ? (uint64_t)at : 0;
}

#endif
