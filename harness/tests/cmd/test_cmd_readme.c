// SPDX-License-Identifier: MIT
/*
 * README.md and harness/doc: the commands in them are run, unless promises[] says why not, and the
 * files that they name must exist.
 */
#include "tests/support/child.h"
#include "tests/support/files.h"
#include "tests/support/readme.h"
#include <limits.h>
#include <sys/stat.h>

enum { LIMIT_S = 300, OUTPUT_MAX = 1 << 18, COMMAND_MAX = 1024 };

enum place {
	HERE,
	COPY,  /* the command writes files, so it runs in a copy of the sources and of the build */
	GUEST, /* the command runs in a virtual machine, if a kernel has been fetched */
	NOWHERE, /* this test does not run the command, for the reason `why` */
};

/*
 * Commands that need not exit with status 0, or that this test runs elsewhere or not at all. A row
 * is for the commands that begin with `begins`. Every other command must exit with status 0. A word
 * in capitals stands for a value that fill_in() replaces.
 */
static const struct promise {
	const char *begins;
	enum place place;
	int most;          /* the highest exit status that is allowed */
	const char *shows; /* text in the output, or NULL */
	const char *why;
	const char *wants; /* without this program the command prints how to install it; or NULL */
} promises[] = {
	{ "make deps check", NOWHERE, .why = "make check-fresh runs it" },
	{ "make deps test", NOWHERE, .why = "make check-fresh runs it" },
	{ "make deps install", NOWHERE, .why = "make check-package runs it" },
	{ "make uninstall", NOWHERE, .why = "make check-package runs it" },
	{ "make dist", NOWHERE, .why = "make check-package runs it" },
	{ "make deb", NOWHERE, .why = "make check-deb runs it" },
	{ "make static", NOWHERE, .why = "make check-static runs it" },
	{ "make kernels check-kernels", NOWHERE, .why = "it fetches kernels, for half an hour" },
	{ "make cross kernels", NOWHERE, .why = "it fetches kernels, and needs a cross compiler" },
	{ "make check-kernels ARCH=arm64", NOWHERE, .why = "it boots what the line above fetched" },
	{ "make kernels check-configs", NOWHERE, .why = "it boots two dozen machines" },
	{ "git bisect", NOWHERE, .why = "it wants a kernel's sources" },
	{ "rssck vm --kernel arch/x86/boot/bzImage", NOWHERE, .why = "make check-kernels runs it" },
	{ "./rssck vm --kernel=vmlinuz-6.18 --run", NOWHERE,
	  .why = "load is a program of its author's" },
	{ "./rssck vm --kernel", GUEST, .shows = "model" },
	{ "rssck demo --kernel", GUEST, .shows = "RES off by" },
	{ "./rssck run make check", NOWHERE, .why = "a whole check; test_cmd_run runs programs" },
	{ "make && ./rssck check", COPY, .shows = "[  PASSED  ] 1 test(s)." },
	{ "./rssck check counters/threads_malloc", HERE,
	  .shows = "value  page tables    off by   off by  may be off by" },
	{ "./rssck scan PID", HERE, .shows = "value  page tables" },
	{ "./rssck scan 94", HERE, .shows = "value  page tables     off by  may be off by" },
	{ "./rssck scan --maps --sharers PID", HERE, .shows = "libc" },
	{ "rssck demo counters/threads_malloc", HERE, .shows = "RES off by" },
	{ "rssck demo --quiz", NOWHERE, .why = "it asks a person; test_cmd_quiz answers" },
	{ "rssck demo --page", .place = COPY },
	{ "rssck demo --plot", HERE, .wants = "gnuplot" },
	{ "rssck compare", HERE, .most = 1, .shows = "7.3" },
	{ "rssck report", .place = COPY },
};

static char kernel[COMMAND_MAX], *copy;
static pid_t sleeper;

static const struct promise *promise_of(const char *command)
{
	for (size_t i = 0; i < sizeof(promises) / sizeof(*promises); i++)
		if (begins(command, promises[i].begins))
			return &promises[i];
	return NULL;
}

static void replace(char command[COMMAND_MAX], const char *from, const char *to)
{
	char *at = strstr(command, from), rest[COMMAND_MAX];

	if (!at)
		return;
	snprintf(rest, sizeof(rest), "%s", at + strlen(from));
	snprintf(at, COMMAND_MAX - (size_t)(at - command), "%s%s", to, rest);
}

