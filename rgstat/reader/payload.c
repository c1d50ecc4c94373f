// SPDX-License-Identifier: GPL-2.0-or-later
/* Payloads of the events that matter here, in each format kernels print. */
#include "payload.h"

/* "253,2 glock 3:17 " */
static void scan_glock(struct rg_scan *s, struct rg_event *ev)
{
	uint32_t major = scan_u32(s, 0xfff);

	SCAN_TEXT(s, ",");
	ev->dev = major << 20 | scan_u32(s, 0xfffff);
	SCAN_TEXT(s, " glock ");
	ev->type = scan_u32(s, RG_NTYPES - 1);
	SCAN_TEXT(s, ":");
	ev->number = scan_u64(s);
	SCAN_TEXT(s, " ");
}

static void scan_pair(struct rg_scan *s, uint64_t pair[2])
{
	pair[0] = scan_bits(s);
	SCAN_TEXT(s, "/");
	pair[1] = scan_bits(s);
}

static void parse_lock_time(struct rg_scan *s, struct rg_event *ev)
{
	uint64_t *st = ev->stats.s;

	scan_glock(s, ev);
	SCAN_TEXT(s, "status:");
	ev->status = scan_s64(s);
	SCAN_TEXT(s, " flags:");
	scan_hex(s);
	SCAN_TEXT(s, " tdiff:");
	ev->tdiff = scan_s64(s);
	SCAN_TEXT(s, " srtt:");
	scan_pair(s, st + RG_SRTT);
	SCAN_TEXT(s, " srttb:");
	scan_pair(s, st + RG_SRTTB);
	SCAN_TEXT(s, " sirt:");
	scan_pair(s, st + RG_SIRT);
	SCAN_TEXT(s, " dcnt:");
	st[RG_DCOUNT] = scan_bits(s);
	SCAN_TEXT(s, " qcnt:");
	st[RG_QCOUNT] = scan_bits(s);
	/* A line cut inside its last number must not pass for a whole one. */
	if (*s->p && *s->p != ' ' && *s->p != '\r')
		scan_fail(s, RG_BAD_TEXT);
}

static enum rg_mode scan_mode(struct rg_scan *s)
{
	static const char *const names[] = { "", "NL", "PR", "CW", "EX" };

	for (unsigned int i = RG_MODE_NL; i <= RG_MODE_EX; i++)
		if (!strncmp(s->p, names[i], 2))
			return (enum rg_mode)i;
	if (strncmp(s->p, "IV", 2))
		scan_fail(s, RG_BAD_TEXT);
	return RG_MODE_NONE;
}

/*
 * Flags are letters, in text traces with a bare hex rest glued to them
 * ("lIob0x4"), or as trace-cmd prints them one number ("0x8402", bit 15 is
 * the letter b).
 */
static bool scan_blocking(struct rg_scan *s)
{
	bool blocking = false;

	for (; *s->p && *s->p != ' ' && *s->p != '\r'; s->p++) {
		if (s->p[0] == '0' && s->p[1] == 'x') {
			s->p += 2;
			return blocking || (scan_hex(s) & 0x8000);
		}
		blocking |= *s->p == 'b';
	}
	return blocking;
}

static void parse_state(struct rg_scan *s, struct rg_event *ev)
{
	const char *flags;

	scan_glock(s, ev);
	SCAN_TEXT(s, "state ");
	if (s->bad)
		return;
	flags = strstr(s->p, " flags:");
	if (!flags) {
		scan_fail(s, RG_BAD_TEXT);
		return;
	}
	s->p = flags + 7;
	ev->blocking = scan_blocking(s);
}

static void parse_put(struct rg_scan *s, struct rg_event *ev)
{
	scan_glock(s, ev);
	SCAN_TEXT(s, "state ");
}

/* "promote EX", before 5.16 "promote first EX" or "promote other EX". */
static void parse_promote(struct rg_scan *s, struct rg_event *ev)
{
	scan_glock(s, ev);
	SCAN_TEXT(s, "promote ");
	if (s->bad)
		return;
	if (!strncmp(s->p, "first ", 6) || !strncmp(s->p, "other ", 6))
		s->p += 6;
	ev->mode = scan_mode(s);
}

static void parse_queue(struct rg_scan *s, struct rg_event *ev)
{
	scan_glock(s, ev);
	if (*s->p == 'd') {
		ev->kind = RG_EV_DEQUEUE;
		SCAN_TEXT(s, "de");
	}
	SCAN_TEXT(s, "queue ");
	if (!s->bad)
		ev->mode = scan_mode(s);
}

/* One number of a blank-padded resource name: 2 hex digits a character. */
static uint64_t scan_name_part(struct rg_scan *s, unsigned int chars)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < chars && !s->bad; i++, s->p += 2) {
		int high = scan_hex_digit(s->p[0]);
		int low = high < 0 ? -1 : scan_hex_digit(s->p[1]);
		int c = low < 0 ? '?' : high << 4 | low;
		int digit = c < 0x80 ? scan_hex_digit((char)c) : -1;

		if (c == ' ' && !n)
			continue;
		if (digit < 0)
			scan_fail(s, RG_BAD_TEXT);
		else
			n = n << 4 | (uint64_t)digit;
	}
	return n;
}

