// SPDX-License-Identifier: GPL-2.0-or-later
/* The resource group index: entries checked, put right from the headers. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../libgfs/format/blocktype.h"
#include "../libgfs/format/verify.h"
#include "../libgfs/fs/bmap.h"
#include "../libgfs/fs/file.h"
#include "fsck.h"

struct rindex {
	struct gfs_inode *ip;
	struct gfs2_rindex *v; /* as on disk */
	uint32_t n;
};

static struct gfs_rgrp decode(const struct gfs2_rindex *ri)
{
	return (struct gfs_rgrp){
		.addr = be64_to_cpu(ri->ri_addr),
		.data0 = be64_to_cpu(ri->ri_data0),
		.length = be32_to_cpu(ri->ri_length),
		.data = be32_to_cpu(ri->ri_data),
		.bitbytes = be32_to_cpu(ri->ri_bitbytes),
	};
}

/* What is wrong with an entry by itself; CK_COUNT if nothing. */
static enum fsck_check entry_flaw(const struct fsck *f,
				  const struct gfs_rgrp *rg)
{
	const struct gfs_geom *g = &f->fs->geom;
	uint64_t need = rg->data;

	if (rg->addr <= g->sb_blk || rg->addr >= f->fs->nblocks)
		return CK_RINDEX_ADDR;
	if (rg->data % GFS2_NBBY || !rg->data ||
	    rg->bitbytes != rg->data / GFS2_NBBY)
		return CK_RINDEX_BYTES;
	if (!rg->length || need > gfs_geom_rgrp_cap(g, rg->length) ||
	    (rg->length > 1 && need <= gfs_geom_rgrp_cap(g, rg->length - 1)))
		return CK_RINDEX_LENGTH;
	if (rg->data0 != rg->addr + rg->length)
		return rg->data0 > rg->length ? CK_RINDEX_DATA0 :
						CK_RINDEX_ADDR;
	return CK_COUNT;
}

/* Geometry by a sound header at addr: 1 and *rg, 0 if none, < 0. */
static int from_header(struct fsck *f, uint64_t addr, struct gfs_rgrp *rg)
{
	const struct gfs2_rgrp *h;
	struct gfs_buf *buf;
	bool ok;
	int rc;

	if (addr <= f->fs->geom.sb_blk || addr >= f->fs->nblocks)
		return 0;
	rc = gfs_buf_get(f->fs->cache, addr, &buf);
	if (rc)
		return rc == -ENOMEM ? rc : 0;
	h = buf->data;
	rg->addr = addr;
	rg->data0 = be64_to_cpu(h->rg_data0);
	rg->data = be32_to_cpu(h->rg_data);
	rg->bitbytes = be32_to_cpu(h->rg_bitbytes);
	rg->length = (uint32_t)gfs_min(rg->data0 - addr, UINT32_MAX);
	ok = gfs_block_is(h, GFS2_METATYPE_RG) &&
	     be32_to_cpu(h->rg_crc) == gfs_rgrp_crc(h);
	gfs_buf_put(buf);
	return ok && entry_flaw(f, rg) == CK_COUNT;
}

/* Where the header before says the next one is; 0 if it does not know. */
static uint64_t next_by_skip(struct fsck *f, uint64_t addr)
{
	struct gfs_rgrp rg;
	struct gfs_buf *buf;
	uint64_t skip;

	if (from_header(f, addr, &rg) <= 0 ||
	    gfs_buf_get(f->fs->cache, addr, &buf))
		return 0;
	skip = be32_to_cpu(((const struct gfs2_rgrp *)buf->data)->rg_skip);
	gfs_buf_put(buf);
	return skip ? addr + skip : 0;
}

/*
 * The true geometry of a flawed entry, from the header it leads to by its
 * address, its data, or its predecessor; else from what is sound in it.
 * 1 and *rg, 0 if there is none, < 0.
 */
static int find_geometry(struct fsck *f, const struct rindex *ri, uint32_t i,
			 struct gfs_rgrp *rg)
{
	struct gfs_rgrp e = decode(&ri->v[i]);
	uint64_t at[3] = { e.addr, e.data0 - e.length, 0 };
	int rc = 0;

