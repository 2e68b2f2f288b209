// SPDX-License-Identifier: MIT
/*
 * Reads and compares machine-wide numbers (meminfo, vmstat) of a guest in which only the workload
 * runs.
 */
#include "alone.h"
#include "base/cpus.h"
#include "base/guest.h"
#include "base/kernel_file.h"
#include "base/kmsg.h"
#include "base/number.h"
#include <dirent.h>
#include <errno.h>
#include <rssck/source.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HUGETLB_PAGES "8"

enum { COMMITTED = ALONE_LINES - 1 };

/*
 * meminfo lines that must be as before the first program once the workload has no mapping and no
 * file.
 */
static const struct {
	const char *name, *unit;
	enum rule_id rule;
} lines[ALONE_LINES] = {
	{ "AnonHugePages", "kB", RULE_LEFT_BEHIND },
	{ "ShmemHugePages", "kB", RULE_LEFT_BEHIND },
	{ "ShmemPmdMapped", "kB", RULE_LEFT_BEHIND },
	{ "FileHugePages", "kB", RULE_LEFT_BEHIND },
	{ "FilePmdMapped", "kB", RULE_LEFT_BEHIND },
	{ "Mlocked", "kB", RULE_LEFT_BEHIND },
	{ "HugePages_Total", "", RULE_LEFT_BEHIND },
	{ "HugePages_Free", "", RULE_LEFT_BEHIND },
	{ "HugePages_Rsvd", "", RULE_RESERVED },
	{ "HugePages_Surp", "", RULE_LEFT_BEHIND },
	[COMMITTED] = { "Committed_AS", "kB", RULE_COMMITTED },
};

/*
 * meminfo and vmstat print 0 for a negative count (global_node_page_state()). A write to
 * vm.stat_refresh makes each CPU add its pending differences, and the kernel then logs each
 * negative count by its name.
 */
static const char *const counts[ALONE_COUNTS] = {
	"nr_anon_transparent_hugepages",
	"nr_shmem_hugepages",
	"nr_shmem_pmdmapped",
	"nr_file_hugepages",
	"nr_file_pmdmapped",
	"nr_mlock",
	"nr_isolated_anon",
	"nr_isolated_file",
	"nr_swapcached",
};

/* Writes `value` to a kernel file if the file contains the word `says`. */
static void set_where(const char *path, const char *says, const char *value)
{
	struct text t = { .data = NULL };
	const char *word = NULL;

	if (!text_read(&t, 0, path))
		word = strstr(t.data, says);
	if (word && (word == t.data || word[-1] == ' '))
		kernel_set(path, value);
	text_free(&t);
}

void alone_prepare(void)
{
	if (!guest_is_here())
		return;
	set_where("/sys/kernel/mm/transparent_hugepage/shmem_enabled", "[never]", "advise");
	/*
	 * Shmem folios of 64 kB (16 pages of 4 kB) are allowed as well: a part of a split 2 MiB
	 * page is then still a large folio.
	 */
	set_where("/sys/kernel/mm/transparent_hugepage/hugepages-64kB/shmem_enabled", "[never]",
		  "advise");
	set_where("/proc/sys/vm/nr_hugepages", "0\n", HUGETLB_PAGES);
}

void alone_read_record(struct alone *m, const char *record)
{
	static const char who[] = ";vmstat_refresh: ";
	const char *text = strstr(record, who), *at;

	for (unsigned i = 0; text && i < ALONE_COUNTS; i++) {
		size_t len = strlen(counts[i]);

		at = text + strlen(who);
		if (!strncmp(at, counts[i], len) && at[len] == ' ') {
			at += len + 1;
			number_signed(&at, at + strlen(at), &m->below[i]);
		}
	}
}

/*
 * Makes each CPU add its pending differences (vmstat_refresh()). Before 5.12 a difference could be
 * many MiB, because huge pages were counted in units of a huge page. Returns false if the kernel
 * refuses.
 */
static bool hand_in(struct alone *m)
{
	char record[1024];
	int log = kmsg_open();
	ssize_t n;
	bool done;

	/* A page that is being mlocked waits in a CPU's batch until the batch is full. */
	cpus_drain_lists();
	done = kernel_set("/proc/sys/vm/stat_refresh", "1");

	/*
	 * EINVAL: the record is longer than the buffer, so it is not one of vmstat_refresh, and is
	 * skipped.
	 */
	while (log >= 0 && ((n = read(log, record, sizeof(record) - 1)) > 0 || errno == EPIPE ||
			    errno == EINVAL)) {
		record[n > 0 ? n : 0] = '\0';
		alone_read_record(m, record);
	}
	if (log >= 0)
		close(log);
	return done;
}

/* Returns VmData + VmStk of a process in kB. They grow when malloc(3) or the stack does. */
static int64_t data_kb(pid_t pid)
{
	struct numbered of[] = { { .field = "VmData" }, { .field = "VmStk" } };
	char path[40];

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	kernel_numbers(path, of, 2);
	return of[0].value + of[1].value;
}

/*
 * Returns how many kB the memfds of this process have, on swap too. Committed_AS counts each of
 * their pages, and rssck writes results to them (shmem_acct_blocks()).
 */
static int64_t memfds_kb(void)
{
	DIR *d = opendir("/proc/self/fd");
	int64_t blocks = 0;
	struct dirent *e;
	struct stat st;
	char name[64];

	while (d && (e = readdir(d))) {
		ssize_t n = readlinkat(dirfd(d), e->d_name, name, sizeof(name) - 1);

		name[n < 0 ? 0 : n] = '\0';
		if (!strncmp(name, "/memfd:", 7) && !fstatat(dirfd(d), e->d_name, &st, 0))
			blocks += st.st_blocks;
	}
	if (d)
		closedir(d);
	return blocks / 2;
}

/* Committed_AS counts VmData and VmStk of all processes, too. */
void alone_read(struct alone *m, pid_t workload)
{
	struct numbered of[ALONE_LINES];

	*m = (struct alone) { .known = false };
	if (!guest_is_here() || !hand_in(m))
		return;
	m->known = true;
	for (unsigned i = 0; i < ALONE_LINES; i++)
		of[i] = (struct numbered) { .field = lines[i].name, .value = -1 };
	kernel_numbers("/proc/meminfo", of, ALONE_LINES);
	for (unsigned i = 0; i < ALONE_LINES; i++)
		m->of[i] = of[i].value;
	m->of[COMMITTED] -= memfds_kb() + data_kb(getpid()) + data_kb(workload);
}

static bool differs(struct discrepancy *d, enum rule_id rule, const char *file, const char *name,
		    const char *unit, int64_t seen, int64_t expected)
{
	discrepancy_set(d, rule, unit, seen, expected, "%s's %s", file, name);
	return false;
}

bool alone_is_as_before(const struct alone *before, const struct alone *now, struct discrepancy *d)
{
	if (!before->known || !now->known)
		return true;
	for (unsigned i = 0; i < ALONE_LINES; i++)
		if (before->of[i] != now->of[i])
			return differs(d, lines[i].rule, "meminfo", lines[i].name, lines[i].unit,
				       now->of[i], before->of[i]);
	for (unsigned i = 0; i < ALONE_COUNTS; i++)
		if (now->below[i] < before->below[i])
			return differs(d, RULE_BELOW_ZERO, "vmstat", counts[i], "", now->below[i],
				       before->below[i]);
	return true;
}
