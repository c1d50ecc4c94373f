// SPDX-License-Identifier: GPL-2.0-or-later
/* Extended attributes: what may be set, and setting it. */
#include "xattr_write.h"

#include "../format/blocktype.h"
#include "alloc.h"
#include "read.h"
#include "tree_write.h"
#include "xattr_block.h"

#include <errno.h>
#include <sys/stat.h>

enum {
	HEAD = sizeof(struct gfs2_ea_header),
	ACL_HEAD = 4, /* version, le32: 2 */
	ACL_ENTRY = 8,
};

static int refuse(const struct gfs_inode *ip, int code, const char *name,
		  const char *why)
{
	return gfs_fail(ip->fs->err, code, ip->blk, "xattr %s: %s", name, why);
}

static int parse_name(const struct gfs_inode *ip, const char *text,
		      struct gfs_ea_name *name)
{
	for (unsigned int type = GFS2_EATYPE_USR; type <= GFS2_EATYPE_TRUSTED;
	     type++) {
		const char *prefix = gfs_ea_prefix(type);
		size_t n = strlen(prefix);
		size_t len = strlen(text);

		if (strncmp(text, prefix, n))
			continue;
		if (len == n || len - n > GFS2_EA_MAX_NAME_LEN)
			return refuse(ip, len == n ? EINVAL : ERANGE, prefix,
				      "name is not of 1 to 255 bytes");
		name->type = type;
		name->name = text + n;
		name->len = (uint32_t)(len - n);
		return 0;
	}
	return refuse(ip, EOPNOTSUPP, text, "unknown prefix");
}

static int check_acl(const struct gfs_inode *ip, const struct gfs_xattr_new *x,
		     const struct gfs_ea_name *name)
{
	static const uint8_t version[ACL_HEAD] = { 2 };
	bool is_default = !strcmp(name->name, "posix_acl_default");
	uint64_t max = (300ULL << ip->fs->geom.shift) >> 12;

	if (!is_default && strcmp(name->name, "posix_acl_access") != 0)
		return refuse(ip, EOPNOTSUPP, x->name, "unknown name");
	if (S_ISLNK(ip->mode))
		return refuse(ip, EOPNOTSUPP, x->name, "on a symbolic link");
	if (is_default && !S_ISDIR(ip->mode))
		return refuse(ip, EINVAL, x->name, "not on a directory");
	if (x->len < ACL_HEAD || (x->len - ACL_HEAD) % ACL_ENTRY ||
	    memcmp(x->value, version, ACL_HEAD) != 0)
		return refuse(ip, EINVAL, x->name, "not an ACL");
	if ((x->len - ACL_HEAD) / ACL_ENTRY > max)
		return refuse(ip, ERANGE, x->name, "too many entries");
	return 0;
}

static int check_allowed(const struct gfs_inode *ip,
			 const struct gfs_xattr_new *x,
			 const struct gfs_ea_name *name)
{
	if (x->len > GFS2_EA_MAX_DATA_LEN)
		return refuse(ip, ERANGE, x->name,
			      "value is longer than 65536 bytes");
	switch (name->type) {
	case GFS2_EATYPE_USR:
		if (S_ISREG(ip->mode) || S_ISDIR(ip->mode))
			return 0;
		return refuse(ip, EPERM, x->name, "on a special file");
	case GFS2_EATYPE_TRUSTED:
		if (ip->fs->sb.fs_format > GFS2_FORMAT_FS_MIN)
			return 0;
		return refuse(ip, EOPNOTSUPP, x->name, "needs format 1802");
	case GFS2_EATYPE_SYS: return check_acl(ip, x, name);
	default: return 0;
	}
}

/* Sizes of a record. */
struct shape {
	uint32_t need; /* bytes */
	uint32_t ptrs; /* 0: stuffed */
};

