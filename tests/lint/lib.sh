# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# TAP for lint scripts, which are run from the top of the tree.

lint_count=0
lint_failed=0

# judge NAME TEXT: passes when TEXT, the findings, is empty.
judge() {
	lint_count=$((lint_count + 1))
	if [ -z "$2" ]; then
		echo "ok $lint_count - $1"
		return
	fi
	lint_failed=1
	echo "not ok $lint_count - $1"
	echo "$2" | sed 's/^/# /' | tee /dev/stderr
}

judged() {
	echo "1..$lint_count"
	exit $lint_failed
}

# Source files by the endings given: `sources c h`.
sources() {
	for ending in "$@"; do
		find libgfs mkfs fsck debugfs rgstat tests -name "*.$ending" \
			-type f 2>/dev/null
	done | sort
}

# allowed RULE: drops findings that exceptions.txt lists. A finding starts
# with "FILE:LINE: " or "FILE: ", and names the function where one is meant.
allowed() {
	awk -v rule="$1" '
	FILENAME == ARGV[1] {
		if ($1 == rule)
			ok[$2] = 1
		next
	}
	{
		file = $1
		sub(/:.*/, "", file)
		if (!(file in ok) && !((file ":" $2) in ok))
			print
	}' tests/lint/exceptions.txt -
}
