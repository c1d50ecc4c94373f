# SPDX-License-Identifier: GPL-2.0-or-later
# A transaction of our journal writer, stopped behind its commit block, is
# finished by gfs2-utils: chunks, escapes, revokes with continuation, wrap.
load ../helpers

bats_require_minimum_version 1.5.0

setup() {
	[ -x "$peer_mkfs" ] && [ -x "$peer_fsck" ] || skip "no gfs2-utils"
}

peer_replays() {
	image 128M
	"$peer_mkfs" -q -O -p lock_nolock -b "$1" -j 2 -J 8 "$img"
	"$BUILD/test/logtx" make "$img" "$img.expect"
	run ! "$BUILD/test/logtx" check "$img" "$img.expect"
	run "$peer_fsck" -y "$img"
	status_is 1
	has "jid=0: Replayed 520 of 520 metadata blocks"
	has "jid=0: Replayed 259 of 260 journaled data blocks"
	"$BUILD/test/logtx" check "$img" "$img.expect"
	peer_clean "$img"
}

@test "gfs2-utils replays a transaction of ours, block size 4096" {
	peer_replays 4096
}

@test "gfs2-utils replays a transaction of ours, block size 1024" {
	peer_replays 1024
}

@test "gfs2-utils replays a transaction of ours, block size 512" {
	peer_replays 512
}
