/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The per-CPU statistics of one mounted filesystem, rebuilt from samples. */
#ifndef RG_CPUSETS_H
#define RG_CPUSETS_H

#include "lkstats.h"

/* Which pair a sample belongs to, once it is known. */
enum rg_pair { RG_PAIR_SRTT, RG_PAIR_SRTTB, RG_PAIR_UNKNOWN };

/* A sample that has to wait until its pair, or that of an older, is known. */
struct rg_late {
	uint64_t number; /* of its glock */
	int64_t tdiff;
	enum rg_pair pair;
};

struct rg_backlog {
	struct rg_late *late;
	size_t n;
	size_t room;
};

/* Of one type on one CPU; both estimators run beside each other. */
struct rg_cpuset {
	uint64_t pair[RG_NESTIMATORS][2][2]; /* srtt, srttb: mean, deviation */
	uint64_t queued;
	uint64_t requests;
	uint64_t replies;
	struct rg_backlog backlog;
};

struct rg_cpu {
	struct rg_cpuset type[RG_NTYPES];
};

struct rg_cpusets {
	struct rg_cpu *cpu;
	uint32_t n;
	uint64_t guessed; /* samples whose pair was never told */
};

/* Highest CPU number accepted, plus one. */
#define RG_CPUS 8192U

void rg_cpusets_init(struct rg_cpusets *s);
void rg_cpusets_fini(struct rg_cpusets *s);

/* The set of a type on a CPU, made (all zero) when new. cpu < RG_CPUS. */
struct rg_cpuset *rg_cpuset_get(struct rg_cpusets *s, uint32_t cpu,
				uint32_t type);

/* Account one round trip; the order of calls is that of the replies. */
void rg_cpusets_sample(struct rg_cpusets *s, uint32_t cpu, uint32_t type,
		       const struct rg_late *sample);
/* The pair of the waiting sample of a glock has become known. */
void rg_cpusets_decide(struct rg_cpusets *s, uint32_t type, uint64_t number,
		       enum rg_pair pair);
/*
 * One pair of a set (mean, deviation in out[0..1]) as it is now; samples
 * still waiting are counted as blocking, what most of them turn out to be.
 */
void rg_cpuset_view(const struct rg_cpuset *set, enum rg_estimator est,
		    enum rg_pair pair, uint64_t out[2]);

#endif
