// SPDX-License-Identifier: GPL-2.0-or-later
/* The lines of sbstats, glstats and glocks. */
#include "debugfs.h"
#include "scan.h"

#include "../../libgfs/base/cli.h"

#include <stdlib.h>

#define CPUS_MAX 8192U

enum rg_snap_kind rg_snapshot_kind(const char *data, size_t len)
{
	size_t line = len;
	const char *nl = memchr(data, '\n', len);

	if (nl)
		line = (size_t)(nl - data);
	if (line > 13 && !memcmp(data, "type ", 5) &&
	    memmem(data, line, " cpu:", 5))
		return RG_SNAP_SBSTATS;
	if (line < 6 || memcmp(data, "G: ", 3))
		return RG_SNAP_NONE;
	if (memmem(data, line, " rttb:", 6))
		return RG_SNAP_GLSTATS;
	return memmem(data, line, " s:", 3) ? RG_SNAP_GLOCKS : RG_SNAP_NONE;
}

void rg_snapshot_init(struct rg_snapshot *s, const char *name)
{
	*s = (struct rg_snapshot){ .name = cli_strdup(name) };
}

void rg_snapshot_fini(struct rg_snapshot *s)
{
	free(s->name);
	free(s->cpus);
	free(s->sets);
	free(s->rgrps);
	*s = (struct rg_snapshot){ 0 };
}

/* "type   cpu:   0   1": which CPU each column is. */
static bool parse_heading(struct rg_snapshot *s, const char *line)
{
	struct rg_scan at = { strstr(line, "cpu:"), RG_FITS };
	uint32_t n = 0;

	s->n_cpus = 0;
	if (!at.p)
		return false;
	at.p += 4;
	free(s->cpus);
	free(s->sets);
	s->cpus = cli_alloc(CPUS_MAX * sizeof(*s->cpus));
	for (scan_blanks(&at); *at.p && n < CPUS_MAX; scan_blanks(&at)) {
		s->cpus[n++] = scan_u32(&at, UINT32_MAX);
		if (at.bad)
			break;
	}
	s->sets = cli_alloc((n + 1) * sizeof(*s->sets));
	if (at.bad)
		return false;
	s->n_cpus = n;
	return n > 0;
}

/* Index of the word at the scan position among n names, n if none. */
static unsigned int find_word(struct rg_scan *at, unsigned int n,
			      const char *(*name)(unsigned int))
{
	size_t len = strcspn(at->p, " :");
	unsigned int i;

	for (i = 0; i < n; i++)
		if (strlen(name(i)) == len && !memcmp(name(i), at->p, len))
			break;
	at->p += len;
	return i;
}

static const char *stat_name(unsigned int i)
{
	return rg_stat_name((enum rg_stat)i);
}

/* "rgrp   srttb:   0   1840233": one number of each CPU. */
static bool parse_sbstats(struct rg_snapshot *s, const char *line)
{
	struct rg_scan at = { line, RG_FITS };
	unsigned int type;
	unsigned int stat;

	if (!strncmp(line, "type ", 5))
		return parse_heading(s, line);
	type = find_word(&at, RG_NTYPES, rg_type_name);
	scan_blanks(&at);
	stat = find_word(&at, RG_NSTATS, stat_name);
	if (type == RG_NTYPES || stat == RG_NSTATS || *at.p++ != ':')
		return false;
	for (uint32_t i = 0; i < s->n_cpus; i++) {
		scan_blanks(&at);
		s->sets[i][type].s[stat] = scan_bits(&at);
	}
	scan_blanks(&at);
	return !at.bad && !*at.p;
}

struct rg_snap_rgrp *rg_snapshot_add(struct rg_snapshot *s, uint64_t number)
{
	if (s->n_rgrps == s->room) {
		s->room = s->room ? 2 * s->room : 64;
		s->rgrps = cli_realloc(s->rgrps, s->room * sizeof(*s->rgrps));
	}
	s->rgrps[s->n_rgrps] = (struct rg_snap_rgrp){ .number = number };
	return &s->rgrps[s->n_rgrps++];
}

/* " n:3/11", type and number in hex. */
static bool scan_name(struct rg_scan *at, uint64_t *type, uint64_t *number)
{
	at->p = strstr(at->p, "n:");
	if (!at->p)
		return false;
	at->p += 2;
	*type = scan_u64(at);
	SCAN_TEXT(at, "/");
	*number = at->bad ? 0 : scan_hex(at);
	return !at->bad && *type < RG_NTYPES;
}

/* " rtt:93211/21034" */
static void scan_pair(struct rg_scan *at, const char *name, uint64_t pair[2])
{
	if (at->bad)
		return;
	scan_text(at, name, strlen(name));
	pair[0] = scan_bits(at);
	SCAN_TEXT(at, "/");
	pair[1] = scan_bits(at);
}

