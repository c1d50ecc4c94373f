/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Errors: functions that can fail return 0 or a negative code, -errno for the
 * OS or -GFS_E* for the filesystem; what exactly is wrong, and where, is kept
 * in the struct gfs_error of the handle.
 */
#ifndef GFS_ERROR_H
#define GFS_ERROR_H

#include "base.h"

enum gfs_ecode {
	GFS_EFIRST = 4095,
#define GFS_ERROR(name, text) GFS_##name,
#include "errors.def"
#undef GFS_ERROR
	GFS_ELAST
};

#define GFS_NO_BLOCK UINT64_MAX

/* Not for threads: each thread has an object of its own. */
struct gfs_error {
	int code;      /* 0 or negative, as returned */
	uint64_t blk;  /* filesystem block concerned, or GFS_NO_BLOCK */
	char text[400]; /* a sentence part without block number and newline */
};

/* Text of a code, positive or negative; never NULL, not to be freed. */
const char *gfs_strerror(int code);

/* Name of a code as JSON has it ("ECORRUPT", "EIO"); never NULL. */
const char *gfs_errname(int code);

/*
 * Record an error and return -|code|. blk is a block number or GFS_NO_BLOCK.
 * err may be NULL. A later call overwrites an earlier one.
 */
int gfs_fail(struct gfs_error *err, int code, uint64_t blk, const char *fmt,
	     ...) GFS_PRINTF(4, 5);

/* Put "fmt: " in front of the recorded text; returns the recorded code. */
int gfs_context(struct gfs_error *err, const char *fmt, ...) GFS_PRINTF(2, 3);

/*
 * The message of an error: "block 1234: text: meaning of code" (without the
 * block when there is none), in buf of size bytes. Returns buf.
 */
const char *gfs_error_message(const struct gfs_error *err, int code, char *buf,
			      size_t size);

#endif
