/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One event, whatever the input's form was. */
#ifndef RG_EVENT_H
#define RG_EVENT_H

#include "../lkstats.h"

enum rg_kind {
	RG_EV_OTHER,        /* an event of no concern here */
	RG_EV_LOCK_TIME,    /* reply of the DLM: statistics after the update */
	RG_EV_STATE,        /* state change; blocking is set */
	RG_EV_PUT,          /* glock freed */
	RG_EV_PROMOTE,
	RG_EV_QUEUE,        /* holder queued */
	RG_EV_DEQUEUE,
	RG_EV_REQUEST,      /* dlm_lock_start, dlm_unlock_start */
	RG_EV_MARK,         /* user's text in the trace */
	RG_EV_LOST,         /* the kernel dropped events here */
	RG_EV_CONG,         /* probe: test begins; glock's numbers */
	RG_EV_IN,           /* probe: past the early false; CPU's numbers */
	RG_EV_CALC,         /* probe: numbers compared */
	RG_EV_PRE,          /* probe: verdict before locking */
	RG_EV_POST,         /* probe: verdict after locking */
	RG_NKINDS
};

/* DLM status of the reply to the final unlock of a freed glock. */
#define RG_STATUS_UNLOCKED (-65538)

/* Lock modes as DLM names them. */
enum rg_mode { RG_MODE_NONE, RG_MODE_NL, RG_MODE_PR, RG_MODE_CW, RG_MODE_EX };

/* Numbers of a probe line; which are set depends on the kind. */
struct rg_probe {
	uint32_t loops;
	bool congested;
	bool negative;
	uint64_t l_srttb, l_srttvarb, l_dcount;
	uint64_t a_srttb, r_srttvarb, r_dcount;
	uint64_t q, v;
};

struct rg_event {
	enum rg_kind kind;
	uint32_t cpu;
	uint32_t pid;
	uint64_t ns;          /* trace clock */
	const char *task;     /* within the line */
	size_t task_len;

	uint32_t dev;         /* major << 20 | minor */
	uint32_t type;        /* of the glock, 0..9 */
	uint64_t number;

	enum rg_mode mode;    /* QUEUE, DEQUEUE, PROMOTE: wanted */
	bool blocking;        /* STATE: the glock's flag b */
	int64_t status;       /* LOCK_TIME */
	int64_t tdiff;        /* LOCK_TIME: ns */
	struct rg_lkstats stats; /* LOCK_TIME */
	uint64_t ls;          /* REQUEST: lockspace */
	uint64_t lost;        /* LOST: how many, 0: not told */
	const char *text;     /* MARK: to the end of the line */
	size_t text_len;
	struct rg_probe probe;
};

/* Is it a gfs2 event of one glock, so that dev, type and number are set? */
static inline bool rg_event_has_glock(const struct rg_event *ev)
{
	return ev->kind >= RG_EV_LOCK_TIME && ev->kind <= RG_EV_DEQUEUE;
}

/* What became of a line. */
enum rg_line {
	RG_LINE_EVENT,   /* *ev is set, kind may be RG_EV_OTHER */
	RG_LINE_EMPTY,   /* comment, heading or blank */
	RG_LINE_UNKNOWN, /* no trace line at all */
	RG_LINE_DAMAGED, /* a known event whose fields are not as they should */
	RG_LINE_RANGE,   /* likewise, a number does not fit 64 bits */
};

/*
 * Parse one line of ftrace, trace-cmd report or perf script text. line[len]
 * must be readable and 0. ev->task and ev->text point into the line.
 */
enum rg_line rg_ftrace_parse(const char *line, size_t len, struct rg_event *ev);

/*
 * The heading "# entries-in-buffer/entries-written: N/M   #P:C": how many
 * events the ring buffer dropped (M - N) and the number of CPUs, 0 if it is
 * not there; or "cpus=C" of trace-cmd. false when the line is another.
 */
bool rg_ftrace_heading(const char *line, uint64_t *dropped, uint32_t *cpus);

#endif
