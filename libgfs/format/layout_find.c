// SPDX-License-Identifier: GPL-2.0-or-later
/* Finding layouts and fields by name, and walking through all fields. */
#include "layout.h"

#include <stdio.h>
#include <string.h>

#define STRUCT_PREFIX "gfs2_"
#define NAME_SIZE     64 /* of a dotted name: two members */

const struct gfs_layout *gfs_layout_find(const char *name)
{
	const size_t prefix = strlen(STRUCT_PREFIX);

	for (unsigned int i = 0; gfs_layouts[i]; i++) {
		const char *full = gfs_layouts[i]->name;

		if (!strcmp(full, name) || !strcmp(full + prefix, name))
			return gfs_layouts[i];
	}
	return NULL;
}

/* Field whose name is the first len bytes of `name`; NULL if none. */
static const struct gfs_field *find_member(const struct gfs_layout *layout,
					   const char *name, size_t len)
{
	for (unsigned int i = 0; i < layout->nfields; i++) {
		const struct gfs_field *f = &layout->fields[i];

		if (strlen(f->name) == len && !memcmp(f->name, name, len))
			return f;
	}
	return NULL;
}

/* The only field of that name in a nested struct; NULL if none or several. */
static const struct gfs_field *find_nested(const struct gfs_layout *layout,
					   const char *name, size_t *offset)
{
	const struct gfs_field *found = NULL;

	for (unsigned int i = 0; i < layout->nfields; i++) {
		const struct gfs_field *outer = &layout->fields[i];
		const struct gfs_field *f;

		if (!outer->sub)
			continue;
		f = find_member(outer->sub, name, strlen(name));
		if (f && found)
			return NULL;
		if (!f)
			continue;
		found = f;
		*offset = (size_t)outer->offset + f->offset;
	}
	return found;
}

const struct gfs_field *gfs_layout_field(const struct gfs_layout *layout,
					 const char *name, size_t *offset)
{
	size_t len = strcspn(name, ".");
	const struct gfs_field *f = find_member(layout, name, len);

	if (!name[len] && !f)
		return find_nested(layout, name, offset);
	if (f && name[len]) {
		const struct gfs_field *inner;

		if (!f->sub)
			return NULL;
		inner = gfs_layout_field(f->sub, name + len + 1, offset);
		if (inner)
			*offset += f->offset;
		return inner;
	}
	if (f)
		*offset = f->offset;
	return f;
}

typedef int each_fn(void *ctx, const char *name, const struct gfs_field *f,
		    const void *at);

/* The fields of a nested struct; none of these nests any further. */
static int each_nested(const struct gfs_field *outer, const char *base,
		       each_fn *fn, void *ctx)
{
	for (unsigned int i = 0; i < outer->sub->nfields; i++) {
		const struct gfs_field *f = &outer->sub->fields[i];
		char name[NAME_SIZE];
		int rc;

		snprintf(name, sizeof(name), "%s.%s", outer->name, f->name);
		rc = fn(ctx, name, f, base + outer->offset + f->offset);
		if (rc)
			return rc;
	}
	return 0;
}

int gfs_layout_each(const struct gfs_layout *layout, const void *base,
		    int (*fn)(void *ctx, const char *name,
			      const struct gfs_field *f, const void *at),
		    void *ctx)
{
	for (unsigned int i = 0; i < layout->nfields; i++) {
		const struct gfs_field *f = &layout->fields[i];
		const char *at = (const char *)base + f->offset;
		int rc = f->sub ? each_nested(f, base, fn, ctx)
				: fn(ctx, f->name, f, at);

		if (rc)
			return rc;
	}
	return 0;
}
