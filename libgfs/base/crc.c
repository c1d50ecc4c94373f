// SPDX-License-Identifier: GPL-2.0-or-later
/* CRC-32 through zlib; CRC-32C, which zlib lacks. */
#include "crc.h"

#include <endian.h>
#include <string.h>
#include <zlib.h>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

uint32_t gfs_crc32(const void *data, size_t len)
{
	return (uint32_t)crc32_z(0, data, len);
}

#define POLY 0x82F63B78U
#define ONE  0x80000000U /* x^0: reflected, the highest bit comes first */

/*
 * Row k: the remainder of byte i followed by k zero bytes. The remainder is
 * linear in the bits of i, so a row follows from those of its 8 bits.
 */
#define ENTRY(i, a, b, c, d, e, f, g, h)                                   \
	(((i) & 1 ? (a) : 0) ^ ((i) & 2 ? (b) : 0) ^ ((i) & 4 ? (c) : 0) ^ \
	 ((i) & 8 ? (d) : 0) ^ ((i) & 16 ? (e) : 0) ^                      \
	 ((i) & 32 ? (f) : 0) ^ ((i) & 64 ? (g) : 0) ^ ((i) & 128 ? (h) : 0))
#define FOUR(i, ...)                                                       \
	ENTRY(i, __VA_ARGS__), ENTRY((i) + 1, __VA_ARGS__),                \
		ENTRY((i) + 2, __VA_ARGS__), ENTRY((i) + 3, __VA_ARGS__)
#define SIXTEEN(i, ...)                                                    \
	FOUR(i, __VA_ARGS__), FOUR((i) + 4, __VA_ARGS__),                  \
		FOUR((i) + 8, __VA_ARGS__), FOUR((i) + 12, __VA_ARGS__)
#define SIXTYFOUR(i, ...)                                                  \
	SIXTEEN(i, __VA_ARGS__), SIXTEEN((i) + 16, __VA_ARGS__),           \
		SIXTEEN((i) + 32, __VA_ARGS__),                            \
		SIXTEEN((i) + 48, __VA_ARGS__)
#define ROW(...)                                                           \
	{                                                                  \
		SIXTYFOUR(0, __VA_ARGS__), SIXTYFOUR(64, __VA_ARGS__),     \
		SIXTYFOUR(128, __VA_ARGS__), SIXTYFOUR(192, __VA_ARGS__)   \
	}

/* Bit j of row k is x^(32 + 8k + 7 - j) mod the polynomial. */
static const uint32_t slices[8][256] = {
	ROW(0xF26B8303, 0xE13B70F7, 0xC79A971F, 0x8AD958CF,
	    0x105EC76F, 0x20BD8EDE, 0x417B1DBC, 0x82F63B78),
	ROW(0x13A29877, 0x274530EE, 0x4E8A61DC, 0x9D14C3B8,
	    0x3FC5F181, 0x7F8BE302, 0xFF17C604, 0xFBC3FAF9),
	ROW(0xA541927E, 0x4F6F520D, 0x9EDEA41A, 0x38513EC5,
	    0x70A27D8A, 0xE144FB14, 0xC76580D9, 0x8B277743),
	ROW(0xDD45AAB8, 0xBF672381, 0x7B2231F3, 0xF64463E6,
	    0xE964B13D, 0xD725148B, 0xABA65FE7, 0x52A0C93F),
	ROW(0x38116FAC, 0x7022DF58, 0xE045BEB0, 0xC5670B91,
	    0x8F2261D3, 0x1BA8B557, 0x37516AAE, 0x6EA2D55C),
	ROW(0xEF306B19, 0xDB8CA0C3, 0xB2F53777, 0x6006181F,
	    0xC00C303E, 0x85F4168D, 0x0E045BEB, 0x1C08B7D6),
	ROW(0x68032CC8, 0xD0065990, 0xA5E0C5D1, 0x4E2DFD53,
	    0x9C5BFAA6, 0x3D5B83BD, 0x7AB7077A, 0xF56E0EF4),
	ROW(0x493C7D27, 0x9278FA4E, 0x211D826D, 0x423B04DA,
	    0x847609B4, 0x0D006599, 0x1A00CB32, 0x34019664),
};

