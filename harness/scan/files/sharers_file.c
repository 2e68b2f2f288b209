// SPDX-License-Identifier: MIT
/*
 * Finds the processes that map a file. It reads maps of every process, and smaps if the file is
 * mapped.
 */
#include "scan/keep/ending.h"
#include "scan/process/process.h"
#include "sharers.h"
#include <stdlib.h>
#include <string.h>

struct wanted {
	const struct file_key *key;
	const struct host *h;
};

static bool maps_any(const struct snapshot *s, const struct file_key *k)
{
	for (size_t i = 0; i < s->nr_maps; i++)
		if (file_key_has(k, &s->maps[i], s->pid))
			return true;
	return false;
}

/* Returns the size of the private copies in kB, with those on swap, or a negative errno. */
static int64_t copies(const struct snapshot *s, const struct mapping *m, const struct host *h)
{
	int64_t anon = mapping_smaps(m, METRIC_SMAPS_ANONYMOUS) ? anon_alone(s, m, h) : 0;

	return anon < 0 || m->shared ? anon : anon + mapping_smaps(m, METRIC_SMAPS_SWAPPSS);
}

static int add_up(struct sharer *u, const struct snapshot *s, const struct wanted *w)
{
	int64_t own = 0;

	for (size_t i = 0; i < s->nr_maps && own >= 0; i++) {
		const struct mapping *m = &s->maps[i];

		if (!file_key_has(w->key, m, s->pid))
			continue;
		u->nr_maps++;
		u->size += (int64_t)((m->end - m->start) / 1024);
		u->rss += mapping_smaps(m, METRIC_SMAPS_RSS);
		u->pss += mapping_smaps(m, METRIC_SMAPS_PSS);
		u->swap += mapping_smaps(m, METRIC_SMAPS_SWAP);
		u->only += mapping_private(m);
		own = copies(s, m, w->h);
		u->frees += own;
	}
	return own < 0 ? (int)own : 0;
}

static int look(struct sharer *one, pid_t pid, struct sharer_search *own, const void *key)
{
	const struct wanted *w = key;
	struct snapshot s = { .pid = pid };
	struct source_error e;
	int error = text_read(&own->text, pid, "maps"), found = 0;

	if (error)
		return error;
	if (!maps_read(own->text.data, own->text.len, &s, &e))
		found = maps_any(&s, w->key);
	snapshot_free(&s);
	if (!found)
		return 0;
	error = text_read(&own->text, pid, "smaps");
	if (error)
		return error;
	s = (struct snapshot) { .pid = pid };
	if (!smaps_read(own->text.data, own->text.len, &s, &e))
		error = add_up(one, &s, w);
	snapshot_free(&s);
	return error ? error : one->nr_maps > 0;
}

static int by_frees(const void *a, const void *b)
{
	const struct sharer *x = a, *y = b;

	if (x->frees != y->frees)
		return x->frees > y->frees ? -1 : 1;
	if (x->rss != y->rss)
		return x->rss > y->rss ? -1 : 1;
	return x->pid - y->pid;
}

/*
 * Adds the pages of a shared object that only this process maps: they are freed with the process,
 * unless something else keeps them. A process that is exiting is skipped.
 */
static void add_object(struct sharer *u, const struct file_key *k, const struct host *h)
{
	struct snapshot s = { .pid = process_living_thread(u->pid) };
	struct objects o = { .nr = 0 };
	struct text t = { .data = NULL };
	struct source_error e;
	int error = text_read(&t, s.pid, "smaps");

	if (!error && !smaps_read(t.data, t.len, &s, &e))
		for (size_t i = 0; i < s.nr_maps; i++)
			if (file_key_has(k, &s.maps[i], s.pid) &&
			    mapping_is_object(&s.maps[i], s.pid, h))
				objects_add(&o, &s.maps[i], s.pid, h);
	if (!error)
		error = objects_find_keepers(&o, &s.pid, 1);
	for (size_t i = 0; i < o.nr && !error; i++)
		u->frees += o.of[i].kept ? 0 : o.of[i].kb;
	objects_free(&o);
	snapshot_free(&s);
	text_free(&t);
}

int sharers_of_file(struct sharers *s, const struct file_key *k, const struct host *h, char *why,
		    size_t size)
{
	const struct wanted w = { k, h };
	int error;

	*s = (struct sharers) { .nr = 0 };
	error = sharers_search(s, look, &w);
	if (error) {
		snprintf(why, size, "/proc: %s", strerror(-error));
		sharers_free(s);
		return -1;
	}
	if (s->nr == 1)
		add_object(s->of, k, h);
	if (s->nr)
		qsort(s->of, s->nr, sizeof(*s->of), by_frees);
	return 0;
}
