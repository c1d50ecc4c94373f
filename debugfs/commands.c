// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of commands, and what is done for all of them alike. */
#include "commands.h"
#include "words.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static int cmd_help(struct dbg *d, struct dbg_args *a);

static int cmd_quit(struct dbg *d, struct dbg_args *a)
{
	(void)a;
	d->quit = true;
	return 0;
}

/* clang-format off */
const struct dbg_command dbg_commands[] = {
	{ "stats", 0, 0, 0, dbg_cmd_stats, { NULL }, "",
	  "superblock, geometry, system files, groups, journals, statfs" },
	{ "stat", 1, 1, 0, dbg_cmd_stat, { NULL }, "ADDRESS",
	  "show an inode and its extended attributes" },
	{ "ls", 1, 1, 0, dbg_cmd_ls, { "-l" }, "[-l] ADDRESS",
	  "list a directory; -l with mode, owner, size and time" },
	{ "cat", 1, 1, DBG_RAW, dbg_cmd_cat, { NULL }, "ADDRESS",
	  "write a file's content to standard output" },
	{ "dump", 2, 2, 0, dbg_cmd_dump, { NULL }, "ADDRESS FILE",
	  "copy a file out of the volume; holes stay holes" },
	{ "map", 1, 1, 0, dbg_cmd_map, { NULL }, "ADDRESS",
	  "where a file's blocks are on the device" },
	{ "print", 1, 2, 0, dbg_cmd_print, { NULL }, "ADDRESS [STRUCT]",
	  "show a block by its type, or as STRUCT" },
	{ "get", 2, 2, 0, dbg_cmd_get, { NULL }, "ADDRESS FIELD",
	  "show one field" },
	{ "hex", 1, 1, 0, dbg_cmd_hex, { NULL }, "ADDRESS",
	  "show the bytes of a block" },
	{ "fields", 0, 1, 0, dbg_cmd_fields, { NULL }, "[STRUCT]",
	  "list the structs, or the fields of one" },
	{ "blocktype", 1, -1, 0, dbg_cmd_blocktype, { NULL }, "ADDRESS...",
	  "type, allocation state and resource group of blocks" },
	{ "rgrps", 0, 0, DBG_RGRPS, dbg_cmd_rgrps, { NULL }, "",
	  "table of the resource groups" },
	{ "journals", 0, 0, DBG_JOURNALS, dbg_cmd_journals, { NULL }, "",
	  "table of the journals" },
	{ "logdump", 1, 1, 0, dbg_cmd_logdump, { "-a" },
	  "[-a] JOURNAL", "list what recovery would read; -a everything" },
	{ "locknames", 0, 0, 0, dbg_cmd_locknames,
	  { "--types=", "--format=", "--unlinked" },
	  "[--types TYPE,...] [--format text|hex|csv|json] [--unlinked]",
	  "list every DLM lock name the volume can use" },
	{ "encode", 1, 2, 0, dbg_cmd_encode, { NULL }, "ADDRESS [TYPE]",
	  "lock names of an inode, resource group or journal" },
	{ "decode", 1, -1, 0, dbg_cmd_decode, { NULL }, "NAME...",
	  "type, number, block and path of lock names" },
	{ "icheck", 1, -1, DBG_RGRPS, dbg_cmd_icheck, { NULL },
	  "ADDRESS...", "which inode owns blocks (reads all metadata)" },
	{ "ncheck", 1, -1, 0, dbg_cmd_ncheck, { NULL }, "ADDRESS...",
	  "all paths of inodes (reads all directories)" },
	{ "set", 3, 3, DBG_WRITE, dbg_cmd_set, { "--seal" },
	  "[--seal] ADDRESS FIELD VALUE",
	  "change one field; --seal also sets checksums" },
	{ "zero", 1, 1, DBG_WRITE, dbg_cmd_zero, { NULL }, "ADDRESS",
	  "fill a block with zeros" },
	{ "copy", 2, 2, DBG_WRITE, dbg_cmd_copy, { NULL }, "FROM TO",
	  "copy the block at FROM over the block at TO" },
	{ "fuzz", 3, 4, DBG_WRITE, dbg_cmd_fuzz, { "--seal" },
	  "[--seal] ADDRESS FIELD VERB [N]",
	  "damage a field: zeroes ones firstbit middlebit lastbit add sub "
	  "random" },
	{ "setbit", 2, 2, DBG_WRITE | DBG_RGRPS, dbg_cmd_setbit,
	  { "--seal" }, "[--seal] ADDRESS STATE",
	  "set a block's state in the bitmap: free used unlinked dinode" },
	{ "seal", 1, 1, DBG_WRITE, dbg_cmd_seal, { NULL }, "ADDRESS",
	  "set the checksums of a block" },
	{ "help", 0, 1, 0, cmd_help, { NULL }, "[COMMAND]",
	  "this list, or how one command is used" },
	{ "quit", 0, 0, 0, cmd_quit, { NULL }, "", "end" },
	{ .name = NULL }
};
/* clang-format on */

