// SPDX-License-Identifier: GPL-2.0-or-later
/* A device that is a regular file or a block device of the system. */
#include "dev.h"
#include "fault.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

struct file_dev {
	struct gfs_dev dev;
	int fd;
};

static struct file_dev *file_of(struct gfs_dev *dev)
{
	return (struct file_dev *)dev;
}

/* 0 to go on after n bytes came from a transfer, else its error. */
static int transfer_result(ssize_t n)
{
	if (n > 0)
		return 0;
	if (!n)
		return -GFS_ESHORT;
	return errno == EINTR ? 0 : -errno;
}

static int file_read(struct gfs_dev *dev, void *buf, size_t len, uint64_t off)
{
	int fd = file_of(dev)->fd;
	char *p = buf;

	while (len) {
		ssize_t n = pread(fd, p, len, (off_t)off);
		int rc = transfer_result(n);

		if (rc)
			return rc;
		if (n < 0)
			continue;
		p += n;
		off += (uint64_t)n;
		len -= (size_t)n;
	}
	return 0;
}

typedef ssize_t transfer_fn(int fd, const struct iovec *iov, int n, off_t off);

/*
 * Carry an iovec through fn, which may do less than asked for: `skip` bytes
 * of iov[0] are done already and that rest goes alone.
 */
static int transfer(int fd, transfer_fn *fn, const struct iovec *iov, int n,
		    uint64_t off)
{
	size_t skip = 0;

	while (n > 0) {
		struct iovec rest = {
			.iov_base = (char *)iov->iov_base + skip,
			.iov_len = iov->iov_len - skip,
		};
		ssize_t did;
		int rc;

		if (!rest.iov_len) {
			iov++;
			n--;
			skip = 0;
			continue;
		}
		did = fn(fd, skip ? &rest : iov,
			 skip ? 1 : (int)gfs_min((uint64_t)n, IOV_MAX),
			 (off_t)off);
		rc = transfer_result(did);
		if (rc)
			return rc;
		if (did < 0)
			continue;
		off += (uint64_t)did;
		skip += (size_t)did;
		while (n > 0 && skip >= iov->iov_len) {
			skip -= iov->iov_len;
			iov++;
			n--;
		}
	}
	return 0;
}

static int file_readv(struct gfs_dev *dev, const struct iovec *iov, int n,
		      uint64_t off)
{
	return transfer(file_of(dev)->fd, preadv, iov, n, off);
}

static int file_write(struct gfs_dev *dev, const struct iovec *iov, int n,
		      uint64_t off)
{
	return transfer(file_of(dev)->fd, pwritev, iov, n, off);
}

static int file_flush(struct gfs_dev *dev)
{
	int rc;

	do {
		rc = dev->is_block ? fsync(file_of(dev)->fd) :
				     fdatasync(file_of(dev)->fd);
	} while (rc && errno == EINTR);
	return rc ? -errno : 0;
}

static int file_discard(struct gfs_dev *dev, uint64_t off, uint64_t len)
{
	uint64_t range[2] = { off, len };
	int rc;

	if (dev->is_block)
		rc = ioctl(file_of(dev)->fd, BLKDISCARD, range);
	else
		rc = fallocate(file_of(dev)->fd,
			       FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			       (off_t)off, (off_t)len);
	/* Only a failing device matters; one that cannot discard does not. */
	return rc && errno == EIO ? -EIO : 0;
}

static void file_prefetch(struct gfs_dev *dev, uint64_t off, uint64_t len)
{
	(void)posix_fadvise(file_of(dev)->fd, (off_t)off, (off_t)len,
			    POSIX_FADV_WILLNEED);
}

static int file_fd(const struct gfs_dev *dev)
{
	return ((const struct file_dev *)dev)->fd;
}

static void file_close(struct gfs_dev *dev)
{
	close(file_of(dev)->fd);
	free(file_of(dev));
}

static const struct gfs_dev_ops file_ops = {
	.kind = "file",
	.read = file_read,
	.readv = file_readv,
	.write = file_write,
	.flush = file_flush,
	.discard = file_discard,
	.prefetch = file_prefetch,
	.fd = file_fd,
	.close = file_close,
};

static const char *kind_name(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFDIR: return "a directory";
	case S_IFCHR: return "a character device";
	case S_IFIFO: return "a named pipe";
	case S_IFSOCK: return "a socket";
	default: return "neither a file nor a block device";
	}
}

static bool kind_is_fit(const struct stat *st)
{
	return S_ISREG(st->st_mode) || S_ISBLK(st->st_mode);
}

