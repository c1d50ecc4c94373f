// SPDX-License-Identifier: GPL-2.0-or-later
/* Lock names in the forms that the DLM, the kernel's files and users have. */
#include "../../libgfs/format/lockname.h"

#include "t.h"

#include <errno.h>

static const struct {
	uint32_t type;
	uint64_t number;
	const char *name;
} names[] = {
	{ GFS_LOCK_META, 0, "       4               0" },
	{ GFS_LOCK_INODE, 16968, "       2            4248" },
	{ GFS_LOCK_IOPEN, 16968, "       5            4248" },
	{ GFS_LOCK_RGRP, 17, "       3              11" },
	{ GFS_LOCK_NONDISK, 5, "       1               5" },
	{ GFS_LOCK_JOURNAL, 10, "       9               a" },
	{ GFS_LOCK_INODE, UINT64_MAX, "       2ffffffffffffffff" },
	{ GFS_LOCK_QUOTA, 2ULL * 4000000000U + 1, "       8       1dcd65001" },
};

static void formats(void)
{
	for (size_t i = 0; i < GFS_ARRAY_SIZE(names); i++) {
		struct gfs_lockname ln = { names[i].type, names[i].number };
		char name[GFS_LOCKNAME_LEN + 1];

		gfs_lockname_format(&ln, name);
		T_STR(name, names[i].name);
		T_EQ(strlen(name), 24);
		memset(&ln, 0, sizeof(ln));
		T_EQ(gfs_lockname_parse(name, GFS_LOCKNAME_LEN, &ln), 0);
		T_EQ(ln.type, names[i].type);
		T_EQ(ln.number, names[i].number);
	}
}

static void accepted(const char *text, uint32_t type, uint64_t number)
{
	struct gfs_lockname ln = { 99, 99 };

	T_EQ(gfs_lockname_parse(text, strlen(text), &ln), 0);
	T_EQ(ln.type, type);
	T_EQ(ln.number, number);
}

static void refused(const char *text)
{
	struct gfs_lockname ln;

	T_NAMED(gfs_lockname_parse(text, strlen(text), &ln) == -EINVAL, text);
}

static void others(void)
{
	accepted("2/1a2b", GFS_LOCK_INODE, 0x1a2b);
	accepted("inode/1A2B", GFS_LOCK_INODE, 0x1a2b);
	accepted("journal/0", GFS_LOCK_JOURNAL, 0);
	accepted("       2    1a2b", GFS_LOCK_INODE, 0x1a2b);
	accepted("2 1a2b", GFS_LOCK_INODE, 0x1a2b);
	accepted("iopen 17", GFS_LOCK_IOPEN, 0x17);
	accepted("8/ffffffffffffffff", GFS_LOCK_QUOTA, UINT64_MAX);
	refused("");
	refused("2");
	refused("2/");
	refused("/12");
	refused("a/12");
	refused("dentry/12");
	refused("2/12g");
	refused("2/1 2");
	refused("2/11112222333344445");
	refused("       x            4248");
	refused("                        ");
	refused("       2            4248 ");
	refused("2/-1");
}

static void types(void)
{
	T_STR(gfs_locktype_name(GFS_LOCK_INODE), "inode");
	T_STR(gfs_locktype_name(GFS_LOCK_FLOCK), "flock");
	T_OK(!gfs_locktype_name(10));
	T_OK(!gfs_locktype_name(UINT32_MAX));
	for (int i = 0; i < GFS_LOCK_TYPES; i++)
		T_EQ(gfs_locktype_parse(gfs_locktype_name((uint32_t)i)), i);
	T_EQ(gfs_locktype_parse("inod"), -EINVAL);
	T_EQ(gfs_locktype_parse("inodes"), -EINVAL);
	T_EQ(gfs_locktype_parse(""), -EINVAL);
}

int main(void)
{
	formats();
	others();
	types();
	return t_done();
}
