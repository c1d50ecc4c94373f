/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Transactions: the only way to writable blocks. A commit seals checksums,
 * verifies, saves old contents to the undo file, and writes in ascending
 * order; a logged commit goes through a journal first (log.h).
 */
#ifndef GFS_TXN_H
#define GFS_TXN_H

#include "../format/geom.h"
#include "buf.h"

struct gfs_txn;
struct gfs_undo;
struct gfs_log;

enum gfs_txn_flags {
	GFS_TXN_RAW = 1, /* neither seal nor verify: deliberate damage */
};

/*
 * Begin a transaction on the cache's device; one at a time per cache: -EBUSY.
 * -GFS_EREADONLY on a read-only device, -EINVAL when geom has another block
 * size. undo may be NULL (not owned). Texts of all failures of a transaction
 * go to the cache's error.
 */
int gfs_txn_begin(struct gfs_txn **txn, struct gfs_cache *cache,
		  const struct gfs_geom *geom, struct gfs_undo *undo,
		  unsigned int flags) GFS_MUST;

/*
 * Writable bytes of a borrowed block. Until commit or abort readers of the
 * cache see the changes; abort brings the old bytes back. NULL when out of
 * memory, or when the block changed underneath its borrower and could not be
 * read again. The block stays pinned until the end of the transaction.
 */
void *gfs_txn_edit(struct gfs_txn *txn, struct gfs_buf *buf) GFS_MUST;

/*
 * Writable, zero-filled block blk without reading the device. *data is
 * bsize bytes and lives until the end of the transaction. -GFS_ESHORT behind
 * the device's end, -ENOMEM.
 */
int gfs_txn_fresh(struct gfs_txn *txn, uint64_t blk, void **data) GFS_MUST;

/*
 * Block blk, edited or fresh in this transaction, is file content: it is
 * neither sealed nor verified even when it begins like a metadata block, and
 * goes into a journal as data. Needed for every block of a file's data.
 */
void gfs_txn_set_data(struct gfs_txn *txn, uint64_t blk);

/* Number of blocks edited so far. */
uint64_t gfs_txn_count(const struct gfs_txn *txn);

/*
 * Write all edited blocks in place, in ascending order, then flush. Frees txn
 * in any case; on failure the cache keeps the new bytes of blocks that were
 * written and the old ones of the rest; where the write itself failed, what
 * the device has. A block that does not verify fails with -GFS_ECORRUPT
 * before anything is written. Blocks without a metadata header of a known
 * type are written as they are.
 */
int gfs_txn_commit(struct gfs_txn *txn) GFS_MUST;

/*
 * The same through a journal: atomic against a power cut (log.h). Blocks that
 * do not fit the journal at once are committed in several transactions, each
 * complete and in place before the next, ascending. The superblock and blocks
 * inside this journal cannot be logged: they are written in place, ascending,
 * after the logged part has been closed and flushed. After a failure the
 * journal may be dirty; its replay then completes the transaction.
 */
int gfs_txn_commit_logged(struct gfs_txn *txn, struct gfs_log *log) GFS_MUST;

void gfs_txn_abort(struct gfs_txn *txn);

#endif
