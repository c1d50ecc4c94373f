#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# manifest.sh DIR: all that the kernel shows of a tree, one fact a line,
# tab-separated, sorted:
#   stat PATH MODE(hex) UID GID SIZE MTIME NLINK INODE
#   rdev PATH MAJOR:MINOR (hex)
#   link PATH TARGET
#   sum PATH SHA256
#   xattr PATH NAME=VALUE(hex)
# Files under huge/ are not read.
set -eu
cd "$1"

{
	find . -mindepth 1 -exec stat --printf \
		'stat\t%n\t%f\t%u\t%g\t%s\t%y\t%h\t%i\n' {} +
	find . \( -type b -o -type c \) -exec stat --printf \
		'rdev\t%n\t%t:%T\n' {} +
	find . -type l -printf 'link\t%p\t%l\n'
	find . -type f ! -path './huge/*' -exec sha256sum {} + |
		sed -E 's/^\\?([0-9a-f]{64})  (.*)/sum\t\2\t\1/'
	getfattr -R -h -P -d -m - -e hex . 2>/dev/null | awk '
		/^# file: / { path = "./" substr($0, 9); next }
		/=/ || NF == 1 { print "xattr\t" path "\t" $0 }'
} | sort
