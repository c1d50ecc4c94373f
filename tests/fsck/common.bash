# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # base, debugfs, fsck: set by those who load this
# For the recipes of broken volumes: a sound base image is broken by
# commands of debugfs.gfs2 -w; fsck has to find exactly that.
#
# A file sets $base in its setup_file (exported).

# broken CMD...: $img is a copy of $base, broken by these commands.
broken() {
	local -a args=()
	local c

	img=$BATS_TEST_TMPDIR/img
	cp --sparse=always "$base" "$img"
	for c; do
		args+=(-R "$c")
	done
	"$debugfs" -w "${args[@]}" "$img" >"$BATS_TEST_TMPDIR/debugfs.out" \
		2>&1 || { cat "$BATS_TEST_TMPDIR/debugfs.out"; return 1; }
}

# checks FILE: the ids of the findings in fsck's JSON, each once.
checks() {
	jq -r '[.problems[].id] | unique | join(" ")' "$1"
}

# fsck_finds STATUS IDS OPTION: one run of fsck and its findings.
fsck_finds() {
	local out=$BATS_TEST_TMPDIR/fsck.json rc=0 ids

	timeout 60 "$fsck" "$3" --json "$img" >"$out" 2>"$out.err" || rc=$?
	ids=$(checks "$out")
	[ "$rc" -eq "$1" ] && [ "$ids" = "$2" ] && return 0
	echo "fsck $3: status $rc and $ids, want $1 and $2"
	cat "$out" "$out.err"
	return 1
}

# repaired IDS CMD...: -n reports these checks and writes nothing, -y repairs
# all, a second run finds nothing, gfs2-utils finds nothing. IDS may be
# "FIRST/MORE" when only a repair brings up the rest.
repaired() {
	local ids=$1

	shift
	broken "$@"
	cp --sparse=always "$img" "$img.before"
	fsck_finds 4 "${ids%%/*}" -n
	cmp "$img" "$img.before"
	fsck_finds 1 "${ids/\// }" -y
	cp --sparse=always "$img" "$img.before"
	fsck_finds 0 "" -y
	cmp "$img" "$img.before"
	fsck_finds 0 "" -n
	peer_clean "$img"
}

# left IDS CMD...: reported, but with nothing that could be done yet: nothing
# is written, not even by -y.
left() {
	local ids=$1

	shift
	broken "$@"
	cp --sparse=always "$img" "$img.before"
	fsck_finds 4 "$ids" -n
	fsck_finds 4 "$ids" -y
	cmp "$img" "$img.before"
}
