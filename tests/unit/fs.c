// SPDX-License-Identifier: GPL-2.0-or-later
/* Opening volumes of gfs2-utils' mkfs: superblock, files, rgrps, paths. */
#include "t.h"

#include "../../libgfs/fs/file.h"
#include "../../libgfs/fs/path.h"
#include "../../libgfs/io/txn.h"
#include "lib/volume.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

static uint64_t block[GFS2_BSIZE_MAX / 8];

static void test_rgrps(struct volume *v)
{
	const struct gfs_rgrps *r = &v->fs->rgrps;
	struct gfs_statfs master, changes, sum = { 0 };
	size_t bad = 0;

	T_OK(r->n >= 1);
	for (uint32_t i = 0; i < r->n; i++) {
		const struct gfs_rgrp *rg = &r->rg[i];
		struct gfs_rgrp_info info;
		uint64_t last = rg->data0 + rg->data - 1;

		bad += gfs_rgrp_read_info(v->fs, rg, &info) != 0;
		bad += info.free != info.counted[GFS2_BLKST_FREE];
		bad += info.dinodes != info.counted[GFS2_BLKST_DINODE];
		bad += info.free + info.dinodes +
		       info.counted[GFS2_BLKST_USED] != rg->data;
		bad += !info.crc_ok || !info.crc;
		bad += gfs_rgrp_find(r, rg->addr) != NULL;
		bad += gfs_rgrp_covering(r, rg->addr) != rg;
		bad += gfs_rgrp_covering(r, rg->addr - 1) == rg;
		bad += gfs_rgrp_find(r, rg->data0) != rg;
		bad += gfs_rgrp_find(r, last) != rg;
		bad += gfs_rgrp_find(r, last + 1) == rg;
		sum.total += rg->data;
		sum.free += info.free;
		sum.dinodes += info.dinodes;
	}
	T_EQ(bad, 0);
	T_EQ(gfs_fs_read_statfs(v->fs, &master, &changes), 0);
	T_EQ(master.total, sum.total);
	T_EQ(master.free, sum.free);
	T_EQ(master.dinodes, sum.dinodes);
	T_EQ(changes.total | changes.free | changes.dinodes, 0);
	/* 3 directories, root; 4 files of master; 2 journals, 6 per node. */
	T_EQ(master.dinodes, 4 + 4 + 2 + 6);
}

/* State of every block: alone, and from the whole bitmap. */
static void test_states(struct volume *v)
{
	const struct gfs_rgrp *rg = &v->fs->rgrps.rg[0];
	uint8_t *map = malloc(rg->bitbytes);
	size_t bad = 0;

	T_EQ(gfs_rgrp_state(v->fs, v->fs->sb.master.addr), GFS2_BLKST_DINODE);
	T_EQ(gfs_rgrp_state(v->fs, v->fs->sb.root.addr), GFS2_BLKST_DINODE);
	T_EQ(gfs_rgrp_state(v->fs, rg->addr), -GFS_EOUTSIDE);
	T_EQ(gfs_rgrp_read_bitmap(v->fs, rg, map), 0);
	for (uint32_t i = 0; i < rg->data; i++) {
		int state = map[i / 4] >> (2 * (i % 4)) & 3;

		bad += gfs_rgrp_state(v->fs, rg->data0 + i) != state;
	}
	T_EQ(bad, 0);
	free(map);
}

static void test_paths(struct volume *v)
{
	const struct gfs_system *sys = &v->fs->sys;
	struct gfs_ino ino;
	uint64_t blk;

	T_EQ(gfs_path_lookup(v->fs, "/", true, &blk), 0);
	T_EQ(blk, v->fs->sb.root.addr);
	T_EQ(gfs_path_lookup(v->fs, "/./../.", true, &blk), 0);
	T_EQ(blk, v->fs->sb.root.addr);
	T_EQ(gfs_path_lookup(v->fs, "//", true, &blk), 0);
	T_EQ(blk, v->fs->sb.master.addr);
	T_EQ(gfs_path_lookup(v->fs, "/.master/jindex/../statfs", true, &blk),
	     0);
	T_EQ(blk, sys->statfs.addr);
	T_EQ(gfs_path_lookup(v->fs, "//per_node/statfs_change1", true, &blk),
	     0);
	T_EQ(gfs_fs_per_node(v->fs, "statfs_change", 1, &ino), 0);
	T_EQ(blk, ino.addr);
	T_EQ(gfs_fs_per_node(v->fs, "statfs_change", 2, &ino), -ENOENT);
	T_EQ(gfs_path_lookup(v->fs, "/nothing", true, &blk), -ENOENT);
	T_EQ(gfs_path_lookup(v->fs, "", true, &blk), -ENOENT);
	T_EQ(gfs_path_lookup(v->fs, "//statfs/x", true, &blk), -ENOTDIR);
	T_EQ(gfs_path_lookup(v->fs, "//statfs/", true, &blk), -ENOTDIR);
	T_EQ(gfs_path_lookup(v->fs, "//jindex/", true, &blk), 0);
	memset(block, 'n', 300);
	((char *)block)[300] = '\0';
	((char *)block)[0] = '/';
	T_EQ(gfs_path_lookup(v->fs, (char *)block, true, &blk), -ENAMETOOLONG);
	memset(block, '/', 5000);
	((char *)block)[5000] = '\0';
	T_EQ(gfs_path_lookup(v->fs, (char *)block, true, &blk), -ENAMETOOLONG);
}

