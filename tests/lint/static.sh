#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Static analysis: those checks of clang-tidy and cppcheck that judge our
# code rightly. LINT_FLAGS are the compiler flags, set by `make lint`.
. tests/lint/lib.sh

# Left out: what disagrees with kernel style (memcmp as a truth value,
# neighbouring parameters of one type) and what is mostly wrong, since it does
# not follow list pointers, va_list, and results that a function in another
# file sets when it returns 0 (valist, Malloc, NullDereference, uninitialized
# of clang 14; uninitStructMember of cppcheck; gcc's -Wmaybe-uninitialized and
# the sanitizers look after these).
checks="-*,bugprone-*,-bugprone-easily-swappable-parameters"
checks="$checks,-bugprone-reserved-identifier"
checks="$checks,-bugprone-narrowing-conversions"
checks="$checks,-bugprone-suspicious-string-compare"
checks="$checks,-bugprone-implicit-widening-of-multiplication-result"
checks="$checks,-bugprone-sizeof-expression,-bugprone-branch-clone"
checks="$checks,-bugprone-assignment-in-if-condition"
checks="$checks,clang-analyzer-core.DivideZero"
checks="$checks,clang-analyzer-core.UndefinedBinaryOperatorResult"
checks="$checks,-bugprone-not-null-terminated-result"
checks="$checks,clang-analyzer-core.StackAddressEscape"
checks="$checks,clang-analyzer-deadcode.*,clang-analyzer-unix.cstring.*"

tidy() {
	# The flags hold quotes, hence eval; they are expanded there.
	# shellcheck disable=SC2016
	sources c | grep -v '^tests/' | xargs -n 8 -P 2 sh -c '
		eval "clang-tidy --quiet --checks=\"\$0\" \"\$@\" \
			-- $LINT_FLAGS" 2>/dev/null
	' "$checks" | grep -E 'warning:|error:'
}

cpp() {
	# shellcheck disable=SC2046 # a list
	cppcheck -q --enable=warning,portability --inline-suppr -j2 \
		-D_GNU_SOURCE -Ilibgfs --suppress=preprocessorErrorDirective \
		--suppress=uninitStructMember --suppress=uninitvar \
		$(ls -d libgfs mkfs fsck debugfs rgstat 2>/dev/null) 2>&1
}

judge "clang-tidy finds nothing" "$(tidy)"
judge "cppcheck finds nothing" "$(cpp)"
judged
