// SPDX-License-Identifier: MIT
#include "look.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { RANGES = 512 };

static const struct {
	uint64_t category;
	enum metric_id id;
	const char *name;
} questions[] = {
	{ SCAN_WRITTEN, METRIC_SCAN_WRITTEN, "written" },
	{ SCAN_FILE, METRIC_SCAN_FILE, "file" },
	{ SCAN_PRESENT, METRIC_SCAN_PRESENT, "present" },
	{ SCAN_SWAPPED, METRIC_SCAN_SWAPPED, "swapped" },
	{ SCAN_PFNZERO, METRIC_SCAN_PFNZERO, "pfnzero" },
	{ SCAN_HUGE, METRIC_SCAN_HUGE, "huge" },
	{ SCAN_SOFT_DIRTY, METRIC_SCAN_SOFT_DIRTY, "soft_dirty" },
};

/*
 * Counts the pages by which the scan for one category differs from the earlier scan for all
 * categories.
 */
struct answer {
	struct look *l;
	const struct kept_tables *k;
	uint64_t category;
	size_t at;     /* index of the next range of the earlier reading */
	uint64_t done; /* both readings are compared up to this address */
	int64_t more, less, empty;
};

/* An empty entry is neither a page nor a swap entry, and is not protected. */
static bool is_empty(const struct kept_tables *k, uint64_t address, uint64_t page)
{
	for (size_t i = 0; i < k->nr_blocks; i++) {
		const struct kept_block *b = &k->blocks[i];

		if (address >= b->start && address < b->start + b->nr * page)
			return !(k->words[b->first + (address - b->start) / page] &
				 (PAGEMAP_PRESENT | PAGEMAP_SWAP | PAGEMAP_UFFD_WP));
	}
	return true;
}

/*
 * Finds the next range below `end` that has the category in the earlier reading. Returns false if
 * there is none.
 */
static bool next_known(struct answer *a, uint64_t end, uint64_t *from, uint64_t *to)
{
	for (; a->at < a->k->nr_ranges; a->at++) {
		const struct scan_region *r = &a->k->ranges[a->at];

		if (r->start >= end || a->done >= end)
			return false;
		if (r->end <= a->done || !(r->categories & a->category))
			continue;
		*from = r->start > a->done ? r->start : a->done;
		*to = r->end < end ? r->end : end;
		return true;
	}
	return false;
}

static void add_more(struct answer *a, uint64_t from, uint64_t to)
{
	uint64_t page = (uint64_t)a->l->host->page_size;

	for (; from < to; from += page) {
		if (is_empty(a->k, from, page))
			a->empty++;
		a->more++;
	}
}

/*
 * Compares the earlier reading, from a->done on, with what the new query has found: nothing up to
 * `from`, then the range from `from` to `to`. If `from` equals `to`, that range is empty.
 */
static void compare_until(struct answer *a, uint64_t from, uint64_t to)
{
	uint64_t page = (uint64_t)a->l->host->page_size, start, end;

	while (next_known(a, from, &start, &end)) {
		a->less += (int64_t)((end - start) / page);
		a->done = end;
	}
	a->done = from > a->done ? from : a->done;
	while (next_known(a, to, &start, &end)) {
		add_more(a, a->done, start);
		a->done = end;
	}
	add_more(a, a->done, to);
	a->done = to > a->done ? to : a->done;
}

/* Returns 0, or the errno of the failed scan. The two readings then cannot be compared. */
static int ask(struct answer *a, int fd)
{
	static struct scan_region found[RANGES];
	struct scan_arg arg = { SCAN_OF(a->k->start, a->k->end - a->k->start, found, RANGES),
				.category_mask = a->category, .return_mask = a->category };
	int n;

	do {
		n = ioctl(fd, SCAN_IOCTL, &arg);
		if (n < 0 && errno != EINTR)
			return errno;
		for (int i = 0; i < n; i++)
			compare_until(a, found[i].start, found[i].end);
		if (n > 0)
			arg.start = found[n - 1].end;
	} while (n == RANGES || n < 0);
	compare_until(a, a->k->end, a->k->end);
	return 0;
}

bool ask_agrees(struct look *l, unsigned process, uint64_t *nr, struct discrepancy *d)
{
	char path[40];
	bool agrees = true;
	int fd;

	if (!l->host->has_scan || !l->of[process].pid)
		return true;
	snprintf(path, sizeof(path), "/proc/%d/pagemap", (int)l->of[process].pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	for (size_t i = 0; fd >= 0 && agrees && i < sizeof(questions) / sizeof(*questions); i++) {
		struct answer a = { .l = l,
				    .k = &l->kept[process],
				    .category = questions[i].category,
				    .done = l->kept[process].start };

		++*nr;
		if (ask(&a, fd) || !(a.more || a.less))
			continue;
		agrees = false;
		l->empty = a.less ? 0 : a.empty;
		discrepancy_set(d, RULE_SCAN_ALONE, "pages", a.more, a.less, "PAGEMAP_SCAN's %s",
				questions[i].name);
		d->id = questions[i].id;
		d->process = process;
	}
	if (fd >= 0)
		close(fd);
	return agrees;
}
