// SPDX-License-Identifier: GPL-2.0-or-later
/* Looking at a device before anything is written to it. */
#include "target.h"

#include "../libgfs/base/cli.h"

#include <blkid/blkid.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void note_found(struct mkfs_target *t, blkid_probe pr)
{
	const char *type;

	if (!blkid_probe_lookup_value(pr, "TYPE", &type, NULL))
		snprintf(t->found, sizeof(t->found),
			 "an existing filesystem (%s)", type);
	else if (!blkid_probe_lookup_value(pr, "PTTYPE", &type, NULL))
		snprintf(t->found, sizeof(t->found), "a partition table (%s)",
			 type);
}

static void note_topology(struct mkfs_target *t, blkid_probe pr)
{
	blkid_topology tp = blkid_probe_get_topology(pr);
	struct mkfs_topology *to = &t->topology;

	if (!tp)
		return;
	to->offset = blkid_topology_get_alignment_offset(tp);
	to->logical = blkid_topology_get_logical_sector_size(tp);
	to->minimum = blkid_topology_get_minimum_io_size(tp);
	to->optimal = blkid_topology_get_optimal_io_size(tp);
	to->physical = blkid_topology_get_physical_sector_size(tp);
	t->topology_known = true;
}

/* What libblkid knows of the device. Not knowing is no error. */
static void probe(struct mkfs_target *t)
{
	blkid_probe pr = blkid_new_probe();
	int fd = gfs_dev_fd(t->dev);

	if (!pr)
		return;
	if (fd < 0 || blkid_probe_set_device(pr, fd, 0, 0))
		goto out;
	blkid_probe_enable_superblocks(pr, 1);
	blkid_probe_set_superblocks_flags(pr, BLKID_SUBLKS_TYPE);
	blkid_probe_enable_partitions(pr, 1);
	if (!blkid_do_fullprobe(pr))
		note_found(t, pr);
	if (t->dev->is_block)
		note_topology(t, pr);
out:
	blkid_free_probe(pr);
}

static int refuse_open(const char *path, const struct gfs_error *err, int rc)
{
	char text[600];

	if (rc == -ENOTBLK)
		cli_error("'%s' is not a block device or regular file", path);
	else
		cli_error("%s", gfs_error_message(err, rc, text, sizeof(text)));
	return rc;
}

int mkfs_target_open(struct mkfs_target *t, const struct mkfs_opts *o)
{
	struct gfs_error err = { 0 };
	int rc;

	*t = (struct mkfs_target){ 0 };
	rc = gfs_dev_open(&t->dev, o->device, GFS_DEV_WRITE | GFS_DEV_EXCL,
			  &err);
	if (rc)
		return refuse_open(o->device, &err, rc);
	if (!o->has_topology) {
		probe(t);
	} else {
		t->topology = o->topology;
		t->topology_known = o->topology.logical && o->topology.physical;
	}
	if (t->topology_known && t->topology.offset) {
		cli_warn("%s is not properly aligned (by %llu bytes); this "
			 "may make it slow", o->device,
			 (unsigned long long)t->topology.offset);
		t->topology.physical = t->topology.logical;
	}
	return 0;
}

void mkfs_target_close(struct mkfs_target *t)
{
	gfs_dev_close(t->dev);
	t->dev = NULL;
}

static bool is_default_bsize(uint64_t size, uint64_t page)
{
	return size >= 4096 && size <= page && gfs_is_pow2(size);
}

static int choose_bsize(struct mkfs_target *t, const struct mkfs_opts *o,
			uint32_t *bsize)
{
	const struct mkfs_topology *tp = &t->topology;
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t size = o->bsize;

	if (!size && t->topology_known) {
		if (is_default_bsize(tp->optimal, page))
			size = tp->optimal;
		else if (is_default_bsize(tp->physical, page))
			size = tp->physical;
	}
	if (!size)
		size = 4096;
	if (size < GFS2_BSIZE_MIN || size > page || !gfs_is_pow2(size)) {
		cli_error("Block size must be a power of two between %u and "
			  "%llu", GFS2_BSIZE_MIN, (unsigned long long)page);
		return -EINVAL;
	}
	*bsize = (uint32_t)size;
	if (!t->topology_known)
		return 0;
	if (size < tp->logical) {
		cli_error("Error: Block size %llu is less than minimum logical "
			  "block size (%llu).", (unsigned long long)size,
			  (unsigned long long)tp->logical);
		return -EINVAL;
	}
	if (size < tp->physical) {
		cli_warn("Block size %llu is inefficient because it is less "
			 "than the physical block size (%llu).",
			 (unsigned long long)size,
			 (unsigned long long)tp->physical);
		t->warned = true;
	}
	return 0;
}

