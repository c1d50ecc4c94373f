# SPDX-License-Identifier: GPL-2.0-or-later
# rgstat on recorded traces and snapshots of real clusters.
load ../helpers

D=$ROOT/tests/data/traces

setup() {
	tmp=$BATS_TEST_TMPDIR
}

# stripped TRACE: the trace without its probe lines, as plain text.
stripped() {
	xzcat "$1" | grep -v ' rgp_'
}

@test "check: every printed number recomputed, snapshots found in the trace" {
	run "$rgstat" check --json --until 'snap-final ' \
		"$D/mix-node1.ftrace.txt.xz" "$D/mix-node1.snap.tar.xz"
	status_is 0
	jq -e '.[0] | .events == 15549 and .until_reached
		and .estimator == "fixed"
		and .lock_time.recomputed == 345 and .lock_time.exact == 345
		and .lock_time.unexplained == 0 and .lock_time.pair_guessed == 0
		and (.mismatches | length) == 0
		and (.snapshots | length) == 23
		and all(.snapshots[]; .rgrp_sets and .rgrp_queues
			and .rgrp_requests and .all_types)' <<<"$output"
}

@test "check: the snapshots of another node do not pass" {
	run "$rgstat" check "$D/mix-node3.ftrace.txt.xz" \
		"$D/mix-node1.snap.tar.xz"
	status_is 1
	has "snapshots are at no moment what the trace says"
}

@test "check: an independent slow implementation agrees" {
	for n in mix-node1 mix-node3 writers-node2; do
		xzcat "$D/$n.ftrace.txt.xz" | awk -v until=snap-final \
			-f "$BATS_TEST_DIRNAME/rgstat-slow.awk" >"$tmp/slow"
		"$rgstat" check --json --until 'snap-final ' \
			"$D/$n.ftrace.txt.xz" >"$tmp/json"
		jq -r '.[0].lock_time |
			"checked \(.recomputed) wrong \(.unexplained)"' \
			"$tmp/json" >"$tmp/fast"
		head -1 "$tmp/slow" | cmp - "$tmp/fast"
	done
	# The last: what it has of each CPU is what the kernel's sbstats had.
	mkdir "$tmp/snap"
	tar -xJf "$D/writers-node2.snap.tar.xz" -C "$tmp/snap"
	awk '$1 == "rgrp" { sub(":", "", $2); a[$2] = $3; b[$2] = $4 }
		END { print "cpu", 0, a["srttb"] "/" a["srttvarb"], a["queue"]
		print "cpu", 1, b["srttb"] "/" b["srttvarb"], b["queue"] }' \
		"$tmp/snap/snap/9999/gfs2/test:fs/sbstats" >"$tmp/kernel"
	tail -2 "$tmp/slow" | cmp - "$tmp/kernel"
}

@test "check --probes: each recorded verdict and its inputs, bit for bit" {
	local want n
	while read -r n want; do
		run "$rgstat" check --json --probes "$D/$n.ftrace.txt.xz"
		status_is 0
		[ "$(jq -c '.[0].probes | [.tests, .pre_false, .pre_true,
			.post_false, .post_true, .incomplete]' \
			<<<"$output")" = "$want" ]
		# A request may be traced on the CPU its task has moved to.
		jq -e '[.[0].probes.differing | to_entries[] |
			select(.key != "cpu_requests").value] | add == 0' \
			<<<"$output"
	done <<-END
		mix-node1 [181,72,20,86,3,0]
		mix-node3 [155,63,0,91,1,0]
		writers-node2 [17,8,0,9,0,0]
	END
}

@test "check --probes: verdicts do not come from the probe lines" {
	# Their numbers blotted out: the moments are left, nothing else.
	xzcat "$D/mix-node1.ftrace.txt.xz" | sed -E '/ rgp_(cong|in|calc):/s/ ([alr]_[a-z]+|dstamp|sqr_diff|var|neg)=[0-9]+/ \1=77/g' \
		>"$tmp/blot"
	cols=time,cpu,pid,rgrp,moment,loops,srttb,srttvarb,dcnt,r_srttvarb
	cols=$cols,r_dcnt,a_nz,q,v,avg_nz_u64,kernel
	"$rgstat" replay --probes --csv -o $cols "$D/mix-node1.ftrace.txt.xz" |
		tee "$tmp/a" | cut -d, -f15,16 | sort | uniq -c >"$tmp/verdicts"
	"$rgstat" replay --probes --csv -o $cols "$tmp/blot" | cmp - "$tmp/a"
	# 23 true, 158 false, and never another than the kernel's.
	[ "$(awk '{ print $1 $2 }' "$tmp/verdicts" | paste -sd' ')" = \
		"1avg_nz_u64,kernel 158false,false 23true,true" ]
	for c in check replay; do
		run "$rgstat" $c --probes "$D/dd-node3.ftrace.txt.xz"
		status_is 1
		has "no recorded congestion tests"
	done
	# And the comparison does notice.
	run "$rgstat" check --json --probes "$tmp/blot"
	status_is 1
	jq -e '.[0].probes.differing | .glock == 181 and .average > 0
		and .q > 0 and .v > 0 and .verdict == 0' <<<"$output"
}

