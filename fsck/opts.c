// SPDX-License-Identifier: GPL-2.0-or-later
/* The command line. */
#include <stddef.h>

#include "fsck.h"

enum { OPT_JSON = 256, OPT_LIST, OPT_UNDO };

static const struct cli_option options[] = {
	{ 'n', "no", NULL, "open read-only, answer no to all questions" },
	{ 'y', "yes", NULL, "answer yes to all questions" },
	{ 'p', "preen", NULL, "repair what is safe without asking" },
	{ 'a', "auto", NULL, "the same as -p" },
	{ 'f', "force", NULL, "check although all journals are clean" },
	{ 'q', "quiet", NULL, "print findings and errors only" },
	{ 'v', "verbose", NULL, "say what is being done" },
	{ OPT_JSON, "json", NULL, "print findings and totals as JSON" },
	{ OPT_LIST, "list-checks", NULL, "print all checks and exit" },
	{ OPT_UNDO, "undo", "FILE", "save old contents of blocks in FILE" },
	{ 0, NULL, NULL, NULL },
};

static const struct cli_program program = {
	.name = "fsck.gfs2",
	.summary = "check and repair a GFS2 filesystem",
	.operands = "DEVICE",
	.options = options,
	.notes = "Exit codes are or-ed: 0 clean, 1 errors corrected, 4 errors "
		 "left,\n8 operational error, 16 usage, 32 cancelled.",
	.usage_exit = FSCK_EXIT_USAGE,
};

static int take(void *ctx, int key, const char *arg)
{
	struct fsck_opts *o = ctx;

	switch (key) {
	case 'n': o->no = true; break;
	case 'y': o->yes = true; break;
	case 'p': case 'a': o->preen = true; break;
	case 'f': o->force = true; break;
	case 'q': o->verbosity = -1; break;
	case 'v': o->verbosity++; break;
	case OPT_JSON: o->json = true; break;
	case OPT_LIST: o->list = true; break;
	case OPT_UNDO: o->undo = arg; break;
	default: break;
	}
	return 0;
}

static int usage(const char *text)
{
	cli_error("%s", text);
	cli_usage_hint(&program);
	return -1;
}

int fsck_options(struct fsck *f, int argc, char **argv)
{
	struct fsck_opts *o = &f->opts;
	int first = cli_parse(&program, argc, argv, take, o);

	if (first < 0)
		return first;
	if (o->list)
		return problem_list(o->json) ? -1 : 1;
	if (o->no + o->yes + o->preen > 1)
		return usage("only one of -n, -y and -p or -a can be given");
	if (argc - first < 1)
		return usage("no device given");
	if (argc - first > 1)
		return usage("more than one device given");
	o->device = argv[first];
	return 0;
}
