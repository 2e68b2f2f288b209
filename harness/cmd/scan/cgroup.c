// SPDX-License-Identifier: MIT
/* rssck scan --cgroup: shows the memory of a cgroup. */
#include "base/print/words.h"
#include "machine/group.h"
#include "report/json.h"
#include "scan.h"
#include "scan/keep/remains.h"

static int show(const struct scanner_state *s, const struct memory_group *g,
		const struct remains *r)
{
	json_t *j;

	if (!s->options->json) {
		if (memory_group_text(g, stdout))
			return -1;
		if (r)
			remains_print(r, g, stdout);
		return stream_end(stdout);
	}
	j = memory_group_json(g);
	if (r && !r->moves)
		json_object_set_new(j, "after_end", remains_json(r));
	json_set_words(j, "schema", SCAN_SCHEMA);
	json_set_words(j, "shape", "cgroup");
	return json_write(j, stdout);
}

int scan_cgroup(const struct scanner_state *s)
{
	static struct memory_group g;
	struct machine_reader m;
	struct remains r;
	char why[512], unread[512];
	int status = EXIT_HOLDS;

	if (memory_group_find(&g, s->options->group_kind, s->options->group, why, sizeof(why)))
		return trouble("%s", why);
	machine_reader_open(&m, &s->host);
	if (memory_group_read(&g, &m, why, sizeof(why)))
		status = trouble("%s", why);
	else if (show(s, &g, remains_read(&r, &g, &m, unread, sizeof(unread)) ? NULL : &r))
		status = trouble("stdout: %m");
	else if (memory_group_wrong(&g))
		status = EXIT_FAILS;
	else if (!g.frames)
		status = EXIT_NOTHING;
	machine_reader_close(&m);
	memory_group_free(&g);
	return status;
}
