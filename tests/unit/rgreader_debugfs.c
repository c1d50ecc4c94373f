// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of sbstats, glstats and glocks. */
#include "../../rgstat/lkstats.c"
#include "../../rgstat/reader/debugfs.c"
#include "t.h"

/* debugfs.c reads lines through this: here they come from an array. */
struct rg_input {
	const char *const *lines;
	uint64_t at;
};

int rg_input_line(struct rg_input *in, const char **line, size_t *len,
		  struct gfs_error *err)
{
	(void)err;
	if (!in->lines[in->at])
		return 0;
	*line = in->lines[in->at++];
	*len = strlen(*line);
	return 1;
}

uint64_t rg_input_line_number(const struct rg_input *in)
{
	return in->at;
}

static void read_lines(struct rg_snapshot *s, enum rg_snap_kind kind,
		       const char *const *lines)
{
	struct rg_input in = { lines, 0 };

	T_EQ(rg_snapshot_read(s, kind, &in, NULL), 0);
}

static void test_kind(void)
{
	static const char sb[] = "type            cpu:               0\n";
	static const char gl[] = "G: n:3/11 rtt:0/0 rttb:0/0 irt:0/0 dcnt: 0";
	static const char glocks[] = "G:  s:EX n:3/11 f:yIqob t:EX d:EX/0\n";

	T_EQ(rg_snapshot_kind(sb, sizeof(sb) - 1), RG_SNAP_SBSTATS);
	T_EQ(rg_snapshot_kind(gl, sizeof(gl) - 1), RG_SNAP_GLSTATS);
	T_EQ(rg_snapshot_kind(glocks, sizeof(glocks) - 1), RG_SNAP_GLOCKS);
	T_EQ(rg_snapshot_kind("hello", 5), RG_SNAP_NONE);
	T_EQ(rg_snapshot_kind("", 0), RG_SNAP_NONE);
}

static void test_sbstats(void)
{
	static const char *const lines[] = {
		"type            cpu:               0               2",
		"rgrp          srttb:               0         1840233",
		"rgrp       srttvarb:          410022 18446744073709551615",
		"rgrp            dlm:               3              41",
		"rgrp          queue:               1",
		"rgrp          speed:               1               2",
		NULL,
	};
	struct rg_snapshot s;

	rg_snapshot_init(&s, "x");
	read_lines(&s, RG_SNAP_SBSTATS, lines);
	T_EQ(s.n_cpus, 2);
	T_EQ(s.cpus[1], 2);
	T_EQ(s.sets[1][RG_TYPE_RGRP].s[RG_SRTTB], 1840233);
	T_EQ(s.sets[1][RG_TYPE_RGRP].s[RG_SRTTVARB], UINT64_MAX);
	T_EQ(s.sets[0][RG_TYPE_RGRP].s[RG_DCOUNT], 3);
	/* One value short, and an unknown statistic. */
	T_EQ(s.bad_lines, 2);
	T_EQ(s.first_bad, 5);
	rg_snapshot_fini(&s);
}

static void test_rgrps(void)
{
	static const char *const glstats[] = {
		"G: n:5/19 rtt:1/2 rttb:3/4 irt:5/6 dcnt: 7 qcnt: 8",
		"G: n:3/2a rtt:1/2 rttb:3/4 irt:5/6 dcnt: 7 qcnt: 8",
		"G: n:3/11 rtt:0/0 rttb:9/10 irt:0/0 dcnt: 1 qcnt: 4",
		"G: n:3/zz rtt:0/0 rttb:9/10 irt:0/0 dcnt: 1 qcnt: 4",
		NULL,
	};
	static const char *const glocks[] = {
		"G:  s:EX n:3/11 f:yIqob t:EX d:EX/0 a:2 v:0 r:4 m:200 p:1",
		" H: s:EX f:nH e:0 p:2345 [dd] gfs2_inplace_reserve+0x1d2",
		" R: n:17 f:80000000 b:65200/65168 i:12 q:320 r:32 e:65168",
		"  B: n:98797 s:98842 f:224",
		"G:  s:UN n:3/2a f:on t:UN d:EX/0 a:0 v:0 r:2 m:50 p:0",
		"nonsense",
		NULL,
	};
	struct rg_snapshot s;

	rg_snapshot_init(&s, "x");
	read_lines(&s, RG_SNAP_GLSTATS, glstats);
	read_lines(&s, RG_SNAP_GLOCKS, glocks);
	rg_snapshot_finish(&s);
	T_EQ(s.n_rgrps, 2);
	T_EQ(s.rgrps[0].number, 17);
	T_EQ(s.rgrps[0].stats.s[RG_SRTTB], 9);
	T_EQ(s.rgrps[0].stats.s[RG_SRTTVARB], 10);
	T_EQ(s.rgrps[0].stats.s[RG_QCOUNT], 4);
	T_STR(s.rgrps[0].state, "EX");
	T_EQ(s.rgrps[0].flags, 0x80000000);
	T_EQ(s.rgrps[0].free, 65200);
	T_EQ(s.rgrps[1].number, 42);
	T_STR(s.rgrps[1].state, "UN");
	T_OK(s.rgrps[1].has_stats && !s.rgrps[1].has_header);
	T_EQ(s.bad_lines, 2);
	rg_snapshot_fini(&s);
}

int main(void)
{
	test_kind();
	test_sbstats();
	test_rgrps();
	return t_done();
}
