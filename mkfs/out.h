/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing a new volume: single blocks gather in a window and leave it as few
 * large writes. Without a device nothing is written, only counted.
 */
#ifndef MKFS_OUT_H
#define MKFS_OUT_H

#include "../libgfs/io/dev.h"

#include <signal.h>

/* Bytes of the window and of the largest single write. */
#define MKFS_PIECE (1U << 20)

struct mkfs_out {
	struct gfs_dev *dev;     /* NULL: a rehearsal */
	struct gfs_error *err;
	const volatile sig_atomic_t *stop; /* set by a signal; NULL: never */
	uint32_t bsize;
	bool holes;              /* dev is a file that may have holes */
	uint64_t bytes;          /* written so far */

	char *window;            /* blocks base .. base + slots - 1 */
	uint8_t *filled;         /* which of them have content */
	uint64_t base;
	uint32_t slots;
	uint32_t used;           /* slots up to the last filled one */
};

/* dev and err are not owned. -ENOMEM. */
int mkfs_out_init(struct mkfs_out *out, struct gfs_dev *dev, uint32_t bsize,
		  struct gfs_error *err) GFS_MUST;
void mkfs_out_fini(struct mkfs_out *out);

/*
 * All of these return 0, -GFS_EINTR once out->stop is set, or the device's
 * error with a message that names the block.
 */

/* One block; blocks that come in ascending order are written together. */
int mkfs_out_put(struct mkfs_out *out, uint64_t blk,
		 const void *block) GFS_MUST;

/* n blocks at once, past the window. */
int mkfs_out_write(struct mkfs_out *out, uint64_t blk, const void *data,
		   uint64_t n) GFS_MUST;

/* Make n blocks read as zero. */
int mkfs_out_zero(struct mkfs_out *out, uint64_t blk, uint64_t n) GFS_MUST;

/* Do these n blocks read as zero without being written, for sure? */
bool mkfs_out_is_hole(const struct mkfs_out *out, uint64_t blk, uint64_t n);

/* Empty the window. */
int mkfs_out_drain(struct mkfs_out *out) GFS_MUST;

/* Empty the window; everything written is durable on return. */
int mkfs_out_flush(struct mkfs_out *out) GFS_MUST;

#endif
