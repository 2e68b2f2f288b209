// SPDX-License-Identifier: MIT
/* Reads one process, and detects whether it changed meanwhile. */
#include "process.h"
#include "privilege.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * The page tables of a larger process are read only once, because a second walk would double the
 * time.
 */
enum { CONFIRMED_KB = 16 * 1024 };

void reader_free(struct reader *r)
{
	text_free(&r->stat);
	text_free(&r->status);
	text_free(&r->other);
}

/*
 * True if the process has ended: its files are gone, or its mm is released (smaps_rollup then fails
 * with -ESRCH).
 */
static bool is_gone(int error)
{
	return error == -ENOENT || error == -ESRCH;
}

static enum sight fail(struct reading *p, const char *file, int error)
{
	snprintf(p->why, sizeof(p->why), "/proc/%d/%s cannot be read: %s", p->who.pid, file,
		 strerror(-error));
	if (is_gone(error))
		return SIGHT_GONE;
	return error == -EACCES || error == -EPERM ? SIGHT_DENIED : SIGHT_UNREADABLE;
}

static enum sight unreadable(struct reading *p, const char *file, const struct source_error *e)
{
	snprintf(p->why, sizeof(p->why), "/proc/%d/%s %s", p->who.pid, file,
		 e ? e->text : "has unexpected content");
	return SIGHT_UNREADABLE;
}

typedef int values_reader(const char *data, size_t len, struct values *v, struct source_error *e);

static enum sight take(struct reading *p, int folder, const char *file, struct text *t,
		       values_reader *read_values, struct values *v)
{
	struct source_error e;
	int error = text_read_at(t, folder, file);

	if (error)
		return fail(p, file, error);
	return read_values(t->data, t->len, v, &e) ? unreadable(p, file, &e) : SIGHT_SEEN;
}

static enum sight take_counters(struct reading *p, int folder, struct reader *r, struct values *v)
{
	enum sight sight = take(p, folder, "stat", &r->stat, stat_read, v);

	if (sight == SIGHT_SEEN)
		sight = take(p, folder, "statm", &r->other, statm_read, v);
	if (sight == SIGHT_SEEN)
		sight = take(p, folder, "status", &r->status, status_read, v);
	return sight;
}

static enum sight take_identity(struct reading *p, const char *stat, const char *status)
{
	if (identity_read(&p->who, stat, status))
		return unreadable(p, stat ? "stat" : "status", NULL);
	if (p->who.kernel_thread)
		return SIGHT_KERNEL_THREAD;
	return p->who.zombie ? SIGHT_ZOMBIE : SIGHT_SEEN;
}

static enum sight take_tables(struct reading *p, int folder, struct reader *r)
{
	struct snapshot s = { .pid = p->who.pid };
	struct source_error e;
	int error = text_read_at(&r->other, folder, "smaps_rollup");

	if (error)
		return fail(p, "smaps_rollup", error);
	/* smaps_rollup is empty if the process has just released its memory. */
	if (r->other.len == 0)
		return SIGHT_GONE;
	if (rollup_read(r->other.data, r->other.len, &s, &e))
		return unreadable(p, "smaps_rollup", &e);
	p->tables = s.values;
	return SIGHT_SEEN;
}

bool counters_stood_still(const struct values *before, const struct values *after)
{
	for (int id = METRIC_STAT_FIRST; id <= METRIC_STATUS_LAST; id++)
		if (before->have[id] != after->have[id] || before->of[id] != after->of[id])
			return false;
	return true;
}

static void widen(struct reading *p)
{
	for (int id = METRIC_ROLLUP_FIRST; id <= METRIC_ROLLUP_LAST; id++) {
		int64_t now = p->tables.of[id];

		p->low.of[id] = p->nr && p->low.of[id] < now ? p->low.of[id] : now;
		p->high.of[id] = p->nr && p->high.of[id] > now ? p->high.of[id] : now;
		p->low.have[id] = p->high.have[id] = p->tables.have[id];
	}
	p->nr++;
}

/* False if the PID was reused by a new process, or the number of threads changed. */
static bool is_same(const struct identity *a, const struct identity *b)
{
	return a->started == b->started && a->threads == b->threads;
}

