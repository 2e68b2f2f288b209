// SPDX-License-Identifier: MIT
/* Three colours (green, yellow, red), in the terminal's own shades. */
#include "style.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool style_is_wanted(FILE *out)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(fileno(out)) && !(no && *no) && !(term && !strcmp(term, "dumb"));
}

void style_begin(enum style s, FILE *out, bool colour)
{
	static const char *const codes[] = {
		[STYLE_GOOD] = "\033[32m",
		[STYLE_NOTED] = "\033[33m",
		[STYLE_BAD] = "\033[31m",
	};

	if (colour)
		fputs(codes[s], out);
}

void style_end(FILE *out, bool colour)
{
	if (colour)
		fputs("\033[0m", out);
}
