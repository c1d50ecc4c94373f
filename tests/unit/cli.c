// SPDX-License-Identifier: GPL-2.0-or-later
/* Option tables, strict numbers and sizes of libgfs/base/cli. */
#include "../../libgfs/base/cli.h"
#include "t.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KEY_LONG = 256 };

static const struct cli_option options[] = {
	{ 'b', "block-size", "SIZE", "bytes of a block" },
	{ 'q', NULL, NULL, "say less" },
	{ KEY_LONG, "undo", "FILE", "keep old contents in FILE" },
	{ 0, NULL, NULL, NULL },
};

static const struct cli_program prog = {
	.name = "tool",
	.summary = "Does things.",
	.operands = "DEVICE",
	.options = options,
	.usage_exit = GFS_EXIT_USAGE,
};

static char seen[200];

static int take(void *ctx, int key, const char *arg)
{
	size_t at = strlen(seen);

	if (arg && !strcmp(arg, "bad"))
		return 1;
	T_OK(ctx == seen);
	snprintf(seen + at, sizeof(seen) - at, "[%d %s]", key,
		 arg ? arg : "-");
	return 0;
}

static int run(const char *line, const char **operand)
{
	static char copy[200];
	static char *argv[20];
	int argc = 0;
	int rc;

	snprintf(copy, sizeof(copy), "%s", line);
	for (char *w = strtok(copy, " "); w; w = strtok(NULL, " "))
		argv[argc++] = w;
	argv[argc] = NULL;
	seen[0] = 0;
	rc = cli_parse(&prog, argc, argv, take, seen);
	*operand = rc > 0 ? argv[rc] : NULL;
	return rc;
}

static void test_parse(void)
{
	const char *operand;

	T_EQ(run("tool dev -b 512 -q --undo=f", &operand), 5);
	T_STR(operand, "dev");
	T_STR(seen, "[98 512][113 -][256 f]");
	T_STR(cli_program(), "tool");
	T_EQ(run("tool -qb4k --block-size 1k -- -x", &operand), 5);
	T_STR(operand, "-x");
	T_STR(seen, "[113 -][98 4k][98 1k]");
	T_EQ(run("tool", &operand), 1);
	T_OK(run("tool -z", &operand) < 0);
	T_OK(run("tool --what", &operand) < 0);
	T_OK(run("tool -b", &operand) < 0);
	T_OK(run("tool --undo", &operand) < 0);
	T_OK(run("tool --help=x", &operand) < 0);
	T_OK(run("tool -b bad", &operand) < 0);
}

