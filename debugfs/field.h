/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fields of a block by the names users write: of its header struct, of its
 * Nth record, of its pointers, and raw integers. Pure: bytes in, place out.
 */
#ifndef DBG_FIELD_H
#define DBG_FIELD_H

#include "../libgfs/base/error.h"
#include "../libgfs/format/geom.h"
#include "../libgfs/format/layout.h"

/* A field and where it is. */
struct dbg_field {
	uint64_t blk;       /* filled by dbg_find_field(), expr.h */
	uint32_t offset;    /* from the block's start, bytes */
	struct gfs_field f; /* what it is; its own offset has no meaning */
	bool is_bytes;      /* a name or value: bytes that end without NUL */
};

/*
 * Find `text` in a block of g->bsize bytes:
 *   [STRUCT:]FIELD      of the struct at the block's start
 *   N.FIELD             of the Nth dirent, xattr record or quota change
 *   STRUCT:N.FIELD      of the Nth STRUCT in a row from the block's start
 *   N.name N.value      of a dirent or xattr record
 *   N.ptr[I]            of an xattr record
 *   ptr[I]              of a dinode, indirect, table or continuation block
 *   tag[I], escape[I]   of a log descriptor
 *   byte[O] be16[O] be32[O] be64[O]   at byte O of any block
 * The statfs and inum_range structs in a dinode's tail are found by their
 * field names. A point in front is passed over. -ENOENT (no such field),
 * -ERANGE (behind the block's end), -GFS_ECORRUPT (records do not lead there),
 * with the text in err.
 */
int dbg_field_in_block(const struct gfs_geom *g, const void *block,
		       const char *text, struct dbg_field *out,
		       struct gfs_error *err) GFS_MUST;

/* A struct at byte `base` of a block. */
struct dbg_struct {
	const struct gfs_geom *g;
	const struct gfs_layout *layout;
	uint32_t base;
};

/* FIELD of a struct; same codes. */
int dbg_field_of(const struct dbg_struct *s, const char *text,
		 struct dbg_field *out, struct gfs_error *err) GFS_MUST;

/*
 * Where the pointers of a block begin and how many there can be, by its type
 * (and the width of a tag in a log descriptor: 8 or 16 bytes).
 */
struct dbg_pointers {
	uint32_t offset, count, step;
};
/* False when blocks of this type have none. */
bool dbg_block_pointers(const struct gfs_geom *g, const void *block,
			struct dbg_pointers *p);

/* Byte where dirents begin in a directory's dinode or a leaf; 0 if none. */
uint32_t dbg_dirents_start(const void *block);

#endif
