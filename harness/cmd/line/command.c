// SPDX-License-Identifier: MIT
/* Messages and checks that all commands share. */
#include "base/number.h"
#include "options.h"
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *const option_formats[] = { "text", "ktap", "junit", "json", NULL };
static const char *const json_formats[] = { "text", "json", NULL };
static const char *const colours[] = { "auto", "always", "never", NULL };

int usage_error(const char *command, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "rssck%s%s: ", command ? " " : "", command ? command : "");
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "\nTry 'rssck help%s%s'.\n", command ? " " : "", command ? command : "");
	return EXIT_TROUBLE;
}

int option_choice(const char *command, const char *option, const char *word,
		  const char *const *list, int *choice)
{
	for (int i = 0; list[i]; i++) {
		if (!strcmp(word, list[i])) {
			*choice = i;
			return 0;
		}
	}
	char words[256] = "";
	size_t len = 0;

	for (int i = 0; list[i] && len < sizeof(words); i++)
		len += (size_t)snprintf(words + len, sizeof(words) - len, "%s%s",
					!i            ? ""
					: list[i + 1] ? ", "
						      : " or ",
					list[i]);
	usage_error(command, "--%s cannot be '%s'; it can be %s", option, word, words);
	return -1;
}

int option_number(const char *command, const char *option, const char *word, unsigned most,
		  unsigned *number)
{
	uint64_t value;

	if (number_whole(word, most, &value) && value) {
		*number = (unsigned)value;
		return 0;
	}
	if (most == INT_MAX)
		usage_error(command, "--%s takes a number of at least 1, not '%s'", option, word);
	else
		usage_error(command, "--%s takes a number from 1 to %u, not '%s'", option, most,
			    word);
	return -1;
}

int option_watch(const char *command, const char *word, double *seconds)
{
	enum { USUALLY = 2 };
	char *end = NULL;

	*seconds = word ? strtod(word, &end) : USUALLY;
	if (*seconds >= 0.01 && *seconds <= 86400 && (!word || !*end))
		return 0;
	usage_error(command, "--watch takes a number of seconds from 0.01 to 86400, not '%s'",
		    word);
	return -1;
}

int trouble(const char *format, ...)
{
	va_list args;

	fputs("rssck: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return EXIT_TROUBLE;
}

const char *const *option_choices(const struct option_row *row)
{
	if (row->kind == OPTION_FORMAT)
		return json_formats;
	return row->kind == OPTION_COLOUR ? colours : row->choices;
}
