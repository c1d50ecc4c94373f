// SPDX-License-Identifier: GPL-2.0-or-later
/* Blocks without a flaw, of every type. */
#include "sane.h"

#include "../../../libgfs/format/blocktype.h"
#include "../../../libgfs/format/dirent.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

struct gfs_geom sane_geom;

/* On the heap and no larger: a sanitizer sees every byte read too far. */
void *sane_block(uint32_t type)
{
	void *block = calloc(1, sane_geom.bsize);

	if (!block)
		abort();
	gfs_block_header(block, type);
	return block;
}

/* Set a field by name, as a user of debugfs would. */
void sane_set(void *block, const char *field, const char *value)
{
	const struct gfs_blocktype *t = gfs_blocktype_of(block);
	size_t at;
	const struct gfs_field *f = gfs_layout_field(t->layout, field, &at);

	if (!f || gfs_field_parse(f, (char *)block + at, value))
		abort();
}

void sane_set_ptr(void *block, uint32_t at, uint64_t ptr)
{
	be64 v = cpu_to_be64(ptr);

	memcpy((char *)block + at, &v, sizeof(v));
}

static void add_name(void *block, uint32_t at, const char *name, uint32_t len)
{
	const struct gfs_dirent_new n = {
		.name = name,
		.name_len = (uint32_t)strlen(name),
		.formal = 3,
		.addr = SANE_BLK,
		.mode = S_IFDIR | 0755,
		.rec_len = len,
	};

	gfs_dirent_fill((char *)block + at, &n);
}

void *sane_sb(void)
{
	void *sb = sane_block(GFS2_METATYPE_SB);
	char number[16];

	sane_set(sb, "sb_fs_format", "1802");
	sane_set(sb, "sb_multihost_format", "1900");
	snprintf(number, sizeof(number), "%u", sane_geom.bsize);
	sane_set(sb, "sb_bsize", number);
	snprintf(number, sizeof(number), "%u", sane_geom.shift);
	sane_set(sb, "sb_bsize_shift", number);
	sane_set(sb, "sb_master_dir.no_addr", "500");
	sane_set(sb, "sb_root_dir.no_addr", "501");
	sane_set(sb, "sb_lockproto", "lock_nolock");
	return sb;
}

static void *sane_dinode(const char *mode)
{
	void *di = sane_block(GFS2_METATYPE_DI);

	sane_set(di, "di_num.no_addr", "1000");
	sane_set(di, "di_num.no_formal_ino", "7");
	sane_set(di, "di_mode", mode);
	sane_set(di, "di_nlink", "1");
	sane_set(di, "di_blocks", "1");
	return di;
}

void *sane_file(void)
{
	void *di = sane_dinode("0100644");

	sane_set(di, "di_size", "100");
	return di;
}

void *sane_tree(void)
{
	void *di = sane_dinode("0100644");

	sane_set(di, "di_height", "1");
	sane_set(di, "di_size", "1000000000000");
	sane_set_ptr(di, 232, 1001);
	return di;
}

void *sane_fifo(void)
{
	return sane_dinode("0010644");
}

void *sane_symlink(void)
{
	void *di = sane_dinode("0120777");

	sane_set(di, "di_size", "5");
	return di;
}

void *sane_linear(void)
{
	void *di = sane_dinode("0040755");
	char number[16];

	snprintf(number, sizeof(number), "%u", sane_geom.stuffed_max);
	sane_set(di, "di_size", number);
	sane_set(di, "di_flags", "JDATA");
	sane_set(di, "di_nlink", "2");
	sane_set(di, "di_entries", "2");
	add_name(di, 232, ".", 48);
	add_name(di, 280, "..", sane_geom.bsize - 280);
	return di;
}