@test "replay: the same decisions with and without probe lines" {
	stripped "$D/mix-node1.ftrace.txt.xz" >"$tmp/plain"
	[ "$(grep -c rgp_ "$tmp/plain")" -eq 0 ]
	"$rgstat" replay --csv "$tmp/plain" >"$tmp/a"
	"$rgstat" replay --csv "$D/mix-node1.ftrace.txt.xz" >"$tmp/b"
	cmp "$tmp/a" "$tmp/b"
	[ "$(wc -l <"$tmp/a")" -gt 100 ]
}

@test "replay: tests the kernel made before locking are all found" {
	cols=pid,rgrp,loops,srttb,srttvarb,dcnt,r_srttvarb,a_nz,q,v
	# What the kernel asked and answered no to, it then queued for.
	"$rgstat" replay --probes --csv -o $cols,moment,kernel \
		"$D/mix-node1.ftrace.txt.xz" |
		sed -n 's/,pre,false$//p' | sort >"$tmp/kernel"
	stripped "$D/mix-node1.ftrace.txt.xz" |
		"$rgstat" replay --csv -a -o $cols,moment - |
		sed -n 's/,pre$//p' | sort >"$tmp/replay"
	[ "$(wc -l <"$tmp/kernel")" -eq 72 ]
	[ -z "$(comm -23 "$tmp/kernel" "$tmp/replay")" ]
}

@test "replay: versions, loops, columns and differing rows are chosen" {
	run "$rgstat" replay --json --differ --loops 0 \
		--versions orig,avg-nz-u64 "$D/mix-node1.ftrace.txt.xz"
	status_is 0
	jq -e '.[0] | (.decisions | length) > 0
		and all(.decisions[]; .loops == 0 and .differ
			and .orig != .avg_nz_u64 and (has("avg_all") | not))
		and (.decisions | length) == .disputed
		and (.disagreements | length) == 2' <<<"$output"
	run "$rgstat" replay -o rgrp,nothing "$D/mix-node1.ftrace.txt.xz"
	status_is 2
	has "nothing"
	run "$rgstat" replay --versions newest "$D/mix-node1.ftrace.txt.xz"
	status_is 2
}

@test "show: a snapshot's verdicts, by hand for one rgrp" {
	run "$rgstat" show --json "$D/mix-node1.snap.tar.xz"
	status_is 0
	# CPU sets 11476407/14046367/13 and 33425740/34073113/10 of sbstats.
	jq -e '.[0] | .snapshot == "snap/9999/gfs2/test:fs" and .cpus == 2
		and .rgrps == 27 and (.verdicts | length) == 20
		and (.verdicts[] | select(.rgrp == 101399 and .cpu == 0
			and .loops == 0) | .d_orig == -4455717
			and .d_all == 6518949 and .d_nz == 6518949
			and .orig and (.avg_all | not) and .differ)' \
		<<<"$output"
	run "$rgstat" show --json -a --snapshot 0000 "$D/mix-node1.snap.tar.xz"
	status_is 0
	jq -e '.[0] | (.verdicts | length) == 108 and .idle_rgrps == 0
		and all(.verdicts[]; .avg_nz_u64 | not)' <<<"$output"
}

