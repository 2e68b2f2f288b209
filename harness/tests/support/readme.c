// SPDX-License-Identifier: MIT
#include "readme.h"
#include "tests/support/test.h"
#include <glob.h>

static const char fence[] = "```";

/* The lines of all pages, README.md's first. */
struct lines {
	glob_t pages;
	size_t next;
	FILE *f;
	char text[4096];
	bool fence;  /* the line is itself a fence */
	bool inside; /* the line is inside a code block, or opens one */
};

bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static struct lines lines_begin(void)
{
	struct lines lines = { .next = 0 };

	if (glob("README.md", 0, NULL, &lines.pages) ||
	    glob("harness/doc/*.md", GLOB_APPEND, NULL, &lines.pages))
		fail_msg("there is no README.md: run the tests in the folder of rssck's sources");
	return lines;
}

static bool page_open(struct lines *lines)
{
	if (lines->f)
		fclose(lines->f);
	lines->f = NULL;
	lines->inside = false;
	if (lines->next == lines->pages.gl_pathc)
		return false;
	lines->f = fopen(lines->pages.gl_pathv[lines->next++], "re");
	assert_non_null(lines->f);
	return true;
}

static void lines_end(struct lines *lines)
{
	if (lines->f)
		fclose(lines->f);
	globfree(&lines->pages);
}

static bool line_next(struct lines *lines)
{
	while (!lines->f || !fgets(lines->text, sizeof(lines->text), lines->f))
		if (!page_open(lines))
			return false;
	lines->fence = begins(lines->text, fence);
	lines->inside ^= lines->fence;
	return true;
}

static void item_add(struct readme_items *items, const char *text, size_t len)
{
	while (len && text[len - 1] == ' ')
		len--;
	assert_true(items->nr < README_ITEMS_MAX && len < README_ITEM_MAX);
	snprintf(items->of[items->nr++], README_ITEM_MAX, "%.*s", (int)len, text);
}

/* Returns the command in a line. In a block that also shows output, commands follow a prompt. */
static const char *command_in(const char *line)
{
	static const char *const programs[] = { "make ", "rssck ", "./rssck ", "git " };

	if (begins(line, "$ "))
		return line + 2;
	for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++)
		if (begins(line, programs[i]))
			return line;
	return NULL;
}

void readme_commands(struct readme_items *commands)
{
	struct lines lines = lines_begin();

	commands->nr = 0;
	while (line_next(&lines)) {
		const char *command = lines.inside ? command_in(lines.text) : NULL;

		if (!command)
			continue;
		lines.text[strcspn(lines.text, "\n")] = '\0';

		const char *comment = strstr(command, " #");

		item_add(commands, command,
			 comment ? (size_t)(comment - command) : strlen(command));
	}
	lines_end(&lines);
}

/* Returns the length of the folder in a page's path, including the slash. */
static int folder_length(const char *page)
{
	const char *slash = strrchr(page, '/');

	return slash ? (int)(slash - page + 1) : 0;
}

/*
 * Collects all text between `open` and `close` outside of code blocks. A path is relative to the
 * page's folder.
 */
static void collect(struct readme_items *items, const char *open, const char *close, bool paths)
{
	struct lines lines = lines_begin();
	char item[README_ITEM_MAX];

	items->nr = 0;
	while (line_next(&lines)) {
		const char *page = lines.pages.gl_pathv[lines.next - 1];

		for (const char *p = lines.text, *end; !lines.inside && !lines.fence;
		     p = end + strlen(close)) {
			p = strstr(p, open);
			end = p ? strstr(p + strlen(open), close) : NULL;
			if (!end)
				break;
			p += strlen(open);
			snprintf(item, sizeof(item), "%.*s%.*s", paths ? folder_length(page) : 0,
				 page, (int)(end - p), p);
			item_add(items, item, strlen(item));
		}
	}
	lines_end(&lines);
}

void readme_spans(struct readme_items *spans)
{
	collect(spans, "`", "`", false);
}

void readme_links(struct readme_items *links)
{
	collect(links, "](", ")", true);
}

char *readme_block(const char *language, const char *part)
{
	struct lines lines = lines_begin();
	char *text = NULL;
	size_t size;
	FILE *block = NULL;

	while (line_next(&lines)) {
		if (block && lines.fence) {
			fclose(block);
			block = NULL;
			if (strstr(text, part))
				break;
			free(text);
			text = NULL;
		} else if (block) {
			fputs(lines.text, block);
		} else if (lines.inside && begins(lines.text + strlen(fence), language)) {
			block = open_memstream(&text, &size);
			assert_non_null(block);
		}
	}
	lines_end(&lines);
	if (!text)
		fail_msg("no page has a block of %s that contains '%s'", language, part);
	return text;
}
