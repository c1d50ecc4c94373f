// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * voldiff A B: do two fresh volumes differ in nothing but what must differ?
 * Left out are the times of inodes, the sequence numbers of log headers with
 * their checksums (which are verified by themselves instead) and the unused
 * bytes of resource index entries, where gfs2-utils leaves stray memory.
 * Holes count as zeros. Exit 0: same; 1: differ; 2: cannot tell.
 */
#include "../../libgfs/base/cli.h"
#include "../../libgfs/format/blocktype.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_SHOWN 20

struct volume {
	const char *name;
	int fd;
	uint64_t size;
	char *block;   /* the one being compared */
	/* Of the journal that the last log header belonged to. */
	uint64_t jinode, jblocks, jstart;
};

struct diff {
	struct gfs_geom g;
	struct volume v[2];
	uint64_t *rindex;  /* its data blocks in file order */
	uint64_t rindex_blks;
	uint64_t rindex_size;
	unsigned int found;
};

static int fail(const struct volume *v, const char *what)
{
	cli_error("%s: %s: %s", v->name, what,
		  errno ? strerror(errno) : "unexpected");
	exit(2);
}

static void read_block(const struct diff *d, struct volume *v, uint64_t blk,
		       char *block)
{
	ssize_t n = pread(v->fd, block, d->g.bsize,
			  (off_t)(blk << d->g.shift));

	if (n < 0)
		fail(v, "read");
	/* The end of a device that is no multiple of the block size. */
	memset(block + n, 0, d->g.bsize - (size_t)n);
}

static void report(struct diff *d, uint64_t blk, uint32_t offset,
		   const char *what)
{
	if (d->found++ < MOST_SHOWN)
		printf("block %" PRIu64 ", byte %" PRIu32 ": %s\n", blk, offset,
		       what);
}

static void open_volume(struct volume *v, const char *name)
{
	off_t end;

	v->name = name;
	v->fd = open(name, O_RDONLY);
	end = v->fd < 0 ? -1 : lseek(v->fd, 0, SEEK_END);
	if (end < 0)
		fail(v, "open");
	v->size = (uint64_t)end;
}

/* Geometry from the first volume's superblock. */
static void read_geometry(struct diff *d)
{
	char start[512];
	const struct gfs2_sb *sb = (const struct gfs2_sb *)start;

	errno = 0;
	if (pread(d->v[0].fd, start, sizeof(start), GFS2_SB_OFFSET) !=
	    (ssize_t)sizeof(start))
		fail(&d->v[0], "superblock");
	if (gfs_geom_init(&d->g, be32_to_cpu(sb->sb_bsize)))
		fail(&d->v[0], "block size");
	for (int i = 0; i < 2; i++)
		d->v[i].block = cli_alloc(d->g.bsize);
}

static void add_rindex_tree(struct diff *d, uint64_t blk, unsigned int height)
{
	char *block = cli_alloc(d->g.bsize);
	uint64_t child;

	read_block(d, &d->v[0], blk, block);
	for (uint32_t i = 0; i < d->g.inptrs; i++) {
		child = gfs_indirect_ptr(block, i);
		if (child && height > 1) {
			add_rindex_tree(d, child, height - 1);
		} else if (child) {
			d->rindex = cli_realloc(d->rindex,
						(d->rindex_blks + 1) *
							sizeof(*d->rindex));
			d->rindex[d->rindex_blks++] = child;
		}
	}
	free(block);
}

/* Where the resource index has its entries; it is the inode of format RI. */
static void note_rindex(struct diff *d, const char *block)
{
	const struct gfs2_dinode *di = (const struct gfs2_dinode *)block;
	unsigned int height = be16_to_cpu(di->di_height);
	uint64_t child;

	d->rindex_size = be64_to_cpu(di->di_size);
	for (uint32_t i = 0; height && i < d->g.diptrs; i++) {
		child = gfs_dinode_ptr(block, i);
		if (child && height > 1) {
			add_rindex_tree(d, child, height - 1);
		} else if (child) {
			d->rindex = cli_realloc(d->rindex,
						(d->rindex_blks + 1) *
							sizeof(*d->rindex));
			d->rindex[d->rindex_blks++] = child;
		}
	}
}

static bool is_rindex(const char *block)
{
	const struct gfs2_dinode *di = (const struct gfs2_dinode *)block;

	return gfs_block_is(block, GFS2_METATYPE_DI) &&
	       be32_to_cpu(di->di_payload_format) == GFS2_FORMAT_RI;
}

/* Clear the unused bytes of entries; block holds the file from `off` on. */
static void mask_entries(const struct diff *d, char *at, uint64_t off,
			 uint64_t len)
{
	for (uint64_t i = off; i < off + len && i < d->rindex_size; i++) {
		uint64_t byte = i % sizeof(struct gfs2_rindex);

		if ((byte >= 12 && byte < 16) || byte >= 32)
			at[i - off] = 0;
	}
}

static void mask_rindex(const struct diff *d, char *block, uint64_t blk)
{
	if (is_rindex(block) && !d->rindex_blks)
		mask_entries(d, block + sizeof(struct gfs2_dinode), 0,
			     d->g.stuffed_max);
	for (uint64_t i = 0; i < d->rindex_blks; i++)
		if (d->rindex[i] == blk)
			mask_entries(d, block, i << d->g.shift, d->g.bsize);
}

