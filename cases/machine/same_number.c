// SPDX-License-Identifier: MIT
/*
 * A number that stands in several files is the same in each, while memory of its kind is allocated
 * on each node: /proc/meminfo, /proc/vmstat, /proc/zoneinfo, the nodes' meminfo and vmstat,
 * memory.stat and memory.numa_stat. The names come from the files, not from a list.
 */
#include "loads.h"

STEP_SYMBOLS(TAKE);

enum { NODES = 4, MACHINE = NODES, CGROUP, SCOPES, NUMBERS = 1200, TRIES = 40, PATIENT = 5 };
enum { SMALL_PAGES = 1024, HUGE_MOST = 32 << 20, KEY = 48 };

/*
 * The files whose lines are compared. A node's files and the zones are also summed up for the
 * machine.
 */
enum source_of { MEMINFO, VMSTAT, NODE_MEMINFO, NODE_VMSTAT, ZONEINFO, ZONES, STAT, NUMA, SOURCES };
static const char *const source_names[] = {
	[MEMINFO] = "/proc/meminfo",
	[VMSTAT] = "/proc/vmstat",
	[NODE_MEMINFO] = "node*/meminfo",
	[NODE_VMSTAT] = "node*/vmstat",
	[ZONEINFO] = "/proc/zoneinfo, per-node stats",
	[ZONES] = "/proc/zoneinfo, zones",
	[STAT] = "memory.stat",
	[NUMA] = "memory.numa_stat",
};

/* A number of a node, of the machine or of the cgroup, as each file has it. */
static struct number {
	char key[KEY];
	int scope;
	int64_t value[SOURCES]; /* in kB; of the cgroup in bytes */
	bool has[SOURCES];
	bool agreed[SOURCES];
	int64_t off[SOURCES]; /* by how much a sum differed before the first load */
} * book;                     /* NUMBERS */
static size_t nr_numbers;

/*
 * Names of vmstat that differ from meminfo's in more than "nr_" and underscores, and sums of two:
 * each name is also added to these.
 */
static const char *const also[][2] = {
	{ "nr_mlock", "mlocked" },
	{ "nr_anon_transparent_hugepages", "anonhugepages" },
	{ "nr_page_table_pages", "pagetables" },
	{ "nr_sec_page_table_pages", "secpagetables" },
	{ "nr_free_pages", "memfree" },
	{ "nr_free_cma", "cmafree" },
	{ "nr_slab_reclaimable", "sreclaimable" },
	{ "nr_slab_unreclaimable", "sunreclaim" },
	{ "nr_slab_reclaimable", "slab" },
	{ "nr_slab_unreclaimable", "slab" },
	{ "nr_slab_reclaimable", "kreclaimable" },
	{ "nr_kernel_misc_reclaimable", "kreclaimable" },
	{ "nr_active_anon", "active" },
	{ "nr_active_file", "active" },
	{ "nr_inactive_anon", "inactive" },
	{ "nr_inactive_file", "inactive" },
};

static void add(int scope, enum source_of source, const char *key, int64_t value)
{
	static size_t hint;
	struct number *n = NULL;

	for (size_t i = 0; i < nr_numbers && !n; i++) {
		struct number *one = &book[(hint + 1 + i) % nr_numbers];

		if (one->scope == scope && !strcmp(one->key, key))
			n = one;
	}
	if (!n && nr_numbers < NUMBERS) {
		n = &book[nr_numbers++];
		n->scope = scope;
		snprintf(n->key, sizeof(n->key), "%s", key);
	}
	if (!n)
		return;
	hint = (size_t)(n - book);
	n->value[source] += value;
	n->has[source] = true;
}

/* Adds a number to its node's, and to the sum over the nodes. */
static void add_for(int scope, enum source_of source, const char *key, int64_t value)
{
	add(scope, source, key, value);
	if (scope < NODES)
		add(MACHINE, source, key, value);
}

/*
 * Writes the name without "nr_" and all but its letters and digits: "Active(anon)" and
 * "nr_active_anon" become "activeanon". meminfo's Hugetlb is the pool's size, nr_hugetlb its part
 * in use.
 */
static const char *key_of(const char *name, char key[KEY])
{
	size_t len = 0;

	if (!strncmp(name, "nr_", 3) && strcmp(name, "nr_hugetlb") != 0)
		name += 3;
	for (; *name && len < KEY - 1; name++)
		if (isalnum((unsigned char)*name))
			key[len++] = (char)tolower((unsigned char)*name);
	key[len] = '\0';
	return key;
}

static void add_counter(const struct workload *w, int scope, enum source_of source,
			const char *name, int64_t value)
{
	bool in_kb = strstr(name, "kernel_stack") || strstr(name, "shadow_call_stack");
	char key[KEY];

	if (ledger_counts_huge(name) && w->huge)
		value *= w->huge;
	if (!in_kb)
		value *= (int64_t)w->page_size / 1024;
	add_for(scope, source, key_of(name, key), value);
	for (size_t i = 0; i < sizeof(also) / sizeof(*also); i++)
		if (!strcmp(name, also[i][0]))
			add_for(scope, source, also[i][1], value);
}

