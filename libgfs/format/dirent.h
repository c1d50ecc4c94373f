/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Directory entries and xattr records inside one block, with bounds. Blocks
 * are aligned to 8 bytes. Views point into the block and live as long as it.
 */
#ifndef GFS_DIRENT_H
#define GFS_DIRENT_H

#include "geom.h"

/* Cursor over the dirents of a leaf or of a linear directory's dinode. */
struct gfs_dirent_iter {
	const char *block;
	uint32_t bsize;
	uint32_t offset; /* of the next dirent */
};

struct gfs_dirent_view {
	const struct gfs2_dirent *de;
	const char *name;     /* name_len bytes, inside the block, no NUL */
	uint32_t offset;      /* of the dirent in the block */
	uint32_t rec_len;
	uint32_t name_len;
	bool sentinel;        /* empty: either inum half is 0 */
};

/* start: 232 in a dinode, 104 in a leaf. */
void gfs_dirent_first(struct gfs_dirent_iter *it, const void *block,
		      uint32_t bsize, uint32_t start);

/*
 * Next dirent: 1, 0 at the block's end, or -GFS_ECORRUPT when rec_len or
 * name_len break the rules of format.md 4.2 (*why is set to a literal).
 * A sentinel that is not the first entry is shown, not refused; its name_len
 * is 0 when the stale value cannot be a name's.
 */
int gfs_dirent_next(struct gfs_dirent_iter *it, struct gfs_dirent_view *view,
		    const char **why) GFS_MUST;

/* Bytes an entry with a name of this length needs. */
static inline uint32_t gfs_dirent_need(uint32_t name_len)
{
	return (uint32_t)GFS2_DIRENT_SIZE(name_len);
}

/* Fill a dirent and its name; hash, sizes and padding included. */
struct gfs_dirent_new {
	const char *name;
	uint32_t name_len;
	uint64_t formal;
	uint64_t addr;
	uint32_t mode;    /* st_mode: de_type comes from it */
	uint32_t rec_len;
};
void gfs_dirent_fill(void *at, const struct gfs_dirent_new *n);

/* Cursor over the records of an EA block. */
struct gfs_ea_iter {
	const char *block;
	uint32_t bsize;
	uint32_t offset;
	bool last_seen;
};

struct gfs_ea_view {
	const struct gfs2_ea_header *ea;
	const char *name;     /* name_len bytes */
	const char *value;    /* data_len bytes if stuffed, else NULL */
	const char *ptrs;     /* num_ptrs be64, unaligned; NULL if stuffed */
	uint32_t offset, rec_len, name_len, data_len, num_ptrs;
	bool unused;          /* type 0: only offset and rec_len have meaning */
};

void gfs_ea_first(struct gfs_ea_iter *it, const void *block, uint32_t bsize);
/*
 * As gfs_dirent_next(), rules of format.md 5.2. Unknown types are shown. A
 * missing or early LAST mark is reported after the records before it.
 */
int gfs_ea_next(struct gfs_ea_iter *it, struct gfs_ea_view *view,
		const char **why) GFS_MUST;
/* "user.", "system.", ...; NULL for an unknown type. */
const char *gfs_ea_prefix(unsigned int type);

#endif
