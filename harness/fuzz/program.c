// SPDX-License-Identifier: MIT
/* Prints and parses programs. */
#include "program.h"
#include "base/number.h"
#include <inttypes.h>
#include <string.h>

static const char threads_word[] = "threads ";

void program_number(struct program *p)
{
	for (unsigned i = 0; i < p->nr; i++)
		p->acts[i].serial = (uint16_t)(i + 1);
}

void program_print_head(const struct program *p, FILE *out)
{
	if (p->unsettled)
		fputs("unsettled\n", out);
	if (p->threads > 1)
		fprintf(out, "%s%u\n", threads_word, p->threads);
}

void program_print(const struct program *p, FILE *out)
{
	char text[ACT_TEXT];

	if (p->seed)
		fprintf(out, "# seed %" PRIu64 "\n", p->seed);
	program_print_head(p, out);
	for (unsigned i = 0; i < p->nr; i++)
		fprintf(out, "%s\n", act_print(&p->acts[i], text));
}

static bool parse_threads(struct program *p, const char *line)
{
	size_t len = strlen(threads_word);
	uint64_t threads;

	if (strncmp(line, threads_word, len) != 0 ||
	    !number_whole(line + len, ACT_THREADS, &threads) || !threads)
		return false;
	p->threads = (unsigned)threads;
	return true;
}

static int parse_line(struct program *p, const char *line, char *why, size_t size)
{
	if (!strcmp(line, "unsettled")) {
		p->unsettled = true;
		return 0;
	}
	if (parse_threads(p, line))
		return 0;
	if (p->nr == ACT_STEPS_MAX) {
		snprintf(why, size, "more than %d steps", ACT_STEPS_MAX);
		return -1;
	}
	return act_parse(&p->acts[p->nr++], line, why, size);
}

int program_parse(struct program *p, const char *text, char *why, size_t size)
{
	unsigned number = 0;

	*p = (struct program) { .nr = 0 };
	while (*text) {
		size_t len = strcspn(text, "\n");
		char line[2 * ACT_TEXT], reason[2 * ACT_TEXT];

		snprintf(line, sizeof(line), "%.*s", (int)len, text);
		text += len + (text[len] == '\n');
		number++;
		line[strcspn(line, "#")] = '\0';
		for (size_t end = strlen(line); end && strchr(" \t\r", line[end - 1]);)
			line[--end] = '\0';
		if (!line[0] || parse_line(p, line, reason, sizeof(reason)) == 0)
			continue;
		snprintf(why, size, "line %u: %s", number, reason);
		return -1;
	}
	if (!p->nr) {
		snprintf(why, size, "it contains no operation");
		return -1;
	}
	program_number(p);
	return 0;
}
