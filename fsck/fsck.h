/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The context of one run: options, the device and what is planned to become
 * of it, and the tables that passes fill and others read.
 */
#ifndef FSCK_FSCK_H
#define FSCK_FSCK_H

#include <signal.h>

#include "../libgfs/base/cli.h"
#include "../libgfs/fs/fs.h"
#include "../libgfs/fs/journal.h"
#include "../libgfs/io/blkmap.h"
#include "../libgfs/io/overlay.h"
#include "../libgfs/io/scan.h"
#include "blockmap.h"
#include "edits.h"
#include "inodes.h"
#include "problem.h"
#include "reads.h"

struct fsck_opts {
	const char *device;
	const char *undo; /* file for old contents, or NULL */
	bool no, yes, preen, force, json, list;
	int verbosity;    /* -1 quiet, 0, 1 and more */
};

/* What to do with a journal on the device when the repair is committed. */
enum fsck_jnl_action { JNL_KEEP, JNL_REPLAY, JNL_CLEAR };

/* What a system inode is for. */
enum fsck_role_kind {
	ROLE_NONE, ROLE_MASTER, ROLE_ROOT, ROLE_JINDEX, ROLE_PER_NODE,
	ROLE_INUM, ROLE_STATFS, ROLE_RINDEX, ROLE_QUOTA, ROLE_JOURNAL,
	ROLE_INUM_RANGE, ROLE_STATFS_CHANGE, ROLE_QUOTA_CHANGE,
};

struct fsck_role {
	uint64_t addr;
	uint32_t jid;
	enum fsck_role_kind kind;
};

/* A resource group, beside fs->rgrps.rg[] with the same index. */
struct fsck_rg {
	uint64_t start;       /* of its data blocks in the maps */
	uint64_t igeneration; /* recorded */
	uint64_t max_generation; /* of the dinodes in it */
	uint32_t flags, free, dinodes, skip; /* recorded */
	uint32_t rec_bitbytes, rec_data;     /* recorded, 0 in old volumes */
	uint64_t rec_data0;
	uint32_t disk_free, disk_dinodes;    /* counted in the bitmap */
	int64_t free_delta, dinodes_delta;   /* by agreed bitmap repairs */
	bool header_bad;      /* no header: everything recorded is 0 */
	bool unreadable;
	bool crc_bad;
	bool edited;          /* some repair seals the header anyway */
	bool noted;           /* a finding explains a wrong checksum */
	bool slack;
	bool format_bad;
};

struct fsck {
	struct fsck_opts opts;
	struct gfs_error err;
	volatile sig_atomic_t stop;
	bool refused;     /* a volume we must not touch */
	bool failed;      /* an operational error was reported */
	bool unchecked;   /* preening found clean journals: that was all */
	bool view_only;   /* nothing may be repaired any more */
	bool keep_sb;     /* the superblock on the device stays as it is */
	bool blind;       /* not all that is in use is known: free nothing */
	unsigned int round;
	uint64_t lost_dinodes; /* blocks marked as dinodes that are none */
	uint64_t reclaimed; /* unlinked inodes freed */

	struct gfs_dev *dev;      /* the device itself */
	struct gfs_dev *counter;  /* counts reads of dev */
	struct gfs_dev *view;     /* overlay: the volume with its repairs */
	struct gfs_fs *fs;        /* the volume on the view; new each round */
	enum fsck_jnl_action *jnl_actions; /* of n_actions journals */
	uint32_t n_actions;

	struct fsck_problems problems;
	struct fsck_edits edits;
	struct gfs_blkmap touched; /* inodes whose trees were cut */

