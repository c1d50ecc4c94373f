/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Volumes in memory for tests of libgfs/fs: made by mkfs.gfs2 of gfs2-utils,
 * or bare devices on which a test puts blocks by hand.
 */
#ifndef VOLUME_H
#define VOLUME_H

#include "../../../libgfs/fs/fs.h"

struct volume {
	struct gfs_dev *dev;
	struct gfs_fs *fs;
	struct gfs_error err;
};

/*
 * A volume of 40 MiB with journals of 8 MiB, made by the peer's mkfs.gfs2 and
 * opened in full. False, with a line of diagnosis, when that fails.
 */
bool volume_make(struct volume *v, uint32_t bsize, unsigned int journals);

/* The same without opening: v->fs is NULL. */
bool volume_make_image(struct volume *v, uint32_t bsize,
		       unsigned int journals);

/* A zero-filled device of n blocks with a volume handle that knows no more
 * than its geometry. */
bool volume_bare(struct volume *v, uint32_t bsize, uint64_t n);

void volume_close(struct volume *v);

/* Whole blocks, past the cache; a failure ends the program. */
void volume_read(struct volume *v, uint64_t blk, void *block);
void volume_write(struct volume *v, uint64_t blk, const void *block);

/* A dinode that the verifier takes, to be changed before it is written. */
struct gfs2_dinode *volume_dinode(struct volume *v, void *block, uint64_t blk,
				  uint32_t mode);

/* Write a big-endian number at a byte offset of a block in memory. */
void put64(void *block, size_t offset, uint64_t value);
/* Write a metadata header of this type into a block in memory. */
void put_header(void *block, uint32_t mh_type);

#endif
