/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing, extending and truncating files. */
#ifndef GFS_FILE_WRITE_H
#define GFS_FILE_WRITE_H

#include "writer.h"

/* Bytes to be written to a file. */
struct gfs_file_piece {
	const void *buf;
	size_t len;
	uint64_t off;
};

/*
 * Write len bytes at off. What lies between the old end and off becomes a
 * hole; what fits the dinode stays there. *done: bytes written, less than len
 * only together with -ENOSPC: the file is then as if that much had been asked
 * for. mtime and ctime are stamped. The whole write is one operation: what is
 * long is better written in pieces of a megabyte, with checkpoints between.
 * -EFBIG, -EINVAL for inodes without file content.
 */
int gfs_file_write(struct gfs_writer *w, struct gfs_inode *ip,
		   const struct gfs_file_piece *piece, size_t *done) GFS_MUST;

/*
 * Set the size: what is behind it is freed and zeroed, what is added is a
 * hole. -ENOSPC when a stuffed file must move to make it bigger, -EFBIG.
 */
int gfs_file_truncate(struct gfs_writer *w, struct gfs_inode *ip,
		      uint64_t size) GFS_MUST;

#endif
