// SPDX-License-Identifier: GPL-2.0-or-later
/* The fields of a dinode by themselves. */
#include <dirent.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "../libgfs/format/blocktype.h"
#include "fsck.h"

/* Every flag a kernel has ever set; GFS1's are ignored. */
#define DI_FLAGS_KNOWN                                                       \
	(GFS2_DIF_JDATA | GFS2_DIF_EXHASH | GFS2_DIF_EA_INDIRECT |           \
	 GFS2_DIF_DIRECTIO | GFS2_DIF_IMMUTABLE | GFS2_DIF_APPENDONLY |      \
	 GFS2_DIF_NOATIME | GFS2_DIF_SYNC | GFS2_DIF_SYSTEM |                \
	 GFS2_DIF_TOPDIR | GFS2_DIF_TRUNC_IN_PROG |                          \
	 GFS2_DIF_INHERIT_DIRECTIO | GFS2_DIF_INHERIT_JDATA)

#define NSEC_END 1000000000U
#define FIELD(member) offsetof(struct gfs2_dinode, member)

/* What is being checked. */
struct subject {
	struct fsck *f;
	uint64_t blk;
	struct gfs2_dinode *di;
	struct fsck_role role;
	uint32_t fmt;   /* S_IFMT of the mode */
	uint32_t flags; /* as they should be */
};

static struct fsck_at at_subject(const struct subject *s)
{
	return at_inode(s->blk, s->blk);
}

static void fix(const struct subject *s, size_t off, uint8_t len, uint64_t v)
{
	edit_set(s->f, s->blk, (uint32_t)off, len, v);
}

static bool fmt_valid(uint32_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFIFO: case S_IFCHR: case S_IFDIR: case S_IFBLK:
	case S_IFREG: case S_IFLNK: case S_IFSOCK:
		return !(mode >> 16);
	default:
		return false;
	}
}

/*
 * A block with a damaged header that is a dinode all the same: it knows its
 * own address, and its type is possible.
 */
static bool looks_like_dinode(uint64_t blk, const struct gfs2_dinode *di)
{
	return be64_to_cpu(di->di_num.no_addr) == blk &&
	       be64_to_cpu(di->di_num.no_formal_ino) &&
	       fmt_valid(be32_to_cpu(di->di_mode)) &&
	       be16_to_cpu(di->di_height) <= GFS2_MAX_META_HEIGHT;
}

static bool check_header(const struct subject *s, const void *block)
{
	struct gfs2_dinode *di = s->di;

	if (gfs_block_is(block, GFS2_METATYPE_DI)) {
		if (be32_to_cpu(di->di_header.mh_format) != GFS2_FORMAT_DI &&
		    problem(s->f, CK_DI_FORMAT, at_subject(s), "%u",
			    be32_to_cpu(di->di_header.mh_format)))
			fix(s, offsetof(struct gfs2_meta_header, mh_format), 4,
			    GFS2_FORMAT_DI);
		return true;
	}
	if (!looks_like_dinode(s->blk, di))
		return false;
	if (problem(s->f, CK_DI_HEADER, at_subject(s), "magic 0x%x, type %u",
		    be32_to_cpu(di->di_header.mh_magic),
		    be32_to_cpu(di->di_header.mh_type)))
		edit_header(s->f, s->blk, GFS2_METATYPE_DI);
	return true;
}

static void check_number(const struct subject *s)
{
	uint64_t addr = be64_to_cpu(s->di->di_num.no_addr);
	uint64_t formal = be64_to_cpu(s->di->di_num.no_formal_ino);

	if (addr != s->blk &&
	    problem(s->f, CK_DI_ADDR, at_subject(s), "%" PRIu64, addr))
		fix(s, FIELD(di_num.no_addr), 8, s->blk);
	if (formal)
		return;
	formal = gfs_max(be64_to_cpu(s->di->di_generation), 1);
	if (problem(s->f, CK_DI_FORMAL, at_subject(s), "%s", ""))
		fix(s, FIELD(di_num.no_formal_ino), 8, formal);
	s->di->di_num.no_formal_ino = cpu_to_be64(formal);
}