static char found[200];

static int note(void *ctx, uint64_t blk, const char *path)
{
	(void)ctx;
	(void)blk;
	strcat(found, path);
	strcat(found, "\n");
	return strlen(found) > 100;
}

static void test_find(struct volume *v)
{
	const struct gfs_system *sys = &v->fs->sys;
	struct gfs_ino range;
	uint64_t blks[2];

	T_EQ(gfs_fs_per_node(v->fs, "inum_range", 1, &range), 0);
	blks[0] = gfs_min(range.addr, sys->quota.addr);
	blks[1] = gfs_max(range.addr, sys->quota.addr);
	found[0] = '\0';
	T_EQ(gfs_path_find(v->fs, blks, 2, note, NULL), 0);
	T_OK(strlen(found) == strlen("//quota\n//per_node/inum_range1\n"));
	T_OK(strstr(found, "//quota\n") != NULL);
	T_OK(strstr(found, "//per_node/inum_range1\n") != NULL);
	found[0] = '\0';
	T_EQ(gfs_path_find(v->fs, &v->fs->sb.root.addr, 1, note, NULL), 0);
	T_STR(found, "/\n");
}

static void test_stat(struct volume *v)
{
	struct gfs_inode *ip;
	struct stat st;

	T_EQ(gfs_inode_get(v->fs, v->fs->sb.root.addr, &ip), 0);
	gfs_inode_stat(ip, &st);
	T_EQ(st.st_mode, 040755);
	T_EQ(st.st_nlink, 2);
	T_EQ(st.st_ino, v->fs->sb.root.addr);
	T_EQ(st.st_size, v->fs->geom.bsize - 232);
	T_EQ(st.st_blocks, v->fs->geom.bsize / 512);
	T_OK(gfs_inode_is_dir(ip) && !gfs_inode_is_exhash(ip));
	gfs_inode_put(ip);
	T_EQ(gfs_inode_get(v->fs, 0, &ip), -GFS_EOUTSIDE);
	T_EQ(gfs_inode_get(v->fs, v->fs->nblocks, &ip), -GFS_EOUTSIDE);
	T_EQ(gfs_inode_get(v->fs, v->fs->rgrps.rg[0].addr, &ip),
	     -GFS_ECORRUPT);
	T_EQ(v->err.blk, v->fs->rgrps.rg[0].addr);
}

/* Block and byte of the first rindex entry. */
static uint64_t rindex_place(struct volume *v, uint32_t *offset)
{
	struct gfs_inode *ip;
	uint64_t blk;

	if (gfs_inode_get(v->fs, v->fs->sys.rindex.addr, &ip)) {
		printf("Bail out! rindex: %s\n", v->err.text);
		exit(1);
	}
	*offset = ip->height ? 0 : 232;
	blk = ip->height ? gfs_dinode_ptr(ip->buf->data, 0) : ip->blk;
	gfs_inode_put(ip);
	return blk;
}

/* What a transaction has changed is read, and is gone when it is given up. */
static void test_transaction(struct volume *v)
{
	struct gfs_inode *ip;
	struct gfs_buf *buf;
	struct gfs_txn *txn;
	uint32_t offset;
	uint64_t blk = rindex_place(v, &offset);
	char *bytes, old, new;
	size_t got;

	T_EQ(gfs_inode_get(v->fs, v->fs->sys.rindex.addr, &ip), 0);
	T_EQ(gfs_file_read(ip, &old, 1, 40, &got), 0);
	T_EQ(gfs_txn_begin(&txn, v->fs->cache, &v->fs->geom, NULL, 0), 0);
	T_EQ(gfs_buf_get(v->fs->cache, blk, &buf), 0);
	bytes = gfs_txn_edit(txn, buf);
	bytes[offset + 40] = (char)~old;
	T_EQ(gfs_file_read(ip, &new, 1, 40, &got), 0);
	T_EQ(new, (char)~old);
	gfs_txn_abort(txn);
	gfs_buf_put(buf);
	T_EQ(gfs_file_read(ip, &new, 1, 40, &got), 0);
	T_EQ(new, old);
	gfs_inode_put(ip);
}

static void test_sound(uint32_t bsize)
{
	struct volume v;

	if (!T_NAMED(volume_make(&v, bsize, 2), "volume of mkfs.gfs2"))
		return;
	T_EQ(v.fs->geom.bsize, bsize);
	T_EQ(v.fs->njournals, 2);
	T_EQ(v.fs->sb.fs_format, 1802);
	T_STR(v.fs->sb.lockproto, "lock_nolock");
	T_STR(v.fs->sb.locktable, "");
	T_EQ(v.fs->nblocks, (40 << 20) / bsize);
	T_OK(v.fs->sys.jindex.addr && v.fs->sys.per_node.addr &&
	     v.fs->sys.inum.addr && v.fs->sys.statfs.addr &&
	     v.fs->sys.rindex.addr && v.fs->sys.quota.addr);
	T_OK(!gfs_fs_has_block(v.fs, 65536 / bsize));
	T_OK(gfs_fs_has_block(v.fs, 65536 / bsize + 1));
	test_rgrps(&v);
	test_states(&v);
	test_paths(&v);
	test_find(&v);
	test_stat(&v);
	test_transaction(&v);
	volume_close(&v);
}

