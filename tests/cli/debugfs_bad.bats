# SPDX-License-Identifier: GPL-2.0-or-later
# debugfs.gfs2 on bad command lines, devices and volumes: a message with
# program, device and block, status 1 or 2, never a crash or invented values.
load ../helpers

setup() {
	image 64M
	"$peer_mkfs" -O -q -p lock_nolock -t alpha:beta -j 1 -J 8 "$img" \
		>/dev/null </dev/null
}

# All queries, each must end with 0 or 1.
survives() {
	local c

	for c in stats rgrps journals "logdump 0" "logdump -a 0" locknames \
		"ls -l root" "ls master" "ls jindex" "ls per_node" \
		"stat root" "stat journal0" "print root" "print master" \
		"print rindex" "print statfs" "print journal0" "print sb" \
		"print rg 0" "print 18" "map journal0" "map root" \
		"cat statfs" "cat rindex" "encode root" \
		"decode 2/4248 9/0" "ncheck root master" \
		"icheck 100 200 root" "blocktype root 17 18" \
		"get rindex 0.ri_addr" "hex root"; do
		for o in "" --json; do
			run timeout 60 "$debugfs" $o -R "$c" "$img"
			[ "$status" -le 1 ] || {
				echo "$c: status $status"
				echo "$output" | tail -5
				return 1
			}
		done
	done
}

# damage CMD: break the volume.
damage() {
	run "$debugfs" -w -R "$1" "$img"
	status_is 0
}

@test "wrong command lines" {
	run "$debugfs"
	status_is 2
	has "no device given"
	run "$debugfs" "$img" other
	status_is 2
	run "$debugfs" --nothing "$img"
	status_is 2
	run "$debugfs" -R
	status_is 2
	run "$debugfs" --bsize x -R stats "$img"
	status_is 2
	run "$debugfs" --help
	status_is 0
	has "DEVICE"
	run "$debugfs" --version
	status_is 0
}

@test "what is no volume" {
	run "$debugfs" -R stats /nowhere
	status_is 1
	has "debugfs.gfs2: "
	has "/nowhere"
	has "No such file"
	run "$debugfs" -R stats "$BATS_TEST_TMPDIR"
	status_is 1
	image 1M other
	run "$debugfs" -R stats "$img"
	status_is 1
	has "not a GFS2 filesystem"
	has_not "bsize: 0"
	: >"$img"
	run "$debugfs" -R stats "$img"
	status_is 1
	run "$debugfs" -R stats /dev/null
	status_is 1
}

@test "commands and arguments" {
	for c in frobnicate "stat" "stat a b" "ls --wrong root" "quit 1" \
		"locknames --types" "print 'root" "help nothing"; do
		run "$debugfs" -R "$c" "$img"
		status_is 1
		has "debugfs.gfs2: "
	done
	run "$debugfs" --json -R "frobnicate" "$img"
	status_is 1
	has '"error": "EFAILED"'
}

@test "addresses that are none" {
	for c in "print 16384" "print <99999999999>" "print rg 9999" \
		"print journal1" "print /no/such/path" "print //nothing" \
		"stat /statfs" "print 2/ffffff" "print 7/1" "print 8/1" \
		"print nothing" "print statfs_change1" "print ''" \
		"print -1" "print root:1" "print root->di_eattr" \
		"print root->ptr[9999]" "print root+999999" \
		"print 0x10000000000000000" "logdump 1" "logdump root" \
		"logdump journal9" "print /->->x" "print +1" "print :0"; do
		run "$debugfs" -R "$c" "$img"
		status_is 1
		has "debugfs.gfs2: "
		has_not "mh_magic"
	done
	run "$debugfs" -R "print rg 9999" "$img"
	has "no resource group 9999: the volume has 2"
	run "$debugfs" -R "print journal7" "$img"
	has "no journal 7: the volume has 1"
	run "$debugfs" --json -R "print 16384" "$img"
	status_is 1
	has '"error": "EOUTSIDE"'
}

@test "inodes of the wrong kind" {
	for c in "cat root" "dump master $BATS_TEST_TMPDIR/x" "ls statfs" \
		"stat 17" "stat 16" "stat 8000" "cat rg 0" "ls rg 0"; do
		run "$debugfs" -R "$c" "$img"
		status_is 1
		has "debugfs.gfs2: $img: "
	done
	run "$debugfs" -R "cat root" "$img"
	has "is a directory"
}

@test "dump does not overwrite the device" {
	before=$(sha256sum <"$img")
	run "$debugfs" -R "dump journal0 $img" "$img"
	status_is 1
	has "the device itself"
	[ "$before" = "$(sha256sum <"$img")" ]
	run "$debugfs" -R "dump journal0 /nowhere/x" "$img"
	status_is 1
	has "/nowhere/x"
	run "$debugfs" -R "dump journal0 /dev/full" "$img"
	status_is 1
	has "No space left"
}

@test "output that cannot be written" {
	run sh -c "'$debugfs' -R locknames '$img' >/dev/full"
	status_is 1
	has "No space left"
	run sh -c "'$debugfs' -R 'cat journal0' '$img' >/dev/full"
	status_is 1
	has "No space left"
}

