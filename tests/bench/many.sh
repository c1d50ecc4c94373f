#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# many.sh DIR: 500 directories of 200 files of 16 KiB. Runs in the guest;
# builtins only, since a process there costs 10 ms.
set -eu
cd "$1"
data=$(printf '%016384d' 7)
for ((d = 0; d < 500; d++)); do
	mkdir "directory.$d"
	for ((f = 0; f < 200; f++)); do
		printf '%s' "$data" >"directory.$d/file.$f"
	done
done
