// SPDX-License-Identifier: MIT
/* Reads the memory of a cgroup. */
#include "group.h"
#include "base/clock.h"
#include "base/kernel_file.h"
#include "base/memory.h"
#include "base/number.h"
#include "cgroups.h"
#include "levels.h"
#include "log.h"
#include <ctype.h>
#include <errno.h>
#include <rssck/workload.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { READINGS = 8, WRONG_AFTER = 3, PAUSE_MS = 100, MOST_MS = 2000, KB = 1024, STOCKS = 7 };

/*
 * The name of a line in memory.stat of v2 and of v1, and the frames that the line counts. If `most`
 * is set, the line may count any number from `frames` to `most`.
 */
static const struct {
	const char *name, *v1;
	short frames[MACHINE_TERMS], most[MACHINE_TERMS];
} lines[GROUP_LINES] = {
	{ "anon", "total_rss", .frames = { MACHINE_FRAMES_ANON } },
	/*
	 * The node's NR_FILE_PAGES includes the swap cache, the cgroup's does not
	 * (add_to_swap_cache()).
	 */
	{ "file", "total_cache", .frames = { MACHINE_FRAMES_CACHE } },
	{ "shmem", "total_shmem", .frames = { MACHINE_FRAMES_SHMEM } },
	{ "file_mapped", "total_mapped_file", .frames = { MACHINE_FRAMES_MAPPED } },
	{ "unevictable", "total_unevictable", .frames = { MACHINE_FRAMES_UNEVICTABLE } },
	{ "pagetables", NULL, .frames = { MACHINE_FRAMES_PGTABLE } },
	{ "inactive_anon", "total_inactive_anon", .frames = { MACHINE_FRAMES_INACTIVE_ANON } },
	{ "active_anon", "total_active_anon",
	  .frames = { MACHINE_FRAMES_LRU_ANON, -MACHINE_FRAMES_INACTIVE_ANON } },
	{ "inactive_file", "total_inactive_file", .frames = { MACHINE_FRAMES_INACTIVE_FILE } },
	{ "active_file", "total_active_file",
	  .frames = { MACHINE_FRAMES_LRU_FILE, -MACHINE_FRAMES_INACTIVE_FILE } },
	{ "shmem_thp", NULL, .frames = { MACHINE_FRAMES_SHMEM_HUGE } },
	{ "swapcached", NULL, .frames = { MACHINE_FRAMES_SWAPCACHE } },
	{ "file_writeback", "total_writeback", .frames = { MACHINE_FRAMES_WRITEBACK } },
	/* Pages of ramfs are dirty and unevictable, but the line does not count them. */
	{ "file_dirty", "total_dirty", .frames = { MACHINE_FRAMES_DIRTY_EVICTABLE },
	  .most = { MACHINE_FRAMES_DIRTY } },
};

static int take_inode(const char *folder, uint64_t inode, void *arg)
{
	struct memory_group *g = arg;

	(void)folder;
	g->inodes = memory_one_more(g->inodes, g->nr, sizeof(*g->inodes), "cgroups");
	g->inodes[g->nr++] = inode;
	return 0;
}

enum { FOUND_SHOWN = 4 };

struct search {
	enum group_kind kind;
	const char *word;
	size_t mount; /* length of the mount point */
	char folder[FOUND_SHOWN][1024];
	size_t nr;
	char exact[1024];   /* the folder whose whole name is the word; "": none */
	char monitor[1024]; /* the first folder of a container's monitor */
};

/*
 * Examples of folder names: "crun-ID.scope", "docker-ID.scope", "kubepods-podUID.slice". In the
 * name of a pod's folder, "_" may replace "-".
 */
static bool is_named(const struct search *s, const char *name)
{
	size_t len = strlen(s->word);
	char pod[128];

	if (s->kind == GROUP_BY_UNIT)
		return !strncmp(name, s->word, len) &&
		       (!name[len] || !strcmp(name + len, ".service") ||
			!strcmp(name + len, ".slice") || !strcmp(name + len, ".scope"));
	if (s->kind == GROUP_BY_CONTAINER)
		return strstr(name, s->word);
	snprintf(pod, sizeof(pod), "%s", s->word);
	for (char *p = pod; *p; p++)
		*p = *p == '-' ? '_' : *p;
	return strstr(name, s->word) || strstr(name, pod);
}

