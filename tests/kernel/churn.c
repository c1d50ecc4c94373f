// SPDX-License-Identifier: GPL-2.0-or-later
// churn run DIR SEED: changes a directory without end, telling on standard
// output what must survive a power cut from that moment on.
// churn verify DIR: reads these lines and compares.
//
// A line comes out only after fsync or syncfs has returned:
//   NAME: synced NUMBER SIZE ok   the file has that content
//   NAME: gone ok                 the name does not exist
//   NAME: busy ok                 about to change: nothing is promised
// Content derives from NUMBER, so nothing else has to be remembered. Names
// that are never told (loose.*) are changed in every way and not judged.

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum {
	KEPT = 200,	/* names of files with a promise */
	LOOSE = 60,	/* names of files without */
	DIRS = 7,
	MAX_SIZE = 300 << 10,
};

static const char *where;	/* last component of DIR, told in each line */
static int root_fd = -1;
static uint64_t state;

static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
	return x ^ (x >> 31);
}

static uint32_t pick(uint32_t below)
{
	state += 0x9e3779b97f4a7c15;
	return (uint32_t)(mix(state) >> 32) % below;
}

/* Some blocks start like metadata, which a journal of data must escape. */
static void content(uint64_t number, size_t size, unsigned char *buf)
{
	static const unsigned char magic[4] = { 0x01, 0x16, 0x19, 0x70 };

	for (size_t i = 0; i < size; i++)
		buf[i] = (unsigned char)mix(number * 0x100000000 + i / 8);
	if (number % 3 == 0)
		for (size_t i = 0; i + sizeof(magic) <= size; i += 512)
			memcpy(buf + i, magic, sizeof(magic));
}

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "churn: %s: %s: %s\n", where, what, strerror(errno));
	exit(1);
}

static void tell(const char *fmt, const char *name, uint64_t number,
		 size_t size)
{
	char line[200];
	int len;

	len = snprintf(line, sizeof(line), "%s %s: %s %" PRIu64 " %zu ok\n",
		       where, name, fmt, number, size);
	if (write(STDOUT_FILENO, line, (size_t)len) != len)
		die("write");
}

/* Small sizes mostly: stuffed, one block, several, an indirect tree. */
static size_t pick_size(void)
{
	switch (pick(8)) {
	case 0: return pick(300);
	case 1: return pick(MAX_SIZE);
	default: return pick(20000);
	}
}

/* Out of space is a state like others: some loose files make room. */
static void make_room(void)
{
	char name[64];

	for (int i = 0; i < LOOSE; i++) {
		snprintf(name, sizeof(name), "loose.%d", i);
		(void)unlinkat(root_fd, name, 0);
	}
}

static int write_file(const char *name, int flags, uint64_t number,
		      size_t size)
{
	static unsigned char buf[MAX_SIZE];
	int fd;

	fd = openat(root_fd, name, O_CREAT | O_WRONLY | flags, 0644);
	if (fd < 0) {
		if (errno != ENOSPC)
			die(name);
		make_room();
		return -1;
	}
	content(number, size, buf);
	for (size_t done = 0; done < size;) {
		ssize_t n = write(fd, buf + done, size - done);

		if (n < 0) {
			if (errno != ENOSPC)
				die(name);
			close(fd);
			make_room();
			return -1;
		}
		done += (size_t)n;
	}
	return fd;
}

static void sync_and_close(int fd, const char *name)
{
	if (fsync(fd) || close(fd))
		die(name);
}

static void keep_in_place(const char *name, uint64_t number)
{
	size_t size = pick_size();
	int fd;

	tell("busy", name, 0, 0);
	fd = write_file(name, O_TRUNC, number, size);
	if (fd < 0)
		return;
	sync_and_close(fd, name);
	tell("synced", name, number, size);
}

static void keep_by_rename(const char *name, uint64_t number)
{
	size_t size = pick_size();
	int fd;

	tell("busy", name, 0, 0);
	fd = write_file("temporary", O_TRUNC, number, size);
	if (fd < 0)
		return;
	if (renameat(root_fd, "temporary", root_fd, name))
		die(name);
	sync_and_close(fd, name);
	if (syncfs(root_fd))
		die("syncfs");
	tell("synced", name, number, size);
}

/* Many files by one sync: one large transaction. */
static void keep_batch(uint64_t number)
{
	char name[8][64];
	size_t size[8];
	bool good[8];

	for (int i = 0; i < 8; i++) {
		int fd;

		snprintf(name[i], sizeof(name[i]), "d%u/batch.%u.%d",
			 pick(DIRS), pick(KEPT / 8), i);
		tell("busy", name[i], 0, 0);
		size[i] = pick_size() / 4;
		fd = write_file(name[i], O_TRUNC, number + i, size[i]);
		good[i] = fd >= 0;
		if (fd >= 0 && close(fd))
			die(name[i]);
	}
	if (syncfs(root_fd))
		die("syncfs");
	for (int i = 0; i < 8; i++)
		if (good[i])
			tell("synced", name[i], number + i, size[i]);
}

static void keep_not(const char *name)
{
	tell("busy", name, 0, 0);
	if (unlinkat(root_fd, name, 0) && errno != ENOENT)
		die(name);
	if (syncfs(root_fd))
		die("syncfs");
	tell("gone", name, 0, 0);
}

