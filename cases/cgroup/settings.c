// SPDX-License-Identifier: MIT
/*
 * Checks each writable file of an empty cgroup, found by listing its folder. A number that is
 * written reads back with the documented rounding. A text that is not a number is refused, and the
 * old value stays. No other file of the cgroup or of its parent changes.
 */
#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <rssck/case.h>
#include <rssck/panics.h>

enum { FILES = 96, NAME = 48, TEXT = 96, NUMBERS = 32, LEAST_CHECKED = 4 };

/* BYTES: rounded down to a unit. COUNT: as it is. FLAG: 0 or 1. OTHER: only refusals are known. */
enum how { BYTES, COUNT, FLAG, OTHER, SKIPPED };

/* The first row that matches a file's name. */
static const struct {
	const char *begin, *end;
	enum how how;
} rules[] = {
	{ "memory.", ".min", BYTES },
	{ "memory.", ".low", BYTES },
	{ "memory.", ".high", BYTES },
	{ "memory.", ".max", BYTES },
	{ "hugetlb.", ".max", BYTES },
	{ "pids.max", "", COUNT },
	{ "cgroup.max.", "", COUNT },
	{ "memory.oom.group", "", FLAG },
	{ "memory.zswap.writeback", "", FLAG },
	{ "cgroup.freeze", "", FLAG },
	{ "", ".peak", SKIPPED },     /* any text resets it */
	{ "", ".pressure", SKIPPED }, /* its numbers change by themselves */
	{ "", "", OTHER },
};

enum { RULES = sizeof(rules) / sizeof(*rules) };

struct setting {
	char name[NAME];
	enum how how;
	int64_t unit;
	char text[TEXT], outside[TEXT]; /* here and in the parent, while others are written */
};

static struct {
	struct setting of[FILES];
	size_t nr, checked;
	char wrong[3 * TEXT + NAME];
} settings;

/* ---- texts and what they must read back as; "" if they must be refused ---- */

static const struct written {
	const char *text, *reads;
} counts[] = {
	{ "0", "0" },           { "1", "1" },           { "max", "max" },     { "2", "2" },
	{ "511", "511" },       { "512", "512" },       { "513", "513" },     { "4095", "4095" },
	{ "4096", "4096" },     { "4097", "4097" },     { " 7 ", "7" },       { "max\n", "max" },
	{ "0x10", "16" },       { "32767", "32767" },   { "rssck", NULL },    { "-1", NULL },
	{ "4K", NULL },         { "1.5", NULL },        { "MAX", NULL },      { "4 4", NULL },
	{ "3000000000", NULL }, { "4294967297", NULL }, { "4096maxx", NULL }, { "maxx", NULL },
};

static const struct written flags[] = {
	{ "1", "1" },    { "0", "0" },    { " 1 ", "1" },   { "0\n", "0" },         { "1\n", "1" },
	{ "2", NULL },   { "-1", NULL },  { "max", NULL },  { "rssck", NULL },      { "1K", NULL },
	{ "1 0", NULL }, { "1.0", NULL }, { "+-1", NULL },  { "4294967296", NULL }, { "0x", NULL },
	{ "0", "0" },    { "yes", NULL }, { "1\n1", NULL },
};

static const struct {
	const char *text;
	int64_t bytes; /* below 0: refused */
} sizes[] = {
	{ "4K", 4LL << 10 },
	{ "5k", 5LL << 10 },
	{ "1M", 1LL << 20 },
	{ "3m", 3LL << 20 },
	{ "2G", 2LL << 30 },
	{ "5g", 5LL << 30 },
	{ "1T", 1LL << 40 },
	{ "0x200000", 2LL << 20 },
	{ " 8388608", 8LL << 20 },
	{ "4194305\n", (4LL << 20) + 1 },
	{ "\t6M \n", 6LL << 20 },
	{ "rssck", -1 },
	{ "-1", -1 },
	{ "4096 4096", -1 },
	{ "1.5M", -1 },
	{ "4096B", -1 },
	{ "MAX", -1 },
	{ "maxx", -1 },
	{ "4KK", -1 },
	{ "4096,", -1 },
};

enum {
	COUNTS = sizeof(counts) / sizeof(*counts),
	FLAGS = sizeof(flags) / sizeof(*flags),
	SIZES = sizeof(sizes) / sizeof(*sizes),
};

