// SPDX-License-Identifier: MIT
/*
 * Sharers: a file server and its children as `rssck scan --sharers` names them, compared with sums
 * that the test makes from smaps.
 */
#include "tests/support/child.h"
#include "tests/support/json.h"
#include <sched.h>

enum { CHILDREN = 20, PAGES = 64 };

struct server {
	pid_t pid, children[CHILDREN];
	char path[64];
	const volatile char *file; /* a shared mapping of PAGES pages */
	volatile char *private;    /* a private mapping of the same file, PAGES pages */
	char *inherited; /* anonymous, PAGES pages, written before the children were forked */
};

static size_t page;

static void read_pages(const volatile char *from, size_t pages)
{
	for (size_t i = 0; i < pages; i++)
		(void)from[i * page];
}

/*
 * Child i reads all of the file, writes i pages of its own copy, and writes i + 1 pages of the
 * inherited memory.
 */
static _Noreturn void serve(const struct server *s, int i, const int ready[2])
{
	read_pages(s->file, PAGES);
	for (int k = 0; k < i; k++)
		s->private[(size_t)k * page] = 1;
	for (int k = 0; k <= i; k++)
		s->inherited[(size_t)k * page] = 1;
	child_stands(ready);
}

/* If `own_world`, the last child is in a PID namespace of its own. */
static void start(struct server *s, bool own_world)
{
	int ready[2], fd;

	page = (size_t)sysconf(_SC_PAGESIZE);
	*s = (struct server) { .pid = getpid(), .path = "/var/tmp/rssck-served.XXXXXX" };
	fd = mkstemp(s->path);
	assert_true(fd >= 0);
	for (size_t i = 0; i < PAGES; i++)
		assert_int_equal(pwrite(fd, "x", 1, (off_t)(i * page)), 1);
	assert_int_equal(ftruncate(fd, (off_t)(PAGES * page)), 0);
	s->file = mmap(NULL, PAGES * page, PROT_READ, MAP_SHARED, fd, 0);
	s->private = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	s->inherited = map_private(PAGES * page);
	madvise(s->inherited, PAGES * page, MADV_NOHUGEPAGE);
	close(fd);
	memset(s->inherited, 1, PAGES * page);
	read_pages(s->file, PAGES);
	for (int i = 0; i < CHILDREN; i++) {
		if (own_world && i == CHILDREN - 1 && unshare(CLONE_NEWPID)) {
			s->children[i] = 0;
			break;
		}
		s->children[i] = child_begin(ready);
		if (s->children[i] == 0)
			serve(s, i, ready);
		child_await(ready);
	}
}

static void end(struct server *s)
{
	for (int i = 0; i < CHILDREN; i++)
		if (s->children[i] > 0)
			child_end(s->children[i]);
	munmap((void *)s->file, PAGES * page);
	munmap((void *)s->private, PAGES * page);
	munmap(s->inherited, PAGES * page);
	unlink(s->path);
}

static json_t *scan(const char *format, ...)
{
	static char out[4 << 20];
	char arguments[160];
	va_list args;
	int status;

	va_start(args, format);
	vsnprintf(arguments, sizeof(arguments), format, args);
	va_end(args);
	status = shell(out, sizeof(out), "%s scan --no-model --json %s 2>&1", program(), arguments);
	if (status == 2)
		fail_msg("rssck scan %s: %s", arguments, out);
	return json_read(out);
}

static const json_t *of_pid(const json_t *list, pid_t pid)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (json_number(json_array_get(list, i), "pid") == pid)
			return json_array_get(list, i);
	return NULL;
}

/* Sums a field of smaps over the mappings whose first line names the file. */
static long by_hand(pid_t pid, const char *file, const char *field)
{
	char path[64], line[512];
	long sum = 0;
	bool inside = false;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/smaps", pid);
	f = fopen(path, "re");

	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		long kb;

		if (line[0] >= 'A' && line[0] <= 'Z') {
			size_t len = strlen(field);

			if (inside && !strncmp(line, field, len) && line[len] == ':' &&
			    sscanf(line + len + 1, "%ld", &kb) == 1)
				sum += kb;
		} else {
			inside = strstr(line, file) != NULL;
		}
	}
	fclose(f);
	return sum;
}

static void expect_user(const json_t *list, pid_t pid, const char *file)
{
	const json_t *one = of_pid(list, pid);

	if (!one)
		fail_msg("process %d maps %s but is not named", pid, file);
	assert_int_equal(json_number(one, "Rss"), by_hand(pid, file, "Rss"));
	assert_int_equal(json_number(one, "Pss"), by_hand(pid, file, "Pss"));
	assert_int_equal(json_number(one, "frees"),
			 by_hand(pid, file, "Private_Clean") + by_hand(pid, file, "Private_Dirty"));
}