/*
 * True if the folder is below the last one that matched: both belong to the same unit, container or
 * pod.
 */
static bool is_below_last(const struct search *s, const char *folder)
{
	const char *last = s->nr && s->nr <= FOUND_SHOWN ? s->folder[s->nr - 1] : NULL;

	return last && !strncmp(folder, last, strlen(last)) && folder[strlen(last)] == '/';
}

/*
 * Podman and CRI-O run a monitor for each container, in a cgroup such as "libpod-conmon-ID.scope"
 * beside "libpod-ID.scope".
 */
static int take_found(const char *folder, uint64_t inode, void *arg)
{
	struct search *s = arg;
	const char *name = strrchr(folder, '/');

	(void)inode;
	if (!name || !is_named(s, name + 1) || is_below_last(s, folder))
		return 0;
	if (!strcmp(name + 1, s->word) && !s->exact[0])
		snprintf(s->exact, sizeof(s->exact), "%s", folder);
	if (s->kind == GROUP_BY_CONTAINER && strstr(name, "-conmon-")) {
		snprintf(s->monitor, sizeof(s->monitor), "%s", folder);
		return 0;
	}
	if (s->nr < FOUND_SHOWN)
		snprintf(s->folder[s->nr], sizeof(s->folder[0]), "%s", folder);
	s->nr++;
	return 0;
}

static const char *only_found(const struct search *s, const char *mount, char *why, size_t size)
{
	size_t at;

	if (s->exact[0])
		return s->exact;
	if (s->nr == 1)
		return s->folder[0];
	if (!s->nr && s->monitor[0])
		return s->monitor;
	if (!s->nr) {
		snprintf(why, size, "no cgroup below %s is called %.200s", mount, s->word);
		return NULL;
	}
	at = (size_t)snprintf(why, size, "%zu cgroups have such a name; use --cgroup=PATH:", s->nr);
	for (size_t i = 0; i < s->nr && i < FOUND_SHOWN && at < size; i++)
		at += (size_t)snprintf(why + at, size - at, "%s %.200s", i ? "," : "",
				       s->folder[i] + s->mount);
	if (s->nr > FOUND_SHOWN && at < size)
		snprintf(why + at, size - at, ", ...");
	return NULL;
}

static const char *find_named(struct search *s, const char *mount, char *why, size_t size)
{
	if (*s->word)
		cgroups_walk(mount, take_found, s);
	return only_found(s, mount, why, size);
}

int memory_group_find(struct memory_group *g, enum group_kind kind, const char *word, char *why,
		      size_t size)
{
	char mount[256];
	static struct search s;
	const char *found = NULL;

	*g = (struct memory_group) { .limit = -1, .swap_limit = -1 };
	if (!cgroups_mount(mount, sizeof(mount), &g->v1)) {
		snprintf(why, size, "no cgroup file system with the memory controller is mounted");
		return -1;
	}
	s = (struct search) { .kind = kind, .word = word, .mount = strlen(mount) };
	if (kind != GROUP_BY_PATH)
		found = find_named(&s, mount, why, size);
	if (kind != GROUP_BY_PATH && !found)
		return -1;
	if (found)
		snprintf(g->folder, sizeof(g->folder), "%s", found);
	else if (!strncmp(word, mount, strlen(mount)))
		snprintf(g->folder, sizeof(g->folder), "%s", word);
	else
		snprintf(g->folder, sizeof(g->folder), "%s/%s", mount, word + (*word == '/'));
	if (access(g->folder, X_OK)) {
		snprintf(why, size, "%.300s: %s", g->folder, strerror(errno));
		return -1;
	}
	cgroups_walk(g->folder, take_inode, g);
	return 0;
}

