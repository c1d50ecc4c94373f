// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Directories built by hand: linear, hashed with a table in the dinode and in
 * blocks of its own, chains, and what damage does to cursor and lookup.
 */
#include "t.h"

#include "../../libgfs/format/dirent.h"
#include "../../libgfs/format/hash.h"
#include "../../libgfs/fs/dir.h"
#include "lib/volume.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { BS = 512, BLOCKS = 1000, DI = 200, TABLE = 220, LEAF = 300 };
enum { DI_TAIL = 232, LEAF_HEAD = 104, JD_HEAD = 24, PER_JD = 61 };

static struct volume v;
static uint64_t block[BS / 8];

static struct gfs_inode *get(void)
{
	struct gfs_inode *ip;

	if (gfs_inode_get(v.fs, DI, &ip)) {
		printf("Bail out! inode: %s\n", v.err.text);
		exit(1);
	}
	return ip;
}

/* Entries with these names from a byte of `block` on to its end. */
static void entries(uint32_t at, const char *const names[], uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct gfs_dirent_new de = {
			.name = names[i],
			.name_len = (uint32_t)strlen(names[i]),
			.formal = 5,
			.addr = gfs_dir_hash(names[i], strlen(names[i])),
			.mode = S_IFREG,
		};

		de.rec_len = i + 1 < n ? gfs_dirent_need(de.name_len) :
					 BS - at;
		gfs_dirent_fill((char *)block + at, &de);
		at += de.rec_len;
	}
}

static void leaf(uint64_t blk, const char *const names[], uint32_t n,
		 uint64_t next)
{
	struct gfs2_leaf *lf = (struct gfs2_leaf *)block;
	static const char *const none[] = { "" };

	memset(block, 0, sizeof(block));
	put_header(block, GFS2_METATYPE_LF);
	lf->lf_entries = cpu_to_be16((uint16_t)n);
	lf->lf_dirent_format = cpu_to_be32(GFS2_FORMAT_DE);
	lf->lf_next = cpu_to_be64(next);
	entries(LEAF_HEAD, n ? names : none, n ? n : 1);
	if (!n)
		memset((char *)block + LEAF_HEAD, 0, 16);
	volume_write(&v, blk, block);
}

static struct gfs2_dinode *hashed(uint32_t depth, uint32_t height)
{
	struct gfs2_dinode *di = volume_dinode(&v, block, DI, S_IFDIR | 0755);

	di->di_flags = cpu_to_be32(GFS2_DIF_JDATA | GFS2_DIF_EXHASH);
	di->di_depth = cpu_to_be16((uint16_t)depth);
	di->di_height = cpu_to_be16((uint16_t)height);
	di->di_size = cpu_to_be64(8ULL << depth);
	di->di_blocks = cpu_to_be64(20);
	return di;
}

/* Names of all entries joined by spaces; "!" for an error. */
static const char *list(struct gfs_inode *ip)
{
	static char text[1000];
	struct gfs_dir_entry e;
	struct gfs_dir_iter *it;
	int rc;

	text[0] = '\0';
	if (gfs_dir_open(&it, ip))
		return "no cursor";
	while ((rc = gfs_dir_next(it, &e)) != 0 && strlen(text) < 500) {
		strcat(text, text[0] ? " " : "");
		strcat(text, rc < 0 ? "!" : e.name);
	}
	gfs_dir_close(it);
	return text;
}

static bool finds(struct gfs_inode *ip, const char *name, uint64_t in)
{
	struct gfs_dir_entry e;
	int rc = gfs_dir_lookup(ip, name, strlen(name), &e);

	return !rc && !strcmp(e.name, name) && e.leaf == in && e.type == 8 &&
	       e.ino.addr == gfs_dir_hash(name, strlen(name));
}