TEST(the_sharers_of_a_file_agree_with_smaps)
{
	struct server s;
	json_auto_t *j;
	json_t *list;

	start(&s, false);
	j = scan("--sharers=%s", s.path);
	list = json_object_get(j, "mapped_by");
	assert_int_equal(json_array_size(list), CHILDREN + 1);
	expect_user(list, s.pid, s.path);
	for (int i = 0; i < CHILDREN; i++)
		expect_user(list, s.children[i], s.path);
	/* A process that has written has its own copies, so its end frees something. */
	assert_true(json_number(of_pid(list, s.children[CHILDREN - 1]), "frees") >=
		    (long)((CHILDREN - 1) * page / 1024));
	end(&s);
}

TEST(a_file_is_found_by_its_name_within_a_process)
{
	struct server s;
	json_auto_t *j;

	start(&s, false);
	j = scan("--sharers=%s %d", strrchr(s.path, '/') + 1, s.pid);
	assert_int_equal(json_length(j, "processes/0/mapped_by"), CHILDREN + 1);
	end(&s);
}

/*
 * Anonymous memory has no name, so its sharers are found by page frames. Child i wrote its own copy
 * of i + 1 pages and shares the rest; page 1 is shared only by the server and child 0.
 */
TEST(the_sharers_of_anonymous_memory_are_counted_to_the_page)
{
	struct server s;
	json_auto_t *j;
	json_t *with;

	if (geteuid())
		skip();
	start(&s, false);
	j = scan("--sharers=%lx %d", (unsigned long)s.inherited, s.pid);
	with = json_at(j, "processes/0/shares_with");
	assert_int_equal(json_array_size(with), CHILDREN);
	for (int i = 0; i < CHILDREN; i++) {
		const json_t *one = of_pid(with, s.children[i]);

		assert_int_equal(json_number(one, "pages"), PAGES - (i + 1));
		assert_int_equal(json_number(one, "pages_no_third"), i == 0);
	}
	end(&s);
}

/*
 * Each child shares at least the pages of the file, and the inherited pages that it has not
 * written.
 */
TEST(the_sharers_of_a_whole_process_are_listed)
{
	struct server s;
	json_auto_t *j;
	json_t *with;

	if (geteuid())
		skip();
	start(&s, false);
	j = scan("--sharers %d", s.pid);
	with = json_at(j, "processes/0/shares_with");
	for (int i = 0; i < CHILDREN; i++)
		assert_true(json_number(of_pid(with, s.children[i]), "pages") >=
			    2 * PAGES - (i + 1));
	end(&s);
}

TEST(a_sharer_in_another_PID_namespace_is_marked)
{
	struct server s;
	const char *told;
	json_t *j;
	pid_t pid;

	/* Under valgrind the child's exit status is that of valgrind. */
	if (getenv("VALGRIND"))
		skip();
	/*
	 * The test runs in a child, because unshare() would change the numbers of later children.
	 */
	pid = fork();
	if (pid) {
		int status = child_status(pid);

		if (status == 4)
			skip();
		assert_int_equal(status, 0);
		return;
	}
	start(&s, true);
	if (!s.children[CHILDREN - 1]) {
		end(&s);
		_exit(4);
	}

	/*
	 * After unshare() every new child would be in the new PID namespace. setns() returns to the
	 * old one, for the shell that runs rssck.
	 */
	int ours = open("/proc/self/ns/pid", O_RDONLY | O_CLOEXEC);

	if (ours < 0 || setns(ours, CLONE_NEWPID))
		_exit(4);
	j = scan("--sharers=%s", s.path);
	told = json_string_value(json_object_get(
		of_pid(json_object_get(j, "mapped_by"), s.children[CHILDREN - 1]), "elsewhere"));
	end(&s);
	_exit(!told || strcmp(told, "in another PID namespace, PID 1 there") ||
	      json_object_get(of_pid(json_object_get(j, "mapped_by"), s.pid), "elsewhere"));
}

TEST(wrong_usage_is_refused)
{
	assert_rssck(2, "/nonexistent: No such file", "scan --sharers=/nonexistent 2>&1");
	assert_rssck(2, NULL, "scan --sharers 2>&1");
	assert_rssck(2, NULL, "scan --all --sharers=/bin/sh 2>&1");
	assert_rssck(2, "has no mapping at or called 'nothing-of-that-name'",
		     "scan --sharers=nothing-of-that-name %d 2>&1", getpid());
}