static int shape_of(const struct gfs_inode *ip, const struct gfs_xattr_new *x,
		    const struct gfs_ea_name *name, struct shape *s)
{
	const uint32_t jbsize = ip->fs->geom.jbsize;
	uint64_t need = gfs_round_up(HEAD + name->len + x->len, 8);

	s->ptrs = 0;
	if (need > jbsize) {
		s->ptrs = (uint32_t)gfs_div_up(x->len, jbsize);
		need = HEAD + gfs_round_up(name->len, 8) +
		       s->ptrs * sizeof(be64);
	}
	if (need > jbsize || s->ptrs > UINT8_MAX)
		return refuse(ip, ERANGE, x->name,
			      "does not fit a block of pointers");
	s->need = (uint32_t)need;
	return 0;
}

/* A block for the inode's xattrs. */
static int take_block(struct gfs_writer *w, struct gfs_inode *ip,
		      uint32_t mh_type, uint64_t *blk, void **data)
{
	struct gfs_blocks got;
	int rc = gfs_tree_take(w, ip, 1, &got);

	*blk = got.blk;
	return rc ? rc : gfs_writer_fresh(w, got.blk, mh_type, data);
}

/* Put an IN block between the inode and its one EA block. */
static int make_list(struct gfs_writer *w, struct gfs_inode *ip)
{
	struct gfs2_dinode *di = gfs_writer_dinode(w, ip);
	uint64_t blk;
	void *data;
	int rc =
		di ? take_block(w, ip, GFS2_METATYPE_IN, &blk, &data) : -ENOMEM;

	if (rc)
		return rc;
	gfs_ptr_put((char *)data + sizeof(struct gfs2_meta_header), 0,
		    ip->eattr);
	di->di_eattr = cpu_to_be64(blk);
	di->di_flags = cpu_to_be32(ip->flags | GFS2_DIF_EA_INDIRECT);
	gfs_inode_refresh(ip);
	return 0;
}

/* Number of EA blocks. */
static int count_blocks(const struct gfs_inode *ip, uint32_t *n)
{
	uint64_t blk;
	int rc;

	for (*n = 0;; ++*n) {
		rc = gfs_ea_block(ip, *n, &blk);
		if (rc || !blk)
			return rc;
	}
}

/* Append an empty EA block; n are there already. */
static int add_block(struct gfs_writer *w, struct gfs_inode *ip, uint32_t n,
		     struct gfs_ea_place *at)
{
	struct gfs2_dinode *di = gfs_writer_dinode(w, ip);
	struct gfs_buf *buf;
	char *list;
	uint64_t blk;
	void *data;
	int rc = di ? 0 : -ENOMEM;

	if (!rc && n && !(ip->flags & GFS2_DIF_EA_INDIRECT))
		rc = make_list(w, ip);
	if (!rc)
		rc = take_block(w, ip, GFS2_METATYPE_EA, &blk, &data);
	if (rc)
		return rc;
	gfs_xattr_init(&w->fs->geom, data);
	*at = (struct gfs_ea_place){ .blk = blk,
				     .offset =
					     sizeof(struct gfs2_meta_header) };
	if (!(ip->flags & GFS2_DIF_EA_INDIRECT)) {
		di->di_eattr = cpu_to_be64(blk);
		gfs_inode_refresh(ip);
		return 0;
	}
	rc = gfs_read_get(w->fs, ip->eattr, GFS2_METATYPE_IN, &buf);
	if (rc)
		return rc;
	list = gfs_writer_edit(w, buf);
	gfs_buf_put(buf);
	if (!list)
		return -ENOMEM;
	gfs_ptr_put(list + sizeof(struct gfs2_meta_header), n, blk);
	return 0;
}

/* Find or make a place for a record; checks that all of it can be had. */
static int place_for(struct gfs_writer *w, struct gfs_inode *ip,
		     const struct shape *s, struct gfs_ea_place *at)
{
	uint32_t n = 0;
	uint64_t cost = s->ptrs;
	int rc = gfs_ea_find_room(ip, s->need, at);

	if (!rc && !at->blk) {
		rc = count_blocks(ip, &n);
		cost += 1;
		if (n && !(ip->flags & GFS2_DIF_EA_INDIRECT))
			cost += 1;
		if (!rc && n >= w->fs->geom.inptrs)
			rc = refuse(ip, ENOSPC, "block", "the list is full");
	}
	if (!rc)
		rc = gfs_alloc_check(w, gfs_tree_goal(ip), cost);
	if (!rc && !at->blk)
		rc = add_block(w, ip, n, at);
	return rc;
}

