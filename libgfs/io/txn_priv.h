/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside of transactions, for txn.c and txn_commit.c. */
#ifndef GFS_TXN_PRIV_H
#define GFS_TXN_PRIV_H

#include "cache.h"
#include "txn.h"

/* What becomes of a block's bytes in the cache at the end. */
enum gfs_pin_fate {
	GFS_PIN_RESTORE, /* as before the transaction */
	GFS_PIN_KEEP,    /* as edited */
	GFS_PIN_REFRESH, /* as the device has them */
};

struct gfs_pin {
	struct gfs_entry *entry; /* borrowed */
	void *before; /* bytes; NULL for a block that was not in the cache */
	bool is_data;
	enum gfs_pin_fate fate;
};

struct gfs_txn {
	struct gfs_cache *cache;
	const struct gfs_geom *geom;
	struct gfs_undo *undo;
	unsigned int flags;
	struct gfs_pin *pins;
	size_t n, max;
};

/* Give every block its fate and free the transaction. */
void gfs_txn_end(struct gfs_txn *txn);

#endif
