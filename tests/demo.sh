#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The main job from start to end, each command shown before it runs: make a
# volume, let the real kernel use it until its power goes, repair it, look
# inside, ask for lock names, replay recorded lock statistics.
# shellcheck disable=SC2016 # scripts for the guest

set -euo pipefail
cd "$(dirname "$0")/.."
ROOT=$PWD
BUILD=${BUILD:-$ROOT/build}
export LC_ALL=C TZ=UTC
PATH=$BUILD/bin:$PATH

tmp=$(mktemp -d "${TMPDIR:-/tmp}/gfs-demo.XXXXXX")
img=$tmp/volume
BATS_FILE_TMPDIR=$tmp
# shellcheck source=tests/kernel/uml.bash
. tests/kernel/uml.bash
trap 'uml_stop; rm -rf "$tmp"' EXIT

say() {
	printf '\n## %s\n' "$*"
}

# show [-e STATUS] [-n LINES] COMMAND...: runs it; its exit status must match
# STATUS, 0 when not said; prints LINES of the output, 25 when not said.
show() {
	local want=0 lines=25 rc=0 total word text='$'

	while :; do
		case $1 in
		-e) want=$2 ;;
		-n) lines=$2 ;;
		*) break ;;
		esac
		shift 2
	done
	for word; do
		case $word in *' '*) word=\"$word\" ;; esac
		text="$text $word"
	done
	echo "$text" | sed "s|$tmp/||g"
	"$@" >"$tmp/out" 2>&1 || rc=$?
	total=$(wc -l <"$tmp/out")
	head -n "$lines" "$tmp/out" | sed "s|$tmp/||g"
	if [ "$total" -gt "$lines" ]; then
		echo "... ($((total - lines)) more lines)"
	fi
	# shellcheck disable=SC2254 # a pattern
	case $rc in $want) return 0 ;; esac
	tail -n 20 "$tmp/out"
	echo "demo: exit status $rc, not $want" >&2
	exit 1
}

say "A volume of 256 MiB in a sparse file"
truncate -s 256M "$img"
show mkfs.gfs2 -O -p lock_nolock -t demo:volume -j 2 -J 8 "$img"
show fsck.gfs2 -n "$img"

say "The real kernel driver mounts and fills it (user-mode-linux)"
uml_run '"$K/fill.sh" "$1"; df -h "$1"' "$img" >"$tmp/console"
grep /dev/ubda "$tmp/console"
show fsck.gfs2 -n "$img"

say "Again, and its power goes after a second of work"
uml_crash 1 '"$H/churn" run "$1" 1' "$img" >"$tmp/console"
echo "$(grep -c ': synced' "$tmp/console") times a file was synced"
show debugfs.gfs2 -R journals "$img"
say "What a repair would do: the journal is replayed in memory"
show -e '[04]' fsck.gfs2 -n "$img"
show -e '[01]' fsck.gfs2 -y "$img"
say "A second run finds nothing"
show fsck.gfs2 -n "$img"

say "The kernel finds every file that was synced before"
cp "$tmp/console" "$UML_SHARE/log"
uml_run '"$H/churn" verify "$1" <"$SHARE/log"' "$img" >"$tmp/console"
grep promise "$tmp/console"

say "Look inside"
show debugfs.gfs2 -R "ls /" "$img"
show -n 3 debugfs.gfs2 -R "cat /large/two" "$img"
show -n 12 debugfs.gfs2 -R "stat /links/b" "$img"

say "Lock names, both ways"
show -n 12 debugfs.gfs2 -R locknames "$img"
show debugfs.gfs2 -R "encode /links/b" "$img"
name=$(debugfs.gfs2 -R "encode /links/b" "$img" |
	grep -oE '\b2/[0-9a-f]+' | head -1)
show debugfs.gfs2 -R "decode $name" "$img"

say "Lock statistics recorded on a cluster: was a resource group congested?"
data=tests/data/traces
show -n 12 rgstat show $data/mix-node1.snap.tar.xz
show -n 12 rgstat replay --differ $data/mix-node1.ftrace.txt.xz

say "All steps succeeded"
