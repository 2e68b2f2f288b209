// SPDX-License-Identifier: MIT
#include "readme.h"
#include "tests/support/test.h"

static const char fence[] = "```";

bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static FILE *readme_open(void)
{
	FILE *f = fopen("README.md", "re");

	if (!f)
		fail_msg("there is no README.md: the tests run in the folder of rssck's sources");
	return f;
}

static void item_add(struct readme_items *items, const char *text, size_t len)
{
	while (len && text[len - 1] == ' ')
		len--;
	assert_true(items->nr < README_ITEMS_MAX && len < README_ITEM_MAX);
	snprintf(items->of[items->nr++], README_ITEM_MAX, "%.*s", (int)len, text);
}

/* In a block that shows output too, a command follows a prompt. */
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
	char line[1024];
	bool block = false;
	FILE *f = readme_open();

	commands->nr = 0;
	while (fgets(line, sizeof(line), f)) {
		const char *command = block ? command_in(line) : NULL;

		block ^= begins(line, fence);
		if (!command)
			continue;
		line[strcspn(line, "\n")] = '\0';

		const char *comment = strstr(command, " #");

		item_add(commands, command,
			 comment ? (size_t)(comment - command) : strlen(command));
	}
	fclose(f);
}

/* All that stands between `open` and `close` in lines outside of blocks. */
static void collect(struct readme_items *items, const char *open, const char *close)
{
	char line[4096];
	bool block = false;
	FILE *f = readme_open();

	items->nr = 0;
	while (fgets(line, sizeof(line), f)) {
		bool is_fence = begins(line, fence);

		block ^= is_fence;
		for (const char *p = line, *end; !block && !is_fence; p = end + strlen(close)) {
			p = strstr(p, open);
			end = p ? strstr(p + strlen(open), close) : NULL;
			if (!end)
				break;
			p += strlen(open);
			item_add(items, p, (size_t)(end - p));
		}
	}
	fclose(f);
}

void readme_spans(struct readme_items *spans)
{
	collect(spans, "`", "`");
}

void readme_links(struct readme_items *links)
{
	collect(links, "](", ")");
}

char *readme_block(const char *language, const char *part)
{
	char line[1024], *text = NULL;
	size_t size;
	FILE *f = readme_open(), *block = NULL;

	while (fgets(line, sizeof(line), f)) {
		if (block && begins(line, fence)) {
			fclose(block);
			block = NULL;
			if (strstr(text, part))
				break;
			free(text);
			text = NULL;
		} else if (block) {
			fputs(line, block);
		} else if (begins(line, fence) && begins(line + strlen(fence), language)) {
			block = open_memstream(&text, &size);
			assert_non_null(block);
		}
	}
	fclose(f);
	if (!text)
		fail_msg("README.md has no block of %s with '%s' in it", language, part);
	return text;
}
