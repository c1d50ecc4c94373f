// SPDX-License-Identifier: GPL-2.0-or-later
/* Bounded cursors over the dirents and the xattr records of one block. */
#include "dirent.h"

#include "../base/error.h"
#include "hash.h"

#include <sys/stat.h>

#define RECORD_ALIGN 8U

void gfs_dirent_first(struct gfs_dirent_iter *it, const void *block,
		      uint32_t bsize, uint32_t start)
{
	it->block = block;
	it->bsize = bsize;
	it->offset = start;
}

/* What is wrong with the sizes of a record at the cursor; NULL if nothing. */
static const char *bad_rec_len(uint32_t rec_len, uint32_t min, uint32_t left)
{
	if (rec_len < min)
		return "record is too short";
	if (rec_len % RECORD_ALIGN)
		return "record length is not a multiple of 8";
	if (rec_len > left)
		return "record reaches beyond the block";
	return NULL;
}

static const char *bad_name_len(const struct gfs_dirent_view *view)
{
	if (view->name_len == 0 || view->name_len > GFS2_FNAMESIZE)
		return "name length is not 1 to 255";
	if (gfs_dirent_need(view->name_len) > view->rec_len)
		return "name does not fit its record";
	return NULL;
}

int gfs_dirent_next(struct gfs_dirent_iter *it, struct gfs_dirent_view *view,
		    const char **why)
{
	const uint32_t head = sizeof(struct gfs2_dirent);
	const char *at = it->block + it->offset;

	if (it->offset >= it->bsize)
		return 0;
	*why = "record does not fit the end of the block";
	if (it->bsize - it->offset < head)
		return -GFS_ECORRUPT;

	view->de = (const struct gfs2_dirent *)at;
	view->name = at + head;
	view->offset = it->offset;
	view->rec_len = be16_to_cpu(view->de->de_rec_len);
	view->name_len = be16_to_cpu(view->de->de_name_len);
	view->sentinel = !be64_to_cpu(view->de->de_inum.no_formal_ino) ||
			 !be64_to_cpu(view->de->de_inum.no_addr);
	*why = bad_rec_len(view->rec_len, head, it->bsize - it->offset);
	if (*why)
		return -GFS_ECORRUPT;
	/* A sentinel's name is stale: shown only where it can be one. */
	*why = bad_name_len(view);
	if (*why && !view->sentinel)
		return -GFS_ECORRUPT;
	if (*why)
		view->name_len = 0;
	*why = NULL;
	it->offset += view->rec_len;
	return 1;
}

void gfs_dirent_fill(void *at, const struct gfs_dirent_new *n)
{
	struct gfs2_dirent de = { 0 };
	char *name = (char *)at + sizeof(de);
	size_t used = sizeof(de) + n->name_len;

	de.de_inum.no_formal_ino = cpu_to_be64(n->formal);
	de.de_inum.no_addr = cpu_to_be64(n->addr);
	de.de_hash = cpu_to_be32(gfs_dir_hash(n->name, n->name_len));
	de.de_rec_len = cpu_to_be16((uint16_t)n->rec_len);
	de.de_name_len = cpu_to_be16((uint16_t)n->name_len);
	de.de_type = cpu_to_be16((uint16_t)IF2DT(n->mode));
	memcpy(at, &de, sizeof(de));
	memcpy(name, n->name, n->name_len);
	memset(name + n->name_len, 0, gfs_dirent_need(n->name_len) - used);
}

void gfs_ea_first(struct gfs_ea_iter *it, const void *block, uint32_t bsize)
{
	it->block = block;
	it->bsize = bsize;
	it->offset = sizeof(struct gfs2_meta_header);
	it->last_seen = false;
}

/* Sizes and places inside a used record; NULL or what is wrong. */
static const char *view_used(struct gfs_ea_view *view, uint32_t bsize)
{
	const uint32_t head = sizeof(struct gfs2_ea_header);
	const uint32_t jbsize =
		bsize - (uint32_t)sizeof(struct gfs2_meta_header);
	const char *at = (const char *)view->ea;
	uint64_t used = head + view->name_len;

	if (view->name_len == 0)
		return "xattr has no name";
	if (view->data_len > GFS2_EA_MAX_DATA_LEN)
		return "xattr value is longer than 65536 bytes";
	if (view->num_ptrs == 0) {
		view->value = at + used;
		used += view->data_len;
	} else {
		used = gfs_round_up(used, RECORD_ALIGN);
		view->ptrs = at + used;
		used += view->num_ptrs * sizeof(be64);
	}
	if (gfs_round_up(used, RECORD_ALIGN) > view->rec_len)
		return "xattr does not fit its record";
	if (view->num_ptrs &&
	    (uint64_t)view->num_ptrs * jbsize < view->data_len)
		return "xattr has too few blocks for its value";
	return NULL;
}

static void view_ea(const struct gfs_ea_iter *it, struct gfs_ea_view *view)
{
	const char *at = it->block + it->offset;

	view->ea = (const struct gfs2_ea_header *)at;
	view->name = at + sizeof(*view->ea);
	view->value = NULL;
	view->ptrs = NULL;
	view->offset = it->offset;
	view->rec_len = be32_to_cpu(view->ea->ea_rec_len);
	view->name_len = view->ea->ea_name_len;
	view->data_len = be32_to_cpu(view->ea->ea_data_len);
	view->num_ptrs = view->ea->ea_num_ptrs;
	view->unused = view->ea->ea_type == GFS2_EATYPE_UNUSED;
}

int gfs_ea_next(struct gfs_ea_iter *it, struct gfs_ea_view *view,
		const char **why)
{
	uint32_t left = it->bsize - it->offset;

	*why = NULL;
	if (left == 0 && it->last_seen)
		return 0;
	if (left == 0)
		*why = "no xattr record is marked as the last";
	else if (it->last_seen)
		*why = "xattr record after the one marked as the last";
	else if (left < sizeof(struct gfs2_ea_header))
		*why = "record does not fit the end of the block";
	if (*why)
		return -GFS_ECORRUPT;

	view_ea(it, view);
	*why = bad_rec_len(view->rec_len, sizeof(struct gfs2_ea_header), left);
	if (!*why && !view->unused)
		*why = view_used(view, it->bsize);
	if (*why)
		return -GFS_ECORRUPT;
	it->offset += view->rec_len;
	it->last_seen = view->ea->ea_flags & GFS2_EAFLAG_LAST;
	return 1;
}

const char *gfs_ea_prefix(unsigned int type)
{
	switch (type) {
	case GFS2_EATYPE_USR: return "user.";
	case GFS2_EATYPE_SYS: return "system.";
	case GFS2_EATYPE_SECURITY: return "security.";
	case GFS2_EATYPE_TRUSTED: return "trusted.";
	default: return NULL;
	}
}
