/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checksums of the format. */
#ifndef GFS_CRC_H
#define GFS_CRC_H

#include <stddef.h>
#include <stdint.h>

/*
 * CRC-32 (zlib's) of len bytes: directory hash, rg_crc, lh_hash.
 */
uint32_t gfs_crc32(const void *data, size_t len);

/*
 * CRC-32C, reflected polynomial 0x82F63B78, continued from seed and without
 * final inversion, as the kernel's crc32c(); lh_crc is
 * gfs_crc32c(0xFFFFFFFF, block + 52, bsize - 52).
 */
uint32_t gfs_crc32c(uint32_t seed, const void *data, size_t len);

/* The same without the processor's instruction, for machines that lack it. */
uint32_t gfs_crc32c_portable(uint32_t seed, const void *data, size_t len);

/* gfs_crc32c() of len zero bytes, in O(log len); O(1) when len stays equal. */
uint32_t gfs_crc32c_zeros(uint32_t seed, size_t len);

#endif
