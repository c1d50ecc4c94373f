// SPDX-License-Identifier: GPL-2.0-or-later
/* Unit tests of the device that fails on purpose. */
#include "../../libgfs/io/fault.h"

#include "t.h"

#include <errno.h>
#include <stdlib.h>

static struct gfs_dev *base, *dev;

static void open_with(const char *text)
{
	struct gfs_fault_plan plan;

	if (gfs_dev_mem_open(&base, 8192) || gfs_fault_parse(&plan, text) ||
	    gfs_dev_fault_open(&dev, base, &plan))
		abort();
	gfs_dev_fault_own(dev);
}

static void test_parse(void)
{
	static const char *const wrong[] = {
		"read", "read=", "read=x", "read=-1", "read=1x", "nothing=1",
		"afterwards", "error=EFOO", "bad=5", "bad=7-7", "bad=9-3",
		"torn=4294967296", "read=99999999999999999999", "=1",
	};
	struct gfs_fault_plan p;

	T_EQ(gfs_fault_parse(&p, "read=3,write=5,after,stop=7,torn=512,"
				 "error=ENOSPC,bad=4096-0x2000"),
	     0);
	T_EQ(p.fail_read, 3);
	T_EQ(p.fail_write, 5);
	T_OK(p.fail_after);
	T_EQ(p.stop_write, 7);
	T_EQ(p.torn, 512);
	T_EQ(p.error, -ENOSPC);
	T_EQ(p.bad_from, 4096);
	T_EQ(p.bad_to, 8192);
	T_EQ(gfs_fault_parse(&p, ""), 0);
	T_EQ(p.error, -EIO);
	T_EQ(p.fail_read + p.fail_write + p.stop_write + p.bad_to, 0);
	for (size_t i = 0; i < GFS_ARRAY_SIZE(wrong); i++)
		T_NAMED(gfs_fault_parse(&p, wrong[i]) == -EINVAL, wrong[i]);
}

static void test_fail(void)
{
	char c = 1;

	open_with("read=2,write=2");
	T_EQ(gfs_dev_read(dev, &c, 1, 0), 0);
	T_EQ(gfs_dev_read(dev, &c, 1, 0), -EIO);
	T_EQ(gfs_dev_read(dev, &c, 1, 0), 0);
	T_EQ(gfs_dev_write(dev, "a", 1, 0), 0);
	T_EQ(gfs_dev_write(dev, "b", 1, 0), -EIO);
	T_EQ(gfs_dev_read(base, &c, 1, 0), 0);
	T_EQ(c, 'a');
	T_EQ(gfs_dev_write(dev, "c", 1, 0), 0);
	gfs_dev_close(dev);
	open_with("read=2,after,error=ENOMEM");
	T_EQ(gfs_dev_read(dev, &c, 1, 0), 0);
	T_EQ(gfs_dev_read(dev, &c, 1, 0), -ENOMEM);
	T_EQ(gfs_dev_read(dev, &c, 1, 0), -ENOMEM);
	gfs_dev_close(dev);
}

static void test_bad_range(void)
{
	char buf[16];
	struct iovec iov = { buf, 16 };

	open_with("bad=4096-4608");
	T_EQ(gfs_dev_read(dev, buf, 16, 4080), 0);
	T_EQ(gfs_dev_read(dev, buf, 16, 4081), -EIO);
	T_EQ(gfs_dev_readv(dev, &iov, 1, 4600), -EIO);
	T_EQ(gfs_dev_readv(dev, &iov, 1, 4608), 0);
	gfs_dev_close(dev);
}

static void test_power_cut(void)
{
	char one[] = "abcd", two[] = "efgh";
	struct iovec iov[] = { { one, 4 }, { two, 4 } };
	char buf[9] = "";

	open_with("stop=2,torn=6");
	T_EQ(gfs_dev_write(dev, "first", 5, 100), 0);
	T_EQ(gfs_dev_flush(dev), 0);
	T_EQ(gfs_dev_writev(dev, iov, 2, 200), 0);
	T_EQ(gfs_dev_write(dev, "third", 5, 300), 0);
	T_EQ(gfs_dev_discard(dev, 0, 8192), 0);
	T_EQ(gfs_dev_flush(dev), 0);
	T_EQ(base->stats.flushes, 1);
	T_EQ(gfs_dev_read(dev, buf, 5, 100), 0);
	T_STR(buf, "first");
	T_EQ(gfs_dev_read(base, buf, 8, 200), 0);
	T_STR(buf, "abcdef");
	memset(buf, 0, sizeof(buf));
	T_EQ(gfs_dev_read(dev, buf, 5, 300), 0);
	T_STR(buf, "");
	gfs_dev_close(dev);
}

int main(void)
{
	test_parse();
	test_fail();
	test_bad_range();
	test_power_cut();
	return t_done();
}
