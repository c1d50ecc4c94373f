/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The glocks alive at one moment of a trace, found by name. */
#ifndef RG_GLOCKS_H
#define RG_GLOCKS_H

#include "lkstats.h"

struct rg_glock {
	struct rg_glock *next; /* in its hash chain */
	uint64_t number;
	uint32_t dev;
	uint8_t type;
	bool known;      /* last is set: a reply was seen */
	bool whole;      /* queued is exact: a reply has told it */
	bool put;        /* freed, its last reply is still to come */
	bool undecided;  /* a sample waits in a CPU's backlog */
	struct rg_lkstats last;  /* as printed by the last reply */
	uint64_t requests;       /* dcnt, with those not answered yet */
	uint64_t queued;         /* queue events of the living instance */
	uint64_t queued_put;     /* of the freed one */
	uint64_t stamp_ns;       /* trace time of the last request, about */
	uint64_t put_ns;
};

struct rg_glocks {
	struct rg_glock **chains;
	struct rg_glock *spare;
	size_t n_chains; /* power of two */
	size_t n;
	size_t n_put;
};

void rg_glocks_init(struct rg_glocks *t);
void rg_glocks_fini(struct rg_glocks *t);

/* The glock of this name, or NULL. */
struct rg_glock *rg_glocks_find(const struct rg_glocks *t, uint32_t dev,
				uint32_t type, uint64_t number);
/*
 * The same, a new one zeroed but for its name when there is none. Traces that
 * never tell of glocks being freed are kept in bounds: at four million all
 * but those of rgrps are forgotten, so earlier pointers do not stay valid.
 */
struct rg_glock *rg_glocks_get(struct rg_glocks *t, uint32_t dev, uint32_t type,
			       uint64_t number);
/* Call fn with each of them, in no order. */
void rg_glocks_each(const struct rg_glocks *t,
		    void (*fn)(void *ctx, const struct rg_glock *g), void *ctx);
void rg_glocks_drop(struct rg_glocks *t, struct rg_glock *g);
/* Mark as freed; those whose last reply never comes are dropped in time. */
void rg_glocks_put(struct rg_glocks *t, struct rg_glock *g, uint64_t now_ns);
/* Undo the mark: a new instance of the name lives. */
void rg_glocks_revive(struct rg_glocks *t, struct rg_glock *g);

#endif
