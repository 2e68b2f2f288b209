// SPDX-License-Identifier: MIT
/* rssck scan PID: scans one process, with the requested details. */
#include "base/print/fit.h"
#include "base/print/json.h"
#include "base/print/words.h"
#include "cmd/line/command.h"
#include "scan.h"
#include <stdlib.h>

/*
 * The best way in which a mapping matches `what`: an address is better than a name, and a name is
 * better than a part of a name.
 */
static enum meant best_meant(const struct snapshot *s, const char *what)
{
	enum meant best = MEANT_NOT;

	for (size_t i = 0; i < s->nr_maps; i++) {
		enum meant meant = mapping_is_meant(&s->maps[i], what);

		best = meant > best ? meant : best;
	}
	return best;
}

static void print_found(const struct run *r, void *arg)
{
	run_print(r, arg);
}

static void append_found(const struct run *r, void *arg)
{
	json_array_append_new(arg, run_json(r));
}

static int pages_of(const struct scanner_state *s, const struct mapping *m, pid_t pid, json_t *runs)
{
	char why[200];

	if (!runs) {
		printf("%llx-%llx ", (unsigned long long)m->start, (unsigned long long)m->end);
		line_put(m->name[0] ? m->name : "[anonymous]", stdout);
		putchar('\n');
		run_print_title(stdout);
	}
	if (runs_walk(m, pid, &s->host, runs ? append_found : print_found,
		      runs ? (void *)runs : stdout, why, sizeof(why)))
		return trouble("%s", why);
	if (!runs)
		putchar('\n');
	return EXIT_HOLDS;
}

static int show_pages(const struct scanner_state *s, const struct snapshot *smaps, json_t *process)
{
	const char *what = s->options->detail.pages;
	enum meant best = best_meant(smaps, what);
	json_t *runs = process ? json_array() : NULL;
	int status = EXIT_HOLDS;

	if (process)
		json_object_set_new(process, "pages", runs);
	if (best == MEANT_NOT)
		return trouble("process %d has no mapping at or called '%s' (see --maps)",
			       smaps->pid, what);
	for (size_t i = 0; i < smaps->nr_maps && status == EXIT_HOLDS; i++)
		if (mapping_is_meant(&smaps->maps[i], what) == best)
			status = pages_of(s, &smaps->maps[i], smaps->pid, runs);
	if (!process && !s->host.sees_pfns)
		puts("Only root can see page frames and how often each frame is mapped.\n");
	return status;
}

static void show_json(const struct scanner_state *s, const struct detail *d, json_t *process)
{
	if (s->options->detail.maps)
		json_object_set_new(process, "mappings", files_json(&d->files));
	if (d->mapcounts) {
		json_object_set_new(process, "sharers", mapcounts_json(d->mapcounts, &d->files));
		json_object_set_new(process, "shares_with", sharers_of_frames_json(&d->with));
	}
	if (d->has_ending)
		json_object_set_new(process, "end_gives_back", ending_json(&d->ending));
	json_object_set_new(process, "mappings_moving", json_boolean(d->moved));
}

static void show_text(const struct scanner_state *s, const struct detail *d, int64_t pss)
{
	struct fitted f;

	fitted_begin(&f, stdout);
	putc('\n', f.to);
	if (s->options->detail.maps)
		files_print(&d->files, f.to);
	if (d->mapcounts) {
		mapcounts_print(d->mapcounts, &d->files, pss, s->host.page_size, f.to);
		sharers_of_frames_print(&d->with, s->host.page_size, f.to);
	} else if (s->options->detail.sharers)
		fprintf(f.to, "The number of processes that map its pages is not visible: %s.\n\n",
			d->why);
	if (d->has_ending) {
		ending_print(&d->ending, "this process", f.to);
		putc('\n', f.to);
	}
	if (d->moved)
		fputs("The process's memory changed while its mappings were read, so these numbers are "
		      "from several moments and not exact.\n\n",
		      f.to);
	fitted_end(&f);
}

/* A snapshot of only the matching mappings. It owns only the list. */
static struct snapshot meant_alone(const struct snapshot *s, const char *what, enum meant best)
{
	struct snapshot alone = { .pid = s->pid };

	alone.maps = calloc(s->nr_maps + 1, sizeof(*alone.maps));
	for (size_t i = 0; alone.maps && i < s->nr_maps; i++)
		if (mapping_is_meant(&s->maps[i], what) == best)
			alone.maps[alone.nr_maps++] = s->maps[i];
	return alone;
}

static int find_frame_sharers(struct sharers *with, const struct snapshot *alone,
			      const struct host *h, char *why, size_t size)
{
	struct shared_frames shared = { .nr = 0 };
	struct files f;
	struct mapcounts *of;
	int failed;

	files_make(&f, alone, false);
	of = calloc(f.nr + 1, sizeof(*of));
	snprintf(why, size, "out of memory");
	failed = !of || mapcounts_read(of, alone, &f, h, &shared, why, size) ||
		 sharers_of_frames(with, alone, &f, &shared, h, why, size);
	free(shared.of);
	free(of);
	files_free(&f);
	return failed ? -1 : 0;
}

