// SPDX-License-Identifier: GPL-2.0-or-later
/* Commands on directories and contents: ls, cat, dump, map. */
#include "expr.h"
#include "show.h"

#include "../libgfs/fs/bmap.h"
#include "../libgfs/fs/dir.h"
#include "../libgfs/fs/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COPY_BYTES (1U << 20)
/* From so many entries on a listing is written at once, not aligned. */
#define LONG_LIST 20000U

static void short_row(struct dbg *d, const struct gfs_dir_entry *e)
{
	emit_row_begin(d->out);
	emit_u64(d->out, NULL, e->ino.addr);
	emit_str(d->out, NULL, dbg_dirent_type_name(e->type));
	emit_bytes(d->out, NULL, e->name, e->name_len);
	emit_row_end(d->out);
}

static void long_cells(struct emit *out, const struct gfs_inode *ip)
{
	const struct gfs2_dinode *di = gfs_inode_di(ip);
	char text[96];

	emit_strf(out, NULL, "%07o", ip->mode);
	emit_u64(out, NULL, be32_to_cpu(di->di_nlink));
	emit_u64(out, NULL, be32_to_cpu(di->di_uid));
	emit_u64(out, NULL, be32_to_cpu(di->di_gid));
	emit_u64(out, NULL, ip->size);
	emit_str(out, NULL,
		 dbg_time_text((int64_t)be64_to_cpu(di->di_mtime),
			       be32_to_cpu(di->di_mtime_nsec), text,
			       sizeof(text)));
}

/* An entry whose inode cannot be read is listed, too. */
static int long_row(struct dbg *d, const struct gfs_dir_entry *e)
{
	struct gfs_inode *ip;
	int rc = gfs_inode_get(d->fs, e->ino.addr, &ip);

	emit_row_begin(d->out);
	emit_u64(d->out, NULL, e->ino.addr);
	if (rc) {
		for (int i = 0; i < 6; i++)
			emit_str(d->out, NULL, NULL);
	} else {
		long_cells(d->out, ip);
		gfs_inode_put(ip);
	}
	emit_bytes(d->out, NULL, e->name, e->name_len);
	emit_row_end(d->out);
	return dbg_complain(d, rc);
}

static int list(struct dbg *d, struct gfs_inode *dir, bool is_long)
{
	static const struct emit_column brief[] = {
		{ "block", true }, { "type", false }, { "name", false }
	};
	static const struct emit_column all[] = {
		{ "block", true }, { "mode", false }, { "links", true },
		{ "uid", true },   { "gid", true },   { "size", true },
		{ "mtime", false }, { "name", false }
	};
	struct gfs_dir_iter *it;
	struct gfs_dir_entry e;
	int rc, failed = 0;

	rc = gfs_dir_open(&it, dir);
	if (rc)
		return rc;
	emit_table_begin(d->out, NULL, is_long ? all : brief,
			 is_long ? GFS_ARRAY_SIZE(all) : GFS_ARRAY_SIZE(brief),
			 dir->entries > LONG_LIST);
	while ((rc = gfs_dir_next(it, &e)) > 0) {
		if (!is_long)
			short_row(d, &e);
		else if (long_row(d, &e))
			failed = DBG_TOLD;
	}
	emit_table_end(d->out);
	gfs_dir_close(it);
	return rc ? rc : failed;
}

int dbg_cmd_ls(struct dbg *d, struct dbg_args *a)
{
	struct gfs_inode *ip;
	int rc;

	rc = dbg_inode(d, a->v[0], true, &ip);
	if (rc)
		return rc;
	if (gfs_inode_is_dir(ip))
		rc = list(d, ip, a->opt[0]);
	else
		rc = dbg_fail(d, ENOTDIR, "%s", a->v[0]);
	gfs_inode_put(ip);
	return rc;
}

/* A regular file at an address. */
static int open_file(struct dbg *d, const char *text, struct gfs_inode **ip)
{
	int rc = dbg_inode(d, text, true, ip);

	if (rc || S_ISREG((*ip)->mode))
		return rc;
	rc = S_ISDIR((*ip)->mode) ? EISDIR : EINVAL;
	rc = dbg_fail(d, rc, "%s is a %s", text, dbg_type_name((*ip)->mode));
	gfs_inode_put(*ip);
	return rc;
}

