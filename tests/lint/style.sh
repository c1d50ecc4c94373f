#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Sizes and forms that STYLE rules set, for C and shell.
. tests/lint/lib.sh

# Functions start with a { in column 1 and end with a } there.
functions() {
	# shellcheck disable=SC2016 # awk
	sources c h | xargs awk -v what="$1" '
	FNR == 1 { sig = ""; inside = 0 }
	/^\{/ {
		inside = 1
		start = FNR
		name = sig
		sub(/\(.*/, "", name)
		sub(/.*[ *]/, "", name)
		params = sig
		sub(/^[^(]*\(/, "", params)
		sub(/\)[^)]*$/, "", params)
		while (gsub(/\([^()]*\)/, "", params))
			;
		params = gsub(/,/, "", params) + 1
		if (what == "params" && params > 5)
			print FILENAME ":" FNR ": " name " has " params
		next
	}
	inside && /^\}/ {
		if (what == "length" && FNR - start - 1 > 80)
			print FILENAME ":" start ": " name " has " \
				FNR - start - 1 " lines"
		inside = 0
		sig = ""
		next
	}
	inside && what == "nesting" && \
	/^\t\t\t\t+(if|for|while|switch|do)([ (]|$)/ {
		print FILENAME ":" FNR ": " name " nests deeper than 3"
	}
	!inside {
		if ($0 ~ /^[a-z_].*\(/ && sig !~ /\([^)]*$/)
			sig = $0
		else
			sig = sig $0
		if ($0 ~ /;[ \t]*$/ || $0 == "" || $0 ~ /^#/)
			sig = ""
	}' | allowed "$1"
}

lengths() {
	sources c h sh bash bats | while read -r f; do
		n=$(wc -l <"$f")
		[ "$n" -le 500 ] || echo "$f: $n lines"
	done | allowed file
}

columns() {
	sources c h sh bash | while read -r f; do
		expand "$f" | awk -v f="$f" \
			'length > 80 { print f ":" NR ": " length " columns" }'
	done | allowed columns
}

headers() {
	sources c h def sh bash bats | while read -r f; do
		head -2 "$f" |
			grep -q 'SPDX-License-Identifier: GPL-2.0-or-later' ||
			echo "$f: no SPDX line"
		head -4 "$f" | grep -v SPDX | grep -qE '^(//|/\*|#[^!]| \*)' ||
			echo "$f: does not say what it is for"
	done | allowed header
}

words() {
	sources c h def sh bash bats | grep -v '^tests/lint/style.sh$' |
		xargs grep -nE '(TODO|FIXME)([^A-Za-z0-9]|$)|^#if 0' |
		allowed words
}

spaces() {
	sources c h def sh bash bats |
		xargs grep -nE '[ 	]+$' | allowed spaces
}

judge "functions have 80 lines or less" "$(functions length)"
judge "functions have 5 parameters or less" "$(functions params)"
judge "statements nest 3 deep or less" "$(functions nesting)"
judge "files have 500 lines or less" "$(lengths)"
judge "lines have 80 columns or less" "$(columns)"
judge "files start with SPDX and their purpose" "$(headers)"
judge "no TODO, no dead code" "$(words)"
judge "no space at the end of a line" "$(spaces)"
judged
