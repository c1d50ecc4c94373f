// SPDX-License-Identifier: GPL-2.0-or-later
/* One redrawn line on a terminal that says how far a program is. */
#include "cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define REDRAW_NS UINT64_C(100000000)

static bool line_shown;

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

void cli_progress_hide(void)
{
	if (!line_shown)
		return;
	fputs("\r\033[K", stderr);
	line_shown = false;
}

void cli_progress_begin(struct cli_progress *p, const char *label,
			uint64_t total, bool quiet)
{
	*p = (struct cli_progress){
		.label = label,
		.total = total,
		.shown_ns = now_ns(),
		.on = !quiet && isatty(STDERR_FILENO),
	};
}

void cli_progress_step(struct cli_progress *p, uint64_t done)
{
	uint64_t now;

	p->done = done;
	if (!p->on)
		return;
	now = now_ns();
	if (now - p->shown_ns < REDRAW_NS)
		return;
	p->shown_ns = now;
	cli_progress_hide();
	if (p->total)
		fprintf(stderr, "%s: %u %%", p->label,
			(unsigned int)((double)done * 100 / (double)p->total));
	else
		fprintf(stderr, "%s: %" PRIu64, p->label, done);
	line_shown = true;
}

void cli_progress_end(struct cli_progress *p)
{
	if (p->on)
		cli_progress_hide();
	p->on = false;
}
