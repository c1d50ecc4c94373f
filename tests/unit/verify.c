// SPDX-License-Identifier: GPL-2.0-or-later
/* Verifiers: sane blocks pass, each rule finds its flaw, garbage is safe. */
#include "../../libgfs/format/verify.h"

#include "../../libgfs/format/blocktype.h"
#include "lib/sane.h"
#include "t.h"

#include <stdlib.h>

static struct gfs_flaw verify(const void *block)
{
	return gfs_verify_block(&sane_geom, block,
				gfs_block_is(block, GFS2_METATYPE_SB)
					? sane_geom.sb_blk
					: SANE_BLK);
}

static void expect_sane(const void *block, const char *what)
{
	struct gfs_flaw flaw = verify(block);

	if (!T_NAMED(!flaw.why, what))
		printf("# %s: %s\n", flaw.field ? flaw.field->name : "-",
		       flaw.why);
}

/* One change, and the field and gravity of the flaw it makes. */
static const struct spoil {
	sane_fn *make;
	const char *field;
	const char *value;
	const char *flaw; /* NULL: sane; "-": without a field */
	bool minor;
} spoils[] = {
	{ sane_sb, "sb_fs_format", "1800", "sb_fs_format", false },
	{ sane_sb, "sb_fs_format", "1803", "sb_fs_format", false },
	{ sane_sb, "sb_fs_format", "1801", NULL, false },
	{ sane_sb, "sb_multihost_format", "0", "sb_multihost_format", false },
	{ sane_sb, "sb_bsize", "0", "sb_bsize", false },
	{ sane_sb, "sb_bsize", "1000", "sb_bsize", false },
	{ sane_sb, "sb_bsize", "131072", "sb_bsize", false },
	{ sane_sb, "sb_bsize_shift", "8", "sb_bsize_shift", false },
	{ sane_sb, "sb_master_dir.no_addr", "0", "no_addr", false },
	{ sane_sb, "sb_root_dir.no_addr", "0", "no_addr", false },
	{ sane_sb, "sb_root_dir.no_addr", "500", "no_addr", false },
	{ sane_sb, "sb_lockproto", "", "sb_lockproto", true },
	{ sane_sb, "sb_lockproto", "lock_gulm", "sb_lockproto", true },
	{ sane_sb, "sb_lockproto", "fsck_nolock", NULL, false },
	{ sane_sb, "sb_lockproto", "lock_dlm", "sb_locktable", true },
	{ sane_sb, "mh_format", "101", "mh_format", true },
	{ sane_sb, "mh_jid", "3", NULL, false },
	{ sane_sb, "__pad0", "ffffffff", NULL, false },
	{ sane_file, "mh_magic", "0x01161971", "mh_magic", false },
	{ sane_file, "mh_type", "13", "mh_magic", false },
	{ sane_file, "mh_format", "0", "mh_format", true },
	{ sane_file, "no_addr", "1001", "no_addr", false },
	{ sane_file, "no_formal_ino", "0", "no_formal_ino", false },
	{ sane_file, "di_mode", "0", "di_mode", false },
	{ sane_file, "di_mode", "0030644", "di_mode", false },
	{ sane_file, "di_mode", "0300644", "di_mode", true },
	{ sane_file, "di_height", "11", "di_height", false },
	{ sane_file, "di_size", "65305", "di_size", false },
	{ sane_file, "di_nlink", "0", NULL, false },
	{ sane_file, "di_payload_format", "1500", NULL, false },
	{ sane_file, "di_flags", "DIRECTIO|INHERIT_DIRECTIO|SYSTEM", NULL,
	  false },
	{ sane_file, "di_flags", "UNUSED", "di_flags", true },
	{ sane_file, "di_flags", "0x800", "di_flags", true },
	{ sane_file, "di_flags", "EXHASH", "di_flags", true },
	{ sane_file, "di_flags", "TOPDIR", "di_flags", true },
	{ sane_file, "di_flags", "INHERIT_JDATA", "di_flags", true },
	{ sane_file, "di_flags", "EA_INDIRECT", "di_flags", true },
	{ sane_file, "di_flags", "TRUNC_IN_PROG", NULL, false },
	{ sane_file, "di_depth", "5", "di_depth", true },
	{ sane_file, "di_entries", "2", "di_entries", true },
	{ sane_file, "di_blocks", "0", "di_blocks", true },
	{ sane_file, "di_eattr", "1000", "di_eattr", true },
	{ sane_file, "di_mtime_nsec", "999999999", NULL, false },
	{ sane_file, "di_atime_nsec", "1000000000", "di_atime_nsec", true },
	{ sane_file, "di_mtime_nsec", "1000000000", "di_mtime_nsec", true },
	{ sane_file, "di_ctime_nsec", "1000000000", "di_ctime_nsec", true },
	{ sane_file, "di_major", "8", "di_major", true },
	{ sane_file, "di_goal_meta", "0", NULL, false },
	{ sane_tree, "di_height", "3", NULL, false },
	{ sane_tree, "di_size", "9223372036854775807", NULL, false },
	{ sane_tree, "di_size", "9223372036854775808", "di_size", false },
	{ sane_fifo, "di_size", "1", "di_size", true },
	{ sane_fifo, "di_height", "1", "di_height", true },
	{ sane_symlink, "di_size", "0", "di_size", false },
	{ sane_symlink, "di_height", "1", "di_height", false },
	{ sane_linear, "di_size", "100", "di_size", false },
	{ sane_linear, "di_depth", "1", "di_depth", false },
	{ sane_linear, "di_height", "1", "di_height", false },
	{ sane_linear, "di_entries", "3", "di_entries", false },
	{ sane_linear, "di_flags", "0", "di_flags", true },
	{ sane_linear, "di_flags", "JDATA|TOPDIR|INHERIT_JDATA", NULL, false },
	{ sane_hashed, "di_size", "8", "di_size", false },
	{ sane_hashed, "di_depth", "18", "di_depth", false },
	{ sane_hashed, "di_depth", "4", "di_depth", false },
	{ sane_hashed, "di_flags", "EXHASH", "di_flags", true },
	{ sane_leaf, "lf_depth", "18", "lf_depth", false },
	{ sane_leaf, "lf_next", "1000", "lf_next", false },
	{ sane_leaf, "lf_entries", "1", "lf_entries", false },
	{ sane_leaf, "lf_dirent_format", "78643200", "lf_dirent_format", true },
	{ sane_leaf, "lf_inode", "0", NULL, false },
	{ sane_leaf, "lf_dist", "9", NULL, false },
	/* hash(".") begins with 00001, hash("f") with 01110. */
	{ sane_leaf, "lf_depth", "1", NULL, false },
	{ sane_leaf, "lf_depth", "2", "de_hash", true },
	{ sane_rgrp, "rg_crc", "0", NULL, false },
	{ sane_rgrp, "rg_crc", "1", "rg_crc", true },
	{ sane_rgrp, "rg_free", "299", "rg_crc", true },
	{ sane_rgrp, "rg_free", "301", "rg_free", true },
	{ sane_rgrp, "rg_data", "402", "rg_data", true },
	{ sane_rgrp, "rg_bitbytes", "99", "rg_bitbytes", true },
	{ sane_rgrp, "rg_data0", "1000", "rg_data0", true },
	{ sane_rgrp, "rg_data0", "1003", "rg_data", true },
	{ sane_rgrp, "rg_skip", "400", "rg_skip", true },
	{ sane_rgrp, "rg_flags", "0x20", "rg_flags", true },
	{ sane_logheader, "lh_hash", "1", "lh_hash", false },
	{ sane_logheader, "lh_sequence", "12346", "lh_hash", false },
	{ sane_logheader, "mh_jid", "1", "lh_hash", false },
	{ sane_logheader, "lh_crc", "1", "lh_crc", false },
	{ sane_logheader, "lh_crc", "0", NULL, false },
	{ sane_logheader, "lh_nsec", "1", "lh_crc", false },
	{ sane_logdesc, "ld_type", "303", "ld_type", false },
	{ sane_logdesc, "ld_length", "2", "ld_length", false },
	{ sane_logdesc, "ld_data1", "100000", "ld_data1", false },
	{ sane_logdesc, "ld_type", "revoke", "ld_length", false },
	{ sane_quotachange, "mh_format", "1", "mh_format", true },
};

