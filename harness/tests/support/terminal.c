// SPDX-License-Identifier: MIT
#include "terminal.h"
#include "said.h"
#include "tests/support/test.h"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

enum { LIMIT_MS = 60000, LINES = 24, WORDS_MAX = 16 };

static void run(const char *name, unsigned short columns, const char *words)
{
	struct winsize size = { .ws_row = LINES, .ws_col = columns };
	char *argv[WORDS_MAX] = { (char[]) { "rssck" } }, *rest = strdup(words);
	int fd;

	setsid();
	fd = open(name, O_RDWR);
	ioctl(fd, TIOCSWINSZ, &size);
	for (int i = 0; i < 3; i++)
		dup2(fd, i);
	for (size_t i = 1; i < WORDS_MAX - 1 && rest; i++)
		argv[i] = strsep(&rest, " ");
	/* These signals are ignored if the test runs in the background. */
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	execv(program(), argv);
	_exit(127);
}

void terminal_start(struct on_terminal *r, unsigned short columns, const char *words)
{
	*r = (struct on_terminal) { .terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC) };
	assert_true(r->terminal >= 0);
	assert_int_equal(grantpt(r->terminal) | unlockpt(r->terminal), 0);
	r->pid = fork();
	if (r->pid == 0)
		run(ptsname(r->terminal), columns, words);
	assert_true(r->pid > 0);
}

bool terminal_shows(struct on_terminal *r, const char *part)
{
	struct pollfd p = { .fd = r->terminal, .events = POLLIN };
	size_t from = r->length;

	while (r->length < sizeof(r->said) - 1 && poll(&p, 1, LIMIT_MS) > 0) {
		ssize_t n = read(r->terminal, r->said + r->length, sizeof(r->said) - 1 - r->length);

		if (n <= 0)
			return false;
		r->length += (size_t)n;
		r->said[r->length] = '\0';
		if (strstr(r->said + from, part))
			return true;
	}
	return false;
}

int terminal_end(struct on_terminal *r)
{
	int status = 0;

	while (terminal_shows(r, "never said"))
		;
	assert_int_equal(waitpid(r->pid, &status, 0), r->pid);
	close(r->terminal);
	return status;
}

/* Returns the end of the escape sequence that begins at `at`: "\033[1;31m". */
static const char *after_escape(const char *at)
{
	at += at[1] == '[' ? 2 : 1;
	at += strspn(at, "0123456789;");
	return *at ? at + 1 : at;
}

char *terminal_text(const struct on_terminal *r)
{
	char *text = malloc(r->length + 1), *to = text, *line = text;

	assert_non_null(text);
	for (const char *at = r->said; *at;) {
		if (*at == '\033') {
			at = after_escape(at);
		} else if (*at == '\r' && at[1] != '\n') {
			to = line;
			at++;
		} else if (*at == '\r') {
			at++;
		} else {
			*to++ = *at++;
			line = to[-1] == '\n' ? to : line;
		}
	}
	*to = '\0';
	return text;
}

size_t widest_line(const char *text)
{
	size_t widest = 0, columns = 0;

	for (; *text; text++) {
		if (*text == '\n')
			columns = 0;
		else
			columns += (*text & 0xc0) != 0x80;
		widest = columns > widest ? columns : widest;
	}
	return widest;
}
