/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fields of a line, taken one after the other by hand: a trace has millions
 * of lines. Once something does not fit, every further step does nothing and
 * bad tells what was wrong; so a parser checks once, at its end.
 */
#ifndef RG_SCAN_H
#define RG_SCAN_H

#include "../../libgfs/base/base.h"

#include <string.h>

enum rg_bad { RG_FITS, RG_BAD_TEXT, RG_BAD_RANGE };

/* Text from p on, ended by a zero byte. */
struct rg_scan {
	const char *p;
	enum rg_bad bad;
};

static inline void scan_fail(struct rg_scan *s, enum rg_bad bad)
{
	if (!s->bad)
		s->bad = bad;
}

static inline void scan_blanks(struct rg_scan *s)
{
	while (*s->p == ' ' || *s->p == '\t')
		s->p++;
}

/* Exactly this text, len bytes. */
static inline void scan_text(struct rg_scan *s, const char *text, size_t len)
{
	if (s->bad)
		return;
	if (strncmp(s->p, text, len))
		s->bad = RG_BAD_TEXT;
	else
		s->p += len;
}
#define SCAN_TEXT(s, literal) scan_text(s, literal, sizeof(literal) - 1)

static inline uint64_t scan_u64(struct rg_scan *s)
{
	const char *p = s->p;
	uint64_t n = 0;

	if (s->bad)
		return 0;
	/* 19 digits cannot overflow. */
	for (; (unsigned char)(*p - '0') < 10 && p - s->p < 19; p++)
		n = n * 10 + (uint64_t)(*p - '0');
	for (; (unsigned char)(*p - '0') < 10; p++)
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(*p - '0'), &n))
			scan_fail(s, RG_BAD_RANGE);
	if (p == s->p)
		scan_fail(s, RG_BAD_TEXT);
	s->p = p;
	return n;
}

/*
 * A number printed signed or unsigned, as its 64 bits: deviations of the
 * faulty estimator are printed as negative numbers.
 */
static inline uint64_t scan_bits(struct rg_scan *s)
{
	uint64_t n;

	if (*s->p != '-')
		return scan_u64(s);
	s->p++;
	n = scan_u64(s);
	if (n > UINT64_C(1) << 63)
		scan_fail(s, RG_BAD_RANGE);
	return -n;
}

static inline int64_t scan_s64(struct rg_scan *s)
{
	bool negative = *s->p == '-';
	uint64_t n = scan_bits(s);

	if (!negative && n >> 63)
		scan_fail(s, RG_BAD_RANGE);
	return (int64_t)n;
}

static inline uint32_t scan_u32(struct rg_scan *s, uint32_t max)
{
	uint64_t n = scan_u64(s);

	if (n > max)
		scan_fail(s, RG_BAD_RANGE);
	return (uint32_t)n;
}

/* Value of a hex digit, -1 if it is none. */
static inline int scan_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Hexadecimal without prefix. */
static inline uint64_t scan_hex(struct rg_scan *s)
{
	const char *p = s->p;
	uint64_t n = 0;

	for (; scan_hex_digit(*p) >= 0; p++) {
		if (n >> 60)
			scan_fail(s, RG_BAD_RANGE);
		n = n << 4 | (uint64_t)scan_hex_digit(*p);
	}
	if (p == s->p)
		scan_fail(s, RG_BAD_TEXT);
	s->p = p;
	return n;
}

#endif
