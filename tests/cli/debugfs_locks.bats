# SPDX-License-Identifier: GPL-2.0-or-later
# debugfs.gfs2: lock names of a volume and back. The volume is one whose
# names were counted by hand: 512 MiB, 4 KiB blocks, two journals of 32 MiB;
# resource groups at 17, 8230, 16443, 73757 and 16 inodes.
load ../helpers

setup_file() {
	export vol=$BATS_FILE_TMPDIR/vol
	truncate -s 512M "$vol"
	"$peer_mkfs" -O -q -p lock_nolock -t alpha:beta -j 2 -J 32 "$vol" \
		>/dev/null </dev/null
}

db() {
	run "$debugfs" -R "$1" "$vol"
}

inodes="18 8228 8229 8231 16441 16442 16447 16448 16705 16706 16707 16964
	16965 16966 16967 16968"

# names: what the volume must have, by the printf pattern of the kernel.
names() {
	local i

	for i in 0 1 2 3 4 5; do
		printf '"%8x%16x"\n' 1 $i
	done
	for i in $inodes; do
		printf '"%8x%16x"\n"%8x%16x"\n' 2 "$i" 5 "$i"
	done
	for i in 17 8230 16443 73757; do
		printf '"%8x%16x"\n' 3 $i
	done
	printf '"%8x%16x"\n' 4 0 8 0 8 1 9 0 9 1
}

@test "locknames lists the 47 names" {
	[ "$(names | wc -l)" -eq 47 ]
	names | sort >"$BATS_TEST_TMPDIR/want"
	"$debugfs" -R locknames "$vol" | sort |
		diff -u "$BATS_TEST_TMPDIR/want" -
}

