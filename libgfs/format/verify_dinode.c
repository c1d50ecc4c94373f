// SPDX-License-Identifier: GPL-2.0-or-later
/* Verifier of dinodes: what loads them first, then what only checkers mind. */
#include "verify.h"

#include "verify_rules.h"

#include <sys/stat.h>

#define TAIL      ((uint32_t)sizeof(struct gfs2_dinode))
#define NSEC_MAX  999999999U
#define MODE_BITS 0xFFFFU

static const struct gfs_flaw sane;

static struct gfs_flaw bad(const char *field, const char *why)
{
	return gfs_flaw_make(&gfs_layout_dinode, 0, field, why);
}

static struct gfs_flaw minor(const char *field, const char *why)
{
	return gfs_flaw_minor(&gfs_layout_dinode, 0, field, why);
}

static uint32_t flags_of(const struct gfs2_dinode *di)
{
	return be32_to_cpu(di->di_flags);
}

static uint32_t type_of(const struct gfs2_dinode *di)
{
	return be32_to_cpu(di->di_mode) & S_IFMT;
}

static bool is_dir(const struct gfs2_dinode *di)
{
	return S_ISDIR(be32_to_cpu(di->di_mode));
}

static bool has_table(const struct gfs2_dinode *di)
{
	return is_dir(di) && flags_of(di) & GFS2_DIF_EXHASH;
}

/*
 * The kernel makes a hashed directory that it is freeing a regular file
 * without permissions, whose content is the table. A crash leaves it so.
 */
static bool is_dying_dir(const struct gfs2_dinode *di)
{
	return be32_to_cpu(di->di_mode) == S_IFREG &&
	       flags_of(di) & GFS2_DIF_EXHASH;
}

static struct gfs_flaw rule_identity(const struct gfs_subject *s)
{
	const struct gfs2_dinode *di = s->block;

	if (be64_to_cpu(di->di_num.no_addr) != s->blk)
		return bad("di_num.no_addr", "is not the block it is in");
	if (!be64_to_cpu(di->di_num.no_formal_ino))
		return bad("di_num.no_formal_ino", "is 0");
	return sane;
}

static struct gfs_flaw rule_type(const struct gfs_subject *s)
{
	switch (type_of(s->block)) {
	case S_IFIFO:
	case S_IFCHR:
	case S_IFDIR:
	case S_IFBLK:
	case S_IFREG:
	case S_IFLNK:
	case S_IFSOCK: return sane;
	default: return bad("di_mode", "type of file is unknown");
	}
}

static struct gfs_flaw rule_height(const struct gfs_subject *s)
{
	const struct gfs2_dinode *di = s->block;
	uint32_t height = be16_to_cpu(di->di_height);
	uint64_t size = be64_to_cpu(di->di_size);

	if (height > s->g->max_height)
		return bad("di_height", "is more than the block size allows");
	if (type_of(di) == S_IFLNK && height)
		return bad("di_height", "is not 0 in a symbolic link");
	if (type_of(di) == S_IFLNK && !size)
		return bad("di_size", "is 0 in a symbolic link");
	if (!height && size > s->g->stuffed_max)
		return bad("di_size", "does not fit a stuffed inode");
	if (size > INT64_MAX)
		return bad("di_size", "is more than 2^63 - 1");
	return sane;
}

static struct gfs_flaw rule_hashed(const struct gfs_subject *s)
{
	const struct gfs2_dinode *di = s->block;
	uint32_t depth = be16_to_cpu(di->di_depth);

	if (!has_table(di))
		return sane;
	if (depth < s->g->min_depth || depth > GFS2_DIR_MAX_DEPTH)
		return bad("di_depth", "is outside the range of a hash table");
	if (be64_to_cpu(di->di_size) != 8ULL << depth)
		return bad("di_size", "is not that of the hash table");
	return sane;
}

static struct gfs_flaw rule_linear(const struct gfs_subject *s)
{
	const struct gfs2_dinode *di = s->block;
	struct gfs_flaw flaw;
	uint32_t live;

	if (!is_dir(di) || has_table(di))
		return sane;
	if (be16_to_cpu(di->di_height))
		return bad("di_height",
			   "is not 0 in a directory without table");
	if (be16_to_cpu(di->di_depth))
		return bad("di_depth", "is not 0 in a directory without table");
	if (be64_to_cpu(di->di_size) != s->g->stuffed_max)
		return bad("di_size", "is not the rest of the block");
	flaw = gfs_verify_dirents(s, TAIL, &live);
	if (flaw.why)
		return flaw;
	/* A removed directory keeps its "." and ".." but counts none. */
	if (be32_to_cpu(di->di_entries) != live && be32_to_cpu(di->di_nlink))
		return bad("di_entries", "is not the number of entries");
	return sane;
}

static struct gfs_flaw rule_names(const struct gfs_subject *s)
{
	const struct gfs2_dinode *di = s->block;

	if (!is_dir(di) || has_table(di))
		return sane;
	return gfs_verify_names(s, TAIL, 0);
}

