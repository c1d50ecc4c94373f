// SPDX-License-Identifier: GPL-2.0-or-later
/* Commands on journals: journals, logdump. */
#include "expr.h"
#include "show.h"
#include "words.h"

#include "../libgfs/fs/journal.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static const char *log_flags_text(uint32_t flags, char *buf, size_t size)
{
	const struct gfs_field *f;
	be32 raw = cpu_to_be32(flags);
	size_t offset;

	f = gfs_layout_field(gfs_layout_find("log_header"), "lh_flags",
			     &offset);
	return gfs_field_text(f, &raw, buf, size);
}

/* When a header was written, NULL if it does not say: mkfs does not. */
static const char *head_time(const struct gfs_log_head *head, char *buf,
			     size_t size)
{
	if (!head->v2 || (!head->sec && !head->nsec))
		return NULL;
	return dbg_time_text((int64_t)head->sec, head->nsec, buf, size);
}

static void head_cells(struct emit *e, const struct gfs_jnl *jnl)
{
	char text[256];

	if (!jnl->has_head) {
		for (int i = 0; i < 6; i++)
			emit_str(e, NULL, NULL);
		return;
	}
	emit_u64(e, NULL, jnl->head.pos);
	emit_u64(e, NULL, jnl->head.tail);
	emit_u64(e, NULL, gfs_jnl_active(jnl));
	emit_u64(e, NULL, jnl->head.sequence);
	emit_str(e, NULL, log_flags_text(jnl->head.flags, text, sizeof(text)));
	emit_str(e, NULL, head_time(&jnl->head, text, sizeof(text)));
}

static void journal_row(struct dbg *d, const struct gfs_jnl *jnl)
{
	emit_row_begin(d->out);
	emit_u64(d->out, NULL, jnl->jid);
	emit_u64(d->out, NULL, jnl->jinode);
	emit_u64(d->out, NULL, jnl->map[0]);
	emit_u64(d->out, NULL, jnl->nblocks);
	emit_str(d->out, NULL, !jnl->has_head ? "no header" :
			       gfs_jnl_is_clean(jnl) ? "clean" : "dirty");
	head_cells(d->out, jnl);
	emit_u64(d->out, NULL, jnl->anomalies);
	emit_row_end(d->out);
}

int dbg_cmd_journals(struct dbg *d, struct dbg_args *a)
{
	static const struct emit_column columns[] = {
		{ "journal", true }, { "inode", true },   { "first", true },
		{ "blocks", true },  { "state", false },  { "head", true },
		{ "tail", true },    { "active", true },  { "sequence", true },
		{ "flags", false },  { "time", false },   { "anomalies", true }
	};
	int rc = 0;

	(void)a;
	emit_table_begin(d->out, NULL, columns, GFS_ARRAY_SIZE(columns),
			 false);
	for (uint32_t j = 0; j < d->fs->njournals; j++) {
		struct gfs_jnl *jnl;
		int one = gfs_jnl_open(&jnl, d->fs, j);

		if (one) {
			rc = dbg_complain(d, one);
			continue;
		}
		journal_row(d, jnl);
		gfs_jnl_close(jnl);
	}
	emit_table_end(d->out);
	return rc;
}

int dbg_show_journals(struct dbg *d)
{
	static const struct emit_column columns[] = {
		{ "journal", true }, { "inode", true }, { "blocks", true },
		{ "state", false }
	};
	int rc = 0;

	emit_table_begin(d->out, "journals", columns, GFS_ARRAY_SIZE(columns),
			 false);
	for (uint32_t j = 0; j < d->fs->njournals; j++) {
		struct gfs_jnl *jnl;
		int one = gfs_jnl_open(&jnl, d->fs, j);

		if (one) {
			rc = dbg_complain(d, one);
			continue;
		}
		emit_row_begin(d->out);
		emit_u64(d->out, NULL, j);
		emit_u64(d->out, NULL, jnl->jinode);
		emit_u64(d->out, NULL, jnl->nblocks);
		emit_str(d->out, NULL, gfs_jnl_is_clean(jnl) ? "clean"
							     : "dirty");
		emit_row_end(d->out);
		gfs_jnl_close(jnl);
	}
	emit_table_end(d->out);
	return rc;
}

static const char *item_name(const struct gfs_jnl_item *item)
{
	switch (item->kind) {
	case GFS_JNL_HEADER: return "header";
	case GFS_JNL_META: return "metadata";
	case GFS_JNL_JDATA: return item->escaped ? "jdata escaped" : "jdata";
	case GFS_JNL_REVOKE: return "revoke";
	case GFS_JNL_DESC: break;
	}
	switch (item->ld_type) {
	case GFS2_LOG_DESC_METADATA: return "descriptor metadata";
	case GFS2_LOG_DESC_REVOKE: return "descriptor revoke";
	case GFS2_LOG_DESC_JDATA: return "descriptor jdata";
	default: return "descriptor unknown";
	}
}

