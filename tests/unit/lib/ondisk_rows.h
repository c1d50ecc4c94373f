/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Place and size of each member on disk, as one translation unit sees it. */
#ifndef ONDISK_ROWS_H
#define ONDISK_ROWS_H

#include <stddef.h>

struct ondisk_row {
	const char *name;
	size_t offset;
	size_t size;
};

#define SIZE(s)    { #s, 0, sizeof(struct s) },
#define SAME(s, m)                                                         \
	{ #s "." #m, offsetof(struct s, m), sizeof(((struct s *)0)->m) },

/* With <linux/gfs2_ondisk.h> as it is; ends with a NULL name. */
extern const struct ondisk_row ondisk_plain[];

#endif