@test "locknames: hex, csv and JSON have the same names" {
	names | tr -d '"' | sort >"$BATS_TEST_TMPDIR/want"
	"$debugfs" -R "locknames --format json" "$vol" | jq -r '.[].name' |
		sort | diff -u "$BATS_TEST_TMPDIR/want" -
	"$debugfs" --json -R locknames "$vol" | jq -r '.[] |
		"\(.type)/\(.number)"' | sort >"$BATS_TEST_TMPDIR/json"
	"$debugfs" -R "locknames --format csv" "$vol" |
		sed 1d >"$BATS_TEST_TMPDIR/csv"
	cut -d'"' -f2 "$BATS_TEST_TMPDIR/csv" | sort |
		diff -u "$BATS_TEST_TMPDIR/want" -
	cut -d, -f1,2 "$BATS_TEST_TMPDIR/csv" | tr , / | sort |
		diff -u "$BATS_TEST_TMPDIR/json" -
	"$debugfs" -R "locknames --format=hex" "$vol" | while read -r hex; do
		[ ${#hex} -eq 48 ]
		printf '%b\n' "$(sed 's/../\\x&/g' <<<"$hex")"
	done | sort | diff -u "$BATS_TEST_TMPDIR/want" -
}

@test "locknames --types" {
	db "locknames --types rgrp,meta"
	status_is 0
	[ "${#lines[@]}" -eq 5 ]
	db "locknames --types iopen"
	status_is 0
	[ "${#lines[@]}" -eq 16 ]
	has_not '"       2'
	db "locknames --types quota,journal,nondisk"
	status_is 0
	[ "${#lines[@]}" -eq 10 ]
	db "locknames --types plock"
	status_is 1
	db "locknames --types inodes"
	status_is 1
	has 'no lock type "inodes"'
	db "locknames --types ,"
	status_is 1
	db "locknames --format xml"
	status_is 1
	has 'no format "xml"'
}

@test "locknames --unlinked adds deleted inodes" {
	cp --sparse=always "$vol" "$BATS_TEST_TMPDIR/img"
	run "$debugfs" -w -R "setbit 16968 unlinked" "$BATS_TEST_TMPDIR/img"
	status_is 0
	[ "$("$debugfs" -R locknames "$BATS_TEST_TMPDIR/img" | wc -l)" -eq 45 ]
	"$debugfs" -R "locknames --unlinked" "$BATS_TEST_TMPDIR/img" | sort |
		diff -u <(names | sort) -
}

@test "locknames: quota records in use, near and far" {
	cp --sparse=always "$vol" "$BATS_TEST_TMPDIR/img"
	# The quota inode has room for 43 records; id 3 of a group is the 7th.
	run "$debugfs" -w -R "set quota di_size $((20 * 88))" \
		-R "set quota 7.qu_limit 100" -R "set quota 10.qu_value 5" \
		"$BATS_TEST_TMPDIR/img"
	status_is 0
	run "$debugfs" -R "locknames --types quota" "$BATS_TEST_TMPDIR/img"
	status_is 0
	[ "$(tr '\n' , <<<"$output")" = "$(printf '"%8x%16x",' \
		8 0 8 1 8 7 8 10)" ]
}

@test "locknames of a group whose header is gone" {
	cp --sparse=always "$vol" "$BATS_TEST_TMPDIR/img"
	run "$debugfs" -w -R "zero rg 1" "$BATS_TEST_TMPDIR/img"
	status_is 0
	run "$debugfs" -R "locknames --types inode" "$BATS_TEST_TMPDIR/img"
	status_is 1
	has "block 8230: is no bitmap block"
	# Three inodes of that group are missing, the others are there.
	[ "$(grep -c '^"' <<<"$output")" -eq 13 ]
}

@test "encode: names of addresses" {
	db "encode root"
	status_is 0
	has '"       2            4248" inode'
	has '"       5            4248" iopen'
	has "2/4248"
	db "encode root iopen"
	status_is 0
	has_not "inode"
	db "encode <16968> flock"
	has '"       6            4248"'
	db "encode rg 3"
	has '"       3           1201d"'
	db "encode sb"
	has '"       4               0"'
	db "encode journal1"
	has '"       9               1"'
	has '"       2            2027"'
	db "encode rg 3 inode"
	status_is 1
	has "has no inode lock"
	db "encode 120000"
	status_is 1
	has "block 120000: is neither inode nor resource group"
	db "encode root nolock"
	status_is 1
}

@test "decode: blocks, objects and paths of names" {
	db "decode 2/4248 '       5            2024' 3/11 4/0 9/1 8/7 1/5 inode/1"
	status_is 0
	[[ ${lines[1]} == *" inode "*16968*16968*inode*/ ]]
	[[ ${lines[2]} == *" iopen "*8228*8228*inode*// ]]
	[[ ${lines[3]} == *" rgrp "*17*17*"rg 0"* ]]
	[[ ${lines[4]} == *" meta "*" 0 "*16*superblock* ]]
	[[ ${lines[5]} == *" journal "*" 1 "*8231*"journal 1"* ]]
	[[ ${lines[6]} == *" quota "*" 7 "*16967*"group 3"* ]]
	[[ ${lines[7]} == *" nondisk "*" 5 "*mounted* ]]
	[[ ${lines[8]} == *" inode "*"no inode"* ]]
	run "$debugfs" --json -R "decode 2/2027" "$vol"
	[ "$(jq -r '.[0].path' <<<"$output")" = "//jindex/journal1" ]
}

@test "decode takes back every name that locknames gives" {
	"$debugfs" -R locknames "$vol" >"$BATS_TEST_TMPDIR/names"
	"$debugfs" --json -R "decode $(tr '\n' ' ' <"$BATS_TEST_TMPDIR/names")" \
		"$vol" >"$BATS_TEST_TMPDIR/decoded"
	jq -r '.[] | "\"\(.name)\""' "$BATS_TEST_TMPDIR/decoded" |
		diff -u "$BATS_TEST_TMPDIR/names" -
	# Every inode has a path.
	[ "$(jq '[.[] | select(.type == "inode" and .path == null)] | length' \
		"$BATS_TEST_TMPDIR/decoded")" = 0 ]
}

@test "decode of what is no name" {
	db "decode 2/xyz 3/11"
	status_is 1
	has 'no lock name: "2/xyz"'
	has "rg 0"
	db "decode 2/11223344556677889"
	status_is 1
}

@test "ncheck: paths of blocks" {
	db "ncheck 8231 root 120000"
	status_is 0
	has "8231 //jindex/journal1"
	has "16968 /"
	has_not "120000"
}

@test "locknames of more than 100,000 inodes takes less than a second" {
	image 1G
	"$peer_mkfs" -O -q -p lock_nolock -j 1 -J 8 "$img" >/dev/null \
		</dev/null
	# Bitmaps that call every block of a free group an inode. No dinode
	# is read for a name, so none has to be there.
	data=0
	while read -r addr length bytes blocks; do
		for ((i = 0; i < length; i++)); do
			[ $i = 0 ] && head=128 || head=24
			n=$((4096 - head < bytes ? 4096 - head : bytes))
			head -c $n /dev/zero | tr '\0' '\377' | dd of="$img" \
				bs=1 seek=$(((addr + i) * 4096 + head)) \
				conv=notrunc status=none iflag=fullblock
			bytes=$((bytes - n))
		done
		data=$((data + blocks))
	done < <("$debugfs" --json -R rgrps "$img" | jq -r '.[] |
		select(.free == .data) |
		"\(.addr) \(.length) \(.data / 4) \(.data)"')
	[ "$data" -gt 100000 ]
	rest=$("$debugfs" --json -R stats "$img" |
		jq ".resource_groups.bitmaps.dinode - $data")
	groups=$("$debugfs" --json -R rgrps "$img" | jq length)
	"$debugfs" -R locknames "$img" >"$BATS_TEST_TMPDIR/names"
	start=$(date +%s%N)
	"$debugfs" -R locknames "$img" >"$BATS_TEST_TMPDIR/names"
	ms=$((($(date +%s%N) - start) / 1000000))
	# One journal, one superblock, six fixed names, two quota ids.
	[ "$(wc -l <"$BATS_TEST_TMPDIR/names")" -eq \
		$((2 * (data + rest) + groups + 1 + 1 + 6 + 2)) ]
	[ "$(sort -u "$BATS_TEST_TMPDIR/names" | wc -l)" -eq \
		"$(wc -l <"$BATS_TEST_TMPDIR/names")" ]
	echo "$ms ms for $data inodes"
	[ "$ms" -lt 1000 ]
}
