// SPDX-License-Identifier: GPL-2.0-or-later
/* Lock names of the ids that have a record in the quota file. */
#include "locknames.h"

#include "../libgfs/format/lockname.h"
#include "../libgfs/fs/bmap.h"
#include "../libgfs/fs/file.h"

#include <stdlib.h>
#include <string.h>

#define RECORD sizeof(struct gfs2_quota)
/* Records read at a time. */
#define BATCH 4096U

/* The quota file being read; next: first record not yet looked at. */
struct reader {
	struct gfs_inode *ip;
	struct dbg_namer *n;
	char *buf;
	uint64_t next;
	uint64_t records; /* in the whole file */
};

static bool in_use(const struct gfs2_quota *q)
{
	return be64_to_cpu(q->qu_limit) || be64_to_cpu(q->qu_warn) ||
	       be64_to_cpu(q->qu_value);
}

/* Names of the records from r->next to end, in batches. */
static int read_records(struct reader *r, uint64_t end)
{
	while (r->next < end) {
		uint64_t want = gfs_min(BATCH, end - r->next);
		size_t got;
		int rc;

		rc = gfs_file_read(r->ip, r->buf, want * RECORD,
				   r->next * RECORD, &got);
		if (rc)
			return rc;
		for (uint64_t i = 0; i < got / RECORD; i++) {
			struct gfs2_quota q;

			memcpy(&q, r->buf + i * RECORD, RECORD);
			if (r->next + i < 2 || in_use(&q))
				dbg_name_put(r->n, GFS_LOCK_QUOTA, r->next + i);
		}
		if (got < RECORD)
			return 0;
		r->next += got / RECORD;
	}
	return 0;
}

/* The file can be sparse up to huge ids: look at mapped blocks only. */
static int read_sparse(struct reader *r)
{
	uint32_t shift = r->ip->fs->geom.shift;
	uint64_t last = gfs_div_up(r->ip->size, r->ip->fs->geom.bsize);
	struct gfs_extent ext = { .lblk = 0 };
	int rc = 0;

	while (ext.lblk < last) {
		uint64_t from;

		rc = gfs_bmap_next(r->ip, ext.lblk, last - ext.lblk, &ext);
		if (rc <= 0 || ext.lblk >= last)
			return rc < 0 ? rc : 0;
		from = (ext.lblk << shift) / RECORD;
		r->next = gfs_max(r->next, from);
		ext.lblk += ext.count;
		rc = read_records(r, gfs_min(r->records,
					     gfs_div_up(ext.lblk << shift,
							RECORD)));
		if (rc)
			return rc;
	}
	return 0;
}

int dbg_names_of_quotas(struct dbg *d, struct dbg_namer *n)
{
	struct reader r = { .n = n };
	int rc;

	if (!d->fs->sys.quota.addr)
		return dbg_fail(d, GFS_ECORRUPT, "the quota file is missing");
	rc = gfs_inode_get(d->fs, d->fs->sys.quota.addr, &r.ip);
	if (rc)
		return rc;
	r.records = r.ip->size / RECORD;
	r.buf = cli_alloc(BATCH * RECORD);
	if (gfs_inode_is_stuffed(r.ip))
		rc = read_records(&r, r.records);
	else
		rc = read_sparse(&r);
	free(r.buf);
	gfs_inode_put(r.ip);
	return rc;
}
