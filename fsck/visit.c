// SPDX-License-Identifier: GPL-2.0-or-later
/* The tree of one inode, block by block, for those looked at again. */
#include <stdlib.h>

#include "fsck.h"

/* A block of the tree still to be looked at. */
struct pending {
	uint64_t blk;
	struct gfs_ref_parent parent;
};

struct visit {
	struct fsck *f;
	uint32_t inode;
	struct blockmap *visited;
	fsck_visit_fn fn;
	void *ctx;
	struct pending *stack;
	size_t n, room;
};

static void push(struct visit *v, const struct gfs_ref *r,
		 const struct gfs_ref_parent *above)
{
	struct pending *p;
	uint64_t i;

	if (r->kind == GFS_REF_DATA || r->kind == GFS_REF_EA_DATA ||
	    !fsck_index(v->f, r->blk, &i) || blockmap_get(v->visited, i))
		return;
	blockmap_set(v->visited, i, 1);
	v->stack = table_grow(v->stack, v->n, &v->room, sizeof(*v->stack));
	p = &v->stack[v->n++];
	p->blk = r->blk;
	p->parent = *above;
	p->parent.is_dinode = false;
	p->parent.kind = r->kind;
	p->parent.level = r->level;
}

static void look_at(struct visit *v, const struct pending *p)
{
	struct gfs_ref_iter it;
	struct gfs_ref r;
	struct gfs_buf *buf;

	if (gfs_buf_get(v->f->fs->cache, p->blk, &buf))
		return;
	gfs_ref_first(&it, &v->f->fs->geom, buf->data, &p->parent);
	while (gfs_ref_next(&it, &r)) {
		struct fsck_ref ref = {
			.blk = r.blk,
			.parent = p->blk,
			.owner = v->inode,
			.off = (uint16_t)r.offset,
			.kind = (uint8_t)r.kind,
			.level = r.level,
		};

		v->fn(v->f, v->ctx, &ref);
		push(v, &r, &p->parent);
	}
	gfs_buf_put(buf);
}

int fsck_visit(struct fsck *f, uint32_t inode, struct blockmap *visited,
	       fsck_visit_fn fn, void *ctx)
{
	const struct fsck_inode *ip = &f->inodes.v[inode];
	struct visit v = {
		.f = f,
		.inode = inode,
		.visited = visited,
		.fn = fn,
		.ctx = ctx,
	};
	struct pending top = { .blk = ip->addr };
	struct gfs_buf *buf;

	if (f->stop)
		return -GFS_EINTR;
	if (ip->flags & INODE_UNREADABLE ||
	    gfs_buf_get(f->fs->cache, ip->addr, &buf))
		return 0;
	top.parent.is_dinode = true;
	top.parent.is_dir = ip->flags & INODE_DIR;
	top.parent.height = ip->height;
	top.parent.flags = be32_to_cpu(
		((const struct gfs2_dinode *)buf->data)->di_flags);
	gfs_buf_put(buf);
	look_at(&v, &top);
	while (v.n) {
		struct pending p = v.stack[--v.n];

		look_at(&v, &p);
	}
	free(v.stack);
	return 0;
}
