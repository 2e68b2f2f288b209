// SPDX-License-Identifier: MIT
/* rssck scan: the audit of live processes. */
#include "scan.h"
#include "base/number.h"
#include "base/print/words.h"
#include "cmd/line/command.h"
#include "report/json.h"
#include "scan/audit/measure.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int scan_status(enum audit_verdict v)
{
	if (v == AUDIT_OFF)
		return EXIT_FAILS;
	return v == AUDIT_UNSEEN ? EXIT_NOTHING : EXIT_HOLDS;
}

/* Trouble, then a finding; nothing is only left where there is nothing else. */
int scan_worse(int a, int b)
{
	if (a == EXIT_TROUBLE || b == EXIT_TROUBLE)
		return EXIT_TROUBLE;
	if (a == EXIT_FAILS || b == EXIT_FAILS)
		return EXIT_FAILS;
	return a == EXIT_NOTHING ? b : a;
}

/* A whole number above 0, or -1. */
static pid_t pid_of(const char *word)
{
	uint64_t n;

	return number_whole(word, INT32_MAX, &n) && n ? (pid_t)n : -1;
}

static int check_words(char **words)
{
	for (; *words; words++)
		if (pid_of(*words) < 0)
			return usage_error("scan",
					   "'%s' is not the number of a process (programs by name: "
					   "--name=PROGRAM)",
					   *words);
	return EXIT_HOLDS;
}

static int write_json(struct scanner_state *s, json_t *list)
{
	json_t *root = json_object(), *kernel = json_object();

	json_set_words(root, "schema", SCAN_SCHEMA);
	json_set_words(root, "shape", "processes");
	json_set_words(kernel, "release", s->host.release);
	json_set_number(kernel, "page_size", s->host.page_size);
	json_set_number(kernel, "cpus", s->host.cpus);
	json_object_set_new(root, "kernel", kernel);
	json_object_set_new(root, "processes", list);
	return json_write(root, stdout);
}

static int scan_one_file(struct scanner_state *s)
{
	json_t *root = s->options->json ? json_object() : NULL;
	int status;

	if (root) {
		json_set_words(root, "schema", SCAN_SCHEMA);
		json_set_words(root, "shape", "file");
	}
	status = scan_file(s, root);
	if (root && status != EXIT_TROUBLE && json_write(json_incref(root), stdout))
		status = trouble("stdout: %m");
	json_decref(root);
	return stream_end(stdout) ? trouble("stdout: %m") : status;
}

static int scan_words(struct scanner_state *s, char **words)
{
	bool json = s->options->json;
	json_t *list = json ? json_array() : NULL;
	int status = EXIT_NOTHING;

	for (char **w = words; *w; w++) {
		if (w != words && !json)
			putchar('\n');
		status = scan_worse(status, scan_process(s, pid_of(*w), list));
	}
	if (json && write_json(s, list))
		return trouble("stdout: %m");
	return stream_end(stdout) ? trouble("stdout: %m") : status;
}

static int scan(struct scanner_state *s, char **words)
{
	const struct scan_options *o = s->options;

	if (o->all)
		return scan_census(s);
	if (!o->no_model && *words)
		measure(&s->measured);
	if (!*words)
		return scan_one_file(s);
	return o->watch ? scan_watch(s, pid_of(words[0])) : scan_words(s, words);
}

int cmd_scan(int argc, char **argv)
{
	struct scan_options o;
	struct scanner_state s = { .options = &o };
	int first = scan_options_parse(&o, argc, argv), status;
	char why[512];

	if (first <= 0)
		return first ? EXIT_TROUBLE : EXIT_HOLDS;
	status = check_words(argv + first);
	if (status != EXIT_HOLDS)
		return status;
	if (host_probe(&s.host, why, sizeof(why)))
		return trouble("%s", why);
	status = scan(&s, argv + first);
	reader_free(&s.reader);
	host_close(&s.host);
	return status;
}