static int write_all(int fd, const char *buf, size_t len)
{
	while (len) {
		ssize_t n = write(fd, buf, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		buf += n;
		len -= (size_t)n;
	}
	return 0;
}

/* Copy bytes [off, end) of a file to the descriptor's position. */
static int copy_range(struct dbg *d, struct gfs_inode *ip, int fd,
		      uint64_t off, uint64_t end)
{
	char *buf = cli_alloc(COPY_BYTES);
	int rc = 0;

	while (!rc && off < end) {
		size_t got = 0;

		rc = gfs_file_read(ip, buf, gfs_min(COPY_BYTES, end - off),
				   off, &got);
		if (rc || !got)
			break;
		off += got;
		rc = write_all(fd, buf, got);
		if (rc)
			rc = dbg_fail(d, rc, "write");
	}
	free(buf);
	return rc;
}

int dbg_cmd_cat(struct dbg *d, struct dbg_args *a)
{
	struct gfs_inode *ip;
	int rc;

	rc = open_file(d, a->v[0], &ip);
	if (rc)
		return rc;
	fflush(stdout);
	rc = copy_range(d, ip, STDOUT_FILENO, 0, ip->size);
	gfs_inode_put(ip);
	return rc;
}

/* The part of an extent below the file's size, in bytes. */
static uint64_t extent_end(const struct gfs_inode *ip,
			   const struct gfs_extent *ext)
{
	uint32_t shift = ip->fs->geom.shift;
	uint64_t end = ext->lblk + ext->count;

	if (end > ip->size >> shift)
		return ip->size;
	return end << shift;
}

/* Mapped parts at their places; what lies between stays a hole. */
static int copy_sparse(struct dbg *d, struct gfs_inode *ip, int fd)
{
	uint32_t shift = ip->fs->geom.shift;
	struct gfs_extent ext = { .lblk = 0 };
	uint64_t last = gfs_div_up(ip->size, ip->fs->geom.bsize);
	int rc;

	while (ext.lblk < last &&
	       (rc = gfs_bmap_next(ip, ext.lblk, last - ext.lblk, &ext)) > 0) {
		if (ext.lblk >= last)
			return 0;
		if (lseek(fd, (off_t)(ext.lblk << shift), SEEK_SET) < 0)
			return dbg_fail(d, errno, "seek");
		rc = copy_range(d, ip, fd, ext.lblk << shift,
				extent_end(ip, &ext));
		if (rc)
			return rc;
		ext.lblk += ext.count;
	}
	return ext.lblk < last ? rc : 0;
}

static int dump_to(struct dbg *d, struct gfs_inode *ip, int fd)
{
	struct stat st, dev;
	int rc;

	if (fstat(fd, &st))
		return dbg_fail(d, errno, "stat");
	if (!stat(d->device, &dev) && st.st_dev == dev.st_dev &&
	    st.st_ino == dev.st_ino)
		return dbg_fail(d, EINVAL, "that is the device itself");
	if (!S_ISREG(st.st_mode))
		return copy_range(d, ip, fd, 0, ip->size);
	if (ftruncate(fd, 0))
		return dbg_fail(d, errno, "truncate");
	if (gfs_inode_is_stuffed(ip))
		rc = copy_range(d, ip, fd, 0, ip->size);
	else
		rc = copy_sparse(d, ip, fd);
	if (!rc && ftruncate(fd, (off_t)ip->size))
		rc = dbg_fail(d, errno, "size %" PRIu64, ip->size);
	return rc;
}

int dbg_cmd_dump(struct dbg *d, struct dbg_args *a)
{
	struct gfs_inode *ip;
	int fd, rc;

	rc = open_file(d, a->v[0], &ip);
	if (rc)
		return rc;
	fd = open(a->v[1], O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	rc = fd < 0 ? dbg_fail(d, errno, "open") : dump_to(d, ip, fd);
	if (fd >= 0 && close(fd) && !rc)
		rc = dbg_fail(d, errno, "close");
	if (rc && d->err.blk == GFS_NO_BLOCK)
		gfs_context(&d->err, "%s", a->v[1]);
	if (!rc) {
		emit_object_begin(d->out, NULL);
		emit_u64(d->out, "inode", ip->blk);
		emit_str(d->out, "file", a->v[1]);
		emit_u64(d->out, "bytes", ip->size);
		emit_object_end(d->out);
	}
	gfs_inode_put(ip);
	return rc;
}

static void map_row(struct emit *e, const struct gfs_extent *ext)
{
	emit_row_begin(e);
	emit_u64(e, NULL, ext->lblk);
	emit_u64(e, NULL, ext->count);
	emit_u64(e, NULL, ext->pblk);
	emit_u64(e, NULL, ext->pblk + ext->count - 1);
	emit_row_end(e);
}

int dbg_cmd_map(struct dbg *d, struct dbg_args *a)
{
	static const struct emit_column columns[] = {
		{ "logical", true }, { "count", true }, { "first", true },
		{ "last", true }
	};
	struct gfs_extent ext = { .lblk = 0 };
	struct gfs_inode *ip;
	int rc;

	rc = dbg_inode(d, a->v[0], true, &ip);
	if (rc)
		return rc;
	emit_table_begin(d->out, NULL, columns, GFS_ARRAY_SIZE(columns),
			 false);
	if (!gfs_inode_is_stuffed(ip)) {
		while ((rc = gfs_bmap_next(ip, ext.lblk, UINT32_MAX, &ext)) >
		       0) {
			map_row(d->out, &ext);
			ext.lblk += ext.count;
		}
	}
	emit_table_end(d->out);
	gfs_inode_put(ip);
	return rc;
}
