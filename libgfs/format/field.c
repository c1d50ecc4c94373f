// SPDX-License-Identifier: GPL-2.0-or-later
/* Values of fields: as integers, and as text of their sense. */
#include "layout.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <uuid/uuid.h>

uint64_t gfs_field_get(const struct gfs_field *f, const void *at)
{
	be16 v16;
	be32 v32;
	be64 v64;

	switch (f->repr) {
	case GFS_REPR_U8: return *(const uint8_t *)at;
	case GFS_REPR_BE16:
		memcpy(&v16, at, sizeof(v16));
		return be16_to_cpu(v16);
	case GFS_REPR_BE32:
		memcpy(&v32, at, sizeof(v32));
		return be32_to_cpu(v32);
	case GFS_REPR_BE64:
		memcpy(&v64, at, sizeof(v64));
		return be64_to_cpu(v64);
	case GFS_REPR_RAW:
	case GFS_REPR_STRUCT: break;
	}
	return 0;
}

void gfs_field_set(const struct gfs_field *f, void *at, uint64_t value)
{
	be16 v16 = cpu_to_be16((uint16_t)value);
	be32 v32 = cpu_to_be32((uint32_t)value);
	be64 v64 = cpu_to_be64(value);

	switch (f->repr) {
	case GFS_REPR_U8: *(uint8_t *)at = (uint8_t)value; break;
	case GFS_REPR_BE16: memcpy(at, &v16, sizeof(v16)); break;
	case GFS_REPR_BE32: memcpy(at, &v32, sizeof(v32)); break;
	case GFS_REPR_BE64: memcpy(at, &v64, sizeof(v64)); break;
	case GFS_REPR_RAW:
	case GFS_REPR_STRUCT: break;
	}
}

/* Text being built; what does not fit is dropped. */
struct text {
	char *buf;
	size_t size;
	size_t used;
};

static void GFS_PRINTF(2, 3) add(struct text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (t->used + 1 >= t->size)
		return;
	va_start(ap, fmt);
	n = vsnprintf(t->buf + t->used, t->size - t->used, fmt, ap);
	va_end(ap);
	if (n > 0)
		t->used += (size_t)n;
}

static void add_string(struct text *t, const char *at, size_t size)
{
	for (size_t i = 0; i < size && at[i]; i++) {
		unsigned char c = (unsigned char)at[i];

		if (c < 0x80 && isprint(c) && c != '\\')
			add(t, "%c", c);
		else
			add(t, "\\x%02x", c);
	}
}

static void add_bytes(struct text *t, const uint8_t *at, size_t size)
{
	for (size_t i = 0; i < size; i++)
		add(t, "%02x", at[i]);
}

static void add_raw(struct text *t, const struct gfs_field *f, const void *at)
{
	char uuid[UUID_STR_LEN];
	uuid_t raw;

	switch (f->sense) {
	case GFS_S_STRING: add_string(t, at, f->size); break;
	case GFS_S_UUID:
		memcpy(raw, at, sizeof(raw));
		uuid_unparse_lower(raw, uuid);
		add(t, "%s", uuid);
		break;
	default: add_bytes(t, at, f->size); break;
	}
}

static void add_flags(struct text *t, const struct gfs_field *f, uint64_t value)
{
	uint64_t left = value;
	const char *bar = "";

	if (!value) {
		add(t, "0");
		return;
	}
	for (const struct gfs_flagname *n = f->flags; n->name; n++) {
		if (!(left & n->value))
			continue;
		add(t, "%s%s", bar, n->name);
		bar = "|";
		left &= ~(uint64_t)n->value;
	}
	if (left)
		add(t, "%s0x%" PRIx64, bar, left);
	add(t, " (0x%" PRIx64 ")", value);
}

static void add_enum(struct text *t, const struct gfs_field *f, uint64_t value)
{
	for (const struct gfs_flagname *n = f->flags; n->name; n++) {
		if (n->value == value) {
			add(t, "%s (%" PRIu64 ")", n->name, value);
			return;
		}
	}
	add(t, "%" PRIu64, value);
}

static void add_seconds(struct text *t, int64_t seconds)
{
	time_t when = (time_t)seconds;
	char date[64];
	struct tm tm;

	add(t, "%" PRId64, seconds);
	if (seconds && gmtime_r(&when, &tm) &&
	    strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S UTC", &tm))
		add(t, " (%s)", date);
}

/* The value with its sign bit carried up to 64 bits. */
static int64_t extend_sign(const struct gfs_field *f, uint64_t value)
{
	unsigned int unused = 64 - 8U * f->size;

	return (int64_t)(value << unused) >> unused;
}

static void add_value(struct text *t, const struct gfs_field *f, uint64_t value)
{
	switch (f->sense) {
	case GFS_S_FLAGS: add_flags(t, f, value); break;
	case GFS_S_ENUM: add_enum(t, f, value); break;
	case GFS_S_SECONDS: add_seconds(t, (int64_t)value); break;
	case GFS_S_SIGNED: add(t, "%" PRId64, extend_sign(f, value)); break;
	case GFS_S_MODE: add(t, "%07" PRIo64, value); break;
	case GFS_S_HEX:
	case GFS_S_CRC: add(t, "0x%0*" PRIx64, 2 * f->size, value); break;
	default: add(t, "%" PRIu64, value); break;
	}
}

const char *gfs_field_text(const struct gfs_field *f, const void *at, char *buf,
			   size_t size)
{
	struct text t = { .buf = buf, .size = size };

	if (!size)
		return buf;
	buf[0] = '\0';
	if (f->repr == GFS_REPR_STRUCT)
		add(&t, "%s", f->sub->name);
	else if (f->repr == GFS_REPR_RAW)
		add_raw(&t, f, at);
	else
		add_value(&t, f, gfs_field_get(f, at));
	return buf;
}
