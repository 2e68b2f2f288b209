// SPDX-License-Identifier: MIT
/* rssck scan --watch: reads one process repeatedly. */
#include "base/print/json.h"
#include "base/print/words.h"
#include "cmd/line/command.h"
#include "scan.h"
#include <signal.h>
#include <time.h>
#include <unistd.h>

/* The signals that end the watch. They are blocked, and sigtimedwait(2) waits for them. */
static sigset_t ends(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	return set;
}

/* Returns true if one of the signals has arrived. */
static bool wait_seconds(const sigset_t *set, double seconds)
{
	struct timespec t = { .tv_sec = (time_t)seconds };

	t.tv_nsec = (long)((seconds - (double)t.tv_sec) * 1e9);
	return sigtimedwait(set, NULL, &t) > 0;
}

static int show(const struct scanner_state *s, const struct audit *a, const struct reading *p,
		bool redraw)
{
	if (s->options->json) {
		json_t *j = audit_json(a, p, &s->measured);

		json_set_words(j, "schema", SCAN_SCHEMA);
		json_set_words(j, "shape", "process");
		json_dumpf(j, stdout, JSON_COMPACT | JSON_ENSURE_ASCII);
		putchar('\n');
		json_decref(j);
	} else if (redraw) {
		fputs("\033[H\033[2J", stdout);
		scan_show_audit(a, p, s);
		printf("\nEvery %g s; Ctrl-C ends.\n", s->options->watch);
	} else {
		audit_print_line(a, p, stdout);
	}
	return stream_end(stdout);
}

int scan_watch(struct scanner_state *s, pid_t pid)
{
	bool redraw = isatty(STDOUT_FILENO) && !s->options->json;
	sigset_t set = ends(), before;
	int status = EXIT_NOTHING;
	uint64_t started = 0;

	sigprocmask(SIG_BLOCK, &set, &before);
	for (;;) {
		struct reading p;
		struct audit a;

		audit_process(&a, &p, pid, &s->reader, &s->measured, s->host.page_size);
		if (p.sight == SIGHT_GONE && !started) {
			status = trouble("there is no process %d", pid);
			break;
		}
		/* The PID may belong to another process now. */
		if (p.sight == SIGHT_SEEN && started && started != p.who.started)
			p.sight = SIGHT_GONE;
		if (p.sight != SIGHT_SEEN) {
			if (!s->options->json)
				puts(a.sentence);
			break;
		}
		started = p.who.started;
		status = scan_worse(status, scan_status(a.verdict));
		if (show(s, &a, &p, redraw)) {
			status = trouble("stdout: %m");
			break;
		}
		if (wait_seconds(&set, s->options->watch))
			break;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return stream_end(stdout) && status != EXIT_TROUBLE ? trouble("stdout: %m") : status;
}
