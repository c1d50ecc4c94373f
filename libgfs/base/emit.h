/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One face for text and JSON output: a command says what it has, once, and
 * the reader gets "name  value" lines and aligned tables, or JSON.
 */
#ifndef GFS_EMIT_H
#define GFS_EMIT_H

#include "base.h"

#include <stdio.h>

enum emit_format { EMIT_TEXT, EMIT_JSON, EMIT_CSV };

struct emit; /* opaque */

/* New emitter on out (not closed by it). NULL when out of memory. */
struct emit *emit_new(FILE *out, enum emit_format format);
/* Ends what is open, flushes. 0 or -errno of the output. Frees e. */
int emit_free(struct emit *e) GFS_MUST;
bool emit_is_json(const struct emit *e);
enum emit_format emit_format_of(const struct emit *e);

/*
 * Objects and lists nest. In JSON they are objects and arrays; in text the
 * name (if any) is a heading line and fields are indented "name: value"
 * lines. name is NULL inside a list and at top level. CSV has tables only:
 * fields outside a table are left out.
 */
void emit_object_begin(struct emit *e, const char *name);
void emit_object_end(struct emit *e);
void emit_list_begin(struct emit *e, const char *name);
void emit_list_end(struct emit *e);

/* Fields of the open object (name) or items of the open list (name NULL). */
void emit_u64(struct emit *e, const char *name, uint64_t value);
void emit_s64(struct emit *e, const char *name, int64_t value);
/* A number shown as 0x... in text, plain number in JSON. */
void emit_hex(struct emit *e, const char *name, uint64_t value);
void emit_real(struct emit *e, const char *name, double value, int digits);
void emit_bool(struct emit *e, const char *name, bool value);
/*
 * UTF-8 where it is; other bytes are escaped as \xNN, and in text control
 * characters too. NULL is null in JSON, "-" in text and nothing in CSV; so is
 * a real that is no number.
 */
void emit_str(struct emit *e, const char *name, const char *value);
void emit_bytes(struct emit *e, const char *name, const void *value,
		size_t len);
void emit_strf(struct emit *e, const char *name, const char *fmt, ...)
	GFS_PRINTF(3, 4);

/* A line for the text reader only; nothing in JSON and CSV. */
void emit_note(struct emit *e, const char *fmt, ...) GFS_PRINTF(2, 3);

/*
 * Tables: aligned columns in text (buffered), an array of objects in JSON and
 * rows in CSV (both streamed, so a table of any length needs no memory).
 */
struct emit_column {
	const char *name; /* JSON key; heading in capitals in text */
	bool right;       /* numbers: aligned right */
};

/*
 * stream: in text too, rows are written at once, tab-free and padded to the
 * widest cell so far, so that a table of any length needs no memory.
 */
void emit_table_begin(struct emit *e, const char *name,
		      const struct emit_column *columns, unsigned int n,
		      bool stream);
void emit_row_begin(struct emit *e);
/* One cell for each column, in order: emit_u64() and so on with name NULL. */
void emit_row_end(struct emit *e);
void emit_table_end(struct emit *e);

#endif
