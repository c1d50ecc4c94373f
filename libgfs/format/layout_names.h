/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of flags and enumerated values on disk; each ends with a NULL name. */
#ifndef GFS_LAYOUT_NAMES_H
#define GFS_LAYOUT_NAMES_H

#include "layout.h"

extern const struct gfs_flagname gfs_names_metatype[];     /* mh_type */
extern const struct gfs_flagname gfs_names_rgrp_flag[];    /* rg_flags */
extern const struct gfs_flagname gfs_names_dinode_flag[];  /* di_flags */
extern const struct gfs_flagname gfs_names_dirent_type[];  /* de_type */
extern const struct gfs_flagname gfs_names_ea_type[];      /* ea_type */
extern const struct gfs_flagname gfs_names_ea_flag[];      /* ea_flags */
extern const struct gfs_flagname gfs_names_log_flag[];     /* lh_flags */
extern const struct gfs_flagname gfs_names_logdesc_type[]; /* ld_type */
extern const struct gfs_flagname gfs_names_quota_flag[];   /* qc_flags */

#endif