static bool differs(const struct values *a, const struct values *b, const enum metric_id *ids)
{
	for (; *ids != METRIC_NONE; ids++)
		if (a->of[*ids] != b->of[*ids])
			return true;
	return false;
}

/*
 * Reads the process's page tables twice, to detect changes by other processes: sharing and
 * write-back. A large process is read once.
 */
static enum sight take_tables_twice(struct reading *p, int folder, struct reader *r)
{
	static const enum metric_id own[] = { METRIC_ROLLUP_RSS, METRIC_ROLLUP_ANONYMOUS,
					      METRIC_ROLLUP_SWAP, METRIC_NONE };
	static const enum metric_id others[] = { METRIC_ROLLUP_PSS,
						 METRIC_ROLLUP_SHARED_CLEAN,
						 METRIC_ROLLUP_SHARED_DIRTY,
						 METRIC_ROLLUP_PRIVATE_CLEAN,
						 METRIC_ROLLUP_PRIVATE_DIRTY,
						 METRIC_ROLLUP_SWAPPSS,
						 METRIC_NONE };
	enum sight sight = take_tables(p, folder, r);
	struct values first = p->tables;

	p->moved = p->reshared = p->confirmed = false;
	if (sight != SIGHT_SEEN)
		return sight;
	widen(p);
	if (table_kb(&first, METRIC_ROLLUP_RSS) > CONFIRMED_KB)
		return sight;
	sight = take_tables(p, folder, r);
	if (sight != SIGHT_SEEN)
		return sight;
	widen(p);
	p->confirmed = true;
	p->moved = differs(&first, &p->tables, own);
	p->reshared = differs(&first, &p->tables, others);
	return sight;
}

static enum sight read_once(struct reading *p, int folder, struct reader *r)
{
	struct values before = { .have = { false } };
	struct identity who;
	enum sight sight = take_counters(p, folder, r, &before);

	if (sight == SIGHT_SEEN)
		sight = take_identity(p, r->stat.data, r->status.data);
	p->counters = before;
	if (sight != SIGHT_SEEN)
		return sight;
	who = p->who;
	sight = take_tables_twice(p, folder, r);
	if (sight != SIGHT_SEEN)
		return sight;
	p->counters = (struct values) { .have = { false } };
	sight = take_counters(p, folder, r, &p->counters);
	if (sight == SIGHT_SEEN)
		sight = take_identity(p, r->stat.data, r->status.data);
	p->moved |= !is_same(&who, &p->who) || !counters_stood_still(&before, &p->counters);
	return sight;
}

/* Returns the state letter in stat, which follows the name; 'X' if stat cannot be read. */
static char state_of(pid_t pid, const char *file)
{
	struct text t = { .data = NULL };
	const char *end = text_read(&t, pid, file) ? NULL : strrchr(t.data, ')');
	char state = end && end[1] ? end[2] : 'X';

	text_free(&t);
	return state;
}

pid_t process_living_thread(pid_t pid)
{
	char path[64];
	struct dirent *e;
	pid_t found = pid;
	DIR *d;

	if (!strchr("ZX", state_of(pid, "stat")))
		return pid;
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	d = opendir(path);
	while (d && found == pid && (e = readdir(d))) {
		snprintf(path, sizeof(path), "task/%.20s/stat", e->d_name);
		if (e->d_name[0] != '.' && !strchr("ZX", state_of(pid, path)))
			found = (pid_t)strtol(e->d_name, NULL, 10);
	}
	if (d)
		closedir(d);
	return found;
}

/*
 * Opens /proc/PID. Returns a descriptor, or -1 with *sight. A missing folder may also mean that
 * hidepid hides the process.
 */
static int open_folder(pid_t pid, enum sight *sight)
{
	char path[32];
	int folder;

	snprintf(path, sizeof(path), "/proc/%d", pid);
	folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		*sight = process_exists(pid) ? SIGHT_DENIED : SIGHT_GONE;
	return folder;
}

/*
 * Opens the folder of a living thread if the leader has ended. Returns -1 if there is none. The
 * thread's files show the memory of the whole process; only the faults in its stat are its own.
 */