/*
 * Descriptor of path in *fd. The kind of file is looked at before opening,
 * which for a pipe would wait and for a character device may act.
 */
static int file_fd_open(int *fd, const char *path, unsigned int flags,
			struct stat *st, struct gfs_error *err)
{
	int mode = (flags & GFS_DEV_WRITE ? O_RDWR : O_RDONLY) | O_CLOEXEC;

	if (stat(path, st))
		return gfs_fail(err, errno, GFS_NO_BLOCK, "cannot open %s",
				path);
	if (!kind_is_fit(st))
		return gfs_fail(err, ENOTBLK, GFS_NO_BLOCK, "%s is %s", path,
				kind_name(st->st_mode));
	if (S_ISBLK(st->st_mode) && flags & GFS_DEV_EXCL)
		mode |= O_EXCL;
	*fd = open(path, mode);
	if (*fd < 0)
		return gfs_fail(err, errno, GFS_NO_BLOCK,
				errno == EBUSY ? "%s is in use" :
						 "cannot open %s",
				path);
	if (fstat(*fd, st))
		return gfs_fail(err, errno, GFS_NO_BLOCK,
				"cannot look at %s", path);
	if (!kind_is_fit(st))
		return gfs_fail(err, ENOTBLK, GFS_NO_BLOCK, "%s is %s", path,
				kind_name(st->st_mode));
	return 0;
}

static int file_size(const struct file_dev *f, const struct stat *st,
		     uint64_t *size)
{
	off_t end;

	if (S_ISREG(st->st_mode)) {
		*size = (uint64_t)st->st_size;
		return 0;
	}
	if (!ioctl(f->fd, BLKGETSIZE64, size))
		return 0;
	end = lseek(f->fd, 0, SEEK_END);
	if (end < 0)
		return -errno;
	*size = (uint64_t)end;
	return 0;
}

static uint32_t file_sector(const struct file_dev *f, const struct stat *st)
{
	int sector = 0;

	if (S_ISREG(st->st_mode))
		return 1;
	if (ioctl(f->fd, BLKSSZGET, &sector) || sector <= 0)
		return 512;
	return (uint32_t)sector;
}

int gfs_dev_open_plain(struct gfs_dev **dev, const char *path,
		       unsigned int flags, struct gfs_error *err)
{
	struct file_dev *f = calloc(1, sizeof(*f));
	struct stat st;
	int rc;

	*dev = NULL;
	if (!f)
		return gfs_fail(err, ENOMEM, GFS_NO_BLOCK, "cannot open %s",
				path);
	f->fd = -1;
	rc = file_fd_open(&f->fd, path, flags, &st, err);
	if (rc)
		goto out;
	f->dev.ops = &file_ops;
	f->dev.readonly = !(flags & GFS_DEV_WRITE);
	f->dev.is_block = S_ISBLK(st.st_mode);
	f->dev.sector = file_sector(f, &st);
	f->dev.name = strdup(path);
	rc = f->dev.name ? file_size(f, &st, &f->dev.size) : -ENOMEM;
	if (rc) {
		gfs_fail(err, rc, GFS_NO_BLOCK, "cannot get the size of %s",
			 path);
		goto out;
	}
	*dev = &f->dev;
	return 0;
out:
	if (f->fd >= 0)
		close(f->fd);
	free(f->dev.name);
	free(f);
	return rc;
}

/* Put the fault device that the environment asks for over *dev. */
static int fault_wrap(struct gfs_dev **dev, struct gfs_error *err)
{
	const char *text = getenv("GFS_FAULT");
	struct gfs_fault_plan plan;
	struct gfs_dev *fault;
	int rc;

	if (!text || !*text)
		return 0;
	rc = gfs_fault_parse(&plan, text);
	if (rc)
		return gfs_fail(err, rc, GFS_NO_BLOCK,
				"%s: no plan in GFS_FAULT=%s", (*dev)->name,
				text);
	rc = gfs_dev_fault_open(&fault, *dev, &plan);
	if (rc)
		return gfs_fail(err, rc, GFS_NO_BLOCK, "cannot open %s",
				(*dev)->name);
	gfs_dev_fault_own(fault);
	*dev = fault;
	return 0;
}

int gfs_dev_open(struct gfs_dev **dev, const char *path, unsigned int flags,
		 struct gfs_error *err)
{
	int rc = gfs_dev_open_plain(dev, path, flags, err);

	if (rc)
		return rc;
	rc = fault_wrap(dev, err);
	if (rc) {
		gfs_dev_close(*dev);
		*dev = NULL;
	}
	return rc;
}
