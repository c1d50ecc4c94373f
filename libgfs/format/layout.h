/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One descriptive table per on-disk struct: what each field means. Printing,
 * JSON, setting, fuzzing and generic checks read it; offsets, widths and byte
 * order come from the struct itself.
 */
#ifndef GFS_LAYOUT_H
#define GFS_LAYOUT_H

#include "../base/base.h"
#include "ondisk.h"

/* How the bytes are stored. */
enum gfs_repr {
	GFS_REPR_U8,
	GFS_REPR_BE16,
	GFS_REPR_BE32,
	GFS_REPR_BE64,
	GFS_REPR_RAW,    /* bytes: string, uuid, padding */
	GFS_REPR_STRUCT, /* another layout: sub */
};

/* What the value means. */
enum gfs_sense {
	GFS_S_NUM,      /* a count or number, decimal */
	GFS_S_SIGNED,   /* two's complement */
	GFS_S_HEX,      /* hashes, checksums, magic */
	GFS_S_CRC,      /* a checksum of this struct: the sealer sets it */
	GFS_S_BYTES,    /* a size in bytes */
	GFS_S_BLOCK,    /* a block number, 0 = none */
	GFS_S_FORMAL,   /* no_formal_ino */
	GFS_S_MODE,     /* st_mode, octal */
	GFS_S_SECONDS,  /* time since 1970 */
	GFS_S_NSEC,
	GFS_S_FLAGS,    /* names in flags */
	GFS_S_ENUM,     /* names in flags, exact values */
	GFS_S_STRING,   /* NUL-padded */
	GFS_S_UUID,
	GFS_S_STRUCT,
	GFS_S_PAD,      /* reserved, zero in new volumes */
};

struct gfs_flagname {
	uint32_t value;
	const char *name; /* NULL ends a table */
};

struct gfs_field {
	const char *name; /* the kernel's member name */
	uint16_t offset;  /* in the struct, bytes */
	uint16_t size;    /* bytes */
	enum gfs_repr repr;
	enum gfs_sense sense;
	const struct gfs_flagname *flags; /* of S_FLAGS and S_ENUM, else NULL */
	const struct gfs_layout *sub;     /* of REPR_STRUCT, else NULL */
	const char *help; /* one line for gfs2-format(5) */
};

struct gfs_layout {
	const char *name; /* "gfs2_dinode" */
	const char *help;
	size_t size;      /* sizeof(struct) */
	const struct gfs_field *fields;
	unsigned int nfields;
};

/* One layout per struct. */
extern const struct gfs_layout gfs_layout_inum, gfs_layout_meta_header,
	gfs_layout_sb, gfs_layout_rindex, gfs_layout_rgrp, gfs_layout_quota,
	gfs_layout_dinode, gfs_layout_dirent, gfs_layout_leaf,
	gfs_layout_ea_header, gfs_layout_log_header, gfs_layout_log_descriptor,
	gfs_layout_inum_range, gfs_layout_statfs_change,
	gfs_layout_quota_change;

/* All layouts, each once; ends with NULL. */
extern const struct gfs_layout *const gfs_layouts[];
/* By struct name with or without "gfs2_"; NULL if unknown. */
const struct gfs_layout *gfs_layout_find(const char *name);

/*
 * Field by name, dotted for nested structs ("di_num.no_addr"; a unique member
 * name of a nested struct is found without its prefix, too). *offset is set
 * to its place from the start of the outer struct. NULL if unknown.
 */
const struct gfs_field *gfs_layout_field(const struct gfs_layout *layout,
					 const char *name, size_t *offset);

/* Integer value of a field at base + offset; repr is U8..BE64. */
uint64_t gfs_field_get(const struct gfs_field *f, const void *at);
void gfs_field_set(const struct gfs_field *f, void *at, uint64_t value);

/*
 * Parse a value for a field as a user writes it: decimal, 0x, octal for modes,
 * flag names joined by '|', a string, a uuid, hex bytes for padding; and store
 * it. 0, -EINVAL, -ERANGE (does not fit: nothing is stored).
 */
int gfs_field_parse(const struct gfs_field *f, void *at,
		    const char *text) GFS_MUST;

/* Value as text in buf ("0100644", "JDATA|EXHASH (0x3)"); returns buf. */
const char *gfs_field_text(const struct gfs_field *f, const void *at, char *buf,
			   size_t size);

/*
 * Calls fn for each leaf field of a struct at base, nested ones flattened, in
 * order; name is dotted. Stops at the first non-zero result and returns it.
 */
int gfs_layout_each(const struct gfs_layout *layout, const void *base,
		    int (*fn)(void *ctx, const char *name,
			      const struct gfs_field *f, const void *at),
		    void *ctx);

#endif
