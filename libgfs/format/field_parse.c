// SPDX-License-Identifier: GPL-2.0-or-later
/* Values of fields as users write them. */
#include "layout.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <uuid/uuid.h>

/* A number of len bytes: 0x..., or in the given base; nothing around it. */
static int parse_number(const char *text, size_t len, unsigned int base,
			uint64_t *value)
{
	if (len > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		text += 2;
		len -= 2;
		base = 16;
	}
	if (!len)
		return -EINVAL;
	*value = 0;
	for (size_t i = 0; i < len; i++) {
		static const char digits[] = "0123456789abcdef";
		const char *d = strchr(digits, tolower((unsigned char)text[i]));

		if (!text[i] || !d || (size_t)(d - digits) >= base)
			return -EINVAL;
		if (__builtin_mul_overflow(*value, base, value) ||
		    __builtin_add_overflow(*value, (uint64_t)(d - digits),
					   value))
			return -ERANGE;
	}
	return 0;
}

/* A name of the field's table, in any case, or a number. */
static int parse_word(const struct gfs_field *f, const char *text, size_t len,
		      uint64_t *value)
{
	for (const struct gfs_flagname *n = f->flags; n->name; n++) {
		if (strlen(n->name) == len &&
		    !strncasecmp(n->name, text, len)) {
			*value = n->value;
			return 0;
		}
	}
	return parse_number(text, len, 10, value);
}

static int parse_flags(const struct gfs_field *f, const char *text, size_t len,
		       uint64_t *value)
{
	const char *end = text + len;
	uint64_t all = 0;

	for (;;) {
		size_t word = strcspn(text, "|");
		int rc;

		if (word > (size_t)(end - text))
			word = (size_t)(end - text);
		rc = parse_word(f, text, word, value);
		if (rc)
			return rc;
		all |= *value;
		text += word;
		if (text == end)
			break;
		text++;
	}
	*value = all;
	return 0;
}

static int parse_signed(const struct gfs_field *f, const char *text, size_t len,
			uint64_t *value)
{
	const uint64_t limit = 1ULL << (8 * f->size - 1);
	bool minus = len && text[0] == '-';
	int rc = parse_number(text + minus, len - minus, 10, value);

	if (rc)
		return rc;
	if (*value > limit - !minus)
		return -ERANGE;
	if (minus)
		*value = -*value;
	if (f->size < sizeof(*value))
		*value &= (1ULL << (8 * f->size)) - 1;
	return 0;
}

static int parse_integer(const struct gfs_field *f, void *at, const char *text)
{
	/* What gfs_field_text() explains in parentheses is not read. */
	const char *note = strstr(text, " (");
	size_t len = note ? (size_t)(note - text) : strlen(text);
	uint64_t value;
	int rc;

	switch (f->sense) {
	case GFS_S_FLAGS: rc = parse_flags(f, text, len, &value); break;
	case GFS_S_ENUM: rc = parse_word(f, text, len, &value); break;
	case GFS_S_SIGNED:
	case GFS_S_SECONDS: rc = parse_signed(f, text, len, &value); break;
	default:
		rc = parse_number(text, len, f->sense == GFS_S_MODE ? 8 : 10,
				  &value);
		break;
	}
	if (rc)
		return rc;
	if (f->size < sizeof(value) && value >> (8 * f->size))
		return -ERANGE;
	gfs_field_set(f, at, value);
	return 0;
}

static int parse_string(const struct gfs_field *f, void *at, const char *text)
{
	size_t len = strlen(text);

	/* The last byte stays a NUL. */
	if (len >= f->size)
		return -ERANGE;
	memset(at, 0, f->size);
	memcpy(at, text, len);
	return 0;
}

static int hex_pair(const char *text)
{
	uint64_t value;

	if (text[1] == 'x' || text[1] == 'X' ||
	    parse_number(text, 2, 16, &value))
		return -EINVAL;
	return (int)value;
}

/* All bytes as hexadecimal digits, or a single 0 for zeros. */
static int parse_bytes(const struct gfs_field *f, void *at, const char *text)
{
	size_t len = strlen(text);

	if (!strcmp(text, "0")) {
		memset(at, 0, f->size);
		return 0;
	}
	if (len > 2U * f->size)
		return -ERANGE;
	if (len < 2U * f->size)
		return -EINVAL;
	for (size_t i = 0; i < f->size; i++)
		if (hex_pair(text + 2 * i) < 0)
			return -EINVAL;
	for (size_t i = 0; i < f->size; i++)
		((uint8_t *)at)[i] = (uint8_t)hex_pair(text + 2 * i);
	return 0;
}

static int parse_uuid(void *at, const char *text)
{
	uuid_t raw;

	if (uuid_parse(text, raw))
		return -EINVAL;
	memcpy(at, raw, sizeof(raw));
	return 0;
}

int gfs_field_parse(const struct gfs_field *f, void *at, const char *text)
{
	if (f->repr == GFS_REPR_STRUCT)
		return -EINVAL;
	if (f->repr != GFS_REPR_RAW)
		return parse_integer(f, at, text);
	if (f->sense == GFS_S_STRING)
		return parse_string(f, at, text);
	if (f->sense == GFS_S_UUID)
		return parse_uuid(at, text);
	return parse_bytes(f, at, text);
}
