/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small language helpers that know nothing of GFS2. */
#ifndef GFS_BASE_H
#define GFS_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The result of this function must be looked at. */
#define GFS_MUST __attribute__((warn_unused_result))
/* Argument f is a printf format whose values start at argument a. */
#define GFS_PRINTF(f, a) __attribute__((format(printf, f, a)))

#define GFS_ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

static inline uint64_t gfs_min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t gfs_max(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* n / unit, rounded up; unit is not 0 and n + unit does not overflow. */
static inline uint64_t gfs_div_up(uint64_t n, uint64_t unit)
{
	return (n + unit - 1) / unit;
}

/* n rounded up to a multiple of unit; unit 0 leaves n as it is. */
static inline uint64_t gfs_round_up(uint64_t n, uint64_t unit)
{
	return unit ? gfs_div_up(n, unit) * unit : n;
}

static inline bool gfs_is_pow2(uint64_t n)
{
	return n && !(n & (n - 1));
}

/* floor(log2(n)); n is not 0. */
static inline unsigned int gfs_log2(uint64_t n)
{
	return 63U - (unsigned int)__builtin_clzll(n);
}

#endif