/* The value in blocks of its own; ptrs: their array in the record. */
static int write_value(struct gfs_writer *w, struct gfs_inode *ip,
		       const struct gfs_xattr_new *x, char *ptrs)
{
	const uint32_t jbsize = w->fs->geom.jbsize;

	for (size_t done = 0, i = 0; done < x->len; i++) {
		size_t n = gfs_min(x->len - done, jbsize);
		uint64_t blk;
		void *data;
		int rc = take_block(w, ip, GFS2_METATYPE_ED, &blk, &data);

		if (rc)
			return rc;
		memcpy((char *)data + sizeof(struct gfs2_meta_header),
		       (const char *)x->value + done, n);
		gfs_ptr_put(ptrs, (uint32_t)i, blk);
		done += n;
	}
	return 0;
}

static int write_record(struct gfs_writer *w, struct gfs_inode *ip,
			const struct gfs_xattr_new *x,
			const struct gfs_ea_name *name, struct gfs_ea_place *at)
{
	struct shape s = { 0 };
	struct gfs2_ea_header *ea;
	char *body;
	int rc = shape_of(ip, x, name, &s);

	if (!rc)
		rc = place_for(w, ip, &s, at);
	if (rc)
		return rc;
	ea = gfs_ea_insert(w, at, &rc);
	if (!ea)
		return rc;
	ea->ea_type = (uint8_t)name->type;
	ea->ea_name_len = (uint8_t)name->len;
	ea->ea_data_len = cpu_to_be32((uint32_t)x->len);
	ea->ea_num_ptrs = (uint8_t)s.ptrs;
	body = (char *)(ea + 1);
	memcpy(body, name->name, name->len);
	if (s.ptrs)
		return write_value(w, ip, x, body + gfs_round_up(name->len, 8));
	if (x->len)
		memcpy(body + name->len, x->value, x->len);
	return 0;
}

static int touch(struct gfs_writer *w, struct gfs_inode *ip)
{
	struct gfs2_dinode *di = gfs_writer_dinode(w, ip);

	if (!di)
		return -ENOMEM;
	gfs_writer_touch(w, di, false);
	return 0;
}

/* The new record first, then away with the old one, as the kernel does. */
static int set(struct gfs_writer *w, struct gfs_inode *ip,
	       const struct gfs_xattr_new *x, const struct gfs_ea_name *name)
{
	struct gfs_ea_place old, new;
	int rc = gfs_ea_find(ip, name, NULL, &old);

	if (rc)
		return rc;
	if (old.blk && x->flags & GFS_XATTR_CREATE)
		return refuse(ip, EEXIST, x->name, "exists");
	if (!old.blk && x->flags & GFS_XATTR_REPLACE)
		return refuse(ip, ENODATA, x->name, "does not exist");
	rc = write_record(w, ip, x, name, &new);
	if (!rc && old.blk)
		rc = gfs_ea_find(ip, name, &new, &old);
	if (!rc && old.blk)
		rc = gfs_ea_delete(w, ip, &old);
	return rc ? rc : touch(w, ip);
}

int gfs_xattr_set(struct gfs_writer *w, struct gfs_inode *ip,
		  const struct gfs_xattr_new *x)
{
	struct gfs_ea_name name;
	int rc = parse_name(ip, x->name, &name);

	if (!rc)
		rc = check_allowed(ip, x, &name);
	if (!rc)
		rc = set(w, ip, x, &name);
	return gfs_writer_result(w, rc);
}

int gfs_xattr_remove(struct gfs_writer *w, struct gfs_inode *ip,
		     const char *text)
{
	struct gfs_ea_name name;
	struct gfs_ea_place at;
	int rc = parse_name(ip, text, &name);

	if (!rc)
		rc = gfs_ea_find(ip, &name, NULL, &at);
	if (!rc && !at.blk)
		rc = refuse(ip, ENODATA, text, "does not exist");
	if (!rc)
		rc = gfs_ea_delete(w, ip, &at);
	if (!rc)
		rc = touch(w, ip);
	return gfs_writer_result(w, rc);
}
