// SPDX-License-Identifier: MIT
/* The output of the tools, and the screen of htop. */
#include "base/process/program.h"
#include "readers.h"
#include "tool/screen.h"
#include <rssck/tool.h>
#include <string.h>

/* The process in the recordings. */
enum { RECORDED_PID = 8190 };

void fuzz_tool(struct input in)
{
	char *text = take_text(&in);
	size_t nr;
	const struct tool *tools = tools_all(&nr);

	for (size_t i = 0; i < nr; i++) {
		struct tool_values v;
		char why[320] = "";

		must_say(tool_parse(&tools[i], RECORDED_PID, text, &v, why, sizeof(why)), why);
		must(v.nr <= TOOL_VALUES_MAX);
		for (size_t n = 0; n < v.nr; n++)
			must(tool_value(&v, v.of[n].column->name) &&
			     strlen(v.of[n].text) < TOOL_TEXT_MAX);
	}
	free(text);
}

void fuzz_screen(struct input in)
{
	struct text t = { .len = in.left, .capacity = in.left + 1 };

	t.data = take_text(&in);
	screen_draw(&t);
	must(t.len == TERMINAL_LINES * (TERMINAL_COLUMNS + 1) && strlen(t.data) == t.len);
	for (size_t i = 0; i < t.len; i++)
		must((t.data[i] == '\n') == (i % (TERMINAL_COLUMNS + 1) == TERMINAL_COLUMNS));
	text_free(&t);
}
