# SPDX-License-Identifier: GPL-2.0-or-later
# debugfs.gfs2: what it shows, on the volume of the lock name example, which
# gfs2-utils made: 512 MiB, 4 KiB blocks, two journals of 32 MiB.
load ../helpers

setup_file() {
	export vol=$BATS_FILE_TMPDIR/vol
	truncate -s 512M "$vol"
	"$peer_mkfs" -O -q -p lock_nolock -t alpha:beta -j 2 -J 32 \
		-U 3f0c1c5e-8a52-4f0b-9d1e-0123456789ab "$vol" >/dev/null </dev/null
}

# db CMD...: the output of commands, as `run` does.
db() {
	local -a args=()
	local c

	for c; do
		args+=(-R "$c")
	done
	run "$debugfs" "${args[@]}" "$vol"
}

json() {
	"$debugfs" --json -R "$1" "$vol"
}

# golden NAME CMD: text and JSON are what tests/golden has.
golden() {
	local at=$ROOT/tests/golden/debugfs/$1

	"$debugfs" -R "$2" "$vol" | diff -u "$at.txt" -
	json "$2" | jq . | diff -u "$at.json" -
}

@test "golden output: stats" {
	golden stats stats
}

@test "golden output: rgrps" {
	golden rgrps rgrps
}

@test "golden output: ls" {
	golden ls "ls master"
}

@test "golden output: print of a resource group" {
	golden print_rg "print rg 2"
}

@test "golden output: print of a pointer block" {
	golden print_in "print journal0->ptr[0]"
}

@test "golden output: fields" {
	golden fields "fields leaf"
}

@test "golden output: map" {
	golden map "map journal1"
}

@test "golden output: hex" {
	golden hex "hex sb"
}

@test "golden output: blocktype" {
	golden blocktype "blocktype 0 sb rg 2 <16443> 16444 root 120000"
}

@test "golden output: icheck" {
	golden icheck "icheck 16968 19 100 17 16 120000"
}

# peer_agrees WHAT OURS: all decimal fields that gfs2_edit prints for WHAT
# have the same value in our print of OURS.
peer_agrees() {
	local dir=$BATS_TEST_TMPDIR

	"$peer_edit" -p $1 "$vol" | awk '
		/^(Directory|The superblock|  *[0-9]+\/)/ { exit }
		/^  [a-z_0-9]+ +-?[0-9]+ +0x/ { print $1, $2 }' |
		sort -u >"$dir/peer"
	json "print $2" | jq -r '(., .content, .records[]?) | to_entries? | .[] |
		select(.value | type == "number") |
		"\(.key | sub(".*[.]"; "")) \(.value)"' | sort -u >"$dir/ours"
	[ "$(wc -l <"$dir/peer")" -ge "$3" ]
	[ -z "$(comm -23 "$dir/peer" "$dir/ours" | tee /dev/stderr)" ]
}

@test "fields are as gfs2_edit prints them: superblock" {
	peer_agrees sb sb 9
}

@test "fields are as gfs2_edit prints them: resource groups" {
	for n in 0 1 2 3; do
		peer_agrees "rg $n" "rg $n" 10
	done
}

@test "fields are as gfs2_edit prints them: inodes" {
	for i in root master jindex per_node statfs quota; do
		peer_agrees $i $i 20
	done
}

@test "names, blocks and hashes of entries are gfs2_edit's" {
	"$peer_edit" -p master "$vol" | sed -nE \
		's/.*\[([0-9A-F]{8})\] ([0-9]+)\/([0-9]+) .* ([a-z_.]+) *$/\1 \2 \3 \4/p' |
		tr A-F a-f | sort >"$BATS_TEST_TMPDIR/peer"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/peer")" -eq 8 ]
	json "print master" | jq -r '.entries[] |
		"\(.hash) \(.formal) \(.block) \(.name)"' |
		while read -r hash rest; do
			printf '%08x %s\n' "$hash" "$rest"
		done | sort >"$BATS_TEST_TMPDIR/ours"
	diff -u "$BATS_TEST_TMPDIR/peer" "$BATS_TEST_TMPDIR/ours"
}