static int show_frame_sharers(const struct scanner_state *s, const struct snapshot *alone,
			      json_t *process)
{
	struct sharers with;
	char why[200];

	if (find_frame_sharers(&with, alone, &s->host, why, sizeof(why)))
		return trouble("%s", why);
	if (process) {
		json_object_set_new(process, "shares_with", sharers_of_frames_json(&with));
	} else {
		struct fitted f;

		fitted_begin(&f, stdout);
		sharers_of_frames_print(&with, s->host.page_size, f.to);
		fitted_end(&f);
	}
	sharers_free(&with);
	return EXIT_HOLDS;
}

static int show_file_sharers(const struct file_key *key, const struct host *h, json_t *process)
{
	struct sharers sharers;
	char why[200];

	if (sharers_of_file(&sharers, key, h, why, sizeof(why)))
		return trouble("%s", why);
	if (process) {
		json_set_words(process, "file", key->name);
		json_object_set_new(process, "mapped_by", sharers_of_file_json(&sharers));
		json_set_number(process, "unseen", (int64_t)sharers.unseen);
	} else {
		struct fitted f;

		fitted_begin(&f, stdout);
		sharers_of_file_print(&sharers, key->name, f.to);
		fitted_end(&f);
	}
	sharers_free(&sharers);
	return EXIT_HOLDS;
}

/*
 * Shows the processes that share a mapping. Sharers of a file are found in /proc/PID/maps, sharers
 * of anonymous pages by the pages' frame numbers.
 */
static int show_sharers_of(const struct scanner_state *s, const struct snapshot *smaps,
			   json_t *process)
{
	const char *what = s->options->detail.sharers_of;
	enum meant best = best_meant(smaps, what);
	struct snapshot alone;
	int status;

	if (best == MEANT_NOT)
		return trouble("process %d has no mapping at or called '%s' (see --maps)",
			       smaps->pid, what);
	alone = meant_alone(smaps, what, best);
	if (!alone.maps)
		return trouble("out of memory");
	if (mapping_has_file(&alone.maps[0])) {
		struct file_key key = file_key_of_mapping(&alone.maps[0], alone.pid);

		status = show_file_sharers(&key, &s->host, process);
	} else {
		status = show_frame_sharers(s, &alone, process);
	}
	free(alone.maps);
	return status;
}

int scan_file(const struct scanner_state *s, json_t *root)
{
	struct file_key key;
	char why[400];

	if (file_key_of_path(&key, s->options->detail.sharers_of, why, sizeof(why)))
		return trouble("%s", why);
	return show_file_sharers(&key, &s->host, root);
}

static int show_detail(const struct scanner_state *s, const struct reading *p, json_t *process)
{
	const struct detail_wanted *w = &s->options->detail;
	struct detail d;
	char why[200];
	int status = EXIT_HOLDS;

	if (!w->maps && !w->sharers && !w->pages && !w->sharers_of)
		return EXIT_HOLDS;
	if (detail_read(&d, p->thread, w, &p->tables, &s->host, why, sizeof(why)))
		return trouble("%s", why);
	if (process)
		show_json(s, &d, process);
	else
		show_text(s, &d, table_kb(&p->tables, METRIC_ROLLUP_PSS));
	if (w->pages)
		status = show_pages(s, &d.smaps, process);
	if (w->sharers_of)
		status = scan_worse(status, show_sharers_of(s, &d.smaps, process));
	detail_free(&d);
	return status;
}

void scan_show_audit(const struct audit *a, const struct reading *p, const struct scanner_state *s)
{
	struct fitted f;

	fitted_begin(&f, stdout);
	audit_print(a, p, &s->measured, f.to, s->options->colour);
	fitted_end(&f);
}

int scan_process(struct scanner_state *s, pid_t pid, json_t *list)
{
	struct reading p;
	struct audit a;
	json_t *process;
	int status;

	audit_process(&a, &p, pid, &s->reader, &s->measured, s->host.page_size);
	if (p.sight == SIGHT_GONE && !p.nr)
		return trouble("there is no process %d", pid);
	status = scan_status(a.verdict);
	process = list ? audit_json(&a, &p, &s->measured) : NULL;
	if (process)
		json_array_append_new(list, process);
	else
		scan_show_audit(&a, &p, s);
	return p.sight == SIGHT_SEEN ? scan_worse(status, show_detail(s, &p, process)) : status;
}

int scan_status(enum audit_verdict v)
{
	if (v == AUDIT_OFF)
		return EXIT_FAILS;
	return v == AUDIT_UNSEEN ? EXIT_NOTHING : EXIT_HOLDS;
}

int scan_worse(int a, int b)
{
	if (a == EXIT_TROUBLE || b == EXIT_TROUBLE)
		return EXIT_TROUBLE;
	if (a == EXIT_FAILS || b == EXIT_FAILS)
		return EXIT_FAILS;
	return a == EXIT_NOTHING ? b : a;
}