	/* Filled anew in each round. */
	struct fsck_rg *rg;       /* fs->rgrps.n */
	struct fsck_role *roles;  /* ascending by addr */
	size_t n_roles, roles_room;
	bool rgrps_missing;       /* the index does not have all */
	uint64_t n_data;          /* data blocks in all groups */
	struct blockmap disk;     /* states in the bitmaps */
	struct blockmap want;     /* states that the trees ask for */
	struct fsck_inodes inodes;
	struct fsck_dirs dirs;
	struct fsck_dirents dirents;
	struct fsck_leaf_runs runs;
	bool dups_cleared;        /* pointers to them were cleared */
	struct fsck_refs dups;    /* second claims of blocks */
	uint64_t *dup_blks;       /* distinct blocks of dups, sorted */
	size_t n_dup_blks;
	uint64_t lost_found;      /* "lost+found" in root, 0: none */
	struct gfs_statfs statfs, changes; /* as recorded */
	bool have_statfs;
	uint32_t last_rg;         /* cache of the group found last */
};

/*
 * Index of data block blk in the maps; false when it is in no group's data
 * area.
 */
bool fsck_index(struct fsck *f, uint64_t blk, uint64_t *index);
/* The block of an index < n_data, and its group's number. */
uint64_t fsck_block(struct fsck *f, uint64_t index);
uint32_t fsck_rg_of(struct fsck *f, uint64_t index);

/*
 * All rounds: check, repair in the view, check again. 0, or < 0 after a
 * message when checking was not possible.
 */
int fsck_run(struct fsck *f) GFS_MUST;

/* Write what was agreed on to the device. 0, or < 0 after a message. */
int fsck_commit(struct fsck *f) GFS_MUST;

/* Finding: a metadata block cannot be read; what it leads to is unknown. */
void fsck_unreadable(struct fsck *f, uint64_t blk, int code);

/*
 * Plan the state of the data block with a map index, in the bitmap and in the
 * counts of its group; f->disk shows it at once.
 */
void fsck_set_state(struct fsck *f, uint64_t index, unsigned int state);

/*
 * Part of an inode's tree was cut off: what its counts say follows in the next
 * round without a finding of its own.
 */
void fsck_touch(struct fsck *f, uint32_t inode);
bool fsck_touched(const struct fsck *f, uint64_t addr);

/* Message for a failure of libgfs; the run counts as failed. Returns code. */
int fsck_report(struct fsck *f, int code);
/* "device: text" on stderr; the run counts as failed. */
void fsck_complain(struct fsck *f, const char *fmt, ...) GFS_PRINTF(2, 3);
/* "text" on stdout unless -q or JSON; level 1 needs -v. */
void fsck_say(const struct fsck *f, int level, const char *fmt, ...)
	GFS_PRINTF(3, 4);

/*
 * Superblock: check it raw, repair it in the view, open f->fs on the view.
 * < 0 ends the run.
 */
int fsck_super(struct fsck *f) GFS_MUST;
/* After fsck_super(): formal numbers and directories it names. */
int fsck_super_inodes(struct fsck *f) GFS_MUST;
/*
 * The dinode at addr, when there is one, has to know its address: for inodes
 * without which the passes do not come to check it.
 */
int fsck_mend_number(struct fsck *f, uint64_t addr) GFS_MUST;
/* System files: find them, fill f->roles. */
int fsck_system(struct fsck *f) GFS_MUST;
/* Add a journal's inode to the roles; sort them when all are there. */
void fsck_role_add_journal(struct fsck *f, uint32_t jid, uint64_t addr);
void fsck_roles_sort(struct fsck *f);
/* Role of the inode at addr; kind ROLE_NONE for an ordinary one. */
struct fsck_role fsck_role_of(const struct fsck *f, uint64_t addr);
/*
 * Journals: replay or clear them in the view. 1 when a preening run need not
 * look further.
 */
int fsck_journals(struct fsck *f) GFS_MUST;
/* rindex: fill fs->rgrps and f->rg. */
int fsck_rindex(struct fsck *f) GFS_MUST;
/* The totals as recorded, into f->statfs and f->changes. */
int fsck_read_statfs(struct fsck *f) GFS_MUST;
/* Headers and bitmaps of all groups: fill f->disk. */
int fsck_rgrps(struct fsck *f) GFS_MUST;
/* All inodes and their trees: fill the tables and f->want. */
int fsck_trees(struct fsck *f) GFS_MUST;
/* Parts of fsck_trees(), by subject. */
/*
 * Check a dinode's own fields against its role and the rules; *di is a copy
 * that becomes what it should be. False when the block is no dinode at all.
 */
