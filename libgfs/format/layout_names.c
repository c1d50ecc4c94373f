// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of flags and enumerated values on disk. */
#include "layout_names.h"

#define END             \
	{               \
		0, NULL \
	}

const struct gfs_flagname gfs_names_metatype[] = {
	{ GFS2_METATYPE_NONE, "none" },
	{ GFS2_METATYPE_SB, "superblock" },
	{ GFS2_METATYPE_RG, "rgrp" },
	{ GFS2_METATYPE_RB, "bitmap" },
	{ GFS2_METATYPE_DI, "dinode" },
	{ GFS2_METATYPE_IN, "indirect" },
	{ GFS2_METATYPE_LF, "leaf" },
	{ GFS2_METATYPE_JD, "jdata" },
	{ GFS2_METATYPE_LH, "logheader" },
	{ GFS2_METATYPE_LD, "logdesc" },
	{ GFS2_METATYPE_EA, "xattr" },
	{ GFS2_METATYPE_ED, "xattrdata" },
	{ GFS2_METATYPE_LB, "logcont" },
	{ GFS2_METATYPE_QC, "quotachange" },
	END,
};

const struct gfs_flagname gfs_names_rgrp_flag[] = {
	{ GFS2_RGF_JOURNAL, "JOURNAL" },   { GFS2_RGF_METAONLY, "METAONLY" },
	{ GFS2_RGF_DATAONLY, "DATAONLY" }, { GFS2_RGF_NOALLOC, "NOALLOC" },
	{ GFS2_RGF_TRIMMED, "TRIMMED" },   END,
};

const struct gfs_flagname gfs_names_dinode_flag[] = {
	{ GFS2_DIF_JDATA, "JDATA" },
	{ GFS2_DIF_EXHASH, "EXHASH" },
	{ GFS2_DIF_UNUSED, "UNUSED" },
	{ GFS2_DIF_EA_INDIRECT, "EA_INDIRECT" },
	{ GFS2_DIF_DIRECTIO, "DIRECTIO" },
	{ GFS2_DIF_IMMUTABLE, "IMMUTABLE" },
	{ GFS2_DIF_APPENDONLY, "APPENDONLY" },
	{ GFS2_DIF_NOATIME, "NOATIME" },
	{ GFS2_DIF_SYNC, "SYNC" },
	{ GFS2_DIF_SYSTEM, "SYSTEM" },
	{ GFS2_DIF_TOPDIR, "TOPDIR" },
	{ GFS2_DIF_TRUNC_IN_PROG, "TRUNC_IN_PROG" },
	{ GFS2_DIF_INHERIT_DIRECTIO, "INHERIT_DIRECTIO" },
	{ GFS2_DIF_INHERIT_JDATA, "INHERIT_JDATA" },
	END,
};

/* DT_* of readdir(3): the type bits of st_mode, shifted. */
const struct gfs_flagname gfs_names_dirent_type[] = {
	{ 0, "unknown" }, { 1, "fifo" },  { 2, "chr" },
	{ 4, "dir" },     { 6, "blk" },   { 8, "reg" },
	{ 10, "lnk" },    { 12, "sock" }, END,
};

const struct gfs_flagname gfs_names_ea_type[] = {
	{ GFS2_EATYPE_UNUSED, "unused" },
	{ GFS2_EATYPE_USR, "user" },
	{ GFS2_EATYPE_SYS, "system" },
	{ GFS2_EATYPE_SECURITY, "security" },
	{ GFS2_EATYPE_TRUSTED, "trusted" },
	END,
};

const struct gfs_flagname gfs_names_ea_flag[] = {
	{ GFS2_EAFLAG_LAST, "LAST" },
	END,
};

const struct gfs_flagname gfs_names_log_flag[] = {
	{ GFS2_LOG_HEAD_UNMOUNT, "UNMOUNT" },
	{ GFS2_LOG_HEAD_FLUSH_NORMAL, "FLUSH_NORMAL" },
	{ GFS2_LOG_HEAD_FLUSH_SYNC, "FLUSH_SYNC" },
	{ GFS2_LOG_HEAD_FLUSH_SHUTDOWN, "FLUSH_SHUTDOWN" },
	{ GFS2_LOG_HEAD_FLUSH_FREEZE, "FLUSH_FREEZE" },
	{ GFS2_LOG_HEAD_RECOVERY, "RECOVERY" },
	{ GFS2_LFC_SHUTDOWN, "LFC_SHUTDOWN" },
	{ GFS2_LFC_JDATA_WPAGES, "LFC_JDATA_WPAGES" },
	{ GFS2_LFC_SET_FLAGS, "LFC_SET_FLAGS" },
	{ GFS2_LFC_AIL_EMPTY_GL, "LFC_AIL_EMPTY_GL" },
	{ GFS2_LFC_AIL_FLUSH, "LFC_AIL_FLUSH" },
	{ GFS2_LFC_RGRP_GO_SYNC, "LFC_RGRP_GO_SYNC" },
	{ GFS2_LFC_INODE_GO_SYNC, "LFC_INODE_GO_SYNC" },
	{ GFS2_LFC_INODE_GO_INVAL, "LFC_INODE_GO_INVAL" },
	{ GFS2_LFC_FREEZE_GO_SYNC, "LFC_FREEZE_GO_SYNC" },
	{ GFS2_LFC_KILL_SB, "LFC_KILL_SB" },
	{ GFS2_LFC_DO_SYNC, "LFC_DO_SYNC" },
	{ GFS2_LFC_INPLACE_RESERVE, "LFC_INPLACE_RESERVE" },
	{ GFS2_LFC_WRITE_INODE, "LFC_WRITE_INODE" },
	{ GFS2_LFC_MAKE_FS_RO, "LFC_MAKE_FS_RO" },
	{ GFS2_LFC_SYNC_FS, "LFC_SYNC_FS" },
	{ GFS2_LFC_EVICT_INODE, "LFC_EVICT_INODE" },
	{ GFS2_LFC_TRANS_END, "LFC_TRANS_END" },
	{ GFS2_LFC_LOGD_JFLUSH_REQD, "LFC_LOGD_JFLUSH_REQD" },
	{ GFS2_LFC_LOGD_AIL_FLUSH_REQD, "LFC_LOGD_AIL_FLUSH_REQD" },
	{ GFS2_LOG_HEAD_USERSPACE, "USERSPACE" },
	END,
};

const struct gfs_flagname gfs_names_logdesc_type[] = {
	{ GFS2_LOG_DESC_METADATA, "metadata" },
	{ GFS2_LOG_DESC_REVOKE, "revoke" },
	{ GFS2_LOG_DESC_JDATA, "jdata" },
	END,
};

const struct gfs_flagname gfs_names_quota_flag[] = {
	{ GFS2_QCF_USER, "USER" },
	END,
};
