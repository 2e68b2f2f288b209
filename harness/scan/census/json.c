// SPDX-License-Identifier: MIT
/* Writes a census as JSON. Sizes are in kB. */
#include "report/json.h"
#include "print.h"
#include "scan/process/user.h"

static json_t *row_json(const struct census_row *row, const struct census_wanted *w)
{
	json_t *j = json_object();
	char user[64];

	if (w->by == BY_PROCESS) {
		json_set_number(j, "pid", row->first->pid);
		json_object_set_new(j, "off", json_boolean(row->first->off));
	}
	if (w->by != BY_USER)
		json_set_words(j, "program", row->first->name);
	if (w->by != BY_PROGRAM)
		json_set_words(j, "user", user_name(row->first->uid, user, sizeof(user)));
	json_set_number(j, "processes", (int64_t)row->nr);
	json_set_number(j, "Pss", row->pss);
	json_set_number(j, "Uss", row->uss);
	json_set_number(j, "Rss", row->rss);
	json_set_number(j, "VmRSS", row->vmrss);
	json_set_number(j, "SwapPss", row->swap);
	if (w->by == BY_PROGRAM) {
		json_set_number(j, "one_more", row->one_more);
		json_set_number(j, "one_more_least", row->one_more_least);
		json_set_number(j, "one_more_most", row->one_more_most);
	}
	return j;
}

static json_t *sum_json(const struct member *sum)
{
	json_t *j = json_object();

	json_set_number(j, "Pss", sum->pss);
	json_set_number(j, "Pss_Anon", sum->pss_anon);
	json_set_number(j, "Pss_File", sum->pss_file);
	json_set_number(j, "Pss_Shmem", sum->pss_shmem);
	json_set_number(j, "Uss", sum->uss);
	json_set_number(j, "Rss", sum->rss);
	json_set_number(j, "VmRSS", sum->vmrss);
	json_set_number(j, "SwapPss", sum->swap);
	json_set_number(j, "Hugetlb", sum->hugetlb);
	return j;
}

static json_t *machine_json(const struct machine *m)
{
	json_t *j = json_object();

	json_set_number(j, "MemTotal", m->total);
	json_set_number(j, "AnonPages", m->anon);
	json_set_number(j, "Mapped", m->mapped);
	json_set_number(j, "Shmem", m->shmem);
	json_set_number(j, "Cached", m->cached);
	json_set_number(j, "Hugetlb", m->hugetlb);
	json_set_number(j, "kernel", m->kernel);
	return j;
}

static json_t *counts_json(const struct census *c)
{
	json_t *j = json_object();

	json_set_number(j, "seen", (int64_t)c->sights[SIGHT_SEEN]);
	json_set_number(j, "ended", (int64_t)c->sights[SIGHT_GONE]);
	json_set_number(j, "zombies", (int64_t)c->sights[SIGHT_ZOMBIE]);
	json_set_number(j, "kernel_threads", (int64_t)c->sights[SIGHT_KERNEL_THREAD]);
	json_set_number(j, "denied", (int64_t)c->sights[SIGHT_DENIED]);
	json_set_number(j, "denied_VmRSS", c->unseen_vmrss);
	json_set_number(j, "broken", (int64_t)c->sights[SIGHT_UNREADABLE]);
	json_set_number(j, "off", (int64_t)c->nr_off);
	return j;
}

json_t *census_json(const struct census *c, const struct census_wanted *w)
{
	static const char *const by[] = { "process", "program", "user" };
	json_t *root = json_object(), *rows = json_array();

	for (size_t i = 0; i < c->nr_rows; i++)
		json_array_append_new(rows, row_json(&c->rows[i], w));
	json_set_words(root, "schema", SCAN_SCHEMA);
	json_set_words(root, "shape", "census");
	json_set_words(root, "by", by[w->by]);
	json_object_set_new(root, "rows", rows);
	json_object_set_new(root, "sum", sum_json(&c->sum));
	json_object_set_new(root, "machine", machine_json(&c->machine));
	json_object_set_new(root, "processes", counts_json(c));
	if (c->has_ending)
		json_object_set_new(root, "end_gives_back", ending_json(&c->ending));
	json_set_number(root, "milliseconds", c->milliseconds);
	return root;
}
