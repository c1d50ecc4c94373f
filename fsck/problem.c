// SPDX-License-Identifier: GPL-2.0-or-later
/* Report, ask, count: the registry of checks and what becomes of findings. */
#include "problem.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fsck.h"

struct check {
	const char *id;
	const char *name;
	enum fsck_repair repair;
	enum fsck_policy policy;
	const char *summary;
};

static const struct check checks[CK_COUNT] = {
#define CHECK(name, id, slug, repair, policy, summary) \
	[CK_##name] = { id, slug, REPAIR_##repair, POLICY_##policy, summary },
#include "checks.def"
};

static const struct {
	const char *question;
	const char *done;
} repairs[] = {
#define REPAIR(name, question, done) [REPAIR_##name] = { question, done },
#include "checks.def"
};

/* FNV-1a: which finding is this? Never 0. */
static uint64_t finding_hash(enum fsck_check check, struct fsck_at at,
			     const char *detail)
{
	uint64_t h = 14695981039346656037ULL;
	const uint64_t prime = 1099511628211ULL;

	h = (h ^ (uint64_t)check) * prime;
	h = (h ^ at.blk ^ at.blk >> 29) * prime;
	h = (h ^ at.ino ^ at.ino >> 29) * prime;
	for (; *detail; detail++)
		h = (h ^ (unsigned char)*detail) * prime;
	return h ? h : 1;
}

/* Slot of a hash in the table: its own or an empty one. */
static struct fsck_seen *seen_slot(struct fsck_seen *seen, size_t slots,
				   uint64_t hash)
{
	size_t i = (size_t)(hash & (slots - 1));

	while (seen[i].hash && seen[i].hash != hash)
		i = (i + 1) & (slots - 1);
	return &seen[i];
}

static void seen_grow(struct fsck_problems *p)
{
	size_t slots = p->slots ? p->slots * 2 : 1024;
	struct fsck_seen *seen = cli_alloc(slots * sizeof(*seen));

	for (size_t i = 0; i < p->slots; i++)
		if (p->seen[i].hash)
			*seen_slot(seen, slots, p->seen[i].hash) = p->seen[i];
	free(p->seen);
	p->seen = seen;
	p->slots = slots;
}

/* Remember a finding that is left. */
static void seen_add(struct fsck_problems *p, uint64_t hash, uint32_t round)
{
	struct fsck_seen *slot;

	if (p->n_seen * 2 >= p->slots)
		seen_grow(p);
	slot = seen_slot(p->seen, p->slots, hash);
	p->n_seen += !slot->hash;
	slot->hash = hash;
	slot->round = round;
	p->left++;
}

/* Was it left before? Then it is still there, which counts once a round. */
static bool seen_again(struct fsck_problems *p, uint64_t hash, uint32_t round)
{
	struct fsck_seen *slot;

	if (!p->slots)
		return false;
	slot = seen_slot(p->seen, p->slots, hash);
	if (!slot->hash)
		return false;
	if (slot->round != round) {
		slot->round = round;
		p->left++;
	}
	return true;
}

void problems_begin(struct fsck_problems *p)
{
	p->left = 0;
}

/* Answer "a" and "v" settle all further questions of this check. */
static bool ask_repair(struct fsck *f, enum fsck_check check)
{
	char line[80];

	for (;;) {
		printf("%s (y/n, a/v: always/never for this kind)? ",
		       repairs[checks[check].repair].question);
		fflush(stdout);
		if (f->stop || !fgets(line, sizeof(line), stdin)) {
			putchar('\n');
			return false;
		}
		switch (line[0]) {
		case 'a': case 'A':
			f->problems.latch[check] = LATCH_YES;
			return true;
		case 'y': case 'Y':
			return true;
		case 'v': case 'V':
			f->problems.latch[check] = LATCH_NO;
			return false;
		case 'n': case 'N':
			return false;
		default:
			break;
		}
	}
}

/* -n, -y, -p decide here and nowhere else. *asked: a question was put. */
static bool may_repair(struct fsck *f, enum fsck_check check, bool *asked)
{
	*asked = false;
	if (checks[check].repair == REPAIR_NONE || f->opts.no || f->view_only)
		return false;
	if (f->opts.yes)
		return true;
	if (f->opts.preen)
		return checks[check].policy == POLICY_PREEN;
	if (f->problems.latch[check] != LATCH_ASK)
		return f->problems.latch[check] == LATCH_YES;
	*asked = true;
	return ask_repair(f, check);
}

bool problem_may_fix(const struct fsck *f)
{
	return !f->opts.no && !f->view_only;
}

static void text_finding(const struct check *c, struct fsck_at at,
			 const char *detail)
{
	printf("%s %s: ", c->id, c->name);
	if (at.ino && at.ino != at.blk)
		printf("inode %" PRIu64 ": ", at.ino);
	if (at.blk != GFS_NO_BLOCK)
		printf("%s %" PRIu64 ": ", at.ino == at.blk ? "inode" : "block",
		       at.blk);
	printf("%s%s%s. ", c->summary, *detail ? ": " : "", detail);
	fflush(stdout);
}

static void text_result(const struct check *c, bool fix)
{
	printf("%s.\n", fix ? repairs[c->repair].done : "Left");
}

static void json_finding(struct emit *e, const struct check *c,
			 struct fsck_at at, const char *detail, bool fix)
{
	emit_object_begin(e, NULL);
	emit_str(e, "id", c->id);
	emit_str(e, "check", c->name);
	if (at.ino)
		emit_u64(e, "inode", at.ino);
	if (at.blk != GFS_NO_BLOCK)
		emit_u64(e, "block", at.blk);
	emit_str(e, "summary", c->summary);
	emit_str(e, "detail", detail);
	emit_str(e, "repair", repairs[c->repair].question);
	emit_bool(e, "repaired", fix);
	emit_object_end(e);
}

static bool found(struct fsck *f, enum fsck_check check, struct fsck_at at,
		  const char *detail, bool can)
{
	struct fsck_problems *p = &f->problems;
	const struct check *c = &checks[check];
	uint64_t hash = finding_hash(check, at, detail);
	bool asked = false, fix = false;

	if (seen_again(p, hash, f->round))
		return false;
	cli_progress_hide();
	if (!p->json)
		text_finding(c, at, detail);
	if (can)
		fix = may_repair(f, check, &asked);
	if (p->json)
		json_finding(p->json, c, at, detail, fix);
	else if (!asked || fix)
		text_result(c, fix);
	p->found++;
	if (fix)
		p->fixed++;
	else
		seen_add(p, hash, f->round);
	return fix;
}

bool problem(struct fsck *f, enum fsck_check check, struct fsck_at at,
	     const char *fmt, ...)
{
	char detail[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(detail, sizeof(detail), fmt, ap);
	va_end(ap);
	return found(f, check, at, detail, true);
}

void problem_note(struct fsck *f, enum fsck_check check, struct fsck_at at,
		  const char *fmt, ...)
{
	char detail[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(detail, sizeof(detail), fmt, ap);
	va_end(ap);
	(void)found(f, check, at, detail, false);
}

int problem_list(bool json)
{
	static const struct emit_column columns[] = {
		{ "id", false },     { "check", false },  { "preen", false },
		{ "repair", false }, { "summary", false },
	};
	struct emit *e = emit_new(stdout, json ? EMIT_JSON : EMIT_TEXT);

	if (!e)
		return -ENOMEM;
	emit_table_begin(e, NULL, columns, GFS_ARRAY_SIZE(columns), false);
	for (unsigned int i = 0; i < CK_COUNT; i++) {
		const char *repair = repairs[checks[i].repair].question;

		emit_row_begin(e);
		emit_str(e, NULL, checks[i].id);
		emit_str(e, NULL, checks[i].name);
		emit_str(e, NULL, checks[i].policy == POLICY_PREEN &&
				  *repair ? "yes" : "no");
		emit_str(e, NULL, *repair ? repair : "report only");
		emit_str(e, NULL, checks[i].summary);
		emit_row_end(e);
	}
	emit_table_end(e);
	return emit_free(e);
}

void problems_fini(struct fsck_problems *p)
{
	free(p->seen);
	p->seen = NULL;
	p->slots = 0;
	p->n_seen = 0;
}
