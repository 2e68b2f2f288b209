// SPDX-License-Identifier: MIT
/*
 * Adds up slabinfo, vmallocinfo, swaps, hugetlb pools, stacks, buffers of tracing, and pools for
 * devices.
 */
#include "sums.h"
#include "base/process/list.h"
#include "log.h"
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return *line && line[1] ? line + 1 : NULL;
}

void sums_slabinfo(const char *text, int64_t page_kb, struct machine_values *v)
{
	int64_t sum = 0, pages, slabs;

	for (const char *line = text; line; line = next_line(line)) {
		const char *data = strstr(line, ": slabdata");

		if (line[0] == '#' || !data || data > line + strcspn(line, "\n"))
			continue;
		if (sscanf(line, "%*s %*d %*d %*d %*d %" SCNd64, &pages) == 1 &&
		    sscanf(data, ": slabdata %*d %" SCNd64, &slabs) == 1)
			sum += pages * slabs;
	}
	machine_set(v, MACHINE_SUM_SLABINFO, sum * page_kb);
}

/*
 * Adds up the areas of vmalloc(). Areas of vmap() have "pages" too, but no " vmalloc". A line:
 * "0x...-0x... 20480 fork_idle+0x74/0x120 pages=4 vmalloc N0=4".
 */
void sums_vmallocinfo(const char *text, int64_t page_kb, struct machine_values *v)
{
	int64_t sum = 0;

	for (const char *line = text; line && *line; line = next_line(line)) {
		const char *end = line + strcspn(line, "\n"), *pages = strstr(line, " pages="),
			   *kind = strstr(line, " vmalloc");

		if (pages && kind && pages < end && kind < end)
			sum += strtoll(pages + strlen(" pages="), NULL, 10);
	}
	machine_set(v, MACHINE_SUM_VMALLOC, sum * page_kb);
}

void sums_swaps(const char *text, struct machine_values *v)
{
	int64_t size = 0, used = 0, one[2];

	for (const char *line = next_line(text); line; line = next_line(line))
		if (sscanf(line, "%*s %*s %" SCNd64 " %" SCNd64, &one[0], &one[1]) == 2) {
			size += one[0];
			used += one[1];
		}
	machine_set(v, MACHINE_SUM_SWAP_SIZE, size);
	machine_set(v, MACHINE_SUM_SWAP_USED, used);
}

void sums_percpu(const char *log, int64_t cpus, int64_t page_kb, struct machine_values *v)
{
	static const char words[] = "percpu: Embedded ";
	const char *at = strstr(log, words);

	if (at)
		machine_set(v, MACHINE_SUM_FIRST_CHUNK,
			    strtoll(at + strlen(words), NULL, 10) * cpus * page_kb);
}

void sums_log_pools(const char *log, int64_t page_kb, struct machine_values *v)
{
	static const char ftrace[] = "ftrace: allocated ";
	static const char pool[] = "DMA: preallocated ";
	const char *at = strstr(log, ftrace);
	int64_t kb = 0;

	if (at)
		machine_set(v, MACHINE_SUM_FTRACE,
			    strtoll(at + strlen(ftrace), NULL, 10) * page_kb);
	for (at = strstr(log, pool); at; at = strstr(at + 1, pool))
		kb += strtoll(at + strlen(pool), NULL, 10);
	if (kb)
		machine_set(v, MACHINE_SUM_DMA_POOLS, kb);
}

void sums_ftrace(const char *text, int64_t page_kb, struct machine_values *v)
{
	int64_t pages;

	if (sscanf(text, "%*d pages:%" SCNd64, &pages) == 1)
		machine_set(v, MACHINE_SUM_FTRACE, pages * page_kb);
}

void sums_trace_buffers(const char *text, int64_t page_kb, struct machine_values *v)
{
	enum { HEADER = 16 };
	int64_t kb = strtoll(text, NULL, 10), data = page_kb * 1024 - HEADER;

	machine_set(v, MACHINE_SUM_TRACE_BUFFERS,
		    v->of[MACHINE_SUM_TRACE_BUFFERS] + (kb * 1024 + data - 1) / data * page_kb);
}

