/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Structs and records of blocks on the output, from the layout tables. */
#ifndef DBG_SHOW_H
#define DBG_SHOW_H

#include "../libgfs/format/geom.h"
#include "../libgfs/format/layout.h"
#include "commands.h"

/*
 * One field at `at`, under `name`. In JSON numbers are numbers; flags and
 * enumerations also come as text under NAME_text. Padding that is zero is
 * left out.
 */
void dbg_show_field(struct emit *e, const char *name, const struct gfs_field *f,
		    const void *at);

/* All fields of a struct at base, nested ones with dotted names. */
void dbg_show_struct(struct emit *e, const struct gfs_layout *layout,
		     const void *base);

/* n records in a row, as a list. */
void dbg_show_records(struct emit *e, const struct gfs_layout *layout,
		      const char *base, uint64_t n);

/*
 * What a block has behind its header struct, by its type: dirents, xattr
 * records, pointers, tags, quota changes, bitmap counts, statfs values.
 * 0, or a recorded failure when the records contradict the format; what came
 * before is shown.
 */
int dbg_show_tail(struct dbg *d, uint64_t blk, const void *block) GFS_MUST;

/* The "journals" table of stats: place, size, state. As a command's result. */
int dbg_show_journals(struct dbg *d) GFS_MUST;

/* Lines of 16 bytes, runs of equal lines shortened in text. */
void dbg_show_hex(struct emit *e, const void *bytes, size_t len);

/* "file", "directory", ...: word for a file type in st_mode or DT_*. */
const char *dbg_type_name(uint32_t mode);
const char *dbg_dirent_type_name(uint32_t de_type);

/* "2024-05-06 07:08:09.000000010 +0000" in buf; returns buf. */
const char *dbg_time_text(int64_t sec, uint32_t nsec, char *buf, size_t size);

#endif
