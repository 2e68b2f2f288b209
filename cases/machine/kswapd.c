// SPDX-License-Identifier: MIT
/*
 * kswapd reclaims memory of all kinds in the background. Each line of the machine counts its pages
 * after it has reclaimed, after they were read back, and after the process has ended.
 */
#include "churn.h"
#include "zones.h"
#include <dirent.h>

STEP_SYMBOLS(RECLAIM, READ_BACK);

static const char min_free[] = "/proc/sys/vm/min_free_kbytes";
static const char swappiness[] = "/proc/sys/vm/swappiness";

/* What each step of the workload reports of /proc/vmstat: how much it rose while kswapd worked. */
static const char *const scanned[] = { "pgscan_kswapd", "pgscan_direct", "pgscan_khugepaged",
				       "pgscan_proactive" };
static const char *const stolen[] = { "pgsteal_kswapd", "pgsteal_direct", "pgsteal_khugepaged",
				      "pgsteal_proactive" };
static const char *const scanned_kinds[] = { "pgscan_anon", "pgscan_file" };
static const char *const stolen_kinds[] = { "pgsteal_anon", "pgsteal_file" };

#define SUM(names) sum_of(names, sizeof(names) / sizeof(*(names)))

static int64_t event(const char *name)
{
	return workload_number("/proc/vmstat", name, 0);
}

static int64_t sum_of(const char *const *names, size_t nr)
{
	int64_t sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += event(names[i]);
	return sum;
}

/* ---- raised watermarks ---- */

/*
 * Returns the value of min_free_kbytes at which every zone has fewer free pages than its low
 * watermark, which is at least 5/4 of its minimum, while the emptiest large zone but one stays
 * above the minimum: kswapd is woken, and no process must reclaim itself
 * (__setup_per_zone_wmarks()).
 */
static int64_t min_above_free(const struct workload *w)
{
	FILE *f = fopen("/proc/zoneinfo", "re");
	int64_t free = 0, managed, all = 0;
	char text[256], zone[32] = "";
	double most = 0;

	while (f && fgets(text, sizeof(text), f)) {
		if (sscanf(text, "Node %*d, zone %31s", zone) == 1 ||
		    sscanf(text, " pages free %" SCNd64, &free) == 1 ||
		    sscanf(text, " managed %" SCNd64, &managed) != 1 || !shares_min_free(zone))
			continue;
		all += managed;
		/* Only the kernel may use the last pages of zone DMA. */
		if (managed && strcmp(zone, "DMA") && (double)free / (double)managed > most)
			most = (double)free / (double)managed;
	}
	if (f)
		fclose(f);
	return (int64_t)(0.85 * most * (double)all) * (int64_t)w->page_size / 1024;
}

/* Uses a little memory, so that the allocator sees the watermarks. */
static void use_memory(const struct workload *w)
{
	char *p = churn_map(w, CHURN_PAGES, MAP_PRIVATE, -1);

	if (!p)
		return;
	churn_write(w, p, CHURN_PAGES);
	munmap(p, CHURN_PAGES * w->page_size);
}

/*
 * Raises the watermarks until kswapd has reclaimed `pages`, or has found nothing more for a while.
 * Waits longer for its first pages.
 */
static void let_kswapd_work(const struct workload *w, int64_t pages)
{
	enum { PAUSE_US = 10000, IDLE_MOST = 10, IDLE_AT_FIRST = 100 };
	int64_t old = workload_number(min_free, NULL, 0), began = event("pgsteal_kswapd");
	int64_t done = 0, last = 0;

	if (!workload_try_to_set_number(min_free, min_above_free(w)))
		return;
	for (int idle = 0; done < pages && idle < (done ? IDLE_MOST : IDLE_AT_FIRST); idle++) {
		use_memory(w);
		usleep(PAUSE_US);
		last = done;
		done = event("pgsteal_kswapd") - began;
		idle = done > last ? 0 : idle;
	}
	workload_try_to_set_number(min_free, old);
}

/*
 * Lets kswapd reclaim anonymous memory first, then page cache first. With swappiness 0 it may find
 * nothing, and the kernel wakes no kswapd that has failed 16 times.
 */
static int64_t churn_and_reclaim(const struct workload *w)
{
	int64_t old = workload_number(swappiness, NULL, 60);

	churn(w);
	/* Up to 5.7 the highest value is 100. */
	if (!workload_try_to_set_number(swappiness, 200))
		workload_try_to_set_number(swappiness, 100);
	let_kswapd_work(w, CHURN_PAGES);
	workload_try_to_set_number(swappiness, 1);
	let_kswapd_work(w, CHURN_PAGES / 4);
	workload_try_to_set_number(swappiness, old);
	return 0;
}