@test "addresses: numbers, names, glocks, records and pointers meet" {
	for a in 16968 0x4248 "<16968>" "<0x4248>" / root 2/4248 5/4248 \
		inode/4248 "'       2            4248'" "block 16968" \
		"sb->sb_root_dir.no_addr" "root->0.no_addr" \
		"16967+1" "rg 2+525"; do
		run json "get $a no_addr"
		status_is 0
		has '"block": 16968,'
		has '"no_addr": 16968'
	done
	[ "$(json "get rg 1 mh_type" | jq .block)" = 8230 ]
	[ "$(json "get 3/2026 mh_type" | jq .block)" = 8230 ]
	[ "$(json "get 9/1 mh_type" | jq .block)" = 8231 ]
	[ "$(json "get 4/0 mh_type" | jq .block)" = 16 ]
	[ "$(json "get journal0->ptr[0]->ptr[1] byte[0]" | jq .block)" = 37 ]
	[ "$(json "get journal0:1 byte[0]" | jq .block)" = 37 ]
	[ "$(json "get statfs_change1 di_size" | jq .di_size)" = 24 ]
	[ "$(json "get //per_node/statfs_change1 di_size" | jq .di_size)" = 24 ]
}

@test "records of rindex and quota, contents of statfs" {
	[ "$(json "get rindex 2.ri_addr" | jq '."2.ri_addr"')" = 16443 ]
	[ "$(json "get rindex 3.ri_data" | jq '."3.ri_data"')" = 57308 ]
	[ "$(json "get quota 0.qu_value" | jq '."0.qu_value"')" = 1 ]
	[ "$(json "get statfs sc_total" | jq .sc_total)" = 131040 ]
	[ "$(json "get statfs sc_dinodes" | jq .sc_dinodes)" = 16 ]
	db "get rindex 40.ri_addr" "get rindex 41.ri_addr"
	status_is 1
	has "40.ri_addr: "
	has "record 41"
}

@test "stat shows what the fields say" {
	run json "stat journal0"
	status_is 0
	[ "$(jq -r '.type, .mode, .size, .height, .glock' <<<"$output" |
		paste -sd' ')" = "file 0100600 33554432 2 2/12" ]
	db "stat root"
	status_is 0
	has "flags: JDATA (0x1)"
	has "entries: 2"
}

@test "ls -l shows mode, links and size" {
	run json "ls -l master"
	status_is 0
	[ "$(jq -c '[.[] | select(.name == "rindex") | .mode, .links, .size]' \
		<<<"$output")" = '["0100600",1,384]' ]
}

@test "cat: contents in the inode" {
	"$debugfs" -R "cat statfs" "$vol" | od -An -tx1 -v | tr -d ' \n' \
		>"$BATS_TEST_TMPDIR/hex"
	# total 131040, free 114094, dinodes 16
	[ "$(cat "$BATS_TEST_TMPDIR/hex")" = \
		000000000001ffe0000000000001bdae0000000000000010 ]
}

@test "cat and dump: contents in blocks are those on the device" {
	# 8192 blocks from 36 on, as map has it.
	dd if="$vol" of="$BATS_TEST_TMPDIR/want" bs=4096 skip=36 count=8192 \
		status=none
	"$debugfs" -R "cat journal0" "$vol" | cmp - "$BATS_TEST_TMPDIR/want"
	db "dump journal0 $BATS_TEST_TMPDIR/got"
	status_is 0
	cmp "$BATS_TEST_TMPDIR/got" "$BATS_TEST_TMPDIR/want"
}

@test "dump keeps holes, cat fills them" {
	cp --sparse=always "$vol" "$BATS_TEST_TMPDIR/img"
	# 509 blocks of the journal become a hole.
	"$debugfs" -w -R "set journal0 ptr[3] 0" "$BATS_TEST_TMPDIR/img"
	dd if="$vol" of="$BATS_TEST_TMPDIR/want" bs=4096 skip=36 count=8192 \
		status=none
	dd if=/dev/zero of="$BATS_TEST_TMPDIR/want" bs=4096 seek=1527 \
		count=509 conv=notrunc status=none
	run "$debugfs" -R "dump journal0 $BATS_TEST_TMPDIR/got" \
		"$BATS_TEST_TMPDIR/img"
	status_is 0
	cmp "$BATS_TEST_TMPDIR/got" "$BATS_TEST_TMPDIR/want"
	[ "$(du -k "$BATS_TEST_TMPDIR/got" | cut -f1)" -le $((7683 * 4 + 64)) ]
	"$debugfs" -R "cat journal0" "$BATS_TEST_TMPDIR/img" |
		cmp - "$BATS_TEST_TMPDIR/want"
	run "$debugfs" --json -R "map journal0" "$BATS_TEST_TMPDIR/img"
	[ "$(jq -c '[.[] | .logical, .count, .first]' <<<"$output")" = \
		'[0,1527,36,2036,6156,2072]' ]
	run "$debugfs" -R "print journal0:1527" "$BATS_TEST_TMPDIR/img"
	status_is 1
	has "is a hole"
}

@test "contents of a journaled system file in several blocks" {
	image 6G
	"$peer_mkfs" -O -q -p lock_nolock -j 1 -J 8 -r 32 "$img" \
		>/dev/null </dev/null
	n=$("$debugfs" --json -R rgrps "$img" | jq length)
	[ "$n" -gt 150 ]
	[ "$("$debugfs" -R "cat rindex" "$img" | wc -c)" -eq $((n * 96)) ]
	# Entry 100 by content and by field.
	want=$("$debugfs" -R "cat rindex" "$img" | tail -c +$((9600 + 1)) |
		od -An -tu8 --endian=big -N8 | tr -d ' ')
	[ "$("$debugfs" --json -R "get rindex 100.ri_addr" "$img" |
		jq '."100.ri_addr"')" = "$want" ]
	[ "$("$debugfs" --json -R "print rg 100" "$img" | jq .block)" = \
		"$want" ]
}

@test "a script runs line by line and reports failures with their line" {
	cat >"$BATS_TEST_TMPDIR/script" <<-'END'
		# a comment

		get root di_nlink   # and another
		frobnicate
		get 'root' "di_entries"
		quit
		get root di_size
	END
	run "$debugfs" -f "$BATS_TEST_TMPDIR/script" "$vol"
	status_is 1
	has "di_nlink: 2"
	has "di_entries: 2"
	has_not "di_size"
	has "unknown command \"frobnicate\""
	has "script:4: the command failed"
	run "$debugfs" "$vol" <"$BATS_TEST_TMPDIR/script"
	status_is 1
	has "di_entries: 2"
	has "standard input:4"
	run "$debugfs" -f /nowhere/at/all "$vol"
	status_is 1
	has "/nowhere/at/all: No such file"
}

@test "help lists every command, and the man page has them all" {
	run json help
	status_is 0
	jq -r '.[].command' <<<"$output" >"$BATS_TEST_TMPDIR/names"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/names")" -ge 25 ]
	while read -r name; do
		grep -qE "^\.It (Xo )?Cm $name( |\$)" \
			"$ROOT/man/debugfs.gfs2.8" || {
			echo "$name is not in the man page"
			return 1
		}
		db "help $name"
		status_is 0
		has "$name"
	done <"$BATS_TEST_TMPDIR/names"
}

