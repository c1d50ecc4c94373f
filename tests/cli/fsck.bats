# SPDX-License-Identifier: GPL-2.0-or-later
# fsck.gfs2: command line, exit codes, what it refuses, what it never does.
load ../helpers

setup() {
	image 256M
	"$peer_mkfs" -O -q -p lock_nolock -j 2 -J 8 "$img" >/dev/null
}

set_field() {
	"$debugfs" -w -R "set $*" "$img" >/dev/null
}

# A transaction in journal 0 that nobody closed, as a crash leaves it.
make_dirty() {
	local first seq

	first=$("$debugfs" --json -R "get journal0 ptr[0]" "$img" |
		jq -r 'to_entries[-1].value')
	seq=$("$debugfs" --json -R "journals" "$img" | jq '[.. | .sequence? |
		select(. != null)][0]')
	[ -n "$first" ] && [ -n "$seq" ]
	head=$("$debugfs" --json -R journals "$img" |
		jq '[.. | .head? | select(. != null)][0]')
	set_field --seal "journal0:$head" lh_flags 2
	set_field --seal "journal0:$head" lh_tail "$head"
}

@test "a sound volume: exit 0, nothing written, by every option" {
	local o

	cp --sparse=always "$img" "$img.old"
	for o in -n -y "-p -f" "-a -f" "-n -q" "-n -v" "-n --json" -f; do
		# shellcheck disable=SC2086 # two options in one
		run "$fsck" $o "$img" </dev/null
		status_is 0
		cmp "$img" "$img.old"
	done
}

@test "preening a volume with clean journals checks nothing" {
	set_field statfs sc_free 7
	for o in -p -a --preen --auto; do
		run "$fsck" $o "$img"
		status_is 0
		[ "$output" = "$img: clean." ]
	done
	run "$fsck" -a --force "$img"
	status_is 1
}

@test "usage errors end with 16" {
	run "$fsck"
	status_is 16
	run "$fsck" -n -y "$img"
	status_is 16
	run "$fsck" --no --preen "$img"
	status_is 16
	run "$fsck" --yes -a "$img"
	status_is 16
	run "$fsck" "$img" "$img"
	status_is 16
	run "$fsck" -Z "$img"
	status_is 16
	run "$fsck" -n "$img.none"
	status_is 16
	has "img.none"
	run "$fsck" -n /dev/null
	status_is 16
}

@test "help, version and the list of checks" {
	run "$fsck" --help
	status_is 0
	has "--list-checks"
	run "$fsck" -V
	status_is 0
	run "$fsck" --version
	status_is 0
	run "$fsck" --list-checks
	status_is 0
	has "rgrp-free-count"
	"$fsck" --list-checks --json | jq -e 'length > 80' >/dev/null
}

@test "what is no GFS2 volume ends with 8 and a reason" {
	head -c 1M /dev/urandom >"$img.rnd"
	run "$fsck" -n "$img.rnd"
	status_is 8
	has "not a GFS2 filesystem"
	: >"$img.none"
	run "$fsck" -y "$img.none"
	status_is 8
	truncate -s 65536 "$img.none"
	run "$fsck" -n "$img.none"
	status_is 8
}

@test "a newer format is refused with 16" {
	set_field sb sb_fs_format 1803
	cp --sparse=always "$img" "$img.old"
	run "$fsck" -y "$img"
	status_is 16
	has "newer"
	cmp "$img" "$img.old"
}

@test "a device that is too small: reported, 4, nothing written" {
	truncate -s 100M "$img"
	cp --sparse=always "$img" "$img.old"
	run "$fsck" -y "$img"
	status_is 4
	has "C032"
	cmp "$img" "$img.old"
}

@test "questions are asked, and answered by y, n, always and never" {
	set_field statfs sc_free 7
	set_field inum di_size 9
	run "$fsck" "$img" <<<"n
n"
	status_is 4
	run "$fsck" "$img" <<<"n
y"
	status_is 5
	run "$fsck" "$img" <<<"a"
	status_is 1
	fsck_clean "$img"
}

