// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The layout of new volumes: against the worked example, against a slow walk
 * through the rules block by block, and at the sizes where formulas change.
 */
#include "../../mkfs/plan.c"
#include "t.h"

#include <stdlib.h>

#define MIB (UINT64_C(1) << 20)
#define TIB (UINT64_C(1) << 40)

static struct mkfs_request request(uint32_t bsize, uint64_t bytes)
{
	return (struct mkfs_request){ .bsize = bsize,
				      .blocks = bytes / bsize,
				      .journals = 1,
				      .rgrp_mb = MKFS_RGRP_MB };
}

static bool make(struct mkfs_plan *plan, const struct mkfs_request *req)
{
	struct gfs_error err;

	return !mkfs_plan_make(plan, req, &err);
}

static void worked_example(void)
{
	struct mkfs_request req = request(4096, 1024 * MIB);
	static const struct {
		uint64_t addr;
		uint32_t length, data;
	} want[] = {
		{ 17, 1, 4108 },      { 4126, 4, 64500 },
		{ 68631, 4, 64500 },  { 133135, 4, 64500 },
		{ 197639, 4, 64500 },
	};
	struct mkfs_plan plan;
	struct mkfs_rgrp rg;

	T_OK(make(&plan, &req));
	T_EQ(plan.journal_blocks, 4096);
	T_EQ(plan.journal_total, 4106);
	T_EQ(plan.journal_height, 2);
	T_EQ(plan.rgrps, 5);
	T_EQ(plan.data, 262108);
	T_EQ(mkfs_plan_end(&plan), 262143);
	for (uint64_t i = 0; i < GFS_ARRAY_SIZE(want); i++) {
		mkfs_plan_rgrp(&plan, i, &rg);
		T_EQ(rg.addr, want[i].addr);
		T_EQ(rg.length, want[i].length);
		T_EQ(rg.data0, want[i].addr + want[i].length);
		T_EQ(rg.data, want[i].data);
		T_EQ(rg.bitbytes, want[i].data / 4);
	}
}

/* The rules once more, one step at a time, without any shortcut. */
struct slow {
	uint64_t addr[100000];
	uint64_t total[100000];
	uint64_t n;
};

static uint64_t slow_cap(uint64_t bs, uint64_t k)
{
	return k ? 4 * (bs - 128) + 4 * (bs - 24) * (k - 1) : 0;
}

static void slow_entry(uint64_t bs, uint64_t total, uint64_t *length,
		       uint64_t *data)
{
	uint64_t b = 0;

	while (slow_cap(bs, b + 1) < (total - b) / 4 * 4)
		b++;
	*data = (total - b - 1) / 4 * 4;
	*length = slow_cap(bs, b) < *data ? b + 1 : b;
}

static uint64_t up(uint64_t n, uint64_t unit)
{
	return unit && n % unit ? n + unit - n % unit : n;
}

static uint64_t slow_journal(const struct mkfs_request *req)
{
	uint64_t bs = req->bsize;
	uint64_t level = req->journal_mb * MIB / bs;
	uint64_t blocks = level;
	uint64_t need, length = 1;

	while (level > (bs - 232) / 8) {
		level = (level + (bs - 24) / 8 - 1) / ((bs - 24) / 8);
		blocks += level;
	}
	need = up(blocks + 1, 4);
	while (slow_cap(bs, length) < need)
		length++;
	return up(need + length, req->align) + req->offset;
}

