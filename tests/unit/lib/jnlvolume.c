// SPDX-License-Identifier: GPL-2.0-or-later
/* A volume with an open journal, for tests of recovery. */
#include "jnlvolume.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC "\x01\x16\x19\x70"

struct volume v;
struct gfs_jnl *jnl;
uint64_t free_blk;
uint64_t block[GFS2_BSIZE_MAX / 8];
char *before;

bool jv_begin(uint32_t bsize, unsigned int journals)
{
	const struct gfs_rgrp *last;

	if (!volume_make(&v, bsize, journals))
		return false;
	last = &v.fs->rgrps.rg[v.fs->rgrps.n - 1];
	free_blk = last->data0 + last->data - 10000;
	if (bsize > 512)
		free_blk = last->data0 + last->data - 1300;
	before = malloc(v.dev->size);
	return before && !gfs_jnl_open(&jnl, v.fs, 0);
}

void jv_end(void)
{
	gfs_jnl_close(jnl);
	jnl = NULL;
	free(before);
	volume_close(&v);
}

void jv_reopen(void)
{
	gfs_jnl_close(jnl);
	if (!gfs_jnl_open(&jnl, v.fs, 0))
		return;
	printf("Bail out! journal: %s\n", v.err.text);
	exit(1);
}

void jv_remember(void)
{
	if (gfs_dev_read(v.dev, before, v.dev->size, 0))
		abort();
}

bool jv_is_unchanged(void)
{
	char *now = malloc(v.dev->size);
	bool same = now && !gfs_dev_read(v.dev, now, v.dev->size, 0) &&
		    !memcmp(now, before, v.dev->size);

	free(now);
	return same;
}

bool jv_is_filled(uint64_t blk, int fill)
{
	const unsigned char *b = (const unsigned char *)block;

	volume_read(&v, blk, block);
	return b[100] == (unsigned char)fill &&
	       b[v.fs->geom.bsize - 1] == (unsigned char)fill &&
	       (!fill || !memcmp(b, MAGIC, 4));
}
