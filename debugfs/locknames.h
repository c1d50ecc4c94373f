/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the parts of the locknames command. */
#ifndef DBG_LOCKNAMES_H
#define DBG_LOCKNAMES_H

#include "commands.h"

struct dbg_namer;

/* Write one name in the namer's format. */
void dbg_name_put(struct dbg_namer *n, uint32_t type, uint64_t number);

/*
 * Write the quota names: ids 0, which mkfs makes, and each id with a record
 * that is not zero. 0 or a recorded failure.
 */
int dbg_names_of_quotas(struct dbg *d, struct dbg_namer *n) GFS_MUST;

#endif
