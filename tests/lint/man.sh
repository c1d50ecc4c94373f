#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Manual pages are there and well formed.
. tests/lint/lib.sh

for p in "${BUILD:-build}"/bin/*; do
	[ -x "$p" ] || continue
	p=${p##*/}
	case $p in *.gfs2) page=man/$p.8 ;; *) page=man/$p.1 ;; esac
	judge "$p has a manual page" "$([ -e "$page" ] || echo "no $page")"
done
for page in man/*.[158]; do
	[ -e "$page" ] || continue
	judge "$page is well formed" \
		"$(mandoc -T lint -W warning "$page" 2>&1)"
done
judged
