/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What emit.c, emit_table.c and emit_value.c share; nobody else includes it. */
#ifndef GFS_EMIT_PRIV_H
#define GFS_EMIT_PRIV_H

#include "emit.h"

#define EMIT_DEPTH 64
/* Streamed columns padded, and the widest padding. */
#define EMIT_WIDTHS 64
#define EMIT_WIDTH_MAX 40

/* What is open: the output itself, an object, a list, a table, its row. */
enum emit_kind { EMIT_TOP, EMIT_OBJECT, EMIT_LIST, EMIT_TABLE, EMIT_ROW };

struct emit_level {
	enum emit_kind kind;
	bool indents; /* text: what is inside stands further right */
	uint64_t items;
};

struct emit {
	FILE *out;
	enum emit_format format;
	struct emit_level levels[EMIT_DEPTH];
	unsigned int depth;
	unsigned int indent; /* text: spaces */
	unsigned int tables; /* CSV: how many were begun */

	const struct emit_column *columns;
	unsigned int n_columns;
	unsigned int cell; /* of the open row */
	bool stream;
	uint8_t width[EMIT_WIDTHS]; /* streamed text: widest cell so far */
	void *scols; /* struct libscols_table of a buffered text table */
	void *scols_line;
};

/* One printable value. */
struct emit_value {
	const char *text;
	size_t len;
	bool string; /* JSON: to be quoted */
};

static inline struct emit_level *emit_level(struct emit *e)
{
	return &e->levels[e->depth];
}

/* JSON: comma, newline, indentation and name of the next item. */
void emit_json_item(struct emit *e, const char *name);
/* JSON: close a bracket; a whole document ends its line. */
void emit_json_close(struct emit *e, char bracket, uint64_t items);
/* Enter and leave a level; leaving asserts its kind. */
void emit_push(struct emit *e, enum emit_kind kind, bool indents);
uint64_t emit_pop(struct emit *e, enum emit_kind kind);
/* A name as a heading line in text; the blank line between list items. */
void emit_heading(struct emit *e, const char *name);

/* A value as JSON. */
void emit_json_value(FILE *out, const struct emit_value *v);
/*
 * len bytes made printable in a new string: valid UTF-8 stays, other bytes
 * become \xNN; when text is set control characters too. NULL: out of memory.
 */
char *emit_printable(const void *bytes, size_t len, bool text, size_t *out_len);

/* One cell of the open row. */
void emit_cell(struct emit *e, const struct emit_value *v);

#endif