static void spoil(const struct spoil *s)
{
	void *block = s->make();
	struct gfs_flaw flaw;
	char what[128];
	bool ok;

	sane_set(block, s->field, s->value);
	flaw = verify(block);
	snprintf(what, sizeof(what), "%u: %s = %s", sane_geom.bsize, s->field,
		 s->value);
	if (s->flaw)
		ok = flaw.why && flaw.field && flaw.minor == s->minor &&
		     !strcmp(flaw.field->name, s->flaw);
	else
		ok = !flaw.why;
	if (!T_NAMED(ok, what))
		printf("# %s: %s%s\n", flaw.field ? flaw.field->name : "-",
		       flaw.why ? flaw.why : "sane",
		       flaw.minor ? " (minor)" : "");
	free(block);
}

/* Bytes that no field of the block's first struct names. */
static const struct {
	sane_fn *make;
	uint32_t at;
	uint8_t value;
	const char *why; /* NULL: sane */
} pokes[] = {
	{ sane_linear, 232 + 21, 40, "name does not fit its record" },
	{ sane_linear, 232 + 7, 0, "is not the number of entries" },
	{ sane_linear, 280 + 7, 0, "empty entry that is not first" },
	{ sane_linear, 280 + 23, 0, "name length is not 1 to 255" },
	{ sane_linear, 232 + 16, 1, "is not the hash of the name" },
	{ sane_linear, 232 + 25, 3, "type of file is unknown" },
	{ sane_linear, 232 + 27, 77, NULL },
	{ sane_linear, 232 + 30, 77, NULL },
	{ sane_linear, 232 + 40, '/', "name contains a NUL or a slash" },
	{ sane_linear, 232 + 40, 0, "name contains a NUL or a slash" },
	{ sane_leaf, 152 + 21, 1, "record length is not a multiple of 8" },
	{ sane_hashed, 239, 0, NULL },
	{ sane_rgrp, 128, 0xFF, NULL },
	{ sane_rgrp, 128 + 100, 1, "bits set after the bitmap's end" },
	{ sane_logdesc, 87, 0, "block number is 0" },
	{ sane_ea, 24 + 3, 16, "xattr does not fit its record" },
	{ sane_ea, 24 + 8, 0, "xattr has no name" },
	{ sane_ea, 24 + 9, 5, "unknown kind of attribute" },
	{ sane_ea, 24 + 10, 1,
	  "xattr record after the one marked as the last" },
	{ sane_ea, 48 + 10, 0, "no xattr record is marked as the last" },
	{ sane_ea, 48 + 8, 0, NULL },
	{ sane_quotachange, 24 + 11, 3, "unknown flags" },
	{ sane_logheader, 119, 1, "checksum is wrong" },
};

