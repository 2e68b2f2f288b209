// SPDX-License-Identifier: MIT
/* What help says of a command, in lines that fit the terminal. */
#include "base/print/prose.h"
#include "command.h"
#include <stdlib.h>
#include <string.h>

static bool is_item(const char *line)
{
	return !strncmp(line, "  ", 2) && line[2] != ' ';
}

/* Where a block ends: at an empty line, at the next item, or where the text does. */
static const char *block_end(const char *text)
{
	const char *newline;

	while ((newline = strchr(text, '\n'))) {
		text = newline + 1;
		if (*text == '\n' || is_item(text))
			break;
	}
	return newline ? text : text + strlen(text);
}

/* "  --format=FORMAT    text (the default) or json": the first run of blanks parts them. */
static void put_item(const struct prose *p, char *item)
{
	char *gap = strstr(item + 2, "  "), *text = gap;

	while (text && *text == ' ')
		text++;
	if (!text) {
		prose_text(p, 2, "%s", item);
		return;
	}
	*gap = '\0';
	prose_hanging(p, item, (unsigned)(text - item), text);
}

static void put_blocks(const struct prose *p, const char *text)
{
	for (const char *end; *text; text = end) {
		end = block_end(text);

		char *block = strndup(text, (size_t)(end - text));

		if (block && *text == '\n')
			putc('\n', p->out);
		if (block && is_item(text))
			put_item(p, block);
		else if (block && strcmp(block, "\n"))
			prose_text(p, 0, "%s", block);
		free(block);
	}
}

void command_help(const struct command *c, FILE *out)
{
	struct prose p = prose_to(out);

	prose_text(&p, 0, "usage: rssck %s %s", c->name, c->usage);
	putc('\n', out);
	prose_text(&p, 0, "rssck %s: %s.", c->name, c->help);
	if (!c->options)
		return;
	putc('\n', out);
	put_blocks(&p, c->options);
}
