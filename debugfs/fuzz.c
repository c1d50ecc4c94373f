// SPDX-License-Identifier: GPL-2.0-or-later
/* The verbs of the fuzz command on the bytes of one field. */
#include "edit.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

static void flip_bit(uint8_t *bytes, size_t bit)
{
	bytes[bit / 8] ^= (uint8_t)(0x80U >> bit % 8);
}

/* Add n to the bytes as one big-endian number; what overflows is lost. */
static void add(uint8_t *bytes, size_t size, uint64_t n)
{
	unsigned int carry = 0;

	for (size_t i = size; i-- > 0; n >>= 8) {
		carry += bytes[i] + (unsigned int)(n & 0xff);
		bytes[i] = (uint8_t)carry;
		carry >>= 8;
	}
}

static void subtract(uint8_t *bytes, size_t size, uint64_t n)
{
	int borrow = 0;

	for (size_t i = size; i-- > 0; n >>= 8) {
		borrow += bytes[i] - (int)(n & 0xff);
		bytes[i] = (uint8_t)borrow;
		borrow = borrow < 0 ? -1 : 0;
	}
}

/* splitmix64: the same bytes for the same seed on every machine. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Random bytes, different from what was there. */
static int randomize(const struct dbg_fuzz *fuzz, uint8_t *bytes, size_t size)
{
	uint64_t state = fuzz->n;
	bool changed = false;

	if (!fuzz->has_n &&
	    getrandom(&state, sizeof(state), 0) != sizeof(state))
		return -EIO;
	while (!changed) {
		for (size_t i = 0; i < size; i++) {
			uint8_t byte = (uint8_t)next_random(&state);

			changed |= byte != bytes[i];
			bytes[i] = byte;
		}
	}
	return 0;
}

int dbg_fuzz_bytes(const struct dbg_fuzz *fuzz, uint8_t *bytes, size_t size)
{
	uint64_t n = fuzz->has_n ? fuzz->n : 1;

	if (!strcmp(fuzz->verb, "zeroes"))
		memset(bytes, 0, size);
	else if (!strcmp(fuzz->verb, "ones"))
		memset(bytes, 0xff, size);
	else if (!strcmp(fuzz->verb, "firstbit"))
		flip_bit(bytes, 0);
	else if (!strcmp(fuzz->verb, "middlebit"))
		flip_bit(bytes, size * 4);
	else if (!strcmp(fuzz->verb, "lastbit"))
		flip_bit(bytes, size * 8 - 1);
	else if (!strcmp(fuzz->verb, "add"))
		add(bytes, size, n);
	else if (!strcmp(fuzz->verb, "sub"))
		subtract(bytes, size, n);
	else if (!strcmp(fuzz->verb, "random"))
		return randomize(fuzz, bytes, size);
	else
		return -EINVAL;
	return 0;
}
