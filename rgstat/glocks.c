// SPDX-License-Identifier: GPL-2.0-or-later
/* A chained hash table of glocks whose memory is used again. */
#include "glocks.h"

#include "../libgfs/base/cli.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CHAINS 1024
#define GLOCKS_MAX (4U << 20)
/* So many freed glocks may wait for their last reply, and so long. */
#define PUT_MAX 65536
#define PUT_NS UINT64_C(10000000000)

void rg_glocks_init(struct rg_glocks *t)
{
	*t = (struct rg_glocks){ .n_chains = FIRST_CHAINS };
	t->chains = cli_alloc(t->n_chains * sizeof(*t->chains));
}

static void free_chain(struct rg_glock *g)
{
	struct rg_glock *next;

	for (; g; g = next) {
		next = g->next;
		free(g);
	}
}

void rg_glocks_fini(struct rg_glocks *t)
{
	for (size_t i = 0; i < t->n_chains; i++)
		free_chain(t->chains[i]);
	free_chain(t->spare);
	free(t->chains);
}

static size_t chain_of(const struct rg_glocks *t, uint32_t dev, uint32_t type,
		       uint64_t number)
{
	uint64_t h = (number ^ (uint64_t)type << 60 ^ (uint64_t)dev << 28) *
		     UINT64_C(0x9e3779b97f4a7c15);

	return (size_t)(h >> 32) & (t->n_chains - 1);
}

struct rg_glock *rg_glocks_find(const struct rg_glocks *t, uint32_t dev,
				uint32_t type, uint64_t number)
{
	struct rg_glock *g = t->chains[chain_of(t, dev, type, number)];

	while (g && (g->number != number || g->type != type || g->dev != dev))
		g = g->next;
	return g;
}

static void link_glock(struct rg_glocks *t, struct rg_glock *g)
{
	size_t i = chain_of(t, g->dev, g->type, g->number);

	g->next = t->chains[i];
	t->chains[i] = g;
}

static void grow(struct rg_glocks *t)
{
	struct rg_glock **old = t->chains;
	size_t n = t->n_chains;
	struct rg_glock *next;

	t->n_chains = 2 * n;
	t->chains = cli_alloc(t->n_chains * sizeof(*t->chains));
	for (size_t i = 0; i < n; i++) {
		for (struct rg_glock *g = old[i]; g; g = next) {
			next = g->next;
			link_glock(t, g);
		}
	}
	free(old);
}

static void forget(struct rg_glocks *t, bool rgrps)
{
	struct rg_glock *next;

	for (size_t i = 0; i < t->n_chains; i++) {
		for (struct rg_glock *g = t->chains[i]; g; g = next) {
			next = g->next;
			if (rgrps || g->type != RG_TYPE_RGRP)
				rg_glocks_drop(t, g);
		}
	}
}

struct rg_glock *rg_glocks_get(struct rg_glocks *t, uint32_t dev, uint32_t type,
			       uint64_t number)
{
	struct rg_glock *g = rg_glocks_find(t, dev, type, number);

	if (g)
		return g;
	if (t->n >= GLOCKS_MAX) {
		forget(t, false);
		if (t->n >= GLOCKS_MAX / 2)
			forget(t, true);
	}
	if (t->n >= 2 * t->n_chains)
		grow(t);
	g = t->spare;
	if (g)
		t->spare = g->next;
	else
		g = cli_alloc(sizeof(*g));
	*g = (struct rg_glock){ .dev = dev,
				.type = (uint8_t)type,
				.number = number };
	link_glock(t, g);
	t->n++;
	return g;
}

void rg_glocks_each(const struct rg_glocks *t,
		    void (*fn)(void *ctx, const struct rg_glock *g), void *ctx)
{
	for (size_t i = 0; i < t->n_chains; i++)
		for (struct rg_glock *g = t->chains[i]; g; g = g->next)
			fn(ctx, g);
}

void rg_glocks_drop(struct rg_glocks *t, struct rg_glock *g)
{
	struct rg_glock **at =
		&t->chains[chain_of(t, g->dev, g->type, g->number)];

	while (*at != g)
		at = &(*at)->next;
	*at = g->next;
	g->next = t->spare;
	t->spare = g;
	t->n--;
	t->n_put -= g->put;
}

/* Drop freed glocks older than this. */
static void sweep(struct rg_glocks *t, uint64_t before_ns)
{
	struct rg_glock *next;

	for (size_t i = 0; i < t->n_chains; i++) {
		for (struct rg_glock *g = t->chains[i]; g; g = next) {
			next = g->next;
			if (g->put && g->put_ns < before_ns)
				rg_glocks_drop(t, g);
		}
	}
}

void rg_glocks_put(struct rg_glocks *t, struct rg_glock *g, uint64_t now_ns)
{
	t->n_put += !g->put;
	g->put = true;
	g->put_ns = now_ns;
	if (t->n_put < PUT_MAX)
		return;
	/* Replies got lost: keep the young ones, or none if all are. */
	sweep(t, now_ns > PUT_NS ? now_ns - PUT_NS : 0);
	if (t->n_put >= PUT_MAX / 2)
		sweep(t, UINT64_MAX);
}

void rg_glocks_revive(struct rg_glocks *t, struct rg_glock *g)
{
	t->n_put -= g->put;
	g->put = false;
}
