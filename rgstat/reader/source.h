/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decompressed bytes of a file or of the members of an archive. */
#ifndef RG_SOURCE_H
#define RG_SOURCE_H

#include "../../libgfs/base/base.h"
#include "../../libgfs/base/error.h"

#include <sys/types.h>

struct rg_source; /* opaque */

/* As rg_input_open(), rg_input_close() and rg_input_next(). */
int rg_source_open(const char *path, struct rg_source **src,
		   struct gfs_error *err) GFS_MUST;
void rg_source_close(struct rg_source *src);
int rg_source_next(struct rg_source *src, const char **name,
		   struct gfs_error *err) GFS_MUST;
/* Up to size bytes of the member; 0 at its end, negative with err set. */
ssize_t rg_source_read(struct rg_source *src, void *buf, size_t size,
		       struct gfs_error *err) GFS_MUST;
/* Bytes taken from the file so far. */
uint64_t rg_source_taken(const struct rg_source *src);

#endif
