// SPDX-License-Identifier: GPL-2.0-or-later
/* The disagreement matrix. */
#include "report.h"

void rg_matrix_add(struct rg_matrix *m, const struct rg_row *row)
{
	m->rows++;
	m->disputed += row->differ;
	for (int i = 0; i < RG_NVERSIONS; i++) {
		bool a = row->verdict[i].congested;

		m->congested[i] += a;
		for (int k = 0; k < RG_NVERSIONS; k++)
			m->differ[i][k] += a != row->verdict[k].congested;
	}
}

void rg_matrix_emit(const struct rg_matrix *m, struct emit *e,
		    const bool versions[RG_NVERSIONS])
{
	struct emit_column head[RG_NVERSIONS + 2] = { { "version", false },
						      { "congested", true } };
	unsigned int n = 2;

	if (emit_format_of(e) == EMIT_CSV)
		return;
	emit_u64(e, "tests", m->rows);
	emit_u64(e, "disputed", m->disputed);
	for (int i = 0; i < RG_NVERSIONS; i++)
		if (versions[i])
			head[n++] = (struct emit_column){
				rg_version_name((enum rg_version)i), true
			};
	emit_note(e, "Tests each version finds congested, and on how many two"
		     " versions disagree:");
	emit_table_begin(e, "disagreements", head, n, false);
	for (int i = 0; i < RG_NVERSIONS; i++) {
		if (!versions[i])
			continue;
		emit_row_begin(e);
		emit_str(e, NULL, rg_version_name((enum rg_version)i));
		emit_u64(e, NULL, m->congested[i]);
		for (int k = 0; k < RG_NVERSIONS; k++)
			if (versions[k])
				emit_u64(e, NULL, m->differ[i][k]);
		emit_row_end(e);
	}
	emit_table_end(e);
}