@test "every command without arguments it needs shows its usage" {
	json help | jq -r '.[] | select(.args | test("^[A-Z]|\\] [A-Z]")) |
		.command' >"$BATS_TEST_TMPDIR/names"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/names")" -ge 15 ]
	while read -r name; do
		db "$name"
		status_is 1
		has "usage: $name"
	done <"$BATS_TEST_TMPDIR/names"
}

@test "queries do not change the volume" {
	before=$(sha256sum <"$vol")
	db stats "ls root" "print rg 0" rgrps locknames "icheck 16968"
	status_is 0
	[ "$before" = "$(sha256sum <"$vol")" ]
}

@test "every query is one JSON value" {
	for c in stats "stat root" "ls root" "ls -l master" "map journal0" \
		"print root" "print sb" "print rg 0" "print rindex" \
		"print 0" "get root di_size" "hex 16" fields "fields sb" \
		"blocktype 17" rgrps journals "logdump 0" "logdump -a 1" \
		locknames "encode root" "decode 2/4248" "icheck 19" \
		"ncheck root" help "dump statfs $BATS_TEST_TMPDIR/x"; do
		json "$c" >"$BATS_TEST_TMPDIR/out"
		[ "$(jq -s length "$BATS_TEST_TMPDIR/out")" = 1 ] || {
			echo "$c:"
			cat "$BATS_TEST_TMPDIR/out"
			return 1
		}
	done
}

@test "a terminal gets a prompt" {
	run script -qec "'$debugfs' '$vol'" /dev/null <<-'END'
		get root di_nlink
		nothing
		quit
	END
	status_is 1
	has "debugfs: "
	has "di_nlink: 2"
	has 'unknown command "nothing"'
}