/* "G: n:3/11 rtt:0/0 rttb:0/0 irt:0/0 dcnt: 1 qcnt: 4" */
static bool parse_glstats(struct rg_snapshot *s, const char *line)
{
	struct rg_scan at = { line, RG_FITS };
	struct rg_lkstats st = { { 0 } };
	struct rg_snap_rgrp *rg;
	uint64_t type;
	uint64_t number;

	if (!scan_name(&at, &type, &number))
		return false;
	scan_pair(&at, " rtt:", st.s + RG_SRTT);
	scan_pair(&at, " rttb:", st.s + RG_SRTTB);
	scan_pair(&at, " irt:", st.s + RG_SIRT);
	SCAN_TEXT(&at, " dcnt:");
	scan_blanks(&at);
	st.s[RG_DCOUNT] = scan_bits(&at);
	SCAN_TEXT(&at, " qcnt:");
	scan_blanks(&at);
	st.s[RG_QCOUNT] = scan_bits(&at);
	if (at.bad || type != RG_TYPE_RGRP)
		return !at.bad;
	rg = rg_snapshot_add(s, number);
	rg->stats = st;
	rg->has_stats = true;
	return true;
}

/* " R: n:17 f:80000000 b:65200/65168 ..." */
static bool parse_header(struct rg_snapshot *s, const char *line)
{
	struct rg_scan at = { strstr(line, "n:"), RG_FITS };
	struct rg_snap_rgrp *rg;
	uint64_t number;
	uint64_t flags;

	if (!at.p)
		return false;
	at.p += 2;
	number = scan_u64(&at);
	SCAN_TEXT(&at, " f:");
	flags = at.bad ? 0 : scan_hex(&at);
	SCAN_TEXT(&at, " b:");
	if (at.bad)
		return false;
	rg = rg_snapshot_add(s, number);
	rg->free = scan_u64(&at);
	rg->flags = (uint32_t)flags;
	rg->has_header = !at.bad;
	return rg->has_header;
}

/* "G:  s:EX n:3/11 f:yIqob t:EX ..." and the lines below it. */
static bool parse_glocks(struct rg_snapshot *s, const char *line)
{
	struct rg_scan at = { line, RG_FITS };
	const char *state = strstr(line, "s:");
	struct rg_snap_rgrp *rg;
	uint64_t type;
	uint64_t number;

	if (!strncmp(line, " R: ", 4))
		return parse_header(s, line);
	if (strncmp(line, "G: ", 3))
		return line[0] == ' ';
	if (!state || strlen(state) < 4 || !scan_name(&at, &type, &number))
		return false;
	if (type != RG_TYPE_RGRP)
		return true;
	rg = rg_snapshot_add(s, number);
	memcpy(rg->state, state + 2, 2); /* the rest is zero */
	return true;
}

int rg_snapshot_read(struct rg_snapshot *s, enum rg_snap_kind kind,
		     struct rg_input *in, struct gfs_error *err)
{
	const char *line;
	size_t len;
	int rc;

	s->has_sbstats |= kind == RG_SNAP_SBSTATS;
	s->has_glstats |= kind == RG_SNAP_GLSTATS;
	s->has_glocks |= kind == RG_SNAP_GLOCKS;
	while ((rc = rg_input_line(in, &line, &len, err)) > 0) {
		bool good = false;

		if (kind == RG_SNAP_SBSTATS)
			good = parse_sbstats(s, line);
		else if (kind == RG_SNAP_GLSTATS)
			good = parse_glstats(s, line);
		else if (kind == RG_SNAP_GLOCKS)
			good = parse_glocks(s, line);
		if (!good && !s->bad_lines++)
			s->first_bad = rg_input_line_number(in);
	}
	return rc;
}

static int by_number(const void *a, const void *b)
{
	const struct rg_snap_rgrp *x = a;
	const struct rg_snap_rgrp *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

/* What one record has and the other lacks. */
static void join(struct rg_snap_rgrp *to, const struct rg_snap_rgrp *from)
{
	if (from->has_stats) {
		to->stats = from->stats;
		to->has_stats = true;
	}
	if (from->state[0])
		memcpy(to->state, from->state, sizeof(to->state));
	if (from->has_header) {
		to->flags = from->flags;
		to->free = from->free;
		to->has_header = true;
	}
}

void rg_snapshot_finish(struct rg_snapshot *s)
{
	size_t n = 0;

	if (!s->n_rgrps)
		return;
	qsort(s->rgrps, s->n_rgrps, sizeof(*s->rgrps), by_number);
	for (size_t i = 1; i < s->n_rgrps; i++) {
		if (s->rgrps[i].number == s->rgrps[n].number)
			join(&s->rgrps[n], &s->rgrps[i]);
		else
			s->rgrps[++n] = s->rgrps[i];
	}
	s->n_rgrps = n + 1;
}
