// SPDX-License-Identifier: MIT
/* One loop reads QEMU's three pipes, handles signals, and checks the time limits. */
#include "base/clock.h"
#include "base/print/ticker.h"
#include "clean.h"
#include "qemu.h"
#include "vm/frame.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

enum {
	CONSOLE_MAX = 1 << 20,
	JOURNAL_MAX = 64 << 20,
	PIECE = 65536,
	TICK_MS = 100,
	LINGER_MS = 3000
};
enum { CONSOLE, RESULTS, ERRORS, SIGNALS, NR_POLLED };

struct watch {
	struct vm_outcome *out;
	const struct vm_options *options;
	const struct limits *limits;
	struct frames frames;
	struct ticker ticker;
	double ticked; /* the time at which the progress line was last written */
	char last[80]; /* the last line of the guest's text; may be incomplete */
	struct clean text, error;
	pid_t qemu;
	double started;
	bool ended;
	char piece[PIECE];
};

static double now(void)
{
	return (double)now_ms() / 1000;
}

static void end(struct watch *w, enum vm_end how)
{
	if (!w->ended)
		w->out->end = how;
	w->ended = true;
}

/* Appends printable ASCII to a NUL-terminated text, and keeps only the end of the text. */
static void text_append(char **text, size_t *length, char *piece, size_t more)
{
	char *grown;

	clean_ascii(piece, more);
	if (*length + more > CONSOLE_MAX && *length > CONSOLE_MAX / 2) {
		memmove(*text, *text + *length - CONSOLE_MAX / 2, CONSOLE_MAX / 2);
		*length = CONSOLE_MAX / 2;
	}
	grown = realloc(*text, *length + more + 1);
	if (!grown)
		return;
	memcpy(grown + *length, piece, more);
	*text = grown;
	*length += more;
	grown[*length] = '\0';
}

static void payload_copy(char *to, size_t size, const struct frame *f)
{
	snprintf(to, size, "%.*s", (int)f->length, f->data);
	clean_ascii(to, strlen(to));
}

static void journal_take(struct watch *w, const struct frame *f)
{
	struct vm_outcome *out = w->out;
	char *more = NULL;

	if (out->journal_length + f->length <= JOURNAL_MAX)
		more = realloc(out->journal, out->journal_length + f->length + 1);
	if (!more) {
		end(w, VM_GARBLED);
		return;
	}
	memcpy(more + out->journal_length, f->data, f->length);
	out->journal = more;
	out->journal_length += f->length;
}

static void exit_take(struct watch *w, const struct frame *f)
{
	char number[16];

	payload_copy(number, sizeof(number), f);
	w->out->status = atoi(number);
	end(w, VM_DONE);
}

/* Keeps the last line of the text without its colours, because the line may be cut off anywhere. */
static void last_line_keep(struct watch *w, const char *text, size_t length)
{
	const char *stop = text + length, *from;
	size_t used = 0;

	while (stop > text && stop[-1] == '\n')
		stop--;
	for (from = stop; from > text && from[-1] != '\n'; from--)
		;
	while (from < stop && used + 1 < sizeof(w->last)) {
		const char *end = *from == '\033' ? memchr(from, 'm', stop - from) : NULL;

		if (!end)
			w->last[used++] = *from;
		from = end ? end + 1 : from + 1;
	}
	w->last[used] = '\0';
}

static void progress_show(struct watch *w)
{
	double seconds = now() - w->started;

	if (w->ticker.shown && seconds - w->ticked < 0.2)
		return;
	ticker_show(&w->ticker, "%5.1f s  %s", seconds,
		    !w->out->booted ? "booting"
		    : w->last[0]    ? w->last
				    : "checking");
	w->ticked = seconds;
}

static void text_take(struct watch *w, const struct frame *f, struct clean *c, FILE *to)
{
	char fit[1024 + CLEAN_PENDING_MAX];
	size_t nr, length;

	if (to)
		ticker_clear(&w->ticker);
	for (size_t at = 0; at < f->length; at += nr) {
		nr = f->length - at < 1024 ? f->length - at : 1024;
		length = clean_text(c, f->data + at, nr, fit);
		last_line_keep(w, fit, length);
		if (to)
			fwrite(fit, 1, length, to);
	}
	if (to)
		fflush(to);
}

static void frame_take(struct watch *w, const struct frame *f)
{
	if (!strcmp(f->kind, FRAME_HELLO)) {
		payload_copy(w->out->release, sizeof(w->out->release), f);
		w->out->booted = true;
		w->out->boot_s = now() - w->started;
	} else if (!strcmp(f->kind, FRAME_TEXT)) {
		text_take(w, f, &w->text, w->options->text);
	} else if (!strcmp(f->kind, FRAME_ERROR)) {
		text_take(w, f, &w->error, stderr);
	} else if (!strcmp(f->kind, FRAME_JOURNAL)) {
		journal_take(w, f);
	} else if (!strcmp(f->kind, FRAME_FAIL)) {
		payload_copy(w->out->failure, sizeof(w->out->failure), f);
		end(w, VM_FAILED);
	} else if (!strcmp(f->kind, FRAME_EXIT)) {
		exit_take(w, f);
	}
}

