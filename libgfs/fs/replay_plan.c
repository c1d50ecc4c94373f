// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a journal wants written: copies in the order of their homes, without
 * those that are revoked or superseded. Memory is bounded by the number of
 * copies; of the revokes only those that meet a copy are kept.
 */
#include "replay_priv.h"

#include "journal_priv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* An array with room for one more; NULL: no memory, the old one stays. */
static void *grow(void *array, size_t *cap, size_t n, size_t size)
{
	size_t want = *cap ? 2 * *cap : 256;
	void *more;

	if (n < *cap)
		return array;
	more = realloc(array, want * size);
	if (more)
		*cap = want;
	return more;
}

static int no_memory(const struct gfs_plan *plan)
{
	return gfs_fail(plan->jnl->fs->err, ENOMEM, plan->jnl->jinode,
			"no memory to replay journal%u", plan->jnl->jid);
}

/* The blocks of one journal as runs. */
static int forbid(struct gfs_plan *plan, const struct gfs_jnl *jnl)
{
	uint32_t pos = 0;

	while (pos < jnl->nblocks) {
		struct gfs_run run = { .blk = jnl->map[pos++], .count = 1 };
		struct gfs_run *runs;

		while (pos < jnl->nblocks &&
		       jnl->map[pos] == run.blk + run.count) {
			pos++;
			run.count++;
		}
		if (plan->n_forbidden > jnl->fs->nblocks)
			return gfs_fail(jnl->fs->err, GFS_ECORRUPT,
					jnl->jinode, "journals share blocks");
		runs = grow(plan->forbidden, &plan->cap_forbidden,
			    plan->n_forbidden, sizeof(run));
		if (!runs)
			return no_memory(plan);
		plan->forbidden = runs;
		plan->forbidden[plan->n_forbidden++] = run;
	}
	return 0;
}

static int by_blk(const void *a, const void *b)
{
	const struct gfs_run *x = a, *y = b;

	return (x->blk > y->blk) - (x->blk < y->blk);
}

static int forbid_journals(struct gfs_plan *plan)
{
	struct gfs_jnl *jnl = plan->jnl;
	struct gfs_fs *fs = jnl->fs;
	int rc = forbid(plan, jnl);

	for (uint32_t jid = 0; jid < fs->njournals && !rc; jid++) {
		struct gfs_jnl *other;

		if (jid == jnl->jid)
			continue;
		rc = gfs_jnl_open_map(&other, fs, jid);
		if (rc == -ENOMEM)
			return rc;
		/* A damaged one is no reason not to recover this one. */
		rc = rc ? 0 : forbid(plan, other);
		gfs_jnl_close(other);
	}
	if (!rc)
		qsort(plan->forbidden, plan->n_forbidden,
		      sizeof(*plan->forbidden), by_blk);
	return rc;
}

static bool is_forbidden(const struct gfs_plan *plan, uint64_t blk)
{
	size_t low = 0, high = plan->n_forbidden;
	const struct gfs_run *run;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (plan->forbidden[mid].blk <= blk)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low)
		return false;
	run = &plan->forbidden[low - 1];
	return blk - run->blk < run->count;
}

static int check_target(const struct gfs_plan *plan,
			const struct gfs_jnl_item *item)
{
	const struct gfs_jnl *jnl = plan->jnl;
	const struct gfs_fs *fs = jnl->fs;
	const char *why = NULL;

	if (!gfs_fs_has_block(fs, item->blk) && item->blk != fs->geom.sb_blk)
		why = "is not on the volume";
	else if (is_forbidden(plan, item->blk))
		why = "is inside a journal";
	if (!why)
		return 0;
	return gfs_fail(fs->err, GFS_ECORRUPT, jnl->map[item->pos],
			"journal%u, position %u: block %" PRIu64 " %s",
			jnl->jid, item->pos, item->blk, why);
}

static uint32_t order_of(const struct gfs_jnl *jnl, uint32_t pos)
{
	return gfs_jnl_behind(jnl, pos, jnl->nblocks - jnl->head.tail);
}