/* Reopen after a change of the superblock's bytes. */
static int reopen_with(struct volume *v, uint32_t offset, uint32_t value,
		       unsigned int flags)
{
	be32 was, now = cpu_to_be32(value);
	struct gfs_fs *fs;
	int rc = gfs_dev_read(v->dev, &was, 4, 65536 + offset) ||
		 gfs_dev_write(v->dev, &now, 4, 65536 + offset);

	if (rc)
		return 1;
	rc = gfs_fs_open(&fs, v->dev, flags, &v->err);
	gfs_fs_close(fs);
	return gfs_dev_write(v->dev, &was, 4, 65536 + offset) ? 1 : rc;
}

static void test_super(struct volume *v)
{
	T_EQ(reopen_with(v, 0, 0x01161970, 0), 0);
	T_EQ(reopen_with(v, 0, 0x01161971, 0), -GFS_ENOTFS);
	T_EQ(reopen_with(v, 4, 4, GFS_FS_BARE), -GFS_ENOTFS);
	T_EQ(reopen_with(v, 24, 1803, 0), -GFS_EFORMAT);
	T_EQ(reopen_with(v, 24, 1801, 0), 0);
	T_EQ(reopen_with(v, 36, 4095, GFS_FS_BARE), -GFS_ECORRUPT);
	T_EQ(reopen_with(v, 36, 1U << 31, GFS_FS_BARE), -GFS_ECORRUPT);
	/* "fsck_nolock": an interrupted check. */
	T_EQ(reopen_with(v, 96, 0x6673636B, 0), 0);
	/* A master directory elsewhere matters only to a full open. */
	T_EQ(reopen_with(v, 60, 17, GFS_FS_BARE), 0);
	T_EQ(reopen_with(v, 60, 17, 0), -GFS_ECORRUPT);
	T_EQ(reopen_with(v, 60, UINT32_MAX, 0), -GFS_EOUTSIDE);
}

static int load_with(struct volume *v, uint32_t offset, uint64_t value)
{
	const uint32_t bsize = v->fs->geom.bsize;
	uint32_t start;
	uint64_t blk = rindex_place(v, &start);
	int rc;

	volume_read(v, blk, block);
	memcpy((char *)block + bsize, block, bsize);
	put64(block, start + offset, value);
	volume_write(v, blk, block);
	rc = gfs_rgrps_load(v->fs);
	volume_write(v, blk, (char *)block + bsize);
	return rc;
}

static void test_rindex(struct volume *v)
{
	const struct gfs_rgrp rg = v->fs->rgrps.rg[0];
	uint64_t data = (uint64_t)rg.data << 32 | rg.bitbytes;

	T_EQ(load_with(v, 0, rg.addr), 0);
	T_EQ(load_with(v, 0, 0), -GFS_ECORRUPT);
	T_EQ(load_with(v, 0, rg.addr + 1), -GFS_ECORRUPT);
	T_EQ(load_with(v, 24, data + 4), -GFS_ECORRUPT);
	T_EQ(load_with(v, 24, (uint64_t)rg.bitbytes << 35), -GFS_ECORRUPT);
	T_EQ(v->fs->rgrps.n, 0);
	T_OK(v->fs->rgrps.rg == NULL);
	T_EQ(load_with(v, 0, rg.addr), 0);
	/* A shorter device: the last group does not end on it any more. */
	v->fs->nblocks--;
	while (v->fs->nblocks > rg.addr && !gfs_rgrps_load(v->fs))
		v->fs->nblocks--;
	T_EQ(gfs_rgrps_load(v->fs), -GFS_EOUTSIDE);
}

static void test_damaged(void)
{
	struct gfs_dev *small;
	struct gfs_error err;
	struct gfs_fs *fs;
	struct volume v;

	T_EQ(gfs_dev_mem_open(&small, 65536), 0);
	T_EQ(gfs_fs_open(&fs, small, 0, &err), -GFS_ENOTFS);
	gfs_dev_close(small);
	T_EQ(gfs_dev_mem_open(&small, 1 << 20), 0);
	T_EQ(gfs_fs_open(&fs, small, 0, &err), -GFS_ENOTFS);
	gfs_dev_close(small);
	if (!T_NAMED(volume_make(&v, 4096, 1), "volume of mkfs.gfs2"))
		return;
	test_super(&v);
	test_rindex(&v);
	volume_close(&v);
}

int main(void)
{
	test_sound(512);
	test_sound(1024);
	test_sound(2048);
	test_sound(4096);
	test_damaged();
	return t_done();
}
