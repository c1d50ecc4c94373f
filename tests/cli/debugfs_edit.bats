# SPDX-License-Identifier: GPL-2.0-or-later
# debugfs.gfs2 -w: what it writes, byte by byte, and what it refuses.
load ../helpers

setup() {
	image 64M
	"$peer_mkfs" -O -q -p lock_nolock -t alpha:beta -j 1 -J 8 "$img" \
		>/dev/null </dev/null
	cp --sparse=always "$img" "$img.old"
}

# wdb CMD...: run commands with -w.
wdb() {
	local -a args=()
	local c

	for c; do
		args+=(-R "$c")
	done
	run "$debugfs" -w "${args[@]}" "$img"
}

# get ADDRESS FIELD: the value alone.
get() {
	"$debugfs" --json -R "get $1 $2" "$img" |
		jq -r 'to_entries[-1].value'
}

# bytes OFFSET N: N bytes of the image in hexadecimal.
bytes() {
	od -An -tx1 -v -j "$1" -N "$2" "$img" | tr -d ' \n'
}

# changed: the places of all bytes that differ from the old image.
changed() {
	cmp -l "$img.old" "$img" | awk '{ print $1 - 1 }'
}

@test "set writes the field and nothing else" {
	root=$(get root no_addr)
	wdb "set root di_size 0x1122334455667788"
	status_is 0
	has "old: 3864"
	has "new: 1234605616436508552"
	[ "$(bytes $((root * 4096 + 56)) 8)" = 1122334455667788 ]
	# 3864 is 0f18: all eight bytes are new.
	[ "$(changed | wc -l)" -eq 8 ]
	[ "$(changed | head -n 1)" -eq $((root * 4096 + 56)) ]
}

@test "set takes flags by name, modes in octal, strings" {
	wdb "set root di_flags 'JDATA|EXHASH|0x80000000'" \
		"set root di_mode 0100644" "set sb sb_locktable gamma:delta" \
		"set sb sb_uuid 01020304-0506-0708-090a-0b0c0d0e0f10"
	status_is 0
	[ "$(get root di_flags)" = 'JDATA|EXHASH|INHERIT_JDATA (0x80000003)' ]
	[ "$(get root di_mode)" = 0100644 ]
	[ "$(bytes $((65536 + 160)) 12)" = 67616d6d613a64656c746100 ]
	[ "$(bytes $((65536 + 256)) 16)" = 0102030405060708090a0b0c0d0e0f10 ]
}

@test "set of entries, records, pointers and raw bytes" {
	root=$(get root no_addr)
	wdb "set root 1.no_addr 77" "set root 1.name zz" \
		"set rindex 0.ri_length 9" "set journal0 ptr[1] 4242" \
		"set rg 0 be32[28] 0xdeadbeef" "set statfs sc_free -5"
	status_is 0
	[ "$(bytes $((root * 4096 + 280 + 8)) 8)" = 000000000000004d ]
	[ "$(bytes $((root * 4096 + 280 + 40)) 2)" = 7a7a ]
	[ "$(get journal0 'ptr[1]')" = 4242 ]
	[ "$(get statfs sc_free)" = -5 ]
	rindex=$(get rindex no_addr)
	[ "$(bytes $((rindex * 4096 + 232 + 8)) 4)" = 00000009 ]
	# The first group follows the superblock.
	[ "$(bytes $((17 * 4096 + 28)) 4)" = deadbeef ]
}

@test "set follows pointers to blocks without a name" {
	wdb "set journal0->ptr[0] ptr[3] 0" "set journal0->ptr[0] mh_type 6"
	status_is 0
	[ "$(get journal0 'ptr[0]')" -gt 0 ]
	ind=$(get journal0 'ptr[0]')
	[ "$(bytes $((ind * 4096 + 24 + 24)) 8)" = 0000000000000000 ]
	[ "$(bytes $((ind * 4096 + 4)) 4)" = 00000006 ]
}

@test "without --seal checksums stay wrong, with it they are right" {
	wdb "set rg 0 rg_free 7"
	status_is 0
	run "$debugfs" --json -R rgrps "$img"
	[ "$(jq '.[0].crc_ok' <<<"$output")" = false ]
	[ "$(jq '.[0].agree' <<<"$output")" = false ]
	wdb "set --seal rg 0 rg_free 8"
	status_is 0
	run "$debugfs" --json -R rgrps "$img"
	[ "$(jq '.[0].crc_ok' <<<"$output")" = true ]
	[ "$(jq '.[0].rg_free' <<<"$output")" = 8 ]
	wdb "fuzz rg 0 rg_crc lastbit" "seal rg 0"
	status_is 0
	run "$debugfs" --json -R rgrps "$img"
	[ "$(jq '.[0].crc_ok' <<<"$output")" = true ]
}