static void test_linear(void)
{
	static const char *const names[] = { ".", "..", "one", "two" };
	struct gfs2_dinode *di = volume_dinode(&v, block, DI, S_IFDIR | 0755);
	struct gfs_inode *ip;
	struct gfs_dir_entry e;
	uint64_t blk;

	di->di_size = cpu_to_be64(BS - DI_TAIL);
	di->di_entries = cpu_to_be32(4);
	entries(DI_TAIL, names, 4);
	volume_write(&v, DI, block);
	ip = get();
	T_STR(list(ip), ". .. one two");
	T_OK(finds(ip, "two", DI));
	T_EQ(gfs_dir_lookup(ip, "twos", 4, &e), -ENOENT);
	T_EQ(gfs_dir_lookup(ip, "tw", 2, &e), -ENOENT);
	T_EQ(gfs_dir_lookup(ip, "", 0, &e), -ENOENT);
	T_EQ(gfs_dir_table(ip, 0, &blk), -EINVAL);
	gfs_inode_put(ip);
}

/* Which half of the hash space a name is in: "." is in the lower one. */
static const char *const low[] = { ".", "f" };   /* 0ED4E242, 76D32BE0 */
static const char *const high[] = { "..", "journal0" }; /* 9608161C, FC7745EB */
static const char *const more[] = { "x" };       /* 8CDC1683 */

/* Depth 5: 32 entries in the dinode, each half of them one leaf. */
static void put_halves(uint64_t first, uint64_t second)
{
	hashed(5, 0);
	for (uint32_t i = 0; i < 32; i++)
		put64(block, DI_TAIL + 8 * i, i < 16 ? first : second);
	volume_write(&v, DI, block);
}

static void test_hashed(void)
{
	struct gfs_inode *ip;
	struct gfs_dir_entry e;
	uint64_t blk;

	T_EQ(gfs_dir_hash("x", 1), 0x8CDC1683);
	put_halves(LEAF, LEAF + 1);
	leaf(LEAF, low, 2, 0);
	leaf(LEAF + 1, high, 2, LEAF + 2);
	leaf(LEAF + 2, NULL, 0, LEAF + 3);
	leaf(LEAF + 3, more, 1, 0);
	ip = get();
	T_STR(list(ip), ". f .. journal0 x");
	T_OK(finds(ip, ".", LEAF));
	T_OK(finds(ip, "f", LEAF));
	T_OK(finds(ip, "journal0", LEAF + 1));
	T_OK(finds(ip, "x", LEAF + 3));
	T_EQ(gfs_dir_lookup(ip, "journal1", 8, &e), -ENOENT);
	T_EQ(gfs_dir_table(ip, 15, &blk), 0);
	T_EQ(blk, LEAF);
	T_EQ(gfs_dir_table(ip, 31, &blk), 0);
	T_EQ(blk, LEAF + 1);
	T_EQ(gfs_dir_table(ip, 32, &blk), -EINVAL);
	gfs_inode_put(ip);
}

/* Depth 6: 64 entries of which 61 fit the first block of the table. */
static void test_table_blocks(void)
{
	struct gfs_inode *ip;
	uint64_t blk;

	for (uint32_t k = 0; k < 2; k++) {
		memset(block, 0, sizeof(block));
		put_header(block, GFS2_METATYPE_JD);
		for (uint32_t i = 0; i < (k ? 3 : PER_JD); i++)
			put64(block, JD_HEAD + 8 * i,
			      k * PER_JD + i < 32 ? LEAF : LEAF + 1);
		volume_write(&v, TABLE + k, block);
	}
	hashed(6, 1);
	put64(block, DI_TAIL, TABLE);
	put64(block, DI_TAIL + 8, TABLE + 1);
	volume_write(&v, DI, block);
	ip = get();
	T_STR(list(ip), ". f .. journal0 x");
	T_OK(finds(ip, "journal0", LEAF + 1));
	T_OK(finds(ip, "x", LEAF + 3));
	T_EQ(gfs_dir_table(ip, 63, &blk), 0);
	T_EQ(blk, LEAF + 1);
	gfs_inode_put(ip);

	/* Without its second block the table still gives what it has. */
	hashed(6, 1);
	put64(block, DI_TAIL, TABLE);
	volume_write(&v, DI, block);
	ip = get();
	T_STR(list(ip), "!");
	T_EQ(gfs_dir_table(ip, 63, &blk), -GFS_ECORRUPT);
	T_EQ(gfs_dir_table(ip, 60, &blk), 0);
	gfs_inode_put(ip);
}

