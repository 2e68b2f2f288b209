// SPDX-License-Identifier: MIT
/* Counts pages by their state, from pagemap, smaps, mincore(2) and PAGEMAP_SCAN. */
#include "agent.h"
#include "base/kernel_file.h"
#include <errno.h>
#include <fcntl.h>
#include <rssck/source.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int64_t count(struct workload *w, const void *p, size_t pages, uint64_t bit)
{
	enum { AT_ONCE = 512 };
	static uint64_t words[AT_ONCE];
	uint64_t at = (uint64_t)(uintptr_t)p, end = at + pages * w->page_size;
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	int64_t found = 0;

	if (fd < 0)
		workload_die(w, "/proc/self/pagemap: %s", strerror(errno));
	for (; at < end; at += AT_ONCE * w->page_size) {
		uint64_t next = at + AT_ONCE * w->page_size;
		int64_t n = pagemap_entries(fd, (long)w->page_size, at, next < end ? next : end,
					    words);

		for (int64_t i = 0; i < n; i++)
			found += !!(words[i] & bit);
	}
	close(fd);
	return found;
}

int64_t workload_pages_present(struct workload *w, const void *p, size_t pages)
{
	return count(w, p, pages, PAGEMAP_PRESENT);
}

int64_t workload_pages_swapped(struct workload *w, const void *p, size_t pages)
{
	return count(w, p, pages, PAGEMAP_SWAP);
}

int64_t workload_pages_marked(struct workload *w, const void *p, size_t pages, uint64_t bit)
{
	return count(w, p, pages, bit);
}

static uint64_t entry(struct workload *w, int fd, const void *p)
{
	uint64_t at = (uint64_t)(uintptr_t)p, word;

	if (pagemap_entries(fd, (long)w->page_size, at, at + w->page_size, &word) != 1)
		workload_die(w, "/proc/self/pagemap: %s", strerror(errno));
	return word;
}

uint64_t workload_entry(int pagemap, const void *p, size_t page_size)
{
	uint64_t word;
	off_t at = (off_t)((uintptr_t)p / page_size * sizeof(word));

	return pread(pagemap, &word, sizeof(word), at) == sizeof(word) ? word : 0;
}

bool workload_is_present(int pagemap, const void *p, size_t page_size)
{
	return workload_entry(pagemap, p, page_size) & PAGEMAP_PRESENT;
}

/* The first entry is read before and after each sample, because compaction may move the page. */
bool workload_entries_run_on(struct workload *w, const void *p, size_t pages)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	uint64_t first = 0, word = 0;
	bool run_on = true;

	if (fd < 0)
		workload_die(w, "/proc/self/pagemap: %s", strerror(errno));
	for (size_t i = 1; i < pages && run_on; i = 2 * i + 1) {
		do {
			first = entry(w, fd, p);
			word = entry(w, fd, (const char *)p + i * w->page_size);
		} while (entry(w, fd, p) != first);
		run_on = word == first + (PAGEMAP_PFN(first) ? i : 0);
	}
	close(fd);
	return run_on;
}

int64_t workload_pages_in_core(struct workload *w, const void *p, size_t pages)
{
	enum { AT_ONCE = 1024 };
	unsigned char vec[AT_ONCE];
	int64_t found = 0;

	for (size_t done = 0, n; done < pages; done += n) {
		n = pages - done < AT_ONCE ? pages - done : AT_ONCE;
		if (mincore((char *)p + done * w->page_size, n * w->page_size, vec) < 0)
			workload_skip(w, "mincore(2): %s", strerror(errno));
		for (size_t i = 0; i < n; i++)
			found += vec[i] & 1;
	}
	return found;
}

int agent_scan(struct scan_arg *arg)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	int n;

	arg->size = sizeof(*arg);
	n = fd < 0 ? -1 : ioctl(fd, SCAN_IOCTL, arg);

	if (fd >= 0)
		close(fd);
	return n;
}

int workload_scan(struct workload *w, struct scan_arg *arg)
{
	int n = agent_scan(arg);

	if (n < 0)
		workload_skip(w, "PAGEMAP_SCAN: %s", strerror(errno));
	return n;
}

void workload_scan_protect(struct workload *w, const void *p, size_t bytes)
{
	struct scan_arg arg = { SCAN_OF(p, bytes, NULL, 0), .flags = PM_SCAN_WP_MATCHING,
				.category_mask = SCAN_WRITTEN };

	workload_scan(w, &arg);
}

int64_t workload_scan_pages(struct workload *w, const struct scan_arg *question, const void *p,
			    size_t pages, uint64_t *categories)
{
	enum { VECTOR = 64 };
	struct scan_region regions[VECTOR];
	struct scan_arg arg = *question;
	int64_t found = 0;
	int n;

	arg.start = (uintptr_t)p;
	arg.end = arg.start + pages * w->page_size;
	arg.vec = (uintptr_t)regions;
	arg.vec_len = VECTOR;
	n = workload_scan(w, &arg);
	if (n == VECTOR)
		workload_die(w, "PAGEMAP_SCAN: more than %d ranges", VECTOR);
	for (int i = 0; i < n; i++)
		found += (int64_t)((regions[i].end - regions[i].start) / w->page_size);
	if (n && categories)
		*categories = regions[n - 1].categories;
	return found;
}

/* True for the first line of a mapping: the names of fields begin with an upper-case letter. */
static bool is_mapping(const char *line)
{
	return (*line >= '0' && *line <= '9') || (*line >= 'a' && *line <= 'f');
}

void workload_smaps_lines(struct workload *w, const void *p, char text[WORKLOAD_SMAPS])
{
	unsigned long long from, to, at = (uintptr_t)p;
	FILE *f = fopen("/proc/self/smaps", "re");
	bool is_inside = false, begins = true;
	size_t len = 0;
	char line[512];

	if (!f)
		workload_die(w, "/proc/self/smaps: %s", strerror(errno));
	text[0] = '\0';
	/* The rest of a line with a long path begins no line. */
	for (; fgets(line, sizeof(line), f); begins = strchr(line, '\n')) {
		if (!begins)
			continue;
		if (is_mapping(line) && sscanf(line, "%llx-%llx ", &from, &to) == 2)
			is_inside = from <= at && at < to;
		else if (is_inside && len < WORKLOAD_SMAPS)
			len += (size_t)snprintf(text + len, WORKLOAD_SMAPS - len, "%s", line);
	}
	fclose(f);
}

int64_t workload_smaps_field(struct workload *w, const void *p, const char *field)
{
	char text[WORKLOAD_SMAPS];

	workload_smaps_lines(w, p, text);
	return kernel_number_in(text, field, -1);
}

static int64_t in_smaps(struct workload *w, const void *p, const char *one, const char *other)
{
	char text[WORKLOAD_SMAPS];
	int64_t kb;

	workload_smaps_lines(w, p, text);
	kb = kernel_number_in(text, one, 0) + (other ? kernel_number_in(text, other, 0) : 0);
	return kb * 1024 / (int64_t)w->page_size;
}

int64_t workload_pages_clean(struct workload *w, const void *p)
{
	return in_smaps(w, p, "Private_Clean", "Shared_Clean");
}

int64_t workload_pages_private(struct workload *w, const void *p)
{
	return in_smaps(w, p, "Private_Clean", "Private_Dirty");
}

int64_t workload_pages_referenced(struct workload *w, const void *p)
{
	return in_smaps(w, p, "Referenced", NULL);
}

int64_t workload_pages_in_swap(struct workload *w, const void *p)
{
	return in_smaps(w, p, "Swap", NULL);
}
