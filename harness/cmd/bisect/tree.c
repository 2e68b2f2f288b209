// SPDX-License-Identifier: MIT
/* Over the commits of a tree: git does it, and this is only the command that it runs. */
#include "bisect.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* A bisection that is under way goes on. $0 of the inner shell is the command that builds. */
static const char script[] =
	"cd \"$1\" || exit 2\n"
	"git bisect log >/dev/null 2>&1 || git bisect start \"$3\" \"$2\" -- || exit 2\n"
	"git bisect run sh -c '(eval \"$0\") || exit 125; exec \"$1\" vm --kernel \"$2\" --bisect \"$3\"' "
	"\"$4\" \"$5\" \"$6\" \"$7\"\n"
	"status=$?\n"
	"[ -z \"$8\" ] || git bisect log >\"$8\"\n"
	"[ $status -eq 0 ] || exit 2\n";

int bisect_tree(const struct bisect_options *o)
{
	char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n < 0)
		return trouble("bisect: /proc/self/exe: %s", strerror(errno));
	self[n] = '\0';
	execlp("sh", "sh", "-c", script, "sh", o->tree, o->good, o->bad, o->build, self, o->image,
	       o->id, o->log ? o->log : "", (char *)NULL);
	return trouble("bisect: sh: %s", strerror(errno));
}
