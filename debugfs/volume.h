/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening a volume as far as its state allows. */
#ifndef DBG_VOLUME_H
#define DBG_VOLUME_H

#include "commands.h"

struct dbg_open {
	bool write;
	bool bare;      /* superblock only, even if there is more */
	uint64_t bsize; /* not 0: do not read the superblock at all */
};

/*
 * Open d->device. A damaged volume is opened as far as it goes, with a
 * warning on stderr; d->have says what is there. 0, or non-zero after a
 * message.
 */
int dbg_volume_open(struct dbg *d, const struct dbg_open *o) GFS_MUST;

/* Close everything; 0, or non-zero after a message (the undo file). */
int dbg_volume_close(struct dbg *d) GFS_MUST;

#endif
