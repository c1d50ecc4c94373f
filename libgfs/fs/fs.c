// SPDX-License-Identifier: GPL-2.0-or-later
/* A volume: superblock, system files, journals counted. */
#include "fs.h"

#include "../format/blocktype.h"
#include "dir.h"
#include "read.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SB_BYTES = 512 };

static int check_super(struct gfs_fs *fs, const struct gfs2_sb *sb)
{
	const uint64_t none = GFS_NO_BLOCK;
	uint32_t format = be32_to_cpu(sb->sb_fs_format);
	struct gfs_flaw flaw;

	if (!gfs_block_is(sb, GFS2_METATYPE_SB))
		return gfs_fail(fs->err, GFS_ENOTFS, none, "no superblock");
	if (format < GFS2_FORMAT_FS_MIN || format > GFS2_FORMAT_FS_MAX)
		return gfs_fail(fs->err, GFS_EFORMAT, none,
				"superblock: format %u", format);
	flaw = gfs_verify_sb_start(sb);
	if (flaw.why && !flaw.minor)
		return gfs_fail(fs->err, GFS_ECORRUPT, none,
				"superblock: %s %s",
				flaw.field ? flaw.field->name : "", flaw.why);
	return 0;
}

static struct gfs_ino ino_of(const struct gfs2_inum *inum)
{
	return (struct gfs_ino){
		.formal = be64_to_cpu(inum->no_formal_ino),
		.addr = be64_to_cpu(inum->no_addr),
	};
}

static void fill_super(struct gfs_super *s, const struct gfs2_sb *sb)
{
	s->fs_format = be32_to_cpu(sb->sb_fs_format);
	s->master = ino_of(&sb->sb_master_dir);
	s->root = ino_of(&sb->sb_root_dir);
	memcpy(s->lockproto, sb->sb_lockproto, GFS2_LOCKNAME_LEN);
	memcpy(s->locktable, sb->sb_locktable, GFS2_LOCKNAME_LEN);
	s->lockproto[GFS2_LOCKNAME_LEN] = '\0';
	s->locktable[GFS2_LOCKNAME_LEN] = '\0';
	memcpy(s->uuid, sb->sb_uuid, sizeof(s->uuid));
}

static int make_cache(struct gfs_fs *fs)
{
	if (fs->cache && gfs_cache_bsize(fs->cache) == fs->geom.bsize) {
		gfs_cache_drop(fs->cache);
		return 0;
	}
	gfs_cache_free(fs->cache);
	return gfs_cache_new(&fs->cache, fs->dev, fs->geom.bsize, 0, fs->err);
}

int gfs_fs_read_super(struct gfs_fs *fs)
{
	union {
		char bytes[SB_BYTES];
		struct gfs2_sb sb;
	} u;
	int rc = gfs_dev_read(fs->dev, &u, sizeof(u), GFS2_SB_OFFSET);

	if (rc == -GFS_ESHORT)
		return gfs_fail(fs->err, GFS_ENOTFS, GFS_NO_BLOCK,
				"too small for a superblock");
	if (rc)
		return gfs_fail(fs->err, rc, GFS_NO_BLOCK,
				"cannot read the superblock");
	rc = check_super(fs, &u.sb);
	if (!rc)
		rc = gfs_geom_init(&fs->geom, be32_to_cpu(u.sb.sb_bsize));
	if (rc)
		return rc;
	fill_super(&fs->sb, &u.sb);
	fs->nblocks = fs->dev->size / fs->geom.bsize;
	return make_cache(fs);
}

/* The names of master and where their inodes are kept. */
static const struct {
	const char *name;
	size_t offset;
} roles[] = {
	{ "jindex", offsetof(struct gfs_system, jindex) },
	{ "per_node", offsetof(struct gfs_system, per_node) },
	{ "inum", offsetof(struct gfs_system, inum) },
	{ "statfs", offsetof(struct gfs_system, statfs) },
	{ "rindex", offsetof(struct gfs_system, rindex) },
	{ "quota", offsetof(struct gfs_system, quota) },
};

/* Inode number by name; without the name addr 0 and still success. */
static int find_name(struct gfs_inode *dir, const char *name,
		     struct gfs_ino *ino)
{
	struct gfs_dir_entry e;
	int rc = gfs_dir_lookup(dir, name, strlen(name), &e);

	*ino = (struct gfs_ino){ 0 };
	if (!rc)
		*ino = e.ino;
	return rc == -ENOENT ? 0 : rc;
}

int gfs_fs_find_system(struct gfs_fs *fs)
{
	struct gfs_inode *master;
	int rc;

	fs->sys = (struct gfs_system){ 0 };
	rc = gfs_inode_get(fs, fs->sb.master.addr, &master);
	if (rc) {
		gfs_context(fs->err, "master directory");
		return rc;
	}
	for (size_t i = 0; i < GFS_ARRAY_SIZE(roles) && !rc; i++) {
		void *at = (char *)&fs->sys + roles[i].offset;

		rc = find_name(master, roles[i].name, at);
	}
	gfs_inode_put(master);
	return rc;
}