static int add_copy(struct gfs_plan *plan, const struct gfs_jnl_item *item)
{
	struct gfs_copy *copies;
	int rc = check_target(plan, item);

	if (rc)
		return rc;
	copies = grow(plan->copies, &plan->cap, plan->n, sizeof(*copies));
	if (!copies)
		return no_memory(plan);
	plan->copies = copies;
	plan->copies[plan->n++] = (struct gfs_copy){
		.blk = item->blk,
		.order = order_of(plan->jnl, item->copy),
		.is_meta = item->kind == GFS_JNL_META,
		.escaped = item->escaped,
	};
	return 0;
}

/* First copy of a block, NULL if none. */
static struct gfs_copy *find_copy(const struct gfs_plan *plan, uint64_t blk)
{
	size_t low = 0, high = plan->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (plan->copies[mid].blk < blk)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == plan->n || plan->copies[low].blk != blk)
		return NULL;
	return &plan->copies[low];
}

/* Walks come in log order, so that the last revoke of a block stays. */
static int add_revoke(struct gfs_plan *plan, const struct gfs_jnl_item *item)
{
	struct gfs_copy *copy = find_copy(plan, item->blk);

	if (copy)
		copy->revoked = order_of(plan->jnl, item->pos);
	return 0;
}

static int each_item(struct gfs_plan *plan, unsigned int kinds,
		     int (*fn)(struct gfs_plan *plan,
			       const struct gfs_jnl_item *item))
{
	struct gfs_jnl_iter *it;
	struct gfs_jnl_item item;
	int rc = gfs_jnl_first(&it, plan->jnl, false);

	if (rc)
		return rc;
	while ((rc = gfs_jnl_next(it, &item)) == 1) {
		rc = kinds & 1U << item.kind ? fn(plan, &item) : 0;
		if (rc)
			break;
	}
	gfs_jnl_iter_close(it);
	return rc;
}

static int by_home(const void *a, const void *b)
{
	const struct gfs_copy *x = a, *y = b;

	if (x->blk != y->blk)
		return x->blk > y->blk ? 1 : -1;
	return (x->order > y->order) - (x->order < y->order);
}

/*
 * Keep the last copy of each block, unless it was logged before the last
 * revoke of the block; then all were. A copy stands behind its descriptor, so
 * its order is at least 1, and 0 can mean "never revoked" as well as a revoke
 * in the descriptor at the tail, which revokes nothing.
 */
static void select_copies(struct gfs_plan *plan,
			  struct gfs_replay_result *result)
{
	size_t n = 0;

	for (size_t i = 0, end; i < plan->n; i = end) {
		uint32_t revoked = plan->copies[i].revoked;

		for (end = i; end < plan->n &&
			      plan->copies[end].blk == plan->copies[i].blk;
		     end++)
			result->revoked += plan->copies[end].order < revoked;
		if (plan->copies[end - 1].order > revoked)
			plan->copies[n++] = plan->copies[end - 1];
	}
	result->copies = plan->n;
	result->replayed = result->copies - result->revoked;
	plan->n = n;
}

static int count_header(struct gfs_plan *plan, const struct gfs_jnl_item *item)
{
	(void)item;
	plan->n++;
	return 0;
}

int gfs_plan_make(struct gfs_plan *plan, struct gfs_jnl *jnl,
		  struct gfs_replay_result *result)
{
	int rc;

	*plan = (struct gfs_plan){ .jnl = jnl };
	*result = (struct gfs_replay_result){ 0 };
	rc = forbid_journals(plan);
	if (!rc)
		rc = each_item(plan, 1U << GFS_JNL_HEADER, count_header);
	if (rc)
		return rc;
	result->transactions = plan->n + (gfs_jnl_active(jnl) != 0);
	plan->n = 0;
	rc = each_item(plan, 1U << GFS_JNL_META | 1U << GFS_JNL_JDATA,
		       add_copy);
	if (rc)
		return rc;
	/* There may be no array at all. */
	if (plan->n)
		qsort(plan->copies, plan->n, sizeof(*plan->copies), by_home);
	rc = each_item(plan, 1U << GFS_JNL_REVOKE, add_revoke);
	if (!rc)
		select_copies(plan, result);
	return rc;
}

void gfs_plan_fini(struct gfs_plan *plan)
{
	free(plan->copies);
	free(plan->forbidden);
	*plan = (struct gfs_plan){ 0 };
}
