// SPDX-License-Identifier: GPL-2.0-or-later
/* Error codes, their texts and the record of a failure. */
#include "../../libgfs/base/error.h"

#include "t.h"

#include <errno.h>

static void texts(void)
{
	T_STR(gfs_strerror(GFS_ECORRUPT), "content contradicts the format");
	T_STR(gfs_strerror(-GFS_ECORRUPT), "content contradicts the format");
	T_STR(gfs_strerror(-GFS_ENOTFS), "not a GFS2 filesystem");
	T_STR(gfs_strerror(-EIO), strerror(EIO));
	T_STR(gfs_errname(-GFS_ECRC), "ECRC");
	T_STR(gfs_errname(EIO), "EIO");
	T_STR(gfs_errname(-ENOSPC), "ENOSPC");
	T_STR(gfs_errname(3999), "EUNKNOWN");
	for (int code = GFS_EFIRST + 1; code < GFS_ELAST; code++) {
		T_OK(gfs_strerror(code)[0] && gfs_errname(code)[0] == 'E');
		T_OK(strcmp(gfs_errname(code), "EUNKNOWN"));
	}
}

static void records(void)
{
	struct gfs_error err = { 0 };
	char buf[512];

	T_EQ(gfs_fail(&err, GFS_ECORRUPT, 1234, "di_height %d", 40),
	     -GFS_ECORRUPT);
	T_EQ(err.code, -GFS_ECORRUPT);
	T_EQ(err.blk, 1234);
	T_STR(err.text, "di_height 40");
	T_EQ(gfs_context(&err, "journal %d", 2), -GFS_ECORRUPT);
	T_STR(gfs_error_message(&err, err.code, buf, sizeof(buf)),
	      "block 1234: journal 2: di_height 40: "
	      "content contradicts the format");

	T_EQ(gfs_fail(&err, -EIO, GFS_NO_BLOCK, "read"), -EIO);
	T_STR(gfs_error_message(&err, -EIO, buf, sizeof(buf)),
	      "read: Input/output error");
	/* Another code than the recorded one: its text would be wrong. */
	T_STR(gfs_error_message(&err, -ENOMEM, buf, sizeof(buf)),
	      "Cannot allocate memory");
	T_STR(gfs_error_message(NULL, -GFS_EFULL, buf, sizeof(buf)),
	      "does not fit");
	T_EQ(gfs_fail(NULL, EIO, 1, "nobody listens"), -EIO);
}

/* What does not fit is cut, never written past the end. */
static void bounds(void)
{
	struct gfs_error err = { 0 };
	char longer[1000], buf[16];

	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	T_EQ(gfs_fail(&err, EIO, 1, "%s", longer), -EIO);
	T_EQ(strlen(err.text), sizeof(err.text) - 1);
	T_EQ(gfs_context(&err, "%s", longer), -EIO);
	T_OK(strlen(err.text) < sizeof(err.text));
	T_EQ(strlen(gfs_error_message(&err, -EIO, buf, sizeof(buf))), 15);
}

int main(void)
{
	texts();
	records();
	bounds();
	return t_done();
}
