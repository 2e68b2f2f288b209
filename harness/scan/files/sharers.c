// SPDX-License-Identifier: MIT
/* Searches all processes for those that share memory. */
#include "sharers.h"
#include "base/parallel.h"
#include "base/process/list.h"
#include "scan/process/process.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROCESSES_PER_THREAD = 8 };

struct work {
	struct sharers *s;
	const pid_t *pids;
	look_fn *look;
	const void *arg;
};

static int name_sharer(struct sharer *one, pid_t pid, struct text *t)
{
	struct identity who = { .pid = pid };

	if (text_read(t, pid, "status") || identity_read(&who, NULL, t->data))
		return -1;
	one->pid = who.pid;
	memcpy(one->name, who.name, sizeof(one->name));
	namespaces_words(pid, t->data, one->elsewhere, sizeof(one->elsewhere));
	return 0;
}

/* Examines one process. A process that has ended shares nothing. */
static int look_at(size_t i, void *own, void *arg)
{
	const struct work *w = arg;
	struct sharer_search *mine = own;
	struct sharer *one = &w->s->of[i];
	pid_t pid = process_living_thread(w->pids[i]);
	/* rssck is left out, although it maps libraries, too. */
	int found = pid == getpid() ? 0 : w->look(one, pid, mine, w->arg);

	if (found > 0 && !name_sharer(one, pid, &mine->text))
		return 0;
	one->pid = 0;
	mine->unseen += found < 0 && found != -ESRCH && found != -ENOENT;
	return found == -ENOMEM ? found : 0;
}

static void look_end(void *own, void *arg)
{
	const struct work *w = arg;
	struct sharer_search *mine = own;

	w->s->unseen += mine->unseen;
	text_free(&mine->text);
	free(mine->stamps);
}

int sharers_search(struct sharers *s, look_fn *look, const void *arg)
{
	struct parallel p = { .per_thread = PROCESSES_PER_THREAD,
			      .own = sizeof(struct sharer_search),
			      .item = look_at,
			      .end = look_end };
	pid_t *pids;
	int error = processes_list(&pids, &p.nr);

	if (error)
		return error;
	s->of = calloc(p.nr + 1, sizeof(*s->of));
	p.arg = &(struct work) { s, pids, look, arg };
	error = s->of ? parallel_run(&p) : -ENOMEM;
	for (size_t i = 0; !error && i < p.nr; i++)
		if (s->of[i].pid)
			s->of[s->nr++] = s->of[i];
	free(pids);
	return error;
}

void sharers_free(struct sharers *s)
{
	free(s->of);
	*s = (struct sharers) { .nr = 0 };
}
