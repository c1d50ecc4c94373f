# SPDX-License-Identifier: GPL-2.0-or-later
# Damages of inodes, trees, directories and xattrs, on a volume of the
# smallest blocks that the real kernel (UML) filled with one of everything.
load ../helpers
load ../kernel/uml
load common

setup_file() {
	export base=$BATS_FILE_TMPDIR/base
	truncate -s 128M "$base"
	"$mkfs" -q -O -p lock_nolock -b 512 -j 1 -J 8 "$base"
	# shellcheck disable=SC2016 # for the guest
	uml_run '"$K/fill.sh" "$1" 1' "$base" >"$BATS_FILE_TMPDIR/log"
}

teardown() {
	uml_stop
}

@test "UML: the base is clean" {
	img=$base
	fsck_finds 0 "" -n
	peer_clean "$base"
}

@test "C053: rgrp-generation" {
	repaired "C053" "set --seal rg 1 rg_igeneration 1"
}

@test "C085: dinode-header" {
	repaired "C085" "set /links/a mh_magic 0"
}

@test "C141: dinode-address" {
	repaired "C141" "set /links/a no_addr 5"
}

@test "C142: dinode-formal" {
	repaired "C142" "set /links/a no_formal_ino 0"
}

@test "C143: dinode-format" {
	repaired "C143" "set /links/a mh_format 5"
}

@test "C144: dinode-mode" {
	repaired "C144" "set /links/a di_mode 0"
}

@test "C145: dinode-height" {
	repaired "C145" "set /links/a di_height 11"
}

@test "C146: dinode-stuffed-size" {
	repaired "C146" "set /links/a di_size 5000"
}

@test "C147: dinode-special" {
	repaired "C147" "set /links/null di_size 3"
}

@test "C149: directory-size" {
	repaired "C149" "set /wide di_size 4"
}

@test "C150: directory-depth" {
	repaired "C150" "set /wide di_depth 3"
}

@test "C151: directory-jdata" {
	repaired "C151" "set /wide di_flags EXHASH"
}

@test "C212: directory-hash-flag" {
	repaired "C212" "set /links di_flags JDATA"
}

@test "C152: dinode-exhash" {
	repaired "C152" "set /links/a di_flags EXHASH"
}

@test "C153: dinode-flags" {
	repaired "C153" "set /links/a di_flags 0x10000"
}

@test "C154: dinode-system" {
	repaired "C154" "set /links/a di_flags SYSTEM"
}

@test "C155: dinode-xattr-flag" {
	repaired "C155" "set /links/a di_flags EA_INDIRECT"
}

@test "C157: dinode-goal" {
	repaired "C157" "set /large/three di_goal_meta 3"
}

@test "C158: dinode-blocks" {
	repaired "C158" "set /large/three di_blocks 7"
}

@test "C159: dinode-entries" {
	repaired "C159" "set /links/a di_entries 4"
}

@test "C160: dinode-fields" {
	repaired "C160" "set /links/a di_mtime_nsec 0xffffffff"
}

@test "C168: dinode-state" {
	repaired "C168" "setbit /wide free"
}

@test "C203: dirent-unlinked" {
	repaired "C203" "setbit /links/a unlinked"
}

@test "C171: pointer-data" {
	repaired "C171 C280" "set /large/three->ptr[1]->ptr[2] ptr[3] 999999999"
}

@test "C172: pointer-indirect" {
	repaired "C172" "set /large/three->ptr[1] ptr[3] 999999999"
}

@test "C175: pointer-metadata-area" {
	repaired "C175 C280" "set /large/three->ptr[1]->ptr[2] ptr[3] 129"
}

@test "C181: pointer-dinode" {
	repaired "C181 C280" "set /large/three->ptr[1]->ptr[2] ptr[3] 19017"
}

@test "C173: indirect-type" {
	repaired "C173 C280" "zero /large/three->ptr[1]->ptr[2]"
}

