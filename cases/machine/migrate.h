// SPDX-License-Identifier: MIT
/* Migrates a range of pages to another node and back. */
#ifndef CASES_MACHINE_MIGRATE_H
#define CASES_MACHINE_MIGRATE_H

#include <rssck/case.h>

/*
 * Returns how many of the pages are on the node. Ignores pages with an error, such as parts of a
 * huge page.
 */
static inline size_t migrate_on_node(size_t n, void **page, int *status, int to)
{
	size_t there = 0;

	if (syscall(SYS_move_pages, 0, n, page, NULL, status, 0))
		return 0;
	for (size_t i = 0; i < n; i++)
		there += status[i] == to;
	return there;
}

/*
 * Migrates the pages to the node; if `flags` is 0, migrates none. Returns how many are on the node
 * then, including those that were there before.
 */
static inline size_t migrate_to(const struct workload *w, char *p, size_t n, int to, int flags)
{
	void **page = calloc(n, sizeof(*page));
	int *node = calloc(n, sizeof(*node)), *status = calloc(n, sizeof(*status));
	size_t there = 0;

	for (size_t i = 0; page && node && status && i < n; i++) {
		page[i] = p + i * w->page_size;
		node[i] = to;
	}
	if (page && node && status) {
		if (flags)
			syscall(SYS_move_pages, 0, n, page, node, status, flags);
		there = migrate_on_node(n, page, status, to);
	}
	free(page);
	free(node);
	free(status);
	return there;
}

/* Returns the node to migrate pages to: 1, or 0 if all are on node 1. */
static inline int migrate_goal(const struct workload *w, char *p, size_t n)
{
	return migrate_to(w, p, n, 1, 0) < n;
}

/*
 * Migrates all pages to node 1, then to node 0; if all are on node 1, to node 0, then to node 1.
 * Returns false with ENODEV if not all reached the first one, because it has no memory or is full.
 * Does not check that they came back.
 */
static inline bool migrate_there_and_back(const struct workload *w, char *p, size_t n)
{
	int away = migrate_goal(w, p, n);
	size_t there = migrate_to(w, p, n, away, MPOL_MF_MOVE);

	migrate_to(w, p, n, !away, MPOL_MF_MOVE);
	errno = ENODEV;
	return there == n;
}

#endif