@test "show: files, directories, tar archives and lockcapture alike" {
	mkdir "$tmp/x"
	tar -xJf "$D/mix-node1.snap.tar.xz" -C "$tmp/x"
	dir=$tmp/x/snap/9999/gfs2/test:fs
	"$rgstat" show --csv "$D/mix-node1.snap.tar.xz" >"$tmp/a"
	"$rgstat" show --csv "$dir" | cmp - "$tmp/a"
	gzip "$dir/glstats" "$dir/sbstats"
	tar -cf "$tmp/gz.tar" -C "$dir" .
	run "$rgstat" show --csv "$dir/glstats.gz"
	status_is 1
	has "no sbstats"
	run "$rgstat" show --csv --snapshot run2 "$D/gfs2_lockcapture.tar.bz2"
	status_is 0
	has "53021,1,0,32107,1,-32107,795450,1623007,506,false"
}

@test "show: the state a trace leads to is that of the kernel's files" {
	"$rgstat" show --csv "$D/mix-node1.snap.tar.xz" >"$tmp/a"
	"$rgstat" show --csv "$D/mix-node1.ftrace.txt.xz" | cmp - "$tmp/a"
	"$rgstat" show --csv --snapshot 0007 "$D/mix-node1.snap.tar.xz" \
		>"$tmp/a"
	"$rgstat" show --csv --until 'snap-final ' \
		"$D/mix-node1.ftrace.txt.xz" | cmp -s - "$tmp/a" && return 1
	[ "$(wc -l <"$tmp/a")" -gt 4 ]
}

@test "show: the number of present CPUs changes avg-all alone" {
	a=$("$rgstat" show --json "$D/mix-node1.snap.tar.xz")
	b=$("$rgstat" show --json --present-cpus 8 "$D/mix-node1.snap.tar.xz")
	[ "$(jq '[.[0].verdicts[] | select(.avg_all)] | length' <<<"$a")" -eq 0 ]
	[ "$(jq '[.[0].verdicts[] | select(.avg_all)] | length' <<<"$b")" -gt 0 ]
	[ "$(jq '[.[0].verdicts[] | del(.avg_all, .d_all, .differ)]' <<<"$a")" \
		= "$(jq '[.[0].verdicts[] | del(.avg_all, .d_all, .differ)]' \
		<<<"$b")" ]
}

@test "trace-cmd report and ftrace text of one run say the same" {
	"$rgstat" check --json --until 'snap-final ' \
		"$D/dd-node3.ftrace.txt.xz" >"$tmp/a"
	jq -e '.[0].lock_time.recomputed == 46' "$tmp/a"
	"$rgstat" check --json "$D/dd-node3.ftrace.txt.xz" >"$tmp/a"
	"$rgstat" check --json "$D/dd-node3.trace-cmd-report.txt.xz" >"$tmp/b"
	[ "$(jq -c '.[0] | [.lock_time, .estimator]' "$tmp/a")" = \
		"$(jq -c '.[0] | [.lock_time, .estimator]' "$tmp/b")" ]
	jq -e '.[0].lock_time.recomputed == 125' "$tmp/b"
}

@test "check: lost events are found with and without LOST lines" {
	run "$rgstat" check --json "$D/lossy-pipe.txt.xz"
	status_is 0
	jq -e '.[0] | .lost_lines == 12 and .lost_events == 4245
		and .lock_time.replies_missing == 5
		and .lock_time.unexplained == 0
		and (.mismatches | length) == .lock_time.after_lost_replies
		and all(.mismatches[]; .found == "lost")' <<<"$output"
	# Only the heading tells of this loss, and it has no rgrp events.
	run "$rgstat" check "$D/lossy-ring.txt.xz"
	status_is 1
	has "overwritten_events: 75652"
	has "no events of resource groups"
	run "$rgstat" check "$D/gfs2_trace.txt.xz"
	status_is 0
	has "lost_events: 5665"
}

@test "check: one line taken out or changed does not go unseen" {
	xzcat "$D/mix-node1.ftrace.txt.xz" >"$tmp/t"
	# The second reply of an rgrp, after that of line N.
	line=$(grep -n 'gfs2_glock_lock_time: .* glock 3:53795 .*dcnt:3 ' \
		"$tmp/t" | cut -d: -f1)
	sed "${line}d" "$tmp/t" >"$tmp/u"
	run "$rgstat" check --json "$tmp/u"
	status_is 0
	jq -e '.[0] | .lock_time.replies_missing == 1
		and .mismatches[0].number == 53795
		and .mismatches[0].found == "lost"' <<<"$output"
	sed "${line}s/tdiff:\([0-9]*\)0 /tdiff:\19 /" "$tmp/t" >"$tmp/u"
	sed -i "${line}s/tdiff:\([0-9]*\)9 /tdiff:\19900 /" "$tmp/u"
	run "$rgstat" check --json "$tmp/u"
	status_is 1
	jq -e '.[0] | .lock_time.unexplained == 1
		and .mismatches[0].found == "wrong"
		and (.mismatches[0].detail | test("recomputed"))' <<<"$output"
}