/* Type of an inode with an impossible one: a directory if it looks so. */
static uint32_t guess_mode(const struct subject *s)
{
	if (s->flags & GFS2_DIF_EXHASH ||
	    be32_to_cpu(s->di->di_entries) >= 2)
		return S_IFDIR | 0700;
	return S_IFREG | 0600;
}

static bool role_is_dir(enum fsck_role_kind kind)
{
	return kind == ROLE_MASTER || kind == ROLE_ROOT ||
	       kind == ROLE_JINDEX || kind == ROLE_PER_NODE;
}

static void check_mode(struct subject *s)
{
	uint32_t mode = be32_to_cpu(s->di->di_mode), want = mode;
	enum fsck_check check = CK_DI_MODE;

	if (!fmt_valid(mode))
		want = guess_mode(s);
	if (s->role.kind != ROLE_NONE) {
		uint32_t fmt = role_is_dir(s->role.kind) ? S_IFDIR : S_IFREG;

		check = CK_SYS_MODE;
		if ((want & S_IFMT) != fmt)
			want = fmt | (fmt == S_IFDIR ? 0755 : 0600);
	}
	s->fmt = want & S_IFMT;
	if (want == mode)
		return;
	if (problem(s->f, check, at_subject(s), "0%o, should be 0%o", mode,
		    want))
		fix(s, FIELD(di_mode), 4, want);
	s->di->di_mode = cpu_to_be32(want);
}

static void want_flags(struct subject *s, enum fsck_check check, uint32_t clear,
		       uint32_t set)
{
	uint32_t want = (s->flags & ~clear) | set;

	if (want == s->flags)
		return;
	if (problem(s->f, check, at_subject(s), "flags 0x%x, should be 0x%x",
		    s->flags, want)) {
		/* Flags are set together at the end, as the last edit wins. */
		fix(s, FIELD(di_flags), 4, want);
		s->flags = want;
		s->di->di_flags = cpu_to_be32(want);
	}
}

/*
 * Size and depth together say if a directory is hashed. The flag is taken as
 * they say whether or not it may be corrected.
 */
static void check_shape(struct subject *s)
{
	const struct gfs_geom *g = &s->f->fs->geom;
	uint32_t depth = be16_to_cpu(s->di->di_depth);
	uint64_t size = be64_to_cpu(s->di->di_size);
	bool hashed = s->flags & GFS2_DIF_EXHASH;

	if (!hashed && depth >= g->min_depth && depth <= GFS2_DIR_MAX_DEPTH &&
	    size == UINT64_C(8) << depth)
		want_flags(s, CK_DIR_SHAPE, 0, GFS2_DIF_EXHASH);
	else if (hashed && !depth && size == g->stuffed_max)
		want_flags(s, CK_DIR_SHAPE, GFS2_DIF_EXHASH, 0);
	else
		return;
	s->di->di_flags = cpu_to_be32(s->flags);
	if (hashed == !!(s->flags & GFS2_DIF_EXHASH))
		s->di->di_flags = cpu_to_be32(s->flags ^ GFS2_DIF_EXHASH);
}

static void check_flags(struct subject *s)
{
	want_flags(s, CK_DI_FLAGS, ~(uint32_t)DI_FLAGS_KNOWN, 0);
	if (s->fmt == S_IFDIR) {
		check_shape(s);
		want_flags(s, CK_DI_JDATA, 0, GFS2_DIF_JDATA);
	} else {
		want_flags(s, CK_DI_EXHASH, GFS2_DIF_EXHASH, 0);
		s->di->di_flags = cpu_to_be32(s->flags & ~GFS2_DIF_EXHASH);
	}
	if (!be64_to_cpu(s->di->di_eattr))
		want_flags(s, CK_DI_EA_FLAG, GFS2_DIF_EA_INDIRECT, 0);
	if (s->role.kind == ROLE_JOURNAL)
		want_flags(s, CK_JNL_JDATA, GFS2_DIF_JDATA, 0);
	if (s->role.kind == ROLE_NONE || s->role.kind == ROLE_ROOT)
		return;
	want_flags(s, CK_SYS_FLAG, 0, GFS2_DIF_SYSTEM);
	s->di->di_flags = cpu_to_be32(be32_to_cpu(s->di->di_flags) |
				      GFS2_DIF_SYSTEM);
}

