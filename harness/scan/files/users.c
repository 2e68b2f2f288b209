// SPDX-License-Identifier: MIT
/* Finds who maps a file: maps of every process, and smaps of those that do. */
#include "users.h"
#include "base/crew.h"
#include "scan/process/list.h"
#include "scan/process/names.h"
#include "scan/process/process.h"
#include <errno.h>
#include <pthread.h>
#include <rssck/source.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

int file_key_of_path(struct file_key *k, const char *path, char *why, size_t size)
{
	struct stat st;

	if (stat(path, &st)) {
		snprintf(why, size,
			 "%s: %s (a mapping by its name needs the process too: "
			 "--sharers=NAME PID)",
			 path, strerror(errno));
		return -1;
	}
	*k = (struct file_key) { major(st.st_dev), minor(st.st_dev), st.st_ino, path };
	return 0;
}

/* Some file systems show another device in maps than stat(2) does: then the name decides. */
static bool is_of(const struct mapping *m, const struct file_key *k)
{
	if (!m->inode)
		return false;
	return (m->inode == k->inode && m->dev_major == k->dev_major &&
		m->dev_minor == k->dev_minor) ||
	       name_is_of_mapping(k->name, m->name) || !strcmp(m->name, k->name);
}

static bool maps_any(const struct snapshot *s, const struct file_key *k)
{
	for (size_t i = 0; i < s->nr_maps; i++)
		if (is_of(&s->maps[i], k))
			return true;
	return false;
}

static void add_up(struct file_user *u, const struct snapshot *s, const struct file_key *k)
{
	for (size_t i = 0; i < s->nr_maps; i++) {
		const struct mapping *m = &s->maps[i];

		if (!is_of(m, k))
			continue;
		u->nr_maps++;
		u->size += (int64_t)((m->end - m->start) / 1024);
		u->rss += mapping_smaps(m, METRIC_SMAPS_RSS);
		u->pss += mapping_smaps(m, METRIC_SMAPS_PSS);
		u->swap += mapping_smaps(m, METRIC_SMAPS_SWAP);
		u->frees += mapping_private(m);
	}
}

/* 1: it maps the file; 0: not, or it is gone; a negative errno where we may not see. */
static int look(struct file_user *u, pid_t pid, const struct file_key *k, struct text *t)
{
	struct snapshot s = { .pid = pid };
	struct source_error e;
	int error = text_read(t, pid, "maps"), found = 0;

	if (error)
		return error;
	if (!maps_read(t->data, t->len, &s, &e))
		found = maps_any(&s, k);
	snapshot_free(&s);
	if (!found)
		return 0;
	error = text_read(t, pid, "smaps");
	if (error)
		return error;
	*u = (struct file_user) { .nr_maps = 0 };
	s = (struct snapshot) { .pid = pid };
	found = !smaps_read(t->data, t->len, &s, &e) && !fellow_read(&u->who, pid);
	if (found)
		add_up(u, &s, k);
	snapshot_free(&s);
	return found && u->nr_maps;
}

static int by_frees(const void *a, const void *b)
{
	const struct file_user *x = a, *y = b;

	if (x->frees != y->frees)
		return x->frees > y->frees ? -1 : 1;
	if (x->rss != y->rss)
		return x->rss > y->rss ? -1 : 1;
	return x->who.pid - y->who.pid;
}

struct work {
	const struct file_key *key;
	const pid_t *pids;
	size_t nr;
	atomic_size_t next;
	pthread_mutex_t lock; /* of what follows */
	struct file_users *users;
};

static void *look_at_some(void *arg)
{
	struct work *w = arg;
	struct text t = { .data = NULL };
	struct file_user one;
	size_t i;

	while ((i = atomic_fetch_add(&w->next, 1)) < w->nr) {
		int found = look(&one, w->pids[i], w->key, &t);

		pthread_mutex_lock(&w->lock);
		if (found > 0)
			w->users->of[w->users->nr++] = one;
		w->users->unseen += found == -EACCES || found == -EPERM;
		pthread_mutex_unlock(&w->lock);
	}
	text_free(&t);
	return NULL;
}

int file_users_find(struct file_users *u, const struct file_key *k, char *why, size_t size)
{
	struct work w = { .key = k, .users = u };
	pid_t *pids;
	int error = processes_list(&pids, &w.nr);

	*u = (struct file_users) { .nr = 0 };
	u->of = error ? NULL : calloc(w.nr + 1, sizeof(*u->of));
	if (!u->of) {
		snprintf(why, size, "/proc: %s", strerror(error ? -error : ENOMEM));
		free(pids);
		return -1;
	}
	w.pids = pids;
	pthread_mutex_init(&w.lock, NULL);
	crew_run(look_at_some, &w, w.nr);
	pthread_mutex_destroy(&w.lock);
	if (u->nr)
		qsort(u->of, u->nr, sizeof(*u->of), by_frees);
	free(pids);
	return 0;
}

void file_users_free(struct file_users *u)
{
	free(u->of);
	*u = (struct file_users) { .nr = 0 };
}

int fellow_read(struct fellow *f, pid_t pid)
{
	struct text t = { .data = NULL };
	struct identity who = { .pid = pid };
	int failed = text_read(&t, pid, "status") || identity_read(&who, NULL, t.data);

	*f = (struct fellow) { .pid = pid };
	if (!failed) {
		memcpy(f->name, who.name, sizeof(f->name));
		namespaces_words(pid, t.data, f->elsewhere, sizeof(f->elsewhere));
	}
	text_free(&t);
	return failed ? -1 : 0;
}
