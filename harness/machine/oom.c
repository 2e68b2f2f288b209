// SPDX-License-Identifier: MIT
/* Reads an OOM kill from the kernel log (printed by mm/oom_kill.c and mm/memcontrol.c). */
#include "oom.h"
#include "base/print/json.h"
#include "base/print/prose.h"
#include "base/print/words.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { KB = 1024, UNLIMITED_KB_LOG = 50 };

/* The name of each line in memory.stat of cgroup v2, and of v1; "": v1 has no such line. */
static const struct {
	const char *name, *v1;
} lines[OOM_LINES] = {
	[OOM_ANON] = { "anon", "total_rss" },
	[OOM_FILE] = { "file", "total_cache" },
	[OOM_SHMEM] = { "shmem", "total_shmem" },
	[OOM_DIRTY] = { "file_dirty", "total_dirty" },
	[OOM_WRITEBACK] = { "file_writeback", "total_writeback" },
	[OOM_UNEVICTABLE] = { "unevictable", "total_unevictable" },
	[OOM_KERNEL] = { "kernel", "" },
	[OOM_SLAB] = { "slab", "" },
	[OOM_PAGETABLES] = { "pagetables", "" },
	[OOM_STACKS] = { "kernel_stack", "" },
	[OOM_SOCK] = { "sock", "" },
	[OOM_PERCPU] = { "percpu", "" },
};

/*
 * Skips the prefix of a log line, "<6>[   12.345678] ", and returns its text. With
 * CONFIG_PRINTK_CALLER the prefix is "<6>[   12.345678][  T123] " (print_caller()).
 */
static const char *text_of(const char *line)
{
	const char *end = line + strcspn(line, "\n"), *at = line;

	if (*at == '<')
		at = memchr(at, '>', (size_t)(end - at)) ? strchr(at, '>') + 1 : at;
	while (*at == '[' && memchr(at, ']', (size_t)(end - at)))
		at = strchr(at, ']') + 1;
	return at + (*at == ' ');
}

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return *line ? line + 1 : NULL;
}

/*
 * Finds a name such as "oom_memcg=" in the line, and copies its value, up to the next comma, into
 * `to`.
 */
static bool word_of(const char *text, const char *name, char *to, size_t size)
{
	const char *end = text + strcspn(text, "\n"), *at = strstr(text, name);
	size_t len;

	if (!at || at >= end)
		return false;
	at += strlen(name);
	len = strcspn(at, ",\n");
	snprintf(to, size, "%.*s", (int)len, at);
	return true;
}

static bool is_below(const char *path, const char *cgroup)
{
	size_t len = strlen(cgroup);

	return !strcmp(cgroup, "/") ||
	       (!strncmp(path, cgroup, len) && (!path[len] || path[len] == '/'));
}

static int64_t limit(int64_t kb)
{
	return kb >= INT64_C(1) << UNLIMITED_KB_LOG ? -1 : kb;
}

/* Takes a line of memory.stat from the log: "anon 1234", in bytes. */
static void take_stat(struct oom *o, const char *text)
{
	size_t len = strcspn(text, " \n");

	for (int i = 0; i < OOM_LINES && text[len] == ' '; i++)
		if ((strlen(lines[i].name) == len && !strncmp(text, lines[i].name, len)) ||
		    (strlen(lines[i].v1) == len && !strncmp(text, lines[i].v1, len)))
			o->stat[i] = strtoll(text + len, NULL, 10) / KB;
}

static void begin(struct oom *o)
{
	*o = (struct oom) { .limit = -1, .swap_limit = -1, .both = -1, .both_limit = -1 };
	for (int i = 0; i < OOM_LINES; i++)
		o->stat[i] = -1;
}

