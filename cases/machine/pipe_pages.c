// SPDX-License-Identifier: MIT
/*
 * The kernel counts the pages of a user's pipes. Each change of a pipe's size changes the count by
 * as much, and closing the pipe gives all of it back.
 */
#include <rssck/case.h>

#define SOFT "/proc/sys/fs/pipe-user-pages-soft"

/* No limit is above MOST pages. */
enum { MOST = 4096 };
STEP_SYMBOLS(PIPES);

static size_t page;
static int64_t standard; /* pages of a new pipe */

/* Root's privilege without changing the user that pays for pipes, the real one. */
static bool set_soft(int64_t pages)
{
	bool done = !seteuid(0) && workload_try_to_set_number(SOFT, pages);

	return !seteuid(WORKLOAD_UNUSED_USER) && done;
}

static int64_t pipe_size(int fd)
{
	return fcntl(fd, F_GETPIPE_SZ) / (int64_t)page;
}

static bool resize(int fd, int64_t pages)
{
	return fcntl(fd, F_SETPIPE_SZ, (int)(pages * (int64_t)page)) == pages * (int64_t)page;
}

/* A new pipe has the standard size only if the limit has room for it. */
static bool has_room(int64_t limit)
{
	int fd[2];
	bool room;

	if (!set_soft(limit) || pipe2(fd, O_CLOEXEC))
		return false;
	room = pipe_size(fd[0]) >= standard;
	close(fd[0]);
	close(fd[1]);
	return room;
}

/* Returns the user's pages, as the smallest limit that has room for a standard pipe. */
static int64_t counted(void)
{
	int64_t low = 1, high = MOST;

	while (low < high) {
		int64_t middle = (low + high) / 2;

		if (has_room(middle))
			high = middle;
		else
			low = middle + 1;
	}
	return low - standard;
}

static bool leave_it(const int *fd)
{
	return pipe_size(fd[0]) == standard;
}

static bool grow(const int *fd)
{
	return resize(fd[0], 4 * standard);
}

static bool shrink(const int *fd)
{
	return resize(fd[1], 1);
}

static bool shrink_and_grow(const int *fd)
{
	return resize(fd[0], 2) && resize(fd[1], 2 * standard) && resize(fd[0], standard / 2);
}

/* What is in the pipe does not fit. */
static bool shrink_full(const int *fd)
{
	for (int64_t i = 0; i < 2 * (int64_t)page; i++)
		if (write(fd[1], "", 1) != 1)
			return false;
	return !resize(fd[0], 1) && errno == EBUSY;
}

static bool grow_with_data(const int *fd)
{
	return write(fd[1], "", 1) == 1 && resize(fd[0], 2 * standard);
}

static bool exceed_soft(const int *fd)
{
	return set_soft(2 * standard) && !resize(fd[0], 4 * standard) && errno == EPERM;
}

/* A pipe may shrink while its user is above the limit. */
static bool shrink_above_soft(const int *fd)
{
	return resize(fd[0], 2 * standard) && set_soft(1) && resize(fd[0], standard);
}

static bool exceed_max_size(const int *fd)
{
	int64_t most = workload_number("/proc/sys/fs/pipe-max-size", NULL, 0);

	return !resize(fd[0], 2 * most / (int64_t)page) && errno == EPERM;
}

static const struct act {
	const char *name;
	bool (*act)(const int *fd);
	int64_t halves; /* of the standard size, that the pipe then has; 0: one page */
} acts[] = {
	{ "new", leave_it, 2 },
	{ "grown", grow, 8 },
	{ "grown with data", grow_with_data, 4 },
	{ "shrunk", shrink, 0 },
	{ "resized three times", shrink_and_grow, 1 },
	{ "too small for its data", shrink_full, 2 },
	{ "refused by the limit", exceed_soft, 2 },
	{ "shrunk above the limit", shrink_above_soft, 2 },
	{ "refused by max-size", exceed_max_size, 2 },
};

