/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The undo file's structures, for its writer and its player. */
#ifndef GFS_UNDO_FORMAT_H
#define GFS_UNDO_FORMAT_H

#include "../base/base.h"
#include "../base/be.h"

#define GFS_UNDO_MAGIC "GFSUNDO" /* 8 bytes with its end */
#define GFS_UNDO_VERSION 1U
#define GFS_UNDO_RECORD_MAGIC 0x55526563U /* "URec" */
#define GFS_UNDO_START 4096U /* of the first record */

struct gfs_undo_header {
	char magic[8];
	be32 version;
	be32 bsize;
	be64 dev_size; /* bytes */
	be64 records;  /* when closed */
	be32 closed;   /* 1: `records` counts, 0: the writer did not end */
	be32 crc;      /* CRC-32C of all before */
};

struct gfs_undo_record {
	be32 magic;
	be32 crc;   /* CRC-32C of all behind, the content included */
	be64 index; /* of this record */
	be64 batch; /* index of the first record of its batch */
	be64 blk;
	be64 unused;
	/* bsize bytes of content follow */
};

/* Checksums over what the structures say; a record is followed by content. */
uint32_t gfs_undo_header_crc(const struct gfs_undo_header *h);
uint32_t gfs_undo_record_crc(const struct gfs_undo_record *r, uint32_t bsize);

#endif
