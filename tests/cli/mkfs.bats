# SPDX-License-Identifier: GPL-2.0-or-later
# mkfs.gfs2: options, refusals, questions, and what is left when it fails.
load ../helpers

uuid=8a1f6a0e-5b0b-4a0c-9d6e-0123456789ab

# refused TEXT ARGUMENT...: exit 255 with this message, image untouched.
refused() {
	local text=$1 before

	shift
	before=$(stat -c '%b %y' "$img")
	run "$mkfs" "$@"
	status_is 255
	has "mkfs.gfs2: $text"
	[ "$before" = "$(stat -c '%b %y' "$img")" ]
}

# number OFFSET BYTES: an unsigned big-endian number in the image.
number() {
	od -A n -v -t x1 -j "$1" -N "$2" "$img" | tr -d ' \n'
}

no_superblock() {
	[ "$(number 65536 272 | tr -d 0)" = "" ] ||
		{ echo "a superblock is there"; return 1; }
}

# is_volume: the image has a GFS2 superblock.
is_volume() {
	[ "$(number 65536 4)" = 01161970 ]
}

@test "help, version and the list of extended options" {
	run "$mkfs" -h
	status_is 0
	has "DEVICE [SIZE]"
	for o in -b -c -D -J -j -K -O -o -p -q -r -t -U; do
		has "  $o"
	done
	run "$mkfs" --help
	status_is 0
	run "$mkfs" -V
	status_is 0
	has "mkfs.gfs2 "
	run "$mkfs" --version
	status_is 0
	run "$mkfs" -o help
	status_is 0
	for o in sunit= swidth= align= format= root_inherit_jdata; do
		has "$o"
	done
}

@test "refuses what makes no sense, and writes nothing" {
	image 128M
	refused "No device specified. Use -h for help" -p lock_nolock
	refused "No device specified. Use -h for help" -p lock_nolock gfs2
	refused "More than one device specified" -p lock_nolock "$img" abc
	refused "More than one device specified" -p lock_nolock "$img" 1 2
	refused "unknown or ambiguous option" -Z "$img"
	has "Please use '-h' for help."
	refused "option '-j' needs an argument" "$img" -j
	refused "Invalid lock protocol: lock_gulm" -p lock_gulm "$img"
	refused "No lock table specified." "$img"
	refused "Lock table is empty." -t "" "$img"
	refused "Bad resource group size" -r 31 -t a:b "$img"
	refused "Bad resource group size" -r 2049 -t a:b "$img"
	refused "No journals specified" -j 0 -t a:b "$img"
	refused "Number of journals cannot be negative: -3" -j -3 -t a:b "$img"
	refused "-j: not a number: '2x'" -j 2x -t a:b "$img"
	refused "Bad journal size" -J 7 -t a:b "$img"
	refused "Bad journal size" -J 1025 -t a:b "$img"
	refused "Bad journal size" -J -8 -t a:b "$img"
	refused "Bad journal size" -J 18446744073709551624 -t a:b "$img"
	refused "Bad quota change size" -c 0 -t a:b "$img"
	refused "Bad quota change size" -c 65 -t a:b "$img"
	refused "Failed to parse UUID option" -U 1234 -t a:b "$img"
	refused "Failed to parse UUID option" -U '' -t a:b "$img"
	for b in 256 511 513 6144 8388608 0; do
		refused "Block size must be a power of two between 512 and" \
			-b "$b" -t a:b "$img"
	done
}

@test "refuses bad lock tables under every protocol" {
	local c=12345678901234567890123456789012
	local f=123456789012345678901234567890

	image 64M
	for p in lock_dlm lock_nolock; do
		refused "Invalid lock table: invalid character '/'" -p $p \
			-t a/b:c "$img"
		refused "Invalid lock table: missing colon" -p $p -t ab "$img"
		refused "Invalid lock table: contains more than one colon" \
			-p $p -t a:b:c "$img"
		refused "Invalid lock table: cluster name is missing" -p $p \
			-t :b "$img"
		refused "Invalid lock table: file system name is missing" \
			-p $p -t a: "$img"
		refused "Invalid lock table: cluster name is too long" -p $p \
			-t "${c}3:b" "$img"
		refused "Invalid lock table: file system name is too long" \
			-p $p -t "a:${f}1" "$img"
		refused "Invalid lock table: invalid character" -p $p \
			-t $'a\x80:b' "$img"
	done
	"$mkfs" -q -O -t "$c:$f" "$img"
	[ "$(dd if="$img" bs=1 skip=$((65536 + 160)) count=63 status=none)" = \
		"$c:$f" ]
	[ "$(number $((65536 + 96)) 9)" = "6c6f636b5f646c6d00" ]
}

