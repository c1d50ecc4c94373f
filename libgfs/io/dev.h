/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A device: bytes that can be read and written at an offset. Files and block
 * devices, memory, an overlay that keeps writes to itself and a fault injector
 * look alike, so that everything above can be tried without a disk.
 */
#ifndef GFS_DEV_H
#define GFS_DEV_H

#include "../base/base.h"
#include "../base/error.h"

#include <sys/uio.h>

struct gfs_dev;

/*
 * Implementation of one kind of device. read, readv and write transfer
 * everything or fail with a negative code; reads are called from several
 * threads at once, the rest from one.
 */
struct gfs_dev_ops {
	const char *kind; /* "file", "memory", "overlay", "fault" */
	int (*read)(struct gfs_dev *dev, void *buf, size_t len, uint64_t off);
	int (*readv)(struct gfs_dev *dev, const struct iovec *iov, int n,
		     uint64_t off);
	int (*write)(struct gfs_dev *dev, const struct iovec *iov, int n,
		     uint64_t off);
	int (*flush)(struct gfs_dev *dev);
	/* Contents of the range become undefined or zero; may be NULL. */
	int (*discard)(struct gfs_dev *dev, uint64_t off, uint64_t len);
	/* Start reading in the background; may be NULL; from any thread. */
	void (*prefetch)(struct gfs_dev *dev, uint64_t off, uint64_t len);
	/* Descriptor that shows the same bytes, -1 if none; may be NULL. */
	int (*fd)(const struct gfs_dev *dev);
	/* Free everything but the name. */
	void (*close)(struct gfs_dev *dev);
};

struct gfs_dev_stats {
	uint64_t reads, writes, flushes; /* calls */
	uint64_t bytes_read, bytes_written;
};

/* Embedded as the first member of each kind's own struct. */
struct gfs_dev {
	const struct gfs_dev_ops *ops;
	char *name;          /* as the user wrote it, for messages; owned */
	uint64_t size;       /* bytes */
	bool readonly;
	bool is_block;       /* a block device, not a regular file */
	uint32_t sector;     /* logical sector size, bytes; 1 for a file */
	struct gfs_dev_stats stats; /* updated atomically */
};

enum gfs_dev_flags {
	GFS_DEV_WRITE = 1,     /* read and write; else read only */
	GFS_DEV_EXCL = 2,      /* block device: refuse when in use (O_EXCL) */
};

/*
 * Open a regular file or block device. Other kinds of file are refused with
 * -ENOTBLK, a block device in use with GFS_DEV_EXCL with -EBUSY. On failure
 * *err (may be NULL) has the text, which names the path.
 *
 * For tests of programs: when the environment has a non-empty GFS_FAULT, the
 * device comes wrapped in a fault device with that plan (fault.h); -EINVAL
 * for a plan that cannot be read.
 */
int gfs_dev_open(struct gfs_dev **dev, const char *path, unsigned int flags,
		 struct gfs_error *err) GFS_MUST;

/* The same whatever the environment says: for files that are no volume. */
int gfs_dev_open_plain(struct gfs_dev **dev, const char *path,
		       unsigned int flags, struct gfs_error *err) GFS_MUST;

/* The open descriptor of a file device (also under a fault device), or -1. */
int gfs_dev_fd(const struct gfs_dev *dev);

/*
 * A device in memory, zero-filled. Pages never written cost nothing, so that
 * sizes far beyond the memory are fine. -ENOMEM.
 */
int gfs_dev_mem_open(struct gfs_dev **dev, uint64_t size) GFS_MUST;

/* Close, NULL is fine. Closing does not flush; an overlay leaves its base. */
void gfs_dev_close(struct gfs_dev *dev);

/*
 * Transfer exactly len bytes at off. 0; -GFS_ESHORT when the range ends behind
 * the device, -GFS_EREADONLY, or -errno. No message is recorded: the caller
 * knows which block it wanted.
 */
int gfs_dev_read(struct gfs_dev *dev, void *buf, size_t len,
		 uint64_t off) GFS_MUST;
int gfs_dev_readv(struct gfs_dev *dev, const struct iovec *iov, int n,
		  uint64_t off) GFS_MUST;
/* Say that the range will be read soon; no matter whether it can be. */
void gfs_dev_prefetch(struct gfs_dev *dev, uint64_t off, uint64_t len);
int gfs_dev_write(struct gfs_dev *dev, const void *buf, size_t len,
		  uint64_t off) GFS_MUST;
int gfs_dev_writev(struct gfs_dev *dev, const struct iovec *iov, int n,
		   uint64_t off) GFS_MUST;
/* Everything written so far is durable when this returns 0. */
int gfs_dev_flush(struct gfs_dev *dev) GFS_MUST;
/* Best effort; 0 also when the device cannot. */
int gfs_dev_discard(struct gfs_dev *dev, uint64_t off, uint64_t len) GFS_MUST;

#endif