@test "check: a glock made again starts anew" {
	cat >"$tmp/t" <<-END
	 a-1 [000] ..... 1.0: gfs2_glock_queue: 253,2 glock 3:17 queue EX
	 a-1 [000] ..... 1.1: gfs2_glock_lock_time: 253,2 glock 3:17 status:0 flags:00 tdiff:1000000 srtt:0/0 srttb:125000/250000 sirt:0/0 dcnt:1 qcnt:1
	 a-1 [000] ..... 1.2: gfs2_glock_put: 253,2 glock 3:17 state NL => IV flags:I
	 a-1 [000] ..... 1.3: gfs2_glock_lock_time: 253,2 glock 3:17 status:-65538 flags:00 tdiff:800 srtt:100/200 srttb:125000/250000 sirt:0/0 dcnt:2 qcnt:1
	 a-1 [000] ..... 1.4: gfs2_glock_queue: 253,2 glock 3:17 queue EX
	 a-1 [000] ..... 1.5: gfs2_glock_lock_time: 253,2 glock 3:17 status:0 flags:00 tdiff:1000000 srtt:100/200 srttb:234375/406250 sirt:0/0 dcnt:1 qcnt:1
	END
	run "$rgstat" check --json "$tmp/t"
	status_is 0
	jq -e '.[0].lock_time | .first_of_glock == 2 and .exact == 1
		and .recreated == 0' <<<"$output"
	# The same without put and last reply: the count tells.
	grep -v 'put\|65538' "$tmp/t" >"$tmp/u"
	run "$rgstat" check --json "$tmp/u"
	status_is 0
	jq -e '.[0].lock_time | .first_of_glock == 1 and .recreated == 1' \
		<<<"$output"
}

@test "check: the faulty estimator of 4.3 to 5.2-rc1 is named" {
	n=0
	while read -r tdiff pair; do
		n=$((n + 1))
		echo " a-1 [000] ..... $n.0: gfs2_glock_lock_time: 253,2" \
			"glock 3:17 status:0 flags:00 tdiff:$tdiff srtt:0/0" \
			"srttb:$pair sirt:0/0 dcnt:$n qcnt:1"
	done >"$tmp/t" <<-END
		1000000 125000/250000
		1000000 234375/406250
		1000000 330078/496093
		900000 401318/514550
		1000000 476153/535583
		5000000 1041633/1532649
		1000000 1036428/4611686018428547799
		1000000 1031874/8070450532248807860
		-250 902858/-7782220156095299786
	END
	run "$rgstat" check --json "$tmp/t"
	status_is 0
	jq -e '.[0] | .estimator == "faulty"
		and .lock_time.recomputed == 8 and .lock_time.exact == 8
		and .lock_time.only_with_faulty == 3' <<<"$output"
}

@test "no DLM: only queue counts move and nothing is congested" {
	run "$rgstat" replay --json "$D/nolock.ftrace.txt.xz"
	status_is 0
	jq -e '.[0] | .tests > 0 and .disputed == 0
		and all(.disagreements[]; .congested == 0)' <<<"$output"
}

@test "foreign, binary, empty and cut files: a message, exit 1" {
	: >"$tmp/empty"
	head -c 300000 "$rgstat" >"$tmp/binary"
	seq 100000 >"$tmp/numbers"
	head -c 50000 "$D/mix-node1.ftrace.txt.xz" >"$tmp/cut.xz"
	for f in empty binary numbers cut.xz nowhere; do
		for c in check replay show; do
			run "$rgstat" $c "$tmp/$f"
			status_is 1
			has "rgstat: "
			has "$f"
		done
	done
	# What stands before the cut is used.
	run "$rgstat" check --json "$tmp/cut.xz"
	[ "$("$rgstat" check --json "$tmp/cut.xz" 2>/dev/null |
		jq '.[0].lock_time.exact')" -gt 100 ]
	run "$rgstat" check "$tmp/numbers"
	has "100000 lines are no trace lines, first in line 1"
}

