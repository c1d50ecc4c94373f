/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Big-endian integers as types of their own, so that using one as a number
 * does not compile. Alignment is 1: no padding, no unaligned access.
 */
#ifndef GFS_BE_H
#define GFS_BE_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

typedef struct {
	uint8_t b[2];
} be16;

typedef struct {
	uint8_t b[4];
} be32;

typedef struct {
	uint8_t b[8];
} be64;

static inline uint16_t be16_to_cpu(be16 v)
{
	uint16_t x;

	memcpy(&x, &v, sizeof(x));
	return be16toh(x);
}

static inline uint32_t be32_to_cpu(be32 v)
{
	uint32_t x;

	memcpy(&x, &v, sizeof(x));
	return be32toh(x);
}

static inline uint64_t be64_to_cpu(be64 v)
{
	uint64_t x;

	memcpy(&x, &v, sizeof(x));
	return be64toh(x);
}

static inline be16 cpu_to_be16(uint16_t x)
{
	be16 v;

	x = htobe16(x);
	memcpy(&v, &x, sizeof(v));
	return v;
}

static inline be32 cpu_to_be32(uint32_t x)
{
	be32 v;

	x = htobe32(x);
	memcpy(&v, &x, sizeof(v));
	return v;
}

static inline be64 cpu_to_be64(uint64_t x)
{
	be64 v;

	x = htobe64(x);
	memcpy(&v, &x, sizeof(v));
	return v;
}

#endif