static void poke(unsigned int i)
{
	uint8_t *block = pokes[i].make();
	struct gfs_flaw flaw;
	char what[128];

	block[pokes[i].at] = pokes[i].value;
	flaw = verify(block);
	snprintf(what, sizeof(what), "%u: byte %u: %s", sane_geom.bsize,
		 pokes[i].at, pokes[i].why ? pokes[i].why : "sane");
	if (!T_NAMED(pokes[i].why ? flaw.why && !strcmp(flaw.why, pokes[i].why)
				  : !flaw.why,
		     what))
		printf("# %s\n", flaw.why ? flaw.why : "sane");
	free(block);
}

static void special_cases(void)
{
	void *block = sane_linear();

	/* A removed directory counts no entries. */
	sane_set(block, "di_nlink", "0");
	sane_set(block, "di_entries", "0");
	expect_sane(block, "removed directory");
	free(block);

	/* A hashed directory caught while the kernel freed it. */
	block = sane_hashed();
	sane_set(block, "di_mode", "0100000");
	sane_set(block, "di_nlink", "0");
	expect_sane(block, "directory being freed");
	free(block);

	block = sane_hashed();
	sane_set_ptr(block, 240, 0);
	T_STR(verify(block).why, "hash table entry is 0");
	T_EQ(verify(block).offset, 240);
	sane_set_ptr(block, 240, SANE_BLK);
	T_STR(verify(block).why, "pointer to the inode itself");
	free(block);

	block = sane_indirect();
	sane_set_ptr(block, 24 + 8 * (sane_geom.inptrs - 1), SANE_BLK);
	T_STR(verify(block).why, "pointer to the block itself");
	T_OK(verify(block).minor);
	free(block);

	block = sane_sb();
	T_STR(gfs_verify_sb(&sane_geom, block, sane_geom.sb_blk + 1).why,
	      "superblock at another place");
	memset((char *)block + 160, 'x', 64);
	T_STR(verify(block).field->name, "sb_locktable");
	memset((char *)block + 96, 'x', 64);
	T_STR(verify(block).field->name, "sb_lockproto");
	T_OK(!gfs_verify_sb_start(block).why);
	free(block);

	/* Old volumes have no copy of the rindex entry and no checksum. */
	block = sane_rgrp();
	memset((char *)block + 36, 0, 4);
	memset((char *)block + 48, 0, 20);
	expect_sane(block, "rgrp of an old volume");
	free(block);
}