static void mask_times(char *block)
{
	struct gfs2_dinode *di = (struct gfs2_dinode *)block;

	di->di_atime = cpu_to_be64(0);
	di->di_mtime = cpu_to_be64(0);
	di->di_ctime = cpu_to_be64(0);
}

/* What is wrong with a log header as such; NULL if nothing. */
static const char *bad_header(struct diff *d, struct volume *v)
{
	const struct gfs2_log_header *lh =
		(const struct gfs2_log_header *)v->block;
	uint64_t jinode = be64_to_cpu(lh->lh_jinode);
	uint64_t sequence = be64_to_cpu(lh->lh_sequence);
	uint64_t pos = be32_to_cpu(lh->lh_blkno);
	char *block;

	if (be32_to_cpu(lh->lh_hash) != gfs_logheader_hash(lh))
		return "wrong lh_hash";
	if (be32_to_cpu(lh->lh_crc) != gfs_logheader_crc(&d->g, lh))
		return "wrong lh_crc";
	if (v->jinode != jinode) {
		block = cli_alloc(d->g.bsize);
		read_block(d, v, jinode, block);
		v->jinode = jinode;
		v->jblocks = be64_to_cpu(((struct gfs2_dinode *)(void *)block)
						 ->di_size) >> d->g.shift;
		free(block);
		if (!v->jblocks)
			return "log header without a journal";
		v->jstart = (sequence + v->jblocks - pos) % v->jblocks;
	}
	if (pos >= v->jblocks || sequence != (v->jstart + pos) % v->jblocks)
		return "sequence number does not follow its neighbour's";
	return NULL;
}

static void mask_header(struct diff *d, struct volume *v, uint64_t blk)
{
	struct gfs2_log_header *lh = (struct gfs2_log_header *)v->block;
	const char *why = bad_header(d, v);
	char text[200];

	if (why) {
		snprintf(text, sizeof(text), "%s: %s", v->name, why);
		report(d, blk, 0, text);
	}
	lh->lh_sequence = cpu_to_be64(0);
	lh->lh_hash = cpu_to_be32(0);
	lh->lh_crc = cpu_to_be32(0);
}

static void mask(struct diff *d, struct volume *v, uint64_t blk)
{
	mask_rindex(d, v->block, blk);
	if (gfs_block_is(v->block, GFS2_METATYPE_DI))
		mask_times(v->block);
	else if (gfs_block_is(v->block, GFS2_METATYPE_LH))
		mask_header(d, v, blk);
}

static void compare(struct diff *d, uint64_t blk)
{
	const struct gfs_blocktype *type;
	char text[120];

	for (int i = 0; i < 2; i++) {
		read_block(d, &d->v[i], blk, d->v[i].block);
		mask(d, &d->v[i], blk);
	}
	for (uint32_t at = 0; at < d->g.bsize; at++) {
		if (d->v[0].block[at] == d->v[1].block[at])
			continue;
		type = gfs_blocktype_of(d->v[0].block);
		snprintf(text, sizeof(text), "%s: %02x, %02x",
			 type ? type->name : "no header",
			 (unsigned char)d->v[0].block[at],
			 (unsigned char)d->v[1].block[at]);
		report(d, blk, at, text);
		return;
	}
}

/* First block from blk on where either volume has data; UINT64_MAX: none. */
static uint64_t next_data(const struct diff *d, uint64_t blk)
{
	uint64_t first = UINT64_MAX;

	for (int i = 0; i < 2; i++) {
		off_t at = lseek(d->v[i].fd, (off_t)(blk << d->g.shift),
				 SEEK_DATA);

		if (at >= 0)
			first = gfs_min(first, (uint64_t)at >> d->g.shift);
	}
	return first == UINT64_MAX ? first : gfs_max(first, blk);
}

static void each_block(struct diff *d, void (*fn)(struct diff *d, uint64_t blk))
{
	uint64_t end = gfs_div_up(d->v[0].size, d->g.bsize);

	for (uint64_t blk = next_data(d, 0); blk < end;
	     blk = next_data(d, blk + 1))
		fn(d, blk);
}

static void find_rindex(struct diff *d, uint64_t blk)
{
	read_block(d, &d->v[0], blk, d->v[0].block);
	if (is_rindex(d->v[0].block))
		note_rindex(d, d->v[0].block);
}

int main(int argc, char **argv)
{
	struct diff d = { 0 };

	cli_set_program("voldiff");
	if (argc != 3) {
		cli_error("usage: voldiff VOLUME VOLUME");
		return 2;
	}
	for (int i = 0; i < 2; i++)
		open_volume(&d.v[i], argv[i + 1]);
	read_geometry(&d);
	if (d.v[0].size != d.v[1].size)
		report(&d, 0, 0, "sizes differ");
	each_block(&d, find_rindex);
	if (!d.rindex_size)
		report(&d, 0, 0, "no resource index");
	each_block(&d, compare);
	if (d.found)
		printf("%u differences\n", d.found);
	free(d.rindex);
	for (int i = 0; i < 2; i++)
		free(d.v[i].block);
	return d.found != 0;
}
