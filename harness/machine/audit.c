// SPDX-License-Identifier: MIT
/* Audits the memory of a machine. */
#include "audit.h"
#include "base/clock.h"
#include "base/memory.h"
#include "cgroups.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { READINGS = 8, PAUSE_MS = 50 };

static void add_tree(struct machine_audit *a, struct machine_reader *m)
{
	holders_find(&a->holders, &m->text, m->run.page_kb, a->reading.after.of[MACHINE_SUM_STACK],
		     a->folder);
	machine_tree_make(&a->tree, &a->reading, &a->holders);
	if (a->reading.frames)
		a->tree.largest = frames_largest_group(&m->frames);
	if (a->tree.largest.inode)
		cgroups_path(a->tree.largest.inode, a->tree.group, sizeof(a->tree.group));
	machine_answer(&a->tree, &a->holders, m->run.page_kb, a->sentence);
}

int machine_audit(struct machine_audit *a, struct machine_reader *m, char *why, size_t size)
{
	struct machine_reading *one = malloc(sizeof(*one));
	int64_t since = now_ms();
	int failed = 0;

	if (!one)
		memory_gone("the machine's numbers");
	memset(&a->judgement, 0, sizeof(a->judgement));
	a->host = m->host;
	m->frames.grouped = false;
	for (int i = 0; i < READINGS && !failed; i++) {
		size_t open;

		failed = machine_numbers_read(m, one, why, size);
		if (failed)
			break;
		open = machine_judge(&a->judgement, one, m->host->cpus);
		if (!i || one->moved_kb < a->reading.moved_kb)
			a->reading = *one;
		if (!open)
			break;
		nanosleep(&(struct timespec) { .tv_nsec = PAUSE_MS * 1000000L }, NULL);
	}
	free(one);
	snprintf(a->why, sizeof(a->why), "%s", m->why);
	machine_judge_end(&a->judgement);
	if (!failed)
		add_tree(a, m);
	a->took_ms = now_ms() - since;
	return failed;
}

void machine_audit_free(struct machine_audit *a)
{
	holders_free(&a->holders);
}
