// SPDX-License-Identifier: MIT
/* rssck scan: audits live processes. */
#include "scan.h"
#include "base/number.h"
#include "base/print/style.h"
#include "base/print/words.h"
#include "cmd/line/options.h"
#include "report/json.h"
#include "scan/audit/measure.h"
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

/* Returns -1 if the word is not a positive whole number. */
static pid_t pid_of(const char *word)
{
	uint64_t n;

	return number_whole(word, INT32_MAX, &n) && n ? (pid_t)n : -1;
}

static int check_words(char **words)
{
	for (; *words; words++)
		if (pid_of(*words) < 0)
			return usage_error(
				"scan",
				"'%s' is not a process number (--name=PROGRAM finds programs by "
				"name)",
				*words);
	return EXIT_HOLDS;
}

static int write_json(struct scanner_state *s, json_t *list)
{
	json_t *root = json_object(), *kernel = json_object();

	json_set_words(root, "schema", SCAN_SCHEMA);
	json_set_words(root, "shape", "processes");
	json_set_words(kernel, "release", s->host.release);
	json_set_number(kernel, "page_size", s->host.page_size);
	json_set_number(kernel, "cpus", s->host.cpus);
	json_object_set_new(root, "kernel", kernel);
	json_object_set_new(root, "processes", list);
	return json_write(root, stdout);
}

static int scan_one_file(struct scanner_state *s)
{
	json_t *root = s->options->json ? json_object() : NULL;
	int status;

	if (root) {
		json_set_words(root, "schema", SCAN_SCHEMA);
		json_set_words(root, "shape", "file");
	}
	status = scan_file(s, root);
	if (root && status != EXIT_TROUBLE && json_write(json_incref(root), stdout))
		status = trouble("stdout: %m");
	json_decref(root);
	return stream_end(stdout) ? trouble("stdout: %m") : status;
}

static int scan_words(struct scanner_state *s, char **words)
{
	bool json = s->options->json;
	json_t *list = json ? json_array() : NULL;
	int status = EXIT_NOTHING;

	for (char **w = words; *w; w++) {
		if (w != words && !json)
			putchar('\n');
		status = scan_worse(status, scan_process(s, pid_of(*w), list));
	}
	if (json && write_json(s, list))
		return trouble("stdout: %m");
	return stream_end(stdout) ? trouble("stdout: %m") : status;
}

static int scan(struct scanner_state *s, char **words)
{
	const struct scan_options *o = s->options;

	if (o->all)
		return scan_census(s);
	if (o->group)
		return scan_cgroup(s);
	if (!o->no_model && *words)
		measure(&s->measured);
	if (!*words)
		return scan_one_file(s);
	return o->watch ? scan_watch(s, pid_of(words[0])) : scan_words(s, words);
}

/* Takes a user's name, or a number, which need not belong to a name. */
static int take_user(void *options, const char *word)
{
	struct census_wanted *w = &((struct scan_options *)options)->census;
	const struct passwd *entry = getpwnam(word);
	uint64_t uid;

	if (!entry && !number_whole(word, UINT32_MAX, &uid)) {
		usage_error("scan", "there is no user '%s'", word);
		return -1;
	}
	w->uid = entry ? entry->pw_uid : (uid_t)uid;
	w->has_uid = true;
	return 0;
}

static int take_watch(void *options, const char *word)
{
	return option_watch("scan", word, &((struct scan_options *)options)->watch);
}

static int take_group(void *options, enum group_kind kind, const char *word)
{
	struct scan_options *o = options;

	if (o->group)
		return usage_error("scan", "name only one cgroup, pod, container or unit"), -1;
	o->group = word;
	o->group_kind = kind;
	return 0;
}

static int take_cgroup(void *options, const char *word)
{
	return take_group(options, GROUP_BY_PATH, word);
}

static int take_unit(void *options, const char *word)
{
	return take_group(options, GROUP_BY_UNIT, word);
}

static int take_container(void *options, const char *word)
{
	return take_group(options, GROUP_BY_CONTAINER, word);
}

static int take_pod(void *options, const char *word)
{
	return take_group(options, GROUP_BY_POD, word);
}

static const char *const maps[] = { "file", "each", NULL };

static int take_maps(void *options, const char *word)
{
	struct detail_wanted *d = &((struct scan_options *)options)->detail;
	int choice = 0;

	if (word && option_choice("scan", "maps", word, maps, &choice))
		return -1;
	d->maps = true;
	d->each = choice == 1;
	return 0;
}