/*
 * Reads a size in bytes from a file of a cgroup. Returns it in kB, or -1 if there is no such file
 * or no limit.
 */
static int64_t kb_of(const char *folder, struct text *t, const char *file)
{
	const int64_t unlimited = INT64_MAX / 2;
	char path[1200];
	int64_t n;

	snprintf(path, sizeof(path), "%s/%s", folder, file);
	if (!*file || text_read(t, 0, path) || !isdigit((unsigned char)t->data[0]))
		return -1;
	n = strtoll(t->data, NULL, 10);
	return n > unlimited ? -1 : n / KB;
}

static int64_t file_kb(const struct memory_group *g, struct text *t, const char *v2, const char *v1)
{
	return kb_of(g->folder, t, g->v1 ? v1 : v2);
}

static int64_t field(const char *text, const char *name)
{
	return kernel_number_in(text, name, -1);
}

static int read_file(const struct memory_group *g, struct text *t, const char *file)
{
	char path[1200];

	snprintf(path, sizeof(path), "%s/%s", g->folder, file);
	return text_read(t, 0, path);
}

/*
 * Reads memory.stat: says[] gets the lines that rssck compares with frames; g->part[] gets the
 * parts whose frames have no flag of their own. Also sets the members of *g that are lines of
 * memory.stat.
 */
static int read_stat(struct memory_group *g, struct text *t, int64_t says[GROUP_LINES])
{
	static const struct {
		enum group_part part;
		const char *name;
	} counted[] = { { GROUP_STACKS, "kernel_stack" },
			{ GROUP_VMALLOC, "vmalloc" },
			{ GROUP_SLAB, "slab" },
			{ GROUP_PERCPU, "percpu" },
			{ GROUP_SOCK, "sock" } };

	int64_t kernel;

	if (read_file(g, t, "memory.stat"))
		return -1;
	for (int i = 0; i < GROUP_LINES; i++) {
		const char *name = g->v1 ? lines[i].v1 : lines[i].name;
		int64_t n = name ? field(t->data, name) : -1;

		says[i] = n < 0 ? -1 : n / KB;
	}
	for (size_t i = 0; i < sizeof(counted) / sizeof(*counted); i++) {
		int64_t n = g->v1 ? -1 : field(t->data, counted[i].name);

		g->part[counted[i].part] = n < 0 ? 0 : n / KB;
	}
	kernel = g->v1 ? -1 : field(t->data, "kernel");
	g->kernel = kernel < 0 ? 0 : kernel / KB;
	g->inactive_file = field(t->data, g->v1 ? "total_inactive_file" : "inactive_file") / KB;
	g->unevictable = field(t->data, g->v1 ? "total_unevictable" : "unevictable") / KB;
	g->dirty = field(t->data, g->v1 ? "total_dirty" : "file_dirty") / KB;
	return 0;
}

/*
 * v1 has a second limit, memory.memsw, for the sum of memory and swap. If memory.memsw is the only
 * limit, swapping does not help, because a swapped page still counts.
 */
static void read_limit_of_both(struct memory_group *g, struct text *t)
{
	int64_t used = file_kb(g, t, "", "memory.memsw.usage_in_bytes"),
		most = file_kb(g, t, "", "memory.memsw.limit_in_bytes");

	if (used >= 0)
		g->swap = used > g->current ? used - g->current : 0;
	g->limit_of_both = most >= 0 && g->limit < 0;
	if (g->limit_of_both)
		g->limit = most;
	if (most >= 0)
		g->swap_limit = most > g->limit ? most - g->limit : 0;
}

/*
 * True if the cgroup may not use swap. v2: memory.swap.max is 0. v1: the limit of memory and swap
 * together is not larger than that of memory.
 */
static bool forbids_swap(const char *folder, struct text *t, bool v1)
{
	int64_t both, memory;

	if (!v1)
		return kb_of(folder, t, "memory.swap.max") == 0;
	both = kb_of(folder, t, "memory.memsw.limit_in_bytes");
	memory = kb_of(folder, t, "memory.limit_in_bytes");
	return both >= 0 && memory >= 0 && both <= memory;
}

