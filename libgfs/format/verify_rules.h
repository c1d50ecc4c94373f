/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the verifiers share: building flaws and checking headers. */
#ifndef GFS_VERIFY_RULES_H
#define GFS_VERIFY_RULES_H

#include "verify.h"

/* A flaw of a field of a struct that lies `base` bytes into the block. */
struct gfs_flaw gfs_flaw_make(const struct gfs_layout *layout, uint32_t base,
			      const char *field, const char *why);
/* The same, minor. */
struct gfs_flaw gfs_flaw_minor(const struct gfs_layout *layout, uint32_t base,
			       const char *field, const char *why);

/* A block as rules see it. */
struct gfs_subject {
	const struct gfs_geom *g;
	const void *block;
	uint64_t blk;
};

typedef struct gfs_flaw gfs_rule(const struct gfs_subject *s);

/*
 * Check magic and type, then the rules in order (an array that ends with
 * NULL), then the format word, which is a minor matter.
 */
struct gfs_flaw gfs_verify_rules(const struct gfs_subject *s, uint32_t type,
				 gfs_rule *const rules[]);

/*
 * Rules of the dirents from `start` to the block's end (format.md 4.2); *live
 * is set to the number of entries that are not sentinels.
 */
struct gfs_flaw gfs_verify_dirents(const struct gfs_subject *s, uint32_t start,
				   uint32_t *live);
/* Minor ones: hashes, names and types, and that `depth` hash bits agree. */
struct gfs_flaw gfs_verify_names(const struct gfs_subject *s, uint32_t start,
				 unsigned int depth);

#endif
