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

void assert_rssck(int status, const char *part, const char *format, ...)
{
	static char out[1 << 20];
	char arguments[4096];
	va_list args;
	int got;

	va_start(args, format);
	vsnprintf(arguments, sizeof(arguments), format, args);
	va_end(args);
	got = shell(out, sizeof(out), "%s %s", program(), arguments);
	if (got != status)
		fail_msg("rssck %s: exit %d, not %d\n%.4000s", arguments, got, status, out);
	if (part && !strstr(out, part))
		fail_msg("rssck %s: no '%s' in\n%.4000s", arguments, part, out);
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
