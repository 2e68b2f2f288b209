// SPDX-License-Identifier: MIT
/*
 * Reads many processes, on all CPUs, because the kernel's page table walks take most of the time.
 */
#include "census.h"
#include "base/clock.h"
#include "base/parallel.h"
#include "base/process/list.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROCESSES_PER_THREAD = 32 };

struct work {
	const struct census_wanted *wanted;
	struct member *members;
	size_t nr;
};

static bool is_wanted(const struct identity *who, const void *arg)
{
	const struct census_wanted *w = arg;

	/* The kernel keeps only 15 characters of a program's name. */
	return (!w->has_uid || who->uid == w->uid) &&
	       (!w->program || !strncmp(w->program, who->name, 15));
}

static void keep(struct member *m, const struct reading *p)
{
	const struct values *v = &p->tables;

	m->uid = p->who.uid;
	m->thread = p->thread;
	m->sight = p->sight;
	snprintf(m->name, sizeof(m->name), "%s", p->who.name);
	if (p->sight == SIGHT_UNREADABLE)
		snprintf(m->unread, sizeof(m->unread), "%.63s", p->why);
	m->vmrss = p->counters.have[METRIC_STATUS_VMRSS] ? p->counters.of[METRIC_STATUS_VMRSS] : -1;
	m->rss = table_kb(v, METRIC_ROLLUP_RSS);
	m->pss = table_kb(v, METRIC_ROLLUP_PSS);
	m->uss = table_uss(v);
	m->swap = table_kb(v, METRIC_ROLLUP_SWAPPSS);
	m->pss_anon = table_kb(v, METRIC_ROLLUP_PSS_ANON);
	m->pss_file = table_kb(v, METRIC_ROLLUP_PSS_FILE);
	m->pss_shmem = table_kb(v, METRIC_ROLLUP_PSS_SHMEM);
	m->hugetlb = table_kb(v, METRIC_ROLLUP_SHARED_HUGETLB) +
		     table_kb(v, METRIC_ROLLUP_PRIVATE_HUGETLB);
}

/*
 * Returns, in kB, the sum of a process's private anonymous memory, its share of swap, its page
 * tables and its private hugetlb pages. Shared memory is left out, because it would exist without
 * this process.
 */
static int64_t own_of(const struct reading *p, const struct host *h)
{
	const struct values *v = &p->tables;
	struct snapshot s = { .pid = p->thread };
	struct text t = { .data = NULL };
	struct source_error e;
	int64_t anon = -1;

	if (!text_read(&t, s.pid, "maps") && !maps_read(t.data, t.len, &s, &e))
		anon = anon_alone(&s, NULL, h);
	snapshot_free(&s);
	text_free(&t);
	if (anon < 0)
		anon = table_kb(v, METRIC_ROLLUP_PRIVATE_DIRTY);
	return anon + table_kb(v, METRIC_ROLLUP_SWAPPSS) + p->counters.of[METRIC_STATUS_VMPTE] +
	       table_kb(v, METRIC_ROLLUP_PRIVATE_HUGETLB);
}

static int read_one(size_t i, void *own, void *arg)
{
	struct work *w = arg;
	struct reading p;

	process_sample(&p, w->members[i].pid, own, is_wanted, w->wanted);
	keep(&w->members[i], &p);
	if (p.sight == SIGHT_SEEN && w->wanted->h && w->wanted->by == BY_PROGRAM)
		w->members[i].own = own_of(&p, w->wanted->h);
	return 0;
}

static void read_end(void *own, void *arg)
{
	(void)arg;
	reader_free(own);
}

static int read_all(struct work *w)
{
	return parallel_run(&(struct parallel) { .nr = w->nr,
						 .per_thread = PROCESSES_PER_THREAD,
						 .own = sizeof(struct reader),
						 .item = read_one,
						 .end = read_end,
						 .arg = w });
}

static int list(struct work *w)
{
	pid_t *pids;
	int error = processes_list(&pids, &w->nr);

	if (error)
		return error;
	w->members = calloc(w->nr + 1, sizeof(*w->members));
	for (size_t i = 0; w->members && i < w->nr; i++)
		w->members[i] = (struct member) { .pid = pids[i], .vmrss = -1 };
	free(pids);
	return w->members ? 0 : -ENOMEM;
}

static void sift(struct census *c, struct work *w)
{
	c->members = w->members;
	for (size_t i = 0; i < w->nr; i++) {
		struct member *m = &w->members[i];

		c->sights[m->sight]++;
		if (m->sight == SIGHT_UNREADABLE && !c->unread[0])
			snprintf(c->unread, sizeof(c->unread), "%s", m->unread);
		if (m->sight == SIGHT_DENIED && m->vmrss > 0)
			c->unseen_vmrss += m->vmrss;
		if (m->sight == SIGHT_SEEN)
			c->members[c->nr_members++] = *m;
	}
}

/*
 * Computes the memory that ending all processes of a program or user would free. Processes that
 * cannot be read are left out.
 */
static int take_ending(struct census *c, const struct census_wanted *w)
{
	pid_t *pids;
	char why[200];

	if (!w->h || (!w->program && !w->has_uid) || !c->nr_members)
		return 0;
	pids = calloc(c->nr_members, sizeof(*pids));
	if (!pids)
		return -1;
	for (size_t i = 0; i < c->nr_members; i++)
		pids[i] = c->members[i].thread;
	c->has_ending = !ending_read(&c->ending, pids, c->nr_members, w->h, why, sizeof(why));
	free(pids);
	return 0;
}

int census_take(struct census *c, const struct census_wanted *w, char *why, size_t size)
{
	struct work work = { .wanted = w };
	struct text meminfo = { .data = NULL };
	int64_t start = now_ms();
	int error;

	*c = (struct census) { .nr_members = 0 };
	error = list(&work);
	if (!error)
		error = read_all(&work);
	if (error) {
		snprintf(why, size, "/proc cannot be read: %s", strerror(-error));
		free(work.members);
		return -1;
	}
	c->milliseconds = now_ms() - start;
	sift(c, &work);
	error = text_read(&meminfo, 0, "/proc/meminfo");
	c->machine = machine_read(error ? "" : meminfo.data);
	text_free(&meminfo);
	if (census_group(c, w) == 0 && !take_ending(c, w))
		return 0;
	snprintf(why, size, "out of memory");
	census_free(c);
	return -1;
}

void census_free(struct census *c)
{
	free(c->members);
	free(c->rows);
	ending_free(&c->ending);
	*c = (struct census) { .nr_members = 0 };
}