/* Replaces the process and the kernel image in a command by those of this test. */
static void fill_in(char command[COMMAND_MAX])
{
	char pid[16];

	snprintf(pid, sizeof(pid), " %d", (int)sleeper);
	replace(command, " PID", pid);
	replace(command, " 94", pid);
	replace(command, "vmlinuz-6.1.0-57-cloud-amd64", kernel);
	replace(command, "vmlinuz-6.1 ", kernel);
}

/* Runs a command in a folder. Fails the test if the command breaks its promise. */
static void obey(const char *command, const char *folder, const struct promise *p)
{
	static char out[OUTPUT_MAX];
	char filled[COMMAND_MAX];
	int status;

	snprintf(filled, sizeof(filled), "%s", command);
	fill_in(filled);
	/* The tested program may be at another path than ./rssck. */
	if (!strcmp(folder, "."))
		replace(filled, "./rssck ", "rssck ");
	status = shell(out, OUTPUT_MAX, "cd %s && timeout %d sh -c '%s' </dev/null 2>&1", folder,
		       LIMIT_S, filled);
	if (p && p->wants && status == 2 && strstr(out, p->wants) && !is_installed(p->wants))
		return;
	if (status < 0 || status > (p ? p->most : 0))
		fail_msg("%s: exit %d\n%.3000s", filled, status, out);
	if (p && p->shows && !strstr(out, p->shows))
		fail_msg("%s: no '%s' in\n%.3000s", filled, p->shows, out);
}

static void obey_all(enum place place)
{
	static struct readme_items commands;

	readme_commands(&commands);
	for (size_t i = 0; i < commands.nr; i++) {
		const struct promise *p = promise_of(commands.of[i]);

		if ((p ? p->place : HERE) != place)
			continue;
		if (place == NOWHERE)
			print_message("not run: %s: %s\n", commands.of[i], p->why);
		else
			obey(commands.of[i], place == COPY ? copy : ".", p);
	}
}

TEST(each_documented_command_works)
{
	obey_all(HERE);
	obey_all(NOWHERE);
}

TEST(each_documented_command_with_a_kernel_image_works)
{
	static char out[OUTPUT_MAX];

	if (shell(out, OUTPUT_MAX, "sh harness/vm/kernels.sh list 6.1 2>/dev/null") != 0 ||
	    sscanf(out, "%*s %*s %1000s", kernel) != 1 || access(kernel, R_OK) < 0) {
		print_message("no kernel 6.1 is fetched (make kernels KERNELS=6.1)\n");
		skip();
	}
	if (!is_installed("qemu-system-$(uname -m)")) {
		print_message("QEMU is not installed (make deps-vm)\n");
		skip();
	}
	strcat(kernel, " ");
	obey_all(GUEST);
}

static void make_copy(void)
{
	copy = strdup(in_folder("copy"));
	shell_said(
		0,
		"mkdir %s && cp -a Makefile cases harness include results rssck rssck-workload build %s",
		copy, copy);
}

/* One of the commands checks a case whose skeleton an earlier command wrote. */
TEST(each_documented_command_that_writes_works)
{
	static struct readme_items spans;

	if (access("build/obj/harness/cmd/main.o", R_OK) < 0 || access("rssck", X_OK) < 0)
		skip();
	make_copy();
	readme_spans(&spans);
	for (size_t i = 0; i < spans.nr; i++)
		if (begins(spans.of[i], "make new-case "))
			obey(spans.of[i], copy, NULL);
	obey_all(COPY);
	assert_int_equal(access(in_folder("copy/results/report.html"), R_OK), 0);
}

/* A row that matches no command belonged to a page that was removed. */
TEST(each_promise_belongs_to_a_documented_command)
{
	static struct readme_items commands;

	readme_commands(&commands);
	assert_true(commands.nr > 15);
	for (size_t k = 0; k < sizeof(promises) / sizeof(*promises); k++) {
		bool used = false;

		for (size_t i = 0; i < commands.nr; i++)
			used |= promise_of(commands.of[i]) == &promises[k];
		if (!used)
			fail_msg("no page has a command '%s'", promises[k].begins);
	}
}

