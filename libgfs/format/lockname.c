// SPDX-License-Identifier: GPL-2.0-or-later
/* DLM resource names of GFS2 glocks: type and number in fixed columns. */
#include "lockname.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define TYPE_COLUMNS 8U

static const char *const type_names[GFS_LOCK_TYPES] = {
	[GFS_LOCK_RESERVED] = "reserved", [GFS_LOCK_NONDISK] = "nondisk",
	[GFS_LOCK_INODE] = "inode",       [GFS_LOCK_RGRP] = "rgrp",
	[GFS_LOCK_META] = "meta",         [GFS_LOCK_IOPEN] = "iopen",
	[GFS_LOCK_FLOCK] = "flock",       [GFS_LOCK_PLOCK] = "plock",
	[GFS_LOCK_QUOTA] = "quota",       [GFS_LOCK_JOURNAL] = "journal",
};

void gfs_lockname_format(const struct gfs_lockname *ln,
			 char name[GFS_LOCKNAME_LEN + 1])
{
	snprintf(name, GFS_LOCKNAME_LEN + 1, "%8" PRIx32 "%16" PRIx64, ln->type,
		 ln->number);
}

const char *gfs_locktype_name(uint32_t type)
{
	return type < GFS_LOCK_TYPES ? type_names[type] : NULL;
}

static int find_type(const char *text, size_t len)
{
	for (int i = 0; i < GFS_LOCK_TYPES; i++)
		if (strlen(type_names[i]) == len &&
		    !memcmp(type_names[i], text, len))
			return i;
	return -EINVAL;
}

int gfs_locktype_parse(const char *text)
{
	return find_type(text, strlen(text));
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* A hexadecimal number of at most 16 digits, spaces before it allowed. */
static int parse_hex(const char *text, size_t len, uint64_t *value)
{
	*value = 0;
	while (len && *text == ' ') {
		text++;
		len--;
	}
	if (len == 0 || len > 16)
		return -EINVAL;
	for (; len; text++, len--) {
		int digit = hex_digit(*text);

		if (digit < 0)
			return -EINVAL;
		*value = *value << 4 | (unsigned int)digit;
	}
	return 0;
}

/* Length of the part that holds the type. */
static size_t type_length(const char *text, size_t len)
{
	const char *slash = memchr(text, '/', len);
	size_t n = 0;

	if (slash)
		return (size_t)(slash - text);
	if (len == GFS_LOCKNAME_LEN)
		return TYPE_COLUMNS;
	while (n < len && text[n] == ' ')
		n++;
	while (n < len && text[n] != ' ')
		n++;
	return n;
}

int gfs_lockname_parse(const char *text, size_t len, struct gfs_lockname *ln)
{
	size_t split = type_length(text, len);
	size_t rest = split;
	uint64_t type;
	int rc;

	if (rest < len && text[rest] == '/')
		rest++;
	rc = parse_hex(text + rest, len - rest, &ln->number);
	if (rc)
		return rc;
	rc = find_type(text, split);
	if (rc >= 0) {
		ln->type = (uint32_t)rc;
		return 0;
	}
	rc = parse_hex(text, split, &type);
	if (rc || type >= GFS_LOCK_TYPES)
		return -EINVAL;
	ln->type = (uint32_t)type;
	return 0;
}