static void slow_plan(struct slow *s, const struct mkfs_request *req)
{
	uint64_t bs = req->bsize;
	uint64_t at = up(65536 / bs + 1, req->offset);
	uint64_t al = req->align;
	uint64_t adj = al ? al : 1;
	uint64_t t = req->rgrp_mb * MIB / bs;
	uint64_t l0, l1, n0, n1 = 0, space;

	s->n = 0;
	for (uint32_t j = 0; j < req->journals; j++) {
		s->addr[s->n] = at;
		s->total[s->n++] = slow_journal(req);
		at += slow_journal(req);
	}
	space = req->blocks - at;
	do {
		l0 = up(t, al) + req->offset;
		t -= al + 1;
	} while (l0 > 2048 * MIB / bs);
	l1 = l0;
	n0 = space / l0;
	if (space - n0 * l0 > al) {
		n0++;
		while ((l0 - adj) * n0 >= space)
			l0 -= adj;
		l1 = l0 - adj;
		while (l0 * n0 + l1 * n1 >= space) {
			n0--;
			n1++;
		}
	}
	for (uint64_t i = 0; i < n0 + n1; i++) {
		s->addr[s->n] = at;
		s->total[s->n] = i < n0 ? l0 : l1;
		at += s->total[s->n++];
	}
}

/* Does the plan say the same as the slow one, group by group? */
static bool same(const struct mkfs_plan *plan, const struct slow *s)
{
	uint64_t length, data, sum = 0;
	struct mkfs_rgrp rg;

	if (plan->rgrps != s->n)
		return false;
	for (uint64_t i = 0; i < s->n; i++) {
		mkfs_plan_rgrp(plan, i, &rg);
		slow_entry(plan->geom.bsize, s->total[i], &length, &data);
		if (rg.addr != s->addr[i] || rg.total != s->total[i] ||
		    rg.length != length || rg.data != data ||
		    rg.data0 != rg.addr + length || rg.bitbytes != data / 4)
			return false;
		sum += data;
	}
	return plan->data == sum && mkfs_plan_end(plan) <= plan->blocks;
}

/* The same numbers in every run. */
static uint32_t random_below(uint32_t n)
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 33) % n;
}

static void random_request(struct mkfs_request *req)
{
	static const uint32_t sizes[] = { 512, 1024, 2048, 4096 };
	uint64_t mib = 64 + random_below(40000);

	*req = request(sizes[random_below(4)],
		       mib * MIB + random_below(1000) * 512);
	req->journals = 1 + random_below(5);
	req->rgrp_mb = 32 + random_below(2017);
	req->journal_mb = 8;
	if (mib > 4000 && random_below(2))
		req->journal_mb = 8 + random_below(200);
	if (random_below(3))
		return;
	req->offset = (1U << random_below(8)) * (4096 / req->bsize);
	req->align = req->offset * (1 + random_below(12));
}

static void random_plans(void)
{
	static struct slow s;
	struct mkfs_request req;
	struct mkfs_plan plan;
	char name[200];

	for (int i = 0; i < 400; i++) {
		random_request(&req);
		slow_plan(&s, &req);
		snprintf(name, sizeof(name),
			 "bs %u, %" PRIu64 " blocks, %u journals of %u MB, "
			 "rgrps of %u MB, align %u+%u", req.bsize, req.blocks,
			 req.journals, req.journal_mb, req.rgrp_mb, req.align,
			 req.offset);
		T_NAMED(make(&plan, &req) && same(&plan, &s), name);
	}
}

/* Blocks of the volume at which the default journal changes. */
static void journal_sizes(void)
{
	static const struct {
		uint32_t bsize;
		uint64_t blocks;
		uint32_t mb;
	} want[] = {
		{ 4096, 4095, 0 },		{ 4096, 4096, 8 },
		{ 4096, 131071, 8 },		{ 4096, 131072, 16 },
		{ 4096, 524287, 16 },		{ 4096, 524288, 32 },
		{ 4096, 2097151, 32 },		{ 4096, 2097152, 64 },
		{ 4096, 4194303, 64 },		{ 4096, 4194304, 128 },
		{ 4096, 268435455, 128 },	{ 4096, 268435456, 512 },
		{ 4096, 2684354559, 512 },	{ 4096, 2684354560, 1024 },
		{ 512, 32767, 0 },		{ 512, 32768, 8 },
		{ 512, 4194304, 16 },		{ 512, 268435456, 64 },
		{ 1024, 2097152, 16 },		{ 65536, 2684354560, 1024 },
	};

	for (size_t i = 0; i < GFS_ARRAY_SIZE(want); i++)
		T_EQ(mkfs_plan_journal_mb(want[i].bsize, want[i].blocks, 1),
		     want[i].mb);
	T_EQ(mkfs_plan_journal_mb(4096, 3 * 4096, 3), 8);
	T_EQ(mkfs_plan_journal_mb(4096, 3 * 4096 - 1, 3), 0);
}

