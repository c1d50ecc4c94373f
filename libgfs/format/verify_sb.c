// SPDX-License-Identifier: GPL-2.0-or-later
/* Verifiers of the superblock and of the names in it. */
#include "verify.h"

#include "verify_rules.h"

#include <ctype.h>
#include <string.h>

#define CLUSTER_MAX 32U
#define FSNAME_MAX  30U

static const struct gfs_flaw sane;

static struct gfs_flaw sb_flaw(const char *field, const char *why)
{
	return gfs_flaw_make(&gfs_layout_sb, 0, field, why);
}

static struct gfs_flaw rule_formats(const struct gfs_subject *s)
{
	const struct gfs2_sb *sb = s->block;
	uint32_t format = be32_to_cpu(sb->sb_fs_format);
	uint32_t bsize = be32_to_cpu(sb->sb_bsize);

	if (format < GFS2_FORMAT_FS_MIN || format > GFS2_FORMAT_FS_MAX)
		return sb_flaw("sb_fs_format", "is not 1801 or 1802");
	if (be32_to_cpu(sb->sb_multihost_format) != GFS2_FORMAT_MULTI)
		return sb_flaw("sb_multihost_format", "is not 1900");
	if (bsize < GFS2_BSIZE_MIN || bsize > GFS2_BSIZE_MAX ||
	    !gfs_is_pow2(bsize))
		return sb_flaw("sb_bsize",
			       "is not a power of two from 512 to 65536");
	if (be32_to_cpu(sb->sb_bsize_shift) != gfs_log2(bsize))
		return sb_flaw("sb_bsize_shift",
			       "is not the logarithm of the block size");
	return sane;
}

static struct gfs_flaw rule_directories(const struct gfs_subject *s)
{
	const struct gfs2_sb *sb = s->block;
	uint64_t master = be64_to_cpu(sb->sb_master_dir.no_addr);
	uint64_t root = be64_to_cpu(sb->sb_root_dir.no_addr);

	if (!master)
		return sb_flaw("sb_master_dir.no_addr", "is 0");
	if (!root)
		return sb_flaw("sb_root_dir.no_addr", "is 0");
	if (root == master)
		return sb_flaw("sb_root_dir.no_addr",
			       "is the master directory");
	return sane;
}

static struct gfs_flaw rule_place(const struct gfs_subject *s)
{
	const struct gfs2_sb *sb = s->block;

	if (be32_to_cpu(sb->sb_bsize) != s->g->bsize)
		return sb_flaw("sb_bsize", "is not the volume's block size");
	if (s->blk != s->g->sb_blk)
		return sb_flaw("sb_header", "superblock at another place");
	return sane;
}

static bool known_protocol(const char *name)
{
	/* fsck_* keeps others from mounting while a check runs. */
	static const char *const known[] = { "lock_dlm", "lock_nolock",
					     "fsck_dlm", "fsck_nolock" };

	for (size_t i = 0; i < GFS_ARRAY_SIZE(known); i++)
		if (!strcmp(name, known[i]))
			return true;
	return false;
}

static struct gfs_flaw rule_lock_names(const struct gfs_subject *s)
{
	const struct gfs_layout *layout = &gfs_layout_sb;
	const struct gfs2_sb *sb = s->block;

	if (!memchr(sb->sb_lockproto, '\0', sizeof(sb->sb_lockproto)))
		return gfs_flaw_minor(layout, 0, "sb_lockproto",
				      "does not end with a NUL");
	if (!memchr(sb->sb_locktable, '\0', sizeof(sb->sb_locktable)))
		return gfs_flaw_minor(layout, 0, "sb_locktable",
				      "does not end with a NUL");
	if (!known_protocol(sb->sb_lockproto))
		return gfs_flaw_minor(layout, 0, "sb_lockproto",
				      "is not a lock protocol of GFS2");
	if (strstr(sb->sb_lockproto, "_dlm") && !sb->sb_locktable[0])
		return gfs_flaw_minor(layout, 0, "sb_locktable",
				      "lock_dlm needs a lock table");
	return sane;
}

struct gfs_flaw gfs_verify_sb_start(const struct gfs2_sb *sb)
{
	static gfs_rule *const rules[] = { rule_formats, rule_directories,
					   NULL };
	const struct gfs_subject s = { .block = sb };

	return gfs_verify_rules(&s, GFS2_METATYPE_SB, rules);
}

struct gfs_flaw gfs_verify_sb(const struct gfs_geom *g, const void *block,
			      uint64_t blk)
{
	static gfs_rule *const rules[] = { rule_formats, rule_directories,
					   rule_place, rule_lock_names, NULL };
	const struct gfs_subject s = { g, block, blk };

	return gfs_verify_rules(&s, GFS2_METATYPE_SB, rules);
}

/* First character that may not be in a lock table; NUL if all may. */
static char find_bad_char(const char *table)
{
	for (; *table; table++) {
		unsigned char c = (unsigned char)*table;

		if (c >= 0x80 || (!isalnum(c) && !strchr("-_:", c)))
			return *table;
	}
	return '\0';
}

const char *gfs_verify_locktable(const char *table, char *bad_char)
{
	const char *colon = strchr(table, ':');
	char bad = find_bad_char(table);

	if (bad_char)
		*bad_char = bad;
	if (!*table)
		return "lock table is empty";
	if (bad)
		return "invalid character";
	if (!colon)
		return "missing colon";
	if (strchr(colon + 1, ':'))
		return "contains more than one colon";
	if (colon == table)
		return "cluster name is missing";
	if (!colon[1])
		return "file system name is missing";
	if ((size_t)(colon - table) > CLUSTER_MAX)
		return "cluster name is too long";
	if (strlen(colon + 1) > FSNAME_MAX)
		return "file system name is too long";
	return NULL;
}