/* Returns true if the line is the last one of a kill. */
static bool take(struct oom *o, const char *text)
{
	char number[24];
	int64_t a, b;

	if (sscanf(text, "memory: usage %" SCNd64 "kB, limit %" SCNd64 "kB", &a, &b) == 2) {
		o->usage = a;
		o->limit = limit(b);
	} else if (sscanf(text, "swap: usage %" SCNd64 "kB, limit %" SCNd64 "kB", &a, &b) == 2) {
		o->swap = a;
		o->swap_limit = limit(b);
	} else if (sscanf(text, "memory+swap: usage %" SCNd64 "kB, limit %" SCNd64 "kB", &a, &b) ==
		   2) {
		o->both = a;
		o->both_limit = limit(b);
		o->swap = a > o->usage ? a - o->usage : 0;
	} else if (sscanf(text, "kmem: usage %" SCNd64 "kB", &a) == 1) {
		o->stat[OOM_KERNEL] = a;
	} else if (!strncmp(text, "oom-kill:", 9)) {
		if (!word_of(text, "oom_memcg=", o->cgroup, sizeof(o->cgroup)))
			o->cgroup[0] = '\0';
		word_of(text, "task_memcg=", o->of_task, sizeof(o->of_task));
		word_of(text, "task=", o->task, sizeof(o->task));
		if (word_of(text, "pid=", number, sizeof(number)))
			o->pid = (pid_t)atoi(number);
	} else if (memmem(text, strcspn(text, "\n"), "invoked oom-killer:", 19)) {
		begin(o);
	} else if (memmem(text, strcspn(text, "\n"), "Killed process ", 15)) {
		if (word_of(text, "anon-rss:", number, sizeof(number)))
			o->anon_rss = atoll(number);
		if (word_of(text, "file-rss:", number, sizeof(number)))
			o->file_rss = atoll(number);
		if (word_of(text, "shmem-rss:", number, sizeof(number)))
			o->shmem_rss = atoll(number);
		if (strstr(text, "oom_score_adj:"))
			o->adjusted = atoll(strstr(text, "oom_score_adj:") + 14);
		return true;
	} else {
		take_stat(o, text);
	}
	return false;
}

bool oom_find(const char *log, const char *cgroup, struct oom *o)
{
	struct oom now;
	bool found = false;

	begin(&now);
	for (const char *line = log; line && *line; line = next_line(line)) {
		if (!take(&now, text_of(line)))
			continue;
		if (now.cgroup[0] &&
		    (is_below(now.cgroup, cgroup) || is_below(now.of_task, cgroup))) {
			*o = now;
			found = true;
		}
		begin(&now);
	}
	return found;
}

static int64_t known(int64_t kb)
{
	return kb > 0 ? kb : 0;
}

bool oom_is_of_both(const struct oom *o)
{
	if (o->both_limit < 0)
		return false;
	return o->limit < 0 || o->both_limit - o->both < o->limit - o->usage;
}

static void put_limit(const struct oom *o, struct prose *p)
{
	const char *cgroup = strcmp(o->cgroup, o->of_task) ? o->cgroup : "that cgroup";
	bool both = oom_is_of_both(o);
	int64_t used = both ? o->both : o->usage, most = both ? o->both_limit : o->limit;
	char n[3][32];

	number_words(used, n[0], sizeof(n[0]));
	number_words(most, n[1], sizeof(n[1]));
	number_words(o->usage, n[2], sizeof(n[2]));
	prose_text(
		p, 0,
		"According to the kernel log, the last OOM kill in this cgroup ended %s (%d) of %s, because %s used %s kB%s%s%s%s.",
		o->task, (int)o->pid, o->of_task, cgroup, n[0],
		both ? " of memory and swap together" : "",
		most < 0 ? "; the log shows no limit"
		: both   ? ", and its limit of both is "
			 : ", and its limit is ",
		most < 0 ? "" : n[1], most < 0 ? "" : " kB");
	if (both)
		prose_text(p, 0, "The cgroup had %s kB in memory.", n[2]);
}

