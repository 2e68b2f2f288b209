// SPDX-License-Identifier: MIT
/* Decides which mappings' page tables are walked. */
#include "walkable.h"

bool mapping_is_walkable(const struct mapping *m)
{
	return !mapping_is_gate(m) && m->start < m->end;
}

bool mapping_is_large(const struct mapping *m)
{
	return m->end - m->start > MAPPING_LARGE;
}

bool mapping_is_empty(const struct mapping *m)
{
	static const enum metric_id contents[] = {
		METRIC_SMAPS_RSS,
		METRIC_SMAPS_SWAP,
		METRIC_SMAPS_SHARED_HUGETLB,
		METRIC_SMAPS_PRIVATE_HUGETLB,
	};

	if (!(m->smaps_have & 1ULL << (METRIC_SMAPS_RSS - METRIC_SMAPS_FIRST)))
		return false;
	for (size_t i = 0; i < sizeof(contents) / sizeof(contents[0]); i++)
		if (mapping_smaps(m, contents[i]))
			return false;
	return true;
}