static void results_take(struct watch *w, size_t length)
{
	struct frame frame;
	int more = -1;

	if (!frames_add(&w->frames, w->piece, length))
		while (!w->ended && (more = frame_next(&w->frames, &frame)) > 0)
			frame_take(w, &frame);
	if (!w->ended && more < 0)
		end(w, VM_GARBLED);
}

/* Reads from a pipe that has data. A pipe at its end is no longer polled. */
static void pipe_take(struct watch *w, struct pollfd *polled, int which)
{
	ssize_t got = read(polled->fd, w->piece, sizeof(w->piece));

	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (got <= 0)
		polled->fd = -1;
	else if (which == CONSOLE)
		text_append(&w->out->console, &w->out->console_length, w->piece, got);
	else if (which == ERRORS)
		text_append(&w->out->errors, &w->out->errors_length, w->piece, got);
	else
		results_take(w, got);
}

static void signal_take(struct watch *w, int fd)
{
	struct signalfd_siginfo info;

	if (read(fd, &info, sizeof(info)) != sizeof(info))
		return;
	w->out->signal = info.ssi_signo;
	end(w, VM_SIGNAL);
}

/*
 * The time that the machine has used for booting: QEMU's CPU time, because a busy host may delay
 * QEMU. A machine that hangs may use no CPU time, so at least a third of the elapsed time is
 * counted.
 */
static double boot_time(const struct watch *w, double passed)
{
	struct timespec t = { 0 };
	clockid_t clock;

	if (!clock_getcpuclockid(w->qemu, &clock))
		clock_gettime(clock, &t);
	return t.tv_sec > passed / 3 ? t.tv_sec : passed / 3;
}

static void limits_check(struct watch *w)
{
	double passed = now() - w->started, booting = boot_time(w, passed);

	if (passed > w->limits->run)
		end(w, w->out->booted ? VM_TIMEOUT : VM_UNBOOTED);
	else if (!w->out->booted && booting > w->limits->boot)
		end(w, VM_UNBOOTED);
	else if (!w->out->booted && !w->out->console_length && booting > w->limits->silence)
		end(w, VM_SILENT);
}

static void poll_once(struct watch *w, struct pollfd *polled, int timeout_ms)
{
	if (poll(polled, NR_POLLED, timeout_ms) <= 0)
		return;
	for (int i = CONSOLE; i <= ERRORS; i++)
		if (polled[i].revents)
			pipe_take(w, &polled[i], i);
	if (polled[SIGNALS].revents)
		signal_take(w, polled[SIGNALS].fd);
}

/* True if QEMU has ended: its ends of the serial ports are closed. */
static bool has_exited(const struct pollfd *polled)
{
	return polled[CONSOLE].fd < 0 && polled[RESULTS].fd < 0;
}

/*
 * Waits a moment for the guest to power off before it is killed, because its last lines, perhaps a
 * panic, may not have reached the console yet.
 */
static void linger(struct watch *w, struct pollfd *polled)
{
	double until = now() + LINGER_MS / 1e3;

	while (!has_exited(polled) && !w->out->signal && now() < until)
		poll_once(w, polled, TICK_MS);
}

static void loop(struct watch *w, struct qemu *q, int signals)
{
	struct pollfd polled[NR_POLLED] = {
		[CONSOLE] = { .fd = q->console, .events = POLLIN },
		[RESULTS] = { .fd = q->results, .events = POLLIN },
		[ERRORS] = { .fd = q->errors, .events = POLLIN },
		[SIGNALS] = { .fd = signals, .events = POLLIN },
	};

	while (!w->ended) {
		poll_once(w, polled, TICK_MS);
		if (!w->ended && has_exited(polled)) {
			/* QEMU's last message may arrive after the ports are closed */
			poll_once(w, polled, TICK_MS);
			end(w, VM_EXITED);
		}
		if (!w->ended)
			limits_check(w);
		progress_show(w);
	}
	if (w->out->end == VM_DONE || w->out->end == VM_FAILED || w->out->end == VM_GARBLED)
		linger(w, polled);
}

int watch(struct vm_outcome *out, struct qemu *q, const struct vm_options *o,
	  const struct limits *limits, char *why, size_t size)
{
	struct watch *w = calloc(1, sizeof(*w));
	sigset_t stops, before;
	int signals;

	sigemptyset(&stops);
	sigaddset(&stops, SIGINT);
	sigaddset(&stops, SIGTERM);
	sigaddset(&stops, SIGHUP);
	sigprocmask(SIG_BLOCK, &stops, &before);
	signals = signalfd(-1, &stops, SFD_CLOEXEC);
	if (!w || signals < 0) {
		snprintf(why, size, "signalfd: %s", strerror(errno));
	} else {
		w->out = out;
		w->options = o;
		w->text.colour = o->colour;
		w->limits = limits;
		w->qemu = q->pid;
		w->started = now();
		ticker_open(&w->ticker);
		loop(w, q, signals);
		ticker_close(&w->ticker);
		out->run_s = now() - w->started;
		frames_free(&w->frames);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	free(w);
	if (signals < 0)
		return -1;
	close(signals);
	return w ? 0 : -1;
}
