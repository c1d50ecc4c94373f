// SPDX-License-Identifier: GPL-2.0-or-later
/* Flat tables: append, sort, find. */
#include "inodes.h"

#include <stdlib.h>
#include <string.h>

#include "../libgfs/base/cli.h"

void *table_grow(void *v, size_t n, size_t *room, size_t size)
{
	if (n < *room)
		return v;
	*room = *room ? *room + *room / 2 : 64;
	return cli_realloc(v, *room * size);
}

static uint32_t grow_u32(void **v, uint32_t n, uint32_t room, size_t size)
{
	size_t r = room;

	*v = table_grow(*v, n, &r, size);
	return (uint32_t)gfs_min(r, UINT32_MAX);
}

struct fsck_inode *inodes_add(struct fsck_inodes *t)
{
	void *v = t->v;

	t->room = grow_u32(&v, t->n, t->room, sizeof(*t->v));
	t->v = v;
	memset(&t->v[t->n], 0, sizeof(*t->v));
	return &t->v[t->n++];
}

struct fsck_dir *dirs_add(struct fsck_dirs *t)
{
	void *v = t->v;

	t->room = grow_u32(&v, t->n, t->room, sizeof(*t->v));
	t->v = v;
	memset(&t->v[t->n], 0, sizeof(*t->v));
	return &t->v[t->n++];
}

struct fsck_dirent *dirents_add(struct fsck_dirents *t)
{
	t->v = table_grow(t->v, t->n, &t->room, sizeof(*t->v));
	memset(&t->v[t->n], 0, sizeof(*t->v));
	return &t->v[t->n++];
}

struct fsck_leaf_run *leaf_runs_add(struct fsck_leaf_runs *t)
{
	t->v = table_grow(t->v, t->n, &t->room, sizeof(*t->v));
	memset(&t->v[t->n], 0, sizeof(*t->v));
	return &t->v[t->n++];
}

struct fsck_ref *refs_add(struct fsck_refs *t)
{
	t->v = table_grow(t->v, t->n, &t->room, sizeof(*t->v));
	memset(&t->v[t->n], 0, sizeof(*t->v));
	return &t->v[t->n++];
}

uint32_t inodes_find(const struct fsck_inodes *t, uint64_t addr)
{
	uint32_t from = 0, to = t->n;

	while (from < to) {
		uint32_t mid = from + (to - from) / 2;

		if (t->v[mid].addr < addr)
			from = mid + 1;
		else
			to = mid;
	}
	return from < t->n && t->v[from].addr == addr ? from : NO_INDEX;
}

struct fsck_dir *dirs_find(const struct fsck_dirs *t, uint32_t inode)
{
	uint32_t from = 0, to = t->n;

	while (from < to) {
		uint32_t mid = from + (to - from) / 2;

		if (t->v[mid].inode < inode)
			from = mid + 1;
		else
			to = mid;
	}
	return from < t->n && t->v[from].inode == inode ? &t->v[from] : NULL;
}

static int order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int dirent_order(const void *pa, const void *pb)
{
	const struct fsck_dirent *a = pa, *b = pb;
	int o = order(a->addr, b->addr);

	if (!o)
		o = order(a->blk, b->blk);
	return o ? o : order(a->off, b->off);
}

void dirents_sort(struct fsck_dirents *t)
{
	if (t->n)
		qsort(t->v, t->n, sizeof(*t->v), dirent_order);
}

static int run_order(const void *pa, const void *pb)
{
	const struct fsck_leaf_run *a = pa, *b = pb;
	int o = order(a->dir, b->dir);

	return o ? o : order(a->start, b->start);
}

void leaf_runs_merge(struct fsck_leaf_runs *t)
{
	size_t kept = 0;

	if (!t->n)
		return;
	qsort(t->v, t->n, sizeof(*t->v), run_order);
	for (size_t i = 1; i < t->n; i++) {
		struct fsck_leaf_run *last = &t->v[kept];
		const struct fsck_leaf_run *run = &t->v[i];

		if (run->leaf && run->leaf == last->leaf &&
		    run->dir == last->dir &&
		    run->start == last->start + last->count)
			last->count += run->count;
		else
			t->v[++kept] = *run;
	}
	t->n = kept + 1;
}

static int ref_order(const void *pa, const void *pb)
{
	const struct fsck_ref *a = pa, *b = pb;
	int o = order(a->blk, b->blk);

	if (!o)
		o = order(a->parent, b->parent);
	return o ? o : order(a->off, b->off);
}

void refs_sort(struct fsck_refs *t)
{
	if (t->n)
		qsort(t->v, t->n, sizeof(*t->v), ref_order);
}
