// SPDX-License-Identifier: GPL-2.0-or-later
/* Unit tests of file and memory devices. */
#include "../../libgfs/io/dev.h"

#include "t.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[] = "/tmp/gfs-dev-XXXXXX";

static const char *in_dir(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void make_file(const char *path, off_t size)
{
	FILE *f = fopen(path, "w");

	if (!f || ftruncate(fileno(f), size) || fclose(f))
		abort();
}

static void test_memory(void)
{
	struct gfs_dev *dev;
	uint8_t buf[16] = { 1 };

	T_EQ(gfs_dev_mem_open(&dev, 1000), 0);
	T_STR(dev->ops->kind, "memory");
	T_EQ(dev->size, 1000);
	T_EQ(gfs_dev_fd(dev), -1);
	T_EQ(gfs_dev_read(dev, buf, 16, 984), 0);
	T_EQ(buf[0], 0);
	T_EQ(gfs_dev_write(dev, "tail", 4, 996), 0);
	T_EQ(gfs_dev_read(dev, buf, 4, 996), 0);
	T_OK(!memcmp(buf, "tail", 4));
	T_EQ(gfs_dev_read(dev, buf, 5, 996), -GFS_ESHORT);
	T_EQ(gfs_dev_write(dev, buf, 5, 996), -GFS_ESHORT);
	T_EQ(gfs_dev_read(dev, buf, 1, UINT64_MAX), -GFS_ESHORT);
	T_EQ(gfs_dev_read(dev, buf, 0, 1000), 0);
	T_EQ(gfs_dev_flush(dev), 0);
	T_EQ(dev->stats.reads, 2);
	T_EQ(dev->stats.writes, 1);
	T_EQ(dev->stats.bytes_read, 20);
	T_EQ(dev->stats.bytes_written, 4);
	T_EQ(dev->stats.flushes, 1);
	gfs_dev_close(dev);
	gfs_dev_close(NULL);
}

static void test_memory_sparse(void)
{
	struct gfs_dev *dev;
	uint64_t far = (16ULL << 40) - 4096;
	uint64_t v = 77;

	T_EQ(gfs_dev_mem_open(&dev, 16ULL << 40), 0);
	T_EQ(gfs_dev_write(dev, &v, sizeof(v), far), 0);
	v = 0;
	T_EQ(gfs_dev_read(dev, &v, sizeof(v), far), 0);
	T_EQ(v, 77);
	T_EQ(gfs_dev_discard(dev, far, 4096), 0);
	T_EQ(gfs_dev_read(dev, &v, sizeof(v), far), 0);
	T_EQ(v, 0);
	gfs_dev_close(dev);
}

static void test_file(void)
{
	struct gfs_error err = { 0 };
	const char *path = in_dir("file");
	struct gfs_dev *dev;
	char buf[8] = "";

	make_file(path, 100000);
	T_EQ(gfs_dev_open(&dev, path, GFS_DEV_WRITE | GFS_DEV_EXCL, &err), 0);
	T_STR(dev->ops->kind, "file");
	T_STR(dev->name, path);
	T_EQ(dev->size, 100000);
	T_EQ(dev->sector, 1);
	T_OK(!dev->is_block && !dev->readonly);
	T_OK(gfs_dev_fd(dev) >= 0);
	T_EQ(gfs_dev_write(dev, "abcdefg", 8, 99992), 0);
	T_EQ(gfs_dev_flush(dev), 0);
	T_EQ(gfs_dev_discard(dev, 0, 4096), 0);
	gfs_dev_close(dev);

	T_EQ(gfs_dev_open(&dev, path, 0, &err), 0);
	T_OK(dev->readonly);
	T_EQ(gfs_dev_write(dev, buf, 1, 0), -GFS_EREADONLY);
	T_EQ(gfs_dev_discard(dev, 0, 1), -GFS_EREADONLY);
	T_EQ(gfs_dev_read(dev, buf, 8, 99992), 0);
	T_STR(buf, "abcdefg");
	/* The file gets shorter while it is open. */
	T_EQ(truncate(path, 99996), 0);
	T_EQ(gfs_dev_read(dev, buf, 8, 99992), -GFS_ESHORT);
	gfs_dev_close(dev);
	unlink(path);
}

/* More segments than the system takes at once, some empty. */
static void test_long_iovec(void)
{
	enum { N = 2 * IOV_MAX + 7 };
	const char *path = in_dir("iovec");
	uint16_t *in = calloc(N, sizeof(*in));
	uint16_t *out = calloc(N, sizeof(*out));
	struct iovec *iov = calloc(N, sizeof(*iov));
	struct gfs_dev *dev;

	make_file(path, 2 * N);
	T_EQ(gfs_dev_open(&dev, path, GFS_DEV_WRITE, NULL), 0);
	for (int i = 0; i < N; i++) {
		in[i] = (uint16_t)(i * 31);
		iov[i].iov_base = in + i;
		iov[i].iov_len = i == 5 || i == N - 1 ? 0 : 2;
	}
	T_EQ(gfs_dev_writev(dev, iov, N, 1), 0);
	for (int i = 0; i < N; i++)
		iov[i].iov_base = out + i;
	T_EQ(gfs_dev_readv(dev, iov, N, 1), 0);
	in[5] = in[N - 1] = 0;
	T_OK(!memcmp(in, out, N * sizeof(*in)));
	T_EQ(gfs_dev_readv(dev, iov, N, 6), -GFS_ESHORT);
	gfs_dev_close(dev);
	unlink(path);
	free(in);
	free(out);
	free(iov);
}

static void test_refusals(void)
{
	struct gfs_error err = { 0 };
	struct gfs_dev *dev;
	char want[160];

	T_EQ(gfs_dev_open(&dev, dir, GFS_DEV_WRITE, &err), -ENOTBLK);
	snprintf(want, sizeof(want), "%s is a directory", dir);
	T_STR(err.text, want);
	T_OK(!dev);
	T_EQ(gfs_dev_open(&dev, "/dev/null", 0, &err), -ENOTBLK);
	T_STR(err.text, "/dev/null is a character device");
	T_EQ(mkfifo(in_dir("pipe"), 0600), 0);
	T_EQ(gfs_dev_open(&dev, in_dir("pipe"), 0, &err), -ENOTBLK);
	snprintf(want, sizeof(want), "%s/pipe is a named pipe", dir);
	T_STR(err.text, want);
	unlink(in_dir("pipe"));
	T_EQ(gfs_dev_open(&dev, in_dir("none"), 0, &err), -ENOENT);
	snprintf(want, sizeof(want), "cannot open %s/none", dir);
	T_STR(err.text, want);
	T_EQ(err.blk, GFS_NO_BLOCK);
}

static void test_environment(void)
{
	struct gfs_error err = { 0 };
	const char *path = in_dir("env");
	struct gfs_dev *dev;
	char buf[4];

	make_file(path, 4096);
	setenv("GFS_FAULT", "read=2,error=ENOSPC", 1);
	T_EQ(gfs_dev_open(&dev, path, 0, &err), 0);
	T_STR(dev->ops->kind, "fault");
	T_OK(gfs_dev_fd(dev) >= 0);
	T_EQ(gfs_dev_read(dev, buf, 4, 0), 0);
	T_EQ(gfs_dev_read(dev, buf, 4, 0), -ENOSPC);
	T_EQ(gfs_dev_read(dev, buf, 4, 0), 0);
	gfs_dev_close(dev);
	setenv("GFS_FAULT", "raed=2", 1);
	T_EQ(gfs_dev_open(&dev, path, 0, &err), -EINVAL);
	T_OK(strstr(err.text, "GFS_FAULT=raed=2"));
	T_OK(!dev);
	setenv("GFS_FAULT", "", 1);
	T_EQ(gfs_dev_open(&dev, path, 0, &err), 0);
	T_STR(dev->ops->kind, "file");
	gfs_dev_close(dev);
	unsetenv("GFS_FAULT");
	unlink(path);
}

int main(void)
{
	if (!mkdtemp(dir))
		return 99;
	test_memory();
	test_memory_sparse();
	test_file();
	test_long_iovec();
	test_refusals();
	test_environment();
	rmdir(dir);
	return t_done();
}