static void log_lengths(void)
{
	void *ld = sane_block(GFS2_METATYPE_LD);
	char number[16];

	sane_set(ld, "ld_type", "revoke");
	memset((char *)ld + 72, 1, sane_geom.bsize - 72);
	snprintf(number, sizeof(number), "%u", sane_geom.ldptrs);
	sane_set(ld, "ld_data1", number);
	sane_set(ld, "ld_length", "1");
	expect_sane(ld, "revokes fill the descriptor");
	snprintf(number, sizeof(number), "%u", sane_geom.ldptrs + 1);
	sane_set(ld, "ld_data1", number);
	T_STR(verify(ld).field->name, "ld_length");
	sane_set(ld, "ld_length", "2");
	expect_sane(ld, "one revoke more");
	snprintf(number, sizeof(number), "%u",
		 sane_geom.ldptrs + sane_geom.inptrs + 1);
	sane_set(ld, "ld_data1", number);
	sane_set(ld, "ld_length", "3");
	expect_sane(ld, "revokes in two continuations");

	sane_set(ld, "ld_type", "jdata");
	memset((char *)ld + 72, 0, sane_geom.bsize - 72);
	for (uint32_t i = 0; i < sane_geom.jdata_tags; i++) {
		sane_set_ptr(ld, 72 + 16 * i, 50 + i);
		sane_set_ptr(ld, 80 + 16 * i, i % 2);
	}
	snprintf(number, sizeof(number), "%u", sane_geom.jdata_tags);
	sane_set(ld, "ld_data1", number);
	snprintf(number, sizeof(number), "%u", sane_geom.jdata_tags + 1);
	sane_set(ld, "ld_length", number);
	expect_sane(ld, "JDATA tags fill the descriptor");
	sane_set_ptr(ld, 80, 2);
	T_STR(verify(ld).why, "escape mark is neither 0 nor 1");
	sane_set(ld, "ld_data1", number);
	T_STR(verify(ld).field->name, "ld_data1");
	free(ld);
}

/* Random bytes behind a valid header, and single bytes changed. */
static void garbage(void)
{
	unsigned int n, flaws = 0, kinds = 0,
			rounds = sane_geom.bsize == 512 ? 3000 : 300;
	const struct gfs_blocktype *t = gfs_blocktype_all(&n);

	while (sane_all[kinds])
		kinds++;
	for (unsigned int round = 0; round < rounds * n; round++) {
		uint8_t *block = sane_block(t[round % n].type);

		for (uint32_t i = 24; i < sane_geom.bsize; i++)
			block[i] = (uint8_t)random();
		flaws += verify(block).why != NULL;
		free(block);
	}
	for (unsigned int round = 0; round < rounds * 20; round++) {
		uint8_t *block = sane_all[round % kinds]();

		for (unsigned int k = 0; k < 3; k++)
			block[24 + random() % (sane_geom.bsize - 24)] =
				(uint8_t)random();
		flaws += verify(block).why != NULL;
		free(block);
	}
	T_NAMED(flaws > rounds * 8, "garbage is found, nothing else is read");
}

int main(void)
{
	srandom(3);
	for (uint32_t bsize = 512; bsize <= 4096; bsize *= 8) {
		void *sb;

		T_EQ(gfs_geom_init(&sane_geom, bsize), 0);
		sb = sane_sb();
		expect_sane(sb, "superblock");
		T_OK(!gfs_verify_sb_start(sb).why);
		free(sb);
		for (size_t i = 0; sane_all[i]; i++) {
			void *block = sane_all[i]();

			expect_sane(block, gfs_blocktype_of(block)->name);
			free(block);
		}
		for (size_t i = 0; i < GFS_ARRAY_SIZE(spoils); i++)
			spoil(&spoils[i]);
		for (unsigned int i = 0; i < GFS_ARRAY_SIZE(pokes); i++)
			poke(i);
		special_cases();
		log_lengths();
		garbage();
	}
	return t_done();
}
