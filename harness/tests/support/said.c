// SPDX-License-Identifier: MIT
#include "said.h"
#include "tests/support/test.h"
#include <sys/wait.h>

const char *program(void)
{
	return getenv("RSSCK") ? getenv("RSSCK") : "./rssck";
}

int shell(char *out, size_t size, const char *format, ...)
{
	char *command;
	size_t n = 0, got;
	va_list args;
	FILE *p;
	int status;

	va_start(args, format);
	assert_true(vasprintf(&command, format, args) > 0);
	va_end(args);
	p = popen(command, "re");
	free(command);
	assert_non_null(p);
	while ((got = fread(out + n, 1, size - 1 - n, p)) > 0)
		n += got;
	out[n] = '\0';
	/* Reads the rest, so that SIGPIPE does not end the process. */
	while (fgetc(p) != EOF)
		;
	status = pclose(p);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static char out[4 << 20], command[4096];

static char *said_by(int status)
{
	int got = shell(out, sizeof(out), "%s", command);

	if (got != status)
		fail_msg("%s: exit %d, not %d\n%.4000s", command, got, status, out);
	return out;
}

char *shell_said(int status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(command, sizeof(command), format, args);
	va_end(args);
	return said_by(status);
}

static char *rssck_said_by(int status, const char *format, va_list args)
{
	int length = snprintf(command, sizeof(command), "%s ", program());

	vsnprintf(command + length, sizeof(command) - (size_t)length, format, args);
	return said_by(status);
}

char *rssck_said(int status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	rssck_said_by(status, format, args);
	va_end(args);
	return out;
}

bool is_installed(const char *program)
{
	char path[256];

	return shell(path, sizeof(path), "command -v %s", program) == 0;
}

void assert_rssck(int status, const char *part, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	rssck_said_by(status, format, args);
	va_end(args);
	if (part && !strstr(out, part))
		fail_msg("%s: no '%s' in\n%.4000s", command, part, out);
}

void assert_says(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no '%s' in:\n%.4000s", part, text);
}

void assert_says_not(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("'%s' in:\n%.4000s", part, text);
}

static struct print {
	struct print *next;
	FILE *out;
	char *text;
	size_t length;
} * prints;

static void free_prints(void)
{
	while (prints) {
		struct print *p = prints;

		prints = p->next;
		free(p->text);
		free(p);
	}
}

FILE *printing(void)
{
	struct print *p = calloc(1, sizeof(*p));

	assert_non_null(p);
	if (!prints)
		atexit(free_prints);
	p->out = open_memstream(&p->text, &p->length);
	assert_non_null(p->out);
	p->next = prints;
	prints = p;
	return p->out;
}

char *printed(FILE *out)
{
	struct print *p = prints;

	while (p && p->out != out)
		p = p->next;
	assert_non_null(p);
	assert_int_equal(fclose(out), 0);
	p->out = NULL;
	return p->text;
}