static void put_rest(const struct oom *o, struct prose *p)
{
	const int64_t *s = o->stat;
	int64_t cache = known(s[OOM_FILE]) - known(s[OOM_SHMEM]);
	int64_t parts = known(s[OOM_SLAB]) + known(s[OOM_PAGETABLES]) + known(s[OOM_STACKS]) +
			known(s[OOM_PERCPU]);
	int64_t kernel = (s[OOM_KERNEL] >= 0 ? s[OOM_KERNEL] : parts) + known(s[OOM_SOCK]);
	char n[5][32];

	prose_text(
		p, 0,
		"The memory consisted of %s kB of anonymous memory, %s kB of shared memory and tmpfs, %s kB of page "
		"cache (%s kB dirty or being written) and %s kB of kernel memory (slabs, page tables, "
		"stacks, sockets).",
		number_words(known(s[OOM_ANON]), n[0], sizeof(n[0])),
		number_words(known(s[OOM_SHMEM]), n[1], sizeof(n[1])),
		number_words(known(cache), n[2], sizeof(n[2])),
		number_words(known(s[OOM_DIRTY]) + known(s[OOM_WRITEBACK]), n[3], sizeof(n[3])),
		number_words(kernel, n[4], sizeof(n[4])));
	if (o->both >= 0)
		prose_text(p, 0, "The cgroup had %s kB on swap.",
			   number_words(o->swap, n[0], sizeof(n[0])));
	else if (o->swap_limit == 0)
		prose_text(p, 0,
			   "The cgroup may not use swap (memory.swap.max is 0), so its anonymous "
			   "and shared memory could not be swapped out.");
	else if (o->swap_limit < 0)
		prose_text(p, 0, "The cgroup had %s kB on swap, and no swap limit of its own.",
			   number_words(o->swap, n[0], sizeof(n[0])));
	else
		prose_text(p, 0,
			   "The cgroup had %s kB on swap; its limit there (memory.swap.max) is %s "
			   "kB.",
			   number_words(o->swap, n[0], sizeof(n[0])),
			   number_words(o->swap_limit, n[1], sizeof(n[1])));
}

void oom_text(const struct oom *o, FILE *out, unsigned width)
{
	struct prose p = prose_to(out);
	char n[4][32];

	p.width = width;
	putc('\n', out);
	put_limit(o, &p);
	if (o->stat[OOM_ANON] >= 0)
		put_rest(o, &p);
	prose_text(&p, 0,
		   "The process had %s kB of anonymous memory, %s kB of mapped files and %s kB "
		   "of shared memory%s.",
		   number_words(o->anon_rss, n[0], sizeof(n[0])),
		   number_words(o->file_rss, n[1], sizeof(n[1])),
		   number_words(o->shmem_rss, n[2], sizeof(n[2])),
		   o->adjusted > 0   ? "; its oom_score_adj made a kill more likely"
		   : o->adjusted < 0 ? "; its oom_score_adj made a kill less likely"
				     : "");
}

json_t *oom_json(const struct oom *o)
{
	json_t *j = json_object(), *stat = json_object();

	json_set_words(j, "cgroup", o->cgroup);
	json_set_words(j, "cgroup_of_task", o->of_task);
	json_set_words(j, "task", o->task);
	json_set_number(j, "pid", o->pid);
	json_set_number(j, "usage_kB", o->usage);
	json_set_number(j, "limit_kB", o->limit);
	json_set_number(j, "swap_kB", o->swap);
	json_set_number(j, "swap_limit_kB", o->swap_limit);
	json_set_number(j, "memory_and_swap_kB", o->both);
	json_set_number(j, "memory_and_swap_limit_kB", o->both_limit);
	json_set_number(j, "anon_rss_kB", o->anon_rss);
	json_set_number(j, "file_rss_kB", o->file_rss);
	json_set_number(j, "shmem_rss_kB", o->shmem_rss);
	json_set_number(j, "oom_score_adj", o->adjusted);
	for (int i = 0; i < OOM_LINES; i++)
		if (o->stat[i] >= 0)
			json_set_number(stat, lines[i].name, o->stat[i]);
	json_object_set_new(j, "stat_kB", stat);
	return j;
}
