// SPDX-License-Identifier: GPL-2.0-or-later
/* The superblock: checked raw, since nothing can be opened with a bad one. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../libgfs/format/blocktype.h"
#include "fsck.h"

#define FORMAT_PLAUSIBLE_MAX 1899U /* newer kernels' formats */

static int not_gfs2(struct fsck *f, const char *why)
{
	fsck_complain(f, "not a GFS2 filesystem: %s", why);
	return -GFS_ENOTFS;
}

/* The superblock's first sector, as the view has it. */
static int read_sb(struct fsck *f, struct gfs2_sb *sb)
{
	struct gfs_dev *dev = f->view ? f->view : f->counter;
	uint8_t sector[GFS2_BASIC_BLOCK];
	int rc;

	if (dev->size < GFS2_SB_OFFSET + sizeof(sector))
		return not_gfs2(f, "the device is too small");
	rc = gfs_dev_read(dev, sector, sizeof(sector), GFS2_SB_OFFSET);
	if (rc)
		return fsck_report(f, gfs_fail(&f->err, rc, GFS_NO_BLOCK,
					       "reading the superblock"));
	memcpy(sb, sector, sizeof(*sb));
	if (!gfs_block_is(sector, GFS2_METATYPE_SB))
		return not_gfs2(f, "no superblock");
	return 0;
}

static bool bsize_valid(uint64_t bsize)
{
	return gfs_is_pow2(bsize) && bsize >= GFS2_BSIZE_MIN &&
	       bsize <= GFS2_BSIZE_MAX;
}

/* With blocks of bsize bytes, is there a dinode where master should be? */
static bool bsize_fits(struct fsck *f, const struct gfs2_sb *sb, uint64_t bsize)
{
	uint64_t addr = be64_to_cpu(sb->sb_master_dir.no_addr);
	struct gfs_dev *dev = f->view ? f->view : f->dev;
	uint8_t sector[GFS2_BASIC_BLOCK];
	struct gfs2_dinode di;

	if (addr >= dev->size / bsize ||
	    gfs_dev_read(dev, sector, sizeof(sector), addr * bsize))
		return false;
	memcpy(&di, sector, sizeof(di));
	return gfs_block_is(sector, GFS2_METATYPE_DI) &&
	       be64_to_cpu(di.di_num.no_addr) == addr;
}

/* The true block size; 0 when there is no telling. */
static uint32_t find_bsize(struct fsck *f, const struct gfs2_sb *sb)
{
	uint32_t stored = be32_to_cpu(sb->sb_bsize);
	uint32_t shift = be32_to_cpu(sb->sb_bsize_shift);

	if (bsize_valid(stored) && shift == gfs_log2(stored))
		return stored;
	if (bsize_valid(stored) && bsize_fits(f, sb, stored))
		return stored;
	for (uint32_t b = GFS2_BSIZE_MIN; b <= GFS2_BSIZE_MAX; b *= 2)
		if (bsize_fits(f, sb, b))
			return b;
	return bsize_valid(stored) ? stored : 0;
}

/* The repair is made in the view in any case, so that checking can go on. */
static void answered(struct fsck *f, bool fix)
{
	if (!fix)
		f->keep_sb = true;
}

static void check_formats(struct fsck *f, struct gfs2_sb *sb, uint64_t blk)
{
	uint32_t fmt = be32_to_cpu(sb->sb_header.mh_format);
	uint32_t multi = be32_to_cpu(sb->sb_multihost_format);

	if (fmt != GFS2_FORMAT_SB) {
		answered(f, problem(f, CK_SB_FORMAT, at_block(blk), "%u", fmt));
		sb->sb_header.mh_format = cpu_to_be32(GFS2_FORMAT_SB);
	}
	if (multi != GFS2_FORMAT_MULTI) {
		answered(f, problem(f, CK_SB_MULTIHOST, at_block(blk), "%u",
				    multi));
		sb->sb_multihost_format = cpu_to_be32(GFS2_FORMAT_MULTI);
	}
}

