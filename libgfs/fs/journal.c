// SPDX-License-Identifier: GPL-2.0-or-later
/* Journals: their blocks, log headers, and the search for the head. */
#include "journal.h"

#include "../format/blocktype.h"
#include "../io/scan.h"
#include "bmap.h"
#include "dir.h"
#include "journal_priv.h"
#include "read.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

/* Shorter ascending runs of positions are read without a scan. */
enum { SCAN_MIN = 16 };

static int find_inode(struct gfs_fs *fs, uint32_t jid, struct gfs_inode **ip)
{
	struct gfs_inode *jindex;
	struct gfs_dir_entry e;
	char name[32];
	int n, rc;

	*ip = NULL;
	if (!fs->sys.jindex.addr)
		return gfs_fail(fs->err, ENOENT, fs->sb.master.addr,
				"there is no jindex");
	rc = gfs_inode_get(fs, fs->sys.jindex.addr, &jindex);
	if (rc)
		return rc;
	n = snprintf(name, sizeof(name), "journal%u", jid);
	rc = gfs_dir_lookup(jindex, name, (size_t)n, &e);
	gfs_inode_put(jindex);
	return rc ? rc : gfs_inode_get(fs, e.ino.addr, ip);
}

static int check_size(const struct gfs_inode *ip)
{
	struct gfs_fs *fs = ip->fs;

	if (!S_ISREG(ip->mode) || !ip->height)
		return gfs_fail(fs->err, GFS_ECORRUPT, ip->blk,
				"not a file that can be a journal");
	if (ip->size < GFS2_JOURNAL_MIN || ip->size > GFS2_JOURNAL_MAX ||
	    ip->size % fs->geom.bsize)
		return gfs_fail(fs->err, GFS_ECORRUPT, ip->blk,
				"a journal cannot have %" PRIu64 " bytes",
				ip->size);
	return 0;
}

static int map_blocks(struct gfs_jnl *jnl, struct gfs_inode *ip)
{
	uint32_t pos = 0;

	while (pos < jnl->nblocks) {
		struct gfs_extent ext;
		int rc = gfs_bmap(ip, pos, jnl->nblocks - pos, &ext);

		if (rc)
			return rc;
		if (!ext.pblk)
			return gfs_fail(ip->fs->err, GFS_ECORRUPT, ip->blk,
					"journal has a hole at its block %u",
					pos);
		for (uint64_t i = 0; i < ext.count; i++)
			jnl->map[pos++] = ext.pblk + i;
	}
	return 0;
}

static int open_inode(struct gfs_jnl *jnl, struct gfs_inode *ip)
{
	int rc = check_size(ip);

	if (rc)
		return rc;
	jnl->jinode = ip->blk;
	jnl->nblocks = (uint32_t)(ip->size >> ip->fs->geom.shift);
	jnl->map = malloc(jnl->nblocks * sizeof(*jnl->map));
	if (!jnl->map)
		return gfs_fail(ip->fs->err, ENOMEM, ip->blk,
				"no memory for a journal's map");
	return map_blocks(jnl, ip);
}

int gfs_jnl_open_map(struct gfs_jnl **jnl, struct gfs_fs *fs, uint32_t jid)
{
	struct gfs_inode *ip;
	struct gfs_jnl *j;
	int rc = find_inode(fs, jid, &ip);

	*jnl = NULL;
	if (rc)
		return rc;
	j = calloc(1, sizeof(*j));
	if (!j) {
		gfs_inode_put(ip);
		return gfs_fail(fs->err, ENOMEM, GFS_NO_BLOCK, "no journal");
	}
	j->fs = fs;
	j->jid = jid;
	rc = open_inode(j, ip);
	gfs_inode_put(ip);
	if (rc)
		gfs_jnl_close(j);
	else
		*jnl = j;
	return rc;
}

int gfs_jnl_open(struct gfs_jnl **jnl, struct gfs_fs *fs, uint32_t jid)
{
	int rc = gfs_jnl_open_map(jnl, fs, jid);

	if (!rc)
		rc = gfs_jnl_find_head(*jnl);
	if (rc) {
		gfs_context(fs->err, "journal%u", jid);
		gfs_jnl_close(*jnl);
		*jnl = NULL;
	}
	return rc;
}

void gfs_jnl_close(struct gfs_jnl *jnl)
{
	if (!jnl)
		return;
	free(jnl->map);
	free(jnl);
}

bool gfs_log_head_read(const struct gfs_geom *g, const void *block,
		       uint32_t pos, struct gfs_log_head *head)
{
	const struct gfs2_log_header *lh = block;
	uint32_t crc;

	/* The cheap tests first: most blocks of a journal are no headers. */
	if (!gfs_block_is(block, GFS2_METATYPE_LH) ||
	    be32_to_cpu(lh->lh_blkno) != pos ||
	    be32_to_cpu(lh->lh_hash) != gfs_logheader_hash(lh))
		return false;
	crc = be32_to_cpu(lh->lh_crc);
	if (crc && crc != gfs_logheader_crc(g, block))
		return false;
	*head = (struct gfs_log_head){
		.sequence = be64_to_cpu(lh->lh_sequence),
		.flags = be32_to_cpu(lh->lh_flags),
		.tail = be32_to_cpu(lh->lh_tail),
		.pos = pos,
		.blkno = be32_to_cpu(lh->lh_blkno),
		.v2 = crc != 0,
	};
	/* Version 1 says nothing of what lies behind its end. */
	if (!crc)
		return true;
	head->sec = be64_to_cpu(lh->lh_sec);
	head->nsec = be32_to_cpu(lh->lh_nsec);
	head->statfs_addr = be64_to_cpu(lh->lh_statfs_addr);
	head->local_total = (int64_t)be64_to_cpu(lh->lh_local_total);
	head->local_free = (int64_t)be64_to_cpu(lh->lh_local_free);
	head->local_dinodes = (int64_t)be64_to_cpu(lh->lh_local_dinodes);
	return true;
}

