// SPDX-License-Identifier: MIT
/* Finds who maps a file: maps of every process, and smaps of those that do. */
#include "scan/process/names.h"
#include "sharers.h"
#include <errno.h>
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

static void add_up(struct sharer *u, const struct snapshot *s, const struct file_key *k)
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

/* As look_fn: 1 where it maps the file. */
static int look(struct sharer *one, pid_t pid, struct sharer_search *own, const void *key)
{
	struct snapshot s = { .pid = pid };
	struct source_error e;
	int error = text_read(&own->text, pid, "maps"), found = 0;

	if (error)
		return error;
	if (!maps_read(own->text.data, own->text.len, &s, &e))
		found = maps_any(&s, key);
	snapshot_free(&s);
	if (!found)
		return 0;
	error = text_read(&own->text, pid, "smaps");
	if (error)
		return error;
	s = (struct snapshot) { .pid = pid };
	if (!smaps_read(own->text.data, own->text.len, &s, &e))
		add_up(one, &s, key);
	snapshot_free(&s);
	return one->nr_maps > 0;
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

int sharers_of_file(struct sharers *s, const struct file_key *k, char *why, size_t size)
{
	int error;

	*s = (struct sharers) { .nr = 0 };
	error = sharers_search(s, look, k);
	if (error) {
		snprintf(why, size, "/proc: %s", strerror(-error));
		sharers_free(s);
		return -1;
	}
	if (s->nr)
		qsort(s->of, s->nr, sizeof(*s->of), by_frees);
	return 0;
}