/*
 * All stacks have the same size, a power of two. It follows from KernelStack and the number of
 * threads.
 */
void sums_stacks(int64_t threads, int64_t zombies, int64_t cpus, struct machine_values *v)
{
	int64_t all = v->of[MACHINE_MEMINFO_KERNELSTACK], size = 4;

	if (!v->have[MACHINE_MEMINFO_KERNELSTACK] || threads < 1)
		return;
	while (2 * all > 3 * threads * size && size < 256)
		size *= 2;
	machine_set(v, MACHINE_SUM_STACK, size);
	machine_set(v, MACHINE_SUM_STACKS_LEAST, (threads - zombies) * size);
	machine_set(v, MACHINE_SUM_STACKS_MOST, (threads + cpus) * size);
}

static void sums_commit_limit(int64_t ratio, int64_t kbytes, int64_t page_kb,
			      struct machine_values *v)
{
	int64_t ram = v->of[MACHINE_MEMINFO_MEMTOTAL] - v->of[MACHINE_MEMINFO_HUGETLB];

	kbytes = kbytes ? kbytes / page_kb * page_kb : ram / page_kb * ratio / 100 * page_kb;
	machine_set(v, MACHINE_SUM_COMMIT_LIMIT, kbytes + v->of[MACHINE_MEMINFO_SWAPTOTAL]);
}

static int64_t number_in(struct text *t, const char *path)
{
	return text_read(t, 0, path) == 0 ? strtoll(t->data, NULL, 10) : -1;
}

static void add_pool(struct text *t, const char *folder, int64_t kb, bool first,
		     struct machine_values *v)
{
	static const struct {
		const char *file;
		enum machine_number count;
	} files[] = { { "nr", MACHINE_SUM_HUGE_TOTAL },
		      { "free", MACHINE_SUM_HUGE_TOTAL_FREE },
		      { "resv", MACHINE_SUM_HUGE_RESERVED },
		      { "surplus", MACHINE_SUM_HUGE_SURPLUS } };
	bool whole = kb == v->of[MACHINE_MEMINFO_HUGEPAGESIZE];
	char path[320];

	for (int i = 0; i < 4; i++) {
		int64_t n;

		snprintf(path, sizeof(path), "%s/%s_hugepages", folder, files[i].file);
		n = number_in(t, path);
		if (n >= 0 && whole)
			machine_set(v, files[i].count, n);
		if (n >= 0 && i < 2) {
			enum machine_number sum = i ? MACHINE_SUM_HUGE_FREE : MACHINE_SUM_HUGE_ALL;

			machine_set(v, sum, (first ? 0 : v->of[sum]) + n * kb);
		}
	}
}

static void read_pools(struct text *t, struct machine_values *v)
{
	static const char top[] = "/sys/kernel/mm/hugepages";
	DIR *d = opendir(top);
	struct dirent *e;
	bool first = true;
	char folder[300];
	int64_t kb;

	while (d && (e = readdir(d))) {
		if (sscanf(e->d_name, "hugepages-%" SCNd64 "kB", &kb) != 1)
			continue;
		snprintf(folder, sizeof(folder), "%s/%s", top, e->d_name);
		add_pool(t, folder, kb, first, v);
		first = false;
	}
	if (d)
		closedir(d);
}

static int64_t count_zombies(struct text *t)
{
	int64_t n = 0;
	size_t nr;
	pid_t *pids;

	if (processes_list(&pids, &nr))
		return 0;
	for (size_t i = 0; i < nr; i++) {
		const char *end = text_read(t, pids[i], "stat") ? NULL : strrchr(t->data, ')');

		n += end && (end[2] == 'Z' || end[2] == 'X');
	}
	free(pids);
	return n;
}