/* The search for the head: one look at each position in order. */
struct search {
	struct gfs_jnl *jnl;
	uint32_t end;      /* of the positions of the present scan */
	uint32_t next;     /* position that its source gives next */
	bool found;
	uint64_t first_seq, last_seq; /* of the headers, by position */
	uint32_t drops;    /* headers not above the one before */
};

static void look_at(struct search *s, const void *block, uint32_t pos)
{
	struct gfs_jnl *jnl = s->jnl;
	struct gfs_log_head head;

	if (!gfs_log_head_read(&jnl->fs->geom, block, pos, &head))
		return;
	if (!s->found)
		s->first_seq = head.sequence;
	else if (head.sequence <= s->last_seq)
		s->drops++;
	if (!s->found || head.sequence >= jnl->head.sequence)
		jnl->head = head;
	s->last_seq = head.sequence;
	s->found = true;
}

/* Runs of blocks between s->next and s->end, which ascend. */
static int next_run(void *ctx, struct gfs_run *run)
{
	struct search *s = ctx;
	const uint64_t *map = s->jnl->map;

	if (s->next == s->end)
		return 0;
	*run = (struct gfs_run){ .blk = map[s->next++], .count = 1 };
	while (s->next < s->end && map[s->next] == run->blk + run->count) {
		s->next++;
		run->count++;
	}
	return 1;
}

static int cannot_read(const struct search *s, int rc, uint32_t pos)
{
	return gfs_fail(s->jnl->fs->err, rc, s->jnl->map[pos],
			"cannot read position %u", pos);
}

static int search_scan(struct search *s, uint32_t pos)
{
	struct gfs_fs *fs = s->jnl->fs;
	struct gfs_scan *scan;
	const void *data;
	uint64_t blk;
	int error, rc;

	s->next = pos;
	rc = gfs_scan_open(&scan, fs->dev, fs->geom.bsize, next_run, s, NULL);
	if (rc)
		return cannot_read(s, rc, pos);
	while ((rc = gfs_scan_next(scan, &blk, &data, &error)) == 1) {
		if (!data) {
			rc = error;
			break;
		}
		look_at(s, data, pos++);
	}
	gfs_scan_close(scan);
	return rc ? cannot_read(s, rc, pos) : 0;
}

static int search_single(struct search *s, uint32_t pos)
{
	struct gfs_fs *fs = s->jnl->fs;
	uint64_t block[GFS2_BSIZE_MAX / sizeof(uint64_t)];

	for (; pos < s->end; pos++) {
		int rc = gfs_dev_read(fs->dev, block, fs->geom.bsize,
				      s->jnl->map[pos] << fs->geom.shift);

		if (rc)
			return cannot_read(s, rc, pos);
		look_at(s, block, pos);
	}
	return 0;
}

int gfs_jnl_find_head(struct gfs_jnl *jnl)
{
	struct search s = { .jnl = jnl };
	int rc = 0;

	jnl->head = (struct gfs_log_head){ 0 };
	for (uint32_t pos = 0; pos < jnl->nblocks && !rc; pos = s.end) {
		s.end = pos + 1;
		while (s.end < jnl->nblocks &&
		       jnl->map[s.end] > jnl->map[s.end - 1])
			s.end++;
		rc = s.end - pos < SCAN_MIN ? search_single(&s, pos) :
					      search_scan(&s, pos);
	}
	if (rc)
		return rc;
	/*
	 * Round the journal from behind the head sequences only rise: the one
	 * drop that belongs there is that from the head to its successor.
	 */
	if (s.found && s.first_seq <= s.last_seq)
		s.drops++;
	jnl->anomalies = s.found ? s.drops - 1 : 0;
	jnl->has_head = s.found;
	return 0;
}

bool gfs_jnl_is_clean(const struct gfs_jnl *jnl)
{
	return jnl->has_head && (jnl->head.flags & GFS2_LOG_HEAD_UNMOUNT);
}

uint32_t gfs_jnl_active(const struct gfs_jnl *jnl)
{
	const struct gfs_log_head *head = &jnl->head;

	if (!jnl->has_head || gfs_jnl_is_clean(jnl) ||
	    head->tail >= jnl->nblocks)
		return 0;
	return head->pos >= head->tail ?
		       head->pos - head->tail :
		       jnl->nblocks - head->tail + head->pos;
}

int gfs_jnl_get(struct gfs_jnl *jnl, uint32_t pos, struct gfs_buf **buf)
{
	*buf = NULL;
	if (pos >= jnl->nblocks)
		return gfs_fail(jnl->fs->err, EINVAL, jnl->jinode,
				"journal has no position %u", pos);
	return gfs_buf_get(jnl->fs->cache, jnl->map[pos], buf);
}

int gfs_jnl_log(struct gfs_jnl *jnl, struct gfs_log *log)
{
	if (!gfs_jnl_is_clean(jnl))
		return gfs_fail(jnl->fs->err, GFS_EDIRTY, jnl->jinode,
				"journal%u", jnl->jid);
	*log = (struct gfs_log){
		.dev = jnl->fs->dev,
		.geom = &jnl->fs->geom,
		.map = jnl->map,
		.nblocks = jnl->nblocks,
		.jinode = jnl->jinode,
		.sequence = jnl->head.sequence,
		.pos = jnl->head.pos,
		.sec = (uint64_t)time(NULL),
	};
	return 0;
}
