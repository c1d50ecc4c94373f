/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A volume with an open journal, and its content at some moment, for tests of
 * recovery; everything in the names' own variables, one at a time. */
#ifndef JNLVOLUME_H
#define JNLVOLUME_H

#include "../../../libgfs/fs/replay.h"
#include "logwriter.h"
#include "volume.h"

extern struct volume v;
extern struct gfs_jnl *jnl;  /* journal0 */
extern uint64_t free_blk;    /* some thousand free blocks from here on */
extern uint64_t block[GFS2_BSIZE_MAX / 8]; /* for everybody */
extern char *before;         /* the device as jv_remember() saw it */

/* False when there is no volume. */
bool jv_begin(uint32_t bsize, unsigned int journals);
void jv_end(void);
/* Open journal0 again; a failure ends the program. */
void jv_reopen(void);
void jv_remember(void);
bool jv_is_unchanged(void);
/* Is a block what lw_meta(fill) puts into a log; with fill 0, all zero? */
bool jv_is_filled(uint64_t blk, int fill);

#endif