static void read_log(int64_t page_kb, struct machine_values *v)
{
	char *log = kernel_log_read();

	if (!log)
		return;
	sums_percpu(log, sysconf(_SC_NPROCESSORS_CONF), page_kb, v);
	sums_log_pools(log, page_kb, v);
	free(log);
}

static void read_tracing(struct text *t, int64_t page_kb, struct machine_values *v)
{
	static const char top[] = "/sys/kernel/tracing",
			  instances[] = "/sys/kernel/tracing/instances";
	char path[400];
	struct dirent *e;
	DIR *d;

	snprintf(path, sizeof(path), "%s/dyn_ftrace_total_info", top);
	if (text_read(t, 0, path) == 0)
		sums_ftrace(t->data, page_kb, v);
	snprintf(path, sizeof(path), "%s/buffer_total_size_kb", top);
	if (text_read(t, 0, path) == 0)
		sums_trace_buffers(t->data, page_kb, v);
	d = opendir(instances);
	while (d && (e = readdir(d))) {
		snprintf(path, sizeof(path), "%s/%s/buffer_total_size_kb", instances, e->d_name);
		if (e->d_name[0] != '.' && text_read(t, 0, path) == 0)
			sums_trace_buffers(t->data, page_kb, v);
	}
	if (d)
		closedir(d);
}

/*
 * Reads the current size of the pools from debugfs. Without debugfs, the size at boot (from the
 * kernel log) remains.
 */
static void read_dma_pools(struct text *t, struct machine_values *v)
{
	static const char *const pools[] = { "pool_size_dma", "pool_size_dma32",
					     "pool_size_kernel" };
	int64_t bytes = 0, one;
	char path[80];

	for (size_t i = 0; i < sizeof(pools) / sizeof(*pools); i++) {
		snprintf(path, sizeof(path), "/sys/kernel/debug/dma_pools/%s", pools[i]);
		one = number_in(t, path);
		if (one < 0)
			return;
		bytes += one;
	}
	machine_set(v, MACHINE_SUM_DMA_POOLS, bytes / 1024);
}

/* Reads /proc/kallsyms in blocks, because it can be 20 MB long. */
bool sums_has_integrity_pool(void)
{
	enum { BLOCK = 1 << 16 };
	static const char symbol[] = " integrity_buf_pool";
	int fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
	char *block = malloc(BLOCK);
	size_t kept = 0;
	bool found = false;
	ssize_t n;

	while (fd >= 0 && block && !found && (n = read(fd, block + kept, BLOCK - kept)) > 0) {
		size_t have = kept + (size_t)n;

		found = memmem(block, have, symbol, strlen(symbol));
		kept = have < sizeof(symbol) ? have : sizeof(symbol);
		memmove(block, block + have - kept, kept);
	}
	free(block);
	if (fd >= 0)
		close(fd);
	return found;
}

void sums_read(struct text *t, int64_t page_kb, struct machine_values *v)
{
	int64_t zombies = count_zombies(t), ratio, kbytes;

	if (text_read(t, 0, "/proc/loadavg") == 0 && strchr(t->data, '/'))
		sums_stacks(strtoll(strchr(t->data, '/') + 1, NULL, 10), zombies,
			    sysconf(_SC_NPROCESSORS_CONF), v);
	if (text_read(t, 0, "/proc/slabinfo") == 0)
		sums_slabinfo(t->data, page_kb, v);
	if (text_read(t, 0, "/proc/vmallocinfo") == 0)
		sums_vmallocinfo(t->data, page_kb, v);
	if (text_read(t, 0, "/proc/swaps") == 0)
		sums_swaps(t->data, v);
	read_pools(t, v);
	ratio = number_in(t, "/proc/sys/vm/overcommit_ratio");
	kbytes = number_in(t, "/proc/sys/vm/overcommit_kbytes");
	if (ratio >= 0 && kbytes >= 0)
		sums_commit_limit(ratio, kbytes, page_kb, v);
	read_log(page_kb, v);
	read_tracing(t, page_kb, v);
	read_dma_pools(t, v);
}
