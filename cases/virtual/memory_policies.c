// SPDX-License-Identifier: MIT
/*
 * What set_mempolicy(2) and mbind(2) answer to each mode with each flag and each set of nodes, and
 * what get_mempolicy(2) and numa_maps say about the policy afterwards.
 */
#include "policy_rules.h"
#include <rssck/right.h>

#ifndef SYS_set_mempolicy_home_node
#define SYS_set_mempolicy_home_node 450 /* since 5.17 */
#endif

STEP_SYMBOLS(ASK);

enum { STRIDE = 2 }; /* a page of each mapping, and one that keeps it apart from the next */

static char *start; /* of the mapping of the first row */
static size_t page;

static char name[128];

static const char *name_of(const struct row *r)
{
	snprintf(name, sizeof(name), "%s(%s%s, nodes %#x)", ways[r->way], r->mode->name,
		 r->flags->name, r->mask);
	return name;
}

static char *place(int i)
{
	return start + (size_t)i * STRIDE * page;
}

static int set(enum way way, char *p, int mode, unsigned mask)
{
	unsigned long nodes = mask, bits = sizeof(nodes) * 8;

	if (way == OF_PROCESS)
		return (int)syscall(SYS_set_mempolicy, (long)mode, &nodes, bits);
	return (int)syscall(SYS_mbind, p, page, (long)mode, &nodes, bits, 0L);
}

static int get(enum way way, char *p, int *mode, unsigned *mask)
{
	unsigned long nodes[64] = { 0 };
	int result = (int)syscall(SYS_get_mempolicy, mode, nodes, sizeof(nodes) * 8,
				  way == OF_PROCESS ? NULL : p,
				  way == OF_PROCESS ? 0L : (long)MPOL_F_ADDR);

	*mask = (unsigned)nodes[0];
	return result;
}

/* ---- what is seen ---- */

/* Cuts a line of numa_maps after the policy, which may contain blanks. */
static char *policy_in(char *line)
{
	static const char *const next[] = { " file=", " anon=", " heap",    " stack",
					    " huge",  " dirty", " mapped=", "\n" };
	char *text = strchr(line, ' ');

	for (size_t i = 0; text && i < sizeof(next) / sizeof(*next); i++) {
		char *end = strstr(text + 1, next[i]);

		if (end)
			*end = '\0';
	}
	return text ? text + 1 : line;
}

/*
 * Reads the policies of up to `n` places from place `from` on. A place without a mapping of its own
 * keeps "".
 */
static bool read_numa_maps(int from, int n, char (*text)[TEXT])
{
	FILE *f = fopen("/proc/self/numa_maps", "re");
	char line[512];

	memset(text, 0, (size_t)n * TEXT);
	while (f && fgets(line, sizeof(line), f)) {
		uintptr_t at = strtoull(line, NULL, 16);
		size_t i = (at - (uintptr_t)start) / STRIDE / page;

		if (at >= (uintptr_t)place(from) && at < (uintptr_t)place(from + n) &&
		    (at - (uintptr_t)start) / page % STRIDE == 0)
			snprintf(text[i - (size_t)from], TEXT, "%.60s", policy_in(line));
	}
	if (f)
		fclose(f);
	return f;
}

static int compare_text(const struct row *r, const char *when, const char *seen)
{
	char expected[TEXT];

	text_of(r, expected);
	if (!strcmp(seen, expected))
		return RIGHT;
	return workload_say(WRONG, "%s%s: numa_maps says '%s' instead of '%s'", name_of(r), when,
			    seen, expected);
}

static int compare_get(const struct row *r, const char *when, char *p)
{
	unsigned nodes;
	int mode;

	if (get(r->way, p, &mode, &nodes))
		return workload_say(WRONG, "%s%s: get_mempolicy: %m", name_of(r), when);
	if (mode == told_mode(r) && nodes == told_nodes(r))
		return RIGHT;
	return workload_say(WRONG, "%s%s: get_mempolicy returns %#x and nodes %#x, not %#x, %#x",
			    name_of(r), when, (unsigned)mode, nodes, (unsigned)told_mode(r),
			    told_nodes(r));
}

