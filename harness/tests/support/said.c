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
	/* It must not die because nobody reads its pipe. */
	while (fgetc(p) != EOF)
		;
	status = pclose(p);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
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
