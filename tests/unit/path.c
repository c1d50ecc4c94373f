// SPDX-License-Identifier: GPL-2.0-or-later
/* Paths with symlinks, and the walk for paths in a tree that bites its tail. */
#include "t.h"

#include "../../libgfs/format/dirent.h"
#include "../../libgfs/fs/path.h"
#include "lib/volume.h"

#include <errno.h>
#include <sys/stat.h>

enum { BS = 1024, BLOCKS = 400, TAIL = 232 };
enum { MASTER = 100, ROOT = 101, DIR = 102, FILE_ = 103, LINKS = 110 };

static struct volume v;
static uint64_t block[BS / 8];

struct name {
	const char *name;
	uint64_t addr;
	uint32_t mode;
};

static void put_dir(uint64_t blk, const struct name *names, uint32_t n)
{
	struct gfs2_dinode *di = volume_dinode(&v, block, blk, S_IFDIR);
	uint32_t at = TAIL;

	di->di_size = cpu_to_be64(BS - TAIL);
	di->di_entries = cpu_to_be32(n);
	for (uint32_t i = 0; i < n; i++) {
		struct gfs_dirent_new de = {
			.name = names[i].name,
			.name_len = (uint32_t)strlen(names[i].name),
			.formal = 7,
			.addr = names[i].addr,
			.mode = names[i].mode,
		};

		de.rec_len = i + 1 < n ? gfs_dirent_need(de.name_len) :
					 BS - at;
		gfs_dirent_fill((char *)block + at, &de);
		at += de.rec_len;
	}
	volume_write(&v, blk, block);
}

static void put_link(uint64_t blk, const char *target)
{
	struct gfs2_dinode *di = volume_dinode(&v, block, blk, S_IFLNK);

	di->di_size = cpu_to_be64(strlen(target));
	memcpy((char *)block + TAIL, target, strlen(target));
	volume_write(&v, blk, block);
}

static void put_tree(void)
{
	static const struct name root[] = {
		{ ".", ROOT, S_IFDIR },      { "..", ROOT, S_IFDIR },
		{ "d", DIR, S_IFDIR },       { "rel", LINKS, S_IFLNK },
		{ "abs", LINKS + 1, S_IFLNK }, { "loop", LINKS + 2, S_IFLNK },
		{ "dead", LINKS + 3, S_IFLNK }, { "ping", LINKS + 4, S_IFLNK },
		{ "sys", LINKS + 6, S_IFLNK }, { "bad", 5, S_IFDIR },
	};
	/* "up" makes the tree a cycle, "f" has two names. */
	static const struct name dir[] = {
		{ ".", DIR, S_IFDIR },    { "..", ROOT, S_IFDIR },
		{ "f", FILE_, S_IFREG },  { "g", FILE_, S_IFREG },
		{ "up", ROOT, S_IFDIR },  { "pong", LINKS + 5, S_IFLNK },
	};
	static const struct name master[] = {
		{ ".", MASTER, S_IFDIR }, { "..", MASTER, S_IFDIR },
		{ "s", FILE_, S_IFREG },
	};

	put_dir(ROOT, root, sizeof(root) / sizeof(root[0]));
	put_dir(DIR, dir, sizeof(dir) / sizeof(dir[0]));
	put_dir(MASTER, master, sizeof(master) / sizeof(master[0]));
	volume_dinode(&v, block, FILE_, S_IFREG);
	volume_write(&v, FILE_, block);
	put_link(LINKS, "d/../d");
	put_link(LINKS + 1, "/d");
	put_link(LINKS + 2, "./loop");
	put_link(LINKS + 3, "nowhere/x");
	put_link(LINKS + 4, "d/pong");
	put_link(LINKS + 5, "../ping");
	put_link(LINKS + 6, "//s");
	v.fs->sb.root.addr = ROOT;
	v.fs->sb.master.addr = MASTER;
}

static uint64_t find(const char *path, bool follow)
{
	uint64_t blk;
	int rc = gfs_path_lookup(v.fs, path, follow, &blk);

	return rc ? (uint64_t)(int64_t)rc : blk;
}

static void test_lookup(void)
{
	T_EQ(find("/d/f", true), FILE_);
	T_EQ(find("d/f", true), FILE_);
	T_EQ(find("/rel", true), DIR);
	T_EQ(find("/rel", false), LINKS);
	T_EQ(find("/rel/", false), DIR);
	T_EQ(find("/rel/f", false), FILE_);
	T_EQ(find("/d/up/abs/g", false), FILE_);
	T_EQ(find("/abs/../rel/f", true), FILE_);
	T_EQ(find("/loop", false), LINKS + 2);
	T_EQ(find("/loop", true), -ELOOP);
	T_EQ(find("/ping/x", false), -ELOOP);
	T_EQ(find("/dead", true), -ENOENT);
	T_EQ(find("/dead", false), LINKS + 3);
	T_EQ(find("/d/f/x", true), -ENOTDIR);
	T_EQ(find("/d/f/", true), -ENOTDIR);
	T_EQ(find("//s", true), FILE_);
	T_EQ(find("/.master/s", true), FILE_);
	T_EQ(find("/.masters", true), -ENOENT);
	/* A symlink never leads to the master directory. */
	T_EQ(find("/sys", true), -ENOENT);
	T_EQ(find("/bad", false), 5);
	T_EQ(find("/bad", true), -GFS_EOUTSIDE);
}

static char found[500];
static int limit;

static int note(void *ctx, uint64_t blk, const char *path)
{
	(void)ctx;
	(void)blk;
	strcat(found, path);
	strcat(found, " ");
	return --limit ? 0 : 42;
}

static void test_find(void)
{
	static const uint64_t blks[] = { 5, DIR, FILE_, FILE_ + 1 };

	limit = 100;
	/* The directory that cannot be read is told at the end. */
	T_EQ(gfs_path_find(v.fs, blks, 4, note, NULL), -GFS_EOUTSIDE);
	T_STR(found, "/d /d/f /d/g /bad //s ");
	found[0] = '\0';
	limit = 2;
	T_EQ(gfs_path_find(v.fs, blks, 4, note, NULL), 42);
	T_STR(found, "/d /d/f ");
}

int main(void)
{
	if (!volume_bare(&v, BS, BLOCKS))
		return 1;
	put_tree();
	test_lookup();
	test_find();
	volume_close(&v);
	return t_done();
}
