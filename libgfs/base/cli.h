/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every program needs on its command line: messages, exit codes, option
 * tables, sizes and progress. The one part of libgfs that prints; the layers
 * above base never call it.
 */
#ifndef GFS_CLI_H
#define GFS_CLI_H

#include "base.h"
#include "error.h"

#include <signal.h>

/* Exit codes: fsck(8)'s bits for fsck.gfs2, 0, 1 and 2 for the others. */
enum gfs_exit {
	GFS_EXIT_OK = 0,
	GFS_EXIT_FAILED = 1, /* all programs but fsck and mkfs */
	GFS_EXIT_USAGE = 2,  /* likewise */

	FSCK_EXIT_FIXED = 1,
	FSCK_EXIT_REBOOT = 2,
	FSCK_EXIT_LEFT = 4,
	FSCK_EXIT_FAILED = 8,
	FSCK_EXIT_USAGE = 16,
	FSCK_EXIT_CANCELLED = 32,

	MKFS_EXIT_FAILED = 1,
	MKFS_EXIT_REFUSED = 255,
};

/* One option of a program; a table of them ends with all zeros. */
struct cli_option {
	int key;           /* short letter, or a value above 255 if none */
	const char *name;  /* long name without dashes, or NULL */
	const char *arg;   /* name of the argument in --help, or NULL */
	const char *help;  /* what it does, one line */
};

struct cli_program {
	const char *name;       /* as installed: "fsck.gfs2" */
	const char *summary;    /* one line */
	const char *operands;   /* "DEVICE [SIZE]" */
	const struct cli_option *options;
	const char *notes;      /* printed after the options, or NULL */
	int usage_exit;         /* exit code of a wrong command line */
	const char *usage_hint; /* last line of a usage error, or NULL */
};

/*
 * Parse argv by the program's table with getopt_long; options may come after
 * operands. fn gets each option and its argument (NULL if none) and returns 0,
 * or non-zero to stop after a message of its own. -h/--help and -V/--version
 * are handled here (unless the table has the letter), print and exit 0.
 * Returns the index of the first operand in argv (operands are moved to the
 * end), or a negative value after a message on stderr: the caller then exits
 * with its usage_exit.
 */
int cli_parse(const struct cli_program *prog, int argc, char **argv,
	      int (*fn)(void *ctx, int key, const char *arg), void *ctx)
	GFS_MUST;

/* The last line of a usage error on stderr, for errors the caller found. */
void cli_usage_hint(const struct cli_program *prog);

/* The exit code of a failure: FSCK_EXIT_FAILED in fsck, else 1. */
int cli_failed_exit(void);

/* Name used in front of messages; set by cli_parse() or cli_set_program(). */
const char *cli_program(void);
void cli_set_program(const char *name);

/* "program: text\n" on stderr. */
void cli_error(const char *fmt, ...) GFS_PRINTF(1, 2);
void cli_warn(const char *fmt, ...) GFS_PRINTF(1, 2);

/* "program: device: [block N: ]what: why\n" on stderr for a libgfs error. */
void cli_report(const char *device, const struct gfs_error *err, int code);

/* Flush stdout; 0, or -errno after a message when output was lost. */
int cli_close_stdout(void) GFS_MUST;

/*
 * Strict decimal number between min and max, nothing after it. 0, or -EINVAL
 * (not a number), -ERANGE.
 */
int cli_parse_u64(const char *text, uint64_t min, uint64_t max,
		  uint64_t *value) GFS_MUST;

/*
 * A size with an optional suffix b (blocks of bsize bytes), s (512 bytes),
 * k m g t p e (powers of 1024, either case, "KiB"/"KB"/"K" alike); strict.
 * Without suffix the unit is `unit` bytes. 0, -EINVAL, -ERANGE. *bytes is set.
 */
int cli_parse_size(const char *text, uint64_t unit, uint32_t bsize,
		   uint64_t *bytes) GFS_MUST;

/* "1.5 GiB", "512 B" in buf of size bytes; returns buf. */
const char *cli_size_text(uint64_t bytes, char *buf, size_t size);

/*
 * Progress on standard error: one line redrawn ten times a second, nothing
 * when that is not a terminal. total 0: unknown, the count itself is shown.
 */
struct cli_progress {
	const char *label;
	uint64_t total;
	uint64_t done;
	uint64_t shown_ns; /* private */
	bool on;
};

void cli_progress_begin(struct cli_progress *p, const char *label,
			uint64_t total, bool quiet);
void cli_progress_step(struct cli_progress *p, uint64_t done);
void cli_progress_end(struct cli_progress *p);
/* Take the line away before other output; the next step draws it again. */
void cli_progress_hide(void);

/*
 * Make SIGINT, SIGTERM and SIGHUP set *flag once; a second one kills. For
 * programs that must stop between writes. System calls that wait for a
 * terminal or a pipe return EINTR.
 */
void cli_catch_signals(volatile sig_atomic_t *flag);

/* Version of the toolkit, from the Makefile. */
const char *cli_version(void);

/*
 * Memory for programs, freed by free(): exit with a message when there is
 * none. cli_alloc() zeroes it.
 */
void *cli_alloc(size_t size);
void *cli_realloc(void *old, size_t size);
char *cli_strdup(const char *text);

#endif
