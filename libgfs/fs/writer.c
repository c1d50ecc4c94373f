// SPDX-License-Identifier: GPL-2.0-or-later
/* Writers: their transactions, batches, and what operations share. */
#include "writer.h"

#include "../format/blocktype.h"
#include "../io/txn.h"
#include "alloc.h"

#include <errno.h>
#include <stdlib.h>

#define DEFAULT_BATCH (32U << 20) /* bytes */

int gfs_writer_open(struct gfs_writer **w, struct gfs_fs *fs,
		    const struct gfs_writer_opts *opts)
{
	struct gfs_writer *x = calloc(1, sizeof(*x));
	int rc;

	*w = NULL;
	if (!x)
		return gfs_fail(fs->err, ENOMEM, GFS_NO_BLOCK, "no writer");
	x->fs = fs;
	if (opts)
		x->opts = *opts;
	x->txn = x->opts.txn;
	if (!x->opts.batch)
		x->opts.batch = DEFAULT_BATCH >> fs->geom.shift;
	if (!x->opts.now.tv_sec && !x->opts.now.tv_nsec)
		clock_gettime(CLOCK_REALTIME, &x->opts.now);
	rc = gfs_alloc_open(x);
	if (rc) {
		free(x);
		return rc;
	}
	*w = x;
	return 0;
}

void gfs_writer_close(struct gfs_writer *w)
{
	if (!w)
		return;
	gfs_writer_abort(w);
	gfs_alloc_close(w);
	free(w);
}

int gfs_writer_commit(struct gfs_writer *w)
{
	struct gfs_txn *txn = w->txn;
	int rc;

	if (w->spoiled)
		return gfs_fail(w->fs->err, EINVAL, GFS_NO_BLOCK,
				"a failed change cannot be committed");
	rc = gfs_alloc_settle(w);
	if (rc || !txn || w->opts.txn) {
		if (rc)
			gfs_writer_abort(w);
		return rc;
	}
	w->txn = NULL;
	rc = w->opts.log ? gfs_txn_commit_logged(txn, w->opts.log)
			 : gfs_txn_commit(txn);
	if (rc)
		gfs_alloc_aborted(w);
	else
		gfs_alloc_committed(w);
	return rc;
}

int gfs_writer_checkpoint(struct gfs_writer *w)
{
	if (!w->spoiled && w->txn && !w->opts.txn &&
	    gfs_txn_count(w->txn) < w->opts.batch)
		return 0;
	return gfs_writer_commit(w);
}

void gfs_writer_abort(struct gfs_writer *w)
{
	if (!w->opts.txn) {
		gfs_txn_abort(w->txn);
		w->txn = NULL;
		w->spoiled = false;
	}
	gfs_alloc_aborted(w);
}

/* The running transaction; begins one if there is none. */
static int begin(struct gfs_writer *w)
{
	int rc;

	if (w->txn)
		return 0;
	rc = gfs_txn_begin(&w->txn, w->fs->cache, &w->fs->geom, w->opts.undo,
			   0);
	if (rc)
		w->spoiled = true;
	return rc;
}

void *gfs_writer_edit(struct gfs_writer *w, struct gfs_buf *buf)
{
	void *data = begin(w) ? NULL : gfs_txn_edit(w->txn, buf);

	if (!data)
		w->spoiled = true;
	return data;
}

int gfs_writer_fresh(struct gfs_writer *w, uint64_t blk, uint32_t mh_type,
		     void **data)
{
	int rc = begin(w);

	if (!rc)
		rc = gfs_txn_fresh(w->txn, blk, data);
	if (rc)
		w->spoiled = true;
	else if (mh_type)
		gfs_block_header(*data, mh_type);
	else
		gfs_txn_set_data(w->txn, blk);
	return rc;
}

struct gfs2_dinode *gfs_writer_dinode(struct gfs_writer *w,
				      struct gfs_inode *ip)
{
	return gfs_writer_edit(w, ip->buf);
}

void gfs_writer_touch(const struct gfs_writer *w, struct gfs2_dinode *di,
		      bool mtime)
{
	be64 sec = cpu_to_be64((uint64_t)w->opts.now.tv_sec);
	be32 nsec = cpu_to_be32((uint32_t)w->opts.now.tv_nsec);

	di->di_ctime = sec;
	di->di_ctime_nsec = nsec;
	if (!mtime)
		return;
	di->di_mtime = sec;
	di->di_mtime_nsec = nsec;
}

int gfs_writer_result(struct gfs_writer *w, int rc)
{
	switch (rc < 0 ? -rc : rc) {
	case 0:
	case ENOSPC:
	case EEXIST:
	case ENOENT:
	case ENODATA:
	case EINVAL:
	case EPERM:
	case ENOTDIR:
	case EISDIR:
	case ENOTEMPTY:
	case ENAMETOOLONG:
	case EMLINK:
	case EFBIG:
	case ERANGE:
	case E2BIG:
	case EOPNOTSUPP: break;
	default: w->spoiled = true;
	}
	return rc;
}
