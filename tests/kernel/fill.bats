# SPDX-License-Identifier: GPL-2.0-or-later
# A volume of ours that the real kernel (UML) mounted and filled with one of
# everything: what the kernel reads, our programs read.
# One guest fills all block sizes; tests look at what it left.
load ../helpers
load uml

SIZES="512 1024 2048 4096"
: "${SCALE:=1}"

setup_file() {
	local bs
	local -a images=()

	for bs in $SIZES; do
		img=$BATS_FILE_TMPDIR/$bs
		truncate -s 128M "$img"
		"$mkfs" -q -O -p lock_nolock -b "$bs" -j 1 -J 8 "$img"
		images+=("$img")
	done
	uml_run "for d; do
		\"\$K/fill.sh\" \"\$d\" $SCALE
		\"\$K/manifest.sh\" \"\$d\" >\"\$SHARE/\${d##*/}\"
	done" "${images[@]}"
	for bs in $SIZES; do
		mv "$UML_SHARE/$(letter "$bs")" "$BATS_FILE_TMPDIR/$bs.seen"
	done
}

teardown() {
	uml_stop
}

# The mount point of a block size in the guest: a, b, c, d.
letter() {
	case $1 in
	512) echo a ;;
	1024) echo b ;;
	2048) echo c ;;
	4096) echo d ;;
	esac
}

kernel_filled() {
	[ "$(grep -c . "$BATS_FILE_TMPDIR/$1.seen")" -gt 900 ]
	fsck_clean "$BATS_FILE_TMPDIR/$1"
	peer_clean "$BATS_FILE_TMPDIR/$1"
}

@test "UML, block size 512: what the kernel filled is clean" {
	kernel_filled 512
}

@test "UML, block size 1024: what the kernel filled is clean" {
	kernel_filled 1024
}

@test "UML, block size 2048: what the kernel filled is clean" {
	kernel_filled 2048
}

@test "UML, block size 4096: what the kernel filled is clean" {
	kernel_filled 4096
}

# Every regular file, by inode and by path, in one run of debugfs.
debugfs_reads() {
	local seen=$BATS_FILE_TMPDIR/$1.seen img=$BATS_FILE_TMPDIR/$1
	local out=$BATS_TEST_TMPDIR/out path inode sum n=0

	mkdir "$out"
	while IFS=$'\t' read -r _ path _ _ _ _ _ _ inode; do
		sum=$(awk -F'\t' -v p="$path" \
			'$1 == "sum" && $2 == p { print $3 }' "$seen")
		[ -n "$sum" ] || continue
		echo "dump <$inode> $out/$n" >>"$out/script"
		echo "$sum  $out/$n" >>"$out/sums"
		n=$((n + 1))
	done < <(grep -P '^stat\t' "$seen")
	[ "$n" -gt 400 ]
	"$debugfs" -f "$out/script" "$img"
	sha256sum --quiet --strict -c "$out/sums"

	# Paths: those that need no quoting.
	awk -F'\t' '$1 == "sum" && $2 ~ /^[.\/a-z0-9A-Z]+$/ {
		print substr($2, 2) "\t" $3 }' "$seen" >"$out/paths"
	[ "$(grep -c . "$out/paths")" -gt 30 ]
	while IFS=$'\t' read -r path sum; do
		[ "$("$debugfs" -R "cat $path" "$img" | sha256sum)" = \
			"$sum  -" ] || { echo "cat $path differs"; return 1; }
	done <"$out/paths"
}

@test "UML, block size 512: debugfs reads every file as the kernel does" {
	debugfs_reads 512
}

@test "UML, block size 1024: debugfs reads every file as the kernel does" {
	debugfs_reads 1024
}

@test "UML, block size 2048: debugfs reads every file as the kernel does" {
	debugfs_reads 2048
}

@test "UML, block size 4096: debugfs reads every file as the kernel does" {
	debugfs_reads 4096
}

# Names, types, owners, sizes, times, link counts of everything, by ls of each
# directory; names and sizes of extended attributes, by stat.
debugfs_lists() {
	local seen=$BATS_FILE_TMPDIR/$1.seen img=$BATS_FILE_TMPDIR/$1
	local out=$BATS_TEST_TMPDIR inode mode rest

	awk -F'\t' '$1 == "stat" {
		n = split($2, part, "/")
		if ($3 ~ /^4/)
			print "ls -l <" $9 ">" >dirs
		print $9 "\t" $3 "\t" $4 "\t" $5 "\t" $6 "\t" $7 \
			"\t" $8 "\t" part[n]
	}' dirs="$out/dirs" "$seen" |
	while IFS=$'\t' read -r inode mode rest; do
		printf '%d\t%07o\t%s\n' "$inode" "0x$mode" "$rest"
	done | sort >"$out/want"
	echo "ls -l /" >>"$out/dirs"
	"$debugfs" --json -f "$out/dirs" "$img" | jq -r '.[] |
		select(.name != "." and .name != "..") |
		"\(.block)\t\(.mode)\t\(.uid)\t\(.gid)\t\(.size)\t" +
		"\(.mtime)\t\(.links)\t\(.name)"' | sort >"$out/got"
	[ "$(grep -c . "$out/want")" -gt 500 ]
	diff "$out/want" "$out/got"

	awk -F'\t' '$1 == "stat" { inode[$2] = $9 }
	$1 == "xattr" {
		at = index($3, "=")
		print inode[$2] "\t" substr($3, 1, at - 1) "\t" \
			(length($3) - at - 2) / 2
	}' <(sort "$seen") | sort >"$out/want"
	[ "$(grep -c . "$out/want")" -ge 19 ]
	cut -f1 "$out/want" | uniq | sed 's/.*/stat <&>/' >"$out/stats"
	"$debugfs" --json -f "$out/stats" "$img" | jq -r '. as $i |
		.xattrs[] | "\($i.inode)\t\(.name)\t\(.size)"' |
		sort >"$out/got"
	diff "$out/want" "$out/got"
}

@test "UML, block size 512: debugfs lists what the kernel lists" {
	debugfs_lists 512
}

@test "UML, block size 1024: debugfs lists what the kernel lists" {
	debugfs_lists 1024
}

@test "UML, block size 2048: debugfs lists what the kernel lists" {
	debugfs_lists 2048
}

@test "UML, block size 4096: debugfs lists what the kernel lists" {
	debugfs_lists 4096
}

# The driver of Linux 6.1 shows device numbers only until an inode is read
# again (they are right on the disk), hence not those.
@test "UML: a second mount shows the same trees" {
	local bs
	local -a images=()

	for bs in $SIZES; do
		images+=("$BATS_FILE_TMPDIR/$bs")
	done
	uml_run "for d; do
		\"\$K/manifest.sh\" \"\$d\" >\"\$SHARE/\${d##*/}\"
	done" "${images[@]}"
	for bs in $SIZES; do
		diff <(grep -v ^rdev "$BATS_FILE_TMPDIR/$bs.seen") \
			<(grep -v ^rdev "$UML_SHARE/$(letter "$bs")")
	done
}
