// SPDX-License-Identifier: GPL-2.0-or-later
/* Records of EA blocks: finding, inserting, deleting. */
#include "xattr_block.h"

#include "../format/blocktype.h"
#include "alloc.h"
#include "read.h"
#include "tree_write.h"

#include <errno.h>

enum { HEAD = sizeof(struct gfs2_ea_header) };

void gfs_xattr_init(const struct gfs_geom *g, void *block)
{
	struct gfs2_ea_header *ea =
		(struct gfs2_ea_header *)((char *)block +
					  sizeof(struct gfs2_meta_header));

	memset(block, 0, g->bsize);
	gfs_block_header(block, GFS2_METATYPE_EA);
	ea->ea_rec_len = cpu_to_be32(g->jbsize);
	ea->ea_type = GFS2_EATYPE_UNUSED;
	ea->ea_flags = GFS2_EAFLAG_LAST;
}

int gfs_ea_block(const struct gfs_inode *ip, uint32_t i, uint64_t *blk)
{
	struct gfs_buf *buf;
	int rc;

	*blk = 0;
	if (!(ip->flags & GFS2_DIF_EA_INDIRECT)) {
		*blk = i ? 0 : ip->eattr;
		return 0;
	}
	if (i >= ip->fs->geom.inptrs)
		return 0;
	rc = gfs_read_get(ip->fs, ip->eattr, GFS2_METATYPE_IN, &buf);
	if (rc)
		return rc;
	*blk = gfs_indirect_ptr(buf->data, i);
	gfs_buf_put(buf);
	return 0;
}

/* Bytes that a record needs for what it holds. */
static uint32_t used_len(const struct gfs_ea_view *view)
{
	uint32_t len = HEAD + view->name_len;

	if (view->unused)
		return 0;
	len += view->num_ptrs ? view->num_ptrs * (uint32_t)sizeof(be64)
			      : view->data_len;
	return (uint32_t)gfs_round_up(len, 8);
}

/* What is looked for in a block: a name, or room. */
struct search {
	const struct gfs_ea_name *name;
	const struct gfs_ea_place *but;
	uint32_t need;
};

static bool matches(const struct search *s, uint64_t blk,
		    const struct gfs_ea_view *view)
{
	if (!s->name)
		return view->rec_len >= used_len(view) + s->need;
	if (s->but && s->but->blk == blk && s->but->offset == view->offset)
		return false;
	return !view->unused && view->ea->ea_type == s->name->type &&
	       view->name_len == s->name->len &&
	       !memcmp(view->name, s->name->name, s->name->len);
}

static int search_block(struct gfs_inode *ip, uint64_t blk,
			const struct search *s, struct gfs_ea_place *at)
{
	struct gfs_ea_iter it;
	struct gfs_ea_view view;
	struct gfs_buf *buf;
	const char *why = NULL;
	uint32_t prev = 0;
	int rc = gfs_read_get(ip->fs, blk, GFS2_METATYPE_EA, &buf);

	if (rc)
		return rc;
	gfs_ea_first(&it, buf->data, ip->fs->geom.bsize);
	while ((rc = gfs_ea_next(&it, &view, &why)) == 1) {
		if (!at->blk && matches(s, blk, &view))
			*at = (struct gfs_ea_place){ blk, view.offset, prev };
		prev = view.offset;
	}
	gfs_buf_put(buf);
	return rc ? gfs_fail(ip->fs->err, rc, blk, "xattrs: %s", why) : 0;
}

static int search(struct gfs_inode *ip, const struct search *s,
		  struct gfs_ea_place *at)
{
	*at = (struct gfs_ea_place){ 0 };
	for (uint32_t i = 0; !at->blk; i++) {
		uint64_t blk;
		int rc = gfs_ea_block(ip, i, &blk);

		if (rc || !blk)
			return rc;
		rc = search_block(ip, blk, s, at);
		if (rc)
			return rc;
	}
	return 0;
}

int gfs_ea_find(struct gfs_inode *ip, const struct gfs_ea_name *name,
		const struct gfs_ea_place *but, struct gfs_ea_place *at)
{
	const struct search s = { .name = name, .but = but };

	return search(ip, &s, at);
}

int gfs_ea_find_room(struct gfs_inode *ip, uint32_t need,
		     struct gfs_ea_place *at)
{
	const struct search s = { .need = need };

	return search(ip, &s, at);
}

