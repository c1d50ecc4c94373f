# SPDX-License-Identifier: GPL-2.0-or-later
# The build itself: what `make install` puts where.
load ../helpers

@test "install puts filesystem programs in sbin and man pages beside" {
	make -s -C "$ROOT" BUILD="$BUILD" DESTDIR="$BATS_TEST_TMPDIR/root" \
		PREFIX=/usr install >/dev/null
	cd "$BATS_TEST_TMPDIR/root/usr"
	for p in "$GFS_BIN"/*.gfs2; do
		[ -e "$p" ] || continue
		cmp "$p" "sbin/${p##*/}"
	done
	for m in "$ROOT"/man/*.8; do
		[ -e "$m" ] || continue
		cmp "$m" "share/man/man8/${m##*/}"
	done
}

@test "bootstrap says how it is used" {
	run "$ROOT/bootstrap" --bad-option
	status_is 2
	has "usage: ./bootstrap"
}