/* A lock of another user of the DLM is none of ours, nor is it damage. */
static void parse_request(struct rg_scan *s, struct rg_event *ev)
{
	struct rg_scan name;
	uint64_t type;

	SCAN_TEXT(s, "ls_id=");
	ev->ls = scan_u64(s);
	ev->kind = RG_EV_OTHER;
	if (s->bad)
		return;
	name.bad = RG_FITS;
	name.p = strstr(s->p, " res_name=");
	if (!name.p)
		return;
	name.p += 10;
	type = scan_name_part(&name, 8);
	ev->number = scan_name_part(&name, 16);
	if (name.bad || type >= RG_NTYPES || scan_hex_digit(*name.p) >= 0)
		return;
	ev->type = (uint32_t)type;
	ev->kind = RG_EV_REQUEST;
}

static void parse_mark(struct rg_scan *s, struct rg_event *ev)
{
	ev->text = s->p;
	ev->text_len = strlen(s->p);
}

/* The value after " name=" of a probe line, as its 64 bits. */
static uint64_t scan_named(struct rg_scan *s, const char *name)
{
	struct rg_scan at = { strstr(s->p, name), RG_FITS };
	uint64_t n;

	if (!at.p) {
		scan_fail(s, RG_BAD_TEXT);
		return 0;
	}
	at.p += strlen(name);
	n = scan_bits(&at);
	if (at.bad)
		scan_fail(s, at.bad);
	return n;
}

static void parse_probe(struct rg_scan *s, struct rg_event *ev)
{
	ev->type = RG_TYPE_RGRP;
	ev->number = scan_named(s, " rgrp=");
}

static void parse_cong(struct rg_scan *s, struct rg_event *ev)
{
	parse_probe(s, ev);
	ev->probe.loops = (uint32_t)scan_named(s, " loops=");
	ev->probe.l_srttb = scan_named(s, " l_srttb=");
	ev->probe.l_srttvarb = scan_named(s, " l_srttvarb=");
	ev->probe.l_dcount = scan_named(s, " l_dcount=");
}

static void parse_in(struct rg_scan *s, struct rg_event *ev)
{
	parse_probe(s, ev);
	ev->probe.a_srttb = scan_named(s, " a_srttb=");
	ev->probe.r_srttvarb = scan_named(s, " r_srttvarb=");
	ev->probe.r_dcount = scan_named(s, " r_dcount=");
	ev->probe.l_srttvarb = scan_named(s, " l_srttvarb=");
	ev->probe.l_dcount = scan_named(s, " l_dcount=");
}

static void parse_calc(struct rg_scan *s, struct rg_event *ev)
{
	parse_probe(s, ev);
	ev->probe.q = scan_named(s, " sqr_diff=");
	ev->probe.v = scan_named(s, " var=");
	ev->probe.negative = scan_named(s, " neg=") != 0;
}

static void parse_verdict(struct rg_scan *s, struct rg_event *ev)
{
	parse_probe(s, ev);
	ev->probe.loops = (uint32_t)scan_named(s, " loops=");
	ev->probe.congested = scan_named(s, " congested=") != 0;
}

struct parser {
	const char *name;
	size_t len;
	enum rg_kind kind;
	void (*parse)(struct rg_scan *s, struct rg_event *ev);
};

#define P(name, kind, fn) { name, sizeof(name) - 1, RG_EV_##kind, fn }

/* The frequent ones first. */
static const struct parser parsers[] = {
	P("gfs2_glock_queue", QUEUE, parse_queue),
	P("gfs2_promote", PROMOTE, parse_promote),
	P("gfs2_glock_lock_time", LOCK_TIME, parse_lock_time),
	P("gfs2_glock_state_change", STATE, parse_state),
	P("dlm_lock_start", REQUEST, parse_request),
	P("dlm_unlock_start", REQUEST, parse_request),
	P("gfs2_glock_put", PUT, parse_put),
	P("tracing_mark_write", MARK, parse_mark),
	P("print", MARK, parse_mark), /* trace-cmd's name of it */
	P("rgp_cong", CONG, parse_cong),
	P("rgp_in", IN, parse_in),
	P("rgp_calc", CALC, parse_calc),
	P("rgp_pre", PRE, parse_verdict),
	P("rgp_post", POST, parse_verdict),
};

enum rg_line rg_payload_parse(const char *name, size_t len, struct rg_scan *s,
			      struct rg_event *ev)
{
	for (size_t i = 0; i < GFS_ARRAY_SIZE(parsers); i++) {
		const struct parser *p = &parsers[i];

		if (p->len != len || memcmp(p->name, name, len))
			continue;
		ev->kind = p->kind;
		p->parse(s, ev);
		if (s->bad == RG_BAD_RANGE)
			return RG_LINE_RANGE;
		return s->bad ? RG_LINE_DAMAGED : RG_LINE_EVENT;
	}
	ev->kind = RG_EV_OTHER;
	return RG_LINE_EVENT;
}
