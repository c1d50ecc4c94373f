// SPDX-License-Identifier: GPL-2.0-or-later
/* Changing the dirents of one block. */
#include "dir_block.h"

#include "../base/error.h"
#include "../format/hash.h"

#include <dirent.h>
#include <string.h>

static struct gfs2_dirent *dirent_at(const struct gfs_dirblk *b, uint32_t off)
{
	return (struct gfs2_dirent *)(b->block + off);
}

static void set_rec_len(struct gfs2_dirent *de, uint32_t len)
{
	de->de_rec_len = cpu_to_be16((uint16_t)len);
}

static uint32_t rec_len(const struct gfs2_dirent *de)
{
	return be16_to_cpu(de->de_rec_len);
}

static bool is_empty(const struct gfs2_dirent *de)
{
	return !be64_to_cpu(de->de_inum.no_formal_ino) ||
	       !be64_to_cpu(de->de_inum.no_addr);
}

/* Bytes that the record's own entry needs. */
static uint32_t used_len(const struct gfs2_dirent *de)
{
	return is_empty(de) ? 0 : gfs_dirent_need(be16_to_cpu(de->de_name_len));
}

void gfs_dirblk_clear(const struct gfs_dirblk *b)
{
	memset(b->block + b->start, 0, b->bsize - b->start);
	set_rec_len(dirent_at(b, b->start), b->bsize - b->start);
}

void gfs_dirblk_insert(const struct gfs_dirblk *b, uint32_t offset,
		       const struct gfs_dirent_new *n)
{
	struct gfs2_dirent *de = dirent_at(b, offset);
	uint32_t used = used_len(de);
	struct gfs_dirent_new fit = *n;

	fit.rec_len = rec_len(de) - used;
	if (used)
		set_rec_len(de, used);
	gfs_dirent_fill(b->block + offset + used, &fit);
}

void gfs_dirblk_remove(const struct gfs_dirblk *b, uint32_t prev,
		       uint32_t offset)
{
	struct gfs2_dirent *de = dirent_at(b, offset);

	if (prev)
		set_rec_len(dirent_at(b, prev),
			    rec_len(dirent_at(b, prev)) + rec_len(de));
	else
		de->de_inum = (struct gfs2_inum){ 0 };
}

int gfs_dirblk_find(const struct gfs_dirblk *b, const char *name, uint32_t len,
		    struct gfs_dirblk_found *found, const char **why)
{
	const uint32_t hash = gfs_dir_hash(name, len);
	const uint32_t need = gfs_dirent_need(len);
	struct gfs_dirent_iter it;
	struct gfs_dirent_view view;
	uint32_t prev = 0;
	int rc;

	*found = (struct gfs_dirblk_found){ 0 };
	gfs_dirent_first(&it, b->block, b->bsize, b->start);
	while ((rc = gfs_dirent_next(&it, &view, why)) == 1) {
		uint32_t used =
			view.sentinel ? 0 : gfs_dirent_need(view.name_len);

		if (!found->room && view.rec_len >= used + need)
			found->room = view.offset;
		if (!found->entry && !view.sentinel && view.name_len == len &&
		    be32_to_cpu(view.de->de_hash) == hash &&
		    !memcmp(view.name, name, len)) {
			found->entry = view.offset;
			found->prev = prev;
		}
		prev = view.offset;
	}
	return rc;
}

/* The end of what has been entered into a block one by one. */
struct filled {
	const struct gfs_dirblk *b;
	uint32_t last; /* offset of the last record */
};

static void append(struct filled *f, const struct gfs_dirent_view *view)
{
	struct gfs_dirent_new n = {
		.name = view->name,
		.name_len = view->name_len,
		.formal = be64_to_cpu(view->de->de_inum.no_formal_ino),
		.addr = be64_to_cpu(view->de->de_inum.no_addr),
		.mode = DTTOIF(be16_to_cpu(view->de->de_type)),
	};
	uint32_t used = used_len(dirent_at(f->b, f->last));
	struct gfs2_dirent *de;

	gfs_dirblk_insert(f->b, f->last, &n);
	f->last += used;
	de = dirent_at(f->b, f->last);
	de->de_hash = view->de->de_hash;
	de->de_rahead = view->de->de_rahead;
}

int gfs_dirblk_split(const struct gfs_dirblk *from, const struct gfs_dirblk *to,
		     uint32_t divider)
{
	struct filled f = { to, to->start };
	struct gfs_dirent_iter it;
	struct gfs_dirent_view view;
	uint32_t prev = 0;
	const char *why;
	int rc, moved = 0;

	gfs_dirent_first(&it, from->block, from->bsize, from->start);
	while ((rc = gfs_dirent_next(&it, &view, &why)) == 1) {
		if (view.sentinel || be32_to_cpu(view.de->de_hash) >= divider) {
			prev = view.offset;
			continue;
		}
		append(&f, &view);
		gfs_dirblk_remove(from, prev, view.offset);
		prev = prev ? prev : view.offset;
		moved++;
	}
	return rc ? rc : moved;
}
