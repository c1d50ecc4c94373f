# SPDX-License-Identifier: GPL-2.0-or-later
# Damages of superblock, resource groups and system files, on an empty volume
# made by gfs2-utils.
load ../helpers
load common

setup_file() {
	export base=$BATS_FILE_TMPDIR/base
	truncate -s 256M "$base"
	"$peer_mkfs" -O -q -p lock_nolock -j 2 -J 8 "$base" >/dev/null
}

@test "the base is clean" {
	img=$base
	fsck_finds 0 "" -n
	peer_clean "$base"
}

@test "C004: superblock-header-format" {
	repaired "C004" "set sb mh_format 99"
}

@test "C005: superblock-version" {
	repaired "C005" "set sb sb_fs_format 7"
}

@test "C007: superblock-multihost" {
	repaired "C007" "set sb sb_multihost_format 0"
}

@test "C008: superblock-block-size" {
	repaired "C008" "set sb sb_bsize 8192"
}

@test "C009: superblock-shift" {
	repaired "C009" "set sb sb_bsize_shift 3"
}

@test "C013: superblock-formal" {
	repaired "C013" "set sb sb_root_dir.no_formal_ino 999"
}

@test "C014: superblock-lock-protocol" {
	repaired "C014" "set sb sb_lockproto fsck_nolock"
}

@test "C021: rindex-size" {
	size=$("$debugfs" --json -R "get rindex di_size" "$base" |
		jq -r 'to_entries[-1].value')
	repaired "C021" "set rindex di_size $((size + 40))"
}

@test "C033: rindex-missing-entry" {
	broken "set rindex di_size 192"
	fsck_finds 4 "C033" -n
	fsck_finds 4 "C033" -y
	cp --sparse=always "$base" "$img.base"
	"$debugfs" -w -R "set rindex di_size 192" "$img.base"
	cmp "$img" "$img.base"
}

@test "C023: rindex-address" {
	repaired "C023" "set rindex 0.ri_addr 5"
}

@test "C025: rindex-length" {
	repaired "C025" "set rindex 1.ri_length 9"
}

@test "C026: rindex-data0" {
	repaired "C026" "set rindex 1.ri_data0 77777"
}

@test "C027: rindex-bitbytes" {
	repaired "C027" "set rindex 1.ri_bitbytes 3"
}

@test "C040: rgrp-header" {
	repaired "C040" "set rg 0 mh_magic 0"
}

@test "C041: rgrp-checksum" {
	repaired "C041" "set rg 0 rg_crc 77"
}

@test "C042: rgrp-bitmap-header" {
	repaired "C042" "set rg 2+1 mh_magic 0"
}

@test "C043: rgrp-header-format" {
	repaired "C043" "set rg 2+1 mh_format 0"
}

@test "C044: rgrp-free-count" {
	repaired "C044" "set --seal rg 1 rg_free 7"
}

@test "C045: rgrp-dinode-count" {
	repaired "C045" "set --seal rg 1 rg_dinodes 7"
}

@test "C046: rgrp-geometry" {
	repaired "C046" "set --seal rg 0 rg_data0 7"
}

@test "C047: rgrp-skip" {
	repaired "C047" "set --seal rg 0 rg_skip 7"
}

@test "C048: rgrp-flags" {
	repaired "C048" "set --seal rg 0 rg_flags 0x20"
}

@test "C083: system-flag" {
	repaired "C083" "set statfs_change0 di_flags JDATA"
}

@test "C086: system-mode" {
	repaired "C086" "set inum di_mode 040755"
}

@test "C094: system-file-size" {
	repaired "C094" "set statfs di_size 23"
}

@test "C098: quota-change-header" {
	repaired "C098" "set quota_change0:3 mh_magic 0"
}

@test "C100: quota-change-flags" {
	repaired "C100" "set quota_change0:0 be64[24] 1" "set quota_change0:0 be32[32] 0x10"
}

@test "C132: journal-jdata" {
	repaired "C132" "set journal0 di_flags 'SYSTEM|JDATA'"
}

@test "C280: bitmap-unreferenced" {
	repaired "C280" "setbit 12000 used"
}

@test "C140: dinode-destroyed" {
	repaired "C140" "setbit 12000 dinode"
}

@test "C281: bitmap-free-in-use" {
	repaired "C281" "setbit quota_change0->ptr[0] free"
}

@test "C282: bitmap-state" {
	repaired "C282" "setbit quota_change0->ptr[0] dinode"
}

@test "C290: statfs" {
	repaired "C290" "set statfs sc_free 4"
}

@test "C290: statfs-change" {
	repaired "C290" "set statfs_change0 sc_free 4"
}
