// SPDX-License-Identifier: GPL-2.0-or-later
/* rgstat: command line, options, choice of the command. */
#include "columns.h"
#include "rgstat.h"

#include <errno.h>
#include <string.h>

enum { KEY_JSON = 256, KEY_CSV, KEY_VERSIONS, KEY_LOOPS, KEY_PRESENT,
       KEY_DIFFER, KEY_PROBES, KEY_LIMIT, KEY_UNTIL, KEY_SNAPSHOT,
       KEY_START };

static const struct cli_option options[] = {
	{ 'a', "all", NULL, "also rgrps never asked for, tests not asked" },
	{ 'o', "output", "COLUMNS", "columns, separated by commas; 'help'" },
	{ 'q', "quiet", NULL, "no progress" },
	{ KEY_VERSIONS, "versions", "LIST", "versions of the test to show" },
	{ KEY_LOOPS, "loops", "0|1|all", "pass over the rgrps (default all)" },
	{ KEY_PRESENT, "present-cpus", "N", "CPUs present, for avg-all" },
	{ KEY_DIFFER, "differ", NULL, "only where versions disagree" },
	{ KEY_SNAPSHOT, "snapshot", "TEXT", "show: snapshots so named" },
	{ KEY_PROBES, "probes", NULL, "use recorded verdicts as the truth" },
	{ KEY_START, "start", "FILE", "snapshot a trace begins with" },
	{ KEY_UNTIL, "until", "MARK", "stop at this mark in the trace" },
	{ KEY_LIMIT, "limit", "N", "check: mismatches shown (20; 0: all)" },
	{ KEY_JSON, "json", NULL, "print JSON" },
	{ KEY_CSV, "csv", NULL, "print tables as CSV" },
	{ 0, NULL, NULL, NULL },
};

static const struct cli_program prog = {
	.name = "rgstat",
	.summary = "Replays GFS2 resource group congestion from recordings.",
	.operands = "show|check|replay FILE...",
	.options = options,
	.notes = "Commands:\n"
		 "  show    verdicts on each rgrp of a snapshot (sbstats,"
		 " glstats; files,\n"
		 "          directories or tar archives of them) or at the"
		 " end of a trace\n"
		 "  check   recompute every statistic of a trace; snapshots"
		 " behind it are\n"
		 "          compared with it\n"
		 "  replay  verdicts at each decision in a trace\n"
		 "Versions: orig, avg-all, avg-nz-s64, avg-nz-u64, dev-ns"
		 " (no kernel's).\n"
		 "FILE '-' is standard input; files may be compressed.",
	.usage_exit = GFS_EXIT_USAGE,
};

static int take_versions(struct rg_opts *o, const char *list)
{
	memset(o->versions, 0, sizeof(o->versions));
	while (*list) {
		char name[32];
		size_t len = strcspn(list, ",");
		int version;

		snprintf(name, sizeof(name), "%.*s", (int)len, list);
		version = len < sizeof(name) ? rg_version_find(name) : -1;
		if (version < 0) {
			cli_error("no such version: '%.*s'", (int)len, list);
			return -EINVAL;
		}
		o->versions[version] = true;
		list += len;
		list += *list == ',';
	}
	return 0;
}

static int take_loops(struct rg_opts *o, const char *arg)
{
	if (strcmp(arg, "0") && strcmp(arg, "1") && strcmp(arg, "all")) {
		cli_error("--loops takes 0, 1 or all, not '%s'", arg);
		return -EINVAL;
	}
	o->loops[0] = strcmp(arg, "1");
	o->loops[1] = strcmp(arg, "0");
	return 0;
}

static int take_number(const char *name, const char *arg, uint64_t min,
		       uint64_t max, uint64_t *value)
{
	int rc = cli_parse_u64(arg, min, max, value);

	if (rc)
		cli_error("--%s takes a number from %llu to %llu, not '%s'",
			  name, (unsigned long long)min,
			  (unsigned long long)max, arg);
	return rc;
}

static int take_option(void *ctx, int key, const char *arg)
{
	struct rg_opts *o = ctx;
	uint64_t n = 0;
	int rc = 0;

	switch (key) {
	case 'a': o->all = true; break;
	case 'o': o->columns = arg; break;
	case 'q': o->quiet = true; break;
	case KEY_JSON: o->format = EMIT_JSON; break;
	case KEY_CSV: o->format = EMIT_CSV; break;
	case KEY_DIFFER: o->differ = true; break;
	case KEY_PROBES: o->probes = true; break;
	case KEY_START: o->start = arg; break;
	case KEY_UNTIL: o->until = arg; break;
	case KEY_SNAPSHOT: o->snapshot = arg; break;
	case KEY_VERSIONS: rc = take_versions(o, arg); break;
	case KEY_LOOPS: rc = take_loops(o, arg); break;
	case KEY_LIMIT:
		rc = take_number("limit", arg, 0, UINT64_MAX, &o->limit);
		break;
	case KEY_PRESENT:
		rc = take_number("present-cpus", arg, 1, 65536, &n);
		o->present = (uint32_t)n;
		break;
	}
	return rc;
}

struct command {
	const char *name;
	int (*run)(const struct rg_opts *opts, struct emit *e, char **paths,
		   int n);
};

static const struct command commands[] = {
	{ "show", rg_show },
	{ "check", rg_check },
	{ "replay", rg_replay },
};

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; name && i < GFS_ARRAY_SIZE(commands); i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	return NULL;
}

static int usage(const char *text, const char *word)
{
	cli_error("%s%s%s%s", text, word ? " '" : "", word ? word : "",
		  word ? "'" : "");
	cli_usage_hint(&prog);
	return GFS_EXIT_USAGE;
}

static int run(const struct rg_opts *opts, const struct command *c,
	       char **paths, int n)
{
	struct emit *e = emit_new(stdout, opts->format);
	int code = GFS_EXIT_OK;
	int rc;

	if (!e) {
		cli_error("out of memory");
		return GFS_EXIT_FAILED;
	}
	if (c)
		code = c->run(opts, e, paths, n);
	else
		rg_columns_help(e);
	rc = emit_free(e);
	if (rc)
		cli_error("standard output: %s", gfs_strerror(rc));
	return rc ? GFS_EXIT_FAILED : code;
}

int main(int argc, char **argv)
{
	struct rg_opts opts = { .loops = { true, true }, .limit = 20 };
	const struct command *c;
	int first;

	for (int i = 0; i < RG_NVERSIONS; i++)
		opts.versions[i] = true;
	first = cli_parse(&prog, argc, argv, take_option, &opts);
	if (first < 0)
		return GFS_EXIT_USAGE;
	if (opts.columns && !strcmp(opts.columns, "help"))
		return run(&opts, NULL, NULL, 0);
	c = find_command(argv[first]);
	if (!c)
		return usage(first < argc ? "no such command:" :
					    "a command is missing",
			     argv[first]);
	if (first + 1 == argc)
		return usage("a file is missing", NULL);
	return run(&opts, c, argv + first + 1, argc - first - 1);
}