	if (i)
		at[2] = next_by_skip(f, be64_to_cpu(ri->v[i - 1].ri_addr));
	for (unsigned int k = 0; !rc && k < GFS_ARRAY_SIZE(at); k++)
		rc = from_header(f, at[k], rg);
	if (rc)
		return rc;
	*rg = e;
	if (rg->data % GFS2_NBBY || !rg->data)
		rg->data = rg->bitbytes * GFS2_NBBY;
	rg->bitbytes = rg->data / GFS2_NBBY;
	rg->length = 1;
	while (gfs_geom_rgrp_cap(&f->fs->geom, rg->length) < rg->data)
		rg->length++;
	rg->data0 = rg->addr + rg->length;
	return entry_flaw(f, rg) == CK_COUNT && e.data0 == rg->data0;
}

/* Block and offset of byte `at` of the file. 0 or < 0. */
static int place_in_file(struct fsck *f, struct gfs_inode *ip, uint64_t at,
			 uint64_t *blk, uint32_t *off)
{
	uint32_t bsize = f->fs->geom.bsize;
	struct gfs_extent ext;
	int rc;

	if (gfs_inode_is_stuffed(ip)) {
		*blk = ip->blk;
		*off = (uint32_t)(sizeof(struct gfs2_dinode) + at);
		return 0;
	}
	rc = gfs_bmap(ip, at / bsize, 1, &ext);
	if (!rc && !ext.pblk)
		rc = -GFS_ECORRUPT;
	*blk = ext.pblk;
	*off = (uint32_t)(at % bsize);
	return rc;
}

static int set_field(struct fsck *f, const struct rindex *ri, uint64_t at,
		     uint8_t len, uint64_t value)
{
	uint64_t blk;
	uint32_t off;
	int rc = place_in_file(f, ri->ip, at, &blk, &off);

	if (!rc)
		edit_set(f, blk, off, len, value);
	return rc;
}

static int write_entry(struct fsck *f, const struct rindex *ri, uint32_t i,
		       const struct gfs_rgrp *rg)
{
	uint64_t at = (uint64_t)i * sizeof(struct gfs2_rindex);
	int rc;

	rc = set_field(f, ri, at + offsetof(struct gfs2_rindex, ri_addr), 8,
		       rg->addr);
	if (!rc)
		rc = set_field(f, ri,
			       at + offsetof(struct gfs2_rindex, ri_length), 4,
			       rg->length);
	if (!rc)
		rc = set_field(f, ri,
			       at + offsetof(struct gfs2_rindex, ri_data0), 8,
			       rg->data0);
	if (!rc)
		rc = set_field(f, ri,
			       at + offsetof(struct gfs2_rindex, ri_data), 4,
			       rg->data);
	if (!rc)
		rc = set_field(f, ri,
			       at + offsetof(struct gfs2_rindex, ri_bitbytes),
			       4, rg->bitbytes);
	return rc;
}

/*
 * One entry into *rg. Checking goes on with the right geometry even when the
 * entry is left as it is.
 */
static int check_entry(struct fsck *f, struct rindex *ri, uint32_t i,
		       struct gfs_rgrp *rg)
{
	enum fsck_check flaw;
	struct gfs_rgrp sound;
	int rc;

	*rg = decode(&ri->v[i]);
	flaw = entry_flaw(f, rg);
	if (flaw == CK_COUNT)
		return 0;
	rc = find_geometry(f, ri, i, &sound);
	if (rc < 0)
		return fsck_report(f, rc);
	if (!rc) {
		problem_note(f, CK_RINDEX_HEADER,
			     at_inode(ri->ip->blk, rg->addr),
			     "entry %u is damaged, and no header tells what it "
			     "was", i);
		return -GFS_ECORRUPT;
	}
	if (problem(f, flaw, at_inode(ri->ip->blk, GFS_NO_BLOCK),
		    "entry %u: address %" PRIu64 " length %u data %" PRIu64
		    "+%u, should be %" PRIu64 ", %u, %" PRIu64 "+%u", i,
		    rg->addr, rg->length, rg->data0, rg->data, sound.addr,
		    sound.length, sound.data0, sound.data))
		rc = write_entry(f, ri, i, &sound);
	else
		rc = 0;
	*rg = sound;
	ri->v[i].ri_addr = cpu_to_be64(sound.addr);
	return rc ? fsck_report(f, rc) : 0;
}

static int rgrp_order(const void *pa, const void *pb)
{
	const struct gfs_rgrp *a = pa, *b = pb;

	return (a->addr > b->addr) - (a->addr < b->addr);
}

