/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entries of directories: adding, removing, changing what they name, with the
 * kernel's growth from linear to hashed to chains of leaves. Link counts of
 * the inodes named are the matter of names.h.
 */
#ifndef GFS_DIR_WRITE_H
#define GFS_DIR_WRITE_H

#include "dir.h"
#include "writer.h"

/* A name of an entry: any bytes but NUL and '/', 1 to 255 of them. */
struct gfs_name {
	const char *name;
	uint32_t len;
};

/* What an entry says of its inode. */
struct gfs_dir_target {
	struct gfs_ino ino;
	uint32_t mode; /* st_mode, for de_type */
	bool rahead;   /* the xattr block follows the dinode */
};
void gfs_dir_target_of(const struct gfs_inode *ip, struct gfs_dir_target *t);

/* Where a new entry is to go. Good until the directory changes. */
struct gfs_dir_room {
	uint64_t blk;    /* leaf, or the dinode */
	uint32_t offset; /* of the record with room */
};

/*
 * Make sure that a name can be added. The directory may grow; whatever comes
 * of it, it is consistent. -EEXIST, -ENOSPC, -EINVAL or -ENAMETOOLONG for what
 * is no name, -ENOTDIR.
 */
int gfs_dir_prepare(struct gfs_writer *w, struct gfs_inode *dir,
		    const struct gfs_name *name,
		    struct gfs_dir_room *room) GFS_MUST;

/* Add the entry that was prepared for. A directory adds a link to dir. */
int gfs_dir_insert(struct gfs_writer *w, struct gfs_inode *dir,
		   const struct gfs_name *name, const struct gfs_dir_target *t,
		   const struct gfs_dir_room *room) GFS_MUST;

/* Both together. */
int gfs_dir_add(struct gfs_writer *w, struct gfs_inode *dir,
		const struct gfs_name *name,
		const struct gfs_dir_target *t) GFS_MUST;

/*
 * Remove an entry; one of type directory takes a link from dir, except "..".
 * -ENOENT. Directories never shrink.
 */
int gfs_dir_remove(struct gfs_writer *w, struct gfs_inode *dir,
		   const struct gfs_name *name) GFS_MUST;

/*
 * Let an entry name another inode; dir's link count follows when one of the
 * two is a directory and the other is not. -ENOENT.
 */
int gfs_dir_replace(struct gfs_writer *w, struct gfs_inode *dir,
		    const struct gfs_name *name,
		    const struct gfs_dir_target *t) GFS_MUST;

/* Fill a new dinode's tail with "." and "..". */
void gfs_dir_init(const struct gfs_geom *g, struct gfs2_dinode *di,
		  const struct gfs_ino *parent);

/* Free all leaves and the table of a hashed directory that is removed. */
int gfs_dir_release(struct gfs_writer *w, struct gfs_inode *dir) GFS_MUST;

#endif
