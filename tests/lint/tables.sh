#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every option, command and check that a program tells about itself is in its
# manual page, and in a test.
. tests/lint/lib.sh
bin=${BUILD:-build}/bin

# Options of a program's --help, the forms of one on a line: "-x --long".
options() {
	"$bin/$1" --help 2>&1 | awk '
	/^ *-/ {
		line = ""
		for (i = 1; i <= NF && $i ~ /^-/; i++) {
			sub(/[,=[].*/, "", $i)
			line = line " " $i
		}
		print line
	}' | sort -u
}

# A page's text, where "\-" and formatting are gone.
page() {
	case $1 in *.gfs2) f=man/$1.8 ;; *) f=man/$1.1 ;; esac
	[ ! -e "$f" ] || mandoc -T ascii "$f" | sed 's/.\x08//g'
}

# in_text WORD TEXT: does the word stand alone in it?
in_text() {
	echo "$2" | tr -c 'A-Za-z0-9-' '[\n*]' | grep -qxF -- "$1"
}

# Every form has to be in a manual page.
not_in_page() {
	for word in $1; do
		in_text "$word" "$2" || echo "$word"
	done
}

# One form of each has to be in a test.
not_in_tests() {
	echo "$1" | while read -r forms; do
		for word in $forms; do
			! in_text "$word" "$2" || continue 2
		done
		echo "$forms"
	done
}

# The tests that speak of a program.
tests_of() {
	find tests -name '*.bats' -o -name '*.sh' -o -name '*.bash' |
		grep -v tests/lint | xargs grep -lE "${1%.gfs2}" | xargs cat
}
for p in "$bin"/*; do
	[ -x "$p" ] || continue
	p=${p##*/}
	opts=$(options "$p")
	text=$(page "$p")
	judge "$p: options are in the manual page" \
		"$(not_in_page "$opts" "$text")"
	judge "$p: options are in a test" \
		"$(not_in_tests "$opts" "$(tests_of "$p")")"
	judge "$p: --help lists options" "$([ -n "$opts" ] || echo none)"
done

# Commands of debugfs, which are listed on any volume.
if [ -x "$bin/debugfs.gfs2" ]; then
	img=$(mktemp)
	trap 'rm -f "$img"' EXIT
	truncate -s 64M "$img"
	"$bin/mkfs.gfs2" -q -O -p lock_nolock -j 1 -J 8 "$img" >/dev/null
	commands=$("$bin/debugfs.gfs2" --json -R help "$img" |
		jq -r '.[].command')
	judge "debugfs.gfs2: commands are in the manual page" \
		"$(not_in_page "$commands" "$(page debugfs.gfs2)")"
	judge "debugfs.gfs2: commands are in a test" \
		"$(not_in_tests "$commands" "$(tests_of debugfs.gfs2)")"
	judge "debugfs.gfs2: help lists commands" \
		"$([ -n "$commands" ] || echo none)"
fi
judged
