// SPDX-License-Identifier: GPL-2.0-or-later
/* Block trees built by hand: every height, holes, limits, hostile pointers. */
#include "t.h"

#include "../../libgfs/fs/bmap.h"
#include "../../libgfs/fs/file.h"
#include "lib/volume.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { BS = 512, BLOCKS = 2000, DI = 200, IN = 300, DATA = 1000 };
enum { DIPTRS = 35, INPTRS = 61, DI_TAIL = 232, IN_TAIL = 24 };

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

static struct gfs2_dinode *file(uint32_t height, uint64_t size)
{
	struct gfs2_dinode *di = volume_dinode(&v, block, DI, S_IFREG | 0644);

	di->di_height = cpu_to_be16((uint16_t)height);
	di->di_size = cpu_to_be64(size);
	return di;
}

static void indirect(uint64_t blk, uint32_t slot, uint64_t ptr)
{
	volume_read(&v, blk, block);
	put_header(block, GFS2_METATYPE_IN);
	put64(block, IN_TAIL + 8 * slot, ptr);
	volume_write(&v, blk, block);
}

static bool is_extent(const struct gfs_extent *e, uint64_t lblk,
		      uint64_t count, uint64_t pblk)
{
	bool ok = e->lblk == lblk && e->count == count && e->pblk == pblk;

	if (!ok)
		printf("# got %" PRIu64 "+%" PRIu64 " at %" PRIu64 "\n",
		       e->lblk, e->count, e->pblk);
	return ok;
}

/* Mapped 3..5 to 1000.., 6 to 1010, the last pointer to 1020. */
static void test_one_level(void)
{
	struct gfs_inode *ip;
	struct gfs_extent e;

	file(1, DIPTRS * BS);
	for (uint32_t i = 0; i < 3; i++)
		put64(block, DI_TAIL + 8 * (3 + i), DATA + i);
	put64(block, DI_TAIL + 8 * 6, DATA + 10);
	put64(block, DI_TAIL + 8 * (DIPTRS - 1), DATA + 20);
	volume_write(&v, DI, block);
	ip = get();
	T_EQ(gfs_bmap(ip, 0, 100, &e), 0);
	T_OK(is_extent(&e, 0, 3, 0));
	T_EQ(gfs_bmap(ip, 3, 100, &e), 0);
	T_OK(is_extent(&e, 3, 3, DATA));
	T_EQ(gfs_bmap(ip, 4, 1, &e), 0);
	T_OK(is_extent(&e, 4, 1, DATA + 1));
	T_EQ(gfs_bmap(ip, 7, 10, &e), 0);
	T_OK(is_extent(&e, 7, 10, 0));
	T_EQ(gfs_bmap(ip, DIPTRS, 5, &e), 0);
	T_OK(is_extent(&e, DIPTRS, 5, 0));
	T_EQ(gfs_bmap(ip, UINT64_MAX - 1, 5, &e), 0);
	T_OK(is_extent(&e, UINT64_MAX - 1, 1, 0));
	T_EQ(gfs_bmap_next(ip, 0, 100, &e), 1);
	T_OK(is_extent(&e, 3, 3, DATA));
	T_EQ(gfs_bmap_next(ip, 7, 100, &e), 1);
	T_EQ(e.lblk, DIPTRS - 1);
	T_EQ(e.pblk, DATA + 20);
	T_EQ(gfs_bmap_next(ip, DIPTRS, 100, &e), 0);
	T_EQ(gfs_bmap_next(ip, UINT64_MAX, 100, &e), 0);
	gfs_inode_put(ip);
}

/*
 * A run over the border of two indirect blocks, and a far block: in a tree of
 * height 3 pointer 2 of the dinode starts at block 2 * 61 * 61.
 */
static void test_three_levels(void)
{
	const uint64_t far = 2 * INPTRS * INPTRS + 5 * INPTRS + 7;
	struct gfs_inode *ip;
	struct gfs_extent e;

	file(3, (far + 1) * BS);
	put64(block, DI_TAIL, IN);
	put64(block, DI_TAIL + 16, IN + 1);
	volume_write(&v, DI, block);
	indirect(IN, 0, IN + 2);
	indirect(IN, 1, IN + 3);
	indirect(IN + 2, INPTRS - 1, DATA);
	indirect(IN + 3, 0, DATA + 1);
	indirect(IN + 3, 1, DATA + 2);
	indirect(IN + 1, 5, IN + 4);
	indirect(IN + 4, 7, DATA + 3);
	ip = get();
	T_EQ(gfs_bmap(ip, INPTRS - 1, 100, &e), 0);
	T_OK(is_extent(&e, INPTRS - 1, 3, DATA));
	T_EQ(gfs_bmap(ip, INPTRS + 2, UINT64_MAX, &e), 0);
	T_OK(is_extent(&e, INPTRS + 2, far - INPTRS - 2, 0));
	T_EQ(gfs_bmap_next(ip, INPTRS + 2, 9, &e), 1);
	T_OK(is_extent(&e, far, 1, DATA + 3));
	T_EQ(gfs_bmap_next(ip, far + 1, 9, &e), 0);
	/* Going back works as well as forth. */
	T_EQ(gfs_bmap(ip, 0, 1, &e), 0);
	T_OK(is_extent(&e, 0, 1, 0));
	T_EQ(gfs_bmap(ip, INPTRS, 1, &e), 0);
	T_OK(is_extent(&e, INPTRS, 1, DATA + 1));
	gfs_inode_put(ip);
}

