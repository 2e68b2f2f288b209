// SPDX-License-Identifier: MIT
/*
 * A number that stands in several files is the same in each, while memory of its kind is allocated
 * on each node: /proc/meminfo, vmstat, zoneinfo, swaps and buddyinfo, the nodes' meminfo and
 * vmstat, memory.stat and memory.numa_stat. The names come from the files, not from a list. Sums of
 * lines that another file prints as one number are compared, too.
 */
#include "book.h"

STEP_SYMBOLS(TAKE);

enum { TRIES = 40, PATIENT = 5, SMALL_PAGES = 1024, HUGE_MOST = 32 << 20 };

/* ---- comparison ---- */

static int first_of(const struct number *n)
{
	int source = 0;

	while (source < SOURCES && !n->has[source])
		source++;
	return source;
}

/*
 * A sum may have been off before: a zone's or node's number below 0 is printed as 0 (sums.h). Then
 * it must stay off by as much.
 */
static bool is_sum(const struct number *n, int source)
{
	return source == ZONES || n->scope == MACHINE;
}

/*
 * Earlier cases may have left nr_hugetlb of a node, or of all, below 0 (sums.h, hugetlb/refused);
 * then it is not what the pools' pages in use are, and its nodes need not add up.
 */
static bool is_lowered(const struct number *n)
{
	return n->scope == MACHINE && !strcmp(n->key, "nrhugetlb") &&
	       n->value[first_of(n)] != pools_use;
}

static void forget_agreement(void)
{
	for (size_t i = 0; i < nr_numbers; i++)
		memset(book[i].agreed, 0, sizeof(book[i].agreed));
}

/* Returns the number that has not agreed in any reading so far, NULL if there is none. */
static const struct number *compare(int *source)
{
	const struct number *wrong = NULL;

	for (size_t i = 0; i < nr_numbers; i++) {
		struct number *n = &book[i];
		int first = first_of(n);

		for (int s = first + 1; s < SOURCES; s++) {
			int64_t differs = n->value[s] - n->value[first];

			if (!n->has[s])
				continue;
			n->agreed[s] |= !differs || differs == n->off[s] || is_lowered(n);
			if (!n->agreed[s] && !wrong) {
				wrong = n;
				*source = s;
			}
		}
	}
	return wrong;
}

/* Stores by how much the sums are off that have never agreed. */
static void keep_offsets(void)
{
	for (size_t i = 0; i < nr_numbers; i++) {
		struct number *n = &book[i];

		for (int s = 0; s < SOURCES; s++)
			if (n->has[s] && !n->agreed[s] && is_sum(n, s))
				n->off[s] = n->value[s] - n->value[first_of(n)];
	}
}

static const char *scope_name(int scope, char text[16])
{
	snprintf(text, 16, "node %d", scope);
	return scope == MACHINE ? "the machine" : scope == CGROUP ? "the cgroup" : text;
}

/*
 * Other work changes a number between the readings of two files, but not each time: each must agree
 * in one of the readings.
 */
static void must_agree(struct workload *w, const char *load, bool first_time)
{
	bool numa_stat = ledger_number("memory.stat", "pgscan_direct") >= 0;
	const struct number *n = NULL;
	char text[16];
	int source = 0;

	forget_agreement();
	for (int i = 0; i < TRIES; i++) {
		if (i % PATIENT == 0)
			ledger_settle_counters(w);
		read_book(w, numa_stat);
		n = compare(&source);
		if (!n)
			return;
		usleep(i < PATIENT ? 0 : 5000);
	}
	if (first_time)
		keep_offsets();
	n = compare(&source);
	if (n)
		workload_fail(w,
			      "with %s: %s of %s is %" PRId64 " in %s but %" PRId64 " in %s (%s)",
			      load, n->key, scope_name(n->scope, text), n->value[first_of(n)],
			      source_names[first_of(n)], n->value[source], source_names[source],
			      n->scope == CGROUP ? "bytes" : "kB");
}

/* ---- loads ---- */

static int64_t locked_huge(const struct workload *w)
{
	char *p = huge_anon(w);

	return p && load_lock(w, p) ? load_done(w, p) : -ENOMEM;
}

/* Opens a device that is a swap area; returns -1 if there is none. Its page cache is dropped. */
static int open_device(void)
{
	char area[WORKLOAD_NAME];
	int fd = workload_swap_area(area, sizeof(area)) ? open(area, O_RDONLY | O_CLOEXEC) : -1;
	struct stat is;

	if (fd >= 0 && (fstat(fd, &is) || !S_ISBLK(is.st_mode))) {
		close(fd);
		return -1;
	}
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	return fd;
}

/* The pages are mapped, so that no one drops them. */
static int64_t device_mapped(const struct workload *w)
{
	int fd = open_device();
	void *p = fd < 0 ? NULL : workload_try_map(load_bytes(w), PROT_READ, MAP_SHARED, fd);

	if (!p)
		return -ENODEV;
	touch_read(w, p, load_pages(w));
	return load_done(w, p);
}

