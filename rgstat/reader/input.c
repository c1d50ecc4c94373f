// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of a member, cut from big reads. */
#include "input.h"
#include "source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BUFFER (1U << 20)
#define PEEK 4096U

struct rg_input {
	struct rg_source *src;
	char *buf; /* BUFFER bytes and one more for the ending zero */
	size_t start;
	size_t end;
	bool eof;
	uint64_t line;
	uint64_t bytes;
	uint64_t too_long;
	uint64_t first_too_long;
};

int rg_input_open(const char *path, struct rg_input **out,
		  struct gfs_error *err)
{
	struct rg_input *in = calloc(1, sizeof(*in));
	int rc;

	if (!in)
		return gfs_fail(err, ENOMEM, GFS_NO_BLOCK, "open");
	in->buf = malloc(BUFFER + 1);
	rc = in->buf ? rg_source_open(path, &in->src, err) :
		       gfs_fail(err, ENOMEM, GFS_NO_BLOCK, "open");
	if (rc) {
		rg_input_close(in);
		return rc;
	}
	*out = in;
	return 0;
}

void rg_input_close(struct rg_input *in)
{
	if (!in)
		return;
	rg_source_close(in->src);
	free(in->buf);
	free(in);
}

int rg_input_next(struct rg_input *in, const char **name, struct gfs_error *err)
{
	in->start = 0;
	in->end = 0;
	in->eof = false;
	in->line = 0;
	in->too_long = 0;
	return rg_source_next(in->src, name, err);
}

/* Read more behind what is there; eof is set at the end. */
static int fill(struct rg_input *in, struct gfs_error *err)
{
	ssize_t n;

	if (in->start) {
		memmove(in->buf, in->buf + in->start, in->end - in->start);
		in->end -= in->start;
		in->start = 0;
	}
	n = rg_source_read(in->src, in->buf + in->end, BUFFER - in->end, err);
	if (n < 0)
		return (int)n;
	if (!n)
		in->eof = true;
	in->end += (size_t)n;
	in->bytes += (uint64_t)n;
	return 0;
}

int rg_input_peek(struct rg_input *in, const char **data, size_t *len,
		  struct gfs_error *err)
{
	int rc = 0;

	while (!rc && !in->eof && in->end - in->start < PEEK)
		rc = fill(in, err);
	*data = in->buf + in->start;
	*len = gfs_min(in->end - in->start, PEEK);
	/* An error behind the first bytes comes again when it is reached. */
	return *len ? 0 : rc;
}

/* Where the line at start ends, looking from the place already looked at. */
static char *find_end(struct rg_input *in, size_t from)
{
	return memchr(in->buf + in->start + from, '\n',
		      in->end - in->start - from);
}

/* Drop bytes up to and with the next newline. */
static int skip_line(struct rg_input *in, struct gfs_error *err)
{
	char *nl;
	int rc = 0;

	in->line++;
	if (!in->too_long++)
		in->first_too_long = in->line;
	for (;;) {
		nl = find_end(in, 0);
		if (nl || in->eof || rc)
			break;
		in->start = in->end;
		rc = fill(in, err);
	}
	in->start = nl ? (size_t)(nl - in->buf) + 1 : in->end;
	return rc;
}

int rg_input_line(struct rg_input *in, const char **line, size_t *len,
		  struct gfs_error *err)
{
	size_t seen = 0;
	char *nl;
	int rc;

	while (!(nl = find_end(in, seen)) && !in->eof) {
		seen = in->end - in->start;
		if (seen > RG_LINE_MAX) {
			rc = skip_line(in, err);
			seen = 0;
		} else {
			rc = fill(in, err);
		}
		if (rc)
			return rc;
	}
	if (!nl && in->start == in->end)
		return 0;
	if (!nl)
		nl = in->buf + in->end;
	*line = in->buf + in->start;
	*len = (size_t)(nl - *line);
	*nl = 0;
	in->start = gfs_min((size_t)(nl - in->buf) + 1, in->end);
	in->line++;
	return 1;
}

uint64_t rg_input_line_number(const struct rg_input *in)
{
	return in->line;
}

uint64_t rg_input_too_long(const struct rg_input *in, uint64_t *first)
{
	*first = in->first_too_long;
	return in->too_long;
}

uint64_t rg_input_taken(const struct rg_input *in)
{
	return rg_source_taken(in->src);
}

uint64_t rg_input_bytes(const struct rg_input *in)
{
	return in->bytes;
}
