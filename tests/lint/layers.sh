#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Includes point down: see layers.txt.
. tests/lint/lib.sh

findings() {
	# shellcheck disable=SC2016 # awk
	sources c h | grep -v '^tests/' | xargs awk '
	function folder(path) {
		sub(/\/[^\/]*$/, "", path)
		return path
	}
	function resolve(dir, rel) {
		while (sub(/^\.\.\//, "", rel))
			dir = dir ~ /\// ? folder(dir) : ""
		return dir == "" ? rel : dir "/" rel
	}
	# A folder inside a program belongs to the program.
	function layer(dir) {
		while (!(dir in rank) && dir ~ /\//)
			dir = folder(dir)
		return dir
	}
	FILENAME == "tests/lint/layers.txt" {
		if ($0 !~ /^#/)
			for (i = 1; i <= NF; i++)
				rank[$i] = FNR
		next
	}
	/^[ \t]*#[ \t]*include[ \t]*"/ {
		split($0, part, "\"")
		from = layer(folder(FILENAME))
		to = layer(folder(resolve(folder(FILENAME), part[2])))
		if (!(from in rank) || !(to in rank))
			print FILENAME ":" FNR ": no layer for " part[2]
		else if (from != to && rank[to] >= rank[from])
			print FILENAME ":" FNR ": includes " part[2]
	}' tests/lint/layers.txt
}

judge "a file includes only its own and lower layers" "$(findings)"
judged