@test "refuses bad extended options" {
	image 128M
	local stripes="Stripe unit and stripe width must be specified together"

	refused "Invalid extended option (specified with -o): 'bad'" \
		-o bad -t a:b "$img"
	has "sunit=BYTES"
	refused "Missing argument to 'sunit'" -o sunit -t a:b "$img"
	refused "Missing argument to 'format'" -o format= -t a:b "$img"
	refused "$stripes" -o sunit=4096 -t a:b "$img"
	refused "$stripes" -o swidth=4096 -t a:b "$img"
	refused "Stripe unit (5000) must be a multiple of block size (4096)" \
		-o sunit=5000,swidth=10000 -t a:b "$img"
	refused "Stripe width (12288) must be a multiple of stripe unit (8192)" \
		-o sunit=8192,swidth=12288 -t a:b "$img"
	refused "sunit: not a usable size: '4q'" -o sunit=4q,swidth=8k \
		-t a:b "$img"
	refused "swidth: not a usable size: '99t'" -o sunit=4k,swidth=99t \
		-t a:b "$img"
	refused "Option 'align' must be either 1 or 0" -o align=2 -t a:b "$img"
	refused "Invalid filesystem format: 1800" -o format=1800 -t a:b "$img"
	refused "Invalid filesystem format: 1803" -o format=1803 -t a:b "$img"
	refused "Option 'root_inherit_jdata' must be either 1 or 0" \
		-o root_inherit_jdata=yes -t a:b "$img"
	refused "test_topology takes five numbers" -o test_topology=0:512 \
		-t a:b "$img"
	refused "test_topology: not a number" -o test_topology=0:512:a:0:0 \
		-t a:b "$img"
	refused "Error: Block size 512 is less than minimum logical block size" \
		-b 512 -o test_topology=0:4096:0:0:4096 -t a:b "$img"
}

@test "refuses devices that are too small, and sizes beyond them" {
	image 15M
	refused "gfs2 will not fit on this device" -O -t a:b "$img"
	image 0
	refused "gfs2 will not fit on this device" -O -t a:b "$img"
	image 64M
	refused "Specified size is bigger than the device." -O -t a:b "$img" \
		16385
	refused "Specified size is bigger than the device." -O -t a:b "$img" \
		65m
	refused "Specified size is bigger than the device." -O -t a:b "$img" \
		99999999999999999999
	refused "Not a size: '12x'" -O -t a:b "$img" 12x
	refused "gfs2 will not fit on this device. Maximum size for 2" \
		-O -j 2 -J 17 -t a:b "$img"
	has "on this device is 16MB."
	# The journal fits, the quota change file behind it does not.
	refused "gfs2 will not fit on this device" -O -c 64 -t a:b "$img"
	refused "gfs2 will not fit on this device" -O -j 1000000000 -J 1024 \
		-t a:b "$img"
}

@test "refuses what is neither a file nor a block device" {
	image 16M
	refused "'/dev/null' is not a block device or regular file" -O -t a:b \
		/dev/null
	refused "'$BATS_TEST_TMPDIR' is not a block device" -O -t a:b \
		"$BATS_TEST_TMPDIR"
	mkfifo "$BATS_TEST_TMPDIR/pipe"
	refused "'$BATS_TEST_TMPDIR/pipe' is not a block device" -O -t a:b \
		"$BATS_TEST_TMPDIR/pipe"
	refused "cannot open $BATS_TEST_TMPDIR/none: No such file" -O -t a:b \
		"$BATS_TEST_TMPDIR/none"
}