/* Height 10: the last byte of a file of 2^63 - 1 bytes. */
static void test_highest(void)
{
	const uint64_t last = (UINT64_C(1) << 63) / BS - 1;
	uint64_t digits[10], rest = last;
	struct gfs_inode *ip;
	struct gfs_extent e;
	size_t got;
	char c;

	for (int i = 9; i > 0; i--) {
		digits[i] = rest % INPTRS;
		rest /= INPTRS;
	}
	digits[0] = rest;
	file(10, INT64_MAX);
	put64(block, DI_TAIL + 8 * digits[0], IN + 10);
	volume_write(&v, DI, block);
	for (uint32_t i = 1; i < 10; i++)
		indirect(IN + 9 + i, (uint32_t)digits[i],
			 i < 9 ? IN + 10 + i : DATA);
	memset(block, 'x', sizeof(block));
	volume_write(&v, DATA, block);
	ip = get();
	T_EQ(gfs_bmap_next(ip, 0, 9, &e), 1);
	T_OK(is_extent(&e, last, 1, DATA));
	T_EQ(gfs_bmap(ip, 0, UINT64_MAX, &e), 0);
	T_OK(is_extent(&e, 0, last, 0));
	T_EQ(gfs_file_read(ip, &c, 1, INT64_MAX - 1, &got), 0);
	T_EQ(got, 1);
	T_EQ(c, 'x');
	T_EQ(gfs_file_read(ip, &c, 1, INT64_MAX, &got), 0);
	T_EQ(got, 0);
	T_EQ(gfs_file_read(ip, &c, 1, INT64_MAX / 2, &got), 0);
	T_EQ(c, 0);
	gfs_inode_put(ip);
}

static int map_of(uint32_t height, uint64_t ptr, struct gfs_extent *e)
{
	struct gfs_inode *ip;
	int rc;

	file(height, height ? BS : 1);
	put64(block, DI_TAIL, ptr);
	volume_write(&v, DI, block);
	ip = get();
	rc = gfs_bmap(ip, 0, 10, e);
	gfs_inode_put(ip);
	return rc;
}

static void test_bad_pointers(void)
{
	struct gfs_extent e;

	T_EQ(map_of(1, BLOCKS, &e), -GFS_EOUTSIDE);
	T_EQ(map_of(1, 1, &e), -GFS_EOUTSIDE);
	T_EQ(map_of(1, UINT64_MAX, &e), -GFS_EOUTSIDE);
	T_EQ(map_of(1, BLOCKS - 1, &e), 0);
	T_OK(is_extent(&e, 0, 1, BLOCKS - 1));
	T_EQ(map_of(2, BLOCKS, &e), -GFS_EOUTSIDE);
	T_EQ(v.err.blk, BLOCKS);
	T_EQ(map_of(2, DATA, &e), -GFS_ECORRUPT);
	T_EQ(v.err.blk, DATA);
	T_EQ(map_of(0, 0, &e), -EINVAL);
}

/* Indirect blocks that only name each other: 61^9 branches, no data. */
static void test_cycle(void)
{
	struct gfs_inode *ip;
	struct gfs_extent e;
	int rc;

	for (uint32_t i = 0; i < INPTRS; i++)
		indirect(IN + 30, i, i % 2 ? IN + 30 : IN + 31);
	for (uint32_t i = 0; i < INPTRS; i++)
		indirect(IN + 31, i, i % 2 ? IN + 31 : IN + 30);
	file(10, INT64_MAX);
	put64(block, DI_TAIL, IN + 30);
	volume_write(&v, DI, block);
	ip = get();
	T_EQ(gfs_bmap(ip, 0, UINT64_MAX, &e), 0);
	for (uint64_t at = 0; (rc = gfs_bmap_next(ip, at, 1, &e)) == 1;)
		at = e.lblk + e.count;
	T_EQ(rc, -GFS_ECYCLE);
	gfs_inode_put(ip);
}

/* Pieces that begin and end in the middle of blocks, holes between. */
static void test_read(void)
{
	char want[5 * BS], got[5 * BS];
	struct gfs_inode *ip;
	size_t n, bad = 0;

	memset(want, 0, sizeof(want));
	for (uint32_t i = 0; i < 4; i++) {
		if (i == 1)
			continue;
		for (uint32_t k = 0; k < BS; k++)
			want[i * BS + k] = (char)(i * 7 + k * 3);
		volume_write(&v, DATA + i, want + i * BS);
	}
	file(1, 5 * BS - 100);
	put64(block, DI_TAIL, DATA);
	put64(block, DI_TAIL + 16, DATA + 2);
	put64(block, DI_TAIL + 24, DATA + 3);
	volume_write(&v, DI, block);
	ip = get();
	for (uint32_t off = 0; off < 5 * BS; off += 37) {
		for (uint32_t len = 1; len < 5 * BS; len += 101) {
			uint32_t end = off + len;
			size_t left = 5 * BS - 100;

			end = end < left ? end : (uint32_t)left;
			memset(got, 1, sizeof(got));
			bad += gfs_file_read(ip, got, len, off, &n) != 0;
			bad += n != (off < end ? end - off : 0);
			bad += off < end && memcmp(got, want + off, n);
		}
	}
	T_EQ(bad, 0);
	gfs_inode_put(ip);
}

int main(void)
{
	if (!volume_bare(&v, BS, BLOCKS))
		return 1;
	test_one_level();
	test_three_levels();
	test_highest();
	test_bad_pointers();
	test_cycle();
	test_read();
	volume_close(&v);
	return t_done();
}