static void refusals(void)
{
	struct mkfs_request req = request(4096, 16 * MIB);
	struct gfs_error err;
	struct mkfs_plan plan;

	T_OK(make(&plan, &req));
	T_EQ(plan.rgrps, 2);
	req = request(4096, 16 * MIB - 4096);
	T_EQ(mkfs_plan_make(&plan, &req, &err), -GFS_EFULL);
	req = request(4096, 1024 * MIB);
	req.journals = 4;
	req.journal_mb = 128;
	T_OK(make(&plan, &req));
	req.journal_mb = 129;
	T_EQ(mkfs_plan_make(&plan, &req, &err), -GFS_EFULL);
	T_OK(strstr(err.text, "Maximum size for 4 journals on this device "
			      "is 128MB."));
	/* More than 32 bits of blocks in all journals together. */
	req.journals = UINT32_MAX / 4 - 4;
	req.journal_mb = 1024;
	T_EQ(mkfs_plan_make(&plan, &req, &err), -GFS_EFULL);
	req = request(4096, 1024 * MIB);
	req.bsize = 4095;
	T_OK(mkfs_plan_make(&plan, &req, &err) < 0);
	req = request(4096, 0);
	T_EQ(mkfs_plan_make(&plan, &req, &err), -GFS_EFULL);
}

/* Groups follow each other, hold their bitmaps and end in the volume. */
static bool is_sound(const struct mkfs_plan *plan)
{
	struct mkfs_rgrp rg, first;
	uint64_t step = plan->rgrps > 5000 ? plan->rgrps / 4999 : 1;
	uint64_t end = 0;

	mkfs_plan_rgrp(plan, 0, &first);
	if (first.addr <= plan->geom.sb_blk || first.data < plan->journal_total)
		return false;
	for (uint64_t i = 0; i < plan->rgrps; i += step) {
		mkfs_plan_rgrp(plan, i, &rg);
		if (rg.addr < end || !rg.data || rg.data % 4 ||
		    rg.length + rg.data > rg.total ||
		    gfs_geom_rgrp_cap(&plan->geom, rg.length) < rg.data ||
		    gfs_geom_rgrp_cap(&plan->geom, rg.length - 1) >= rg.data)
			return false;
		end = rg.data0 + rg.data;
	}
	return mkfs_plan_end(plan) <= plan->blocks;
}

static void all_sizes(void)
{
	struct mkfs_plan plan;
	char name[80];

	for (uint32_t bsize = 512; bsize <= 65536; bsize *= 2) {
		for (uint64_t bytes = 16 * MIB; bytes <= 250 * TIB;
		     bytes = bytes * 5 / 4 + 1000) {
			struct mkfs_request req = request(bsize, bytes);

			snprintf(name, sizeof(name), "bs %u, %" PRIu64 " bytes",
				 bsize, bytes);
			T_NAMED(make(&plan, &req) && is_sound(&plan), name);
		}
	}
}

/* 1 TiB and 250 TiB as gfs2-utils divide them. */
static void large(void)
{
	struct mkfs_request req = request(4096, TIB);
	struct mkfs_plan plan;

	T_OK(make(&plan, &req));
	T_EQ(plan.journal_blocks, 131072);
	T_EQ(plan.rgrps, 4095);
	req = request(4096, 250 * TIB);
	T_OK(make(&plan, &req));
	T_EQ(plan.journal_blocks, 262144);
}

int main(void)
{
	worked_example();
	random_plans();
	journal_sizes();
	refusals();
	all_sizes();
	large();
	return t_done();
}