static void check_bsize(struct fsck *f, struct gfs2_sb *sb, uint64_t blk,
			uint32_t bsize)
{
	uint32_t stored = be32_to_cpu(sb->sb_bsize);
	uint32_t shift = be32_to_cpu(sb->sb_bsize_shift);

	if (stored != bsize) {
		answered(f, problem(f, CK_SB_BSIZE, at_block(blk),
				    "recorded %u, found %u", stored, bsize));
		sb->sb_bsize = cpu_to_be32(bsize);
	}
	if (shift != gfs_log2(bsize)) {
		answered(f, problem(f, CK_SB_SHIFT, at_block(blk), "%u for %u",
				    shift, bsize));
		sb->sb_bsize_shift = cpu_to_be32(gfs_log2(bsize));
	}
}

static int check_version(struct fsck *f, struct gfs2_sb *sb, uint64_t blk)
{
	uint32_t version = be32_to_cpu(sb->sb_fs_format);

	if (version > GFS2_FORMAT_FS_MAX && version <= FORMAT_PLAUSIBLE_MAX) {
		fsck_complain(f, "filesystem format %u is newer than %u: "
			      "a newer fsck.gfs2 is needed", version,
			      GFS2_FORMAT_FS_MAX);
		f->failed = false;
		f->refused = true;
		return -GFS_EFORMAT;
	}
	if (version < GFS2_FORMAT_FS_MIN || version > FORMAT_PLAUSIBLE_MAX) {
		answered(f, problem(f, CK_SB_VERSION, at_block(blk), "%u",
				    version));
		sb->sb_fs_format = cpu_to_be32(GFS2_FORMAT_FS_MAX);
	}
	return 0;
}

static void check_locks(struct fsck *f, struct gfs2_sb *sb, uint64_t blk)
{
	char *proto = sb->sb_lockproto, *table = sb->sb_locktable;

	if (!memcmp(proto, "fsck_", 5)) {
		bool fix = problem(f, CK_SB_LOCKPROTO, at_block(blk), "%.63s",
				   proto);

		answered(f, fix);
		memcpy(proto, "lock_", 5);
		f->opts.force = true;
	}
	if (strncmp(proto, "lock_dlm", GFS2_LOCKNAME_LEN) &&
	    strncmp(proto, "lock_nolock", GFS2_LOCKNAME_LEN))
		problem_note(f, CK_SB_LOCKPROTO_X, at_block(blk), "\"%.63s\"",
			     proto);
	if (memchr(table, '\0', GFS2_LOCKNAME_LEN))
		return;
	answered(f, problem(f, CK_SB_LOCKTABLE, at_block(blk), "\"%.64s\"",
			    table));
	table[GFS2_LOCKNAME_LEN - 1] = '\0';
}

/* The view begins: an overlay in blocks of bsize bytes. */
static int open_view(struct fsck *f, uint32_t bsize)
{
	int rc;

	reads_begin(f->counter, bsize, f->opts.verbosity > 0 || f->opts.json);
	if (f->view)
		return 0;
	rc = gfs_dev_overlay_open(&f->view, f->counter, bsize, 0);
	if (rc)
		return fsck_report(f, gfs_fail(&f->err, rc, GFS_NO_BLOCK,
					       "repair view"));
	return 0;
}

static int write_sb(struct fsck *f, const struct gfs2_sb *sb)
{
	uint8_t sector[GFS2_BASIC_BLOCK];
	int rc = gfs_dev_read(f->view, sector, sizeof(sector), GFS2_SB_OFFSET);

	if (!rc) {
		memcpy(sector, sb, sizeof(*sb));
		rc = gfs_dev_write(f->view, sector, sizeof(sector),
				   GFS2_SB_OFFSET);
	}
	if (rc)
		return fsck_report(f, gfs_fail(&f->err, rc, GFS_NO_BLOCK,
					       "superblock in memory"));
	return 0;
}

