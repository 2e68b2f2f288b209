// SPDX-License-Identifier: MIT
/* Reads all numbers of the machine. */
#include "reading.h"
#include "base/clock.h"
#include "base/cpus.h"
#include "sums.h"
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

/*
 * The block layer allocates BIO_POOL_SIZE buffers of BLK_INTEGRITY_MAX_SIZE (block/bio-integrity.c
 * bio_integrity_initfn()).
 */
enum { INTEGRITY_KB = 2 * 2048 };

/*
 * Returns the number of events that may have changed the kind of a frame: allocations, faults,
 * moves between lists.
 */
static int64_t reading_events(const char *vmstat)
{
	static const char *const events[] = {
		"pgalloc",       "pgfree ",     "pgfault ",   "pgactivate ",
		"pgdeactivate ", "pgsteal",     "pgrotated ", "pglazyfree",
		"nr_dirtied ",   "nr_written ", "pswp",       "unevictable_pgs_",
	};
	int64_t sum = 0;

	for (const char *line = vmstat; *line; line += *line == '\n') {
		for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
			if (!strncmp(line, events[i], strlen(events[i])))
				sum += strtoll(line + strcspn(line, " "), NULL, 10);
		line += strcspn(line, "\n");
	}
	return sum;
}

bool machine_refresh(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct statfs s;
	char c;
	bool done = fd >= 0 && fstatfs(fd, &s) == 0 && s.f_type == PROC_SUPER_MAGIC &&
		    read(fd, &c, 1) >= 0;

	if (fd >= 0)
		close(fd);
	return done;
}

static bool mglru_is_on(struct text *t)
{
	return text_read(t, 0, "/sys/kernel/mm/lru_gen/enabled") == 0 &&
	       strtol(t->data, NULL, 0) != 0;
}

void machine_reader_open(struct machine_reader *m, const struct host *h)
{
	*m = (struct machine_reader) { .host = h, .integrity_pool = sums_has_integrity_pool() };
	m->sees_frames = frames_open(&m->frames, h, true, m->why, sizeof(m->why)) == 0;
	m->run = (struct frames_run) { .page_kb = h->page_size / 1024,
				       .huge = h->huge_page_size / h->page_size,
				       .by_age = !mglru_is_on(&m->text) };
}

void machine_reader_close(struct machine_reader *m)
{
	text_free(&m->text);
	if (m->sees_frames)
		frames_close(&m->frames);
}

static int read_counters(struct machine_reader *m, struct machine_reading *r,
			 struct machine_values *v, struct zones *z, int64_t *events)
{
	int64_t kb = m->run.page_kb;
	struct text *t = &m->text;

	memset(v, 0, sizeof(*v));
	z->nr = 0;
	*events = 0;
	r->refreshed = machine_refresh(STAT_REFRESH);
	if (text_read(t, 0, "/proc/zoneinfo") == 0 && zones_parse(t->data, kb, z) == 0)
		zones_sum(z, kb, v);
	if (text_read(t, 0, "/proc/vmstat") == 0) {
		r->unknown = machine_parse(t->data, MACHINE_VMSTAT, kb, v);
		*events = reading_events(t->data);
	}
	if (text_read(t, 0, "/proc/meminfo"))
		return -1;
	r->unknown += machine_parse(t->data, MACHINE_MEMINFO, kb, v);
	/* A container may have mounted /dev/null over /proc/meminfo. */
	if (!v->have[MACHINE_MEMINFO_MEMTOTAL])
		return -1;
	sums_read(t, kb, v);
	if (m->integrity_pool)
		machine_set(v, MACHINE_SUM_INTEGRITY, INTEGRITY_KB);
	return 0;
}

int machine_zones_read(struct machine_reader *m, struct zones *z)
{
	cpus_drain_lists();
	machine_refresh(STAT_REFRESH);
	if (text_read(&m->text, 0, "/proc/zoneinfo"))
		return -1;
	return zones_parse(m->text.data, m->run.page_kb, z);
}

/*
 * A page of zsmalloc looks mapped where struct page has one field for the number of mappings and
 * for the offset of the first object (set_first_obj_offset() up to 6.1; not on 6.12).
 */
static void set_zsmalloc(struct machine_values *v)
{
	int64_t other = v->of[MACHINE_FRAMES_OTHER_MAPPED],
		pages = v->of[MACHINE_VMSTAT_NR_ZSPAGES];

	machine_set(v, MACHINE_SUM_ZSMALLOC_MAPPED, other < pages ? other : pages);
}

static void copy_frames(const struct machine_values *from, struct machine_values *to)
{
	for (int n = 1; n < MACHINE_NUMBERS; n++)
		if (machine_row(n)->source == MACHINE_FRAMES) {
			to->of[n] = from->of[n];
			to->have[n] = from->have[n];
		}
}

static void read_frames(struct machine_reader *m, struct machine_reading *r)
{
	int64_t since = now_us();

	if (!m->sees_frames || !r->zones[0].nr)
		return;
	r->frames = frames_read(&m->frames, &r->zones[0], &m->run, &r->before) == 0;
	r->took_us = now_us() - since;
}

int machine_numbers_read(struct machine_reader *m, struct machine_reading *r, char *why,
			 size_t size)
{
	int64_t before, after;

	memset(r, 0, sizeof(*r));
	r->page_kb = m->run.page_kb;
	cpus_drain_lists();
	if (read_counters(m, r, &r->before, &r->zones[0], &before)) {
		snprintf(why, size, "/proc/meminfo shows no MemTotal here");
		return -1;
	}
	if (m->sees_frames && !r->zones[0].nr)
		snprintf(m->why, sizeof(m->why),
			 "/proc/zoneinfo does not show the ranges of page frames here");
	read_frames(m, r);
	if (read_counters(m, r, &r->after, &r->zones[1], &after)) {
		snprintf(why, size, "/proc/meminfo shows no MemTotal here");
		return -1;
	}
	r->moved_kb = (after - before) * m->run.page_kb;
	if (!r->frames)
		return 0;
	copy_frames(&r->before, &r->after);
	set_zsmalloc(&r->before);
	set_zsmalloc(&r->after);
	for (size_t i = 0; i < r->zones[0].nr && i < r->zones[1].nr; i++)
		copy_frames(&r->zones[0].of[i].values, &r->zones[1].of[i].values);
	return 0;
}