int gfs_fs_count_journals(struct gfs_fs *fs)
{
	struct gfs_inode *jindex;
	struct gfs_ino ino;
	int rc;

	fs->njournals = 0;
	if (!fs->sys.jindex.addr)
		return gfs_fail(fs->err, GFS_ECORRUPT, fs->sb.master.addr,
				"there is no jindex");
	rc = gfs_inode_get(fs, fs->sys.jindex.addr, &jindex);
	if (rc)
		return rc;
	for (;; fs->njournals++) {
		char name[32];

		snprintf(name, sizeof(name), "journal%u", fs->njournals);
		rc = find_name(jindex, name, &ino);
		if (rc || !ino.addr)
			break;
	}
	gfs_inode_put(jindex);
	return rc;
}

static int open_system(struct gfs_fs *fs)
{
	int rc = gfs_fs_find_system(fs);

	if (!rc)
		rc = gfs_fs_count_journals(fs);
	if (!rc)
		rc = gfs_rgrps_load(fs);
	return rc;
}

int gfs_fs_open(struct gfs_fs **fs, struct gfs_dev *dev, unsigned int flags,
		struct gfs_error *err)
{
	struct gfs_fs *f = calloc(1, sizeof(*f));
	int rc;

	*fs = NULL;
	if (!f)
		return gfs_fail(err, ENOMEM, GFS_NO_BLOCK, "no volume");
	f->dev = dev;
	f->err = err;
	rc = gfs_fs_read_super(f);
	if (!rc && !(flags & GFS_FS_BARE))
		rc = open_system(f);
	if (rc) {
		gfs_fs_close(f);
		return rc;
	}
	*fs = f;
	return 0;
}

void gfs_fs_close(struct gfs_fs *fs)
{
	if (!fs)
		return;
	gfs_rgrps_free(&fs->rgrps);
	gfs_cache_free(fs->cache);
	free(fs);
}

bool gfs_fs_has_block(const struct gfs_fs *fs, uint64_t blk)
{
	return blk > fs->geom.sb_blk && blk < fs->nblocks;
}

bool gfs_fs_is_data_block(const struct gfs_fs *fs, uint64_t blk)
{
	return gfs_rgrp_find(&fs->rgrps, blk) != NULL;
}

int gfs_fs_per_node(struct gfs_fs *fs, const char *name, uint32_t jid,
		    struct gfs_ino *ino)
{
	struct gfs_inode *dir;
	char full[GFS2_FNAMESIZE + 1];
	int rc;

	*ino = (struct gfs_ino){ 0 };
	snprintf(full, sizeof(full), "%s%u", name, jid);
	if (!fs->sys.per_node.addr)
		return gfs_fail(fs->err, ENOENT, fs->sb.master.addr,
				"there is no per_node");
	rc = gfs_inode_get(fs, fs->sys.per_node.addr, &dir);
	if (rc)
		return rc;
	rc = find_name(dir, full, ino);
	gfs_inode_put(dir);
	if (!rc && !ino->addr)
		rc = gfs_fail(fs->err, ENOENT, fs->sys.per_node.addr,
			      "there is no %s", full);
	return rc;
}

/*
 * Add the values of a statfs file to *sum. As in the kernel they are where a
 * stuffed file has them, whatever height and size say.
 */
static int add_statfs(struct gfs_fs *fs, uint64_t addr, struct gfs_statfs *sum)
{
	struct gfs2_statfs_change sc;
	struct gfs_buf *buf;
	int rc = gfs_read_get(fs, addr, GFS2_METATYPE_DI, &buf);

	if (rc)
		return rc;
	memcpy(&sc, (const char *)buf->data + sizeof(struct gfs2_dinode),
	       sizeof(sc));
	gfs_buf_put(buf);
	sum->total = (int64_t)((uint64_t)sum->total +
			       be64_to_cpu(sc.sc_total));
	sum->free = (int64_t)((uint64_t)sum->free + be64_to_cpu(sc.sc_free));
	sum->dinodes = (int64_t)((uint64_t)sum->dinodes +
				 be64_to_cpu(sc.sc_dinodes));
	return 0;
}

int gfs_fs_read_statfs(struct gfs_fs *fs, struct gfs_statfs *master,
		       struct gfs_statfs *changes)
{
	int rc;

	*master = *changes = (struct gfs_statfs){ 0 };
	if (!fs->sys.statfs.addr)
		return gfs_fail(fs->err, ENOENT, fs->sb.master.addr,
				"there is no statfs");
	rc = add_statfs(fs, fs->sys.statfs.addr, master);
	for (uint32_t jid = 0; jid < fs->njournals && !rc; jid++) {
		struct gfs_ino ino;

		rc = gfs_fs_per_node(fs, "statfs_change", jid, &ino);
		if (!rc)
			rc = add_statfs(fs, ino.addr, changes);
	}
	return rc;
}
