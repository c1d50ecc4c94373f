// SPDX-License-Identifier: GPL-2.0-or-later
// measure COMMAND ARG...: what a command costs, on one line of standard
// output: wall and CPU time in microseconds, peak memory in KiB, exit status.
// The command's own standard output is thrown away.

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long micros(struct timeval t)
{
	return t.tv_sec * 1000000L + t.tv_usec;
}

static void run_command(char **argv)
{
	int null = open("/dev/null", O_WRONLY);

	if (null >= 0)
		dup2(null, STDOUT_FILENO);
	execvp(argv[0], argv);
	fprintf(stderr, "measure: %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

int main(int argc, char **argv)
{
	struct timespec a, b;
	struct rusage used;
	int status;
	long wall;
	pid_t pid;

	if (argc < 2) {
		fprintf(stderr, "usage: measure COMMAND ARG...\n");
		return 2;
	}
	clock_gettime(CLOCK_MONOTONIC, &a);
	pid = fork();
	if (pid == 0)
		run_command(argv + 1);
	if (pid < 0 || wait4(pid, &status, 0, &used) < 0) {
		fprintf(stderr, "measure: %s\n", strerror(errno));
		return 1;
	}
	clock_gettime(CLOCK_MONOTONIC, &b);
	wall = (b.tv_sec - a.tv_sec) * 1000000L +
	       (b.tv_nsec - a.tv_nsec) / 1000;
	printf("%ld %ld %ld %d\n", wall,
	       micros(used.ru_utime) + micros(used.ru_stime), used.ru_maxrss,
	       WIFEXITED(status) ? WEXITSTATUS(status) :
				   128 + WTERMSIG(status));
	return 0;
}
