// SPDX-License-Identifier: MIT
/*
 * Files and streams from outside: results, kernel images, the messages of a guest, the kernel's
 * log.
 */
#include "agent/agent.h"
#include "compare/compare.h"
#include "engine/log/complaint.h"
#include "matrix/matrix.h"
#include "page/html.h"
#include "plot/plot.h"
#include "readers.h"
#include "report/journal.h"
#include "report/report.h"
#include "vm/frame.h"
#include "vm/image/kernel.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *path_of(int fd)
{
	static char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}

static FILE *nowhere(void)
{
	static FILE *out;

	if (!out)
		out = fopen("/dev/null", "we");
	must(out);
	return out;
}

static void write_and_read(const struct results *r)
{
	static int file = -1;
	struct results again;
	struct comparison c;
	char *text = NULL, why[512] = "";
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	must(out && report_json(r, out) == 0 && fclose(out) == 0);
	if (results_load(&again, path_of(file_of(&file, text, size)), why, sizeof(why))) {
		fputs(why, stderr);
		abort();
	}
	if (!compare(&c, r, &again, why, sizeof(why))) {
		must(c.nr == 0);
		comparison_free(&c);
	}
	results_free(&again);
	free(text);
}

static void report_all(const struct results *r)
{
	report_ktap(r, nowhere());
	report_junit(r, nowhere());
	report_table(r, nowhere(), 0, false);
	for (size_t i = 0; i < r->nr; i++)
		report_case(&r->of[i], r, nowhere(), false);
	for (size_t i = 0; i < r->nr_curves; i++)
		plot_script(&(struct plot) { .title = "",
					     .curve = &r->curves[i],
					     .page_size = r->page_size },
			    PLOT_SVG, nowhere());
}

static void compare_with(const struct results *a, const struct results *b)
{
	struct comparison c;
	char why[512];

	if (compare(&c, a, b, why, sizeof(why)))
		return;
	comparison_text(&c, nowhere());
	comparison_json(&c, nowhere());
	comparison_free(&c);
}

static int load(struct results *r, struct input in)
{
	static int file = -1;
	char why[512] = "";
	int failed = results_load(r, path_of(file_of(&file, in.at, in.left)), why, sizeof(why));

	must_say(failed, why);
	/* The message is "FILE: reason; remedy". */
	must(!failed ||
	     (!strncmp(why, "/proc/self/fd/", 14) && strstr(why, ": ") && strchr(why, ';')));
	return failed;
}

/* Compares each input with the last input that could be read. */
void fuzz_results(struct input in)
{
	static struct results last;
	struct results r;

	if (load(&r, in))
		return;
	write_and_read(&r);
	report_all(&r);
	compare_with(&last, &r);
	compare_with(&r, &last);
	results_free(&last);
	last = r;
}

/* Writes the two pages, without curves. */
void fuzz_pages(struct input in)
{
	struct recordings plots = { .nr = 0 };
	struct results r;

	if (load(&r, in))
		return;
	curves_free(&r.curves, &r.nr_curves);
	report_matrix(&r, 1, nowhere());
	report_html(&r, 1, &plots, nowhere());
	results_free(&r);
}

/* A journal that is truncated or damaged anywhere gives results that can be reported. */
void fuzz_journal(struct input in)
{
	struct journal_state state;
	struct results r;
	char why[512] = "";
	char *text = take_text(&in);
	int failed = journal_read(&r, &state, "journal", text, strlen(text), why, sizeof(why));
	size_t sum = 0;

	must_say(failed, why);
	free(text);
	if (!failed && !state.ended)
		results_end_early(&r, &state, "the input ends here");
	for (enum verdict v = 0; v < VERDICT_COUNT; v++)
		sum += r.count[v];
	must(sum == r.nr);
	for (size_t i = 0; i < r.nr; i++)
		must(r.of[i].id[0]);
	if (!failed) {
		write_and_read(&r);
		report_all(&r);
	}
	results_free(&r);
}

void fuzz_image(struct input in)
{
	static int file = -1;
	struct image image = { 0 };
	char why[512] = "";

	must_say(image_check(&image, path_of(file_of(&file, in.at, in.left)), why, sizeof(why)),
		 why);
}

static void frames_in_pieces(const char *bytes, size_t length, size_t piece)
{
	struct frames f = { 0 };
	struct frame frame;
	int more = 0;

	for (size_t used = 0, n; used < length && more >= 0; used += n) {
		n = length - used < piece ? length - used : piece;
		must(frames_add(&f, bytes + used, n) == 0);
		while ((more = frame_next(&f, &frame)) > 0)
			must(strlen(frame.kind) < FRAME_KIND_SIZE && frame.length <= length);
		must(f.start <= f.end && f.end <= f.room);
	}
	frames_free(&f);
}

static void frame_there_and_back(const void *bytes, size_t length)
{
	static int file = -1;
	struct frames f = { 0 };
	struct frame frame;
	char *text = malloc(length + 64);
	ssize_t got;

	must(text && frame_write(file_of(&file, "", 0), FRAME_TEXT, bytes, length) == 0);
	got = pread(file, text, length + 64, 0);
	must(got > 0 && frames_add(&f, text, (size_t)got) == 0 && frame_next(&f, &frame) == 1);
	must(frame.length == length && !memcmp(frame.data, bytes, length) &&
	     !strcmp(frame.kind, FRAME_TEXT));
	frames_free(&f);
	free(text);
}

void fuzz_frame(struct input in)
{
	size_t piece = 1 + take_number(&in, 1);

	frames_in_pieces((const char *)in.at, in.left, piece);
	frame_there_and_back(in.at, in.left);
}

/* A file of the workload's cgroup consists of keys and numbers, or of one number. */
void fuzz_cgroup(struct input in)
{
	static int file = -1;
	struct workload_private p = { .cgroup = "/proc/self/fd" };
	struct workload w = { .page_size = 4096, .private = &p };
	char name[16];

	snprintf(name, sizeof(name), "%d", file_of(&file, in.at, in.left));
	must(workload_cgroup_pages(&w, name, "file") >= -(INT64_MAX / 4096));
	must(workload_cgroup_pages(&w, name, NULL) <= INT64_MAX / 4096);
}

/* Each read(2) of /dev/kmsg returns one record. In the input an empty line ends a record. */
void fuzz_kmsg(struct input in)
{
	struct complaint c = { .open = false };
	pid_t leader = (pid_t)take_number(&in, 2);
	char *text = take_text(&in), *record = text;

	while (record) {
		char *next = strstr(record, "\n\n");

		if (next) {
			*next = '\0';
			next += 2;
		}
		complaint_take(&c, record, leader);
		must(strlen(c.line) < COMPLAINT_LINE && !strchr(c.line, '\n'));
		record = next;
	}
	free(text);
}