/*
 * True if a v1 cgroup does not count the processes of the cgroups below it (memory.use_hierarchy is
 * 0; before 5.11).
 */
static bool counts_only_itself(const char *folder, struct text *t)
{
	char path[1200];

	snprintf(path, sizeof(path), "%s/memory.use_hierarchy", folder);
	return !text_read(t, 0, path) && t->data[0] == '0';
}

/*
 * The limits of the cgroups above apply, too. Finds the one with the least room, and whether one of
 * them forbids swap. Stops in v1 at a cgroup without memory.use_hierarchy, which counts only its
 * own processes.
 */
static void read_above(struct memory_group *g, struct text *t)
{
	int64_t least = g->limit < 0 ? INT64_MAX : g->limit - g->current;
	char folder[sizeof(g->folder)], *slash;

	g->above[0] = '\0';
	snprintf(folder, sizeof(folder), "%s", g->folder);
	while ((slash = strrchr(folder, '/'))) {
		int64_t current, limit;

		*slash = '\0';
		current = kb_of(folder, t, g->v1 ? "memory.usage_in_bytes" : "memory.current");
		if (current < 0 || (g->v1 && counts_only_itself(folder, t)))
			return;
		if (forbids_swap(folder, t, g->v1))
			g->swap_limit = 0;
		limit = kb_of(folder, t, g->v1 ? "memory.limit_in_bytes" : "memory.max");
		if (limit < 0 || limit - current >= least)
			continue;
		least = limit - current;
		g->above_current = current;
		g->above_limit = limit;
		snprintf(g->above, sizeof(g->above), "%s", folder);
	}
}

static void read_limits(struct memory_group *g, struct text *t)
{
	g->limit = file_kb(g, t, "memory.max", "memory.limit_in_bytes");
	g->swap = file_kb(g, t, "memory.swap.current", "");
	g->swap_limit = file_kb(g, t, "memory.swap.max", "");
	if (g->v1)
		read_limit_of_both(g, t);
	read_above(g, t);
	g->oom_kills = read_file(g, t, g->v1 ? "memory.oom_control" : "memory.events") == 0
			       ? field(t->data, "oom_kill")
			       : -1;
	g->machine_swap = text_read(t, 0, "/proc/meminfo") ? -1 : field(t->data, "SwapTotal");
	g->dying = !g->v1 && read_file(g, t, "cgroup.stat") == 0
			   ? field(t->data, "nr_dying_descendants")
			   : -1;
}

static int64_t not_negative(int64_t n)
{
	return n > 0 ? n : 0;
}

