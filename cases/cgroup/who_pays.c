// SPDX-License-Identifier: MIT
/* A cgroup pays for the page cache it reads, mapped or not; RSS counts what is mapped, paid or not.
 */
#include <errno.h>
#include <fcntl.h>
#include <rssck/case.h>
#include <rssck/judge.h>
#include <rssck/workload.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGES = 4096, PAID = 0, FREE = 1 };

#define ROOT "/sys/fs/cgroup"

static char group[64], home[512];

static int write_to(const char *directory, const char *file, const char *text)
{
	char path[600];
	int fd, result;

	snprintf(path, sizeof(path), "%s/%s", directory, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	result = write(fd, text, strlen(text)) < 0 ? -1 : 0;
	close(fd);
	return result;
}

/* Where we came from: "0::/user.slice". */
static bool find_home(void)
{
	FILE *f = fopen("/proc/self/cgroup", "re");
	char line[384], path[384] = "";

	while (f && !path[0] && fgets(line, sizeof(line), f))
		sscanf(line, "0::%383[^\n]", path);
	if (f)
		fclose(f);
	snprintf(home, sizeof(home), ROOT "%s", path);
	return path[0];
}

/* A line of memory.stat, in pages; -1 where there is none. */
static int64_t stat_pages(struct workload *w, const char *name)
{
	char path[128], line[128], field[64];
	long long bytes, found = -1;
	FILE *f;

	snprintf(path, sizeof(path), "%s/memory.stat", group);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%63s %lld", field, &bytes) == 2 && !strcmp(field, name))
			found = bytes / (long long)w->page_size;
	if (f)
		fclose(f);
	return found;
}

static void read_file(int fd)
{
	static char buffer[64 << 10];

	while (read(fd, buffer, sizeof(buffer)) > 0)
		;
}

static void touch_file(struct workload *w, int fd)
{
	touch_read(w, workload_map(w, PAGES * w->page_size, PROT_READ, MAP_SHARED, fd, 0), PAGES);
}

/* In one step, and out of the cgroup at its end, so that it outlives us only if we are killed here.
 */
static void pay(struct workload *w)
{
	const char *failed = NULL;

	w->fd[FREE] = workload_file(w, PAGES);
	w->fd[PAID] = workload_file(w, PAGES);
	read_file(w->fd[FREE]);
	snprintf(group, sizeof(group), ROOT "/rssck.%d", (int)getpid());
	if (!find_home() || mkdir(group, 0755) < 0)
		workload_skip(w, "a cgroup of its own (%s: %s)", ROOT, strerror(errno));
	if (stat_pages(w, "file_mapped") < 0)
		failed = "cgroup v2's memory controller below " ROOT;
	else if (write_to(group, "cgroup.procs", "0") < 0)
		failed = "the right to enter a cgroup";
	else {
		read_file(w->fd[PAID]);
		workload_tell(w, "read: file", stat_pages(w, "file"));
		workload_tell(w, "read: file_mapped", stat_pages(w, "file_mapped"));
		touch_file(w, w->fd[PAID]);
		workload_tell(w, "mapped: file", stat_pages(w, "file"));
		workload_tell(w, "mapped: file_mapped", stat_pages(w, "file_mapped"));
		touch_file(w, w->fd[FREE]);
		workload_tell(w, "unpaid: file", stat_pages(w, "file"));
		workload_tell(w, "unpaid: file_mapped", stat_pages(w, "file_mapped"));
	}
	write_to(home, "cgroup.procs", "0");
	rmdir(group);
	if (failed)
		workload_skip(w, "%s", failed);
}

/* memory.stat is summed up when a batch of 64 pages on each CPU has changed, or after 2 s. */
static void judge(const struct trial *t, struct judgement *j)
{
	static const struct {
		const char *told;
		int64_t pages;
		const char *rule;
	} claims[] = {
		{ "read: file", PAGES, "the cache that read(2) filled is paid for" },
		{ "read: file_mapped", 0, "and is nobody's mapping" },
		{ "mapped: file", PAGES, "mapping it costs nothing more" },
		{ "mapped: file_mapped", PAGES, "and makes it file_mapped" },
		{ "unpaid: file", PAGES, "what another cgroup brought in is not paid for again" },
		{ "unpaid: file_mapped", PAGES, "nor shown as mapped here, though it is in RSS" },
	};
	int64_t bound = 64 * (int64_t)t->host->cpus;

	if (4 * bound > PAGES)
		return judge_skip(j, "so many CPUs that memory.stat may be off by a quarter");
	for (size_t i = 0; i < sizeof(claims) / sizeof(*claims); i++)
		judge_within(j, "in a cgroup", 0, claims[i].told,
			     trial_told(t, "in a cgroup", claims[i].told, -PAGES), claims[i].pages,
			     bound, claims[i].rule);
}

CASE(cgroup_who_pays) {
	.claim = "A cgroup pays for page cache that it brought in, mapped or not, and not for what "
		 "it merely maps: memory.stat is no sum of RSS",
	.because = "A page is charged once, to the cgroup of the process that faulted or read it "
		   "in first. file is that cache; file_mapped the part of it that anybody maps; "
		   "RSS counts what the process maps, whoever pays.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("root"),
	.steps = STEPS(STEP("in a cgroup", pay, VIRT_OTHER(2 * PAGES), FILE_READ(2 * PAGES))),
	.judge = judge,
};
