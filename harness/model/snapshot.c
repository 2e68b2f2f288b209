// SPDX-License-Identifier: MIT
/* Looks up values in a snapshot, and frees it. */
#include <rssck/snapshot.h>
#include <stdlib.h>

int64_t snapshot_value(const struct snapshot *s, enum metric_id id)
{
	return s && s->values.have[id] ? s->values.of[id] : -1;
}

/* Rounds down, so that a negative number of bytes gives a negative number of pages. */
static int64_t pages_of(int64_t bytes, long page_size)
{
	return bytes / page_size - (bytes % page_size < 0);
}

int64_t snapshot_pages(const struct snapshot *s, enum metric_id id, long page_size)
{
	int64_t v = snapshot_value(s, id);

	if (!s || !s->values.have[id])
		return -1;
	switch (metric(id)->unit) {
	case UNIT_KB:
		return pages_of(v * 1024, page_size);
	case UNIT_BYTES:
		return pages_of(v, page_size);
	default:
		return v;
	}
}

const struct mapping *snapshot_mapping(const struct snapshot *s, uint64_t address)
{
	for (size_t i = 0; s && i < s->nr_maps; i++)
		if (address >= s->maps[i].start && address < s->maps[i].end)
			return &s->maps[i];
	return NULL;
}

void snapshot_free(struct snapshot *s)
{
	free(s->maps);
	free(s->strings);
	free(s->pages);
	*s = (struct snapshot) { .pid = s->pid };
}

int64_t snapshot_huge_kb(const struct snapshot *s)
{
	static const enum metric_id by_pmd[] = { METRIC_SMAPS_ANONHUGEPAGES,
						 METRIC_SMAPS_SHMEMPMDMAPPED,
						 METRIC_SMAPS_FILEPMDMAPPED };
	int64_t huge = 0;

	for (size_t i = 0; i < sizeof(by_pmd) / sizeof(*by_pmd); i++)
		huge += s->values.have[by_pmd[i]] ? s->values.of[by_pmd[i]] : 0;
	return huge;
}

const struct walked *walked_by(unsigned accounts, bool rollup)
{
	enum {
		ANON = ACCOUNT_BIT(ACCOUNT_ANON),
		FILES = ACCOUNT_BIT(ACCOUNT_FILE),
		SHMEM = ACCOUNT_BIT(ACCOUNT_SHMEM),
		SWAP = ACCOUNT_BIT(ACCOUNT_SWAP),
		MAX = 6,
	};
	static const struct walked ways[2][MAX] = {
		{ { IN_RSS, METRIC_SMAPS_RSS, METRIC_NONE, false },
		  { ANON, METRIC_SMAPS_ANONYMOUS, METRIC_NONE, false },
		  { IN_SHR, METRIC_PAGEMAP_FILE, METRIC_PAGEMAP_SHMEM, false },
		  { FILES, METRIC_PAGEMAP_FILE, METRIC_NONE, false },
		  { SHMEM, METRIC_PAGEMAP_SHMEM, METRIC_NONE, false },
		  { SWAP, METRIC_PAGEMAP_SWAP, METRIC_NONE, false } },
		{ { IN_RSS, METRIC_ROLLUP_RSS, METRIC_NONE, false },
		  { ANON, METRIC_ROLLUP_ANONYMOUS, METRIC_NONE, false },
		  { IN_SHR, METRIC_ROLLUP_RSS, METRIC_ROLLUP_ANONYMOUS, true },
		  { SWAP, METRIC_ROLLUP_SWAP, METRIC_NONE, false } },
	};

	for (size_t i = 0; i < MAX && accounts; i++)
		if (ways[rollup][i].accounts == accounts)
			return &ways[rollup][i];
	return NULL;
}