/* Changes that promise nothing; errors such as ENOENT are part of it. */
static void loose(uint64_t number)
{
	static int held = -1;
	char a[64], b[64], value[2000];
	int fd;

	snprintf(a, sizeof(a), "loose.%u", pick(LOOSE));
	snprintf(b, sizeof(b), "loose.%u", pick(LOOSE));
	switch (pick(9)) {
	case 0:
		(void)unlinkat(root_fd, a, 0);
		break;
	case 1:
		(void)renameat(root_fd, a, root_fd, b);
		break;
	case 2:
		(void)linkat(root_fd, a, root_fd, b, 0);
		break;
	case 3:
		(void)symlinkat(b, root_fd, a);
		break;
	case 4:	/* unlinked, and open until the next time */
		if (held >= 0)
			close(held);
		held = openat(root_fd, a, O_WRONLY | O_NOFOLLOW);
		(void)unlinkat(root_fd, a, 0);
		break;
	case 5:
		fd = openat(root_fd, a, O_WRONLY | O_NOFOLLOW);
		if (fd < 0)
			break;
		(void)!ftruncate(fd, pick(2 * MAX_SIZE));
		memset(value, 'x', sizeof(value));
		(void)fsetxattr(fd, "user.churn", value, pick(sizeof(value)),
				0);
		close(fd);
		break;
	case 6:
		snprintf(b, sizeof(b), "dir.%u", pick(20));
		if (mkdirat(root_fd, b, 0755))
			(void)unlinkat(root_fd, b, AT_REMOVEDIR);
		break;
	default:
		(void)unlinkat(root_fd, a, 0);
		fd = write_file(a, O_APPEND | O_NOFOLLOW, number, pick_size());
		if (fd >= 0)
			close(fd);
	}
}

/* Files made in it from now on have their data journaled. */
static void journal_data(const char *name)
{
	int flags, fd;

	fd = openat(root_fd, name, O_RDONLY | O_DIRECTORY);
	if (fd < 0 || ioctl(fd, FS_IOC_GETFLAGS, &flags))
		die(name);
	flags |= FS_JOURNAL_DATA_FL;
	if (ioctl(fd, FS_IOC_SETFLAGS, &flags) || close(fd))
		die(name);
}

static void churn(void)
{
	char name[64];

	for (unsigned int i = 0; i < DIRS; i++) {
		snprintf(name, sizeof(name), "d%u", i);
		if (mkdirat(root_fd, name, 0755) && errno != EEXIST)
			die(name);
	}
	journal_data("d0");
	journal_data("d1");
	for (uint64_t number = 1;; number += 8) {
		uint32_t what = pick(20);

		snprintf(name, sizeof(name), "d%u/kept.%u", pick(DIRS),
			 pick(KEPT / DIRS));
		if (what < 3)
			keep_in_place(name, number);
		else if (what < 5)
			keep_by_rename(name, number);
		else if (what == 5)
			keep_batch(number);
		else if (what == 6)
			keep_not(name);
		else
			loose(number);
	}
}

struct promise {
	char name[64];
	char verb[16];
	uint64_t number;
	size_t size;
};

static bool holds(const struct promise *p)
{
	static unsigned char want[MAX_SIZE], got[MAX_SIZE + 1];
	ssize_t n;
	int fd;

	fd = openat(root_fd, p->name, O_RDONLY);
	if (!strcmp(p->verb, "gone"))
		return fd < 0 && errno == ENOENT;
	if (fd < 0)
		return false;
	content(p->number, p->size, want);
	n = read(fd, got, sizeof(got));
	close(fd);
	return n == (ssize_t)p->size && !memcmp(got, want, p->size);
}

/* The last line about a name counts. */
static size_t read_promises(struct promise *list, size_t max)
{
	char line[300], on[64], end[8];
	struct promise p;
	size_t count = 0, i;

	while (fgets(line, sizeof(line), stdin)) {
		if (sscanf(line, "%63s %63[^:]: %15s %" SCNu64 " %zu %7s", on,
			   p.name, p.verb, &p.number, &p.size, end) != 6)
			continue;
		if (strcmp(on, where) || strcmp(end, "ok"))
			continue;
		for (i = 0; i < count && strcmp(list[i].name, p.name); i++)
			;
		if (i == max || p.size > MAX_SIZE) {
			fprintf(stderr, "churn: bad log line: %s", line);
			exit(2);
		}
		count += i == count;
		list[i] = p;
	}
	return count;
}

static int verify(void)
{
	static struct promise list[4096];
	size_t count, judged = 0;
	int bad = 0;

	count = read_promises(list, sizeof(list) / sizeof(list[0]));
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(list[i].verb, "busy"))
			continue;
		judged++;
		if (holds(&list[i]))
			continue;
		printf("%s: %s: not as it was synced (%s %" PRIu64 ", %zu)\n",
		       where, list[i].name, list[i].verb, list[i].number,
		       list[i].size);
		bad = 1;
	}
	printf("%s: %zu names kept their promise%s\n", where, judged,
	       bad ? " or not" : "");
	return bad;
}

int main(int argc, char **argv)
{
	if (argc < 3 || (strcmp(argv[1], "verify") && argc != 4)) {
		fprintf(stderr, "usage: churn run DIR SEED\n"
				"       churn verify DIR <LOG\n");
		return 2;
	}
	where = strrchr(argv[2], '/');
	where = where ? where + 1 : argv[2];
	root_fd = open(argv[2], O_RDONLY | O_DIRECTORY);
	if (root_fd < 0)
		die(argv[2]);
	if (!strcmp(argv[1], "verify"))
		return verify();
	state = strtoull(argv[3], NULL, 0);
	churn();
	return 0;
}
