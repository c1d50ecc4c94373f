# SPDX-License-Identifier: GPL-2.0-or-later
# The real kernel (UML) mounts and uses volumes of many shapes that our mkfs
# made; fsck and gfs2-utils find them clean before and after.
load ../helpers
load uml

teardown() {
	uml_stop
}

# used SIZE OPTION... for each line of the input: up to eight volumes at once.
kernel_uses() {
	local size opts n=0 img script
	local -a images=()

	while read -r size opts; do
		img=$BATS_TEST_TMPDIR/$n
		truncate -s "$size" "$img"
		# shellcheck disable=SC2086 # a list
		"$mkfs" -q -O -p lock_nolock $opts "$img"
		fsck_clean "$img"
		images+=("$img")
		n=$((n + 1))
	done
	[ "$n" -gt 0 ]
	script='for d; do
		mkdir "$d/dir"
		seq 1 50000 >"$d/dir/file"
		for i in 1 2 3 4 5 6 7 8; do : >"$d/dir/$i"; done
		rm "$d/dir/3"
		sync -f "$d"
		[ "$(tail -n 1 "$d/dir/file")" = 50000 ]
	done'
	uml_run "$script" "${images[@]}"
	for img in "${images[@]}"; do
		fsck_clean "$img"
		peer_clean "$img"
	done
}

@test "UML: the kernel uses volumes of all block sizes and group sizes" {
	kernel_uses <<-END
		40M -b 512 -J 8
		333M -b 512 -J 16 -r 32
		40M -b 1024 -J 8
		1G -b 1024 -r 64 -J 8 -j 3
		40M -b 2048 -J 8
		3G -b 2048 -r 2048 -j 2
		48M -b 4096 -J 8
		5G -b 4096 -r 512 -j 4 -J 64
	END
}

@test "UML: the kernel uses volumes of odd sizes, old format, large size" {
	kernel_uses <<-END
		70000001 -J 8
		1T -j 1
		100G -b 512 -r 2048
		200M -o format=1801 -J 8
		2T -j 1
		100M -c 4 -J 8
		257M -o sunit=65536,swidth=262144 -J 8
		80M -j 5 -J 8
	END
}
