// SPDX-License-Identifier: GPL-2.0-or-later
/* Commands that show a volume and an inode as a whole: stats, stat. */
#include "expr.h"
#include "show.h"

#include "../libgfs/fs/file.h"
#include "../libgfs/fs/xattr.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

static int show_super(struct dbg *d)
{
	struct gfs_buf *buf;
	int rc = dbg_block(d, d->fs->geom.sb_blk, &buf);

	if (rc)
		return rc;
	emit_object_begin(d->out, "superblock");
	emit_u64(d->out, "block", d->fs->geom.sb_blk);
	dbg_show_struct(d->out, gfs_layout_find("sb"), buf->data);
	emit_object_end(d->out);
	gfs_buf_put(buf);
	return 0;
}

static void show_geometry(struct dbg *d)
{
	const struct gfs_geom *g = &d->fs->geom;

	emit_object_begin(d->out, "geometry");
	emit_u64(d->out, "device_bytes", d->dev->size);
	emit_u64(d->out, "device_blocks", d->fs->nblocks);
	emit_u64(d->out, "stuffed_bytes", g->stuffed_max);
	emit_u64(d->out, "dinode_pointers", g->diptrs);
	emit_u64(d->out, "indirect_pointers", g->inptrs);
	emit_u64(d->out, "max_height", g->max_height);
	emit_object_end(d->out);
}

static void show_system(struct dbg *d)
{
	const struct gfs_system *sys = &d->fs->sys;
	const struct {
		const char *name;
		const struct gfs_ino *ino;
	} files[] = {
		{ "jindex", &sys->jindex }, { "per_node", &sys->per_node },
		{ "inum", &sys->inum },     { "statfs", &sys->statfs },
		{ "rindex", &sys->rindex }, { "quota", &sys->quota },
	};

	emit_object_begin(d->out, "system_files");
	for (size_t i = 0; i < GFS_ARRAY_SIZE(files); i++) {
		if (files[i].ino->addr)
			emit_u64(d->out, files[i].name, files[i].ino->addr);
		else
			emit_str(d->out, files[i].name, NULL);
	}
	emit_object_end(d->out);
}

struct totals {
	uint64_t data, free, dinodes; /* as the headers say */
	uint64_t counted[4];          /* as the bitmaps say */
};

static void show_totals(struct dbg *d, const struct totals *t)
{
	emit_object_begin(d->out, "resource_groups");
	emit_u64(d->out, "groups", d->fs->rgrps.n);
	emit_u64(d->out, "blocks", t->data);
	emit_u64(d->out, "free", t->free);
	emit_u64(d->out, "dinodes", t->dinodes);
	emit_object_begin(d->out, "bitmaps");
	for (unsigned int s = 0; s < 4; s++) {
		static const char *const names[] = { "free", "used", "unlinked",
						     "dinode" };

		emit_u64(d->out, names[s], t->counted[s]);
	}
	emit_object_end(d->out);
	emit_object_end(d->out);
}

/* Totals are shown only when every group could be read. */
static int show_rgrps(struct dbg *d)
{
	struct totals t = { 0 };
	int rc = 0;

	for (uint32_t i = 0; i < d->fs->rgrps.n; i++) {
		const struct gfs_rgrp *rg = &d->fs->rgrps.rg[i];
		struct gfs_rgrp_info info;
		int one = gfs_rgrp_read_info(d->fs, rg, &info);

		if (one) {
			rc = dbg_complain(d, one);
			continue;
		}
		t.data += rg->data;
		t.free += info.free;
		t.dinodes += info.dinodes;
		for (unsigned int s = 0; s < 4; s++)
			t.counted[s] += info.counted[s];
	}
	if (!rc)
		show_totals(d, &t);
	return rc;
}

static void show_counts(struct emit *e, const char *name,
			const struct gfs_statfs *s)
{
	emit_object_begin(e, name);
	emit_s64(e, "total", s->total);
	emit_s64(e, "free", s->free);
	emit_s64(e, "dinodes", s->dinodes);
	emit_object_end(e);
}

static int show_statfs(struct dbg *d)
{
	struct gfs_statfs master, changes;
	int rc = gfs_fs_read_statfs(d->fs, &master, &changes);

	if (rc)
		return dbg_complain(d, rc);
	show_counts(d->out, "statfs", &master);
	show_counts(d->out, "statfs_changes", &changes);
	return 0;
}