void *sane_hashed(void)
{
	void *di = sane_dinode("0040755");
	char number[16];

	sane_set(di, "di_flags", "JDATA|EXHASH");
	snprintf(number, sizeof(number), "%u", sane_geom.min_depth);
	sane_set(di, "di_depth", number);
	snprintf(number, sizeof(number), "%u", sane_geom.hash_ptrs * 8);
	sane_set(di, "di_size", number);
	sane_set(di, "di_nlink", "2");
	sane_set(di, "di_entries", "20");
	for (uint32_t i = 0; i < sane_geom.hash_ptrs; i++)
		sane_set_ptr(di, 232 + 8 * i, 2000);
	return di;
}

void *sane_leaf(void)
{
	void *lf = sane_block(GFS2_METATYPE_LF);

	sane_set(lf, "lf_dirent_format", "1200");
	sane_set(lf, "lf_entries", "2");
	add_name(lf, 104, ".", 48);
	add_name(lf, 152, "f", sane_geom.bsize - 152);
	return lf;
}

void *sane_rgrp(void)
{
	struct gfs2_rgrp *rg = sane_block(GFS2_METATYPE_RG);

	rg->rg_data0 = cpu_to_be64(SANE_BLK + 1);
	rg->rg_data = cpu_to_be32(400);
	rg->rg_bitbytes = cpu_to_be32(100);
	rg->rg_free = cpu_to_be32(300);
	rg->rg_dinodes = cpu_to_be32(100);
	rg->rg_skip = cpu_to_be32(401);
	gfs_block_seal(&sane_geom, rg);
	return rg;
}

void *sane_logheader(void)
{
	void *lh = sane_block(GFS2_METATYPE_LH);

	sane_set(lh, "lh_sequence", "12345");
	sane_set(lh, "lh_addr", "1000");
	gfs_block_seal(&sane_geom, lh);
	return lh;
}

void *sane_logdesc(void)
{
	void *ld = sane_block(GFS2_METATYPE_LD);

	sane_set(ld, "ld_type", "metadata");
	sane_set(ld, "ld_length", "3");
	sane_set(ld, "ld_data1", "2");
	sane_set_ptr(ld, 72, 17);
	sane_set_ptr(ld, 80, 18);
	return ld;
}

void *sane_ea(void)
{
	struct gfs2_ea_header ea = { .ea_name_len = 1, .ea_type = 1 };
	char *block = sane_block(GFS2_METATYPE_EA);

	ea.ea_rec_len = cpu_to_be32(24);
	ea.ea_data_len = cpu_to_be32(3);
	memcpy(block + 24, &ea, sizeof(ea));
	memcpy(block + 40, "nval", 4);
	ea.ea_rec_len = cpu_to_be32(sane_geom.bsize - 48);
	ea.ea_flags = GFS2_EAFLAG_LAST;
	ea.ea_type = GFS2_EATYPE_UNUSED;
	ea.ea_data_len = cpu_to_be32(UINT32_MAX);
	memcpy(block + 48, &ea, sizeof(ea));
	return block;
}

void *sane_indirect(void)
{
	void *in = sane_block(GFS2_METATYPE_IN);

	sane_set_ptr(in, 24 + 8 * (sane_geom.inptrs - 1), 5000);
	return in;
}

void *sane_quotachange(void)
{
	char *qc = sane_block(GFS2_METATYPE_QC);

	qc[24 + 11] = 1;
	return qc;
}

void *sane_bitmap(void)
{
	return sane_block(GFS2_METATYPE_RB);
}

void *sane_jdata(void)
{
	return sane_block(GFS2_METATYPE_JD);
}

void *sane_eadata(void)
{
	return sane_block(GFS2_METATYPE_ED);
}

void *sane_logcont(void)
{
	return sane_block(GFS2_METATYPE_LB);
}

sane_fn *const sane_all[] = {
	sane_file,        sane_tree,    sane_fifo,  sane_symlink,
	sane_linear,      sane_hashed,  sane_leaf,  sane_rgrp,
	sane_logheader,   sane_logdesc, sane_ea,    sane_indirect,
	sane_quotachange, sane_bitmap,  sane_jdata, sane_eadata,
	sane_logcont,     NULL,
};