bool fsck_dinode(struct fsck *f, uint64_t blk, const void *block,
		 struct gfs2_dinode *di);
/* Entries in a block of inode `dir`; leaf run NO_INDEX: linear directory. */
void fsck_dirents(struct fsck *f, uint64_t blk, const void *block, uint32_t dir,
		  uint32_t run);
/* Header of a leaf; false when it is none. ref: how it was reached. */
bool fsck_leaf(struct fsck *f, const struct fsck_ref *ref, const void *block);
/* Part of a hash table. */
struct fsck_table_part {
	uint64_t blk;      /* where it stands */
	const void *block; /* content of blk */
	uint32_t off;      /* of the first entry in it, bytes */
	uint32_t n;        /* entries at most */
	uint32_t start;    /* number of the first */
	uint32_t dir;      /* inode index */
};
/* Add its runs to f->runs. */
void fsck_take_table(struct fsck *f, const struct fsck_table_part *part);
/* Joined runs of all tables: are they what they must be? */
void fsck_tables(struct fsck *f);
/* Records of an EA block; value blocks are appended to refs. */
void fsck_xattrs(struct fsck *f, const struct fsck_ref *ref, const void *block,
		 struct fsck_refs *refs);
/* Plan to turn the record at off of an EA block into free space. */
void fsck_xattr_remove(struct fsck *f, uint64_t blk, uint32_t off);
/*
 * Plan to remove the entry at off of block blk of directory `dir` (inode
 * index); its leaf and the directory count one less.
 */
void fsck_drop_entry(struct fsck *f, uint32_t dir, uint64_t blk, uint32_t off);
/* A quota change block. */
void fsck_quota_change(struct fsck *f, const struct fsck_ref *ref,
		       const void *block);
/*
 * Entries whose targets are dinodes although no bitmap says so: they are
 * taken for such in f->disk, and *found is set. f->dirents is sorted.
 */
int fsck_find_lost(struct fsck *f, bool *found) GFS_MUST;
/*
 * Claim a block for ref->owner: true when it is the first claim, and its
 * content may be looked at.
 */
bool fsck_claim(struct fsck *f, const struct fsck_ref *ref);
/*
 * Call fn for each reference in the tree of an inode (index), blocks being
 * read through the cache. visited has the size of the maps: blocks in state 1
 * are not looked into, so that every walk ends. -GFS_EINTR on ^C.
 */
typedef void (*fsck_visit_fn)(struct fsck *f, void *ctx,
			      const struct fsck_ref *ref);
int fsck_visit(struct fsck *f, uint32_t inode, struct blockmap *visited,
	       fsck_visit_fn fn, void *ctx) GFS_MUST;
int fsck_dups(struct fsck *f) GFS_MUST;
/* Entries against inodes. */
int fsck_names(struct fsck *f) GFS_MUST;
/* Is everything reachable from root or master? */
int fsck_reach(struct fsck *f) GFS_MUST;
/* Free inodes that wait for removal. */
int fsck_reclaim(struct fsck *f) GFS_MUST;
int fsck_links(struct fsck *f) GFS_MUST;
/* f->want against f->disk. */
int fsck_bitmaps(struct fsck *f) GFS_MUST;
/* Counts of groups, statfs. */
int fsck_counts(struct fsck *f) GFS_MUST;

/* Free the tables of a round; f->fs as well. */
void fsck_round_fini(struct fsck *f);

/*
 * Command line into f->opts. 0, 1 when the run is over with exit code 0, or
 * < 0 after a message.
 */
int fsck_options(struct fsck *f, int argc, char **argv) GFS_MUST;

#endif
