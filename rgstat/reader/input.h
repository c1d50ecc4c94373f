/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes of an input: a plain or compressed file, or each member of a tar
 * archive in turn, read as a stream; nothing is ever extracted.
 */
#ifndef RG_INPUT_H
#define RG_INPUT_H

#include "../../libgfs/base/base.h"
#include "../../libgfs/base/error.h"

#include <sys/types.h>

struct rg_input; /* opaque */

/* Lines longer than this are no trace lines; they are skipped and counted. */
#define RG_LINE_MAX 65536U

/* path "-" is standard input. 0 or a negative code with err set. */
int rg_input_open(const char *path, struct rg_input **in,
		  struct gfs_error *err) GFS_MUST;
/* in may be NULL. */
void rg_input_close(struct rg_input *in);

/*
 * Go to the first or next member. 1 and *name (valid until the next call;
 * NULL for a file that is no archive), 0 at the end, negative with err set.
 * Members that are no regular files are left out.
 */
int rg_input_next(struct rg_input *in, const char **name,
		  struct gfs_error *err) GFS_MUST;

/*
 * The next line of the member without its newline; it is valid, and ends
 * with a zero byte, until the next call. 1, 0 at the end, negative with err
 * set.
 */
int rg_input_line(struct rg_input *in, const char **line, size_t *len,
		  struct gfs_error *err) GFS_MUST;

/* Look at the member's first bytes without taking them; *len <= 4096. */
int rg_input_peek(struct rg_input *in, const char **data, size_t *len,
		  struct gfs_error *err) GFS_MUST;

/* Number of the line last given, from 1; how many were too long, the first. */
uint64_t rg_input_line_number(const struct rg_input *in);
uint64_t rg_input_too_long(const struct rg_input *in, uint64_t *first);
/* Bytes read from the file itself (compressed) and given as lines. */
uint64_t rg_input_taken(const struct rg_input *in);
uint64_t rg_input_bytes(const struct rg_input *in);

#endif
