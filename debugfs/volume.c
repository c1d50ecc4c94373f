// SPDX-License-Identifier: GPL-2.0-or-later
/* A volume that may be damaged: open what can be opened. */
#include "volume.h"

#include "../libgfs/io/undo.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* Read the parts of a full open one by one; each may fail. */
static void find_parts(struct dbg *d)
{
	if (!gfs_fs_find_system(d->fs))
		d->have |= DBG_SYSTEM;
	if (d->fs->sys.jindex.addr && !gfs_fs_count_journals(d->fs))
		d->have |= DBG_JOURNALS;
	if (d->fs->sys.rindex.addr && !gfs_rgrps_load(d->fs))
		d->have |= DBG_RGRPS;
}

/* A volume whose superblock is not to be read: geometry is all it has. */
static int open_by_size(struct dbg *d, uint64_t bsize)
{
	struct gfs_fs *fs = cli_alloc(sizeof(*fs));
	int rc;

	fs->dev = d->dev;
	fs->err = &d->err;
	rc = gfs_geom_init(&fs->geom, bsize);
	if (rc) {
		cli_error("%" PRIu64 " is no block size (512 to 65536)", bsize);
		free(fs);
		return DBG_TOLD;
	}
	fs->nblocks = d->dev->size >> fs->geom.shift;
	rc = gfs_cache_new(&fs->cache, d->dev, fs->geom.bsize, 0, &d->err);
	if (rc) {
		free(fs);
		return rc;
	}
	d->fs = fs;
	return 0;
}

static int open_bare(struct dbg *d)
{
	return gfs_fs_open(&d->fs, d->dev, GFS_FS_BARE, &d->err);
}

static int open_fs(struct dbg *d, const struct dbg_open *o)
{
	char why[600];
	int rc;

	if (o->bsize)
		return open_by_size(d, o->bsize);
	if (o->bare)
		return open_bare(d);
	rc = gfs_fs_open(&d->fs, d->dev, 0, &d->err);
	if (!rc) {
		d->have |= DBG_SYSTEM | DBG_JOURNALS | DBG_RGRPS;
		return 0;
	}
	gfs_error_message(&d->err, rc, why, sizeof(why));
	rc = open_bare(d);
	if (rc)
		return rc;
	cli_warn("%s: %s", d->device, why);
	find_parts(d);
	cli_warn("%s: opened as damaged:%s%s%s", d->device,
		 d->have & DBG_SYSTEM ? "" : " no system files,",
		 d->have & DBG_JOURNALS ? "" : " no journals,",
		 d->have & DBG_RGRPS ? " resource groups known"
				     : " no resource groups");
	return 0;
}

int dbg_volume_open(struct dbg *d, const struct dbg_open *o)
{
	int rc;

	rc = gfs_dev_open(&d->dev, d->device,
			  o->write ? GFS_DEV_WRITE | GFS_DEV_EXCL : 0,
			  &d->err);
	if (rc)
		return dbg_complain(d, rc);
	if (o->write)
		d->have |= DBG_WRITE;
	rc = open_fs(d, o);
	if (!rc)
		return 0;
	rc = dbg_complain(d, rc);
	if (!o->bsize)
		cli_error("%s: --bsize opens it without a superblock",
			  d->device);
	return rc;
}

int dbg_volume_close(struct dbg *d)
{
	int rc = 0;

	if (d->undo)
		rc = gfs_undo_close(d->undo);
	if (rc)
		cli_error("%s: %s", d->undo_path, gfs_strerror(rc));
	gfs_fs_close(d->fs);
	gfs_dev_close(d->dev);
	return rc;
}
