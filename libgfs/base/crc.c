// SPDX-License-Identifier: GPL-2.0-or-later
/* CRC-32 through zlib; CRC-32C, which zlib lacks. */
#include "crc.h"

#include <zlib.h>

uint32_t gfs_crc32(const void *data, size_t len)
{
	return (uint32_t)crc32_z(0, data, len);
}