/* x^(2^k) mod the polynomial; k = 31 is k = 0 again. */
static const uint32_t powers[31] = {
	0x40000000, 0x20000000, 0x08000000, 0x00800000, 0x00008000,
	0x82F63B78, 0x6EA2D55C, 0x18B8EA18, 0x510AC59A, 0xB82BE955,
	0xB8FDB1E7, 0x88E56F72, 0x74C360A4, 0xE4172B16, 0x0D65762A,
	0x35D73A62, 0x28461564, 0xBF455269, 0xE2EA32DC, 0xFE7740E6,
	0xF946610B, 0x3C204F8F, 0x538586E3, 0x59726915, 0x734D5309,
	0xBC1AC763, 0x7D0722CC, 0xD289CABE, 0xE94CA9BC, 0x05B74F3F,
	0xA51E1F42,
};

uint32_t gfs_crc32c_portable(uint32_t seed, const void *data, size_t len)
{
	const uint8_t *p = data;
	uint32_t crc = seed;

	for (; len >= 8; p += 8, len -= 8) {
		uint64_t w;

		memcpy(&w, p, sizeof(w));
		w = le64toh(w) ^ crc;
		crc = slices[7][w & 255] ^ slices[6][w >> 8 & 255] ^
		      slices[5][w >> 16 & 255] ^ slices[4][w >> 24 & 255] ^
		      slices[3][w >> 32 & 255] ^ slices[2][w >> 40 & 255] ^
		      slices[1][w >> 48 & 255] ^ slices[0][w >> 56];
	}
	while (len--)
		crc = crc >> 8 ^ slices[0][(crc ^ *p++) & 255];
	return crc;
}

/* a * b mod the polynomial, without branches on the data. */
static uint32_t multiply(uint32_t a, uint32_t b)
{
	uint32_t product = 0;

	for (; a; a <<= 1) {
		product ^= b & -(a >> 31);
		b = b >> 1 ^ (POLY & -(b & 1));
	}
	return product;
}

/* What len zero bytes multiply a checksum with: x^(8 len). */
static uint32_t zeros_factor(size_t len)
{
	uint32_t factor = ONE;

	for (unsigned int k = 3; len; len >>= 1, k++)
		if (len & 1)
			factor = multiply(factor, powers[k % 31]);
	return factor;
}

uint32_t gfs_crc32c_zeros(uint32_t seed, size_t len)
{
	/* Callers fill many blocks of one kind: the same length again. */
	static _Thread_local struct {
		size_t len;
		uint32_t factor;
	} last = { 0, ONE };

	if (last.len != len) {
		last.factor = zeros_factor(len);
		last.len = len;
	}
	return multiply(seed, last.factor);
}

#if defined(__x86_64__)

/*
 * The instruction's result is there after three cycles, but it can start every
 * cycle: three runs at once, whose checksums are moved behind each other.
 * 3 * 1344 bytes fit the checksummed part of a log header of 4096.
 */
#define RUN         ((size_t)1344)
#define RUN_FACTOR  0xD27285DBU /* x^(8 RUN) */
#define RUN2_FACTOR 0x46BF959EU /* x^(16 RUN) */

static uint64_t load64(const uint8_t *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return w;
}

__attribute__((target("sse4.2"))) static uint32_t
crc_three_runs(uint32_t crc, const uint8_t *p)
{
	uint64_t a = crc, b = 0, c = 0;

	for (size_t i = 0; i < RUN; i += 8) {
		a = _mm_crc32_u64(a, load64(p + i));
		b = _mm_crc32_u64(b, load64(p + RUN + i));
		c = _mm_crc32_u64(c, load64(p + 2 * RUN + i));
	}
	return multiply((uint32_t)a, RUN2_FACTOR) ^
	       multiply((uint32_t)b, RUN_FACTOR) ^ (uint32_t)c;
}

__attribute__((target("sse4.2"))) static uint32_t
crc_instruction(uint32_t seed, const uint8_t *p, size_t len)
{
	uint64_t crc = seed;

	for (; len >= 3 * RUN; p += 3 * RUN, len -= 3 * RUN)
		crc = crc_three_runs((uint32_t)crc, p);
	for (; len >= 8; p += 8, len -= 8)
		crc = _mm_crc32_u64(crc, load64(p));
	while (len--)
		crc = _mm_crc32_u8((uint32_t)crc, *p++);
	return (uint32_t)crc;
}

uint32_t gfs_crc32c(uint32_t seed, const void *data, size_t len)
{
	if (__builtin_cpu_supports("sse4.2"))
		return crc_instruction(seed, data, len);
	return gfs_crc32c_portable(seed, data, len);
}

#else

uint32_t gfs_crc32c(uint32_t seed, const void *data, size_t len)
{
	return gfs_crc32c_portable(seed, data, len);
}

#endif