/* Borrow, make writable and look at the record at a place. */
static int edit(struct gfs_writer *w, const struct gfs_ea_place *at,
		char **block, struct gfs_ea_view *view)
{
	struct gfs_ea_iter it;
	struct gfs_buf *buf;
	const char *why = "record is not there";
	int rc = gfs_read_get(w->fs, at->blk, GFS2_METATYPE_EA, &buf);

	if (rc)
		return rc;
	*block = gfs_writer_edit(w, buf);
	gfs_buf_put(buf);
	if (!*block)
		return -ENOMEM;
	gfs_ea_first(&it, *block, w->fs->geom.bsize);
	while (gfs_ea_next(&it, view, &why) == 1)
		if (view->offset == at->offset)
			return 0;
	return gfs_fail(w->fs->err, GFS_ECORRUPT, at->blk, "xattrs: %s", why);
}

struct gfs2_ea_header *gfs_ea_insert(struct gfs_writer *w,
				     struct gfs_ea_place *at, int *rc)
{
	struct gfs2_ea_header *old, *new;
	struct gfs_ea_view view;
	uint32_t used, rest;
	uint8_t last;
	char *block;

	*rc = edit(w, at, &block, &view);
	if (*rc)
		return NULL;
	used = used_len(&view);
	rest = view.rec_len - used;
	old = (struct gfs2_ea_header *)(block + view.offset);
	last = old->ea_flags & GFS2_EAFLAG_LAST;
	if (used) {
		old->ea_rec_len = cpu_to_be32(used);
		old->ea_flags &= (uint8_t)~GFS2_EAFLAG_LAST;
		at->prev = at->offset;
		at->offset += used;
	}
	new = (struct gfs2_ea_header *)(block + at->offset);
	memset(new, 0, rest);
	new->ea_rec_len = cpu_to_be32(rest);
	new->ea_flags = last;
	return new;
}

static int free_values(struct gfs_writer *w, struct gfs_inode *ip,
		       const struct gfs_ea_view *view)
{
	for (uint32_t i = 0; i < view->num_ptrs && !view->unused; i++) {
		uint64_t blk = gfs_ptr_get(view->ptrs, i);
		int rc = blk ? gfs_tree_give(w, ip, blk, 1) : 0;

		if (rc)
			return rc;
	}
	return 0;
}

int gfs_ea_delete(struct gfs_writer *w, struct gfs_inode *ip,
		  const struct gfs_ea_place *at)
{
	struct gfs2_ea_header *ea, *prev;
	struct gfs_ea_view view;
	char *block;
	int rc = edit(w, at, &block, &view);

	if (!rc)
		rc = free_values(w, ip, &view);
	if (rc)
		return rc;
	ea = (struct gfs2_ea_header *)(block + at->offset);
	if (!at->prev) {
		ea->ea_type = GFS2_EATYPE_UNUSED;
		ea->ea_num_ptrs = 0;
		return 0;
	}
	prev = (struct gfs2_ea_header *)(block + at->prev);
	prev->ea_rec_len =
		cpu_to_be32(be32_to_cpu(prev->ea_rec_len) + view.rec_len);
	prev->ea_flags |= ea->ea_flags & GFS2_EAFLAG_LAST;
	return 0;
}

/* Free an EA block with the values that its records point to. */
static int release_block(struct gfs_writer *w, struct gfs_inode *ip,
			 uint64_t blk)
{
	struct gfs_ea_iter it;
	struct gfs_ea_view view;
	struct gfs_buf *buf;
	const char *why = NULL;
	int more, rc = gfs_read_get(w->fs, blk, GFS2_METATYPE_EA, &buf);

	if (rc)
		return rc;
	gfs_ea_first(&it, buf->data, w->fs->geom.bsize);
	while (!rc && (more = gfs_ea_next(&it, &view, &why)) != 0)
		rc = more == 1 ? free_values(w, ip, &view)
			       : gfs_fail(w->fs->err, more, blk, "xattrs: %s",
					  why);
	gfs_buf_put(buf);
	return rc ? rc : gfs_tree_give(w, ip, blk, 1);
}

int gfs_xattr_release(struct gfs_writer *w, struct gfs_inode *ip)
{
	struct gfs2_dinode *di;
	int rc = 0;

	if (!ip->eattr)
		return 0;
	for (uint32_t i = 0; !rc; i++) {
		uint64_t blk;

		rc = gfs_ea_block(ip, i, &blk);
		if (rc || !blk)
			break;
		rc = release_block(w, ip, blk);
	}
	if (!rc && ip->flags & GFS2_DIF_EA_INDIRECT)
		rc = gfs_tree_give(w, ip, ip->eattr, 1);
	di = rc ? NULL : gfs_writer_dinode(w, ip);
	if (!di)
		return rc ? rc : -ENOMEM;
	di->di_eattr = cpu_to_be64(0);
	di->di_flags = cpu_to_be32(ip->flags & ~(uint32_t)GFS2_DIF_EA_INDIRECT);
	gfs_inode_refresh(ip);
	return 0;
}
