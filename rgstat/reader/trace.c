// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines in, events out; bad lines are counted and passed over. */
#include "trace.h"

#include <string.h>

#define SECOND UINT64_C(1000000000)

static void count(struct rg_count *c, uint64_t line)
{
	if (!c->n++)
		c->first = line;
}

static int take_line(const char *line, size_t len, uint64_t number,
		     struct rg_tally *tally, struct rg_event *ev)
{
	uint64_t dropped;
	uint32_t cpus;

	switch (rg_ftrace_parse(line, len, ev)) {
	case RG_LINE_EVENT:
		if (ev->kind == RG_EV_LOST)
			count(&tally->lost, number);
		else
			tally->events++;
		return 1;
	case RG_LINE_EMPTY:
		if (len && rg_ftrace_heading(line, &dropped, &cpus)) {
			tally->dropped += dropped;
			tally->cpus = cpus;
		}
		return 0;
	case RG_LINE_UNKNOWN:
		count(&tally->unknown, number);
		return 0;
	case RG_LINE_DAMAGED:
		count(&tally->damaged, number);
		break;
	case RG_LINE_RANGE:
		count(&tally->range, number);
		break;
	}
	/* An event all the same, but of no use. */
	tally->events++;
	return 0;
}

int rg_trace_read(struct rg_input *in, struct rg_tally *tally,
		  int (*fn)(void *ctx, const struct rg_event *ev), void *ctx,
		  struct gfs_error *err)
{
	struct rg_event ev = { .kind = RG_EV_OTHER };
	uint64_t before = 0;
	const char *line;
	size_t len;
	int rc;

	*tally = (struct rg_tally){ 0 };
	for (;;) {
		rc = rg_input_line(in, &line, &len, err);
		if (rc <= 0)
			break;
		tally->lines = rg_input_line_number(in);
		if (!take_line(line, len, tally->lines, tally, &ev))
			continue;
		if (ev.kind != RG_EV_LOST) {
			if (ev.ns + SECOND < before)
				count(&tally->late, tally->lines);
			before = ev.ns;
		}
		rc = fn(ctx, &ev);
		if (rc)
			break;
	}
	tally->too_long.n = rg_input_too_long(in, &tally->too_long.first);
	return rc;
}

bool rg_trace_is(const char *data, size_t len)
{
	char line[512];
	struct rg_event ev;

	while (len) {
		const char *nl = memchr(data, '\n', len);
		size_t n = nl ? (size_t)(nl - data) : len;

		if (n < sizeof(line)) {
			memcpy(line, data, n);
			line[n] = 0;
			if (!strncmp(line, "# tracer:", 9) ||
			    rg_ftrace_parse(line, n, &ev) == RG_LINE_EVENT)
				return true;
		}
		n = gfs_min(n + 1, len);
		data += n;
		len -= n;
	}
	return false;
}