/* Fixed sizes of system files; 0: any. */
static uint64_t role_size(enum fsck_role_kind kind)
{
	switch (kind) {
	case ROLE_INUM: return sizeof(uint64_t);
	case ROLE_STATFS: return sizeof(struct gfs2_statfs_change);
	case ROLE_STATFS_CHANGE: return sizeof(struct gfs2_statfs_change);
	case ROLE_INUM_RANGE: return sizeof(struct gfs2_inum_range);
	default: return 0;
	}
}

static void set_size(struct subject *s, enum fsck_check check, uint64_t want)
{
	uint64_t size = be64_to_cpu(s->di->di_size);

	if (size == want)
		return;
	if (problem(s->f, check, at_subject(s), "%" PRIu64 ", should be %"
		    PRIu64, size, want))
		fix(s, FIELD(di_size), 8, want);
	s->di->di_size = cpu_to_be64(want);
}

static void check_dir_size(struct subject *s)
{
	const struct gfs_geom *g = &s->f->fs->geom;
	uint32_t depth = be16_to_cpu(s->di->di_depth);
	uint64_t size = be64_to_cpu(s->di->di_size);

	if (!(be32_to_cpu(s->di->di_flags) & GFS2_DIF_EXHASH)) {
		set_size(s, CK_DI_DIR_SIZE, g->stuffed_max);
		if (depth && problem(s->f, CK_DI_DEPTH, at_subject(s),
				     "%u without a hash table", depth))
			fix(s, FIELD(di_depth), 2, 0);
		return;
	}
	if (depth >= g->min_depth && depth <= GFS2_DIR_MAX_DEPTH) {
		set_size(s, CK_DI_DIR_SIZE, UINT64_C(8) << depth);
		return;
	}
	if (!gfs_is_pow2(size) || size < UINT64_C(8) << g->min_depth ||
	    size > UINT64_C(8) << GFS2_DIR_MAX_DEPTH)
		size = UINT64_C(8) << g->min_depth;
	if (problem(s->f, CK_DI_DEPTH, at_subject(s), "%u, should be %u", depth,
		    gfs_log2(size) - 3))
		fix(s, FIELD(di_depth), 2, gfs_log2(size) - 3);
	s->di->di_depth = cpu_to_be16((uint16_t)(gfs_log2(size) - 3));
	set_size(s, CK_DI_DIR_SIZE, size);
}

static bool is_special(const struct subject *s)
{
	return s->fmt == S_IFCHR || s->fmt == S_IFBLK || s->fmt == S_IFIFO ||
	       s->fmt == S_IFSOCK;
}

static void check_size(struct subject *s)
{
	const struct gfs_geom *g = &s->f->fs->geom;
	uint64_t size = be64_to_cpu(s->di->di_size);
	uint32_t height = be16_to_cpu(s->di->di_height);
	uint64_t fixed = role_size(s->role.kind);

	if (size > INT64_MAX)
		set_size(s, CK_DI_SIZE, INT64_MAX);
	if (s->fmt == S_IFDIR)
		check_dir_size(s);
	else if (is_special(s))
		set_size(s, CK_DI_SPECIAL, 0);
	else if (fixed)
		set_size(s, CK_SYS_SIZE, fixed);
	else if (s->fmt == S_IFLNK && size >= g->stuffed_max)
		set_size(s, CK_DI_SPECIAL, g->stuffed_max - 1);
	else if (!height && size > g->stuffed_max)
		set_size(s, CK_DI_STUFFED, g->stuffed_max);
	if ((s->role.kind == ROLE_STATFS ||
	     s->role.kind == ROLE_STATFS_CHANGE) && height)
		problem_note(s->f, CK_SYS_STUFFED, at_subject(s), "height %u",
			     height);
}

