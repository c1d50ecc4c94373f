// SPDX-License-Identifier: GPL-2.0-or-later
/* Messages, numbers, signals and memory of programs. */
#include "cli.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *program = "gfs2";
static volatile sig_atomic_t *stop_flag;

const char *cli_program(void)
{
	return program;
}

void cli_set_program(const char *name)
{
	program = name;
}

const char *cli_version(void)
{
	return GFS_VERSION;
}

static void say(const char *kind, const char *fmt, va_list ap)
	GFS_PRINTF(2, 0);

static void say(const char *kind, const char *fmt, va_list ap)
{
	cli_progress_hide();
	fprintf(stderr, "%s: %s", program, kind);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

void cli_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("", fmt, ap);
	va_end(ap);
}

void cli_warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("warning: ", fmt, ap);
	va_end(ap);
}

void cli_report(const char *device, const struct gfs_error *err, int code)
{
	char text[600];

	cli_error("%s: %s", device,
		  gfs_error_message(err, code, text, sizeof(text)));
}

int cli_close_stdout(void)
{
	int rc = 0;

	errno = 0;
	if (fflush(stdout) || ferror(stdout))
		rc = errno ? -errno : -EIO;
	if (rc)
		cli_error("standard output: %s", gfs_strerror(rc));
	return rc;
}

/* Digits at *text as a number; *text moves past them. */
static int take_number(const char **text, uint64_t *value)
{
	const char *p = *text;
	uint64_t n = 0;

	if (*p < '0' || *p > '9')
		return -EINVAL;
	for (; *p >= '0' && *p <= '9'; p++)
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(*p - '0'), &n))
			return -ERANGE;
	*text = p;
	*value = n;
	return 0;
}

int cli_parse_u64(const char *text, uint64_t min, uint64_t max,
		  uint64_t *value)
{
	uint64_t n;
	int rc = take_number(&text, &n);

	if (rc)
		return rc;
	if (*text)
		return -EINVAL;
	if (n < min || n > max)
		return -ERANGE;
	*value = n;
	return 0;
}

/* Bytes of one unit named by a suffix; 0 when there is no such suffix. */
static uint64_t suffix_unit(const char *suffix, uint64_t unit, uint32_t bsize)
{
	static const char letters[] = "kmgtpe";
	const char *at;

	if (!suffix[0])
		return unit;
	if (!strcasecmp(suffix, "b"))
		return bsize;
	if (!strcasecmp(suffix, "s"))
		return 512;
	at = strchr(letters, suffix[0] | 0x20);
	if (!at)
		return 0;
	suffix++;
	if (suffix[0] && strcasecmp(suffix, "b") && strcasecmp(suffix, "ib"))
		return 0;
	return UINT64_C(1024) << 10 * (at - letters);
}

int cli_parse_size(const char *text, uint64_t unit, uint32_t bsize,
		   uint64_t *bytes)
{
	uint64_t n;
	int rc = take_number(&text, &n);

	if (rc)
		return rc;
	unit = suffix_unit(text, unit, bsize);
	if (!unit)
		return -EINVAL;
	if (__builtin_mul_overflow(n, unit, bytes))
		return -ERANGE;
	return 0;
}

const char *cli_size_text(uint64_t bytes, char *buf, size_t size)
{
	static const char letters[] = "KMGTPE";
	double n = (double)bytes / 1024;
	const char *letter = letters;

	if (bytes < 1024) {
		snprintf(buf, size, "%" PRIu64 " B", bytes);
		return buf;
	}
	/* What would round to 1024.0 is 1.0 of the next unit. */
	for (; n >= 1023.95 && letter[1]; letter++)
		n /= 1024;
	snprintf(buf, size, "%.*f %ciB", n == (double)(unsigned int)n ? 0 : 1,
		 n, *letter);
	return buf;
}

static void on_signal(int sig)
{
	if (*stop_flag) {
		signal(sig, SIG_DFL);
		raise(sig);
	}
	*stop_flag = 1;
}

void cli_catch_signals(volatile sig_atomic_t *flag)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction sa = { .sa_handler = on_signal };

	stop_flag = flag;
	/* No SA_RESTART: a prompt that waits for an answer must return. */
	for (size_t i = 0; i < GFS_ARRAY_SIZE(signals); i++)
		sigaction(signals[i], &sa, NULL);
}

void *cli_realloc(void *old, size_t size)
{
	void *p = realloc(old, size ? size : 1);

	if (p)
		return p;
	cli_error("out of memory (%zu bytes asked for)", size);
	exit(cli_failed_exit());
}

void *cli_alloc(size_t size)
{
	return memset(cli_realloc(NULL, size), 0, size);
}

char *cli_strdup(const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(cli_realloc(NULL, size), text, size);
}