@test "hostile lines are counted once and told with their number" {
	{
		echo "not a trace line"
		echo " a-1 [000] ..... 1.0: gfs2_promote: 253,2 glock 3:17 promote"
		echo " a-1 [000] ..... 1.0: gfs2_glock_queue: 253,2 glock" \
			"3:99999999999999999999 queue EX"
		echo " a-1 [000] ..... 1.0: gfs2_glock_queue: 253,2 glock 3:17" \
			"queue EX"
		head -c 2000000 /dev/zero | tr '\0' x
		echo
		echo " a-1 [000] ..... 1.0: gfs2_glock_queue: 253,2 glock 3:17" \
			"queue EX"
	} >"$tmp/t"
	run "$rgstat" check --json "$tmp/t"
	status_is 0
	has "1 lines are no trace lines, first in line 1"
	has "1 events with missing or damaged fields, first in line 2"
	has "1 events with numbers out of range, first in line 3"
	has "1 lines too long, first in line 5"
	[ "$("$rgstat" check --json "$tmp/t" 2>/dev/null |
		jq '.[0].rgrp_events')" -eq 2 ]
}

@test "standard input, gzip and plain text give the same" {
	xzcat "$D/writers-node2.ftrace.txt.xz" >"$tmp/t"
	gzip -k "$tmp/t"
	"$rgstat" replay --csv "$tmp/t" >"$tmp/a"
	[ "$(wc -l <"$tmp/a")" -gt 20 ]
	"$rgstat" replay --csv "$tmp/t.gz" | cmp - "$tmp/a"
	"$rgstat" replay --csv - <"$tmp/t" | cmp - "$tmp/a"
}

@test "short and long options do the same; --limit bounds the mismatches" {
	"$rgstat" show -q -a -o rgrp,orig --csv "$D/mix-node1.snap.tar.xz" \
		>"$tmp/a"
	"$rgstat" show --quiet --all --output rgrp,orig --csv \
		"$D/mix-node1.snap.tar.xz" | cmp - "$tmp/a"
	[ "$(wc -l <"$tmp/a")" -eq 109 ]
	run "$rgstat" check --limit 2 "$D/lossy-pipe.txt.xz"
	[ "$(grep -c ' lost ' <<<"$output")" -eq 2 ]
	has "4 more are not shown"
	run "$rgstat" check --limit 0 "$D/lossy-pipe.txt.xz"
	[ "$(grep -c ' lost ' <<<"$output")" -eq 6 ]
}

@test "--start: a trace from the middle goes on where a snapshot stood" {
	# What came after the moment at which snapshot 0010 was so.
	xzcat "$D/mix-node1.ftrace.txt.xz" | awk '{
		for (i = 1; i <= NF; i++)
			if ($i ~ /^[0-9]+[.][0-9]+:$/ && $i + 0 > 50.428695)
				print
	}' >"$tmp/tail"
	run "$rgstat" check --json --probes --snapshot 0010 \
		--start "$D/mix-node1.snap.tar.xz" \
		"$tmp/tail" "$D/mix-node1.snap.tar.xz"
	status_is 0
	jq -e '.[0] | .probes.tests == 76 and .lock_time.unexplained == 0
		and ([.probes.differing[]] | add) == 0
		and ([.snapshots[] | select(.rgrp_sets and .rgrp_queues
			and .rgrp_requests)] | length) == 13' <<<"$output"
	# Without it they cannot be right.
	run "$rgstat" check --json --probes "$tmp/tail"
	status_is 1
	jq -e '.[0].probes.differing.average > 0' <<<"$output"
	run "$rgstat" replay --start "$D/nolock.ftrace.txt.xz" "$tmp/tail"
	status_is 1
	has "no snapshot with sbstats and glstats"
}

@test "usage errors exit 2, a full device 1, help and version 0" {
	run "$rgstat"
	status_is 2
	run "$rgstat" sing "$D/mix-node1.ftrace.txt.xz"
	status_is 2
	has "sing"
	run "$rgstat" check
	status_is 2
	run "$rgstat" show --loops 3 x
	status_is 2
	run "$rgstat" show --present-cpus 0 x
	status_is 2
	run "$rgstat" check "$D/mix-node1.snap.tar.xz"
	status_is 2
	run bash -c "'$rgstat' show '$D/mix-node1.snap.tar.xz' >/dev/full"
	status_is 1
	has "standard output"
	for o in -h --help -V --version; do
		run "$rgstat" $o
		status_is 0
		has rgstat
	done
	run "$rgstat" -o help
	status_is 0
	has "avg_nz_u64"
}