@test "a sealed group header is right for gfs2-utils" {
	wdb "set --seal rg 0 rg_igeneration 12345"
	status_is 0
	peer_clean "$img"
}

@test "seal brings back what was there" {
	wdb "fuzz rg 0 rg_crc random 1" "seal rg 0"
	status_is 0
	[ -z "$(changed)" ]
}

@test "a sealed log header is right again" {
	head=$("$debugfs" --json -R journals "$img" | jq '.[0].head')
	wdb "set journal0:$head lh_sequence 77" "get journal0:$head lh_hash"
	status_is 0
	run "$debugfs" --json -R journals "$img"
	[ "$(jq '.[0].head' <<<"$output")" != "$head" ]
	wdb "set --seal journal0:$head lh_sequence 0x7fffffff"
	status_is 0
	run "$debugfs" --json -R journals "$img"
	[ "$(jq '.[0].head' <<<"$output")" = "$head" ]
	[ "$(jq '.[0].sequence' <<<"$output")" = 2147483647 ]
}

@test "zero, copy" {
	wdb "copy rg 0 8000" "zero root"
	status_is 0
	cmp -n 4096 -i $((17 * 4096)):$((8000 * 4096)) "$img" "$img"
	root=$("$debugfs" --json -R "get root byte[0]" "$img" | jq .block)
	cmp -n 4096 -i 0:$((root * 4096)) /dev/zero "$img"
}

@test "setbit changes two bits" {
	root=$(get root no_addr)
	wdb "setbit $root unlinked" "blocktype $root"
	status_is 0
	has "old: dinode"
	has "new: unlinked"
	has "unlinked"
	[ "$(changed | wc -l)" -eq 1 ]
	# The root is in the second group.
	addr=$(get rindex 1.ri_addr)
	data0=$(get rindex 1.ri_data0)
	byte=$(((root - data0) / 4))
	[ "$(changed)" -eq $((addr * 4096 + 128 + byte)) ]
	wdb "setbit $root dinode"
	[ -z "$(changed)" ]
	wdb "setbit rg 0 free"
	status_is 1
	has "block 17: is in no resource group's data area"
	wdb "setbit root full"
	status_is 1
	has "no state \"full\""
}

@test "setbit beyond the header's share of the bitmap" {
	image 256M
	"$peer_mkfs" -O -q -p lock_nolock -j 1 -J 8 "$img" >/dev/null \
		</dev/null
	cp --sparse=always "$img" "$img.old"
	# A header block maps 15872 blocks, further ones 16288 each.
	addr=$(get rindex 1.ri_addr)
	data0=$(get rindex 1.ri_data0)
	for n in 15871 15872 $((15872 + 16287)) $((15872 + 16288)); do
		cp --sparse=always "$img.old" "$img"
		wdb "setbit $((data0 + n)) unlinked" "blocktype $((data0 + n))"
		status_is 0
		has "old: free"
		if [ $n -lt 15872 ]; then
			at=$((addr * 4096 + 128 + n / 4))
		else
			k=$((n / 4 - (4096 - 128)))
			at=$(((addr + 1 + k / 4072) * 4096 + 24 + k % 4072))
		fi
		[ "$(changed)" -eq "$at" ]
	done
}

@test "fuzz verbs" {
	wdb "set root di_size 0x00000000000001ff" \
		"fuzz root di_size firstbit" "fuzz root di_size middlebit" \
		"fuzz root di_size lastbit" "fuzz root di_size add" \
		"fuzz root di_size sub 0x200"
	status_is 0
	# 80000000000001ff, 80000000800001ff, ...fe, ...ff, less 200
	root=$(get root no_addr)
	[ "$(bytes $((root * 4096 + 56)) 8)" = 800000007fffffff ]
	wdb "fuzz root di_size ones" "get root di_size" \
		"fuzz root di_size zeroes"
	status_is 0
	has "new: 18446744073709551615"
	has "new: 0"
	wdb "fuzz root di_size random 5"
	one=$(get root di_size)
	wdb "fuzz root di_size zeroes" "fuzz root di_size random 5"
	[ "$one" = "$(get root di_size)" ]
	[ "$one" != 0 ]
}

@test "writing needs -w" {
	for c in "set root di_size 1" "zero 100" "copy 17 100" "seal rg 0" \
		"fuzz root di_size ones" "setbit root free"; do
		run "$debugfs" -R "$c" "$img"
		status_is 1
		has "opened read-only"
	done
	[ -z "$(changed)" ]
}

