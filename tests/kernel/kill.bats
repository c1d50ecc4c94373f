# SPDX-License-Identifier: GPL-2.0-or-later
# The real kernel (UML) is killed at a random moment while it changes
# volumes of each block size; fsck replays and repairs; everything that was
# synced before the kill is still there, as gfs2-utils and the kernel judge.
#
# KILL_ROUNDS rounds, each one kill of a guest that has four volumes mounted.
# SEED repeats a run: round N of it has the seed SEED + N, in delays and in
# what the volumes see (but not to the instruction).
load ../helpers
load uml

SIZES="512 1024 2048 4096"
: "${KILL_ROUNDS:=20}"

setup() {
	images=()
	for bs in $SIZES; do
		images+=("$BATS_TEST_TMPDIR/$bs")
	done
}

teardown() {
	uml_stop
}

make_volumes() {
	for img in "${images[@]}"; do
		rm -f "$img"
		truncate -s 96M "$img"
		"$mkfs" -q -O -p lock_nolock -b "${img##*/}" -j 2 -J 8 "$img"
	done
}

# repair IMAGE: our fsck, twice, then gfs2-utils' opinion.
repair() {
	local rc=0

	"$fsck" -y "$1" >"$BATS_TEST_TMPDIR/fsck.out" 2>&1 || rc=$?
	if [ $rc -gt 1 ]; then
		cat "$BATS_TEST_TMPDIR/fsck.out"
		echo "fsck -y: exit $rc"
		return 1
	fi
	fsck_clean "$1" || {
		echo "the repair before it said:"
		cat "$BATS_TEST_TMPDIR/fsck.out"
		return 1
	}
	peer_clean "$1"
}

# one_round SEED: kill after 0.1 to 2.5 seconds of work.
one_round() {
	local log=$BATS_TEST_TMPDIR/log delay img
	local -a opts=(acl,noatime acl,data=writeback,hostdata=jid=1
		acl,quota=on acl,discard,quota=account,hostdata=jid=1)

	delay=$(awk -v s="$1" 'BEGIN { srand(s); printf "%.3f",
		0.1 + 2.4 * rand() }')
	echo "repeat with SEED=$1 KILL_ROUNDS=1: killed after $delay s"
	make_volumes
	uml_crash -o "${opts[$1 % 4]}" "$delay" "for d; do
		\"\$H/churn\" run \"\$d\" $1 &
	done
	wait" "${images[@]}" >"$log"
	if grep -E '^churn:|I/O error|withdraw|BUG:' "$log"; then
		return 1
	fi
	for img in "${images[@]}"; do
		echo "block size ${img##*/}"
		repair "$img"
	done
	cp "$log" "$UML_SHARE/log"
	uml_run "rc=0
	for d; do
		\"\$H/churn\" verify \"\$d\" <\"\$SHARE/log\" || rc=1
	done
	exit \$rc" "${images[@]}"
}

@test "UML: after each kill fsck leaves clean volumes with all synced files" {
	local first=${SEED:-$(date +%s)} n

	for ((n = 0; n < KILL_ROUNDS; n++)); do
		one_round $((first + n))
	done
	[ "$n" -gt 0 ]
}