static bool is_device(const struct gfs2_dinode *di)
{
	return type_of(di) == S_IFCHR || type_of(di) == S_IFBLK;
}

static bool is_special(const struct gfs2_dinode *di)
{
	return is_device(di) || type_of(di) == S_IFIFO ||
	       type_of(di) == S_IFSOCK;
}

static struct gfs_flaw rule_by_type(const struct gfs_subject *s)
{
	const struct gfs2_dinode *di = s->block;

	if (be32_to_cpu(di->di_mode) & ~MODE_BITS)
		return minor("di_mode", "has bits above the lower 16");
	if (is_special(di) && be16_to_cpu(di->di_height))
		return minor("di_height", "is not 0 in a special file");
	if (is_special(di) && be64_to_cpu(di->di_size))
		return minor("di_size", "is not 0 in a special file");
	if (!is_device(di) &&
	    (be32_to_cpu(di->di_major) || be32_to_cpu(di->di_minor)))
		return minor("di_major", "device number of no device");
	if (is_dir(di) || is_dying_dir(di))
		return sane;
	if (be16_to_cpu(di->di_depth))
		return minor("di_depth", "is not 0 in a file");
	if (be32_to_cpu(di->di_entries))
		return minor("di_entries", "is not 0 in a file");
	return sane;
}

static struct gfs_flaw rule_flags(const struct gfs_subject *s)
{
	const struct gfs2_dinode *di = s->block;
	const uint32_t dir_only =
		GFS2_DIF_EXHASH | GFS2_DIF_TOPDIR | GFS2_DIF_INHERIT_JDATA;
	/* DIRECTIO and its like come from GFS1 and mean nothing. */
	const uint32_t known =
		dir_only | GFS2_DIF_JDATA | GFS2_DIF_EA_INDIRECT |
		GFS2_DIF_DIRECTIO | GFS2_DIF_IMMUTABLE | GFS2_DIF_APPENDONLY |
		GFS2_DIF_NOATIME | GFS2_DIF_SYNC | GFS2_DIF_SYSTEM |
		GFS2_DIF_TRUNC_IN_PROG | GFS2_DIF_INHERIT_DIRECTIO;
	uint32_t flags = flags_of(di);

	if (flags & ~known)
		return minor("di_flags", "unknown flags");
	if (is_dir(di) && !(flags & GFS2_DIF_JDATA))
		return minor("di_flags", "directory without JDATA");
	if (flags & dir_only && !is_dir(di) && !is_dying_dir(di))
		return minor("di_flags", "flags of a directory on a file");
	if (flags & GFS2_DIF_EA_INDIRECT && !be64_to_cpu(di->di_eattr))
		return minor("di_flags", "EA_INDIRECT without attributes");
	return sane;
}

static struct gfs_flaw rule_numbers(const struct gfs_subject *s)
{
	const struct gfs2_dinode *di = s->block;

	if (!be64_to_cpu(di->di_blocks))
		return minor("di_blocks", "is 0");
	if (be64_to_cpu(di->di_eattr) == s->blk)
		return minor("di_eattr", "is the inode itself");
	if (be32_to_cpu(di->di_atime_nsec) > NSEC_MAX)
		return minor("di_atime_nsec", "is a second or more");
	if (be32_to_cpu(di->di_mtime_nsec) > NSEC_MAX)
		return minor("di_mtime_nsec", "is a second or more");
	if (be32_to_cpu(di->di_ctime_nsec) > NSEC_MAX)
		return minor("di_ctime_nsec", "is a second or more");
	return sane;
}

/* Number of pointers in the tail: of a tree, or of a stuffed hash table. */
static uint32_t tail_pointers(const struct gfs_subject *s)
{
	const struct gfs2_dinode *di = s->block;

	if (be16_to_cpu(di->di_height))
		return s->g->diptrs;
	return has_table(di) ? 1U << be16_to_cpu(di->di_depth) : 0;
}

static struct gfs_flaw rule_tail(const struct gfs_subject *s)
{
	const struct gfs2_dinode *di = s->block;
	bool table = has_table(di) && !be16_to_cpu(di->di_height) &&
		     be32_to_cpu(di->di_nlink);
	uint32_t n = tail_pointers(s);

	for (uint32_t i = 0; i < n; i++) {
		uint64_t ptr = gfs_dinode_ptr(s->block, i);
		struct gfs_flaw flaw = { .offset = TAIL + 8 * i,
					 .minor = true };

		if (ptr == s->blk)
			flaw.why = "pointer to the inode itself";
		else if (table && !ptr)
			flaw.why = "hash table entry is 0";
		if (flaw.why)
			return flaw;
	}
	return sane;
}

struct gfs_flaw gfs_verify_dinode(const struct gfs_geom *g, const void *block,
				  uint64_t blk)
{
	static gfs_rule *const rules[] = {
		rule_identity, rule_type,    rule_height, rule_hashed,
		rule_linear,   rule_by_type, rule_flags,  rule_numbers,
		rule_names,    rule_tail,    NULL,
	};
	const struct gfs_subject s = { g, block, blk };

	return gfs_verify_rules(&s, GFS2_METATYPE_DI, rules);
}