/* A home node changes no policy. The kernel ignores a mapping without a policy. */
static int set_home(const struct row *r, char *p)
{
	bool refused = r->mode->mode != DEFAULT && !r->mode->has_home;
	int result = (int)syscall(SYS_set_mempolicy_home_node, p, page, 1UL, 0UL);

	if (refused ? result == -1 && errno == EOPNOTSUPP : !result)
		return compare_get(r, " with a home node", p);
	return workload_say(WRONG, "%s: set_mempolicy_home_node returns %d (%m), not %s",
			    name_of(r), result, refused ? "EOPNOTSUPP" : "0");
}

/* A call that is refused leaves the policy of the row before. */
static int try_row(const struct row *r, char *p, const struct row *before)
{
	bool refused = is_refused(r);
	int result = set(r->way, p, r->mode->mode | r->flags->bits, r->mask);

	if (refused ? result != -1 || errno != EINVAL : result)
		return workload_say(WRONG, "%s returns %d (%m) instead of %s", name_of(r), result,
				    refused ? "EINVAL" : "0");
	result = compare_get(refused ? before : r, refused ? " and a refused call" : "", p);
	if (result == RIGHT && r->way != OF_PROCESS && !refused && kernel.has_homes)
		result = set_home(r, p);
	return result;
}

static struct row row_of(enum way way, int i)
{
	return (struct row) { way, &modes[i / (FLAGS * MASKS)], &flags[i / MASKS % FLAGS],
			      masks[i % MASKS] };
}

/* A mapping without a policy of its own has that of the process. */
static int try_process(void)
{
	struct row before = row_of(OF_PROCESS, 0);
	char text[1][TEXT];
	int result = RIGHT;

	for (int i = 0; i < ROWS && result == RIGHT; i++) {
		struct row r = row_of(OF_PROCESS, i);

		result = try_row(&r, NULL, &before);
		if (result != RIGHT || is_refused(&r))
			continue;
		before = r;
		if (!read_numa_maps(0, 1, text))
			return CANNOT;
		result = compare_text(&r, "", text[0]);
	}
	set(OF_PROCESS, NULL, DEFAULT, 0);
	return result;
}

/* Each row that is not refused gets a mapping of its own. One reading serves all of them. */
static int compare_texts(enum way way, const char *when)
{
	static char texts[ROWS][TEXT];
	int result = RIGHT;

	if (!read_numa_maps(0, ROWS, texts))
		return CANNOT;
	for (int i = 0; i < ROWS && result == RIGHT; i++) {
		struct row r = row_of(way, i);

		if (!is_refused(&r))
			result = compare_text(&r, when, texts[i]);
	}
	return result;
}

static int compare_in_child(enum way way)
{
	int result;
	pid_t pid = fork();

	if (!pid) {
		result = compare_texts(way, ", in a forked child");
		for (int i = 0; i < ROWS && result == RIGHT; i++) {
			struct row r = row_of(way, i);

			if (!is_refused(&r))
				result = compare_get(&r, ", in a forked child", place(i));
		}
		_exit(result);
	}
	return workload_result_of(pid, CANNOT);
}

static bool map_places(int n, int how)
{
	for (int i = 0; i < n; i++)
		if (mmap(place(i), page, PROT_READ | PROT_WRITE, how | MAP_ANONYMOUS | MAP_FIXED,
			 -1, 0) == MAP_FAILED)
			return false;
	return true;
}

static int try_mappings(enum way way)
{
	struct row nothing = row_of(way, 0);
	int result = RIGHT;

	if (!map_places(ROWS, way == OF_SHARED ? MAP_SHARED : MAP_PRIVATE))
		return CANNOT;
	for (int i = 0; i < ROWS && result == RIGHT; i++) {
		struct row r = row_of(way, i);

		result = try_row(&r, place(i), &nothing);
	}
	if (result == RIGHT)
		result = compare_texts(way, "");
	return result == RIGHT ? compare_in_child(way) : result;
}

/* ---- what this kernel does ---- */

static void find_text_of_balancing(void)
{
	static const char *const texts[] = { [PRINTS_DEFAULT] = "default",
					     [PRINTS_NOTHING] = "bind:0",
					     [PRINTS_BALANCING] = "bind=balancing:0",
					     [PRINTS_NO_NAME] = "bind=:0" };
	char text[1][TEXT];

	kernel.text = REFUSES;
	if (set(OF_MAPPING, start, BIND | BALANCING, 1) || !read_numa_maps(0, 1, text))
		return;
	for (int i = 0; i < REFUSES; i++)
		if (!strcmp(text[0], texts[i]))
			kernel.text = i;
}

