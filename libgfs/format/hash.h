/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The directory hash: CRC-32 of the name. */
#ifndef GFS_HASH_H
#define GFS_HASH_H

#include "../base/base.h"

/* Hash of a name of len bytes (no NUL). */
uint32_t gfs_dir_hash(const void *name, size_t len);

/* Index of a hash in a table of 2^depth entries; depth 0..32. */
uint32_t gfs_dir_index(uint32_t hash, unsigned int depth);

#endif