/* v1 has only one number for all kernel memory. */
static void add_parts(struct memory_group *g, struct text *t, const struct machine_values *v,
		      const int64_t says[GROUP_LINES])
{
	const int64_t *of = v->of;
	int64_t *part = g->part, kernel = file_kb(g, t, "", "memory.kmem.usage_in_bytes"), sum = 0;
	int64_t none = of[MACHINE_FRAMES_PLAIN] + of[MACHINE_FRAMES_LARGE] +
		       of[MACHINE_FRAMES_OTHER_MAPPED] + of[MACHINE_FRAMES_BATCH];

	if (g->frames) {
		part[GROUP_ANON] = of[MACHINE_FRAMES_ANON];
		part[GROUP_ANON_UNMAPPED] = of[MACHINE_FRAMES_ANON_UNMAPPED];
		part[GROUP_CACHE_MAPPED] = of[MACHINE_FRAMES_CACHE_MAPPED];
		part[GROUP_CACHE_UNMAPPED] = of[MACHINE_FRAMES_CACHE] - of[MACHINE_FRAMES_SHMEM] -
					     of[MACHINE_FRAMES_CACHE_MAPPED];
		part[GROUP_SHMEM_UNMAPPED] = of[MACHINE_FRAMES_SHMEM_UNMAPPED];
		part[GROUP_SHMEM_MAPPED] = of[MACHINE_FRAMES_SHMEM] -
					   of[MACHINE_FRAMES_SHMEM_UNMAPPED];
		part[GROUP_PGTABLE] = of[MACHINE_FRAMES_PGTABLE];
		part[GROUP_HUGETLB] = of[MACHINE_FRAMES_HUGETLB];
	} else {
		part[GROUP_ANON] = says[0] > 0 ? says[0] : 0;
		part[GROUP_CACHE_UNMAPPED] = says[1] - (says[2] > 0 ? says[2] : 0);
		part[GROUP_SHMEM_UNMAPPED] = says[2] > 0 ? says[2] : 0;
		part[GROUP_PGTABLE] = says[5] > 0 ? says[5] : 0;
		none = g->kernel - part[GROUP_PGTABLE] - part[GROUP_SLAB] - part[GROUP_PERCPU];
	}
	if (kernel > 0)
		part[GROUP_SLAB] = not_negative(kernel - part[GROUP_PGTABLE] -
						(g->frames ? none : 0));
	part[GROUP_OTHER] = not_negative(none - part[GROUP_STACKS] - part[GROUP_VMALLOC]);
	part[GROUP_STOCK] = 0;
	for (int p = 0; p < GROUP_PARTS; p++)
		sum += part[p];
	part[GROUP_STOCK] = g->current - sum;
	/*
	 * Large kmalloc is part of slab, but its frames are not marked KPF_SLAB, so GROUP_OTHER
	 * counts them, too. If the sum is too large, they are subtracted from it.
	 */
	if (part[GROUP_STOCK] < 0) {
		int64_t twice = lesser(of[MACHINE_FRAMES_LARGE], part[GROUP_SLAB]);

		twice = lesser(lesser(twice, part[GROUP_OTHER]), -part[GROUP_STOCK]);
		part[GROUP_OTHER] -= twice;
		part[GROUP_STOCK] += twice;
	}
}

static int sign(int64_t n)
{
	return n < 0 ? -1 : n > 0;
}

/*
 * Judges each line. A line is off if the difference exceeds l->late and the line has the same value
 * before and after the frames were read. Returns true if a line is off, but not often enough to be
 * called wrong.
 */
static bool judge(struct memory_group *g, const struct machine_values *v,
		  const int64_t before[GROUP_LINES], const int64_t after[GROUP_LINES])
{
	bool open = false;

	for (int i = 0; i < GROUP_LINES; i++) {
		struct group_line *l = &g->line[i];
		int64_t frames, most, off;

		l->name = g->v1 ? lines[i].v1 : lines[i].name;
		l->have = after[i] >= 0 && machine_sum(v, lines[i].frames, &frames);
		if (!l->have)
			continue;
		if (!machine_sum(v, lines[i].most, &most))
			most = frames;
		l->says = after[i];
		l->frames = after[i] > frames ? most : frames;
		off = after[i] < frames ? after[i] - frames : after[i] > most ? after[i] - most : 0;
		if (llabs(before[i] - after[i]) > g->stock)
			g->moves = true;
		if (llabs(off) <= l->late || before[i] != after[i])
			l->off = 0;
		else
			l->off = sign(off) == -sign(l->off) ? sign(off) : l->off + sign(off);
		l->moved = llabs(off) > l->late && abs(l->off) < WRONG_AFTER;
		open |= l->off != 0 && abs(l->off) < WRONG_AFTER;
	}
	return open;
}

static void set_bounds(struct memory_group *g, int64_t page_kb)
{
	int64_t cpus = sysconf(_SC_NPROCESSORS_ONLN), all = sysconf(_SC_NPROCESSORS_CONF);
	int64_t cached = (int64_t)g->nr < STOCKS ? (int64_t)g->nr : STOCKS;

	g->stock = CGROUP_BATCH * cpus * cached * page_kb + all * (int64_t)g->nr;
	for (int i = 0; i < GROUP_LINES; i++)
		g->line[i].late = CGROUP_BATCH * (all + 2 * cpus) * page_kb;
}

