// SPDX-License-Identifier: MIT
/*
 * If an mmap(2) unmaps memory and then fails, the memory should leave Committed_AS. On some kernels
 * it stays.
 */
#include <rssck/case.h>
#include <sys/socket.h>

enum { PAGES = 4096, NOT_REFUSED = 1 };
STEP_SYMBOLS(REFUSED);

/*
 * A socket's mmap operation always fails (sock_no_mmap()). If the memory were still mapped,
 * mincore(2) would succeed.
 */
static int map_socket_over_memory(const struct workload *w)
{
	size_t bytes = PAGES * w->page_size;
	unsigned char core;
	char *p = workload_try_map(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (!p || fd < 0 ||
	    mmap(p, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, fd, 0) != MAP_FAILED ||
	    mincore(p, w->page_size, &core) == 0)
		return NOT_REFUSED;
	return 0;
}

/* Maps in a child, because a child's exit gives back all that it has been charged for. */
static void measure(struct workload *w)
{
	int64_t kib = (int64_t)w->page_size / 1024;
	int64_t before = workload_number("/proc/meminfo", "Committed_AS", 0);

	if (workload_in_child(w, map_socket_over_memory) == NOT_REFUSED)
		workload_skip(w, "an mmap(2) that unmaps memory and then fails");
	workload_report(w, "kept",
			(workload_number("/proc/meminfo", "Committed_AS", 0) - before) / kib);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_fact(j, "committed.memory_that_a_refused_mmap_has_replaced", "%s",
		   trial_reported(t, REFUSED, "kept") < PAGES / 2 ? "is given back" : "stays");
}

CASE(virtual_refused_mmap) {
	.claim =
		"Committed_AS should fall by the mapping that mmap(2) with MAP_FIXED has unmapped, even if the new mapping fails; on some kernels it does not",
	.because = "mmap() unmaps the old mapping first. 6.12.43 and 6.16.12 to 7.2.13 do not "
		   "subtract its charge when the file's mmap operation returns an error.",
	.said_by = SAID_BY("mmap(2), MAP_FIXED", "proc_meminfo(5), Committed_AS"),
	.needs = NEEDS("guest"),
	.steps = STEPS(STEP_AS(REFUSED, "mmap that is refused", measure)),
	.facts = FACTS(FACT(
		"committed.memory_that_a_refused_mmap_has_replaced",
		"When mmap(2) unmaps memory and then fails, the charge of that memory in Committed_AS",
		"is given back|stays")),
	.judge = judge,
};