@test "damaged rindex: the rest can be seen" {
	damage "set rindex 0.ri_data 5"
	run "$debugfs" -R "ls root" "$img"
	status_is 0
	has "warning: "
	has "rindex"
	has "no resource groups"
	run "$debugfs" -R rgrps "$img"
	status_is 1
	has "the resource groups could not be read"
	run "$debugfs" -R "print rindex" "$img"
	status_is 0
	has "ri_data: 5"
	survives
	# And it can be mended.
	run "$debugfs" -w -R "set rindex 0.ri_data 16364" "$img"
	status_is 0
}

@test "damaged master: root can be seen" {
	damage "zero master"
	run "$debugfs" -R "ls root" "$img"
	status_is 0
	run "$debugfs" -R "print statfs" "$img"
	status_is 1
	has "the system files could not be read"
	run "$debugfs" -R stats "$img"
	status_is 1
	has "sb_bsize: 4096"
	has_not "groups: 0"
	survives
}

@test "--catastrophic reads the superblock only" {
	run "$debugfs" --catastrophic --request "ls root" "$img"
	status_is 0
	run "$debugfs" -c -R rgrps "$img"
	status_is 1
	has "the resource groups could not be read"
	run "$debugfs" -c -R "print 17" "$img"
	status_is 0
	has "type: rgrp"
}

@test "damaged superblock: --bsize opens it" {
	damage "zero sb"
	run "$debugfs" -R stats "$img"
	status_is 1
	has "--bsize"
	run "$debugfs" --bsize 4096 -R "print 17" "$img"
	status_is 0
	has "type: rgrp"
	run "$debugfs" --bsize 4096 -R "ls root" "$img"
	status_is 1
	run "$debugfs" --bsize 4000 -R "print 17" "$img"
	status_is 1
	has "no block size"
	run "$debugfs" -w --bsize 4096 -R "set 16 be32[0] 0x01161970" "$img"
	status_is 0
}

@test "every field of every struct, wrong: no command crashes" {
	for at in root master sb "rg 0" journal0 "journal0->ptr[0]" rindex \
		statfs; do
		run "$debugfs" --json -R "print $at" "$img"
		fields=$(jq -r 'to_entries[] | select(.key | test("^[a-z]+_")) |
			select(.key | test("_text$") | not) |
			select(.value | type != "array" and type != "object") |
			.key' <<<"$output")
		[ -n "$fields" ]
		cp --sparse=always "$img" "$img.good"
		for f in $fields; do
			verb=$(printf '%s\n' ones zeroes middlebit "random 3" |
				sed -n "$((${#f} % 4 + 1))p")
			"$debugfs" -w -R "fuzz --seal $at $f $verb" "$img" \
				>/dev/null
			for c in stats "ls root" "print $at" "locknames" \
				"ncheck root" "cat rindex"; do
				run timeout 30 "$debugfs" -R "$c" "$img"
				[ "$status" -le 1 ] || {
					echo "$at $f $verb: $c: $status"
					return 1
				}
			done
			cp --sparse=always "$img.good" "$img"
		done
	done
}

@test "cyclic trees end" {
	root=$("$debugfs" --json -R "get root byte[0]" "$img" | jq .block)
	# A directory that contains itself, and an indirect block likewise.
	damage "set journal0->ptr[0] ptr[0] 19"
	survives
	ind=$("$debugfs" --json -R "get journal0 ptr[0]" "$img" |
		jq '."ptr[0]"')
	damage "set journal0->ptr[0] ptr[0] $ind"
	survives
	jindex=$("$debugfs" --json -R "get jindex byte[0]" "$img" | jq .block)
	damage "set jindex 2.no_addr $jindex"
	survives
}

@test "blocks that cannot be read are errors, not zeros" {
	root=$("$debugfs" --json -R "get root byte[0]" "$img" | jq .block)
	export GFS_FAULT=bad=$((root * 4096))-$((root * 4096 + 4096))
	run "$debugfs" -R "print root" "$img"
	status_is 1
	has "block $root: "
	has "Input/output error"
	has_not "mh_magic"
	run "$debugfs" -R "hex root" "$img"
	status_is 1
	has_not "00000000"
	run "$debugfs" -R "ls root" "$img"
	status_is 1
	GFS_FAULT=bad=$((17 * 4096))-$((18 * 4096))
	run "$debugfs" -R rgrps "$img"
	status_is 1
	has "block 17: "
	run "$debugfs" -R locknames "$img"
	status_is 1
	has "block 17: "
	# Totals of some of the groups would be wrong totals.
	run "$debugfs" -R stats "$img"
	status_is 1
	has_not "resource_groups"
	GFS_FAULT=read=3,after survives
}

@test "a truncated device" {
	truncate -s 40M "$img"
	survives
	run "$debugfs" -R stats "$img"
	status_is 1
	truncate -s 70000 "$img"
	survives
	truncate -s 65600 "$img"
	survives
}
