/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Flat tables of what the trees hold: inodes, directories, entries, parts of
 * hash tables, pointers. They are filled in scan order, sorted and joined.
 */
#ifndef FSCK_INODES_H
#define FSCK_INODES_H

#include "../libgfs/base/base.h"
#include "../libgfs/fs/walk.h"

#define NO_INDEX UINT32_MAX

enum fsck_inode_flags {
	INODE_DIR = 1,
	INODE_SYSTEM = 2,
	INODE_UNLINKED = 4,   /* waiting for removal: legal without names */
	INODE_EXHASH = 8,
	INODE_PARTIAL = 16,   /* some of its tree is missing or going */
	INODE_QUOTA_CHANGE = 32,
	INODE_JOURNAL = 64,
	INODE_UNREADABLE = 128,
	INODE_EMPTY = 256,    /* size 0, no xattrs, regular file */
	INODE_NAMED = 512,    /* some entry names it */
	INODE_SKIP = 1024,    /* links are counted in the next round */
};

struct fsck_inode {
	uint64_t addr;
	uint64_t formal;
	uint64_t blocks_left; /* di_blocks minus blocks counted, wraps */
	uint32_t links_left;  /* di_nlink minus links counted, wraps */
	uint16_t flags;
	uint8_t type;         /* DT_* */
	uint8_t height;
};

struct fsck_inodes {
	struct fsck_inode *v; /* ascending by addr */
	uint32_t n, room;
};

struct fsck_dir {
	uint32_t inode;    /* index */
	uint32_t parent;   /* inode index of the directory that names it */
	uint64_t dotdot_addr, dotdot_formal;
	uint64_t dotdot_blk; /* block with "..", 0: none */
	uint16_t dotdot_off;
	uint8_t depth;
	uint8_t flags;     /* enum fsck_dir_flags */
	uint32_t entries;  /* di_entries */
	uint32_t live;     /* counted */
	uint32_t dropped;  /* of live, by agreed repairs */
};

enum fsck_dir_flags {
	DIR_DOT = 1,
	DIR_DOTDOT = 2,
	DIR_BROKEN = 4,    /* a block's entries were mended: counts follow */
	DIR_REACHED = 8,
	DIR_VISITING = 16,
	DIR_LOST = 32,
	DIR_TORN = 128,    /* the hash table is not whole */
	DIR_LEAVING = 64,  /* waiting for removal: entries mean nothing */
};

struct fsck_dirs {
	struct fsck_dir *v; /* ascending by inode */
	uint32_t n, room;
};

/* An entry but "." and "..". */
struct fsck_dirent {
	uint64_t addr, formal; /* as it says */
	uint64_t blk;          /* where it stands */
	uint32_t dir;          /* inode index of the directory */
	uint16_t off;
	uint8_t type;
	uint8_t flags;         /* ENTRY_* */
};

enum fsck_dirent_flags { ENTRY_DROPPED = 1 };

struct fsck_dirents {
	struct fsck_dirent *v;
	size_t n, room;
};

/* Equal neighbours in a hash table. */
struct fsck_leaf_run {
	uint64_t leaf;
	uint64_t blk;     /* where the first of them stands */
	uint32_t dir;     /* inode index */
	uint32_t start, count; /* table entries */
	uint16_t off;
};

struct fsck_leaf_runs {
	struct fsck_leaf_run *v;
	size_t n, room;
};

/* A pointer to a block that is to be looked at, or in dispute. */
struct fsck_ref {
	uint64_t blk;
	uint64_t parent;  /* block with the pointer */
	uint32_t owner;   /* inode index */
	uint32_t base;    /* tables: logical block; leaves: index of the run */
	uint16_t off;     /* of the pointer in parent, bytes */
	uint8_t kind;     /* enum gfs_ref_kind, or REF_QUOTA_CHANGE */
	uint8_t level;
	uint32_t len;     /* leaves: position in the chain; EA data: bytes */
};

#define REF_QUOTA_CHANGE 64 /* data block of a quota change file */

struct fsck_refs {
	struct fsck_ref *v;
	size_t n, room;
};

/* Append; returns the new element, zeroed. Exit when out of memory. */
struct fsck_inode *inodes_add(struct fsck_inodes *t);
struct fsck_dir *dirs_add(struct fsck_dirs *t);
struct fsck_dirent *dirents_add(struct fsck_dirents *t);
struct fsck_leaf_run *leaf_runs_add(struct fsck_leaf_runs *t);
struct fsck_ref *refs_add(struct fsck_refs *t);

/* Index of the inode at addr, or NO_INDEX. */
uint32_t inodes_find(const struct fsck_inodes *t, uint64_t addr);
/* The directory of an inode index, or NULL. */
struct fsck_dir *dirs_find(const struct fsck_dirs *t, uint32_t inode);

/* By target, then by place. */
void dirents_sort(struct fsck_dirents *t);
/*
 * By directory, then by table entry; neighbours that go on are joined, but
 * for those without a leaf, which thus stay within one block.
 */
void leaf_runs_merge(struct fsck_leaf_runs *t);
/* By block, then by place of the pointer. */
void refs_sort(struct fsck_refs *t);

/* Room for one more of size bytes in an array of n with *room. */
void *table_grow(void *v, size_t n, size_t *room, size_t size);

#endif