@test "takes options after the device, the word gfs2, and -D" {
	image 128M
	"$mkfs" -t cl:fs_abc -p lock_dlm -j 2 "$img" -O
	is_volume
	run "$mkfs" gfs2 -p lock_nolock "$img" 16384 -D -O -K
	status_is 0
	has "Journals: 1 of 2048 blocks"
	has "Filesystem size:"
	"$mkfs" -D -t "cluster:name" -j "2" -O "$img"
	"$mkfs" -j 1 -p lock_nolock -O -t a:b "$img"
	PATH=$GFS_BIN:$PATH mkfs -t gfs2 -p lock_nolock -O "$img"
}

@test "says what it made, -q says nothing" {
	image 1G
	run "$mkfs" -O -p lock_nolock -U "$uuid" "$img"
	status_is 0
	has "This will destroy any data on $img"
	has "Block size:                4096"
	has "Device size:               1 GiB (262144 blocks)"
	has "Filesystem size:           1.0 GiB (262143 blocks)"
	has "Journals:                  1"
	has "Journal size:              16MB"
	has "Resource groups:           5"
	has 'Locking protocol:          "lock_nolock"'
	has "UUID:                      $uuid"
	[ "$(blkid -p -o value -s UUID "$img")" = "$uuid" ]
	run "$mkfs" -q -O -p lock_nolock "$img"
	status_is 0
	[ -z "$output" ]
}

@test "asks, names what is there, and takes no for an answer" {
	image 64M
	"$mkfs" -q -O -p lock_nolock "$img"
	before=$(sha256sum <"$img")
	for answer in n '' x; do
		run "$mkfs" -p lock_nolock "$img" <<<"$answer"
		status_is 255
		has "appears to contain an existing filesystem (gfs2)"
		has "Are you sure you want to proceed? [y/n]"
	done
	run "$mkfs" -p lock_nolock "$img" </dev/null
	status_is 255
	[ "$before" = "$(sha256sum <"$img")" ]
	run "$mkfs" -p lock_nolock "$img" <<<y
	status_is 0
	[ "$before" != "$(sha256sum <"$img")" ]
	image 64M
	# One partition of type 83 and the mark of a DOS partition table.
	printf '\203\0\0\0\0\010\0\0\0\0\001\0' | dd of="$img" bs=1 seek=450 \
		conv=notrunc status=none
	printf '\125\252' | dd of="$img" bs=1 seek=510 conv=notrunc status=none
	run "$mkfs" -p lock_nolock "$img" <<<n
	status_is 255
	has "appears to contain a partition table (dos)"
}

@test "names the file behind a symbolic link" {
	image 64M
	ln -s img "$BATS_TEST_TMPDIR/link"
	run "$mkfs" -O -p lock_nolock "$BATS_TEST_TMPDIR/link"
	status_is 0
	has "any data on $BATS_TEST_TMPDIR/link ($(realpath "$img"))"
	is_volume
}

@test "block size and warnings follow the device's topology" {
	image 64M
	run "$mkfs" -O -p lock_nolock -o test_topology=0:512:0:0:512 "$img"
	status_is 0
	has "Block size:                4096"
	run "$mkfs" -O -b 512 -p lock_nolock \
		-o test_topology=0:512:0:0:4096 "$img"
	status_is 0
	has "warning: Block size 512 is inefficient"
	run "$mkfs" -O -p lock_nolock -o test_topology=3584:512:0:0:4096 "$img"
	status_is 0
	has "is not properly aligned"
}