/*
 * A height no tree has. What the tail holds tells if there is a tree at all;
 * 1 is then taken, since nothing below can be believed.
 */
static void check_height(struct subject *s)
{
	const struct gfs_geom *g = &s->f->fs->geom;
	uint32_t height = be16_to_cpu(s->di->di_height);
	bool high = height > g->max_height;
	bool stuffed_only = is_special(s) || s->fmt == S_IFLNK ||
			    (s->fmt == S_IFDIR &&
			     !(be32_to_cpu(s->di->di_flags) & GFS2_DIF_EXHASH));
	uint32_t want = 0;

	if (!high && (!height || !stuffed_only))
		return;
	if (!stuffed_only && be64_to_cpu(s->di->di_size) > g->stuffed_max)
		want = 1;
	if (problem(s->f, high ? CK_DI_HEIGHT : CK_DI_SPECIAL, at_subject(s),
		    "height %u, should be %u", height, want))
		fix(s, FIELD(di_height), 2, want);
	s->di->di_height = cpu_to_be16((uint16_t)want);
}

static void zero32(struct subject *s, enum fsck_check check, size_t off,
		   be32 value, const char *name)
{
	if (problem(s->f, check, at_subject(s), "%s %u", name,
		    be32_to_cpu(value)))
		fix(s, off, 4, 0);
}

static void check_rest(struct subject *s)
{
	const struct gfs2_dinode *di = s->di;
	bool device = s->fmt == S_IFCHR || s->fmt == S_IFBLK;
	uint64_t goal = be64_to_cpu(di->di_goal_meta);

	if (s->fmt != S_IFDIR && be32_to_cpu(di->di_entries))
		zero32(s, CK_DI_ENTRIES, FIELD(di_entries), di->di_entries,
		       "entries");
	if (be32_to_cpu(di->di_atime_nsec) >= NSEC_END)
		zero32(s, CK_DI_TIMES, FIELD(di_atime_nsec), di->di_atime_nsec,
		       "di_atime_nsec");
	if (be32_to_cpu(di->di_mtime_nsec) >= NSEC_END)
		zero32(s, CK_DI_TIMES, FIELD(di_mtime_nsec), di->di_mtime_nsec,
		       "di_mtime_nsec");
	if (be32_to_cpu(di->di_ctime_nsec) >= NSEC_END)
		zero32(s, CK_DI_TIMES, FIELD(di_ctime_nsec), di->di_ctime_nsec,
		       "di_ctime_nsec");
	if (!device && be32_to_cpu(di->di_major))
		zero32(s, CK_DI_TIMES, FIELD(di_major), di->di_major,
		       "di_major");
	if (!device && be32_to_cpu(di->di_minor))
		zero32(s, CK_DI_TIMES, FIELD(di_minor), di->di_minor,
		       "di_minor");
	if (s->role.kind != ROLE_NONE ||
	    be32_to_cpu(di->di_flags) & GFS2_DIF_SYSTEM || !goal)
		return;
	if (!gfs_fs_has_block(s->f->fs, goal) &&
	    problem(s->f, CK_DI_GOAL, at_subject(s), "%" PRIu64, goal)) {
		fix(s, FIELD(di_goal_meta), 8, s->blk);
		fix(s, FIELD(di_goal_data), 8, s->blk);
	}
}

bool fsck_dinode(struct fsck *f, uint64_t blk, const void *block,
		 struct gfs2_dinode *di)
{
	struct subject s = { .f = f, .blk = blk, .di = di };
	uint64_t index;

	memcpy(di, block, sizeof(*di));
	s.role = fsck_role_of(f, blk);
	s.flags = be32_to_cpu(di->di_flags);
	if (!check_header(&s, block))
		return false;
	check_number(&s);
	/* One that waits for removal may be half taken apart. */
	if (fsck_index(f, blk, &index) &&
	    blockmap_get(&f->disk, index) == GFS2_BLKST_UNLINKED)
		return true;
	check_mode(&s);
	check_flags(&s);
	check_height(&s);
	check_size(&s);
	check_rest(&s);
	return true;
}
