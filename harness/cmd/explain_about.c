// SPDX-License-Identifier: MIT
/* Finds the kernel, the process and the number of CPUs for which an answer is given. */
#include "base/print/ticker.h"
#include "cmd/explain.h"
#include "cmd/line/options.h"
#include "runs/release.h"
#include "scan/process/privilege.h"
#include <ctype.h>
#include <rssck/source.h>
#include <string.h>

static bool status_line(const char *status, const char *key, char *buf, size_t size)
{
	const char *line = strstr(status, key);

	if (!line)
		return false;
	line += strlen(key);
	line += strspn(line, " \t");
	snprintf(buf, size, "%.*s", (int)strcspn(line, "\n"), line);
	return true;
}

/* Sets e->threads and e->process. Returns an exit status. */
static int look_at_process(const struct explain_options *o, struct explanation *e, char *words,
			   size_t size)
{
	struct text status = { 0 };
	char name[64] = "", threads[32] = "";
	int failed = text_read(&status, (pid_t)o->pid, "status");

	if (!failed) {
		status_line(status.data, "Name:", name, sizeof(name));
		status_line(status.data, "\nThreads:", threads, sizeof(threads));
	}
	text_free(&status);
	e->threads = (unsigned)atoi(threads);
	if (failed && process_exists((pid_t)o->pid))
		return trouble("/proc/%u/status: %s, although the process exists: %s", o->pid,
			       strerror(-failed), privilege_missing());
	if (failed || !e->threads)
		return trouble("/proc/%u/status: %s; perhaps there is no such process", o->pid,
			       failed ? strerror(-failed) : "has no line Threads");
	snprintf(words, size, "%u (%s)", o->pid, name);
	e->process = words;
	return EXIT_HOLDS;
}

static void measure(struct measured *m, struct explanation *e)
{
	struct ticker ticker;

	ticker_open(&ticker);
	ticker_show(&ticker, "measuring the counter models");
	m->done = !engine_open(&m->engine, NULL, 0, m->why, sizeof(m->why));
	ticker_clear(&ticker);
	ticker_close(&ticker);
	m->scaled = m->engine.models;
	if (m->done && e->cpus)
		models_scale(&m->scaled, e->cpus);
	if (m->done)
		e->models = &m->scaled;
	else
		e->not_measured = m->why;
}

static bool wants_measuring(const struct topics *found)
{
	for (size_t i = 0; i < found->nr; i++) {
		const struct topic *t = &found->of[i];

		if (t->kind == TOPIC_MODEL || t->kind == TOPIC_GROUP)
			return true;
		if ((t->kind == TOPIC_METRIC || t->kind == TOPIC_COLUMN) &&
		    metric_counted_as(t->metric) != METRIC_NONE)
			return true;
		if (t->kind == TOPIC_COLUMN && t->column->plus != METRIC_NONE &&
		    metric_counted_as(t->column->plus) != METRIC_NONE)
			return true;
	}
	return false;
}

void about_measure(struct asking *a, const struct topics *found)
{
	if (!a->options->no_model && !a->e->release && !a->measured.done && !a->measured.why[0] &&
	    wants_measuring(found))
		measure(&a->measured, a->e);
}

/* For --kernel: answers from recorded runs. Nothing is measured on this machine. */
static int take_kernel(const struct explain_options *o, struct explanation *e,
		       struct models *models, char *where, size_t size)
{
	char names[512], name[96];

	if (!o->kernel)
		return EXIT_HOLDS;
	if (!e->kernels.nr)
		return usage_error("explain", "--kernel: %s contains no recorded run; %s",
				   o->results ? o->results : "rssck's own folder results",
				   o->results
					   ? "omit --results to use the runs that came with rssck"
					   : "name a folder with --results=DIR");
	if (!isdigit((unsigned char)*o->kernel))
		return usage_error("explain", "'%s' is not a kernel; there are runs of %s",
				   o->kernel, kernels_recorded(&e->kernels, names, sizeof(names)));
	e->release = o->kernel;
	e->run = kernel_by_release(&e->kernels, o->kernel);
	if (!e->run && !range_models(&e->kernels, o->kernel, models))
		return usage_error("explain",
				   "there is no run of kernel '%s'; there are runs of %s",
				   o->kernel, kernels_recorded(&e->kernels, names, sizeof(names)));
	if (!e->run) {
		snprintf(where, size, "Linux %.90s", o->kernel);
		e->where = where;
		e->models = models;
		return EXIT_HOLDS;
	}
	snprintf(where, size, "Linux %s",
		 release_short(e->run->kernel_release, name, sizeof(name)));
	e->where = where;
	*models = kernel_models(e->run);
	e->models = models;
	e->page_size = e->run->page_size;
	return EXIT_HOLDS;
}

int about_take(const struct explain_options *o, struct explanation *e, struct about *a)
{
	int status = take_kernel(o, e, &a->models, a->where, sizeof(a->where));

	e->cpus = o->cpus;
	if (o->cpus && e->models)
		models_scale(&a->models, o->cpus);
	if (status == EXIT_HOLDS && o->pid)
		status = look_at_process(o, e, a->process, sizeof(a->process));
	return status;
}
