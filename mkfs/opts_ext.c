// SPDX-License-Identifier: GPL-2.0-or-later
/* Extended options: the comma-separated list behind -o. */
#include "opts.h"

#include "../libgfs/base/cli.h"
#include "../libgfs/format/ondisk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int set_align(struct mkfs_opts *o, const char *value)
{
	uint64_t n;

	if (cli_parse_u64(value, 0, 1, &n)) {
		cli_error("Option 'align' must be either 1 or 0");
		return -EINVAL;
	}
	o->align = n;
	return 0;
}

static int set_format(struct mkfs_opts *o, const char *value)
{
	static const struct mkfs_number number = {
		"format", GFS2_FORMAT_FS_MIN, GFS2_FORMAT_FS_MAX,
		"Invalid filesystem format"
	};

	return mkfs_opts_number(&number, value, &o->format);
}

static int set_inherit(struct mkfs_opts *o, const char *value)
{
	uint64_t n = 1;

	if (value && cli_parse_u64(value, 0, 1, &n)) {
		cli_error("Option 'root_inherit_jdata' must be either 1 or 0");
		return -EINVAL;
	}
	o->inherit_jdata = n;
	return 0;
}

static int set_sunit(struct mkfs_opts *o, const char *value)
{
	free(o->sunit);
	o->sunit = cli_strdup(value);
	return 0;
}

static int set_swidth(struct mkfs_opts *o, const char *value)
{
	free(o->swidth);
	o->swidth = cli_strdup(value);
	return 0;
}

/* ALIGNMENT_OFFSET:LOGICAL:MINIMUM:OPTIMAL:PHYSICAL, all in bytes. */
static int set_topology(struct mkfs_opts *o, const char *value)
{
	static const struct mkfs_number number = {
		"test_topology", 0, UINT32_MAX, "test_topology: too large"
	};
	uint64_t *field[] = { &o->topology.offset, &o->topology.logical,
			      &o->topology.minimum, &o->topology.optimal,
			      &o->topology.physical };
	char *copy = cli_strdup(value);
	char *rest = copy;
	size_t n = 0;
	int rc = 0;

	while (!rc && rest && n < GFS_ARRAY_SIZE(field))
		rc = mkfs_opts_number(&number, strsep(&rest, ":"), field[n++]);
	if (!rc && (rest || n != GFS_ARRAY_SIZE(field))) {
		cli_error("test_topology takes five numbers: '%s'", value);
		rc = -EINVAL;
	}
	free(copy);
	o->has_topology = true;
	return rc;
}

static const struct extended {
	const char *key;
	const char *arg; /* NULL: the value may be left out */
	const char *help; /* NULL: for tests only, not listed */
	int (*set)(struct mkfs_opts *o, const char *value);
} table[] = {
	{ "sunit", "BYTES", "stripe unit, overrides the device's", set_sunit },
	{ "swidth", "BYTES", "stripe width, overrides the device's",
	  set_swidth },
	{ "align", "0|1", "align resource groups to stripes (1)", set_align },
	{ "format", "N", "filesystem format, 1801 or 1802 (1802)", set_format },
	{ "root_inherit_jdata", NULL,
	  "[=0|1] new files below the root get data journaling", set_inherit },
	{ "test_topology", "A:L:MIN:OPT:P", NULL, set_topology },
};

static void list_options(FILE *out)
{
	fprintf(out, "Extended options:\n  %-24s%s\n", "help",
		"show this list");
	for (size_t i = 0; i < GFS_ARRAY_SIZE(table); i++) {
		char text[64];

		if (!table[i].help)
			continue;
		snprintf(text, sizeof(text), "%s%s%s", table[i].key,
			 table[i].arg ? "=" : "",
			 table[i].arg ? table[i].arg : "");
		fprintf(out, "  %-24s%s\n", text, table[i].help);
	}
}

static const struct extended *find(const char *key)
{
	for (size_t i = 0; i < GFS_ARRAY_SIZE(table); i++)
		if (!strcmp(table[i].key, key))
			return &table[i];
	return NULL;
}

/* item is "key" or "key=value". */
static int set_one(struct mkfs_opts *o, char *item)
{
	char *key = strsep(&item, "=");
	const struct extended *x = find(key);

	if (!strcmp(key, "help")) {
		list_options(stdout);
		exit(cli_close_stdout() ? MKFS_EXIT_FAILED : 0);
	}
	if (!x) {
		cli_error("Invalid extended option (specified with -o): '%s'",
			  key);
		list_options(stderr);
		return -EINVAL;
	}
	if (x->arg && (!item || !*item)) {
		cli_error("Missing argument to '%s'", key);
		return -EINVAL;
	}
	return x->set(o, item);
}

int mkfs_opts_extended(struct mkfs_opts *o, const char *list)
{
	char *copy = cli_strdup(list);
	char *rest = copy;
	int rc = 0;

	while (!rc && rest)
		rc = set_one(o, strsep(&rest, ","));
	free(copy);
	return rc;
}
