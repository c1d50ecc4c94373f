/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A volume: superblock, geometry, system files, resource groups. Everything
 * read from it goes through one cache.
 */
#ifndef GFS_FS_H
#define GFS_FS_H

#include "../format/geom.h"
#include "../io/buf.h"
#include "rgrp.h"

struct gfs_ino {
	uint64_t formal;
	uint64_t addr; /* block of the dinode; 0: none */
};

/* The validated superblock in host order. */
struct gfs_super {
	uint32_t fs_format;
	struct gfs_ino master;
	struct gfs_ino root;
	char lockproto[GFS2_LOCKNAME_LEN + 1]; /* always terminated */
	char locktable[GFS2_LOCKNAME_LEN + 1];
	uint8_t uuid[16];
};

/* System inodes by role, found by name in master; addr 0 when missing. */
struct gfs_system {
	struct gfs_ino jindex, per_node, inum, statfs, rindex, quota;
};

struct gfs_fs {
	struct gfs_dev *dev;     /* not owned */
	struct gfs_cache *cache; /* owned */
	struct gfs_geom geom;
	struct gfs_super sb;
	struct gfs_system sys;
	struct gfs_rgrps rgrps;  /* empty until loaded */
	uint32_t njournals;      /* journal0.. without a gap, counted */
	uint64_t nblocks;        /* whole blocks of the device */
	struct gfs_error *err;   /* not owned, never NULL */
};

enum gfs_fs_open_flags {
	GFS_FS_BARE = 1, /* superblock and geometry only: no system files, no
			  * rgrps; for damaged volumes */
};

/*
 * Open a volume on dev. err must outlive the volume and gets the texts of all
 * failures. -GFS_ENOTFS: no superblock; -GFS_EFORMAT: newer than we know;
 * -GFS_ECORRUPT. Without GFS_FS_BARE master's entries, the journals and the
 * rgrps are read as well and must be sound.
 */
int gfs_fs_open(struct gfs_fs **fs, struct gfs_dev *dev, unsigned int flags,
		struct gfs_error *err) GFS_MUST;
void gfs_fs_close(struct gfs_fs *fs);

/* The parts of a full open, for callers that must go on after a failure. */
int gfs_fs_read_super(struct gfs_fs *fs) GFS_MUST;
int gfs_fs_find_system(struct gfs_fs *fs) GFS_MUST; /* fills sys */
int gfs_fs_count_journals(struct gfs_fs *fs) GFS_MUST;

/* Is blk behind the superblock and on the device? Nothing about rgrps. */
bool gfs_fs_has_block(const struct gfs_fs *fs, uint64_t blk);
/* Is blk a data block of some rgrp? Needs loaded rgrps. */
bool gfs_fs_is_data_block(const struct gfs_fs *fs, uint64_t blk);

/* statfs as recorded: master file plus all statfs_changeN. */
struct gfs_statfs {
	int64_t total, free, dinodes;
};
int gfs_fs_read_statfs(struct gfs_fs *fs, struct gfs_statfs *master,
		       struct gfs_statfs *changes) GFS_MUST;
/* Inode of per_node/NAME%u ("statfs_change", 0); -ENOENT. */
int gfs_fs_per_node(struct gfs_fs *fs, const char *name, uint32_t jid,
		    struct gfs_ino *ino) GFS_MUST;

#endif