TEST(commands_targets_and_options_in_the_text_exist)
{
	static char out[OUTPUT_MAX];
	static struct readme_items spans;
	char command[COMMAND_MAX], word[64];

	readme_spans(&spans);
	for (size_t i = 0; i < spans.nr; i++) {
		if (sscanf(spans.of[i], "rssck %63[a-z]", word) == 1 ||
		    sscanf(spans.of[i], "./rssck %63[a-z]", word) == 1)
			snprintf(command, sizeof(command), "rssck help %s", word);
		else if (sscanf(spans.of[i], "make %63[a-z-]", word) == 1)
			snprintf(
				command, sizeof(command),
				"cat Makefile harness/package/package.mk | grep -qE '^([a-z-]+ )*%s[ :]'",
				word);
		else if (sscanf(spans.of[i], "--%63[a-z]", word) == 1)
			snprintf(
				command, sizeof(command),
				"for c in $(rssck help --complete -- '' | cut -f 1); do rssck help $c; "
				"done 2>/dev/null | grep -qe --%s",
				word);
		else
			continue;
		if (shell(out, OUTPUT_MAX, "%s", command) != 0)
			fail_msg("a page names `%s`, which does not exist", spans.of[i]);
	}
}

static void assert_there(const char *file)
{
	struct stat st;

	if (stat(file, &st) < 0)
		fail_msg("a page names %s, which does not exist", file);
}

TEST(the_readme_is_short_and_names_every_page)
{
	static char out[OUTPUT_MAX];

	shell_said(0, "test $(wc -l <README.md) -le 150");
	if (shell(out, OUTPUT_MAX,
		  "for page in harness/doc/*.md; do grep -q \"($page)\" README.md || "
		  "{ echo $page; exit 1; }; done") != 0)
		fail_msg("README.md does not name %s", out);
}

TEST(files_and_folders_in_the_text_exist)
{
	static const char *const top[] = { "cases/", "include/", "harness/", "results/" };
	static struct readme_items items;

	readme_links(&items);
	for (size_t i = 0; i < items.nr; i++)
		if (!strchr(items.of[i], '#') && !strstr(items.of[i], "://"))
			assert_there(items.of[i]);
	readme_spans(&items);
	for (size_t i = 0; i < items.nr; i++)
		for (size_t k = 0; k < sizeof(top) / sizeof(*top); k++)
			if (begins(items.of[i], top[k]))
				assert_there(items.of[i]);
}

/* Removes white space, and joins adjacent string literals. */
static void squeeze(char *text)
{
	char *to = text;

	for (const char *p = text; *p; p++)
		if (!strchr(" \t\n", *p) && !(p[0] == '"' && to > text && to[-1] == '"' && to--))
			*to++ = *p;
	*to = '\0';
}

TEST(the_printed_case_equals_the_one_in_cases)
{
	char *file = file_text("cases/file/private_write.c");
	OWNED(text_end) char *block = readme_block("c", "CASE(file_private_write)");

	squeeze(file);
	squeeze(block);
	if (!strstr(file, block))
		fail_msg(
			"cases.md prints a file/private_write that differs from the one in cases/");
}

/* Readers of README.md build without sanitizers, even if the tests are built with them. */
static void forget_sanitizers(void)
{
	char *flags = getenv("MAKEFLAGS");
	char *at = flags ? strstr(flags, "SANITIZE=1") : NULL;

	if (at)
		memset(at, ' ', strlen("SANITIZE=1"));
	unsetenv("SANITIZE");
}

FIXTURE(setup)
{
	const char *program = getenv("RSSCK"), *folders = getenv("PATH");
	char real[PATH_MAX], path[2 * PATH_MAX];

	if (!realpath(program ? program : "./rssck", real))
		return -1;
	*strrchr(real, '/') = '\0';
	snprintf(path, sizeof(path), "%s:%.*s", real, PATH_MAX - 2,
		 folders ? folders : "/usr/bin:/bin");
	setenv("PATH", path, 1);
	forget_sanitizers();
	sleeper = fork();
	if (sleeper == 0) {
		execlp("sleep", "sleep", "1000", (char *)NULL);
		_exit(1);
	}
	return sleeper < 0 ? -1 : 0;
}

FIXTURE(teardown)
{
	free(copy);
	child_end(sleeper);
	return 0;
}

TESTS_SHARE(setup, teardown);
