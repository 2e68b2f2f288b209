// SPDX-License-Identifier: MIT
/* The text files of /proc. */
#include "readers.h"
#include "scan/census/census.h"
#include "scan/process/process.h"
#include <string.h>

enum { PAGE = 4096 };

/* If a source could not be read, it must not leave a number. */
static void must_be_absent(const struct values *v, enum source source)
{
	for (unsigned id = 0; id < METRIC_COUNT; id++)
		must(metric(id)->source != source || (!v->have[id] && !v->of[id]));
}

static void read_values(struct input in, enum source source,
			int (*read)(const char *data, size_t len, struct values *v,
				    struct source_error *e))
{
	struct source_error e = { .text = "" };
	struct values v;

	memset(&v, 0, sizeof(v));
	if (read((const char *)in.at, in.left, &v, &e) == 0)
		return must_say(0, e.text);
	must_say(-1, e.text);
	must(e.source == source);
	must_be_absent(&v, source);
}

void fuzz_stat(struct input in)
{
	read_values(in, SOURCE_STAT, stat_read);
}

void fuzz_statm(struct input in)
{
	read_values(in, SOURCE_STATM, statm_read);
}

void fuzz_status(struct input in)
{
	read_values(in, SOURCE_STATUS, status_read);
}

void fuzz_oom_score(struct input in)
{
	read_values(in, SOURCE_OOM, oom_score_read);
}

/* Checks what holds for the mappings of every reader. */
static void look_at_mappings(const struct snapshot *s)
{
	for (size_t i = 0; i < s->nr_maps; i++) {
		const struct mapping *m = &s->maps[i];

		must(m->start <= m->end && m->name && m->flags);
		must(strlen(m->name) < 1 << 20 && strlen(m->flags) < 1 << 20);
		mapping_has_flag(m, "sd");
		mapping_account(m);
	}
}

static void read_mappings(struct input in, enum source source,
			  int (*read)(const char *data, size_t len, struct snapshot *s,
				      struct source_error *e))
{
	struct source_error e = { .text = "" };
	struct snapshot s;
	int failed;

	memset(&s, 0, sizeof(s));
	failed = read((const char *)in.at, in.left, &s, &e);
	must_say(failed, e.text);
	if (failed) {
		must(!s.nr_maps && e.source == source);
		must_be_absent(&s.values, source);
	}
	look_at_mappings(&s);
	snapshot_free(&s);
}

void fuzz_smaps(struct input in)
{
	read_mappings(in, SOURCE_SMAPS, smaps_read);
}

void fuzz_maps(struct input in)
{
	read_mappings(in, SOURCE_SMAPS, maps_read);
}

void fuzz_rollup(struct input in)
{
	read_mappings(in, SOURCE_ROLLUP, rollup_read);
}

/* numa_maps lists only mappings that maps has; here the mappings are made from its own lines. */
void fuzz_numa_maps(struct input in)
{
	struct source_error e = { .text = "" };
	struct mapping maps[64];
	struct snapshot s;
	char *text = take_text(&in), *line = text;
	int failed;

	memset(&s, 0, sizeof(s));
	memset(maps, 0, sizeof(maps));
	s.maps = maps;
	for (; s.nr_maps < 64 && line; line = strchr(line, '\n')) {
		line += *line == '\n';
		maps[s.nr_maps++].start = strtoull(line, NULL, 16);
	}
	failed = numa_read(text, strlen(text), PAGE, &s, &e);
	must_say(failed, e.text);
	if (failed)
		must_be_absent(&s.values, SOURCE_NUMA);
	free(text);
}

void fuzz_identity(struct input in)
{
	char *text = take_text(&in), *status = strchr(text, '\n');
	struct identity who;

	/*
	 * First the whole text serves as status. Then it serves as stat, and what follows its first
	 * line as status.
	 */
	identity_read(&who, NULL, text);
	if (status)
		identity_read(&who, text, status);
	free(text);
}

void fuzz_meminfo(struct input in)
{
	char *text = take_text(&in);
	struct machine m = machine_read(text);

	must(m.total >= -1);
	free(text);
}
