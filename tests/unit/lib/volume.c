// SPDX-License-Identifier: GPL-2.0-or-later
/* Volumes in memory for tests of libgfs/fs. */
#include "volume.h"

#include "../../../libgfs/format/blocktype.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MKFS "/usr/sbin/mkfs.gfs2"

enum { BYTES = 40 << 20 };

extern char **environ;

static _Noreturn void die(const char *what)
{
	printf("Bail out! %s\n", what);
	exit(1);
}

static bool run_mkfs(char *path, uint32_t bsize, unsigned int journals)
{
	char size[16], count[16];
	char *const argv[] = {
		(char[]){ "mkfs.gfs2" }, (char[]){ "-q" }, (char[]){ "-O" },
		(char[]){ "-p" }, (char[]){ "lock_nolock" },
		(char[]){ "-J" }, (char[]){ "8" }, (char[]){ "-b" }, size,
		(char[]){ "-j" }, count, path, NULL,
	};
	posix_spawn_file_actions_t actions;
	int status, rc;
	pid_t pid;

	snprintf(size, sizeof(size), "%u", bsize);
	snprintf(count, sizeof(count), "%u", journals);
	/* What it says would not be TAP. */
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null",
					 O_WRONLY, 0);
	rc = posix_spawn(&pid, MKFS, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return !rc && waitpid(pid, &status, 0) == pid && status == 0;
}

/* Take a file's data over into the device; what is a hole stays zero. */
static bool load(struct volume *v, int fd)
{
	off_t from = 0, to;
	char *buf = malloc(BYTES);
	bool ok = buf != NULL;

	while (ok && (from = lseek(fd, from, SEEK_DATA)) >= 0) {
		to = lseek(fd, from, SEEK_HOLE);
		ok = pread(fd, buf, (size_t)(to - from), from) == to - from &&
		     !gfs_dev_write(v->dev, buf, (size_t)(to - from),
				    (uint64_t)from);
		from = to;
	}
	free(buf);
	return ok;
}

bool volume_make_image(struct volume *v, uint32_t bsize,
		       unsigned int journals)
{
	const char *dir = getenv("TMPDIR");
	char path[4096];
	bool ok;
	int fd;

	*v = (struct volume){ 0 };
	snprintf(path, sizeof(path), "%s/gfs-unit.XXXXXX", dir ? dir : "/tmp");
	fd = mkstemp(path);
	ok = fd >= 0 && !ftruncate(fd, BYTES) &&
	     run_mkfs(path, bsize, journals) &&
	     !gfs_dev_mem_open(&v->dev, BYTES) && load(v, fd);
	if (fd >= 0) {
		unlink(path);
		close(fd);
	}
	if (!ok)
		printf("# no volume: does %s work?\n", MKFS);
	return ok;
}

bool volume_make(struct volume *v, uint32_t bsize, unsigned int journals)
{
	char text[512];
	int rc;

	if (!volume_make_image(v, bsize, journals))
		return false;
	rc = gfs_fs_open(&v->fs, v->dev, 0, &v->err);
	if (rc)
		printf("# open: %s\n",
		       gfs_error_message(&v->err, rc, text, sizeof(text)));
	return !rc;
}

bool volume_bare(struct volume *v, uint32_t bsize, uint64_t n)
{
	*v = (struct volume){ 0 };
	v->fs = calloc(1, sizeof(*v->fs));
	if (!v->fs || gfs_dev_mem_open(&v->dev, n * bsize) ||
	    gfs_geom_init(&v->fs->geom, bsize) ||
	    gfs_cache_new(&v->fs->cache, v->dev, bsize, 0, &v->err))
		return false;
	v->fs->dev = v->dev;
	v->fs->err = &v->err;
	v->fs->nblocks = n;
	return true;
}

void volume_close(struct volume *v)
{
	gfs_fs_close(v->fs);
	gfs_dev_close(v->dev);
	*v = (struct volume){ 0 };
}

/* Images that were not opened have no geometry yet. */
static uint32_t bsize_of(const struct volume *v)
{
	if (!v->fs)
		die("block access to a volume that is not open");
	return v->fs->geom.bsize;
}

void volume_read(struct volume *v, uint64_t blk, void *block)
{
	uint32_t bsize = bsize_of(v);

	if (gfs_dev_read(v->dev, block, bsize, blk * bsize))
		die("cannot read a block");
}

void volume_write(struct volume *v, uint64_t blk, const void *block)
{
	uint32_t bsize = bsize_of(v);

	if (gfs_dev_write(v->dev, block, bsize, blk * bsize))
		die("cannot write a block");
	gfs_cache_drop(v->fs->cache);
}

struct gfs2_dinode *volume_dinode(struct volume *v, void *block, uint64_t blk,
				  uint32_t mode)
{
	struct gfs2_dinode *di = block;

	memset(block, 0, bsize_of(v));
	put_header(block, GFS2_METATYPE_DI);
	di->di_num.no_formal_ino = cpu_to_be64(7);
	di->di_num.no_addr = cpu_to_be64(blk);
	di->di_mode = cpu_to_be32(mode);
	di->di_nlink = cpu_to_be32(1);
	di->di_blocks = cpu_to_be64(1);
	if (S_ISDIR(mode))
		di->di_flags = cpu_to_be32(GFS2_DIF_JDATA);
	return di;
}

void put64(void *block, size_t offset, uint64_t value)
{
	be64 v = cpu_to_be64(value);

	memcpy((char *)block + offset, &v, sizeof(v));
}

void put_header(void *block, uint32_t mh_type)
{
	gfs_block_header(block, mh_type);
}