/* Reads each page of a process's memory that is on swap. */
static void read_swapped(const struct workload *w, const char *pid)
{
	enum { AT_ONCE = 512 };
	uint64_t begin, end, entries[AT_ONCE];
	char path[300], text[512], byte;
	int mem, pagemap;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%s/mem", pid);
	mem = open(path, O_RDONLY | O_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/%s/pagemap", pid);
	pagemap = open(path, O_RDONLY | O_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/%s/maps", pid);
	maps = fopen(path, "re");
	while (maps && fgets(text, sizeof(text), maps)) {
		if (sscanf(text, "%" SCNx64 "-%" SCNx64, &begin, &end) != 2)
			continue;
		for (; begin < end; begin += AT_ONCE * w->page_size) {
			ssize_t got = pread(pagemap, entries, sizeof(entries),
					    (off_t)(begin / w->page_size * sizeof(*entries)));

			for (ssize_t i = 0; i < got / (ssize_t)sizeof(*entries); i++)
				if (entries[i] >> 62 & 1)
					(void)!pread(mem, &byte, 1,
						     (off_t)(begin + (size_t)i * w->page_size));
		}
	}
	if (maps)
		fclose(maps);
	close(pagemap);
	close(mem);
}

static int64_t read_back(const struct workload *w)
{
	churn_and_reclaim(w);
	read_swapped(w, "self");
	return 0;
}

/*
 * Reads the program and the swapped memory of each process. A case that runs later begins with the
 * numbers that it would have without this one.
 */
static int64_t read_all_back(const struct workload *w)
{
	DIR *processes = opendir("/proc");
	struct dirent *one;
	char path[300];
	int fd;

	while (processes && (one = readdir(processes))) {
		if (strspn(one->d_name, "0123456789") != strlen(one->d_name))
			continue;
		read_swapped(w, one->d_name);
		snprintf(path, sizeof(path), "/proc/%s/exe", one->d_name);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		while (fd >= 0 && read(fd, workload_buffer, WORKLOAD_BUFFER) > 0)
			;
		close(fd);
	}
	if (processes)
		closedir(processes);
	return 0;
}

/*
 * Locks or unlocks the pages that this process has: its numbers are judged, too. mlockall(2) would
 * also touch [vdso] and [vvar] (seen on 7.2.13 and 7.3.4), with MCL_ONFAULT as well.
 */
static void keep_own_pages(struct workload *w, bool keep)
{
	static char maps[16384];
	uint64_t begin, end;
	ssize_t got = workload_read_text("/proc/self/maps", maps, sizeof(maps));

	if (got <= 0 || got >= (ssize_t)sizeof(maps) - 1)
		workload_die(w, "/proc/self/maps: %zd bytes", got);
	for (char *line = strtok(maps, "\n"); line; line = strtok(NULL, "\n")) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64, &begin, &end) != 2 || strstr(line, "[v"))
			continue;
		/* 5.10 refuses it where no access is permitted; there is nothing to keep. */
		if (keep)
			(void)syscall(SYS_mlock2, begin, end - begin, MLOCK_ONFAULT);
		else
			munlock((void *)(uintptr_t)begin, end - begin);
	}
}

static void audit(struct workload *w)
{
	int status = churn_audit(w, "machine", NULL);

	if (status)
		workload_skip(w, "page frames that rssck machine can read (it exited with %d)",
			      status);
}

static void reclaim(struct workload *w)
{
	int64_t by = SUM(stolen), of = SUM(stolen_kinds);
	int64_t scanned_by = SUM(scanned), scanned_of = SUM(scanned_kinds);
	pid_t pid;

	w->fd[CHURN_FILE] = workload_try_file_uncached(w, CHURN_PAGES);
	keep_own_pages(w, true);
	pid = workload_companion(w, w->argument ? read_back : churn_and_reclaim, NULL);
	workload_try_to_set("/proc/sys/vm/stat_refresh", "1");
	if (SUM(stolen) == by)
		workload_skip(w, "memory that kswapd reclaims within a second");
	workload_report(w, "reclaimed", SUM(stolen) - by);
	workload_report(w, "reclaimed by kind", SUM(stolen_kinds) - of);
	workload_report(w, "scanned", SUM(scanned) - scanned_by);
	workload_report(w, "scanned by kind", SUM(scanned_kinds) - scanned_of);
	audit(w);
	workload_companion_ends(pid);
	workload_companion_ends(workload_companion(w, read_all_back, NULL));
	keep_own_pages(w, false);
	workload_try_to_set("/proc/sys/vm/stat_refresh", "1");
	workload_report(w, "isolated", event("nr_isolated_anon") + event("nr_isolated_file"));
	if (w->argument)
		audit(w);
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const unsigned steps[] = { RECLAIM, READ_BACK };

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		unsigned s = steps[i];

		judge_true(j, s, trial_reported(t, s, "reclaimed") > 0, "kswapd reclaims memory");
		judge_reported(t, j, s, "isolated", "pages that reclaim has isolated", 0,
			       "reclaim has put back what it took off the lists");
		judge_reported(t, j, s, "reclaimed by kind", "pgsteal_anon + pgsteal_file",
			       trial_reported(t, s, "reclaimed"),
			       "each reclaimed page is anonymous or of a file");
		judge_reported(t, j, s, "scanned by kind", "pgscan_anon + pgscan_file",
			       trial_reported(t, s, "scanned"),
			       "each scanned page is anonymous or of a file");
	}
}

CASE(machine_kswapd) {
	.claim = "After kswapd has reclaimed memory of all kinds, each line of meminfo, vmstat and "
		 "zoneinfo counts the page frames of its kind, before and after the memory is read "
		 "back, and after its process has ended",
	.because =
		"kswapd takes pages off the lists, unmaps them, and frees them, writes them to "
		"swap or puts them back. Each of these updates counters of the zone, of the node "
		"and of the cgroup.",
	.said_by = SAID_BY("proc_meminfo(5)", "Documentation/admin-guide/sysctl/vm.rst"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_THP | CASE_RECLAIMS,
	.limit_s = 120,
	.steps = STEPS(STEP_AS(RECLAIM, "kswapd reclaims", reclaim, .checks = 1),
		       STEP_AS(READ_BACK, "kswapd reclaims, and the pages are read back", reclaim,
			       .argument = 1, .checks = 1)),
	.judge = judge,
};
