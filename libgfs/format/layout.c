// SPDX-License-Identifier: GPL-2.0-or-later
/* The meaning of every field of every on-disk struct, one table per struct. */
#include "layout.h"

#include "layout_names.h"

#define MEMBER(m) (((struct RECORD *)0)->m)

#define REPR(m)                                                            \
	_Generic(MEMBER(m),                                                \
		uint8_t: GFS_REPR_U8,                                      \
		be16: GFS_REPR_BE16,                                       \
		be32: GFS_REPR_BE32,                                       \
		be64: GFS_REPR_BE64,                                       \
		struct gfs2_meta_header: GFS_REPR_STRUCT,                  \
		struct gfs2_inum: GFS_REPR_STRUCT,                         \
		default: GFS_REPR_RAW)

#define SUB(m)                                                             \
	_Generic(MEMBER(m),                                                \
		struct gfs2_meta_header: &gfs_layout_meta_header,          \
		struct gfs2_inum: &gfs_layout_inum,                        \
		default: NULL)

#define FIELD(m, repr_, sense_, flags_, sub_, help_)                       \
	{                                                                  \
		.name = #m, .offset = offsetof(struct RECORD, m),          \
		.size = sizeof(MEMBER(m)), .repr = (repr_),                \
		.sense = GFS_S_##sense_, .flags = (flags_), .sub = (sub_), \
		.help = (help_),                                           \
	}

/* A field; one whose values have names; padding of any type. */
#define F(m, sense, help)        FIELD(m, REPR(m), sense, NULL, SUB(m), help)
#define N(m, sense, names, help) FIELD(m, REPR(m), sense, names, NULL, help)
#define PAD(m)                                                             \
	FIELD(m, GFS_REPR_RAW, PAD, NULL, NULL, "reserved")