@test "C173: indirect-header" {
	repaired "C173" "set /large/three->ptr[1] mh_magic 0"
}

@test "C173: indirect-type of another kind" {
	repaired "C173 C280" "copy /wide->ptr[0] /large/three->ptr[1]"
}

@test "C184: indirect-format" {
	repaired "C184" "set /large/three->ptr[1] mh_format 6"
}

@test "C174: table-header" {
	repaired "C174" "set /wide->ptr[0] mh_magic 0"
}

@test "C190: dirent-chain" {
	repaired "C190" "set /links->ptr[0] 1.de_rec_len 0"
}

@test "C196: dirent-hash" {
	repaired "C196" "set /links->ptr[0] 1.de_hash 12345"
}

@test "C197: dirent-target" {
	repaired "C140 C197" "zero /links/short"
}

@test "C198: dirent-formal" {
	repaired "C198" "set /links->ptr[0] 1.no_formal_ino 12345"
}

@test "C199: dirent-type" {
	repaired "C199" "set /links->ptr[0] 1.de_type 4"
}

@test "C204: directory-dot-wrong" {
	repaired "C204" "set /empty 0.no_addr 200"
}

@test "C206: directory-dotdot-wrong" {
	repaired "C206" "set /empty 1.no_addr 200"
}

@test "C210: directory-entries" {
	repaired "C210" "set /wide di_entries 3"
}

@test "C213: leaf-dirent-format" {
	repaired "C213" "set /links->ptr[0] lf_dirent_format 5"
}

@test "C220: table-entry" {
	repaired "C220" "set /links ptr[3] 0"
}

@test "C221: leaf-header" {
	repaired "C221" "set /links->ptr[0] mh_magic 0"
}

@test "C223: leaf-depth" {
	repaired "C223" "set /links->ptr[0] lf_depth 0"
}

@test "C226: leaf-inode" {
	repaired "C226" "set /links->ptr[0] lf_inode 5"
}

@test "C228: leaf-entries" {
	repaired "C228" "set /links->ptr[0] lf_entries 99"
}

@test "C229: leaf-chain" {
	repaired "C229" "set /links->ptr[0] lf_next 999999999"
}

@test "C250: xattr-pointer" {
	repaired "C250 C280" "set /xattrs/small di_eattr 999999999"
}

@test "C251: xattr-block" {
	repaired "C251/C280" "zero /xattrs/small->di_eattr"
}

@test "C252: xattr-indirect" {
	repaired "C252" "set /xattrs/small di_flags EA_INDIRECT"
}

@test "C254: xattr-chain" {
	repaired "C254" "set /xattrs/small->di_eattr 1.ea_rec_len 0"
}

@test "C256: xattr-last-early" {
	repaired "C256" "set /xattrs/small->di_eattr 0.ea_flags 1"
}

@test "C257: xattr-no-name" {
	repaired "C257" "set /xattrs/small->di_eattr 0.ea_name_len 0"
}

@test "C258: xattr-type" {
	repaired "C258" "set /xattrs/small->di_eattr 0.ea_type 9"
}

@test "C259: xattr-length" {
	repaired "C259" "set /xattrs/small->di_eattr 0.ea_data_len 9999"
}

@test "C273: link-count" {
	repaired "C273" "set /large/three di_nlink 7"
}

@test "C011: superblock-master" {
	left "C011" "zero master"
}

@test "C081: system-file-missing" {
	left "C081" "zero jindex"
}

@test "C034: rindex-unreadable" {
	left "C034" "zero rindex"
}

@test "C012: superblock-root" {
	left "C012 C140 C270 C280" "zero root"
}

@test "C120: journal-unusable" {
	left "C120 C140 C197 C280" "zero journal0"
}

@test "C233: table-size" {
	left "C233 C271 C280" "set /wide ptr[3] 99999999"
}

@test "C253: xattr-list" {
	left "C253 C280" "set /xattrs/many->di_eattr ptr[0] 999999999"
}