/* What a row says beside positions, as a sentence part. */
static void detail_cell(struct emit *e, const struct gfs_jnl_item *item)
{
	char flags[256], buf[96];
	const char *when;

	if (item->kind == GFS_JNL_DESC) {
		emit_strf(e, NULL, "%u items, %u blocks", item->n,
			  item->ld_length);
		return;
	}
	if (item->kind != GFS_JNL_HEADER) {
		emit_str(e, NULL, NULL);
		return;
	}
	log_flags_text(item->head.flags, flags, sizeof(flags));
	when = head_time(&item->head, buf, sizeof(buf));
	emit_strf(e, NULL, "tail %u, flags %s%s%s, local %+" PRId64 " %+" PRId64
		  " %+" PRId64, item->head.tail, flags,
		  when ? ", " : "", when ? when : "",
		  item->head.local_total, item->head.local_free,
		  item->head.local_dinodes);
}

static void item_row(struct emit *e, const struct gfs_jnl *jnl,
		     const struct gfs_jnl_item *item)
{
	bool copy = item->kind == GFS_JNL_META || item->kind == GFS_JNL_JDATA;
	uint32_t pos = copy ? item->copy : item->pos;

	emit_row_begin(e);
	emit_u64(e, NULL, pos);
	if (pos < jnl->nblocks)
		emit_u64(e, NULL, jnl->map[pos]);
	else
		emit_str(e, NULL, NULL);
	emit_str(e, NULL, item_name(item));
	if (item->kind == GFS_JNL_HEADER)
		emit_u64(e, NULL, item->head.sequence);
	else
		emit_str(e, NULL, NULL);
	if (copy || item->kind == GFS_JNL_REVOKE)
		emit_u64(e, NULL, item->blk);
	else
		emit_str(e, NULL, NULL);
	detail_cell(e, item);
	emit_row_end(e);
}

/* The header that ends the log: recovery reads up to it. */
static void head_row(struct emit *e, const struct gfs_jnl *jnl)
{
	struct gfs_jnl_item item = {
		.kind = GFS_JNL_HEADER, .pos = jnl->head.pos, .head = jnl->head
	};

	item_row(e, jnl, &item);
}

/* "journal3" or "3", or the inode of a journal in any form of address. */
static int find_journal(struct dbg *d, const char *text, uint32_t *jid)
{
	uint64_t n, blk;
	int rc;

	if (!strncmp(text, "journal", 7))
		text += 7;
	if (!dbg_number(text, &n) && n < d->fs->njournals) {
		*jid = (uint32_t)n;
		return 0;
	}
	if (!dbg_number(text, &n))
		return dbg_fail(d, ENOENT, "no journal %" PRIu64
				": the volume has %u", n, d->fs->njournals);
	rc = dbg_address(d, text, &blk);
	if (rc)
		return rc;
	for (*jid = 0; *jid < d->fs->njournals; (*jid)++) {
		struct gfs_jnl *jnl;

		if (gfs_jnl_open(&jnl, d->fs, *jid))
			continue;
		n = jnl->jinode;
		gfs_jnl_close(jnl);
		if (n == blk)
			return 0;
	}
	return dbg_fail(d, ENOENT, "%s is no journal", text);
}

static int dump_items(struct dbg *d, struct gfs_jnl *jnl, bool all)
{
	static const struct emit_column columns[] = {
		{ "pos", true }, { "block", true }, { "item", false },
		{ "sequence", true }, { "home", true }, { "detail", false }
	};
	struct gfs_jnl_iter *it;
	struct gfs_jnl_item item;
	int rc;

	rc = gfs_jnl_first(&it, jnl, all);
	if (rc)
		return rc;
	emit_table_begin(d->out, NULL, columns, GFS_ARRAY_SIZE(columns), true);
	while ((rc = gfs_jnl_next(it, &item)) > 0)
		item_row(d->out, jnl, &item);
	if (!rc && !all && jnl->has_head)
		head_row(d->out, jnl);
	emit_table_end(d->out);
	gfs_jnl_iter_close(it);
	return rc;
}

int dbg_cmd_logdump(struct dbg *d, struct dbg_args *a)
{
	struct gfs_jnl *jnl;
	uint32_t jid = 0;
	int rc;

	rc = dbg_need(d, DBG_JOURNALS);
	if (!rc)
		rc = find_journal(d, a->v[0], &jid);
	if (!rc)
		rc = gfs_jnl_open(&jnl, d->fs, jid);
	if (rc)
		return rc;
	rc = dump_items(d, jnl, a->opt[0]);
	gfs_jnl_close(jnl);
	return rc;
}
