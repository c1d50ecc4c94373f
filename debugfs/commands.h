/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of a debugfs.gfs2 run, and the commands: one table says what each
 * takes and needs; dispatch, usage, help and completion read it.
 */
#ifndef DBG_COMMANDS_H
#define DBG_COMMANDS_H

#include "../libgfs/base/cli.h"
#include "../libgfs/base/emit.h"
#include "../libgfs/fs/fs.h"

/* What a command needs of the volume, and how it works. */
enum dbg_need {
	DBG_SYSTEM = 1,   /* the system files' inodes are known */
	DBG_JOURNALS = 2, /* the journals are counted */
	DBG_RGRPS = 4,    /* the resource groups are loaded */
	DBG_WRITE = 8,    /* the volume is open for writing */
	DBG_RAW = 16,     /* writes to stdout itself: no JSON error object */
};

/* A command has failed and has said why; other failures are negative. */
#define DBG_TOLD 1

struct gfs_undo;

struct dbg {
	const char *device;
	struct gfs_dev *dev;
	struct gfs_fs *fs;
	struct gfs_error err;
	const char *undo_path; /* --undo, NULL: none */
	struct gfs_undo *undo; /* opened by the first write */
	unsigned int have;     /* bits of enum dbg_need that are there */
	bool json;
	bool quit;
	struct emit *out;      /* of the running command */
};

#define DBG_MAX_OPTIONS 4

/* The arguments of a command after its options are taken out. */
struct dbg_args {
	int n;
	char **v;
	/* By place in the command's options; "" for one without value. */
	const char *opt[DBG_MAX_OPTIONS];
};

struct dbg_command {
	const char *name;
	int min, max;      /* number of arguments; max -1: any */
	unsigned int need; /* enum dbg_need */
	int (*run)(struct dbg *d, struct dbg_args *args);
	/* "-l", "--seal"; "--types=" takes a value; in order of opt[]. */
	const char *options[DBG_MAX_OPTIONS];
	const char *args;  /* for usage: "PATH|BLOCK" */
	const char *help;  /* one line */
};

/* All commands in order of help; ends with a NULL name. */
extern const struct dbg_command dbg_commands[];

/*
 * Run one line of words; an empty line or a comment is fine. 0, or non-zero
 * after a message on stderr (and an error object with --json).
 */
int dbg_run_line(struct dbg *d, const char *line) GFS_MUST;

/*
 * 0, or a recorded failure that names the first part of `bits` the volume
 * does not offer (damaged, or opened read-only).
 */
int dbg_need(struct dbg *d, unsigned int bits) GFS_MUST;

/* Report a failure and go on; returns DBG_TOLD, or 0 for rc 0. */
int dbg_complain(struct dbg *d, int rc) GFS_MUST;

/* Record a failure without block and return -|code|. */
int dbg_fail(struct dbg *d, int code, const char *fmt, ...) GFS_PRINTF(3, 4);

/* The commands, by file. cmd_show.c: */
int dbg_cmd_stats(struct dbg *d, struct dbg_args *a);
int dbg_cmd_stat(struct dbg *d, struct dbg_args *a);
/* cmd_file.c: */
int dbg_cmd_ls(struct dbg *d, struct dbg_args *a);
int dbg_cmd_cat(struct dbg *d, struct dbg_args *a);
int dbg_cmd_dump(struct dbg *d, struct dbg_args *a);
int dbg_cmd_map(struct dbg *d, struct dbg_args *a);
/* cmd_block.c: */
int dbg_cmd_print(struct dbg *d, struct dbg_args *a);
int dbg_cmd_get(struct dbg *d, struct dbg_args *a);
int dbg_cmd_hex(struct dbg *d, struct dbg_args *a);
int dbg_cmd_fields(struct dbg *d, struct dbg_args *a);
/* cmd_rgrp.c: */
int dbg_cmd_rgrps(struct dbg *d, struct dbg_args *a);
int dbg_cmd_blocktype(struct dbg *d, struct dbg_args *a);
/* cmd_journal.c: */
int dbg_cmd_journals(struct dbg *d, struct dbg_args *a);
int dbg_cmd_logdump(struct dbg *d, struct dbg_args *a);
/* cmd_lock.c: */
int dbg_cmd_locknames(struct dbg *d, struct dbg_args *a);
/* cmd_name.c: */
int dbg_cmd_encode(struct dbg *d, struct dbg_args *a);
int dbg_cmd_decode(struct dbg *d, struct dbg_args *a);
int dbg_cmd_ncheck(struct dbg *d, struct dbg_args *a);
/* cmd_owner.c: */
int dbg_cmd_icheck(struct dbg *d, struct dbg_args *a);
/* cmd_edit.c: */
int dbg_cmd_set(struct dbg *d, struct dbg_args *a);
int dbg_cmd_zero(struct dbg *d, struct dbg_args *a);
int dbg_cmd_copy(struct dbg *d, struct dbg_args *a);
int dbg_cmd_fuzz(struct dbg *d, struct dbg_args *a);
int dbg_cmd_setbit(struct dbg *d, struct dbg_args *a);
int dbg_cmd_seal(struct dbg *d, struct dbg_args *a);

#endif