static void find_out(void)
{
	unsigned nodes;

	for (int i = 0; i < MODES; i++) {
		unsigned mask = modes[i].takes != NO_NODES;

		kernel.knows[i] = !set(OF_MAPPING, start, i, mask);
		kernel.balances[i] = !set(OF_MAPPING, start, i | BALANCING, mask);
	}
	if (set(OF_MAPPING, start, LOCAL, 0) || get(OF_MAPPING, start, &kernel.local, &nodes))
		kernel.local = LOCAL;
	if (!set(OF_MAPPING, start, BIND | BALANCING, 5)) {
		int mode;

		get(OF_MAPPING, start, &mode, &nodes);
		kernel.keeps_request = nodes == 5;
	}
	find_text_of_balancing();
	set(OF_MAPPING, start, DEFAULT, 0);
	kernel.has_homes = !syscall(SYS_set_mempolicy_home_node, start, page, 0UL, 0UL);
}

static bool has_two_nodes(void)
{
	unsigned long nodes[64] = { 0 };
	int mode;

	return !syscall(SYS_get_mempolicy, &mode, nodes, sizeof(nodes) * 8, NULL,
			(long)MPOL_F_MEMS_ALLOWED) &&
	       nodes[0] == ALL_NODES && !set(OF_MAPPING, start, BIND, 1) &&
	       !set(OF_MAPPING, start, BIND, 2) && !set(OF_MAPPING, start, BIND, 12 | ALL_NODES);
}

static int try_all(const struct workload *w)
{
	int result;

	page = w->page_size;
	start = workload_try_map((size_t)ROWS * STRIDE * page, PROT_NONE,
				 MAP_PRIVATE | MAP_NORESERVE, -1);
	if (!start || !map_places(1, MAP_PRIVATE) || !has_two_nodes())
		return workload_say(CANNOT, "the nodes 0 and 1, and a kernel for more nodes");
	find_out();
	result = try_process();
	for (int way = OF_MAPPING; way < WAYS && result == RIGHT; way++)
		result = try_mappings(way);
	if (result != RIGHT)
		return result;
	return workload_say(RIGHT, "%d",
			    kernel.balances[BIND] | kernel.keeps_request << 1 |
				    (kernel.local == LOCAL) << 2 | kernel.text << 3);
}

static void ask(struct workload *w)
{
	workload_report_if_right(w, try_all, "/proc/PID/numa_maps, and memory policies", "kernel");
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const char *const texts[] = { "default", "nothing", "a word", "a blank", "refused" };
	int64_t bits = trial_reported(t, ASK, "kernel");

	if (bits < 0)
		return;
	judge_yes_no(j, "mempolicy.local_is_returned", bits >> 2 & 1);
	judge_fact(j, "numa_maps.prints_balancing_as", "%s", texts[bits >> 3]);
	if (bits & 1)
		judge_fact(j, "mempolicy.balancing_nodes_returned", "%s",
			   bits >> 1 & 1 ? "as passed" : "as used");
}

CASE(virtual_memory_policies) {
	.claim =
		"set_mempolicy(2) and mbind(2) accept or refuse each mode with each flag and each set of nodes by the same rules. get_mempolicy(2) and numa_maps show what they accept, in a forked child, too; what they refuse changes nothing",
	.because =
		"sanitize_mpol_flags() and mpol_new() check what the caller passes; mpol_set_nodemask() limits it to the nodes with memory. mpol_to_str() prints the nodes that are used. get_mempolicy(2) returns those that were passed if a flag keeps them.",
	.said_by = SAID_BY("set_mempolicy(2)", "get_mempolicy(2)",
			   "Documentation/filesystems/proc.rst, numa_maps",
			   "Documentation/admin-guide/mm/numa_memory_policy.rst"),
	.steps = STEPS(STEP_AS(ASK, "each mode, flag and set of nodes", ask, .checks = 1)),
	.facts = FACTS(
		FACT("mempolicy.local_is_returned",
		     "Does get_mempolicy(2) return MPOL_LOCAL as such, not as MPOL_PREFERRED?",
		     "yes|no"),
		FACT("numa_maps.prints_balancing_as",
		     "numa_maps prints the flag MPOL_F_NUMA_BALANCING as",
		     "default|nothing|a word|a blank|refused"),
		FACT("mempolicy.balancing_nodes_returned",
		     "With MPOL_F_NUMA_BALANCING get_mempolicy(2) returns the nodes",
		     "as passed|as used")),
	.judge = judge,
};