int dbg_cmd_stats(struct dbg *d, struct dbg_args *a)
{
	static const struct {
		unsigned int need;
		int (*show)(struct dbg *d);
	} parts[] = {
		{ DBG_RGRPS, show_rgrps },
		{ DBG_JOURNALS, dbg_show_journals },
		{ DBG_SYSTEM | DBG_JOURNALS, show_statfs },
	};
	int rc;

	(void)a;
	emit_object_begin(d->out, NULL);
	rc = dbg_complain(d, show_super(d));
	show_geometry(d);
	if (d->have & DBG_SYSTEM)
		show_system(d);
	for (size_t i = 0; i < GFS_ARRAY_SIZE(parts); i++) {
		int one = dbg_complain(d, dbg_need(d, parts[i].need));

		if (!one)
			one = parts[i].show(d);
		rc = one ? one : rc;
	}
	emit_object_end(d->out);
	return rc;
}

static void show_time(struct emit *e, const char *name, be64 sec, be32 nsec)
{
	char text[96];

	emit_str(e, name,
		 dbg_time_text((int64_t)be64_to_cpu(sec), be32_to_cpu(nsec),
			       text, sizeof(text)));
}

static void show_flags(struct emit *e, const struct gfs2_dinode *di)
{
	size_t offset;
	const struct gfs_field *f;

	f = gfs_layout_field(gfs_layout_find("dinode"), "di_flags", &offset);
	dbg_show_field(e, "flags", f, &di->di_flags);
}

static void show_inode(struct emit *e, const struct gfs_inode *ip)
{
	const struct gfs2_dinode *di = gfs_inode_di(ip);

	emit_u64(e, "inode", ip->blk);
	emit_u64(e, "formal", be64_to_cpu(di->di_num.no_formal_ino));
	emit_str(e, "type", dbg_type_name(ip->mode));
	emit_strf(e, "mode", "%07o", ip->mode);
	emit_u64(e, "links", be32_to_cpu(di->di_nlink));
	emit_u64(e, "uid", be32_to_cpu(di->di_uid));
	emit_u64(e, "gid", be32_to_cpu(di->di_gid));
	emit_u64(e, "size", ip->size);
	emit_u64(e, "blocks", ip->blocks);
	show_flags(e, di);
	emit_u64(e, "height", ip->height);
	if (S_ISDIR(ip->mode)) {
		emit_u64(e, "depth", ip->depth);
		emit_u64(e, "entries", ip->entries);
	}
	if (S_ISCHR(ip->mode) || S_ISBLK(ip->mode))
		emit_strf(e, "device", "%u:%u", be32_to_cpu(di->di_major),
			  be32_to_cpu(di->di_minor));
	emit_u64(e, "goal", be64_to_cpu(di->di_goal_meta));
	emit_u64(e, "generation", be64_to_cpu(di->di_generation));
	emit_u64(e, "eattr", ip->eattr);
	show_time(e, "atime", di->di_atime, di->di_atime_nsec);
	show_time(e, "mtime", di->di_mtime, di->di_mtime_nsec);
	show_time(e, "ctime", di->di_ctime, di->di_ctime_nsec);
	emit_strf(e, "glock", "2/%" PRIx64, ip->blk);
}

static int show_target(struct dbg *d, struct gfs_inode *ip)
{
	char *target;
	size_t len;
	int rc;

	if (!S_ISLNK(ip->mode))
		return 0;
	rc = gfs_file_readlink(ip, &target, &len);
	if (rc)
		return rc;
	emit_bytes(d->out, "target", target, len);
	free(target);
	return 0;
}

static int show_xattrs(struct dbg *d, struct gfs_inode *ip)
{
	static const struct emit_column columns[] = {
		{ "name", false }, { "size", true }
	};
	struct gfs_xattr_iter *it;
	struct gfs_xattr *x;
	int rc;

	if (!ip->eattr)
		return 0;
	rc = gfs_xattr_open(&it, ip);
	if (rc)
		return rc;
	x = cli_alloc(sizeof(*x));
	emit_table_begin(d->out, "xattrs", columns, GFS_ARRAY_SIZE(columns),
			 false);
	while ((rc = gfs_xattr_next(it, x)) > 0) {
		emit_row_begin(d->out);
		emit_str(d->out, NULL, x->name);
		emit_u64(d->out, NULL, x->len);
		emit_row_end(d->out);
	}
	emit_table_end(d->out);
	free(x);
	gfs_xattr_close(it);
	return rc;
}

int dbg_cmd_stat(struct dbg *d, struct dbg_args *a)
{
	struct gfs_inode *ip;
	int rc;

	rc = dbg_inode(d, a->v[0], false, &ip);
	if (rc)
		return rc;
	emit_object_begin(d->out, NULL);
	show_inode(d->out, ip);
	rc = show_target(d, ip);
	if (!rc)
		rc = show_xattrs(d, ip);
	emit_object_end(d->out);
	gfs_inode_put(ip);
	return rc;
}
