// SPDX-License-Identifier: GPL-2.0-or-later
/* Per-CPU statistics: samples applied in order, each to the right pair. */
#include "cpusets.h"

#include "../libgfs/base/cli.h"

#include <stdlib.h>
#include <string.h>

/* After so many the oldest undecided sample is taken as blocking. */
#define BACKLOG_MAX 1024

void rg_cpusets_init(struct rg_cpusets *s)
{
	*s = (struct rg_cpusets){ 0 };
}

void rg_cpusets_fini(struct rg_cpusets *s)
{
	for (uint32_t i = 0; i < s->n; i++)
		for (unsigned int k = 0; k < RG_NTYPES; k++)
			free(s->cpu[i].type[k].backlog.late);
	free(s->cpu);
	rg_cpusets_init(s);
}

struct rg_cpuset *rg_cpuset_get(struct rg_cpusets *s, uint32_t cpu,
				uint32_t type)
{
	if (cpu >= s->n) {
		s->cpu = cli_realloc(s->cpu, (cpu + 1) * sizeof(*s->cpu));
		memset(s->cpu + s->n, 0, (cpu + 1 - s->n) * sizeof(*s->cpu));
		s->n = cpu + 1;
	}
	return &s->cpu[cpu].type[type];
}

static void apply(struct rg_cpuset *set, const struct rg_late *sample)
{
	for (int est = 0; est < RG_NESTIMATORS; est++)
		rg_estimate((enum rg_estimator)est,
			    set->pair[est][sample->pair], sample->tdiff);
}

/* Apply the samples at the front whose pair is known. */
static void drain(struct rg_cpuset *set)
{
	struct rg_backlog *b = &set->backlog;
	size_t done = 0;

	for (; done < b->n && b->late[done].pair != RG_PAIR_UNKNOWN; done++)
		apply(set, &b->late[done]);
	b->n -= done;
	if (done)
		memmove(b->late, b->late + done, b->n * sizeof(*b->late));
}

static void wait_for_pair(struct rg_cpusets *s, struct rg_cpuset *set,
			  const struct rg_late *sample)
{
	struct rg_backlog *b = &set->backlog;

	if (b->n == BACKLOG_MAX) {
		b->late[0].pair = RG_PAIR_SRTTB;
		s->guessed++;
		drain(set);
	}
	if (b->n == b->room) {
		b->room = b->room ? 2 * b->room : 8;
		b->late = cli_realloc(b->late, b->room * sizeof(*b->late));
	}
	b->late[b->n++] = *sample;
}

void rg_cpusets_sample(struct rg_cpusets *s, uint32_t cpu, uint32_t type,
		       const struct rg_late *sample)
{
	struct rg_cpuset *set = rg_cpuset_get(s, cpu, type);

	set->replies++;
	if (set->backlog.n || sample->pair == RG_PAIR_UNKNOWN)
		wait_for_pair(s, set, sample);
	else
		apply(set, sample);
}

void rg_cpusets_decide(struct rg_cpusets *s, uint32_t type, uint64_t number,
		       enum rg_pair pair)
{
	for (uint32_t i = 0; i < s->n; i++) {
		struct rg_cpuset *set = &s->cpu[i].type[type];
		struct rg_backlog *b = &set->backlog;

		for (size_t k = 0; k < b->n; k++)
			if (b->late[k].number == number &&
			    b->late[k].pair == RG_PAIR_UNKNOWN)
				b->late[k].pair = pair;
		if (b->n)
			drain(set);
	}
}

void rg_cpuset_view(const struct rg_cpuset *set, enum rg_estimator est,
		    enum rg_pair pair, uint64_t out[2])
{
	memcpy(out, set->pair[est][pair], 2 * sizeof(out[0]));
	for (size_t k = 0; k < set->backlog.n; k++) {
		const struct rg_late *late = &set->backlog.late[k];
		enum rg_pair at = late->pair == RG_PAIR_UNKNOWN ?
					  RG_PAIR_SRTTB :
					  late->pair;

		if (at == pair)
			rg_estimate(est, out, late->tdiff);
	}
}