/* Only root and the user of a process may read smaps_rollup. All users may read status. */
static void read_sizes(struct group_process *p, struct text *t)
{
	int error = text_read(t, p->pid, "smaps_rollup");

	p->unread = error == -EACCES || error == -EPERM;
	if (!error) {
		p->rss = field(t->data, "Rss");
		p->pss = field(t->data, "Pss");
		p->unique = field(t->data, "Private_Clean") + field(t->data, "Private_Dirty");
		p->swap = field(t->data, "Swap");
	} else if (p->unread && text_read(t, p->pid, "status") == 0) {
		p->rss = not_negative(field(t->data, "VmRSS"));
		p->swap = not_negative(field(t->data, "VmSwap"));
	}
}

static int64_t rank(const struct group_process *p)
{
	return p->unread ? p->rss : p->pss;
}

static void add_process(struct memory_group *g, struct text *t, pid_t pid)
{
	struct group_process p = { .pid = pid };
	size_t at = g->nr_processes < GROUP_PROCESSES ? g->nr_processes : GROUP_PROCESSES - 1;

	if (text_read(t, pid, "comm") == 0)
		snprintf(p.name, sizeof(p.name), "%.*s", (int)strcspn(t->data, "\n"), t->data);
	read_sizes(&p, t);
	g->pids = memory_one_more(g->pids, g->nr_processes, sizeof(*g->pids),
				  "processes of a cgroup");
	g->pids[g->nr_processes++] = pid;
	g->all.rss += p.rss;
	g->all.pss += p.pss;
	g->all.unique += p.unique;
	g->all.swap += p.swap;
	g->unread += p.unread;
	if (g->frames && text_read(t, pid, "status") == 0)
		g->tables += not_negative(field(t->data, "VmPTE"));
	if (g->nr_processes > GROUP_PROCESSES && rank(&g->of[at]) >= rank(&p))
		return;
	for (; at > 0 && rank(&g->of[at - 1]) < rank(&p); at--)
		g->of[at] = g->of[at - 1];
	g->of[at] = p;
}

struct walk {
	struct memory_group *g;
	struct text *t;
	int64_t page_kb;
};

static int add_processes(const char *folder, uint64_t inode, void *arg)
{
	struct walk *w = arg;
	struct text list = { .data = NULL };
	char path[1200], *end;

	(void)inode;
	snprintf(path, sizeof(path), "%s/cgroup.procs", folder);
	if (text_read(&list, 0, path) == 0)
		for (const char *p = list.data; *p; p = end + (*end == '\n')) {
			pid_t pid = (pid_t)strtol(p, &end, 10);

			if (end == p)
				break;
			add_process(w->g, w->t, pid);
			holders_files_of(&w->g->holders, w->t, pid, w->page_kb);
		}
	text_free(&list);
	return 0;
}

/*
 * Finds the last kill by the path relative to the mount point, because the kernel log prints this
 * path.
 */
static void find_kill(struct memory_group *g)
{
	char *log = kernel_log_read(), mount[256];
	bool v1;

	if (log && cgroups_mount(mount, sizeof(mount), &v1) &&
	    strlen(g->folder) > strlen(mount) + 1)
		g->was_killed = oom_find(log, g->folder + strlen(mount), &g->oom);
	free(log);
}

static bool stock_is_off(const struct memory_group *g)
{
	return g->part[GROUP_STOCK] < 0 || g->part[GROUP_STOCK] > g->stock;
}

bool memory_group_is_blurred(const struct memory_group *g)
{
	return g->frames && g->moves && stock_is_off(g);
}

int64_t memory_group_current(const struct memory_group *g, struct text *t)
{
	return file_kb(g, t, "memory.current", "memory.usage_in_bytes");
}

static int64_t read_current(struct memory_group *g, struct text *t)
{
	int64_t kb = memory_group_current(g, t);

	g->current_least = g->current_most ? lesser(g->current_least, kb) : kb;
	g->current_most = kb > g->current_most ? kb : g->current_most;
	g->moves |= g->current_most - g->current_least > g->stock;
	return kb;
}

