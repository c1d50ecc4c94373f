#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every option, command and check that a program tells about itself is in its
# manual page, and in a test.
. tests/lint/lib.sh
bin=${BUILD:-build}/bin

# Options of a program's --help: "-x" and "--long" at the start of a line.
options() {
	"$bin/$1" --help 2>&1 | awk '
	/^ *-/ {
		for (i = 1; i <= NF && $i ~ /^-/; i++) {
			sub(/[,=[].*/, "", $i)
			print $i
		}
	}' | sort -u
}

# A page's text, where "\-" and formatting are gone.
page() {
	case $1 in *.gfs2) f=man/$1.8 ;; *) f=man/$1.1 ;; esac
	[ ! -e "$f" ] || mandoc -T ascii "$f" | col -b
}

# not_in TEXT WORD...: words that do not stand alone in the text.
absent() {
	text=$1
	shift
	for word; do
		echo "$text" | tr -c 'A-Za-z0-9-' '[\n*]' |
			grep -qxF -- "$word" || echo "$word"
	done
}

tests_of() {
	find tests -name '*.bats' -o -name '*.sh' -o -name '*.bash' |
		grep -v tests/lint | xargs cat
}

all_tests=$(tests_of)
for p in "$bin"/*; do
	[ -x "$p" ] || continue
	p=${p##*/}
	opts=$(options "$p")
	text=$(page "$p")
	# shellcheck disable=SC2086 # a list
	judge "$p: options are in the manual page" "$(absent "$text" $opts)"
	# shellcheck disable=SC2086 # a list
	judge "$p: options are in a test" "$(absent "$all_tests" $opts)"
	judge "$p: --help lists options" "$([ -n "$opts" ] || echo none)"
done
judged