/* Standard output and exit code of a parse that exits. */
static int captured(const char *line, char *out, size_t size)
{
	const char *operand;
	FILE *f = tmpfile();
	int status = -1;
	size_t n;
	pid_t pid;

	if (!f)
		return -1;
	fflush(NULL);
	pid = fork();
	if (!pid) {
		dup2(fileno(f), STDOUT_FILENO);
		run(line, &operand);
		_exit(99);
	}
	waitpid(pid, &status, 0);
	rewind(f);
	n = fread(out, 1, size - 1, f);
	out[n] = 0;
	fclose(f);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_u64(void)
{
	uint64_t n = 0;

	T_EQ(cli_parse_u64("18446744073709551615", 0, UINT64_MAX, &n), 0);
	T_EQ(n, UINT64_MAX);
	T_EQ(cli_parse_u64("18446744073709551616", 0, UINT64_MAX, &n), -ERANGE);
	T_EQ(cli_parse_u64("99999999999999999999", 0, UINT64_MAX, &n), -ERANGE);
	T_EQ(cli_parse_u64("7", 8, 9, &n), -ERANGE);
	T_EQ(cli_parse_u64("10", 8, 9, &n), -ERANGE);
	T_EQ(cli_parse_u64("8", 8, 9, &n), 0);
	T_EQ(n, 8);
	T_EQ(cli_parse_u64("", 0, 9, &n), -EINVAL);
	T_EQ(cli_parse_u64(" 8", 0, 9, &n), -EINVAL);
	T_EQ(cli_parse_u64("+8", 0, 9, &n), -EINVAL);
	T_EQ(cli_parse_u64("-1", 0, 9, &n), -EINVAL);
	T_EQ(cli_parse_u64("0x8", 0, 9, &n), -EINVAL);
	T_EQ(cli_parse_u64("8 ", 0, 9, &n), -EINVAL);
}

static void test_size(void)
{
	static const struct {
		const char *text;
		int rc;
		uint64_t bytes;
	} cases[] = {
		{ "100", 0, 400 },
		{ "3b", 0, 12288 },
		{ "3s", 0, 1536 },
		{ "1k", 0, 1024 },
		{ "1K", 0, 1024 },
		{ "2KiB", 0, 2048 },
		{ "2kb", 0, 2048 },
		{ "5m", 0, 5242880 },
		{ "1G", 0, UINT64_C(1) << 30 },
		{ "1t", 0, UINT64_C(1) << 40 },
		{ "1P", 0, UINT64_C(1) << 50 },
		{ "15EiB", 0, UINT64_C(15) << 60 },
		{ "16e", -ERANGE, 0 },
		{ "18446744073709551615k", -ERANGE, 0 },
		{ "1x", -EINVAL, 0 },
		{ "1ki", -EINVAL, 0 },
		{ "1kbb", -EINVAL, 0 },
		{ "k", -EINVAL, 0 },
		{ "1.5k", -EINVAL, 0 },
		{ "-1k", -EINVAL, 0 },
		{ "", -EINVAL, 0 },
	};
	uint64_t n = 0;

	for (size_t i = 0; i < GFS_ARRAY_SIZE(cases); i++) {
		int rc = cli_parse_size(cases[i].text, 4, 4096, &n);

		T_NAMED(rc == cases[i].rc && (rc || n == cases[i].bytes),
			cases[i].text);
	}
	T_EQ(cli_parse_size("1b", 1, 0, &n), -EINVAL);
}

static void test_size_text(void)
{
	char buf[32];

	T_STR(cli_size_text(0, buf, sizeof(buf)), "0 B");
	T_STR(cli_size_text(1023, buf, sizeof(buf)), "1023 B");
	T_STR(cli_size_text(1024, buf, sizeof(buf)), "1 KiB");
	T_STR(cli_size_text(1536, buf, sizeof(buf)), "1.5 KiB");
	T_STR(cli_size_text(1048575, buf, sizeof(buf)), "1.0 MiB");
	T_STR(cli_size_text(UINT64_C(3) << 29, buf, sizeof(buf)), "1.5 GiB");
	T_STR(cli_size_text(UINT64_MAX, buf, sizeof(buf)), "16 EiB");
}

static void test_exits(void)
{
	char out[1000];

	T_EQ(captured("tool -V", out, sizeof(out)), 0);
	T_STR(out, "tool " GFS_VERSION "\n");
	T_EQ(captured("tool --help", out, sizeof(out)), 0);
	T_OK(strstr(out, "Usage: tool [OPTIONS] DEVICE\nDoes things.\n"));
	T_OK(strstr(out, "  -b, --block-size=SIZE     bytes of a block\n"));
	T_OK(strstr(out, "  -q                        say less\n"));
	T_OK(strstr(out, "      --undo=FILE           keep old"));
	T_OK(strstr(out, "  -V, --version             show the version\n"));
}

static void test_signals(void)
{
	static volatile sig_atomic_t stop;
	int status = 0;
	pid_t pid;

	cli_catch_signals(&stop);
	raise(SIGTERM);
	T_EQ(stop, 1);
	fflush(NULL);
	pid = fork();
	if (!pid) {
		raise(SIGINT);
		_exit(0);
	}
	T_OK(pid > 0 && waitpid(pid, &status, 0) == pid);
	T_OK(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
}

int main(void)
{
	if (!freopen("/dev/null", "w", stderr))
		return 1;
	test_parse();
	test_u64();
	test_size();
	test_size_text();
	test_exits();
	test_signals();
	return t_done();
}
