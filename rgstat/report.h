/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums over many verdicts: how often versions say yes, and disagree. */
#ifndef RG_REPORT_H
#define RG_REPORT_H

#include "columns.h"

struct rg_matrix {
	uint64_t rows;
	uint64_t disputed; /* rows on which chosen versions disagree */
	uint64_t congested[RG_NVERSIONS];
	uint64_t differ[RG_NVERSIONS][RG_NVERSIONS];
};

void rg_matrix_add(struct rg_matrix *m, const struct rg_row *row);

/*
 * The matrix of the chosen versions, after fields that sum it up; nothing in
 * CSV, which has one table.
 */
void rg_matrix_emit(const struct rg_matrix *m, struct emit *e,
		    const bool versions[RG_NVERSIONS]);

#endif
