// SPDX-License-Identifier: MIT
/*
 * Makes kswapd reclaim, by raising the watermarks above the free memory. Only for a guest, because
 * kswapd reclaims the memory of any process.
 */
#ifndef CASES_MACHINE_RECLAIM_H
#define CASES_MACHINE_RECLAIM_H

#include "churn.h"
#include "zones.h"
#include <dirent.h>

static const char swappiness[] = "/proc/sys/vm/swappiness";

static inline int64_t event(const char *name)
{
	return workload_number("/proc/vmstat", name, 0);
}

struct reclaim_event {
	const char *name; /* of /proc/vmstat */
	int sum;          /* which of the case's sums includes the event */
};

/*
 * Reads the events after they have stopped rising. Refreshes them first, because on 7.2.13 the CPUs
 * hold back a part.
 */
static inline void events_at_rest(const struct reclaim_event *events, size_t nr, int64_t *of)
{
	struct patience p = { .seconds = 5 };
	bool same;

	memset(of, 0xff, nr * sizeof(*of));
	do {
		workload_try_to_set("/proc/sys/vm/stat_refresh", "1");
		same = true;
		for (size_t i = 0; i < nr; i++) {
			int64_t now = event(events[i].name);

			same &= now == of[i];
			of[i] = now;
		}
	} while (!same && workload_pause(&p));
}

/*
 * Returns a value of min_free_kbytes for the large zone with the largest share of free pages. This
 * zone is then below its low watermark (at least 5/4 of its minimum) and above its minimum, so
 * kswapd is woken and no process must reclaim memory itself (__setup_per_zone_wmarks()). Small
 * zones do not count: if one is free while the large zones have little, these would fall far below
 * their minimum.
 */
static inline int64_t min_above_free(const struct workload *w)
{
	enum { SMALL = 8 };
	int64_t all = 0, largest_zone = 0;
	struct zones zones;
	double most = 0;

	if (!zones_read(&zones))
		return 0;
	for (int i = 0; i < zones.nr; i++) {
		const struct zone *z = &zones.of[i];

		if (!zone_shares_min_free(z))
			continue;
		all += z->managed;
		largest_zone = z->managed > largest_zone ? z->managed : largest_zone;
	}
	for (int i = 0; i < zones.nr; i++) {
		const struct zone *z = &zones.of[i];
		double share = (double)z->free / (double)z->managed;

		if (zone_shares_min_free(z) && z->managed > largest_zone / SMALL && share > most)
			most = share;
	}
	return (int64_t)(0.85 * most * (double)all) * (int64_t)w->page_size / 1024;
}

/*
 * With lru_gen/min_ttl_ms kswapd kills a process instead of reclaiming young pages
 * (lru_gen_age_node()).
 */
static inline void kswapd_must_not_kill(struct workload *w)
{
	if (workload_number("/sys/kernel/mm/lru_gen/min_ttl_ms", NULL, 0))
		workload_skip(w, "a kswapd that kills no process (lru_gen/min_ttl_ms is not 0)");
}

/* Uses a little memory, so that the allocator checks the watermarks and wakes kswapd. */
static inline void use_memory(const struct workload *w)
{
	char *p = churn_map(w, CHURN_PAGES, MAP_PRIVATE, -1);

	if (!p)
		return;
	churn_write(w, p, CHURN_PAGES);
	munmap(p, CHURN_PAGES * w->page_size);
}

/*
 * Raises the watermarks until kswapd has reclaimed `pages` pages or finds no more for a while.
 * Waits longer for the first pages.
 */
static inline void let_kswapd_work(const struct workload *w, int64_t pages)
{
	enum { PAUSE_US = 10000, IDLE_MOST = 10, IDLE_AT_FIRST = 100 };
	int64_t old = workload_number(min_free, NULL, 0), began = event("pgsteal_kswapd");
	int64_t done = 0, now;

	if (!workload_try_to_set_number(min_free, min_above_free(w)))
		return;
	for (int idle = 0; done < pages && idle < (done ? IDLE_MOST : IDLE_AT_FIRST);) {
		use_memory(w);
		usleep(PAUSE_US);
		now = event("pgsteal_kswapd") - began;
		idle = now > done ? 1 : idle + 1;
		done = now;
	}
	workload_try_to_set_number(min_free, old);
}

static inline void read_swapped(const struct workload *w, const char *pid)
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
				if (entries[i] & PAGEMAP_SWAP)
					(void)!pread(mem, &byte, 1,
						     (off_t)(begin + (size_t)i * w->page_size));
		}
	}
	if (maps)
		fclose(maps);
	close(pagemap);
	close(mem);
}

/*
 * Reads the program and the swapped memory of each process back, so that later cases find the same
 * numbers as without this case.
 */
static inline int64_t read_all_back(const struct workload *w)
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
 * Locks or unlocks the pages of this process, because its numbers are judged, too. mlockall(2)
 * would also touch [vdso] and [vvar], even with MCL_ONFAULT (seen on 7.2.13 and 7.3.4).
 */
static inline void keep_own_pages(struct workload *w, bool keep)
{
	static char maps[16384];
	uint64_t begin, end;
	ssize_t got = workload_read_text("/proc/self/maps", maps, sizeof(maps));

	if (got <= 0 || got >= (ssize_t)sizeof(maps) - 1)
		workload_die(w, "/proc/self/maps: %zd bytes", got);
	for (char *line = strtok(maps, "\n"); line; line = strtok(NULL, "\n")) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64, &begin, &end) != 2 || strstr(line, "[v"))
			continue;
		/* 5.10 refuses mlock2(2) of a mapping without access, which has no page to keep. */
		if (keep)
			(void)syscall(SYS_mlock2, begin, end - begin, MLOCK_ONFAULT);
		else
			munlock((void *)(uintptr_t)begin, end - begin);
	}
}

/*
 * Locks this process's pages and, with cgroup v2, enters a cgroup of its own. Returns true if it
 * has entered one.
 */
static inline bool reclaim_begins(struct workload *w)
{
	keep_own_pages(w, true);
	if (access("/sys/fs/cgroup/cgroup.controllers", F_OK))
		return false;
	workload_cgroup_enter(w);
	return true;
}

/*
 * Ends the companion, and undoes what reclaim_begins() and kswapd have done. After a kswapd has
 * failed 16 times, the kernel does not wake it until some other reclaim succeeds, so the cgroup
 * reclaims a little of the companion's memory.
 */
static inline void reclaim_ends(struct workload *w, pid_t companion, bool in_cgroup)
{
	if (in_cgroup)
		workload_cgroup_try_to_set(w, "memory.reclaim", CHURN_PAGES / 4);
	workload_companion_ends(companion);
	if (in_cgroup)
		workload_cgroup_leave(w);
	workload_companion_ends(workload_companion(w, read_all_back, NULL));
	keep_own_pages(w, false);
}

#endif
