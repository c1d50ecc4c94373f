// SPDX-License-Identifier: GPL-2.0-or-later
/* What stands before the event: task, pid, CPU, flags, time, name. */
#include "event.h"
#include "payload.h"
#include "scan.h"

#define CPU_MAX 65535U
#define FLAGS_MAX 12

static bool is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

/* "123.456789:" or nine decimals, or a plain count, as ns. */
static bool parse_time(struct rg_scan *s, uint64_t *ns)
{
	uint64_t n = scan_u64(s);
	uint64_t unit = 1000000000;
	uint64_t part = 0;

	if (*s->p == '.') {
		if (n > UINT64_MAX / 1000000000 - 1)
			return false;
		n *= unit;
		for (s->p++; is_digit(*s->p) && unit > 1; s->p++) {
			unit /= 10;
			part += (uint64_t)(*s->p - '0') * unit;
		}
	}
	*ns = n + part;
	return !s->bad && *s->p++ == ':';
}

/* After "[cpu]": flags or none, then the time. */
static bool parse_after_cpu(struct rg_scan *s, uint64_t *ns)
{
	const char *word;

	scan_blanks(s);
	if (!is_digit(*s->p)) {
		word = s->p;
		while (*s->p && *s->p != ' ')
			s->p++;
		if (s->p - word > FLAGS_MAX)
			return false;
		scan_blanks(s);
	}
	return parse_time(s, ns);
}

/* From '[' of "[012]" on; s is moved behind the time's colon. */
static bool parse_cpu(struct rg_scan *s, struct rg_event *ev)
{
	s->bad = RG_FITS;
	s->p++;
	ev->cpu = scan_u32(s, CPU_MAX);
	return !s->bad && *s->p++ == ']' && *s->p == ' ' &&
	       parse_after_cpu(s, &ev->ns);
}

/*
 * Task and pid end before the bracket: "dd-2345 (tgid)", "dd  2345" or
 * "dd 2345/2346"; the task's name may hold anything, so from the right.
 */
static void parse_task(const char *line, const char *end, struct rg_event *ev)
{
	uint64_t unit = 1;
	uint64_t pid = 0;

	while (end > line && end[-1] == ' ')
		end--;
	if (end > line && end[-1] == ')') {
		while (end > line && *end != '(')
			end--;
		while (end > line && end[-1] == ' ')
			end--;
	}
	for (; end > line && is_digit(end[-1]) && unit < 1000000000; end--) {
		pid += (uint64_t)(end[-1] - '0') * unit;
		unit *= 10;
	}
	if (end > line && (end[-1] == '-' || end[-1] == '/'))
		end--;
	while (line < end && *line == ' ')
		line++;
	while (end > line && end[-1] == ' ')
		end--;
	ev->pid = (uint32_t)pid;
	ev->task = line;
	ev->task_len = (size_t)(end - line);
}

/* "CPU:3 [LOST 120 EVENTS]" or "CPU:3 [EVENTS DROPPED]" and the like. */
static bool parse_lost(const char *line, struct rg_event *ev)
{
	struct rg_scan s = { line, RG_FITS };

	SCAN_TEXT(&s, "CPU:");
	ev->cpu = scan_u32(&s, CPU_MAX);
	SCAN_TEXT(&s, " [LOST ");
	if (s.bad)
		return false;
	ev->kind = RG_EV_LOST;
	ev->lost = is_digit(*s.p) ? scan_u64(&s) : 0;
	return true;
}

static enum rg_line parse_event(struct rg_scan *s, struct rg_event *ev)
{
	const char *name;
	const char *colon;

	scan_blanks(s);
	name = s->p;
	colon = strchr(name, ':');
	if (!colon || colon == name)
		return RG_LINE_UNKNOWN;
	s->p = colon + 1;
	if (*s->p != ' ' && *s->p) { /* perf: "gfs2:gfs2_promote: " */
		name = s->p;
		colon = strchr(name, ':');
		if (!colon)
			return RG_LINE_UNKNOWN;
		s->p = colon + 1;
	}
	scan_blanks(s);
	return rg_payload_parse(name, (size_t)(colon - name), s, ev);
}

static enum rg_line no_event(const char *line, size_t len, struct rg_event *ev)
{
	if (parse_lost(line, ev))
		return RG_LINE_EVENT;
	if (!strncmp(line, "cpus=", 5) || strspn(line, " \t\r") == len)
		return RG_LINE_EMPTY;
	return RG_LINE_UNKNOWN;
}

enum rg_line rg_ftrace_parse(const char *line, size_t len, struct rg_event *ev)
{
	const char *end = line + len;
	struct rg_scan s = { line, RG_FITS };

	if (line[0] == '#')
		return RG_LINE_EMPTY;
	ev->kind = RG_EV_OTHER;
	for (const char *p = line; p < end; p++) {
		p = memchr(p, '[', (size_t)(end - p));
		if (!p)
			break;
		s.p = p;
		if (!is_digit(p[1]) || !parse_cpu(&s, ev))
			continue;
		parse_task(line, p, ev);
		return parse_event(&s, ev);
	}
	return no_event(line, len, ev);
}

bool rg_ftrace_heading(const char *line, uint64_t *dropped, uint32_t *cpus)
{
	struct rg_scan s = { line, RG_FITS };
	struct rg_scan report = { line, RG_FITS };
	uint64_t kept;
	uint64_t written;

	*dropped = 0;
	SCAN_TEXT(&report, "cpus=");
	*cpus = scan_u32(&report, CPU_MAX);
	if (!report.bad)
		return true;
	SCAN_TEXT(&s, "# entries-in-buffer/entries-written: ");
	kept = scan_u64(&s);
	SCAN_TEXT(&s, "/");
	written = scan_u64(&s);
	if (s.bad)
		return false;
	*dropped = written > kept ? written - kept : 0;
	scan_blanks(&s);
	SCAN_TEXT(&s, "#P:");
	*cpus = scan_u32(&s, CPU_MAX);
	return true;
}
