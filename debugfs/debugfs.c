// SPDX-License-Identifier: GPL-2.0-or-later
/* debugfs.gfs2: look at and edit a GFS2 volume without mounting it. */
#include "commands.h"
#include "prompt.h"
#include "volume.h"

#include <stdlib.h>

enum { OPT_JSON = 256, OPT_BSIZE, OPT_UNDO };

/* clang-format off */
static const struct cli_option options[] = {
	{ 'R', "request", "CMD", "run one command (may be repeated)" },
	{ 'f', "file", "SCRIPT", "run the commands of a file, one a line" },
	{ 'w', "write", NULL, "open for writing" },
	{ 'c', "catastrophic", NULL, "read the superblock only" },
	{ OPT_BSIZE, "bsize", "BYTES",
	  "block size; do not read the superblock" },
	{ OPT_UNDO, "undo", "FILE", "save old contents of what is written" },
	{ OPT_JSON, "json", NULL, "JSON instead of text" },
	{ 0, NULL, NULL, NULL }
};

static const struct cli_program program = {
	.name = "debugfs.gfs2",
	.summary = "Look at and edit a GFS2 volume without mounting it.",
	.operands = "DEVICE",
	.options = options,
	.notes = "Without -R and -f commands are read from standard input.",
	.usage_exit = GFS_EXIT_USAGE,
};
/* clang-format on */

/* A -R or -f option, in the order of the command line. */
struct request {
	int key;
	const char *arg;
};

struct run {
	struct dbg d;
	struct dbg_open open;
	struct request *requests;
	size_t n;
};

static int add_request(struct run *r, int key, const char *arg)
{
	r->requests = cli_realloc(r->requests,
				  (r->n + 1) * sizeof(*r->requests));
	r->requests[r->n++] = (struct request){ key, arg };
	return 0;
}

static int take_option(void *ctx, int key, const char *arg)
{
	struct run *r = ctx;

	switch (key) {
	case 'R':
	case 'f': return add_request(r, key, arg);
	case 'w': r->open.write = true; return 0;
	case 'c': r->open.bare = true; return 0;
	case OPT_JSON: r->d.json = true; return 0;
	case OPT_UNDO: r->d.undo_path = arg; return 0;
	case OPT_BSIZE:
		if (cli_parse_size(arg, 1, 1, &r->open.bsize) ||
		    !r->open.bsize) {
			cli_error("\"%s\" is no block size", arg);
			return -1;
		}
		return 0;
	default: return -1;
	}
}

static int run_requests(struct run *r)
{
	int failed = 0;

	if (!r->n)
		return dbg_prompt(&r->d);
	for (size_t i = 0; i < r->n && !r->d.quit; i++) {
		const struct request *q = &r->requests[i];

		if (q->key == 'f')
			failed += dbg_script(&r->d, q->arg);
		else
			failed += dbg_run_line(&r->d, q->arg) != 0;
	}
	return failed;
}

int main(int argc, char **argv)
{
	struct run r = { .d.err.blk = GFS_NO_BLOCK };
	int failed = 1;
	int at;

	at = cli_parse(&program, argc, argv, take_option, &r);
	if (at < 0)
		return GFS_EXIT_USAGE;
	if (argc - at != 1) {
		cli_error(argc == at ? "no device given" :
				       "one device is wanted");
		cli_usage_hint(&program);
		return GFS_EXIT_USAGE;
	}
	setvbuf(stdout, NULL, _IOFBF, 256 * 1024);
	r.d.device = argv[at];
	if (!dbg_volume_open(&r.d, &r.open))
		failed = run_requests(&r);
	if (cli_close_stdout())
		failed++;
	if (dbg_volume_close(&r.d))
		failed++;
	free(r.requests);
	return failed ? GFS_EXIT_FAILED : GFS_EXIT_OK;
}
