/* SPDX-License-Identifier: GPL-2.0-or-later */
/* TAP for unit tests: one program a module, every check prints its values. */
#ifndef T_H
#define T_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int t_count, t_failed;

static inline bool t_result(bool ok, const char *what, const char *file,
			    int line)
{
	t_count++;
	t_failed += !ok;
	printf("%sok %d - %s\n", ok ? "" : "not ", t_count, what);
	if (!ok)
		printf("# at %s:%d\n", file, line);
	return ok;
}

static inline bool t_same_u64(uint64_t a, uint64_t b, const char *what,
			      const char *file, int line)
{
	bool ok = t_result(a == b, what, file, line);

	if (!ok)
		printf("# got %" PRIu64 " (0x%" PRIx64 "), want %" PRIu64
		       " (0x%" PRIx64 ")\n", a, a, b, b);
	return ok;
}

static inline bool t_same_str(const char *a, const char *b, const char *what,
			      const char *file, int line)
{
	bool ok = t_result(a && b && !strcmp(a, b), what, file, line);

	if (!ok)
		printf("# got \"%s\", want \"%s\"\n", a ? a : "(null)",
		       b ? b : "(null)");
	return ok;
}

#define T_OK(cond) t_result((cond), #cond, __FILE__, __LINE__)
#define T_EQ(a, b)                                                   \
	t_same_u64((uint64_t)(a), (uint64_t)(b), #a " == " #b, __FILE__, \
		   __LINE__)
#define T_STR(a, b) t_same_str((a), (b), #a " is " #b, __FILE__, __LINE__)
/* A named check, for loops over tables. */
#define T_NAMED(cond, name) t_result((cond), (name), __FILE__, __LINE__)

static inline int t_done(void)
{
	printf("1..%d\n", t_count);
	return t_failed != 0;
}

#endif
