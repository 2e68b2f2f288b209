// SPDX-License-Identifier: MIT
/* Runs git and builds in a kernel's tree. */
#include "base/process/program.h"
#include "bisect.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The time limit is long, because a build may take hours on a small machine. */
enum { BUILD_LIMIT_S = 24 * 60 * 60 };

const char tree_checkout[] = "git checkout -q \"$1\" --";
/* Prints only the last lines of a failed build's output, which usually say why it failed. */
static const char
	build[] = "said=$(eval \"$1\" 2>&1) || { printf '%s\\n' \"$said\" | tail -n 20; exit 1; }";

char *run_in_tree(const struct bisect_options *o, const char *script, const char *one,
		  const char *other, char why[1024])
{
	char all[512];
	char *argv[] = { (char[]) { "/bin/sh" },
			 (char[]) { "-c" },
			 all,
			 (char *)o->tree,
			 (char *)one,
			 (char *)other,
			 NULL };
	const struct program p = {
		.argv = argv, .inherits = true, .must_succeed = true, .limit_s = BUILD_LIMIT_S
	};
	struct text out = { .data = NULL };

	snprintf(all, sizeof(all), "cd \"$0\" || exit; %s", script);
	if (program_output(&p, &out, why, 1024)) {
		text_free(&out);
		return NULL;
	}
	return out.data;
}

int tree_build(struct candidate *k, const struct bisect_options *o)
{
	char why[1024], *said = run_in_tree(o, tree_checkout, k->row, NULL, why);

	if (!said)
		return trouble("bisect: %s: %s", o->tree, why), -1;
	free(said);
	said = run_in_tree(o, build, o->build, NULL, why);
	for (size_t end = said ? 0 : strlen(why); end && why[end - 1] == '\n';)
		why[--end] = '\0';
	if (!said)
		trouble("bisect: %.*s: %s", COMMIT_CHARS, k->row, why);
	if (!said || access(k->image, R_OK))
		snprintf(k->result, sizeof(k->result),
			 said ? "?the build made no %.300s" : "?the build failed", o->image);
	free(said);
	return 0;
}
