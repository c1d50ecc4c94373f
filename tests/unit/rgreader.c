// SPDX-License-Identifier: GPL-2.0-or-later
/* Trace lines in every form kernels and tools print, and damaged ones. */
#include "../../rgstat/lkstats.c"
#include "../../rgstat/reader/ftrace.c"
#include "../../rgstat/reader/payload.c"
#include "t.h"

static struct rg_event ev;

static enum rg_line parse(const char *line)
{
	memset(&ev, 0xa5, sizeof(ev));
	return rg_ftrace_parse(line, strlen(line), &ev);
}

/* One promote event in each prefix; task and pid as given. */
static void test_prefixes(void)
{
	static const struct {
		const char *line;
		const char *task;
		uint32_t pid;
		uint32_t cpu;
		uint64_t ns;
	} cases[] = {
		{ "              dd-2345    [003] .....  1234.567890: "
		  "gfs2_promote: 253,2 glock 3:17 promote EX",
		  "dd", 2345, 3, 1234567890000 },
		{ "     kworker/3:1H-211    [003] ...1.  1234.568011: "
		  "gfs2_promote: 253,2 glock 3:17 promote first EX",
		  "kworker/3:1H", 211, 3, 1234568011000 },
		{ "           <...>-2401  (  2400) [001] d..2.  1234.568999: "
		  "gfs2_promote: 253,2 glock 3:17 promote other EX",
		  "<...>", 2401, 1, 1234568999000 },
		{ " a [1] b-c-12    [001] ..Zff     0.000001: "
		  "gfs2_promote: 253,2 glock 3:17 promote EX",
		  "a [1] b-c", 12, 1, 1000 },
		{ "              dd-2345  [003]  1234.567890123: gfs2_promote: "
		  "        253,2 glock 3:17 promote EX",
		  "dd", 2345, 3, 1234567890123 },
		{ "              dd  2345 [003]  1234.567890:     "
		  "gfs2:gfs2_promote: 253,2 glock 3:17 promote EX",
		  "dd", 2345, 3, 1234567890000 },
		{ "dd 2345/2346 [003] 1.5: "
		  "gfs2_promote: 253,2 glock 3:17 promote EX\r",
		  "dd 2345", 2346, 3, 1500000000 },
	};

	for (size_t i = 0; i < GFS_ARRAY_SIZE(cases); i++) {
		T_EQ(parse(cases[i].line), RG_LINE_EVENT);
		T_EQ(ev.kind, RG_EV_PROMOTE);
		T_EQ(ev.pid, cases[i].pid);
		T_EQ(ev.cpu, cases[i].cpu);
		T_EQ(ev.ns, cases[i].ns);
		T_NAMED(ev.task_len == strlen(cases[i].task) &&
				!memcmp(ev.task, cases[i].task, ev.task_len),
			cases[i].task);
		T_OK(ev.dev == (253U << 20 | 2) && ev.type == 3 &&
		     ev.number == 17 && ev.mode == RG_MODE_EX);
	}
}

#define HEAD "  dd-1  [000] .....  5.000001: "

static void test_lock_time(void)
{
	T_EQ(parse(HEAD "gfs2_glock_lock_time: 253,2 glock 3:17 status:-65538 "
			"flags:ffffff80 tdiff:-250 srtt:93211/21034 "
			"srttb:125000/-7782220156095299786 "
			"sirt:20183399/10229 dcnt:1 qcnt:4"),
	     RG_LINE_EVENT);
	T_EQ(ev.status, RG_STATUS_UNLOCKED);
	T_EQ(ev.tdiff, -250);
	T_EQ(ev.stats.s[RG_SRTT], 93211);
	T_EQ(ev.stats.s[RG_SRTTVAR], 21034);
	T_EQ(ev.stats.s[RG_SRTTB], 125000);
	/* The faulty estimator's number, as its 64 bits. */
	T_EQ(ev.stats.s[RG_SRTTVARB], UINT64_C(10664523917614251830));
	T_EQ(ev.stats.s[RG_SIRT], 20183399);
	T_EQ(ev.stats.s[RG_SIRTVAR], 10229);
	T_EQ(ev.stats.s[RG_DCOUNT], 1);
	T_EQ(ev.stats.s[RG_QCOUNT], 4);
}

static void test_state(void)
{
	static const struct {
		const char *flags;
		bool blocking;
	} cases[] = {
		{ "lIob", true },    { "lIob0x4", true }, { "lDIo", false },
		{ "0x4", false },    { "", false },	  { "0x8402", true },
		{ "0x402", false },  { "lIo0x8000", true },
	};
	char line[200];

	for (size_t i = 0; i < GFS_ARRAY_SIZE(cases); i++) {
		snprintf(line, sizeof(line),
			 HEAD "gfs2_glock_state_change: 253,2 glock 3:17 state "
			      "NL to EX tgt:EX dmt:EX flags:%s",
			 cases[i].flags);
		T_EQ(parse(line), RG_LINE_EVENT);
		T_NAMED(ev.kind == RG_EV_STATE &&
				ev.blocking == cases[i].blocking,
			cases[i].flags);
	}
}

