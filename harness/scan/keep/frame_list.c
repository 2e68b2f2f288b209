// SPDX-License-Identifier: MIT
/* Looks up the cgroups of page frames in /proc/kpagecgroup. */
#include "frame_list.h"
#include "base/memory.h"
#include "base/number.h"
#include <errno.h>
#include <rssck/source.h>
#include <stdlib.h>

enum { BATCH = 64 * 1024 };

void frame_list_add(struct frame_list *l, uint64_t pfn)
{
	l->pfns = memory_one_more(l->pfns, l->nr, sizeof(pfn), "page frames");
	l->pfns[l->nr++] = pfn;
}

void frame_list_unique(struct frame_list *l)
{
	l->nr = number_unique(l->pfns, l->nr);
}

void frame_list_free(struct frame_list *l)
{
	free(l->pfns);
	*l = (struct frame_list) { .nr = 0 };
}

static bool is_among(const struct cgroup_set *c, uint64_t inode)
{
	return inode && bsearch(&inode, c->inodes, c->nr, sizeof(inode), number_order);
}

/*
 * Some kernels (6.1) report the cgroup only for the head of a folio. On these, an anonymous or
 * shmem folio of several pages is a huge page.
 */
static bool head_is_among(const struct cgroup_set *c, const struct host *h, uint64_t pfn)
{
	uint64_t pages = (uint64_t)(h->huge_page_size / h->page_size), inode;

	return pages && !kpage_word(c->groups, pfn - pfn % pages, &inode) && is_among(c, inode);
}

int64_t frame_list_charged(const struct cgroup_set *c, const struct host *h,
			   const struct frame_list *l)
{
	uint64_t *words = calloc(BATCH, sizeof(*words));
	int64_t sum = words ? 0 : -ENOMEM;

	for (size_t i = 0, n; sum >= 0 && i < l->nr; i += n) {
		int error;

		n = l->nr - i < BATCH ? l->nr - i : BATCH;
		error = kpage_words(c->groups, l->pfns + i, n, 0, words);
		if (error)
			sum = error;
		for (size_t k = 0; !error && k < n; k++)
			sum += words[k] ? is_among(c, words[k])
					: head_is_among(c, h, l->pfns[i + k]);
	}
	free(words);
	return sum;
}