static bool begins(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

static bool ends(const char *name, const char *with)
{
	size_t n = strlen(name), k = strlen(with);

	return n >= k && !strcmp(name + n - k, with);
}

static enum how how_of(const char *name)
{
	for (size_t i = 0; i < RULES; i++)
		if (begins(name, rules[i].begin) && ends(name, rules[i].end))
			return rules[i].how;
	return OTHER;
}

/* "hugetlb.2MB.max" is in units of 2 MiB. */
static int64_t unit_of(const struct workload *w, const char *name)
{
	char letter = 0;
	int64_t n = 0;

	if (sscanf(name, "hugetlb.%" SCNd64 "%cB.", &n, &letter) != 2)
		return (int64_t)w->page_size;
	return n << (letter == 'G' ? 30 : letter == 'M' ? 20 : 10);
}

/* ---- files ---- */

static const char *path_of(const char *name, char path[NAME + 8])
{
	snprintf(path, NAME + 8, "a/%s", name);
	return path;
}

static void read_at(const struct workload *w, const char *file, char text[TEXT])
{
	char path[WORKLOAD_CGROUP_PATH];
	ssize_t n = workload_read_text(workload_cgroup_path(w, file, path), text, TEXT);

	while (n > 0 && strchr(" \n", text[n - 1]))
		text[--n] = '\0';
}

static void read_here(const struct workload *w, const struct setting *s, char text[TEXT])
{
	char path[NAME + 8];

	read_at(w, path_of(s->name, path), text);
}

static void list(const struct workload *w)
{
	char path[WORKLOAD_CGROUP_PATH + NAME], here[WORKLOAD_CGROUP_PATH];
	struct dirent *entry;
	struct stat st;
	DIR *dir = opendir(workload_cgroup_path(w, "a", here));

	settings.nr = settings.checked = 0;
	while (dir && (entry = readdir(dir)) && settings.nr < FILES) {
		struct setting *s = &settings.of[settings.nr];

		snprintf(path, sizeof(path), "%s/%.*s", here, NAME - 1, entry->d_name);
		if (stat(path, &st) || !S_ISREG(st.st_mode) || (st.st_mode & 0600) != 0600)
			continue;
		snprintf(s->name, sizeof(s->name), "%.*s", NAME - 1, entry->d_name);
		s->how = how_of(s->name);
		s->unit = unit_of(w, s->name);
		if (!strcmp(s->name, "memory.max") && workload_oom_panics())
			s->how = SKIPPED;
		settings.nr += s->how != SKIPPED;
	}
	if (dir)
		closedir(dir);
}

/* ---- writing ---- */

static bool write_one(const struct workload *w, const struct setting *s, const char *text,
		      const char *reads)
{
	char path[NAME + 8], was[TEXT], is[TEXT];
	bool accepted;

	read_here(w, s, was);
	accepted = workload_cgroup_write(w, path_of(s->name, path), text);
	read_here(w, s, is);
	if (accepted == !!reads && !strcmp(is, reads ? reads : was))
		return true;
	snprintf(settings.wrong, sizeof(settings.wrong),
		 "%s: '%s' was written to it and %s; it reads '%s', and not '%s'", s->name, text,
		 accepted ? "accepted" : "refused", is, reads ? reads : was);
	return false;
}

/*
 * page_counter_memparse() rounds down to a page and to the largest number of pages, which reads
 * "max"; hugetlb_cgroup_write() rounds both down to a huge page.
 */
static bool write_bytes(const struct workload *w, const struct setting *s, const char *text,
			int64_t bytes)
{
	int64_t page = (int64_t)w->page_size, unit = s->unit / page;
	int64_t most = sizeof(long) == sizeof(int) ? LONG_MAX : LONG_MAX / page;
	int64_t pages = bytes / page < most ? bytes / page : most;
	char reads[TEXT];

	pages -= pages % unit;
	if (pages == most - most % unit)
		snprintf(reads, sizeof(reads), "max");
	else
		snprintf(reads, sizeof(reads), "%" PRId64, pages * page);
	return write_one(w, s, text, bytes < 0 ? NULL : reads);
}

static size_t numbers_of(const struct workload *w, const struct setting *s, int64_t n[NUMBERS])
{
	const int64_t around[] = {
		(int64_t)w->page_size,
		(int64_t)w->huge_page_size,
		s->unit,
		3 * s->unit,
		1LL << 31,
		1LL << 32,
		1LL << 40,
	};
	size_t nr = 0;

	for (size_t i = 0; i < sizeof(around) / sizeof(*around); i++)
		for (int64_t off = -1; off <= 1; off++)
			if (around[i] + off > 0)
				n[nr++] = around[i] + off;
	n[nr++] = INT64_MAX - 2 * s->unit;
	n[nr++] = INT64_MAX;
	n[nr++] = 0;
	return nr;
}

static bool write_all_bytes(const struct workload *w, const struct setting *s)
{
	int64_t n[NUMBERS];
	size_t nr = numbers_of(w, s, n);
	char text[TEXT];

	for (size_t i = 0; i < nr; i++) {
		snprintf(text, sizeof(text), "%" PRId64, n[i]);
		if (!write_bytes(w, s, text, n[i]))
			return false;
	}
	for (size_t i = 0; i < SIZES; i++)
		if (!write_bytes(w, s, sizes[i].text, sizes[i].bytes))
			return false;
	return write_one(w, s, "max\n", "max") && write_one(w, s, "0", "0") &&
	       write_one(w, s, " max ", "max");
}

static bool write_each(const struct workload *w, const struct setting *s, const struct written *of,
		       size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (!write_one(w, s, of[i].text, of[i].reads))
			return false;
	return true;
}

static bool write_file(const struct workload *w, const struct setting *s)
{
	switch (s->how) {
	case BYTES:
		return write_all_bytes(w, s);
	case COUNT:
		return write_each(w, s, counts, COUNTS);
	case FLAG:
		return write_each(w, s, flags, FLAGS);
	default:
		return write_one(w, s, "rssck", NULL) && write_one(w, s, "-1 rssck 1K", NULL);
	}
}

/* ---- the other files ---- */

static void note_others(const struct workload *w)
{
	for (size_t i = 0; i < settings.nr; i++) {
		read_here(w, &settings.of[i], settings.of[i].text);
		read_at(w, settings.of[i].name, settings.of[i].outside);
	}
}

static bool others_stay(const struct workload *w, const struct setting *written)
{
	for (size_t i = 0; i < settings.nr; i++) {
		const struct setting *s = &settings.of[i];
		char here[TEXT], outside[TEXT];

		read_here(w, s, here);
		read_at(w, s->name, outside);
		if ((s == written || !strcmp(here, s->text)) && !strcmp(outside, s->outside))
			continue;
		snprintf(settings.wrong, sizeof(settings.wrong),
			 "writing %s changed %s of the cgroup or of its parent: '%s' and '%s' "
			 "became '%s' and '%s'",
			 written->name, s->name, s->text, s->outside, here, outside);
		return false;
	}
	return true;
}

static void write_settings(const struct workload *w)
{
	bool right = true;

	for (size_t i = 0; right && i < settings.nr; i++) {
		const struct setting *s = &settings.of[i];

		note_others(w);
		right = write_file(w, s) && others_stay(w, s);
		settings.checked += s->how != OTHER;
	}
}

static void leave(struct workload *w)
{
	workload_cgroup_remove(w, "a");
	workload_cgroup_undelegate(w, NULL);
	workload_cgroup_step_back(w);
	workload_cgroup_leave(w);
}

static void enter(struct workload *w)
{
	int error;

	workload_cgroup_enter(w);
	if (workload_cgroup_step_aside(w) && workload_cgroup_delegate(w, NULL) &&
	    workload_cgroup_make(w, "a"))
		return;
	error = errno;
	leave(w);
	workload_skip(w, "a cgroup without processes: %s", strerror(error));
}

static void write_and_read(struct workload *w)
{
	enter(w);
	settings.wrong[0] = '\0';
	list(w);
	write_settings(w);
	leave(w);
	if (settings.wrong[0])
		workload_fail(w, "%s", settings.wrong);
	if (settings.checked < LEAST_CHECKED)
		workload_skip(w, "a cgroup with %d settings", LEAST_CHECKED);
	workload_checked(w);
}

CASE(cgroup_settings) {
	.claim =
		"A limit of a cgroup reads back as it was written, rounded down to pages (memory.*) or huge pages (hugetlb.*); what is no number is refused and changes nothing, and no other file changes",
	.because = "page_counter_memparse() divides by the page size, hugetlb_cgroup_write() "
		   "rounds down to huge pages, and both limit the result to PAGE_COUNTER_MAX, "
		   "which reads \"max\".",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, Interface Files",
			   "Documentation/admin-guide/cgroup-v2.rst, hugetlb.<hugepagesize>.max"),
	.needs = NEEDS("root"),
	.steps = STEPS(STEP("write each file and read it", write_and_read, .checks = 1)),
};