static const struct dbg_command *find_command(const char *name)
{
	for (const struct dbg_command *c = dbg_commands; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

static int unknown_command(const char *name)
{
	cli_error("unknown command \"%s\"; \"help\" lists them", name);
	return DBG_TOLD;
}

static int usage(const struct dbg_command *c)
{
	cli_error("usage: %s%s%s", c->name, *c->args ? " " : "", c->args);
	return DBG_TOLD;
}

static int cmd_help(struct dbg *d, struct dbg_args *a)
{
	static const struct emit_column columns[] = {
		{ "command", false }, { "args", false }, { "help", false }
	};
	const struct dbg_command *only = NULL;

	if (a->n) {
		only = find_command(a->v[0]);
		if (!only)
			return unknown_command(a->v[0]);
	}
	emit_table_begin(d->out, NULL, columns, GFS_ARRAY_SIZE(columns),
			 false);
	for (const struct dbg_command *c = dbg_commands; c->name; c++) {
		if (only && c != only)
			continue;
		emit_row_begin(d->out);
		emit_str(d->out, NULL, c->name);
		emit_str(d->out, NULL, c->args);
		emit_str(d->out, NULL, c->help);
		emit_row_end(d->out);
	}
	emit_table_end(d->out);
	return 0;
}

int dbg_need(struct dbg *d, unsigned int bits)
{
	unsigned int missing = bits & ~d->have;

	if (missing & DBG_WRITE)
		return dbg_fail(d, GFS_EREADONLY,
				"opened read-only (use -w)");
	if (missing & DBG_SYSTEM)
		return dbg_fail(d, GFS_ECORRUPT,
				"the system files could not be read");
	if (missing & DBG_JOURNALS)
		return dbg_fail(d, GFS_ECORRUPT,
				"the journals could not be read");
	if (missing & DBG_RGRPS)
		return dbg_fail(d, GFS_ECORRUPT,
				"the resource groups could not be read");
	return 0;
}

int dbg_complain(struct dbg *d, int rc)
{
	if (!rc)
		return 0;
	fflush(stdout);
	if (rc < 0)
		cli_report(d->device, &d->err, rc);
	return DBG_TOLD;
}

int dbg_fail(struct dbg *d, int code, const char *fmt, ...)
{
	char text[sizeof(d->err.text)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return gfs_fail(&d->err, code, GFS_NO_BLOCK, "%s", text);
}

/* Place of an option word in the table, -1 if there is none of that name. */
static int find_option(const struct dbg_command *c, const char *word,
		       const char **value)
{
	for (int i = 0; i < DBG_MAX_OPTIONS && c->options[i]; i++) {
		const char *o = c->options[i];
		size_t len = strcspn(o, "=");

		if (strncmp(o, word, len))
			continue;
		*value = word[len] ? word + len + 1 : NULL;
		if (!word[len] || (word[len] == '=' && o[len]))
			return i;
	}
	return -1;
}

/* A dash and a letter or dash; negative numbers are arguments. */
static bool is_option(const char *word)
{
	return word[0] == '-' && word[1] && !isdigit((unsigned char)word[1]);
}

/* Sort words[1..n) into options and arguments. */
static int parse_args(const struct dbg_command *c, char **words, int n,
		      struct dbg_args *a)
{
	bool options = true;

	a->v = words + 1;
	for (int i = 1; i < n; i++) {
		const char *value;
		int at;

		if (!options || !is_option(words[i])) {
			a->v[a->n++] = words[i];
			continue;
		}
		if (!strcmp(words[i], "--")) {
			options = false;
			continue;
		}
		at = find_option(c, words[i], &value);
		if (at < 0)
			return usage(c);
		if (!strchr(c->options[at], '='))
			value = "";
		else if (!value && ++i < n)
			value = words[i];
		if (!value)
			return usage(c);
		a->opt[at] = value;
	}
	return 0;
}

static int run_command(struct dbg *d, const struct dbg_command *c,
		       struct dbg_args *a)
{
	bool json = d->json && !(c->need & DBG_RAW);
	int rc, end;

	rc = dbg_need(d, c->need & ~(unsigned int)DBG_RAW);
	if (rc)
		return rc;
	d->out = emit_new(stdout, json ? EMIT_JSON : EMIT_TEXT);
	if (!d->out)
		return dbg_fail(d, ENOMEM, "output of %s", c->name);
	rc = c->run(d, a);
	end = emit_free(d->out);
	d->out = NULL;
	if (end && !rc)
		rc = dbg_fail(d, end, "standard output");
	return rc;
}

/* With --json a failure is an object of its own behind what came before. */
static void json_error(struct dbg *d, const char *command, int rc)
{
	struct emit *e = emit_new(stdout, EMIT_JSON);
	char text[600];

	if (!e)
		return;
	emit_object_begin(e, NULL);
	emit_str(e, "command", command);
	emit_str(e, "error", rc < 0 ? gfs_errname(rc) : "EFAILED");
	if (rc < 0)
		emit_str(e, "message",
			 gfs_error_message(&d->err, rc, text, sizeof(text)));
	if (rc < 0 && d->err.code == rc && d->err.blk != GFS_NO_BLOCK)
		emit_u64(e, "block", d->err.blk);
	emit_object_end(e);
	if (emit_free(e))
		cli_error("standard output: %s", gfs_strerror(-EIO));
}

static int run_words(struct dbg *d, char **words, int n)
{
	const struct dbg_command *c = find_command(words[0]);
	struct dbg_args args = { .n = 0 };
	int rc;

	rc = c ? parse_args(c, words, n, &args) : unknown_command(words[0]);
	if (!rc && (args.n < c->min || (c->max >= 0 && args.n > c->max)))
		rc = usage(c);
	d->err = (struct gfs_error){ .blk = GFS_NO_BLOCK };
	if (!rc)
		rc = run_command(d, c, &args);
	if (rc && d->json && !(c && c->need & DBG_RAW))
		json_error(d, words[0], rc);
	return dbg_complain(d, rc);
}

int dbg_run_line(struct dbg *d, const char *line)
{
	char *copy = cli_strdup(line);
	int max = (int)(strlen(line) / 2) + 1;
	char **words = cli_alloc((size_t)max * sizeof(*words));
	int rc = dbg_words(copy, words, max);

	if (rc < 0) {
		cli_error("quote or \\x without end: %s", line);
		rc = DBG_TOLD;
	} else if (rc) {
		rc = run_words(d, words, dbg_join_addresses(words, rc));
	}
	free(words);
	free(copy);
	return rc;
}