static void test_requests(void)
{
	/* "       3           1101f" in hex, padded with blanks. */
	T_EQ(parse(HEAD "dlm_lock_start: ls_id=3501597158 lkb_id=1f mode=EX "
			"flags=VALBLK res_name=2020202020202033"
			"20202020202020202020203131303166"),
	     RG_LINE_EVENT);
	T_EQ(ev.kind, RG_EV_REQUEST);
	T_EQ(ev.ls, 3501597158);
	T_EQ(ev.type, 3);
	T_EQ(ev.number, 0x1101f);
	/* Kernels before the name, and other users of the DLM. */
	T_EQ(parse(HEAD "dlm_lock_start: ls_id=1 lkb_id=1 mode=EX flags="),
	     RG_LINE_EVENT);
	T_EQ(ev.kind, RG_EV_OTHER);
	T_EQ(parse(HEAD "dlm_lock_start: ls_id=1 lkb_id=1 mode=EX flags= "
			"res_name=6d796c6f636b"),
	     RG_LINE_EVENT);
	T_EQ(ev.kind, RG_EV_OTHER);
}

static void test_others(void)
{
	T_EQ(parse(HEAD "gfs2_glock_queue: 253,2 glock 3:17 queue EX"),
	     RG_LINE_EVENT);
	T_EQ(ev.kind, RG_EV_QUEUE);
	T_EQ(parse(HEAD "gfs2_glock_queue: 253,2 glock 3:17 dequeue PR"),
	     RG_LINE_EVENT);
	T_OK(ev.kind == RG_EV_DEQUEUE && ev.mode == RG_MODE_PR);
	T_EQ(parse(HEAD "gfs2_glock_put: 253,2 glock 2:9 state NL => IV "
			"flags:I"),
	     RG_LINE_EVENT);
	T_EQ(ev.kind, RG_EV_PUT);
	T_EQ(parse(HEAD "tracing_mark_write: rgmark snap-final"),
	     RG_LINE_EVENT);
	T_OK(ev.kind == RG_EV_MARK && ev.text_len == 17);
	T_EQ(parse(HEAD "gfs2_some_new_event: whatever it says"),
	     RG_LINE_EVENT);
	T_EQ(ev.kind, RG_EV_OTHER);
	T_EQ(parse("CPU:3 [LOST 120 EVENTS]"), RG_LINE_EVENT);
	T_OK(ev.kind == RG_EV_LOST && ev.lost == 120 && ev.cpu == 3);
	T_EQ(parse("CPU:3 [LOST EVENTS]"), RG_LINE_EVENT);
	T_OK(ev.kind == RG_EV_LOST && ev.lost == 0);
}

static void test_bad(void)
{
	static const char whole[] =
		HEAD "gfs2_glock_lock_time: 253,2 glock 3:17 status:0 flags:00 "
		     "tdiff:1 srtt:1/2 srttb:3/4 sirt:5/6 dcnt:7 qcnt:8";
	char cut[sizeof(whole)];
	int events = 0;

	T_EQ(parse(""), RG_LINE_EMPTY);
	T_EQ(parse("# tracer: nop"), RG_LINE_EMPTY);
	T_EQ(parse("cpus=8"), RG_LINE_EMPTY);
	T_EQ(parse("hello"), RG_LINE_UNKNOWN);
	T_EQ(parse("a-1 [99999999999999999999] 1.0: x: y"), RG_LINE_UNKNOWN);
	T_EQ(parse("a-1 [0] 99999999999999999999.0: x: y"), RG_LINE_UNKNOWN);
	T_EQ(parse(HEAD "gfs2_promote: 253,2 glock 10:17 promote EX"),
	     RG_LINE_RANGE);
	T_EQ(parse(HEAD "gfs2_promote: 253,2 glock 3:18446744073709551616 "
			"promote EX"),
	     RG_LINE_RANGE);
	T_EQ(parse(HEAD "gfs2_promote: 253,2 glock 3:17 promote XX"),
	     RG_LINE_DAMAGED);
	T_EQ(parse(HEAD "gfs2_glock_lock_time: 253,2 glock 3:17 status:0 "
			"flags:00 tdiff:-9223372036854775809 srtt:1/2 "
			"srttb:3/4 sirt:5/6 dcnt:7 qcnt:8"),
	     RG_LINE_RANGE);
	/* Cut anywhere, it is an event only when whole. */
	for (size_t n = 0; n < sizeof(whole); n++) {
		memcpy(cut, whole, n);
		cut[n] = 0;
		events += parse(cut) == RG_LINE_EVENT &&
			  ev.kind == RG_EV_LOCK_TIME;
	}
	T_EQ(events, 1);
}

static void test_heading(void)
{
	uint64_t dropped;
	uint32_t cpus;

	T_OK(rg_ftrace_heading("# entries-in-buffer/entries-written: "
			       "550/76104   #P:2", &dropped, &cpus));
	T_OK(dropped == 75554 && cpus == 2);
	T_OK(rg_ftrace_heading("cpus=8", &dropped, &cpus));
	T_OK(dropped == 0 && cpus == 8);
	T_OK(!rg_ftrace_heading("# tracer: nop", &dropped, &cpus));
}

int main(void)
{
	test_prefixes();
	test_lock_time();
	test_state();
	test_requests();
	test_others();
	test_bad();
	test_heading();
	return t_done();
}
