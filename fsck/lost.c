// SPDX-License-Identifier: GPL-2.0-or-later
/* Dinodes that entries name by the right numbers, but no bitmap knows. */
#include <errno.h>
#include <sys/stat.h>

#include "../libgfs/format/bitmap.h"
#include "../libgfs/format/blocktype.h"
#include "fsck.h"

/*
 * Is there a dinode at blk that an entry names by the right pair, although no
 * bitmap says so? It is taken for one from now on.
 */
static int resurrect(struct fsck *f, const struct fsck_dirent *de,
		     bool *found)
{
	const struct gfs2_dinode *di;
	struct gfs_buf *buf;
	uint64_t i;
	bool ok;
	int rc;

	if (!fsck_index(f, de->addr, &i) || blockmap_get(&f->want, i) ||
	    blockmap_get(&f->disk, i) >= GFS2_BLKST_UNLINKED)
		return 0;
	rc = gfs_buf_get(f->fs->cache, de->addr, &buf);
	if (rc)
		return rc == -ENOMEM ? fsck_report(f, rc) : 0;
	di = buf->data;
	ok = gfs_block_is(di, GFS2_METATYPE_DI) &&
	     be64_to_cpu(di->di_num.no_addr) == de->addr &&
	     be64_to_cpu(di->di_num.no_formal_ino) == de->formal &&
	     (be32_to_cpu(di->di_mode) & S_IFMT) >> 12 == de->type;
	gfs_buf_put(buf);
	if (!ok)
		return 0;
	if (problem(f, CK_DI_LOST_STATE, at_inode(de->addr, de->addr), "%s",
		    gfs_blkst_name(blockmap_get(&f->disk, i))))
		fsck_set_state(f, i, GFS2_BLKST_DINODE);
	else
		blockmap_set(&f->disk, i, GFS2_BLKST_DINODE);
	*found = true;
	return 0;
}

int fsck_find_lost(struct fsck *f, bool *found)
{
	int rc = 0;
	uint32_t n = 0;

	*found = false;
	dirents_sort(&f->dirents);
	for (size_t k = 0; !rc && k < f->dirents.n; k++) {
		const struct fsck_dirent *de = &f->dirents.v[k];

		while (n < f->inodes.n && f->inodes.v[n].addr < de->addr)
			n++;
		if (n < f->inodes.n && f->inodes.v[n].addr == de->addr)
			continue;
		rc = resurrect(f, de, found);
	}
	return rc;
}