@test "the end of input is a no" {
	set_field statfs sc_free 7
	cp --sparse=always "$img" "$img.old"
	run "$fsck" "$img" </dev/null
	status_is 4
	cmp "$img" "$img.old"
}

@test "no block is read twice" {
	run "$fsck" -n -v "$img"
	status_is 0
	read -r n distinct < <(sed -n \
		's/^Blocks read \([0-9]*\), distinct \([0-9]*\)\.$/\1 \2/p' \
		<<<"$output")
	[ "$n" -gt 2000 ]
	[ "$n" -eq "$distinct" ]
}

@test "a dirty journal is replayed by -y, for the check only by -n" {
	make_dirty
	cp --sparse=always "$img" "$img.old"
	run "$fsck" -n "$img"
	status_is 4
	has "C126"
	cmp "$img" "$img.old"
	run "$fsck" -y "$img"
	status_is 1
	fsck_clean "$img"
	peer_clean "$img"
}

@test "preening a cluster's volume leaves a dirty journal alone" {
	set_field sb sb_lockproto lock_dlm
	set_field sb sb_locktable c:f
	make_dirty
	cp --sparse=always "$img" "$img.old"
	run "$fsck" -a "$img"
	status_is 8
	has "unsafe"
	cmp "$img" "$img.old"
	run "$fsck" -a -f "$img"
	status_is 1
	fsck_clean "$img"
}

@test "a journal without a header is cleared" {
	local b i

	b=$("$debugfs" --json -R "get journal1 no_addr" "$img" |
		jq -r 'to_entries[-1].value')
	# The 2048 blocks behind dinode and five indirect blocks.
	dd if=/dev/zero of="$img" bs=4096 seek=$((b + 6)) count=2048 \
		conv=notrunc status=none
	run "$fsck" -n "$img"
	status_is 4
	has "C123"
	run "$fsck" -y "$img"
	status_is 1
	fsck_clean "$img"
	peer_clean "$img"
}

@test "the undo file is made, and never written over" {
	set_field statfs sc_free 7
	cp --sparse=always "$img" "$img.old"
	run "$fsck" -y --undo "$img.undo" "$img"
	status_is 1
	[ -s "$img.undo" ]
	cp "$img.undo" "$img.kept"
	cp --sparse=always "$img.old" "$img"
	run "$fsck" -y --undo "$img.undo" "$img"
	status_is 8
	cmp "$img.undo" "$img.kept"
	cmp "$img" "$img.old"
}

@test "a block that cannot be read is named, and nothing is freed" {
	local b

	b=$("$debugfs" --json -R "get root no_addr" "$img" |
		jq -r 'to_entries[-1].value')
	"$debugfs" -w -R "setbit 12000 used" "$img" >/dev/null
	cp --sparse=always "$img" "$img.old"
	GFS_FAULT="bad=$((b * 4096))-$((b * 4096 + 4096))" \
		run "$fsck" -y "$img"
	[ $((status & 8)) -eq 8 ]
	has "$b"
	cmp "$img" "$img.old"
}

@test "a failing write is no success" {
	local k

	set_field statfs sc_free 7
	set_field --seal "rg 1" rg_free 3
	cp --sparse=always "$img" "$img.old"
	for k in 1 2 3 4; do
		cp --sparse=always "$img.old" "$img"
		GFS_FAULT="write=$k,after" run "$fsck" -y "$img"
		[ $((status & 8)) -eq 8 ]
		has_not "2 corrected"
		run "$fsck" -y "$img"
		[ "$status" -le 1 ]
		fsck_clean "$img"
	done
}

@test "power cut at every write: one more run ends in the same state" {
	local k

	set_field statfs sc_free 7
	set_field --seal "rg 1" rg_free 3
	set_field sb sb_multihost_format 0
	cp --sparse=always "$img" "$img.old"
	for ((k = 1; k <= 10; k++)); do
		cp --sparse=always "$img.old" "$img"
		GFS_FAULT="stop=$k,torn=512" run "$fsck" -y "$img"
		run "$fsck" -y "$img"
		[ "$status" -le 1 ]
		fsck_clean "$img"
	done
	peer_clean "$img"
}
