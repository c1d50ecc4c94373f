// SPDX-License-Identifier: GPL-2.0-or-later
/* Checksums by known values, and fast ones against one bit at a time. */
#include "../../libgfs/base/crc.h"

#include "t.h"

#include <stdlib.h>

#define LONGEST 13000U

static uint8_t data[LONGEST];

static uint32_t slow_crc32c(uint32_t crc, const uint8_t *p, size_t len)
{
	while (len--) {
		crc ^= *p++;
		for (int i = 0; i < 8; i++)
			crc = crc & 1 ? crc >> 1 ^ 0x82F63B78U : crc >> 1;
	}
	return crc;
}

static void known(void)
{
	const uint8_t zeros[32] = { 0 };
	uint8_t ones[32], rising[32];

	memset(ones, 0xFF, sizeof(ones));
	for (uint8_t i = 0; i < 32; i++)
		rising[i] = i;
	T_EQ(gfs_crc32("123456789", 9), 0xCBF43926);
	T_EQ(gfs_crc32("", 0), 0);
	T_EQ(gfs_crc32c(0xFFFFFFFF, "123456789", 9), 0x1CF96D7C);
	/* RFC 3720, B.4, whose values are inverted at the end. */
	T_EQ(~gfs_crc32c(0xFFFFFFFF, zeros, 32) & 0xFFFFFFFF, 0x8A9136AA);
	T_EQ(~gfs_crc32c(0xFFFFFFFF, ones, 32) & 0xFFFFFFFF, 0x62A8AB43);
	T_EQ(~gfs_crc32c(0xFFFFFFFF, rising, 32) & 0xFFFFFFFF, 0x46DD794E);
}

static bool all_agree(size_t from, size_t len)
{
	uint32_t want = slow_crc32c(0x12345678, data + from, len);

	return gfs_crc32c(0x12345678, data + from, len) == want &&
	       gfs_crc32c_portable(0x12345678, data + from, len) == want;
}

static void lengths(void)
{
	bool ok = true;

	srandom(1);
	for (size_t i = 0; i < LONGEST; i++)
		data[i] = (uint8_t)random();
	for (size_t from = 0; from < 8; from++)
		for (size_t len = 0; len < 100; len++)
			ok = ok && all_agree(from, len);
	T_NAMED(ok, "short lengths at any alignment");
	ok = true;
	for (size_t len = 4000; len < 4100; len++)
		ok = ok && all_agree(len % 8, len);
	T_NAMED(ok, "lengths around three runs");
	T_OK(all_agree(1, 8064));
	T_OK(all_agree(0, LONGEST));
}

static void continued(void)
{
	uint32_t whole = gfs_crc32c(0xFFFFFFFF, data, 9000);
	uint32_t part = gfs_crc32c(0xFFFFFFFF, data, 4321);

	T_EQ(gfs_crc32c(part, data + 4321, 9000 - 4321), whole);
}

static void zeros(void)
{
	bool ok = true;

	memset(data, 0, sizeof(data));
	for (size_t len = 0; len < 600; len++)
		ok = ok && gfs_crc32c_zeros(0xDEADBEEF, len) ==
				   slow_crc32c(0xDEADBEEF, data, len);
	T_NAMED(ok, "zeros of short lengths");
	T_EQ(gfs_crc32c_zeros(0xFFFFFFFF, LONGEST),
	     slow_crc32c(0xFFFFFFFF, data, LONGEST));
	/* Again, and with another seed: the length is remembered. */
	T_EQ(gfs_crc32c_zeros(7, LONGEST), slow_crc32c(7, data, LONGEST));
	T_EQ(gfs_crc32c_zeros(0, 4096), 0);
	/* Two halves are one whole, where a loop would take ages. */
	T_EQ(gfs_crc32c_zeros(gfs_crc32c_zeros(5, 3UL << 40), 5UL << 50),
	     gfs_crc32c_zeros(5, (3UL << 40) + (5UL << 50)));
}

int main(void)
{
	known();
	lengths();
	continued();
	zeros();
	return t_done();
}
