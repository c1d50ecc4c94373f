// SPDX-License-Identifier: GPL-2.0-or-later
/* Objects, lists and fields of one output, as text or JSON. */
#include "emit_priv.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct emit *emit_new(FILE *out, enum emit_format format)
{
	struct emit *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	e->out = out;
	e->format = format;
	return e;
}

bool emit_is_json(const struct emit *e)
{
	return e->format == EMIT_JSON;
}

enum emit_format emit_format_of(const struct emit *e)
{
	return e->format;
}

int emit_free(struct emit *e)
{
	int rc = 0;

	while (e->depth) {
		switch (emit_level(e)->kind) {
		case EMIT_OBJECT: emit_object_end(e); break;
		case EMIT_LIST: emit_list_end(e); break;
		case EMIT_TABLE: emit_table_end(e); break;
		case EMIT_ROW: e->cell = e->n_columns; emit_row_end(e); break;
		case EMIT_TOP: break;
		}
	}
	errno = 0;
	if (fflush(e->out) || ferror(e->out))
		rc = errno ? -errno : -EIO;
	free(e);
	return rc;
}

void emit_push(struct emit *e, enum emit_kind kind, bool indents)
{
	assert(e->depth + 1 < EMIT_DEPTH);
	e->depth++;
	*emit_level(e) = (struct emit_level){ kind, indents, 0 };
	if (indents)
		e->indent += 2;
}

uint64_t emit_pop(struct emit *e, enum emit_kind kind)
{
	struct emit_level *l = emit_level(e);

	assert(l->kind == kind);
	if (l->indents)
		e->indent -= 2;
	e->depth--;
	return l->items;
}

void emit_json_item(struct emit *e, const char *name)
{
	struct emit_level *l = emit_level(e);

	if (l->items++ && l->kind != EMIT_TOP)
		putc(',', e->out);
	if (l->kind != EMIT_TOP)
		fprintf(e->out, "\n%*s", 2 * (int)e->depth, "");
	if (l->kind == EMIT_OBJECT && name)
		fprintf(e->out, "\"%s\": ", name);
}

void emit_heading(struct emit *e, const char *name)
{
	struct emit_level *l = emit_level(e);

	l->items++;
	if (name)
		fprintf(e->out, "%*s%s:\n", (int)e->indent, "", name);
}

void emit_json_close(struct emit *e, char bracket, uint64_t items)
{
	if (items)
		fprintf(e->out, "\n%*s", 2 * (int)e->depth, "");
	putc(bracket, e->out);
	if (!e->depth)
		putc('\n', e->out);
}

static void begin(struct emit *e, const char *name, enum emit_kind kind)
{
	struct emit_level *l = emit_level(e);

	assert(l->kind != EMIT_TABLE && l->kind != EMIT_ROW);
	if (e->format == EMIT_JSON) {
		emit_json_item(e, name);
		putc(kind == EMIT_OBJECT ? '{' : '[', e->out);
	} else if (e->format == EMIT_TEXT) {
		if (kind == EMIT_OBJECT && l->kind == EMIT_LIST && l->items)
			putc('\n', e->out);
		emit_heading(e, name);
	}
	emit_push(e, kind, name != NULL);
}

void emit_object_begin(struct emit *e, const char *name)
{
	begin(e, name, EMIT_OBJECT);
}

void emit_list_begin(struct emit *e, const char *name)
{
	begin(e, name, EMIT_LIST);
}

void emit_object_end(struct emit *e)
{
	uint64_t items = emit_pop(e, EMIT_OBJECT);

	if (e->format == EMIT_JSON)
		emit_json_close(e, '}', items);
}

void emit_list_end(struct emit *e)
{
	uint64_t items = emit_pop(e, EMIT_LIST);

	if (e->format == EMIT_JSON)
		emit_json_close(e, ']', items);
}

static void put(struct emit *e, const char *name, const struct emit_value *v)
{
	if (emit_level(e)->kind == EMIT_ROW) {
		emit_cell(e, v);
		return;
	}
	if (e->format == EMIT_JSON) {
		emit_json_item(e, name);
		emit_json_value(e->out, v);
		if (!e->depth)
			putc('\n', e->out);
		return;
	}
	emit_level(e)->items++;
	if (e->format == EMIT_CSV)
		return;
	fprintf(e->out, "%*s%s%s", (int)e->indent, "", name ? name : "",
		name ? ": " : "");
	fwrite(v->text, 1, v->len, e->out);
	putc('\n', e->out);
}

static void putf(struct emit *e, const char *name, const char *fmt, ...)
	GFS_PRINTF(3, 4);

/* A number or word that JSON takes as it is. */
static void putf(struct emit *e, const char *name, const char *fmt, ...)
{
	char text[400]; /* a double's %f has up to 309 digits left of it */
	struct emit_value v = { text, 0, false };
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	v.len = strlen(text);
	put(e, name, &v);
}

void emit_u64(struct emit *e, const char *name, uint64_t value)
{
	putf(e, name, "%" PRIu64, value);
}

void emit_s64(struct emit *e, const char *name, int64_t value)
{
	putf(e, name, "%" PRId64, value);
}

void emit_hex(struct emit *e, const char *name, uint64_t value)
{
	if (e->format == EMIT_TEXT)
		putf(e, name, "0x%" PRIx64, value);
	else
		emit_u64(e, name, value);
}

void emit_real(struct emit *e, const char *name, double value, int digits)
{
	if (isfinite(value))
		putf(e, name, "%.*f", digits < 20 ? digits : 20, value);
	else
		emit_str(e, name, NULL);
}

void emit_bool(struct emit *e, const char *name, bool value)
{
	if (e->format == EMIT_TEXT)
		putf(e, name, "%s", value ? "yes" : "no");
	else
		putf(e, name, "%s", value ? "true" : "false");
}

static void put_null(struct emit *e, const char *name)
{
	static const char *const words[] = {
		[EMIT_TEXT] = "-", [EMIT_JSON] = "null", [EMIT_CSV] = ""
	};

	putf(e, name, "%s", words[e->format]);
}

void emit_bytes(struct emit *e, const char *name, const void *value,
		size_t len)
{
	struct emit_value v = { NULL, 0, true };
	char *text = emit_printable(value, len, e->format == EMIT_TEXT, &v.len);

	if (!text) {
		put_null(e, name);
		return;
	}
	v.text = text;
	put(e, name, &v);
	free(text);
}

void emit_str(struct emit *e, const char *name, const char *value)
{
	if (value)
		emit_bytes(e, name, value, strlen(value));
	else
		put_null(e, name);
}

void emit_strf(struct emit *e, const char *name, const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0) {
		put_null(e, name);
		return;
	}
	emit_bytes(e, name, text, (size_t)n);
	free(text);
}

void emit_note(struct emit *e, const char *fmt, ...)
{
	va_list ap;

	if (e->format != EMIT_TEXT)
		return;
	fprintf(e->out, "%*s", (int)e->indent, "");
	va_start(ap, fmt);
	vfprintf(e->out, fmt, ap);
	va_end(ap);
	putc('\n', e->out);
}