enum { ACTS = sizeof(acts) / sizeof(*acts), IMPOSSIBLE = 1, TOO_SMALL };

/* Shared with the child process that acts as another user. */
static struct pipe_results {
	int64_t standard;
	struct {
		int64_t done, open, closed;
	} of[ACTS];
} * results;

static int act_as_user(const struct workload *w)
{
	int64_t before;
	int fd[2];

	page = w->page_size;
	if (setresuid(WORKLOAD_UNUSED_USER, WORKLOAD_UNUSED_USER, 0) || !set_soft(0) ||
	    pipe2(fd, O_CLOEXEC))
		return IMPOSSIBLE;
	results->standard = standard = pipe_size(fd[0]);
	if (workload_number("/proc/sys/fs/pipe-max-size", NULL, 0) < 4 * standard * (int64_t)page)
		return TOO_SMALL;
	close(fd[0]);
	close(fd[1]);
	before = counted();
	for (size_t i = 0; i < ACTS; i++) {
		if (!set_soft(MOST) || pipe2(fd, O_CLOEXEC))
			return IMPOSSIBLE;
		results->of[i].done = acts[i].act(fd);
		close(fd[0]);
		results->of[i].open = counted() - before;
		close(fd[1]);
		results->of[i].closed = counted() - before;
	}
	return 0;
}

static void try_acts(struct workload *w)
{
	int64_t soft = workload_number(SOFT, NULL, -1);
	int result;

	if (soft < 0 || workload_number("/proc/sys/fs/pipe-user-pages-hard", NULL, 1))
		workload_skip(w, "pipe-user-pages-soft without pipe-user-pages-hard");
	results = workload_map_pages(w, 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1);
	result = workload_in_child(w, act_as_user);
	workload_try_to_set_number(SOFT, soft);
	if (result == IMPOSSIBLE)
		workload_skip(w, "a user of its own, and the right to change " SOFT);
	if (result == TOO_SMALL)
		workload_skip(w, "a pipe-max-size of four new pipes");
	workload_report(w, "standard", results->standard);
	for (size_t i = 0; i < ACTS; i++) {
		workload_report_of(w, acts[i].name, "done", results->of[i].done);
		workload_report_of(w, acts[i].name, "open", results->of[i].open);
		workload_report_of(w, acts[i].name, "closed", results->of[i].closed);
	}
	workload_unmap(w, results, w->page_size);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t size = trial_reported(t, PIPES, "standard");

	for (size_t i = 0; i < ACTS; i++) {
		const char *name = acts[i].name;

		judge_equal_in(j, "", PIPES, name, trial_reported_of(t, PIPES, name, "done"), 1,
			       "the call succeeds or fails as it should");
		judge_equal(j, PIPES, name, trial_reported_of(t, PIPES, name, "open"),
			    acts[i].halves ? acts[i].halves * size / 2 : 1,
			    "the user's count is the size of the pipe");
		judge_equal(j, PIPES, name, trial_reported_of(t, PIPES, name, "closed"), 0,
			    "the user's count is 0 after the pipe was closed");
	}
}

CASE(machine_pipe_pages) {
	.claim = "The pages of a user's pipes that pipe-user-pages-soft limits are the sizes of "
		 "the open pipes, after each F_SETPIPE_SZ; a refused call and closing leave "
		 "nothing behind",
	.because = "pipe_set_size() adds the difference to the user's pipe_bufs, and takes it "
		   "back if the call fails. free_pipe_info() subtracts what was added "
		   "(nr_accounted).",
	.said_by = SAID_BY("pipe(7), pipe-user-pages-soft", "fcntl(2), F_SETPIPE_SZ"),
	.needs = NEEDS("root", "guest"),
	.steps = STEPS(STEP_AS(PIPES, "resize pipes", try_acts)),
	.judge = judge,
};
