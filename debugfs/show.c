// SPDX-License-Identifier: GPL-2.0-or-later
/* Fields, structs and bytes on the output. */
#include "show.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static bool is_zero(const void *at, size_t size)
{
	const uint8_t *p = at;

	for (size_t i = 0; i < size; i++)
		if (p[i])
			return false;
	return true;
}

static int64_t signed_value(const struct gfs_field *f, const void *at)
{
	unsigned int shift = 64U - 8U * f->size;

	return (int64_t)(gfs_field_get(f, at) << shift) >> shift;
}

/* The integer of a field in JSON, or of a plain number in text. */
static void show_number(struct emit *e, const char *name,
			const struct gfs_field *f, const void *at)
{
	if (f->sense == GFS_S_SIGNED || f->sense == GFS_S_SECONDS)
		emit_s64(e, name, signed_value(f, at));
	else
		emit_u64(e, name, gfs_field_get(f, at));
}

void dbg_show_field(struct emit *e, const char *name, const struct gfs_field *f,
		    const void *at)
{
	char text[700];
	char text_name[96];

	if (f->sense == GFS_S_PAD && is_zero(at, f->size))
		return;
	if (f->repr == GFS_REPR_RAW && f->sense == GFS_S_STRING) {
		emit_bytes(e, name, at, strnlen(at, f->size));
		return;
	}
	gfs_field_text(f, at, text, sizeof(text));
	if (!emit_is_json(e) || f->repr == GFS_REPR_RAW ||
	    f->sense == GFS_S_MODE) {
		emit_str(e, name, text);
		return;
	}
	show_number(e, name, f, at);
	if (!name || (f->sense != GFS_S_FLAGS && f->sense != GFS_S_ENUM))
		return;
	snprintf(text_name, sizeof(text_name), "%s_text", name);
	emit_str(e, text_name, text);
}

static int show_one(void *ctx, const char *name, const struct gfs_field *f,
		    const void *at)
{
	dbg_show_field(ctx, name, f, at);
	return 0;
}

void dbg_show_struct(struct emit *e, const struct gfs_layout *layout,
		     const void *base)
{
	int rc = gfs_layout_each(layout, base, show_one, e);

	(void)rc; /* show_one() never stops */
}

void dbg_show_records(struct emit *e, const struct gfs_layout *layout,
		      const char *base, uint64_t n)
{
	emit_list_begin(e, "records");
	for (uint64_t i = 0; i < n; i++) {
		emit_object_begin(e, NULL);
		emit_u64(e, "n", i);
		dbg_show_struct(e, layout, base + i * layout->size);
		emit_object_end(e);
	}
	emit_list_end(e);
}

static void hex_line(const uint8_t *p, size_t len, char *buf, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < 16; i++) {
		const char *gap = i == 8 ? "  " : i ? " " : "";

		if (i < len)
			used += (size_t)snprintf(buf + used, size - used,
						 "%s%02x", gap, p[i]);
		else
			used += (size_t)snprintf(buf + used, size - used,
						 "%s  ", gap);
	}
	used += (size_t)snprintf(buf + used, size - used, "  |");
	for (size_t i = 0; i < len; i++)
		used += (size_t)snprintf(buf + used, size - used, "%c",
					 p[i] < 0x80 && isprint(p[i]) ? p[i]
								      : '.');
	snprintf(buf + used, size - used, "|");
}

static void hex_json(struct emit *e, const uint8_t *p, size_t len)
{
	char text[33] = "";

	emit_list_begin(e, "bytes");
	for (size_t at = 0; at < len; at += 16) {
		for (size_t i = 0; i < 16 && at + i < len; i++)
			snprintf(text + 2 * i, 3, "%02x", p[at + i]);
		emit_str(e, NULL, text);
	}
	emit_list_end(e);
}

void dbg_show_hex(struct emit *e, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;
	bool repeated = false;
	char text[128];

	if (emit_is_json(e)) {
		hex_json(e, p, len);
		return;
	}
	for (size_t at = 0; at < len; at += 16) {
		size_t n = gfs_min(16, len - at);
		bool same = at && n == 16 && !memcmp(p + at, p + at - 16, 16);

		if (same && !repeated)
			emit_note(e, "*");
		repeated = same;
		if (same)
			continue;
		hex_line(p + at, n, text, sizeof(text));
		emit_note(e, "%08zx  %s", at, text);
	}
	emit_note(e, "%08zx", len);
}

const char *dbg_type_name(uint32_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFREG: return "file";
	case S_IFDIR: return "directory";
	case S_IFLNK: return "symlink";
	case S_IFCHR: return "character device";
	case S_IFBLK: return "block device";
	case S_IFIFO: return "fifo";
	case S_IFSOCK: return "socket";
	default: return "unknown";
	}
}

const char *dbg_dirent_type_name(uint32_t de_type)
{
	return de_type <= S_IFMT >> 12 ? dbg_type_name(DTTOIF(de_type))
				       : "unknown";
}

const char *dbg_time_text(int64_t sec, uint32_t nsec, char *buf, size_t size)
{
	time_t when = (time_t)sec;
	char zone[16] = "";
	char date[64];
	struct tm tm;

	if (!localtime_r(&when, &tm) ||
	    !strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &tm)) {
		snprintf(buf, size, "%lld.%09u", (long long)sec, nsec);
		return buf;
	}
	strftime(zone, sizeof(zone), "%z", &tm);
	snprintf(buf, size, "%s.%09u %s", date, nsec, zone);
	return buf;
}
