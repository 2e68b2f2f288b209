// SPDX-License-Identifier: MIT
/* Writes the memory that ending some processes would free, as text and as JSON. */
#include "base/print/json.h"
#include "base/print/words.h"
#include "ending.h"

/* The number of objects that the text lists at most. JSON lists all objects. */
enum { LINES_MAX = 12 };

static const char *kb(int64_t n, char *buf, size_t size)
{
	return number_words(n, buf, size);
}

static void print_kept(const struct ending *e, FILE *out)
{
	char n[32], why[160];
	size_t lines = 0;

	for (size_t i = 0; i < e->objects.nr; i++) {
		const struct object *one = &e->objects.of[i];

		if (!one->kept || !one->kb || lines++ >= LINES_MAX)
			continue;
		fprintf(out, "  %s%s kB of ", one->whole ? "" : "at least ",
			kb(one->kb, n, sizeof(n)));
		line_put(one->name, out);
		fputs(": ", out);
		line_put(keeper_words(one, why, sizeof(why)), out);
		putc('\n', out);
	}
	if (lines > LINES_MAX)
		fprintf(out, "  and of %zu more\n", lines - LINES_MAX);
}

void ending_print(const struct ending *e, const char *what, FILE *out)
{
	char n[5][32];

	fprintf(out,
		"The end of %s frees %s%s kB: anonymous %s, on swap %s, page tables %s, kernel stacks %s",
		what, e->whole ? "" : "at least ", kb(ending_total(e), n[0], sizeof(n[0])),
		kb(e->anon, n[1], sizeof(n[1])), kb(e->swap, n[2], sizeof(n[2])),
		kb(e->tables, n[3], sizeof(n[3])), kb(e->stacks, n[4], sizeof(n[4])));
	if (e->shmem)
		fprintf(out, ", shmem %s", kb(e->shmem, n[0], sizeof(n[0])));
	if (e->shmem_unmapped)
		fprintf(out, " (%s%s kB of it in no page table at the moment)",
			e->unmapped_exact ? "" : "at most ",
			kb(e->shmem_unmapped, n[0], sizeof(n[0])));
	fputs(". The kernel also frees its own objects for tasks, mappings and open files; no "
	      "file of /proc counts them per process.\n",
	      out);
	if (e->objects.deleted)
		fprintf(out, "At most %s kB of page cache of deleted files are freed, too.\n",
			kb(e->objects.deleted, n[0], sizeof(n[0])));
	if (e->hugetlb)
		fprintf(out, "%s kB of hugetlb return to their pool.\n",
			kb(e->hugetlb, n[0], sizeof(n[0])));
	if (e->anon_maybe)
		fprintf(out,
			"Another %s kB of anonymous memory are mapped more than once; only root "
			"can see whether other processes map them.\n",
			kb(e->anon_maybe, n[0], sizeof(n[0])));
	if (e->kept) {
		fprintf(out, "%s kB of shmem stay:\n", kb(e->kept, n[0], sizeof(n[0])));
		print_kept(e, out);
	}
	if (e->objects.nr && e->objects.unseen)
		fprintf(out,
			"%zu process%s could not be examined. Files and shared memory that %s would remain.\n",
			e->objects.unseen, e->objects.unseen == 1 ? "" : "es",
			e->objects.unseen == 1 ? "it maps or has open" : "they map or have open");
}

static json_t *object_json(const struct object *one)
{
	static const char *const keepers[] = {
		[KEEPER_NONE] = "none",
		[KEEPER_MAPPING] = "mapping",
		[KEEPER_DESCRIPTOR] = "descriptor",
		[KEEPER_NAME] = "name",
		[KEEPER_SEGMENT] = "segment",
		[KEEPER_UNKNOWN] = "unknown",
	};
	json_t *j = json_object();

	json_set_words(j, "name", one->name);
	json_set_number(j, "kB", one->kb);
	json_object_set_new(j, "whole", json_boolean(one->whole));
	json_object_set_new(j, "hugetlb", json_boolean(one->hugetlb));
	json_set_words(j, "kept_by", keepers[one->kept]);
	if (one->keeper)
		json_set_number(j, "keeper", one->keeper);
	return j;
}

json_t *ending_json(const struct ending *e)
{
	json_t *j = json_object(), *objects = json_array();

	for (size_t i = 0; i < e->objects.nr; i++)
		json_array_append_new(objects, object_json(&e->objects.of[i]));
	json_set_number(j, "processes", (int64_t)e->nr);
	json_set_number(j, "total", ending_total(e));
	json_set_number(j, "anonymous", e->anon);
	json_set_number(j, "anonymous_maybe", e->anon_maybe);
	json_set_number(j, "swap", e->swap);
	json_set_number(j, "page_tables", e->tables);
	json_set_number(j, "kernel_stacks", e->stacks);
	json_set_number(j, "page_cache_at_most", e->objects.deleted);
	json_set_number(j, "shmem", e->shmem);
	json_set_number(j, "hugetlb", e->hugetlb);
	json_set_number(j, "kept", e->kept);
	json_object_set_new(j, "objects", objects);
	return j;
}
