// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables: buffered and aligned in text, rows at once in JSON and CSV. */
#include "emit_priv.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_SMARTCOLS
#include <libsmartcols/libsmartcols.h>
#endif

static void upper(const char *name, char *buf, size_t size)
{
	size_t i;

	for (i = 0; name[i] && i + 1 < size; i++)
		buf[i] = (char)toupper((unsigned char)name[i]);
	buf[i] = 0;
}

/* RFC 4180: quoted when it has to be, quotes doubled. */
static void csv_cell(FILE *out, const char *text, size_t len)
{
	if (!memchr(text, '"', len) && !memchr(text, ',', len) &&
	    !memchr(text, '\n', len) && !memchr(text, '\r', len)) {
		fwrite(text, 1, len, out);
		return;
	}
	putc('"', out);
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '"')
			putc('"', out);
		putc(text[i], out);
	}
	putc('"', out);
}

/* Padding of a streamed cell: columns grow with what was in them so far. */
static int stream_pad(struct emit *e, size_t len)
{
	uint8_t *width;

	if (e->cell >= EMIT_WIDTHS)
		return 0;
	width = &e->width[e->cell];
	if (len > *width)
		*width = (uint8_t)gfs_min(len, EMIT_WIDTH_MAX);
	return len < *width ? (int)(*width - len) : 0;
}

static void stream_cell(struct emit *e, const char *text, size_t len)
{
	const struct emit_column *col = &e->columns[e->cell];
	int pad = stream_pad(e, len);
	bool last = e->cell + 1 == e->n_columns;

	fprintf(e->out, "%*s", e->cell ? 2 : (int)e->indent, "");
	if (col->right)
		fprintf(e->out, "%*s", pad, "");
	fwrite(text, 1, len, e->out);
	if (!col->right && !last)
		fprintf(e->out, "%*s", pad, "");
}

static void stream_heading(struct emit *e)
{
	char name[64];

	memset(e->width, 0, sizeof(e->width));
	for (e->cell = 0; e->cell < e->n_columns; e->cell++) {
		upper(e->columns[e->cell].name, name, sizeof(name));
		stream_cell(e, name, strlen(name));
	}
	putc('\n', e->out);
}

static void csv_heading(struct emit *e)
{
	if (e->tables++)
		putc('\n', e->out);
	for (unsigned int i = 0; i < e->n_columns; i++) {
		if (i)
			putc(',', e->out);
		csv_cell(e->out, e->columns[i].name,
			 strlen(e->columns[i].name));
	}
	putc('\n', e->out);
}

#ifdef HAVE_SMARTCOLS
/* NULL makes the caller stream instead. */
static struct libscols_table *scols_begin(const struct emit *e)
{
	struct libscols_table *t = scols_new_table();
	char name[64];

	if (!t)
		return NULL;
	for (unsigned int i = 0; i < e->n_columns; i++) {
		upper(e->columns[i].name, name, sizeof(name));
		if (!scols_table_new_column(t, name, 0,
					    e->columns[i].right ?
						    SCOLS_FL_RIGHT : 0)) {
			scols_unref_table(t);
			return NULL;
		}
	}
	/* Rows as long as they are, on a terminal too. */
	scols_table_set_termforce(t, SCOLS_TERMFORCE_NEVER);
	return t;
}

static bool scols_cell(struct emit *e, const char *text)
{
	if (!e->scols)
		return false;
	if (!e->scols_line)
		e->scols_line = scols_table_new_line(e->scols, NULL);
	if (e->scols_line)
		scols_line_set_data(e->scols_line, e->cell, text);
	return true;
}

/* libsmartcols knows no indentation: print to memory, then line by line. */
static void scols_end(struct emit *e)
{
	char *text = NULL;

	if (!scols_print_table_to_string(e->scols, &text) && text)
		for (char *line = strtok(text, "\n"); line;
		     line = strtok(NULL, "\n"))
			fprintf(e->out, "%*s%s\n", (int)e->indent, "", line);
	free(text);
	scols_unref_table(e->scols);
	e->scols = NULL;
}
#else
static void *scols_begin(const struct emit *e)
{
	(void)e;
	return NULL;
}

static bool scols_cell(struct emit *e, const char *text)
{
	(void)e;
	(void)text;
	return false;
}

static void scols_end(struct emit *e)
{
	(void)e;
}
#endif

void emit_table_begin(struct emit *e, const char *name,
		      const struct emit_column *columns, unsigned int n,
		      bool stream)
{
	e->columns = columns;
	e->n_columns = n;
	e->stream = stream;
	if (e->format == EMIT_JSON) {
		emit_json_item(e, name);
		putc('[', e->out);
	} else if (e->format == EMIT_CSV) {
		csv_heading(e);
	} else {
		emit_heading(e, name);
	}
	emit_push(e, EMIT_TABLE, name != NULL);
	if (e->format != EMIT_TEXT)
		return;
	e->scols = stream ? NULL : scols_begin(e);
	if (!e->scols)
		stream_heading(e);
}

void emit_row_begin(struct emit *e)
{
	assert(emit_level(e)->kind == EMIT_TABLE);
	if (e->format == EMIT_JSON) {
		emit_json_item(e, NULL);
		putc('{', e->out);
	} else {
		emit_level(e)->items++;
	}
	e->cell = 0;
	e->scols_line = NULL;
	emit_push(e, EMIT_ROW, false);
}

void emit_cell(struct emit *e, const struct emit_value *v)
{
	const struct emit_column *col = &e->columns[e->cell];

	assert(e->cell < e->n_columns);
	if (e->format == EMIT_JSON) {
		fprintf(e->out, "%s\"%s\": ", e->cell ? ", " : "", col->name);
		emit_json_value(e->out, v);
	} else if (e->format == EMIT_CSV) {
		if (e->cell)
			putc(',', e->out);
		csv_cell(e->out, v->text, v->len);
	} else if (!scols_cell(e, v->text)) {
		stream_cell(e, v->text, v->len);
	}
	e->cell++;
}

void emit_row_end(struct emit *e)
{
	assert(e->cell == e->n_columns);
	emit_pop(e, EMIT_ROW);
	if (e->format == EMIT_JSON)
		putc('}', e->out);
	else if (!e->scols)
		putc('\n', e->out);
}

void emit_table_end(struct emit *e)
{
	uint64_t rows;

	if (e->scols)
		scols_end(e);
	rows = emit_pop(e, EMIT_TABLE);
	if (e->format != EMIT_JSON)
		return;
	emit_json_close(e, ']', rows);
}
