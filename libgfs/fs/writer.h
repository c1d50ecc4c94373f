/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changing a volume: a writer holds the running transaction, what is known of
 * the resource groups, and the sums for statfs. The operations of alloc.h,
 * inode_new.h, file_write.h, dir_write.h, names.h and xattr_write.h take one.
 *
 * Each operation leaves a consistent volume behind it, so that a transaction
 * may end after any of them. -ENOSPC and errors that an operation names in its
 * comment leave the volume as consistent. Any other failure in the middle of a
 * change spoils the transaction: it can only be given up.
 */
#ifndef GFS_WRITER_H
#define GFS_WRITER_H

#include "inode.h"

#include <time.h>

struct gfs_txn;
struct gfs_undo;
struct gfs_log;
struct gfs_alloc;

struct gfs_writer_opts {
	/* The caller's running transaction: the writer never ends it. */
	struct gfs_txn *txn;
	/* Else transactions of its own, with these (not owned, may be NULL). */
	struct gfs_undo *undo;
	struct gfs_log *log; /* commits go through it; NULL: in place */
	uint64_t batch;      /* blocks edited after which a checkpoint
			      * commits; 0: 32 MiB worth of them */
	struct timespec now; /* of time stamps; 0: the clock at opening */
	uint32_t rgrps;      /* allocate in the first so many groups; 0: all */
	/* Blocks not to be allocated although they are free; may be NULL. */
	bool (*avoid)(void *ctx, uint64_t blk);
	void *ctx;
};

struct gfs_writer {
	struct gfs_fs *fs;
	struct gfs_writer_opts opts;
	struct gfs_txn *txn;     /* running, or NULL */
	struct gfs_alloc *alloc; /* private to alloc.c */
	bool spoiled;            /* only gfs_writer_abort() is left */
};

/*
 * Open a writer on a volume with loaded rgrps. opts may be NULL. -ENOMEM.
 * Close gives up what was not committed; NULL is fine.
 */
int gfs_writer_open(struct gfs_writer **w, struct gfs_fs *fs,
		    const struct gfs_writer_opts *opts) GFS_MUST;
void gfs_writer_close(struct gfs_writer *w);

/*
 * End of an operation: commits when the batch is full. With a transaction of
 * the caller only the sums are entered.
 */
int gfs_writer_checkpoint(struct gfs_writer *w) GFS_MUST;

/*
 * Enter statfs sums and commit; blocks freed since the last commit can be
 * allocated from now on. With a transaction of the caller the sums are
 * entered, and freed blocks stay out of use: the caller commits, then opens a
 * new writer. -EINVAL when spoiled. After a failure the transaction is gone.
 */
int gfs_writer_commit(struct gfs_writer *w) GFS_MUST;

/*
 * Give up the transaction. Inodes borrowed since the last commit are out of
 * date and must be put. A transaction of the caller is the caller's to abort;
 * the writer only forgets.
 */
void gfs_writer_abort(struct gfs_writer *w);

/* For the operations. */

/* Writable bytes of a borrowed block; NULL (recorded, spoiled) on failure. */
void *gfs_writer_edit(struct gfs_writer *w, struct gfs_buf *buf);
/* Writable, zeroed block; with a header of mh_type unless that is 0. */
int gfs_writer_fresh(struct gfs_writer *w, uint64_t blk, uint32_t mh_type,
		     void **data) GFS_MUST;
/* The writable dinode of an inode; NULL (recorded, spoiled) on failure. */
struct gfs2_dinode *gfs_writer_dinode(struct gfs_writer *w,
				      struct gfs_inode *ip);
/* Stamp mtime and ctime, or ctime alone, with the writer's time. */
void gfs_writer_touch(const struct gfs_writer *w, struct gfs2_dinode *di,
		      bool mtime);
/*
 * End of an operation: rc as it is; unless it is 0 or leaves a consistent
 * volume (-ENOSPC, -EEXIST and other refusals) the transaction is spoiled.
 */
int gfs_writer_result(struct gfs_writer *w, int rc) GFS_MUST;

#endif
