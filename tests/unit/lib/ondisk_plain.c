// SPDX-License-Identifier: GPL-2.0-or-later
/* The members on disk as the kernel's header declares them. */
#include <linux/gfs2_ondisk.h>

#include "ondisk_rows.h"

const struct ondisk_row ondisk_plain[] = {
#include "ondisk_members.h"
	{ NULL, 0, 0 },
};