@test "bad fields, values and places are refused and nothing is written" {
	wdb "set root di_sise 1"
	status_is 1
	has 'no field "di_sise" in a block of type dinode'
	for c in "set root di_size" "set root di_size x" \
		"set root di_size 1x" "set root di_height 65536" \
		"set root di_size 18446744073709551616" \
		"set sb sb_uuid 12" "set root di_flags NONSENSE" \
		"set root 1.name abc" "set root 7.no_addr 1" \
		"set root be64[4090] 1" "set root ptr[99999] 1" \
		"set rg 99 rg_free 1" "set <999999> di_size 1" \
		"set /nowhere di_size 1" "zero 16384" "zero x" \
		"copy 17 16384" "copy 99999 17" "seal 0" \
		"set rindex 99999999999999999999.ri_addr 1" \
		"set rindex 9999999.ri_addr 1" \
		"fuzz root di_size shake" "fuzz root di_size add x"; do
		wdb "$c"
		status_is 1
		has "debugfs.gfs2: "
	done
	[ -z "$(changed)" ]
}

@test "the undo file brings the old volume back" {
	run "$debugfs" -w --undo "$BATS_TEST_TMPDIR/undo" \
		-R "set root di_size 1" -R "zero rg 0" "$img"
	status_is 0
	[ -n "$(changed)" ]
	[ -s "$BATS_TEST_TMPDIR/undo" ]
	run "$debugfs" -w --undo "$BATS_TEST_TMPDIR/undo" \
		-R "set root di_size 2" "$img"
	status_is 1
	has "undo"
}

@test "a write that fails is reported" {
	GFS_FAULT=write=1 run "$debugfs" -w -R "set root di_size 1" "$img"
	status_is 1
	has "debugfs.gfs2: $img: "
	has "Input/output error"
	[ -z "$(changed)" ]
}

@test "a recipe file breaks a volume so that gfs2-utils notices" {
	cat >"$BATS_TEST_TMPDIR/recipe" <<-'END'
		# one wrong count, checksum right
		set --seal rg 0 rg_free 1
		setbit root free
	END
	run "$debugfs" --write --file "$BATS_TEST_TMPDIR/recipe" "$img"
	status_is 0
	run "$peer_fsck" -n "$img"
	[ "$status" -ne 0 ]
}

@test "a transaction made by hand is seen by logdump and replayed by gfs2-utils" {
	head=$("$debugfs" --json -R journals "$img" | jq '.[0].head')
	seq=$("$debugfs" --json -R journals "$img" | jq '.[0].sequence')
	for i in 1 2 3 4; do
		p[i]=$(((head + i) % 2048))
	done
	cat >"$BATS_TEST_TMPDIR/recipe" <<-END
		# a new header for group 0, and two revokes
		zero journal0:${p[1]}
		set journal0:${p[1]} be32[0] 0x01161970
		set journal0:${p[1]} be32[4] 9
		set journal0:${p[1]} mh_format 900
		set journal0:${p[1]} ld_type metadata
		set journal0:${p[1]} ld_length 2
		set journal0:${p[1]} ld_data1 1
		set journal0:${p[1]} tag[0] 17
		copy rg 0 journal0:${p[2]}
		set --seal journal0:${p[2]} rg_igeneration 4711
		copy journal0:${p[1]} journal0:${p[3]}
		set journal0:${p[3]} ld_type 301
		set journal0:${p[3]} ld_length 1
		set journal0:${p[3]} ld_data1 2
		set journal0:${p[3]} tag[0] 8000
		set journal0:${p[3]} tag[1] 8001
		copy journal0:$head journal0:${p[4]}
		set journal0:${p[4]} lh_sequence $((seq + 1))
		set journal0:${p[4]} lh_blkno ${p[4]}
		set journal0:${p[4]} lh_tail ${p[1]}
		set --seal journal0:${p[4]} lh_flags 0
	END
	run "$debugfs" -w -f "$BATS_TEST_TMPDIR/recipe" "$img"
	status_is 0
	run "$debugfs" --json -R journals "$img"
	[ "$(jq -c '.[0] | .state, .head, .tail, .active' <<<"$output" |
		paste -sd' ')" = "\"dirty\" ${p[4]} ${p[1]} 3" ]
	run "$debugfs" --json -R "logdump journal0" "$img"
	status_is 0
	[ "$(jq -r '.[] | "\(.pos) \(.item) \(.home)"' <<<"$output")" = \
"${p[1]} descriptor metadata null
${p[2]} metadata 17
${p[3]} descriptor revoke null
${p[3]} revoke 8000
${p[3]} revoke 8001
${p[4]} header null" ]
	run "$debugfs" -R "print journal0:${p[1]}" "$img"
	has "ld_type: metadata (300)"
	run "$peer_fsck" -y "$img"
	[ "$(get "rg 0" rg_igeneration)" = 4711 ]
	run "$debugfs" --json -R journals "$img"
	[ "$(jq -r '.[0].state' <<<"$output")" = clean ]
}