/* A stripe size of -o in blocks. */
static int stripe(const char *what, const char *text, uint32_t bsize,
		  uint64_t *bytes)
{
	int rc = cli_parse_size(text, 1, bsize, bytes);

	if (!rc && (!*bytes || *bytes > (uint64_t)MKFS_RGRP_MAX_MB << 20))
		rc = -ERANGE;
	if (rc)
		cli_error("%s: not a usable size: '%s'", what, text);
	return rc;
}

static int stripes_from_options(const struct mkfs_opts *o, uint32_t bsize,
				struct mkfs_request *req)
{
	uint64_t sunit, swidth;
	int rc = stripe("sunit", o->sunit, bsize, &sunit);

	if (!rc)
		rc = stripe("swidth", o->swidth, bsize, &swidth);
	if (rc)
		return rc;
	if (sunit % bsize) {
		cli_error("Stripe unit (%llu) must be a multiple of block size "
			  "(%u)", (unsigned long long)sunit, bsize);
		return -EINVAL;
	}
	if (swidth % sunit) {
		cli_error("Stripe width (%llu) must be a multiple of stripe "
			  "unit (%llu)", (unsigned long long)swidth,
			  (unsigned long long)sunit);
		return -EINVAL;
	}
	if (!o->align)
		return 0;
	req->align = (uint32_t)(swidth / bsize);
	req->offset = (uint32_t)(sunit / bsize);
	return 0;
}

static int choose_alignment(const struct mkfs_target *t,
			    const struct mkfs_opts *o, struct mkfs_request *req)
{
	const struct mkfs_topology *tp = &t->topology;

	if (o->sunit)
		return stripes_from_options(o, req->bsize, req);
	if (!o->align || !t->topology_known || !tp->minimum ||
	    tp->optimal <= tp->physical || tp->minimum <= tp->physical ||
	    tp->optimal % tp->minimum ||
	    tp->optimal > (uint64_t)MKFS_RGRP_MAX_MB << 20)
		return 0;
	req->align = (uint32_t)(tp->optimal / req->bsize);
	req->offset = (uint32_t)(tp->minimum / req->bsize);
	return 0;
}

static int choose_size(const struct mkfs_target *t, const struct mkfs_opts *o,
		       struct mkfs_request *req)
{
	uint64_t bytes;
	int rc;

	req->blocks = t->dev->size / req->bsize;
	if (!o->size)
		return 0;
	rc = cli_parse_size(o->size, req->bsize, req->bsize, &bytes);
	if (rc == -EINVAL) {
		cli_error("Not a size: '%s'", o->size);
		return rc;
	}
	if (rc || bytes / req->bsize > req->blocks) {
		cli_error("Specified size is bigger than the device.");
		return -ERANGE;
	}
	req->blocks = bytes / req->bsize;
	return 0;
}

int mkfs_target_request(struct mkfs_target *t, const struct mkfs_opts *o,
			struct mkfs_request *req)
{
	int rc;

	*req = (struct mkfs_request){
		.journals = (uint32_t)o->journals,
		.journal_mb = (uint32_t)o->journal_mb,
		.rgrp_mb = (uint32_t)o->rgrp_mb,
	};
	rc = choose_bsize(t, o, &req->bsize);
	if (!rc)
		rc = choose_alignment(t, o, req);
	return rc ? rc : choose_size(t, o, req);
}

static bool ask(void)
{
	char *line = NULL;
	size_t size = 0;
	bool yes;

	printf("Are you sure you want to proceed? [y/n] ");
	fflush(stdout);
	yes = getline(&line, &size, stdin) > 0 && rpmatch(line) == 1;
	free(line);
	return yes;
}

bool mkfs_target_confirm(const struct mkfs_target *t, const struct mkfs_opts *o)
{
	char real[PATH_MAX];

	if (o->quiet && !o->ask)
		return true;
	if (t->found[0])
		printf("%s appears to contain %s\n", o->device, t->found);
	printf("This will destroy any data on %s", o->device);
	if (readlink(o->device, real, sizeof(real)) > 0 &&
	    realpath(o->device, real))
		printf(" (%s)", real);
	printf("\n");
	return !o->ask || ask();
}
