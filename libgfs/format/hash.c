// SPDX-License-Identifier: GPL-2.0-or-later
/* The directory hash and the slot of the hash table it selects. */
#include "hash.h"

#include "../base/crc.h"

uint32_t gfs_dir_hash(const void *name, size_t len)
{
	return gfs_crc32(name, len);
}

uint32_t gfs_dir_index(uint32_t hash, unsigned int depth)
{
	/* Shifting by the full width is undefined, hence 64 bits. */
	return (uint32_t)((uint64_t)hash >> (32 - depth));
}