@test "the same with SOURCE_DATE_EPOCH and a uuid, else not" {
	export SOURCE_DATE_EPOCH=1700000000
	for n in 1 2; do
		image 100M $n
		"$mkfs" -q -O -j 3 -p lock_nolock -U "$uuid" "$img"
	done
	cmp "$BATS_TEST_TMPDIR/1" "$BATS_TEST_TMPDIR/2"
	# di_atime of journal 0's dinode.
	[ $((16#$(number $((18 * 4096 + 72)) 8))) -eq 1700000000 ]
	image 100M 2
	"$mkfs" -q -O -j 3 -p lock_nolock -U random "$img"
	run cmp "$BATS_TEST_TMPDIR/1" "$BATS_TEST_TMPDIR/2"
	status_is 1
	"$mkfs" -q -O -j 3 -p lock_nolock -U clear "$img"
	[ "$(number $((65536 + 256)) 16 | tr -d 0)" = "" ]
	SOURCE_DATE_EPOCH=x refused "SOURCE_DATE_EPOCH is not a time: 'x'" \
		-O -p lock_nolock "$img"
}

@test "what was on the device is not in the way" {
	head -c 100M /dev/urandom >"$BATS_TEST_TMPDIR/img"
	img=$BATS_TEST_TMPDIR/img
	for b in 512 4096; do
		"$mkfs" -q -O -b $b -j 2 -p lock_nolock "$img"
		[ "$(number 0 65536 | tr -d 0)" = "" ]
		[ "$(blkid -p -o value -s TYPE "$img")" = gfs2 ]
		peer_clean "$img"
	done
}

@test "a failing device is named, and is no filesystem" {
	image 64M
	"$mkfs" -q -O -p lock_nolock "$img"
	for n in 2 3 5 9 11; do
		is_volume
		GFS_FAULT=write=$n,error=EIO run "$mkfs" -q -O -p lock_nolock \
			"$img"
		status_is 1
		has "mkfs.gfs2: $img: block "
		has "cannot write: Input/output error"
		no_superblock
		"$mkfs" -q -O -p lock_nolock "$img"
	done
	GFS_FAULT=write=4,error=ENOSPC run "$mkfs" -O -p lock_nolock "$img"
	status_is 1
	has "cannot write: No space left on device"
	has_not "UUID:"
}

@test "a power cut at any write leaves no filesystem" {
	image 20M
	for n in 2 3 4 6 8 9 10 11 12; do
		"$mkfs" -q -O -j 1 -p lock_nolock "$img"
		is_volume
		GFS_FAULT=stop=$n "$mkfs" -q -O -j 1 -p lock_nolock "$img"
		no_superblock
	done
}

@test "a signal stops it between writes; there is no filesystem then" {
	image 10T
	GFS_FAULT='' run timeout -s INT --preserve-status 0.7 "$mkfs" -q -O \
		-J 8 -r 32 -p lock_nolock "$img"
	status_is 1
	has "interrupted"
	no_superblock
	image 64M
	run timeout -s INT --preserve-status 0.4 "$mkfs" -p lock_nolock "$img" \
		< <(sleep 5)
	status_is 255
	no_superblock
}

@test "a block device: discarded, held alone" {
	image 64M
	loop=$(losetup -f --show "$img") || skip "no loop devices"
	printf x | dd of="$img" bs=1 seek=40000000 conv=notrunc status=none
	run "$mkfs" -O -K -p lock_nolock "$loop"
	[ "$status" -ne 0 ] || [ "$(number 40000000 1)" = 78 ] || status=99
	kept=$status
	run "$mkfs" -O -p lock_nolock "$loop"
	[ "$status" -ne 0 ] || [ "$(number 40000000 1)" = 00 ] || status=98
	losetup -d "$loop"
	[ "$kept" -eq 0 ]
	status_is 0
	peer_clean "$img"
}

@test "a mounted device is refused" {
	image 64M
	mkfs.ext4 -q "$img" || skip "no mkfs.ext4"
	loop=$(losetup -f --show "$img") || skip "no loop devices"
	mkdir "$BATS_TEST_TMPDIR/mnt"
	if ! mount -t ext4 "$loop" "$BATS_TEST_TMPDIR/mnt"; then
		losetup -d "$loop"
		skip "cannot mount"
	fi
	run "$mkfs" -O -p lock_nolock "$loop"
	umount "$BATS_TEST_TMPDIR/mnt"
	losetup -d "$loop"
	status_is 255
	has "mkfs.gfs2: $loop is in use"
	[ "$(blkid -p -o value -s TYPE "$img")" = ext4 ]
}

@test "large volumes take little memory and few writes" {
	image 1T
	# A program under strace cannot look for leaks.
	ASAN_OPTIONS=detect_leaks=0 run strace -f -c -e trace=write,pwrite64,pwritev "$mkfs" -q -O -j 1 \
		-p lock_nolock "$img"
	status_is 0
	calls=$(echo "$output" | awk '$NF == "total" { print $4 }')
	[ "$calls" -gt 1000 ]
	[ "$calls" -le 5000 ]
	case $BUILD in *-asan*) skip "the sanitizer takes memory" ;; esac
	image 10T
	( ulimit -v 65536; "$mkfs" -q -O -J 8 -r 2048 -p lock_nolock "$img" )
	is_volume
}
