// SPDX-License-Identifier: GPL-2.0-or-later
/* Error codes, their texts, and the record of what went wrong. */
#include "error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct error_row {
	int code;
	const char *name;
	const char *text;
};

static const struct error_row rows[] = {
#define GFS_ERROR(name, text) { GFS_##name, #name, text },
#include "errors.def"
#undef GFS_ERROR
};

static const struct error_row *find_row(int code)
{
	for (size_t i = 0; i < GFS_ARRAY_SIZE(rows); i++)
		if (rows[i].code == abs(code))
			return &rows[i];
	return NULL;
}

const char *gfs_strerror(int code)
{
	const struct error_row *row = find_row(code);

	return row ? row->text : strerror(abs(code));
}

const char *gfs_errname(int code)
{
	const struct error_row *row = find_row(code);
	const char *name;

	if (row)
		return row->name;
	name = strerrorname_np(abs(code));
	return name ? name : "EUNKNOWN";
}

int gfs_fail(struct gfs_error *err, int code, uint64_t blk, const char *fmt,
	     ...)
{
	va_list ap;

	if (err) {
		err->code = -abs(code);
		err->blk = blk;
		va_start(ap, fmt);
		vsnprintf(err->text, sizeof(err->text), fmt, ap);
		va_end(ap);
	}
	return -abs(code);
}

int gfs_context(struct gfs_error *err, const char *fmt, ...)
{
	char head[sizeof(err->text)];
	char tail[sizeof(err->text)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(head, sizeof(head), fmt, ap);
	va_end(ap);
	memcpy(tail, err->text, sizeof(tail));
	snprintf(err->text, sizeof(err->text), "%.190s: %.200s", head, tail);
	return err->code;
}

const char *gfs_error_message(const struct gfs_error *err, int code, char *buf,
			      size_t size)
{
	if (!err || err->code != code || !err->text[0])
		snprintf(buf, size, "%s", gfs_strerror(code));
	else if (err->blk == GFS_NO_BLOCK)
		snprintf(buf, size, "%s: %s", err->text, gfs_strerror(code));
	else
		snprintf(buf, size, "block %" PRIu64 ": %s: %s", err->blk,
			 err->text, gfs_strerror(code));
	return buf;
}