/* Groups among each other. */
static int check_order(struct fsck *f, uint64_t ino)
{
	const struct gfs_rgrps *t = &f->fs->rgrps;
	const struct gfs_rgrp *last = &t->rg[t->n - 1];

	for (uint32_t i = 1; i < t->n; i++) {
		const struct gfs_rgrp *a = &t->rg[i - 1], *b = &t->rg[i];

		if (a->addr == b->addr)
			problem_note(f, CK_RINDEX_DUP, at_inode(ino, b->addr),
				     "%s", "");
		else if (a->data0 + a->data > b->addr)
			problem_note(f, CK_RINDEX_OVERLAP,
				     at_inode(ino, b->addr),
				     "the group before ends at %" PRIu64,
				     a->data0 + a->data - 1);
		else
			continue;
		return -GFS_ECORRUPT;
	}
	if (last->data0 + last->data <= f->fs->nblocks)
		return 0;
	problem_note(f, CK_RINDEX_DEVICE, at_inode(ino, last->addr),
		     "the group needs %" PRIu64 " blocks, the device has %"
		     PRIu64, last->data0 + last->data, f->fs->nblocks);
	return -GFS_ECORRUPT;
}

/* The file's content; a size that ends within an entry is rounded down. */
static int read_entries(struct fsck *f, struct rindex *ri)
{
	uint64_t size = ri->ip->size, ino = ri->ip->blk;
	uint64_t rest = size % sizeof(struct gfs2_rindex);
	size_t got;
	int rc;

	if (rest && problem(f, CK_RINDEX_SIZE, at_inode(ino, ino), "%" PRIu64,
			    size))
		edit_set(f, ino, offsetof(struct gfs2_dinode, di_size), 8,
			 size - rest);
	size -= rest;
	if (!size || size > f->fs->nblocks * f->fs->geom.bsize) {
		problem_note(f, CK_RINDEX_EMPTY, at_inode(ino, ino), "size %"
			     PRIu64, size);
		return -GFS_ECORRUPT;
	}
	ri->n = (uint32_t)gfs_min(size / sizeof(struct gfs2_rindex),
				  UINT32_MAX / 2);
	ri->v = cli_alloc((size_t)size);
	rc = gfs_file_read(ri->ip, ri->v, (size_t)size, 0, &got);
	if (!rc && got != size)
		rc = gfs_fail(&f->err, GFS_ECORRUPT, ino, "rindex is short");
	return rc ? fsck_report(f, rc) : 0;
}

static int load_entries(struct fsck *f, struct rindex *ri)
{
	struct gfs_rgrps *t = &f->fs->rgrps;
	int rc = read_entries(f, ri);

	if (rc)
		return rc;
	gfs_rgrps_free(t);
	t->rg = calloc(ri->n, sizeof(*t->rg));
	if (!t->rg)
		return fsck_report(f, -ENOMEM);
	t->n = ri->n;
	for (uint32_t i = 0; !rc && i < ri->n; i++)
		rc = check_entry(f, ri, i, &t->rg[i]);
	if (rc)
		return rc;
	qsort(t->rg, t->n, sizeof(*t->rg), rgrp_order);
	return check_order(f, ri->ip->blk);
}

int fsck_rindex(struct fsck *f)
{
	struct rindex ri = { .n = 0 };
	uint64_t start = 0;
	int rc;

	if (!f->fs->sys.rindex.addr)
		return -GFS_ECORRUPT;
	rc = gfs_inode_get(f->fs, f->fs->sys.rindex.addr, &ri.ip);
	if (rc) {
		char why[256];

		problem_note(f, CK_RINDEX_READ,
			     at_inode(f->fs->sys.rindex.addr,
				      f->fs->sys.rindex.addr), "%s",
			     gfs_error_message(&f->err, rc, why, sizeof(why)));
		rc = fsck_mend_number(f, f->fs->sys.rindex.addr);
		return rc ? rc : -GFS_ECORRUPT;
	}
	rc = load_entries(f, &ri);
	gfs_inode_put(ri.ip);
	free(ri.v);
	if (rc)
		return rc;
	f->rg = cli_alloc((f->fs->rgrps.n + 1) * sizeof(*f->rg));
	for (uint32_t i = 0; i < f->fs->rgrps.n; i++) {
		f->rg[i].start = start;
		start += f->fs->rgrps.rg[i].data;
	}
	f->n_data = start;
	return 0;
}