int fsck_super(struct fsck *f)
{
	struct gfs2_sb sb, old;
	uint64_t blk;
	uint32_t bsize;
	int rc;

	rc = read_sb(f, &sb);
	if (rc)
		return rc;
	bsize = find_bsize(f, &sb);
	if (!bsize)
		return not_gfs2(f, "the block size is unknown");
	blk = GFS2_SB_OFFSET / bsize;
	rc = open_view(f, bsize);
	if (rc)
		return rc;
	old = sb;
	rc = check_version(f, &sb, blk);
	if (rc)
		return rc;
	check_formats(f, &sb, blk);
	check_bsize(f, &sb, blk, bsize);
	check_locks(f, &sb, blk);
	if (memcmp(&old, &sb, sizeof(sb))) {
		rc = write_sb(f, &sb);
		if (rc)
			return rc;
	}
	rc = gfs_fs_open(&f->fs, f->view, GFS_FS_BARE, &f->err);
	return rc ? fsck_report(f, rc) : 0;
}

/* The dinode an inum of the superblock leads to: 1 sound, 0 not, < 0. */
static int named_dinode(struct fsck *f, uint64_t addr, struct gfs2_dinode *di)
{
	struct gfs_buf *buf;
	bool ok;
	int rc;

	if (!gfs_fs_has_block(f->fs, addr))
		return 0;
	rc = gfs_buf_get(f->fs->cache, addr, &buf);
	if (rc)
		return fsck_report(f, rc);
	memcpy(di, buf->data, sizeof(*di));
	ok = gfs_block_is(buf->data, GFS2_METATYPE_DI);
	gfs_buf_put(buf);
	return ok;
}

int fsck_mend_number(struct fsck *f, uint64_t addr)
{
	struct gfs2_dinode di;
	int rc = named_dinode(f, addr, &di);

	if (rc <= 0 || be64_to_cpu(di.di_num.no_addr) == addr)
		return rc < 0 ? rc : 0;
	if (problem(f, CK_DI_ADDR, at_inode(addr, addr), "%" PRIu64,
		    be64_to_cpu(di.di_num.no_addr)))
		edit_set(f, addr, offsetof(struct gfs2_dinode, di_num.no_addr),
			 8, addr);
	return 0;
}

static int check_named(struct fsck *f, enum fsck_check check,
		       const struct gfs_ino *ino, uint32_t off,
		       const char *name)
{
	uint64_t blk = f->fs->geom.sb_blk;
	struct gfs2_dinode di;
	uint64_t formal;
	int rc = named_dinode(f, ino->addr, &di);

	if (rc < 0)
		return rc;
	if (!rc) {
		problem_note(f, check, at_block(blk),
			     "%s directory at %" PRIu64, name, ino->addr);
		return 1;
	}
	rc = fsck_mend_number(f, ino->addr);
	if (rc)
		return rc;
	formal = be64_to_cpu(di.di_num.no_formal_ino);
	if (formal != ino->formal && formal &&
	    problem(f, CK_SB_FORMAL, at_inode(ino->addr, blk),
		    "%s: recorded %" PRIu64 ", dinode has %" PRIu64, name,
		    ino->formal, formal))
		edit_set(f, blk, off, 8, formal);
	return 0;
}

int fsck_super_inodes(struct fsck *f)
{
	const struct gfs_super *sb = &f->fs->sb;
	int rc;

	rc = check_named(f, CK_SB_MASTER, &sb->master,
			 offsetof(struct gfs2_sb, sb_master_dir), "master");
	if (rc > 0) {
		fsck_say(f, 0, "Without the master directory nothing can be "
			 "checked.\n");
		return -GFS_ECORRUPT;
	}
	if (rc < 0)
		return rc;
	rc = check_named(f, CK_SB_ROOT, &sb->root,
			 offsetof(struct gfs2_sb, sb_root_dir), "root");
	if (rc > 0)
		f->blind = true;
	return rc < 0 ? rc : 0;
}
