// SPDX-License-Identifier: GPL-2.0-or-later
/* The player of undo files. */
#include "undo.h"
#include "undo_format.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct player {
	const char *path;
	struct gfs_dev *file; /* the undo file */
	struct gfs_dev *dev;
	struct gfs_error *err;
	uint32_t bsize;
	uint64_t records;     /* of full length in the file */
	uint64_t claimed;     /* as the header says, when closed */
	bool closed;
	struct gfs_undo_record *record; /* with content */
};

static size_t record_size(const struct player *p)
{
	return sizeof(struct gfs_undo_record) + p->bsize;
}

static int header_wrong(const struct player *p, const char *why)
{
	return gfs_fail(p->err, GFS_EUNDO, GFS_NO_BLOCK, "%s: %s", p->path,
			why);
}

static int read_header(struct player *p)
{
	struct gfs_undo_header h;
	int rc;

	if (p->file->size < sizeof(h))
		return header_wrong(p, "too short for an undo file");
	rc = gfs_dev_read(p->file, &h, sizeof(h), 0);
	if (rc)
		return gfs_fail(p->err, rc, GFS_NO_BLOCK, "cannot read %s",
				p->path);
	if (memcmp(h.magic, GFS_UNDO_MAGIC, sizeof(h.magic)))
		return header_wrong(p, "not an undo file");
	if (be32_to_cpu(h.version) != GFS_UNDO_VERSION)
		return header_wrong(p, "unknown version");
	if (be32_to_cpu(h.crc) != gfs_undo_header_crc(&h))
		return header_wrong(p, "header is damaged");
	p->bsize = be32_to_cpu(h.bsize);
	if (!gfs_is_pow2(p->bsize) || p->bsize < 512 || p->bsize > 65536)
		return header_wrong(p, "header has no block size");
	if (be64_to_cpu(h.dev_size) != p->dev->size)
		return header_wrong(p, "made for a device of another size");
	p->closed = be32_to_cpu(h.closed) != 0;
	p->claimed = be64_to_cpu(h.records);
	if (p->file->size > GFS_UNDO_START)
		p->records = (p->file->size - GFS_UNDO_START) / record_size(p);
	return 0;
}

/* 1: record i is sound and in p->record; 0: it is not; < 0: I/O error. */
static int read_record(struct player *p, uint64_t i)
{
	struct gfs_undo_record *r = p->record;
	int rc = gfs_dev_read(p->file, r, record_size(p),
			      GFS_UNDO_START + i * record_size(p));

	if (rc)
		return gfs_fail(p->err, rc, GFS_NO_BLOCK, "cannot read %s",
				p->path);
	return be32_to_cpu(r->magic) == GFS_UNDO_RECORD_MAGIC &&
	       be32_to_cpu(r->crc) == gfs_undo_record_crc(r, p->bsize) &&
	       be64_to_cpu(r->index) == i && be64_to_cpu(r->batch) <= i &&
	       be64_to_cpu(r->blk) < p->dev->size / p->bsize;
}

static int damaged(const struct player *p, uint64_t i)
{
	return gfs_fail(p->err, GFS_EUNDO, GFS_NO_BLOCK,
			"%s: record %" PRIu64 " is damaged", p->path, i);
}

/*
 * Look at everything. A record that is not sound is forgiven only when its
 * batch may be the last one: no sound record behind it has a later batch.
 */
static int check_records(struct player *p)
{
	uint64_t bad = UINT64_MAX;

	if (p->closed && p->records < p->claimed)
		return header_wrong(p, "records are missing at the end");
	if (p->closed)
		p->records = p->claimed;
	for (uint64_t i = 0; i < p->records; i++) {
		int rc = read_record(p, i);

		if (rc < 0)
			return rc;
		if (!rc)
			bad = gfs_min(bad, i);
		if (bad != UINT64_MAX && p->closed)
			return damaged(p, bad);
		if (rc && bad < be64_to_cpu(p->record->batch))
			return damaged(p, bad);
	}
	return 0;
}

static int restore(struct player *p, uint64_t *blocks)
{
	for (uint64_t i = p->records; i-- > 0;) {
		int rc = read_record(p, i);
		uint64_t blk = be64_to_cpu(p->record->blk);

		if (rc < 0)
			return rc;
		if (!rc)
			continue;
		rc = gfs_dev_write(p->dev, p->record + 1, p->bsize,
				   blk * p->bsize);
		if (rc)
			return gfs_fail(p->err, rc, blk, "cannot restore");
		++*blocks;
	}
	return 0;
}

static int play(struct player *p, uint64_t *blocks)
{
	int rc = read_header(p);

	if (rc)
		return rc;
	p->record = malloc(record_size(p));
	if (!p->record)
		return gfs_fail(p->err, ENOMEM, GFS_NO_BLOCK, "cannot read %s",
				p->path);
	rc = check_records(p);
	if (!rc)
		rc = restore(p, blocks);
	free(p->record);
	if (rc)
		return rc;
	rc = gfs_dev_flush(p->dev);
	return rc ? gfs_fail(p->err, rc, GFS_NO_BLOCK, "cannot flush") : 0;
}

int gfs_undo_play(const char *path, struct gfs_dev *dev, uint64_t *blocks,
		  struct gfs_error *err)
{
	struct player p = { .path = path, .dev = dev, .err = err };
	int rc;

	*blocks = 0;
	if (dev->readonly)
		return gfs_fail(err, GFS_EREADONLY, GFS_NO_BLOCK,
				"cannot restore");
	rc = gfs_dev_open_plain(&p.file, path, 0, err);
	if (rc)
		return rc;
	rc = play(&p, blocks);
	gfs_dev_close(p.file);
	return rc;
}