static int take_sharers(void *options, const char *word)
{
	struct detail_wanted *d = &((struct scan_options *)options)->detail;

	d->sharers = !word;
	d->sharers_of = word;
	return 0;
}

static const char *const by[] = { "process", "program", "user", NULL };
static const char *const sorts[] = { "pss", "uss", "rss", "swap", "one-more", "name", "pid", NULL };

#define INTO(member) .at = offsetof(struct scan_options, member)
static const struct option_row rows[] = {
	{ "maps", OPTION_TAKEN, "file|each",
	  "list the process's mappings, private and shared, clean and dirty, by file or each mapping",
	  .take = take_maps, .choices = maps, .optional = true, .more = "The largest come first." },
	{ "sharers", OPTION_TAKEN, "MAPPING",
	  "print how many page tables map the process's pages, and which processes share them (root). For a "
	  "MAPPING or a file, print the processes that map it, and the memory that the end of each would "
	  "free; a file needs no PID",
	  .take = take_sharers, .optional = true,
	  .more = "How often a page is mapped is read from /proc/kpagecount; a page that one "
		  "process maps twice counts as mapped twice. On kernels with "
		  "CONFIG_NO_PAGE_MAPCOUNT all pages of a large folio show its average. A process "
		  "in another PID or mount namespace is marked, with its PID there. MAPPING is an "
		  "address or a name. For each process it prints the resident part, its share, the part that no "
		  "other process maps, and the memory that its end would free: its own copies, and "
		  "shared memory that nothing else keeps. For anonymous memory it prints the processes that "
		  "share it (root only)." },
	{ "pages", OPTION_WORD, "MAPPING",
	  "print a mapping page by page; MAPPING is an address in it, or its "
	  "name",
	  INTO(detail.pages),
	  .more = "Consecutive equal pages share a line with their state (present or on swap), their class, how often "
		  "they are mapped, and their flags of /proc/kpageflags. An address is hexadecimal. "
		  "Instead of a name, a part of it is enough." },
	{ "watch", OPTION_TAKEN, "SECONDS",
	  "follow one process until it ends or Ctrl-C (every 2 s)", .take = take_watch,
	  .optional = true,
	  .more = "On a terminal the screen is redrawn. Otherwise each reading is a line of text, or with "
		  "--json a line with a JSON document." },
	{ "all", OPTION_FLAG, NULL, "scan all processes, and print a table with the sum of PSS",
	  INTO(all),
	  .more = "Each page counts once in PSS, divided among the processes that map it. The sum "
		  "is printed with AnonPages + Mapped of /proc/meminfo. The two are not exactly "
		  "equal: processes start and end while they are read, some may not be visible, "
		  "each PSS is rounded down to a kB, and each CPU adds its pages to "
		  "meminfo's counters later." },
	{ "user", OPTION_TAKEN, "NAME", "scan the processes of a user", .take = take_user,
	  .words = WORD_USER, .more = "NAME is the effective user, as shown by ps(1)." },
	{ "name", OPTION_WORD, "PROGRAM", "scan the processes of a program", INTO(census.program),
	  .more = "The kernel keeps only fifteen letters of a program's name." },
	{ "cgroup", OPTION_TAKEN, "PATH",
	  "scan a cgroup and the cgroups below it; split memory.current into parts",
	  .take = take_cgroup,
	  .more = "PATH is a folder, or a path below the mount of cgroups, of v2 or of v1's memory "
		  "controller. The frames charged to it (/proc/kpagecgroup, root) are added up by "
		  "kind, and printed with the lines of memory.stat. Then it prints the memory that reclaim can free "
		  "at the limit, the working set that docker stats and kubectl top show, and the "
		  "cgroup's processes. Last comes a range for memory.current after all of them have ended "
		  "(root). Their end frees anonymous memory, shared memory that nothing else "
		  "keeps, page tables and, with v2, kernel stacks. Page cache "
		  "stays. It is a range because no file says which slab objects, sockets and buffers are theirs, and "
		  "because each CPU may have charged pages in advance. Unmounting a file system also frees "
		  "its page cache." },
	{ "unit", OPTION_TAKEN, "NAME", "scan the cgroup of a systemd unit", .take = take_unit },
	{ "container", OPTION_TAKEN, "ID", "scan the cgroup whose folder's name contains ID",
	  .take = take_container,
	  .more = "If the names of several folders contain ID, they are listed, and none is scanned." },
	{ "pod", OPTION_TAKEN, "UID", "scan the cgroup of a pod", .take = take_pod },
	{ "by", OPTION_CHOICE, "WHAT", "one line for each process (the default), program or user",
	  INTO(census.by), .choices = by,
	  .more = "With --by=program, the column \"one more\" is the memory that another process of "
		  "the program would need: its own anonymous memory, its page tables and hugetlb, but no "
		  "shared memory, which exists already. It is the median, or the minimum and the "
		  "maximum if they are far apart. With --name or --user, it also prints the memory that the end of "
		  "all these processes would free: anonymous memory that no other process maps, "
		  "their share of swap, page tables, kernel stacks, and shared memory, mapped or "
		  "not, that nothing else keeps (a mapping or a descriptor of another process, a name in a "
		  "tmpfs, a System V segment)." },
	{ "sort", OPTION_CHOICE, "WHAT", "pss (the default), uss, rss, swap, one-more, name or pid",
	  INTO(census.sort), .choices = sorts },
	{ "format", OPTION_FORMAT, "FORMAT", "text (the default) or json", INTO(json),
	  .more = "The schema is rssck-scan/1, sizes are in kB. The member shape is one of "
		  "processes, census (--all and the like), file (--sharers=FILE) and process (a "
		  "line of --watch)." },
	OPTION_ROW_JSON(json),
	{ "no-model", OPTION_FLAG, NULL,
	  "do not measure the counter models (measured once after "
	  "each boot)",
	  INTO(no_model),
	  .more = "No bound is printed then. The models are measured once after each boot, in "
		  "0.1 s, and kept in /run/rssck-model or $XDG_RUNTIME_DIR/rssck-model." },
	OPTION_ROW_COLOUR(colour),
	{ .name = NULL },
};