static bool read_vmstat(const struct workload *w, const char *path, int scope,
			enum source_of source)
{
	char *at = ledger_slurp(path), *key;
	int64_t value;
	bool kb;

	if (!*at)
		return false;
	while ((key = ledger_next(&at, &value, &kb)))
		add_counter(w, scope, source, key, value);
	return true;
}

static void read_meminfo(const char *path, int scope, enum source_of source)
{
	char *at = ledger_slurp(path), *name, key[KEY];
	int64_t value;
	bool kb;

	for (;;) {
		int skipped = 0;

		at += strspn(at, " \n");
		if (*at == 'N')
			sscanf(at, "Node %*d %n", &skipped);
		at += skipped;
		name = ledger_next(&at, &value, &kb);
		if (!name)
			return;
		add_for(scope, source, key_of(name, key), value);
	}
}

/*
 * Reads the per-node stats, which are printed for a node's first zone, and those lines of the zones
 * that a node's vmstat has. Before 5.14 the numa_ events of a zone include what CPUs still keep
 * back.
 */
static void read_zoneinfo(const struct workload *w)
{
	char *at = ledger_slurp("/proc/zoneinfo"), *key;
	enum source_of source = ZONES;
	int node = -1;
	int64_t value;
	bool kb;

	while ((key = ledger_next(&at, &value, &kb))) {
		if (!strcmp(key, "Node"))
			sscanf(key + 5, "%d", &node);
		else if (!strcmp(key, "per-node"))
			source = ZONEINFO;
		else if (!strcmp(key, "pages"))
			source = ZONES;
		else if (node >= 0 && node < NODES && strncmp(key, "numa_", 5) &&
			 (source == ZONEINFO || !strncmp(key, "nr_", 3)))
			add_counter(w, node, source, key, value);
	}
}

/*
 * Reads a file of the cgroup that stays open: each open(2) is charged to the cgroup until RCU frees
 * it, so the slabs of memory.stat would differ from those of memory.numa_stat.
 */
static char *read_open_file(int *fd, const char *name)
{
	size_t have = 0;
	ssize_t n;

	if (*fd < 0) {
		char path[720];

		snprintf(path, sizeof(path), "%s/%s", ledger_cgroup, name);
		*fd = open(path, O_RDONLY | O_CLOEXEC);
	}
	while (*fd >= 0 && (n = pread(*fd, workload_buffer + have, WORKLOAD_BUFFER - 1 - have,
				      (off_t)have)) > 0)
		have += (size_t)n;
	workload_buffer[have] = '\0';
	return workload_buffer;
}

static int stat_file = -1, numa_stat_file = -1;

static void read_stat(void)
{
	char *at = read_open_file(&stat_file, "memory.stat"), *key;
	int64_t value;
	bool kb;

	while ((key = ledger_next(&at, &value, &kb)))
		add(CGROUP, STAT, key, value);
}

/* Reads lines such as "anon N0=4096 N1=0". */
static void read_numa_stat(void)
{
	char *at = read_open_file(&numa_stat_file, "memory.numa_stat"), *key;

	for (; *at; at += *at == '\n') {
		key = at;
		at += strcspn(at, " \n");
		while (*at == ' ') {
			*at++ = '\0';
			at += strcspn(at, "=\n");
			add(CGROUP, NUMA, key, strtoll(at + (*at == '='), &at, 10));
		}
	}
}

/* Reads all files. Before 6.0 each CPU keeps back a part of the numbers of memory.numa_stat. */
static void read_book(const struct workload *w, bool numa_stat)
{
	char path[80];

	for (size_t i = 0; i < nr_numbers; i++)
		memset(book[i].value, 0, sizeof(book[i].value));
	read_stat();
	if (numa_stat)
		read_numa_stat();
	read_meminfo("/proc/meminfo", MACHINE, MEMINFO);
	read_vmstat(w, "/proc/vmstat", MACHINE, VMSTAT);
	for (int node = 0; node < NODES; node++) {
		snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/vmstat", node);
		if (!read_vmstat(w, path, node, NODE_VMSTAT))
			continue;
		snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/meminfo", node);
		read_meminfo(path, node, NODE_MEMINFO);
	}
	read_zoneinfo(w);
}

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
 * Earlier cases may have left nr_hugetlb below 0 before the load (sums.h); it is 0 then also while
 * pages are in use.
 */
static bool is_below_0(const struct number *n, int source)
{
	return n->scope == MACHINE && !strcmp(n->key, "nrhugetlb") &&
	       (!n->value[source] || !n->value[first_of(n)]);
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
			n->agreed[s] |= !differs || differs == n->off[s] || is_below_0(n, s);
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
	bool numa_stat;
	const struct number *n = NULL;
	char path[720], text[16];
	int source = 0;

	snprintf(path, sizeof(path), "%s/memory.stat", ledger_cgroup);
	numa_stat = workload_number(path, "pgscan_direct", -1) >= 0;
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
	return p && row->then && !row->then(w, p) ? -errno : load_done(w, p);
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
		"A number that stands in several of meminfo, vmstat, zoneinfo, a node's files, memory.stat and memory.numa_stat is the same in each, and the machine's is the sum of the nodes'",
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