/* The machine's number `moves` must differ while the load has its memory. */
static const struct row {
	const char *name, *moves;
	char *(*take)(const struct workload *w);
	int64_t (*act)(const struct workload *w);
	bool (*then)(const struct workload *w, char *p);
} rows[] = {
	{ "anonymous memory", "anonpages", load_anonymous, NULL, NULL },
	{ "memory that is locked", "mlocked", load_anonymous, NULL, load_lock },
	{ "huge pages", "anonhugepages", huge_anon, NULL, NULL },
	{ "huge pages that are locked", "mlocked", NULL, locked_huge, NULL },
	{ "a memfd", "shmem", shmem_map, NULL, NULL },
	{ "huge pages of a tmpfs", "shmempmdmapped", shmem_huge_map, NULL, NULL },
	{ "a locked segment", "unevictable", load_segment, NULL, NULL },
	{ "a mapped file", "mapped", file_map, NULL, NULL },
	{ "a file that is written", NULL, NULL, file_written, NULL },
	{ "memory in the swap cache", "swapcached", swap_cached, NULL, NULL },
	{ "memory that is compressed", NULL, NULL, anon_compressed, NULL },
	{ "hugetlb pages", "hugepagesfree", NULL, pool_used, NULL },
	{ "surplus hugetlb pages", "hugepagessurp", NULL, pool_surplus, NULL },
	{ "a block device that is mapped", "buffers", NULL, device_mapped, NULL },
	{ "page tables", "pagetables", NULL, tables_small, NULL },
	{ "processes", "kernelstack", NULL, stacks, NULL },
	{ "pipes", NULL, NULL, pipes, NULL },
	{ "datagrams", NULL, NULL, datagrams, NULL },
};

enum { ROWS = sizeof(rows) / sizeof(*rows) };

static const struct row *row_now;
static int node_now;

/* Performs the load with memory of one node only. */
static int64_t act_on_node(const struct workload *w)
{
	const struct row *row = row_now;
	unsigned long mask = 1UL << node_now;
	char *p;

	if (node_now && syscall(SYS_set_mempolicy, LOAD_BIND, &mask, sizeof(mask) * 8))
		return -errno;
	if (row->act)
		return row->act(w);
	p = row->take(w);
	return load_done(w, p && (!row->then || row->then(w, p)));
}

/* Returns the machine's number of this key, as the first file has it. */
static int64_t number_now(const char *key)
{
	for (size_t i = 0; key && i < nr_numbers; i++)
		if (book[i].scope == MACHINE && !strcmp(book[i].key, key))
			return book[i].value[first_of(&book[i])];
	return 0;
}

static bool take(struct workload *w, const struct row *row)
{
	int64_t pages, before;
	pid_t pid;

	row_now = row;
	close(open_device());
	ledger_settle_counters(w);
	read_book(w, false);
	before = number_now(row->moves);
	pid = workload_companion(w, act_on_node, &pages);
	if (pages > 0) {
		must_agree(w, row->name, false);
		if (row->moves && number_now(row->moves) == before)
			workload_fail(w, "with %s: %s does not change", row->name, row->moves);
	}
	workload_companion_ends(pid);
	if (w->fd[LOAD_FILE] >= 0) {
		fsync(w->fd[LOAD_FILE]);
		posix_fadvise(w->fd[LOAD_FILE], 0, 0, POSIX_FADV_DONTNEED);
	}
	return pages > 0;
}

static void take_all(struct workload *w)
{
	size_t bytes = NUMBERS * sizeof(*book);
	int64_t loads = 0;

	book = workload_map(w, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	w->number[LOAD_PAGES] = w->huge && w->huge_page_size <= HUGE_MOST ? 2 * w->huge
									  : SMALL_PAGES;
	w->fd[LOAD_FILE] = workload_try_file_uncached(w, load_pages(w));
	ledger_enter(w);
	close(open_device());
	must_agree(w, "no load", true);
	for (node_now = 0; node_now < 2; node_now++)
		for (size_t i = 0; i < ROWS; i++)
			loads += take(w, &rows[i]);
	close(stat_file);
	close(numa_stat_file);
	stat_file = numa_stat_file = -1;
	workload_cgroup_leave(w);
	workload_unmap(w, book, bytes);
	workload_report(w, "loads", loads);
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	if (trial_reported(t, TAKE, "loads") <= ROWS / 4)
		judge_skip(
			j,
			"a machine that can allocate more than a quarter of the kinds of memory");
}

CASE(machine_same_number) {
	.claim =
		"A number that stands in several of meminfo, vmstat, zoneinfo, buddyinfo, a node's files, memory.stat and memory.numa_stat is the same in each, and the machine's is the sum of the nodes'",
	.because = "The files print the same counters, each with code of its own that converts "
		   "pages, huge pages and bytes. A conversion that is missing in one file shows "
		   "only while the number is not 0.",
	.said_by = SAID_BY("proc_meminfo(5)", "Documentation/filesystems/proc.rst, meminfo",
			   "Documentation/admin-guide/cgroup-v2.rst, memory.numa_stat"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_THP | CASE_ONE_CPU | CASE_KEEPS_MEMORY,
	.limit_s = 120,
	.steps = STEPS(STEP_AS(TAKE, "allocate memory of each kind on each node", take_all,
			       .checks = 1, .flags = STEP_ANY_PAGES)),
	.judge = judge,
};
