/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small volume with a scattered journal, and a replayer of its own that
 * shares no code with the journal writer, for tests of log and txn.
 */
#ifndef LOGDISK_H
#define LOGDISK_H

#include "../../libgfs/io/log.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
	LD_BSIZE = 512,
	LD_BLOCKS = 2000,
	LD_JBLOCKS = 200,
	LD_MAGIC = 0x01161970,
};

struct logdisk {
	struct gfs_dev *dev;
	struct gfs_geom geom;
	uint64_t map[LD_JBLOCKS]; /* of the journal */
	uint8_t old[LD_BLOCKS * LD_BSIZE]; /* content after ld_init() */
};

static inline uint32_t ld_be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
	       (uint32_t)p[2] << 8 | p[3];
}

static inline uint64_t ld_be64(const uint8_t *p)
{
	return (uint64_t)ld_be32(p) << 32 | ld_be32(p + 4);
}

/* CRC-32C bit by bit, no final inversion (format.md 8.1). */
static inline uint32_t ld_crc32c(const uint8_t *p, size_t len)
{
	uint32_t crc = UINT32_MAX;

	while (len--) {
		crc ^= *p++;
		for (int i = 0; i < 8; i++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78U : 0);
	}
	return crc;
}

static inline void ld_read(struct gfs_dev *dev, uint64_t blk, uint8_t *block)
{
	if (gfs_dev_read(dev, block, LD_BSIZE, blk * LD_BSIZE))
		abort();
}

/* Is it a log header with both checksums right, for this position? */
static inline bool ld_is_header(const uint8_t *block, uint32_t pos)
{
	uint8_t head[48];

	memcpy(head, block, sizeof(head));
	memset(head + 44, 0, 4);
	return ld_be32(block) == LD_MAGIC && ld_be32(block + 4) == 8 &&
	       ld_be32(block + 16) == 800 && ld_be32(block + 40) == pos &&
	       ld_be32(block + 44) == crc32(0, head, sizeof(head)) &&
	       ld_be32(block + 48) ==
		       ld_crc32c(block + 52, LD_BSIZE - 52);
}

/* Position of the head: the header of the highest sequence. */
static inline uint32_t ld_head(const struct logdisk *d, struct gfs_dev *dev)
{
	uint8_t block[LD_BSIZE];
	uint64_t best = 0;
	uint32_t head = UINT32_MAX;

	for (uint32_t pos = 0; pos < LD_JBLOCKS; pos++) {
		ld_read(dev, d->map[pos], block);
		if (!ld_is_header(block, pos) || ld_be64(block + 24) <= best)
			continue;
		best = ld_be64(block + 24);
		head = pos;
	}
	return head;
}

/* Put the items of the descriptor at pos in place; false if it is damaged. */
static inline bool ld_replay_desc(const struct logdisk *d, struct gfs_dev *dev,
				  const uint8_t *desc, uint32_t pos)
{
	bool jdata = ld_be32(desc + 24) == 302;
	uint32_t n = ld_be32(desc + 32);
	uint8_t block[LD_BSIZE];

	if (ld_be32(desc + 24) == 301)
		return true; /* a transaction of ours revokes nothing of it */
	if (ld_be32(desc + 28) != n + 1 || n > (jdata ? 27 : 55))
		return false;
	for (uint32_t i = 0; i < n; i++) {
		const uint8_t *tag = desc + 72 + (jdata ? 16 : 8) * i;

		ld_read(dev, d->map[(pos + 1 + i) % LD_JBLOCKS], block);
		if (jdata && ld_be64(tag + 8))
			memcpy(block, "\x01\x16\x19\x70", 4);
		else if (!jdata && ld_be32(block) != LD_MAGIC)
			return false;
		if (gfs_dev_write(dev, block, LD_BSIZE,
				  ld_be64(tag) * LD_BSIZE))
			return false;
	}
	return true;
}

/* Recover: 1 replayed, 0 clean, -1 damaged. Nothing is written to the log. */
static inline int ld_replay(const struct logdisk *d, struct gfs_dev *dev)
{
	uint32_t head = ld_head(d, dev);
	uint8_t block[LD_BSIZE];
	uint32_t pos, step;

	if (head == UINT32_MAX)
		return -1;
	ld_read(dev, d->map[head], block);
	if (ld_be32(block + 32) & 1)
		return 0;
	for (pos = ld_be32(block + 36); pos != head;
	     pos = (pos + step) % LD_JBLOCKS) {
		ld_read(dev, d->map[pos], block);
		if (ld_is_header(block, pos)) {
			step = 1;
			continue;
		}
		step = ld_be32(block + 28);
		if (ld_be32(block) != LD_MAGIC || ld_be32(block + 4) != 9 ||
		    !step || step >= LD_JBLOCKS ||
		    !ld_replay_desc(d, dev, block, pos))
			return -1;
	}
	return 1;
}

/* A log whose head, clean, is at pos; writing to dev, a view of d->dev. */
static inline struct gfs_log ld_log(struct logdisk *d, struct gfs_dev *dev,
				    uint32_t pos)
{
	uint8_t block[LD_BSIZE];
	struct gfs_log log = {
		.dev = dev,
		.geom = &d->geom,
		.map = d->map,
		.nblocks = LD_JBLOCKS,
		.jinode = 77,
		.sequence = 1000,
		.pos = pos,
		.sec = 1234567890,
	};

	gfs_log_header_fill(&log, block, pos, pos, log.sequence, 1);
	if (gfs_dev_write(dev, block, LD_BSIZE, d->map[pos] * LD_BSIZE))
		abort();
	return log;
}

/* The device as ld_init() left it, on a device of its own. */
static inline struct gfs_dev *ld_copy(const struct logdisk *d)
{
	struct gfs_dev *dev;

	if (gfs_dev_mem_open(&dev, sizeof(d->old)) ||
	    gfs_dev_write(dev, d->old, sizeof(d->old), 0))
		abort();
	return dev;
}

/*
 * Volume of noise with a clean head at journal position pos. Journal blocks
 * are every third one from 500 on, backwards.
 */
static inline void ld_init(struct logdisk *d, uint32_t pos)
{
	if (gfs_geom_init(&d->geom, LD_BSIZE))
		abort();
	for (uint32_t i = 0; i < LD_JBLOCKS; i++)
		d->map[i] = 500 + 3 * (LD_JBLOCKS - 1 - i);
	for (size_t i = 0; i < sizeof(d->old); i++)
		d->old[i] = (uint8_t)(i * 2654435761U >> 15);
	d->dev = ld_copy(d);
	ld_log(d, d->dev, pos);
	if (gfs_dev_read(d->dev, d->old, sizeof(d->old), 0))
		abort();
}

#endif
