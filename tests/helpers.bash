# SPDX-License-Identifier: GPL-2.0-or-later
# For all bats files: programs under test, the peer's, images.
# Use: `load ../helpers` at the top of a file.
#
# GFS_BIN is the folder of the programs under test, set by `make check`.

# shellcheck disable=SC2034,SC2154 # for, and from, the bats files

ROOT=$(cd "${BATS_TEST_DIRNAME:?}/../.." && pwd)
BUILD=${BUILD:-$ROOT/build}
GFS_BIN=${GFS_BIN:-$BUILD/bin}
PEER=${PEER:-/usr/sbin}
export LC_ALL=C TZ=UTC

mkfs=$GFS_BIN/mkfs.gfs2
fsck=$GFS_BIN/fsck.gfs2
debugfs=$GFS_BIN/debugfs.gfs2
rgstat=$GFS_BIN/rgstat
peer_mkfs=$PEER/mkfs.gfs2
peer_fsck=$PEER/fsck.gfs2
peer_edit=$PEER/gfs2_edit

# image SIZE [NAME]: a new sparse file of SIZE (as truncate takes it) in the
# test's own folder, which bats removes. Sets $img.
image() {
	img=$BATS_TEST_TMPDIR/${2:-img}
	rm -f "$img"
	truncate -s "$1" "$img"
}

# status_is N: the status of the last `run` is N; shows the output if not.
status_is() {
	[ "$status" -eq "$1" ] && return 0
	echo "status $status, want $1:"
	echo "$output"
	return 1
}

# has TEXT / has_not TEXT: the output of the last `run` has TEXT or not.
has() {
	case $output in *"$1"*) return 0 ;; esac
	echo "no \"$1\" in:"
	echo "$output"
	return 1
}

has_not() {
	case $output in *"$1"*) ;; *) return 0 ;; esac
	echo "\"$1\" in:"
	echo "$output"
	return 1
}

# peer_clean IMAGE: gfs2-utils finds nothing to repair. It checks a copy:
# its fsck writes the superblock's lock protocol even to a clean volume.
peer_clean() {
	local copy=$BATS_TEST_TMPDIR/peer.$$ rc=0

	cp --sparse=always "$1" "$copy"
	"$peer_fsck" -n "$copy" >"$copy.out" 2>&1 || rc=$?
	[ "$rc" -eq 0 ] || { echo "gfs2-utils: exit $rc"; cat "$copy.out"; }
	rm -f "$copy" "$copy.out"
	return "$rc"
}

# fsck_clean IMAGE: our fsck finds nothing and writes nothing.
fsck_clean() {
	local before after rc=0

	before=$(stat -c %y "$1")
	"$fsck" -n "$1" >"$BATS_TEST_TMPDIR/fsck.out" 2>&1 || rc=$?
	after=$(stat -c %y "$1")
	[ "$rc" -eq 0 ] || { echo "fsck -n: exit $rc"
		cat "$BATS_TEST_TMPDIR/fsck.out"; }
	[ "$before" = "$after" ] || { echo "fsck -n wrote to $1"; rc=99; }
	return "$rc"
}
