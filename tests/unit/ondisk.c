// SPDX-License-Identifier: GPL-2.0-or-later
/* Our byte-order types must not move anything in the kernel's structs. */
#include "../../libgfs/format/ondisk.h"

#include "lib/ondisk_rows.h"
#include "t.h"

static const struct ondisk_row ours[] = {
#include "lib/ondisk_members.h"
};

#define ROWS (sizeof(ours) / sizeof(ours[0]))

static void compare(void)
{
	char what[128];

	for (size_t i = 0; i < ROWS; i++) {
		const struct ondisk_row *a = &ours[i], *b = &ondisk_plain[i];

		snprintf(what, sizeof(what), "%s at %zu, %zu bytes", b->name,
			 b->offset, b->size);
		T_NAMED(!strcmp(a->name, b->name) && a->offset == b->offset &&
				a->size == b->size,
			what);
	}
	T_OK(!ondisk_plain[ROWS].name);
}

static void byte_order(void)
{
	const be64 v = cpu_to_be64(0x0123456789ABCDEFULL);
	const be32 w = cpu_to_be32(GFS2_MAGIC);
	const be16 x = cpu_to_be16(0x1234);

	T_OK(!memcmp(&v, "\x01\x23\x45\x67\x89\xAB\xCD\xEF", 8));
	T_OK(!memcmp(&w, "\x01\x16\x19\x70", 4));
	T_OK(!memcmp(&x, "\x12\x34", 2));
	T_EQ(be64_to_cpu(v), 0x0123456789ABCDEFULL);
	T_EQ(be32_to_cpu(w), 0x01161970);
	T_EQ(be16_to_cpu(x), 0x1234);
}

/* Sizes of format.md section 0. */
static void sizes(void)
{
	T_EQ(sizeof(struct gfs2_inum), 16);
	T_EQ(sizeof(struct gfs2_meta_header), 24);
	T_EQ(sizeof(struct gfs2_sb), 272);
	T_EQ(sizeof(struct gfs2_rindex), 96);
	T_EQ(sizeof(struct gfs2_rgrp), 128);
	T_EQ(sizeof(struct gfs2_quota), 88);
	T_EQ(sizeof(struct gfs2_dinode), 232);
	T_EQ(sizeof(struct gfs2_dirent), 40);
	T_EQ(sizeof(struct gfs2_leaf), 104);
	T_EQ(sizeof(struct gfs2_ea_header), 16);
	T_EQ(sizeof(struct gfs2_log_header), 120);
	T_EQ(sizeof(struct gfs2_log_descriptor), 72);
	T_EQ(sizeof(struct gfs2_inum_range), 16);
	T_EQ(sizeof(struct gfs2_statfs_change), 24);
	T_EQ(sizeof(struct gfs2_quota_change), 16);
}

int main(void)
{
	compare();
	byte_order();
	sizes();
	return t_done();
}
