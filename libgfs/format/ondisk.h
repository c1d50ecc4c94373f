/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The on-disk format: the kernel's own header, with its big-endian types
 * replaced by types that cannot be used as numbers.
 */
#ifndef GFS_ONDISK_H
#define GFS_ONDISK_H

#include <linux/types.h>

#include "../base/be.h"

#define __be16 be16
#define __be32 be32
#define __be64 be64
#include <linux/gfs2_ondisk.h>
#undef __be16
#undef __be32
#undef __be64

/* What the kernel's header does not name. */
#define GFS2_FORMAT_FS_MIN 1801U  /* oldest sb_fs_format read */
#define GFS2_FORMAT_FS_MAX 1802U  /* newest; 1802 allows "trusted." xattrs */
#define GFS2_BSIZE_MIN 512U
#define GFS2_BSIZE_MAX 65536U
#define GFS2_SB_OFFSET 65536U     /* of the superblock on the device, bytes */
#define GFS2_JOURNAL_MIN (8U << 20)   /* di_size of a journal, bytes */
#define GFS2_JOURNAL_MAX (1024U << 20)

#endif
