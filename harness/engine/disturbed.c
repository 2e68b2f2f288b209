// SPDX-License-Identifier: MIT
/*
 * Counts reclaim, compaction and dropped caches on the machine, and limits reached by the cgroups
 * of this process.
 */
#include "disturbed.h"
#include "base/kernel_file.h"
#include <inttypes.h>
#include <rssck/case.h>
#include <rssck/source.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOT "/sys/fs/cgroup"

/*
 * Lines of /proc/vmstat that a process cannot change by using its own memory, except in a case with
 * a flag of `by`. On 7.2 pgsteal_direct also counts the reclaim of cgroups. A rise of
 * pgsteal_direct is a disturbance only if allocstall_* has risen too, because allocstall_* never
 * counts the reclaim of cgroups.
 */
static const struct {
	const char *line;
	const char *with; /* a second line that must have risen too; NULL: none. "allocstall_": the
			     sum of all lines that begin so */
	const char *what;
	unsigned by; /* flags of the cases that cause the event themselves */
} events[DISTURBANCES] = {
	{ "pgsteal_kswapd", NULL,
	  "the machine was short of memory: kswapd reclaimed %" PRId64 " pages", CASE_RECLAIMS },
	{ "pgsteal_direct", "allocstall_",
	  "the machine was short of memory: processes reclaimed %" PRId64 " pages", 0 },
	{ "pgsteal_khugepaged", NULL, "khugepaged reclaimed %" PRId64 " pages", 0 },
	{ "drop_pagecache", NULL,
	  "the page cache was dropped %" PRId64 " times (/proc/sys/vm/drop_caches)",
	  CASE_RECLAIMS },
	/*
	 * If no huge page is free, a fault that needs one compacts memory: mm/page_alloc.c
	 * __alloc_pages_direct_compact().
	 */
	{ "compact_migrate_scanned", NULL, "memory was compacted (%" PRId64 " pages were scanned)",
	  CASE_RECLAIMS | CASE_THP },
	/* Pages scanned are counted when compaction ends, pages isolated while it runs. */
	{ "compact_isolated", NULL, "memory was being compacted (%" PRId64 " pages were isolated)",
	  CASE_RECLAIMS | CASE_THP },
};

static int64_t line_of(const struct text *t, const char *name)
{
	size_t len = strlen(name);
	bool is_prefix = name[len - 1] == '_';
	int64_t sum = 0;

	for (const char *line = t->data; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, name, len) && (is_prefix || line[len] == ' '))
			sum += strtoll(line + strcspn(line, " \n"), NULL, 10);
	}
	return sum;
}

/* The files in which a cgroup has its limit and the number of times it was reached. */
struct place {
	const char *root, *events, *limit;
	const char *kills; /* the file with the number of OOM kills */
};

static const struct place v1 = { ROOT "/memory", "memory.failcnt", "memory.limit_in_bytes",
				 "memory.oom_control" };
static const struct place v2 = { ROOT, "memory.events.local", "memory.max", "memory.events.local" };

static bool read_of(const char *folder, const char *file, struct text *t)
{
	char path[640];

	snprintf(path, sizeof(path), "%s/%s", folder, file);
	t->len = 0;
	return text_read(t, 0, path) == 0;
}

/* Called for this process's cgroup and for each of its parents, the innermost first. */
typedef void found_group(const struct place *p, const char *folder, const char *name, unsigned i,
			 void *arg);

static void each_above(const struct place *p, char *name, found_group *found, void *arg)
{
	char folder[512];
	char *slash = name;

	for (unsigned i = 0; slash && i < DISTURBED_GROUPS; i++) {
		snprintf(folder, sizeof(folder), "%s%s", p->root, name);
		found(p, folder, *name ? name : "/", i, arg);
		slash = strrchr(name, '/');
		if (slash)
			*slash = '\0';
	}
}

static void each_group(found_group *found, void *arg)
{
	char name[384];

	if (kernel_cgroup("memory", name, sizeof(name)))
		each_above(&v1, name, found, arg);
	else if (kernel_cgroup(NULL, name, sizeof(name)))
		each_above(&v2, name, found, arg);
}

struct reading {
	struct disturbances *d;
	struct text t;
};

static void count_group(const struct place *p, const char *folder, const char *name, unsigned i,
			void *arg)
{
	struct reading *r = arg;

	(void)name;
	if (!read_of(folder, p->events, &r->t))
		return;
	r->d->of_group[i] = p == &v1 ? strtoll(r->t.data, NULL, 10)
				     : line_of(&r->t, "max") + line_of(&r->t, "high");
	if (p == &v1 && !read_of(folder, p->kills, &r->t))
		return;
	r->d->killed[i] = line_of(&r->t, "oom_kill");
}

void disturbances_read(struct disturbances *d)
{
	struct reading r = { .d = d };

	*d = (struct disturbances) { .of_group = { 0 } };
	if (text_read(&r.t, 0, "/proc/vmstat") == 0)
		for (int i = 0; i < DISTURBANCES && events[i].line; i++) {
			d->of_machine[i] = line_of(&r.t, events[i].line);
			d->with[i] = events[i].with ? line_of(&r.t, events[i].with) : 0;
		}
	each_group(count_group, &r);
	text_free(&r.t);
}

struct comparison {
	const struct disturbances *before, *now;
	char *why;
	size_t size;
};

/*
 * Returns the most OOM kills that one of the cgroups counted. A kill counts in the cgroup of the
 * killed process, even if a parent's limit caused it.
 */
static int64_t killed_since(const struct comparison *c)
{
	int64_t most = 0;

	for (int i = 0; i < DISTURBED_GROUPS; i++)
		if (c->now->killed[i] - c->before->killed[i] > most)
			most = c->now->killed[i] - c->before->killed[i];
	return most;
}

static void say_group(const struct place *p, const char *folder, const char *name, unsigned i,
		      void *arg)
{
	struct comparison *c = arg;
	int64_t times = c->now->of_group[i] - c->before->of_group[i], killed = killed_since(c);
	struct text t = { .data = NULL };
	char limit[48] = "", kills[80] = "";

	if (*c->why || times <= 0)
		return;
	if (read_of(folder, p->limit, &t) && strtoll(t.data, NULL, 10))
		snprintf(limit, sizeof(limit), " of %lld kB", strtoll(t.data, NULL, 10) / 1024);
	text_free(&t);
	if (killed > 0)
		snprintf(kills, sizeof(kills),
			 ", and the OOM killer killed %" PRId64 " of its processes", killed);
	snprintf(c->why, c->size, "cgroup %.80s reached its memory limit%s %" PRId64 " times%s",
		 name, limit, times, kills);
}

bool disturbed_since(const struct disturbances *before, unsigned flags, char *why, size_t size)
{
	struct disturbances now;
	struct comparison c = { before, &now, why, size };

	*why = '\0';
	disturbances_read(&now);
	each_group(say_group, &c);
	if (!*why && killed_since(&c))
		snprintf(why, size, "the OOM killer killed %" PRId64 " processes of rssck's cgroup",
			 killed_since(&c));
	for (int i = 0; !*why && i < DISTURBANCES && events[i].line; i++)
		if (now.of_machine[i] > before->of_machine[i] && !(events[i].by & flags) &&
		    (!events[i].with || now.with[i] > before->with[i]))
			snprintf(why, size, events[i].what,
				 now.of_machine[i] - before->of_machine[i]);
	return *why;
}