/* Returns 1 if judge() needs another reading, 0 if not, or -1 with a sentence in `why`. */
static int read_once(struct memory_group *g, struct machine_reader *m, char *why, size_t size)
{
	static struct zones zones;
	static struct machine_values v;
	int64_t before[GROUP_LINES], after[GROUP_LINES];

	if (machine_zones_read(m, &zones)) {
		snprintf(why, size, "/proc/zoneinfo cannot be read");
		return -1;
	}
	if (read_stat(g, &m->text, before)) {
		snprintf(why, size,
			 "%.300s has no memory.stat: the memory controller is not enabled for it "
			 "(cgroup.subtree_control of the cgroup above)",
			 g->folder);
		return -1;
	}
	read_current(g, &m->text);
	g->frames = m->sees_frames && frames_read(&m->frames, &zones, &m->run, &v) == 0;
	g->current = read_current(g, &m->text);
	if (g->current < 0) {
		snprintf(why, size,
			 "%.300s has no memory.current: for the whole machine, use rssck machine",
			 g->folder);
		return -1;
	}
	read_stat(g, &m->text, after);
	add_parts(g, &m->text, &v, after);
	return judge(g, &v, before, after);
}

/*
 * True if another reading may help: to decide a line, or because the parts do not add up to
 * memory.current. If it would exceed MOST_MS, only an undecided line of a cgroup that does not
 * change is a reason.
 */
static bool reads_again(const struct memory_group *g, int open, int64_t took_ms)
{
	bool time_is_left = took_ms + took_ms / g->readings < MOST_MS;

	if (!g->frames || g->readings == READINGS)
		return false;
	return (open && (time_is_left || !g->moves)) || (stock_is_off(g) && time_is_left);
}

void memory_group_add_tables(struct memory_group *g)
{
	int64_t more = lesser(not_negative(g->tables - g->part[GROUP_PGTABLE]),
			      g->part[GROUP_OTHER]);

	g->part[GROUP_PGTABLE] += more;
	g->part[GROUP_OTHER] -= more;
}

static void find_tables(struct memory_group *g)
{
	enum levels levels = LEVELS_ALL;

	if (g->tables > g->part[GROUP_PGTABLE] && g->part[GROUP_OTHER])
		levels = levels_counted();
	g->upper_tables = levels != LEVELS_ALL;
	if (levels == LEVELS_LOWER)
		memory_group_add_tables(g);
}

int memory_group_read(struct memory_group *g, struct machine_reader *m, char *why, size_t size)
{
	struct walk w = { g, &m->text, m->run.page_kb };
	int64_t began = now_ms();
	int open;

	if (g->nr)
		qsort(g->inodes, g->nr, sizeof(*g->inodes), number_order);
	set_bounds(g, m->run.page_kb);
	m->frames.only = g->inodes;
	m->frames.nr_only = g->nr;
	for (g->readings = 1;; g->readings++) {
		open = read_once(g, m, why, size);
		if (open < 0)
			return -1;
		if (!reads_again(g, open, now_ms() - began))
			break;
		nanosleep(&(struct timespec) { .tv_nsec = PAUSE_MS * 1000000L }, NULL);
	}
	read_limits(g, &m->text);
	holders_begin(&g->holders);
	cgroups_walk(g->folder, add_processes, &w);
	find_tables(g);
	find_kill(g);
	return 0;
}

void memory_group_free(struct memory_group *g)
{
	free(g->inodes);
	free(g->pids);
	holders_free(&g->holders);
}

size_t memory_group_wrong(const struct memory_group *g)
{
	size_t wrong = 0;

	for (int i = 0; i < GROUP_LINES; i++)
		wrong += abs(g->line[i].off) >= WRONG_AFTER;
	return wrong;
}

int64_t memory_group_working_set(const struct memory_group *g)
{
	int64_t kb = g->current - g->inactive_file;

	return kb > 0 ? kb : 0;
}
