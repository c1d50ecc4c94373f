# SPDX-License-Identifier: GPL-2.0-or-later
# The real kernel (UML) finishes a transaction of our journal writer that was
# stopped behind its commit block, by mounting the volume.
load ../helpers
load uml

SIZES="512 1024 4096"

setup_file() {
	local bs
	local -a images=()

	for bs in $SIZES; do
		img=$BATS_FILE_TMPDIR/$bs
		truncate -s 128M "$img"
		"$peer_mkfs" -q -O -p lock_nolock -b "$bs" -j 2 -J 8 "$img"
		"$BUILD/test/logtx" make "$img" "$img.expect"
		images+=("$img")
	done
	uml_run 'for d; do stat -c %a "$d"; done >"$SHARE/modes"
		dmesg | grep -i "jid=0" >"$SHARE/recovery"' "${images[@]}"
	mv "$UML_SHARE/modes" "$UML_SHARE/recovery" "$BATS_FILE_TMPDIR"
}

teardown() {
	uml_stop
}

kernel_replayed() {
	img=$BATS_FILE_TMPDIR/$1
	"$BUILD/test/logtx" check "$img" "$img.expect"
	peer_clean "$img"
}

@test "UML, block size 512: the kernel replays a transaction of ours" {
	kernel_replayed 512
}

@test "UML, block size 1024: the kernel replays a transaction of ours" {
	kernel_replayed 1024
}

@test "UML, block size 4096: the kernel replays a transaction of ours" {
	kernel_replayed 4096
}

@test "UML: the kernel counts copies and revokes as they were written" {
	local seen=$BATS_FILE_TMPDIR/recovery

	[ "$(grep -c 'jid=0: Replayed 779 of 780 blocks' "$seen")" -eq 3 ]
	[ "$(grep -c 'jid=0: Found 1200 revoke tags' "$seen")" -eq 3 ]
	# The root directory's mode is part of the transaction.
	[ "$(sort -u "$BATS_FILE_TMPDIR/modes")" = 711 ]
	[ "$(grep -c . "$BATS_FILE_TMPDIR/modes")" -eq 3 ]
}
