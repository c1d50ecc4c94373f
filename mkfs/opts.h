/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of mkfs.gfs2: its table, limits and what was asked for. */
#ifndef MKFS_OPTS_H
#define MKFS_OPTS_H

#include "../libgfs/base/base.h"

/* I/O sizes of a device in bytes; 0: not known. */
struct mkfs_topology {
	uint64_t offset;   /* of the first aligned byte */
	uint64_t logical;  /* sector */
	uint64_t minimum;  /* I/O size */
	uint64_t optimal;  /* I/O size */
	uint64_t physical; /* sector */
};

struct mkfs_opts {
	const char *device;
	const char *size;      /* operand, checked to begin with a digit */

	uint64_t bsize;        /* 0: from the device */
	uint64_t journals;
	uint64_t journal_mb;   /* 0: from the volume's size */
	uint64_t rgrp_mb;
	uint64_t quota_mb;     /* of each quota_change file */

	const char *proto;
	const char *table;     /* "" if none */
	uint8_t uuid[16];
	uint64_t format;       /* sb_fs_format */
	bool inherit_jdata;    /* of the root directory */

	char *sunit;           /* as given: a suffix may mean blocks */
	char *swidth;          /* both owned; NULL if not given */
	bool align;
	bool has_topology;
	struct mkfs_topology topology;

	bool ask;
	bool quiet;
	bool discard;
	bool debug;
};

/*
 * Fill o from a command line. 0, or negative after a message on stderr.
 * -h, -V and -o help print and exit.
 */
int mkfs_opts_parse(struct mkfs_opts *o, int argc, char **argv) GFS_MUST;

/* Parse the list of -o into o. 0, or negative after a message. */
int mkfs_opts_extended(struct mkfs_opts *o, const char *list) GFS_MUST;

/* A number among the options and what may be said of it. */
struct mkfs_number {
	const char *what;    /* "-j" */
	uint64_t min, max;
	const char *refusal; /* of a number outside */
};

/* Parse one, digits only. 0, or negative after a message. */
int mkfs_opts_number(const struct mkfs_number *n, const char *text,
		     uint64_t *value) GFS_MUST;

/* Release what parsing kept. */
void mkfs_opts_fini(struct mkfs_opts *o);

#endif