static int check_options(const struct scan_options *o, int words)
{
	const struct detail_wanted *d = &o->detail;

	if (o->census.by && !o->all)
		usage_error("scan", "--by needs --all, --user or "
				    "--name");
	else if (o->group && (words || o->all || d->maps || d->sharers || d->sharers_of ||
			      d->pages || o->watch))
		usage_error(
			"scan",
			"a cgroup excludes process numbers, --all, --user, --name, --maps, --sharers, --pages and --watch");
	else if (o->group)
		return 0;
	else if (o->all && words)
		usage_error("scan", "give process numbers, or one of --all, --user and --name");
	else if (!o->all && !words && !d->sharers_of)
		usage_error("scan",
			    "which process? Its number, or --all, --user=NAME, --name=PROGRAM");
	else if (o->all && (d->maps || d->sharers || d->sharers_of || d->pages || o->watch))
		usage_error(
			"scan",
			"--maps, --sharers, --pages and --watch need the number of a process, not --all, --user or --name");
	else if (!o->all && !words && (d->maps || d->sharers || d->pages || o->watch))
		usage_error("scan",
			    "--maps, --sharers, --pages and --watch need the number of a process");
	else if (o->watch && (words != 1 || d->maps || d->sharers || d->sharers_of || d->pages))
		usage_error(
			"scan",
			"--watch follows one process, and excludes --maps, --sharers and --pages");
	else
		return 0;
	return -1;
}

static int parse(struct scan_options *o, int argc, char **argv)
{
	const char *twice;
	int first;

	*o = (struct scan_options) { .colour = style_is_wanted(stdout) };
	first = options_read(&command_scan, o, argc, argv);
	if (first <= 0)
		return first;
	o->all |= o->census.has_uid || o->census.program;
	twice = word_given_twice(argv + first, (size_t)(argc - first));
	if (twice) {
		usage_error("scan", "process %s is given more than once", twice);
		return -1;
	}
	return check_options(o, argc - first) ? -1 : first;
}

static int cmd_scan(int argc, char **argv)
{
	struct scan_options o;
	struct scanner_state s = { .options = &o };
	int first = parse(&o, argc, argv), status;
	char why[512];

	if (first <= 0)
		return first ? EXIT_TROUBLE : EXIT_HOLDS;
	status = check_words(argv + first);
	if (status != EXIT_HOLDS)
		return status;
	if (host_probe(&s.host, why, sizeof(why)))
		return trouble("%s", why);
	status = scan(&s, argv + first);
	reader_free(&s.reader);
	host_close(&s.host);
	return status;
}

const struct command command_scan = {
	.name = "scan",
	.run = cmd_scan,
	.usage = "[OPTION]... PID... | --all | --user=NAME | --name=PROGRAM | --cgroup=PATH",
	.help = "audit live processes: compare their counters with their page tables",
	.rows = rows,
	.exits =
		"0 all counters are within their bounds, 1 a counter is wrong by more than its model allows, 2 "
		"rssck failed (no such process, usage or internal error), 4 nothing could be read",
	.words = WORD_PID,
};
