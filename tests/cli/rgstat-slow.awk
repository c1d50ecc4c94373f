# SPDX-License-Identifier: GPL-2.0-or-later
# A slow, independent recomputation of the rgrps' statistics of an ftrace
# text: prints, at the mark given as -v until=, the number of lock_time events
# whose earlier event was known, mismatches, and each CPU's srttb pair and
# queue count. Only traces whose rgrp replies come from unlocked to exclusive
# (srttb) and back (srtt), told apart by which pair changed.

function down(n, unit) {
	return n >= 0 ? int(n / unit) : -int((-n + unit - 1) / unit)
}

function estimate(pair, x, out,    p, d) {
	split(pair, p, "/")
	d = x - p[1]
	return (p[1] + down(d, 8)) "/" \
		(p[2] + down((d < 0 ? -d : d) - p[2], 4))
}

index($0, until " ") {
	exit
}

{
	for (cpu = 1; cpu <= NF && $cpu !~ /^\[[0-9]+\]$/; cpu++)
		;
	at = cpu
	cpu = $cpu
	gsub(/[^0-9]/, "", cpu)
	cpu += 0
}

/ gfs2_glock_queue: .* glock 3:[0-9]+ queue / {
	queued[cpu]++
}

/ gfs2_glock_lock_time: / {
	for (i = at; i <= NF; i++)
		if (split($i, f, ":") == 2)
			v[f[1]] = f[2]
		else if ($i == "glock")
			name = $(i + 1)
	if (name in dcnt) {
		checked++
		s = estimate(srtt[name], v["tdiff"]) == v["srtt"] && \
			srttb[name] == v["srttb"]
		b = estimate(srttb[name], v["tdiff"]) == v["srttb"] && \
			srtt[name] == v["srtt"]
		wrong += !(s || b) || v["dcnt"] != dcnt[name] + 1
		blocking = b
	} else {
		blocking = v["srttb"] != "0/0"
	}
	srtt[name] = v["srtt"]
	srttb[name] = v["srttb"]
	dcnt[name] = v["dcnt"]
	if (v["status"] == -65538)
		delete dcnt[name]
	if (name ~ /^3:/ && blocking)
		cpuset[cpu] = estimate(cpu in cpuset ? cpuset[cpu] : "0/0", \
				       v["tdiff"])
}

END {
	print "checked", checked + 0, "wrong", wrong + 0
	for (cpu = 0; cpu < 2; cpu++)
		print "cpu", cpu, (cpu in cpuset ? cpuset[cpu] : "0/0"), \
			queued[cpu] + 0
}
