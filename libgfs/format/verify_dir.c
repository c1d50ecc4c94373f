// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules of dirents in leaves and linear directories; verifier of leaves. */
#include "verify.h"

#include "dirent.h"
#include "hash.h"
#include "verify_rules.h"

#include <string.h>

#define LEAF_START ((uint32_t)sizeof(struct gfs2_leaf))

static const struct gfs_flaw sane;

struct gfs_flaw gfs_verify_dirents(const struct gfs_subject *s, uint32_t start,
				   uint32_t *live)
{
	const struct gfs_layout *layout = &gfs_layout_dirent;
	struct gfs_dirent_iter it;
	struct gfs_dirent_view view;
	const char *why = NULL;
	int rc;

	*live = 0;
	gfs_dirent_first(&it, s->block, s->g->bsize, start);
	while ((rc = gfs_dirent_next(&it, &view, &why)) > 0) {
		if (view.sentinel && view.offset != start)
			return gfs_flaw_make(layout, view.offset, "de_inum",
					     "empty entry that is not first");
		*live += !view.sentinel;
	}
	if (rc < 0)
		return gfs_flaw_make(layout, it.offset, "de_rec_len", why);
	return sane;
}

static bool known_type(const struct gfs_dirent_view *view)
{
	switch (be16_to_cpu(view->de->de_type)) {
	case 1: /* DT_FIFO and so on: numbers of the format, not of the libc */
	case 2:
	case 4:
	case 6:
	case 8:
	case 10:
	case 12: return true;
	default: return false;
	}
}

static struct gfs_flaw check_name(const struct gfs_dirent_view *view)
{
	const struct gfs_layout *layout = &gfs_layout_dirent;
	uint32_t hash = gfs_dir_hash(view->name, view->name_len);

	if (memchr(view->name, '\0', view->name_len) ||
	    memchr(view->name, '/', view->name_len))
		return gfs_flaw_minor(layout, view->offset, "de_name_len",
				      "name contains a NUL or a slash");
	if (be32_to_cpu(view->de->de_hash) != hash)
		return gfs_flaw_minor(layout, view->offset, "de_hash",
				      "is not the hash of the name");
	if (!known_type(view))
		return gfs_flaw_minor(layout, view->offset, "de_type",
				      "type of file is unknown");
	return sane;
}

struct gfs_flaw gfs_verify_names(const struct gfs_subject *s, uint32_t start,
				 unsigned int depth)
{
	struct gfs_dirent_iter it;
	struct gfs_dirent_view view;
	const char *why = NULL;
	bool first = true;
	uint32_t shared = 0;

	gfs_dirent_first(&it, s->block, s->g->bsize, start);
	while (gfs_dirent_next(&it, &view, &why) > 0) {
		struct gfs_flaw flaw;
		uint32_t index;

		if (view.sentinel)
			continue;
		flaw = check_name(&view);
		if (flaw.why)
			return flaw;
		index = gfs_dir_index(be32_to_cpu(view.de->de_hash), depth);
		if (first)
			shared = index;
		first = false;
		if (index != shared)
			return gfs_flaw_minor(&gfs_layout_dirent, view.offset,
					      "de_hash",
					      "name belongs to another leaf");
	}
	return sane;
}

static struct gfs_flaw leaf_flaw(const char *field, const char *why)
{
	return gfs_flaw_make(&gfs_layout_leaf, 0, field, why);
}

static struct gfs_flaw rule_leaf(const struct gfs_subject *s)
{
	const struct gfs2_leaf *lf = s->block;
	struct gfs_flaw flaw;
	uint32_t live;

	if (be16_to_cpu(lf->lf_depth) > GFS2_DIR_MAX_DEPTH)
		return leaf_flaw("lf_depth", "is more than 17");
	if (be64_to_cpu(lf->lf_next) == s->blk && s->blk)
		return leaf_flaw("lf_next", "is the leaf itself");
	flaw = gfs_verify_dirents(s, LEAF_START, &live);
	if (flaw.why)
		return flaw;
	if (be16_to_cpu(lf->lf_entries) != live)
		return leaf_flaw("lf_entries", "is not the number of entries");
	return sane;
}

static struct gfs_flaw rule_leaf_names(const struct gfs_subject *s)
{
	const struct gfs2_leaf *lf = s->block;

	return gfs_verify_names(s, LEAF_START, be16_to_cpu(lf->lf_depth));
}

static struct gfs_flaw rule_dirent_format(const struct gfs_subject *s)
{
	const struct gfs2_leaf *lf = s->block;

	if (be32_to_cpu(lf->lf_dirent_format) == GFS2_FORMAT_DE)
		return sane;
	return gfs_flaw_minor(&gfs_layout_leaf, 0, "lf_dirent_format",
			      "is not 1200");
}

struct gfs_flaw gfs_verify_leaf(const struct gfs_geom *g, const void *block,
				uint64_t blk)
{
	static gfs_rule *const rules[] = { rule_leaf, rule_leaf_names,
					   rule_dirent_format, NULL };
	const struct gfs_subject s = { g, block, blk };

	return gfs_verify_rules(&s, GFS2_METATYPE_LF, rules);
}
