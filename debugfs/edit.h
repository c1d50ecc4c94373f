/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing blocks on the user's word: unchecked, unless sealing is asked for. */
#ifndef DBG_EDIT_H
#define DBG_EDIT_H

#include "commands.h"
#include "field.h"

/*
 * Replace block blk by `data` (bsize bytes) as it is; with seal its checksums
 * are set first. The old content goes to the undo file if there is one.
 */
int dbg_write_block(struct dbg *d, uint64_t blk, const void *data,
		    bool seal) GFS_MUST;

/* Damage `size` bytes of a big-endian number; -EINVAL for an unknown verb. */
struct dbg_fuzz {
	const char *verb;
	uint64_t n;    /* add, sub: how much; random: seed */
	bool has_n;
};
int dbg_fuzz_bytes(const struct dbg_fuzz *fuzz, uint8_t *bytes,
		   size_t size) GFS_MUST;

#endif
