#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# All shell goes through shellcheck: scripts, bats helpers, bats files.
. tests/lint/lib.sh

scripts="bootstrap .ci/run tests/run tests/kernel/init tests/bench/run"
scripts="$scripts $(sources sh bash)"

# shellcheck disable=SC2086 # a list
judge "shellcheck finds nothing in scripts" \
	"$(shellcheck -x -f gcc $scripts 2>&1)"

# In bats files: a test's subshell, variables of helpers, `run` and status.
judge "shellcheck finds no error in bats files" \
	"$(sources bats | xargs shellcheck -s bats -S error -f gcc 2>&1)"
judged