static void test_damage(void)
{
	struct gfs_inode *ip;
	struct gfs_dir_entry e;

	/* A leaf named again and again is listed once. */
	hashed(5, 0);
	for (uint32_t i = 0; i < 32; i++)
		put64(block, DI_TAIL + 8 * i, i % 2 ? LEAF : LEAF + 1);
	volume_write(&v, DI, block);
	ip = get();
	T_STR(list(ip), ".. journal0 x . f");
	gfs_inode_put(ip);

	/* A chain that comes back, and one that leads into itself. */
	leaf(LEAF + 3, more, 1, LEAF + 1);
	put_halves(LEAF, LEAF + 1);
	ip = get();
	T_STR(list(ip), ". f .. journal0 x !");
	T_EQ(v.err.code, -GFS_ECYCLE);
	T_EQ(gfs_dir_lookup(ip, "nine", 4, &e), -ENOENT);
	T_EQ(gfs_dir_lookup(ip, "zzz", 3, &e), -GFS_ECYCLE);
	gfs_inode_put(ip);

	/* A leaf outside, one of another type; the rest can be had. */
	put_halves(BLOCKS, LEAF);
	ip = get();
	T_STR(list(ip), "! . f");
	T_EQ(gfs_dir_lookup(ip, "f", 1, &e), -GFS_EOUTSIDE);
	gfs_inode_put(ip);
	put_halves(TABLE, LEAF);
	ip = get();
	T_STR(list(ip), "! . f");
	T_EQ(gfs_dir_lookup(ip, "f", 1, &e), -GFS_ECORRUPT);
	T_EQ(v.err.blk, TABLE);
	gfs_inode_put(ip);

	/* A record that reaches too far; the block is named. */
	leaf(LEAF, low, 2, 0);
	((struct gfs2_dirent *)((char *)block + LEAF_HEAD))->de_rec_len =
		cpu_to_be16(BS);
	volume_write(&v, LEAF, block);
	put_halves(LEAF, LEAF + 3);
	leaf(LEAF + 3, more, 1, 0);
	ip = get();
	T_STR(list(ip), "! x");
	T_EQ(gfs_dir_lookup(ip, "f", 1, &e), -GFS_ECORRUPT);
	T_EQ(v.err.blk, LEAF);
	gfs_inode_put(ip);

	/* Entries 0: a directory that is being removed. */
	put_halves(0, LEAF + 3);
	ip = get();
	T_STR(list(ip), "x");
	T_EQ(gfs_dir_lookup(ip, "f", 1, &e), -ENOENT);
	gfs_inode_put(ip);
}

static void test_no_directory(void)
{
	struct gfs_dir_iter *it;
	struct gfs_dir_entry e;
	struct gfs_inode *ip;

	volume_dinode(&v, block, DI, S_IFREG);
	volume_write(&v, DI, block);
	ip = get();
	T_EQ(gfs_dir_open(&it, ip), -ENOTDIR);
	T_EQ(gfs_dir_lookup(ip, "f", 1, &e), -ENOTDIR);
	gfs_inode_put(ip);
}

int main(void)
{
	if (!volume_bare(&v, BS, BLOCKS))
		return 1;
	test_linear();
	test_hashed();
	test_table_blocks();
	test_damage();
	test_no_directory();
	volume_close(&v);
	return t_done();
}
