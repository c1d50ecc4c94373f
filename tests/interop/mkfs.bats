# SPDX-License-Identifier: GPL-2.0-or-later
# mkfs.gfs2 beside gfs2-utils' mkfs.gfs2: the same options make the same bytes.
# voldiff leaves out times, journal sequence numbers with their checksums, and
# the unused bytes of resource index entries; nothing else.
load ../helpers

voldiff=$BUILD/test/voldiff
uuid=8a1f6a0e-5b0b-4a0c-9d6e-0123456789ab

setup() {
	[ -x "$peer_mkfs" ] || skip "no gfs2-utils"
}

# same SIZE OPTION...: both programs make the same volume of SIZE bytes, and
# gfs2-utils finds ours clean.
same() {
	local size=$1

	shift
	image "$size" ours
	image "$size" theirs
	"$mkfs" -O -q -U "$uuid" "$@" "$BATS_TEST_TMPDIR/ours" ||
		{ echo "mkfs failed: $size $*"; return 1; }
	"$peer_mkfs" -O -q -U "$uuid" "$@" "$BATS_TEST_TMPDIR/theirs" \
		>/dev/null || { echo "peer failed: $size $*"; return 1; }
	"$voldiff" "$BATS_TEST_TMPDIR/ours" "$BATS_TEST_TMPDIR/theirs" ||
		{ echo "differ: $size $*"; return 1; }
	"$peer_fsck" -n "$BATS_TEST_TMPDIR/ours" >"$BATS_TEST_TMPDIR/out" 2>&1 ||
		{ echo "fsck: $size $*"; cat "$BATS_TEST_TMPDIR/out"; return 1; }
}

nolock() {
	local size=$1

	shift
	same "$size" -p lock_nolock "$@"
}

@test "same bytes at block size 512" {
	nolock 16M -b 512
	nolock 17M -b 512
	nolock 100M -b 512 -j 2
	nolock 400M -b 512 -j 5 -J 9
	nolock 300M -b 512 -r 32 -c 4
	nolock 6G -b 512 -r 32 -J 8
	nolock 250M -b 512 -j 13 -J 8
	nolock 200M -b 512 -o sunit=8192,swidth=32768
}

@test "same bytes at block size 1024" {
	nolock 16M -b 1024
	nolock 50M -b 1024 -j 2
	nolock 500M -b 1024 -j 3 -J 16 -r 64
	nolock 12G -b 1024 -r 32
	nolock 250M -b 1024 -j 13 -J 8
	nolock 300M -b 1024 -o sunit=65536,swidth=131072 -j 2
	nolock 300M -b 1024 -c 17
}

@test "same bytes at block size 2048" {
	nolock 16M -b 2048
	nolock 130M -b 2048 -j 4
	nolock 1G -b 2048 -J 12 -r 100
	nolock 24G -b 2048 -r 32
	nolock 250M -b 2048 -j 15 -J 8
	nolock 300M -b 2048 -o sunit=4096,swidth=12288
	nolock 300M -b 2048 -c 33
}

@test "same bytes at block size 4096" {
	nolock 16M
	nolock 65537k -j 2
	nolock 1G
	nolock 1234567k -j 3 -J 10
	nolock 1G -r 32
	nolock 1G -r 2048
	nolock 3G -j 2 -r 500
	nolock 20G -r 77 -J 8
	nolock 1T -r 2048 -J 8
	nolock 64M -c 16
}

@test "same bytes with stripes" {
	nolock 1G -o sunit=65536,swidth=524288
	nolock 4G -o sunit=4096,swidth=4096 -j 3 -r 64 -J 8
	nolock 1G -o sunit=1m,swidth=12m -J 8 -j 2
	nolock 2G -o sunit=256k,swidth=1m -r 1024
	nolock 1G -o sunit=65536,swidth=524288,align=0
	nolock 1G -o test_topology=0:512:65536:262144:4096
	nolock 1G -o test_topology=7:512:65536:262144:4096
	nolock 100M -o test_topology=0:512:0:1024:1024
}

@test "same bytes when directories are hashed" {
	nolock 420M -j 23 -J 8
	nolock 1200M -j 69 -J 8
}

@test "same bytes with names, format and a size operand" {
	same 100M -t cluster:name -o format=1801
	nolock 100M -t a:b -o root_inherit_jdata
	image 100M ours
	image 100M theirs
	cd "$BATS_TEST_TMPDIR"
	"$mkfs" -q -O -p lock_nolock -U "$uuid" ours 20000
	"$peer_mkfs" -q -O -p lock_nolock -U "$uuid" theirs 20000 >/dev/null
	"$voldiff" ours theirs
}

@test "voldiff tells two volumes apart" {
	cd "$BATS_TEST_TMPDIR"
	image 32M ours
	"$mkfs" -q -O -p lock_nolock -U "$uuid" ours
	cp --sparse=always ours other
	"$voldiff" ours other
	# One bit in an inode, in a bitmap, in a log header, in free space.
	for at in $((2077 * 4096 + 300)) $((17 * 4096 + 200)) \
		$((1000 * 4096 + 41)) $((1000 * 4096 + 30)) \
		$((5000 * 4096)) $((65536 + 96)); do
		cp --sparse=always ours other
		printf '\377' | dd of=other bs=1 seek="$at" conv=notrunc \
			status=none
		run "$voldiff" ours other
		status_is 1
	done
}