#define LAYOUT(object, what)                                               \
	const struct gfs_layout gfs_layout_##object = {                    \
		.name = "gfs2_" #object, .help = (what),                   \
		.size = sizeof(struct gfs2_##object),                      \
		.fields = object##_fields,                                 \
		.nfields = GFS_ARRAY_SIZE(object##_fields),                \
	}

/* clang-format off */
#define RECORD gfs2_inum
static const struct gfs_field inum_fields[] = {
	F(no_formal_ino, FORMAL, "kind of generation, goes with no_addr"),
	F(no_addr,       BLOCK,  "block of the dinode: the inode number"),
};
#undef RECORD
LAYOUT(inum, "inode address");

#define RECORD gfs2_meta_header
static const struct gfs_field meta_header_fields[] = {
	F(mh_magic,  HEX,  "0x01161970"),
	N(mh_type,   ENUM, gfs_names_metatype, "kind of block"),
	PAD(__pad0),
	F(mh_format, NUM,  "format of this kind of block"),
	F(mh_jid,    NUM,  "journal of the node that last logged the block"),
};
#undef RECORD
LAYOUT(meta_header, "start of every metadata block");

#define RECORD gfs2_sb
static const struct gfs_field sb_fields[] = {
	F(sb_header,           STRUCT, "metadata header"),
	F(sb_fs_format,        NUM,    "filesystem format, 1801 or 1802"),
	F(sb_multihost_format, NUM,    "locking format, 1900"),
	PAD(__pad0),
	F(sb_bsize,            BYTES,  "block size"),
	F(sb_bsize_shift,      NUM,    "log2 of the block size"),
	PAD(__pad1),
	F(sb_master_dir,       STRUCT, "directory of the system files"),
	PAD(__pad2),
	F(sb_root_dir,         STRUCT, "root directory"),
	F(sb_lockproto,        STRING, "lock protocol: lock_dlm, lock_nolock"),
	F(sb_locktable,        STRING, "CLUSTER:NAME for the lock protocol"),
	PAD(__pad3),
	PAD(__pad4),
	F(sb_uuid,             UUID,   "identity of the volume"),
};
#undef RECORD
LAYOUT(sb, "superblock");

#define RECORD gfs2_rindex
static const struct gfs_field rindex_fields[] = {
	F(ri_addr,     BLOCK, "header block of the resource group"),
	F(ri_length,   NUM,   "header and bitmap blocks"),
	PAD(__pad),
	F(ri_data0,    BLOCK, "first block that the bitmap covers"),
	F(ri_data,     NUM,   "blocks that the bitmap covers"),
	F(ri_bitbytes, BYTES, "size of the bitmap"),
	PAD(ri_reserved),
};
#undef RECORD
LAYOUT(rindex, "resource group index entry");

#define RECORD gfs2_rgrp
static const struct gfs_field rgrp_fields[] = {
	F(rg_header,      STRUCT, "metadata header"),
	N(rg_flags,       FLAGS, gfs_names_rgrp_flag, "allocation policy"),
	F(rg_free,        NUM,   "free blocks"),
	F(rg_dinodes,     NUM,   "dinodes, unlinked ones included"),
	F(rg_skip,        NUM,   "blocks to the next group, 0 in the last"),
	F(rg_igeneration, NUM,   "generation of the next inode"),
	F(rg_data0,       BLOCK, "first block that the bitmap covers"),
	F(rg_data,        NUM,   "blocks that the bitmap covers"),
	F(rg_bitbytes,    BYTES, "size of the bitmap"),
	F(rg_crc,         CRC,   "CRC-32 of this struct, 0 if not computed"),
	PAD(rg_reserved),
};
#undef RECORD
LAYOUT(rgrp, "resource group header");

#define RECORD gfs2_quota
static const struct gfs_field quota_fields[] = {
	F(qu_limit, NUM,    "hard limit, blocks"),
	F(qu_warn,  NUM,    "warning limit, blocks"),
	F(qu_value, SIGNED, "blocks in use"),
	PAD(qu_reserved),
};
#undef RECORD
LAYOUT(quota, "quota record");

#define RECORD gfs2_dinode
static const struct gfs_field dinode_fields[] = {
	F(di_header,         STRUCT,  "metadata header"),
	F(di_num,            STRUCT,  "address of this inode"),
	F(di_mode,           MODE,    "type and permissions"),
	F(di_uid,            NUM,     "owner"),
	F(di_gid,            NUM,     "group"),
	F(di_nlink,          NUM,     "links"),
	F(di_size,           BYTES,   "size of the content"),
	F(di_blocks,         NUM,     "blocks owned, this one included"),
	F(di_atime,          SECONDS, "last access"),
	F(di_mtime,          SECONDS, "last change of content"),
	F(di_ctime,          SECONDS, "last change of the inode"),
	F(di_major,          NUM,     "device number, major"),
	F(di_minor,          NUM,     "device number, minor"),
	F(di_goal_meta,      BLOCK,   "where to allocate next"),
	F(di_goal_data,      BLOCK,   "copy of di_goal_meta"),
	F(di_generation,     NUM,     "generation for NFS"),
	N(di_flags,          FLAGS,   gfs_names_dinode_flag, "flags"),
	F(di_payload_format, NUM,     "format of the content"),
	PAD(__pad1),
	F(di_height,         NUM,     "levels of pointers, 0 if stuffed"),
	PAD(__pad2),
	PAD(__pad3),
	F(di_depth,          NUM,     "directory: log2 of hash table entries"),
	F(di_entries,        NUM,     "directory: entries"),
	PAD(__pad4),
	F(di_eattr,          BLOCK,   "extended attributes"),
	F(di_atime_nsec,     NSEC,    "last access"),
	F(di_mtime_nsec,     NSEC,    "last change of content"),
	F(di_ctime_nsec,     NSEC,    "last change of the inode"),
	PAD(di_reserved),
};
#undef RECORD
LAYOUT(dinode, "inode");

#define RECORD gfs2_dirent
static const struct gfs_field dirent_fields[] = {
	F(de_inum,     STRUCT, "inode named"),
	F(de_hash,     HEX,    "CRC-32 of the name"),
	F(de_rec_len,  BYTES,  "distance to the next entry"),
	F(de_name_len, BYTES,  "length of the name"),
	N(de_type,     ENUM,   gfs_names_dirent_type, "type of the inode"),
	F(de_rahead,   NUM,    "blocks after the dinode worth reading: a hint"),
	PAD(__pad),
};
#undef RECORD
LAYOUT(dirent, "directory entry; the name follows");

#define RECORD gfs2_leaf
static const struct gfs_field leaf_fields[] = {
	F(lf_header,        STRUCT,  "metadata header"),
	F(lf_depth,         NUM,     "hash bits that all names share"),
	F(lf_entries,       NUM,     "entries in this block"),
	F(lf_dirent_format, NUM,     "format of the entries, 1200"),
	F(lf_next,          BLOCK,   "next leaf of the chain"),
	F(lf_inode,         BLOCK,   "directory, 0 in old volumes"),
	F(lf_dist,          NUM,     "place in the chain from 1, 0 if unknown"),
	F(lf_nsec,          NSEC,    "last insert or delete"),
	F(lf_sec,           SECONDS, "last insert or delete"),
	PAD(lf_reserved2),
};
#undef RECORD
LAYOUT(leaf, "directory leaf");

#define RECORD gfs2_ea_header
static const struct gfs_field ea_header_fields[] = {
	F(ea_rec_len,  BYTES, "distance to the next record"),
	F(ea_data_len, BYTES, "length of the value"),
	F(ea_name_len, BYTES, "length of the name, prefix not counted"),
	N(ea_type,     ENUM,  gfs_names_ea_type, "name space"),
	N(ea_flags,    FLAGS, gfs_names_ea_flag, "flags"),
	F(ea_num_ptrs, NUM,   "blocks of the value, 0 if it follows the name"),
	PAD(__pad),
};
#undef RECORD
LAYOUT(ea_header, "extended attribute; the name follows");

#define RECORD gfs2_log_header
static const struct gfs_field log_header_fields[] = {
	F(lh_header,        STRUCT,  "metadata header"),
	F(lh_sequence,      NUM,     "grows by 1 with each header"),
	N(lh_flags,         FLAGS,   gfs_names_log_flag, "UNMOUNT: clean"),
	F(lh_tail,          NUM,     "journal block where replay starts"),
	F(lh_blkno,         NUM,     "journal block of this header"),
	F(lh_hash,          CRC,     "CRC-32 of the struct up to here"),
	F(lh_crc,           CRC,     "CRC-32C of the rest of the block"),
	F(lh_nsec,          NSEC,    "when it was written"),
	F(lh_sec,           SECONDS, "when it was written"),
	F(lh_addr,          BLOCK,   "block of this header"),
	F(lh_jinode,        BLOCK,   "inode of the journal"),
	F(lh_statfs_addr,   BLOCK,   "inode of the node's statfs_change file"),
	F(lh_quota_addr,    BLOCK,   "inode of the node's quota_change file"),
	F(lh_local_total,   SIGNED,  "the node's change of blocks"),
	F(lh_local_free,    SIGNED,  "the node's change of free blocks"),
	F(lh_local_dinodes, SIGNED,  "the node's change of dinodes"),
};
#undef RECORD
LAYOUT(log_header, "log header");

#define RECORD gfs2_log_descriptor
static const struct gfs_field log_descriptor_fields[] = {
	F(ld_header, STRUCT, "metadata header"),
	N(ld_type,   ENUM,   gfs_names_logdesc_type, "what the blocks are"),
	F(ld_length, NUM,    "journal blocks, this one included"),
	F(ld_data1,  NUM,    "block numbers listed"),
	F(ld_data2,  NUM,    "0"),
	PAD(ld_reserved),
};
#undef RECORD
LAYOUT(log_descriptor, "log descriptor; block numbers follow");

#define RECORD gfs2_inum_range
static const struct gfs_field inum_range_fields[] = {
	F(ir_start,  NUM, "first formal inode number of the node"),
	F(ir_length, NUM, "how many"),
};
#undef RECORD
LAYOUT(inum_range, "content of an inum_range file");

#define RECORD gfs2_statfs_change
static const struct gfs_field statfs_change_fields[] = {
	F(sc_total,   SIGNED, "blocks"),
	F(sc_free,    SIGNED, "free blocks"),
	F(sc_dinodes, SIGNED, "dinodes"),
};
#undef RECORD
LAYOUT(statfs_change, "content of statfs and of a statfs_change file");

#define RECORD gfs2_quota_change
static const struct gfs_field quota_change_fields[] = {
	F(qc_change, SIGNED, "blocks, 0: slot is free"),
	N(qc_flags,  FLAGS,  gfs_names_quota_flag, "USER, or else a group"),
	F(qc_id,     NUM,    "user or group"),
};
#undef RECORD
LAYOUT(quota_change, "quota change not yet in the quota file");
/* clang-format on */

const struct gfs_layout *const gfs_layouts[] = {
	&gfs_layout_inum,
	&gfs_layout_meta_header,
	&gfs_layout_sb,
	&gfs_layout_rindex,
	&gfs_layout_rgrp,
	&gfs_layout_quota,
	&gfs_layout_dinode,
	&gfs_layout_dirent,
	&gfs_layout_leaf,
	&gfs_layout_ea_header,
	&gfs_layout_log_header,
	&gfs_layout_log_descriptor,
	&gfs_layout_inum_range,
	&gfs_layout_statfs_change,
	&gfs_layout_quota_change,
	NULL,
};