static int open_living(struct reading *p, int folder)
{
	char path[64];

	if (p->sight != SIGHT_ZOMBIE || p->thread != p->who.pid)
		return -1;
	p->thread = process_living_thread(p->who.pid);
	if (p->thread == p->who.pid)
		return -1;
	snprintf(path, sizeof(path), "task/%d", p->thread);
	return openat(folder, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static void read_folder(struct reading *p, int folder, struct reader *r)
{
	int living;

	for (int i = 0; i < READINGS_MAX; i++) {
		p->sight = read_once(p, folder, r);
		if (p->sight != SIGHT_SEEN || (!p->moved && !p->reshared))
			break;
	}
	living = open_living(p, folder);
	if (living < 0)
		return;
	read_folder(p, living, r);
	close(living);
}

/*
 * Reads a process. Without ptrace permission, smaps_rollup of another user's process cannot be
 * opened. While a process releases its memory, the file can be opened, but reading it fails with
 * ESRCH.
 */
void process_read(struct reading *p, pid_t pid, struct reader *r)
{
	int folder;

	*p = (struct reading) { .who.pid = pid, .thread = pid, .sight = SIGHT_GONE };
	folder = open_folder(pid, &p->sight);
	if (folder >= 0) {
		read_folder(p, folder, r);
		close(folder);
	}
	if (p->sight == SIGHT_DENIED)
		snprintf(p->why, sizeof(p->why), "%s", privilege_missing());
}

/*
 * Reads status first. A status without VmRSS belongs to a kernel thread, a zombie, or a process
 * that has just ended.
 */
static enum sight take_sample(struct reading *p, int folder, struct reader *r)
{
	enum sight sight = take(p, folder, "status", &r->status, status_read, &p->counters);

	if (sight != SIGHT_SEEN)
		return sight;
	if (p->counters.have[METRIC_STATUS_VMRSS])
		return take_identity(p, NULL, r->status.data);
	sight = take(p, folder, "stat", &r->stat, stat_read, &p->counters);
	if (sight == SIGHT_SEEN)
		sight = take_identity(p, r->stat.data, r->status.data);
	return sight == SIGHT_SEEN ? SIGHT_GONE : sight;
}

static void sample(struct reading *p, int folder, struct reader *r,
		   bool (*wanted)(const struct identity *who, const void *arg), const void *arg)
{
	int living;

	p->sight = take_sample(p, folder, r);
	if (p->sight != SIGHT_GONE && p->sight != SIGHT_UNREADABLE && !wanted(&p->who, arg))
		p->sight = SIGHT_UNWANTED;
	if (p->sight == SIGHT_SEEN)
		p->sight = take_tables(p, folder, r);
	living = open_living(p, folder);
	if (living < 0)
		return;
	sample(p, living, r, wanted, arg);
	close(living);
}

void process_sample(struct reading *p, pid_t pid, struct reader *r,
		    bool (*wanted)(const struct identity *who, const void *arg), const void *arg)
{
	int folder;

	*p = (struct reading) { .who.pid = pid, .thread = pid, .sight = SIGHT_GONE };
	folder = open_folder(pid, &p->sight);
	if (folder < 0)
		return;
	sample(p, folder, r, wanted, arg);
	close(folder);
}

/*
 * True if the thread is in interruptible sleep (S), stopped (T, t) or an idle kernel thread (I), or
 * has ended (Z, X). It is then not in the middle of changing its memory: do_exit() calls exit_mm()
 * before exit_notify() makes the thread a zombie.
 */
static bool is_at_rest(const char *stat)
{
	const char *name_end = strrchr(stat, ')');

	return name_end && name_end[1] && strchr("STtIZX", name_end[2]);
}

bool process_is_running(pid_t pid, struct reader *r)
{
	char path[64];
	struct dirent *e;
	bool running = false;
	DIR *d;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	d = opendir(path);
	if (!d)
		return true;
	while (!running && (e = readdir(d))) {
		if (e->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "task/%.20s/stat", e->d_name);
		running = text_read(&r->other, pid, path) || !is_at_rest(r->other.data);
	}
	closedir(d);
	return running;
}
