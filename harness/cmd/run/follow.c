// SPDX-License-Identifier: MIT
/*
 * Waits for the next audit, for a request ($RSSCK_MARK), or for the end of the command, whichever
 * comes first.
 */
#include "audit/report.h"
#include "base/clock.h"
#include "run.h"
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum { FIRST_MS = 10 };

/*
 * Signals that would end rssck are passed on to the command. When the command has ended, rssck
 * writes its report.
 */
static const int passed_on[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };

enum { NR_PASSED_ON = sizeof(passed_on) / sizeof(*passed_on) };

static int signals_open(sigset_t *before)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	for (int i = 0; i < NR_PASSED_ON; i++)
		sigaddset(&set, passed_on[i]);
	sigprocmask(SIG_BLOCK, &set, before);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/*
 * Passes signals on to the command, except a Ctrl-C on the terminal, which the kernel sends to the
 * whole process group.
 */
static void take_signals(int fd, pid_t command)
{
	struct signalfd_siginfo info;

	while (read(fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		if (info.ssi_signo != SIGCHLD && info.ssi_code != SI_KERNEL && command)
			kill(command, (int)info.ssi_signo);
}

/* Reads the first line of a request. Returns false if there is none. */
static bool take_mark(int fd, char *mark, size_t size)
{
	char text[4096];
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (n <= 0)
		return false;
	text[n] = '\0';
	text[strcspn(text, "\n")] = '\0';
	snprintf(mark, size, "%.*s", (int)size - 1, text[0] ? text : "mark");
	return true;
}

struct clock {
	double step; /* the time until the next audit in ms; it grows up to --every */
	int64_t due;
};

/* The earliest time at which the program may be stopped for `more` ms without exceeding --held. */
static int64_t affordable_at(const struct auditor *a, const struct run_options *o, double more)
{
	return a->started_ms + (int64_t)(((double)a->held_us / 1000 + more) * 100 / o->held);
}

/*
 * Allows for an audit that takes twice as long as the last, because the program may grow meanwhile.
 */
static void clock_next(struct clock *c, const struct auditor *a, const struct run_options *o)
{
	double last = a->nr_points ? (double)a->points[a->nr_points - 1].held_us / 1000 : 0;
	int64_t affordable = affordable_at(a, o, 2 * last);

	c->step = 2 * c->step < o->every * 1000 ? 2 * c->step : o->every * 1000;
	c->due = now_ms() + (int64_t)c->step;
	if (c->due < affordable)
		c->due = affordable;
}

static void audit(struct auditor *a, const char *mark, bool verbose)
{
	size_t before = a->nr_points;
	char line[128];

	auditor_audit(a, mark);
	if (!verbose || a->nr_points == before)
		return;
	audit_line(&a->points[a->nr_points - 1], line, sizeof(line));
	fprintf(stderr, "rssck: %s\n", line);
}

/* Audits processes that end. When the time of --held is used up, such a process is not audited. */
static void audit_ends(struct auditor *a, const struct run_options *o)
{
	struct traced who;

	while (tree_next_end(&a->tree, &who)) {
		if (now_ms() >= affordable_at(a, o, 0))
			auditor_audit_end(a, &who);
		else
			a->unseen[UNSEEN_ENDS]++;
		tree_let_end(&a->tree, who.pid);
	}
}

void run_follow(struct auditor *a, const struct started *s, const struct run_options *o)
{
	struct clock c = { .step = FIRST_MS, .due = now_ms() };
	bool verbose = !o->quiet && isatty(STDERR_FILENO);
	struct pollfd p[] = { { .fd = -1, .events = POLLIN }, { .fd = s->mark, .events = POLLIN } };
	sigset_t before;
	char mark[32];

	p[0].fd = signals_open(&before);
	for (;;) {
		int64_t left = c.due - now_ms();

		tree_reap(&a->tree);
		audit_ends(a, o);
		if (!a->tree.command)
			break;
		if (left > 0 && poll(p, 2, left > INT32_MAX ? INT32_MAX : (int)left) > 0) {
			take_signals(p[0].fd, a->tree.command);
			if (!take_mark(s->mark, mark, sizeof(mark)))
				continue;
			audit(a, mark, verbose);
		} else if (left > 0) {
			continue;
		} else {
			audit(a, "", verbose);
		}
		clock_next(&c, a, o);
	}
	a->ended_ms = now_ms();
	close(p[0].fd);
	sigprocmask(SIG_SETMASK, &before, NULL);
}
