/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings: the one place that reports them, asks, counts and remembers the
 * answers. Passes say what they found and do what the answer allows.
 */
#ifndef FSCK_PROBLEM_H
#define FSCK_PROBLEM_H

#include "../libgfs/base/base.h"
#include "../libgfs/base/emit.h"

struct fsck;

enum fsck_repair {
#define REPAIR(name, question, done) REPAIR_##name,
#include "checks.def"
};

enum fsck_policy { POLICY_PREEN, POLICY_ASK };

enum fsck_check {
#define CHECK(name, id, slug, repair, policy, summary) CK_##name,
#include "checks.def"
	CK_COUNT
};

/* Where a finding is: 0 stands for no inode, GFS_NO_BLOCK for no block. */
struct fsck_at {
	uint64_t blk;
	uint64_t ino;
};

static inline struct fsck_at at_block(uint64_t blk)
{
	return (struct fsck_at){ .blk = blk, .ino = 0 };
}

static inline struct fsck_at at_inode(uint64_t ino, uint64_t blk)
{
	return (struct fsck_at){ .blk = blk, .ino = ino };
}

static inline struct fsck_at at_volume(void)
{
	return (struct fsck_at){ .blk = UINT64_MAX, .ino = 0 };
}

/* Answers that apply to all further questions of one check. */
enum fsck_latch { LATCH_ASK, LATCH_YES, LATCH_NO };

/* A finding that was left. */
struct fsck_seen {
	uint64_t hash; /* 0: empty slot */
	uint32_t round; /* in which it was met last */
};

struct fsck_problems {
	uint64_t found;
	uint64_t fixed;   /* agreed to repair */
	uint64_t left;    /* not repaired, of those met in this round */
	struct fsck_seen *seen; /* hash table */
	size_t n_seen, slots;
	uint8_t latch[CK_COUNT];
	struct emit *json; /* NULL: text on stdout */
};

/*
 * Report a finding, with details by fmt; ask if it may be repaired. False
 * when it is to be left: -n, the answer no, or no repair known. A finding
 * left in an earlier round is not reported again.
 */
bool problem(struct fsck *f, enum fsck_check check, struct fsck_at at,
	     const char *fmt, ...) GFS_PRINTF(4, 5) GFS_MUST;

/* The same for a finding that cannot be repaired here. */
void problem_note(struct fsck *f, enum fsck_check check, struct fsck_at at,
		  const char *fmt, ...) GFS_PRINTF(4, 5);

/* Would problem() say yes without a word? For what follows from a repair. */
bool problem_may_fix(const struct fsck *f);

/* Table of all checks on stdout (JSON if asked). 0 or -errno. */
int problem_list(bool json) GFS_MUST;

/* A round begins: what is left is counted anew. */
void problems_begin(struct fsck_problems *p);

void problems_fini(struct fsck_problems *p);

#endif
