// SPDX-License-Identifier: MIT
/*
 * The ledger's lines of each huge page size: hugepages-<size>kB/stats. Lines of the size in use are
 * named "thp.mthp_swpout", those of the PMD size "thp.pmd_swpout", those of other sizes "thp.swpout
 * of 64kB". All count pages, and no other process moves them.
 */
#ifndef CASES_MACHINE_SIZES_H
#define CASES_MACHINE_SIZES_H

#include "ledger.h"
#include <glob.h>

#define SIZES "/sys/kernel/mm/transparent_hugepage/hugepages-*kB/"

enum { SIZES_FILES = 512, SIZES_SETTINGS = 48 };

static struct {
	size_t kb; /* the size in use */
	size_t nr_files, nr_settings;
	struct size_file {
		int fd;
		size_t kb;
		char name[LEDGER_NAME];
	} file[SIZES_FILES];
	/* enabled and shmem_enabled of each size, with the old values */
	struct size_setting {
		size_t kb;
		bool shmem;
		char path[112], value[24];
	} setting[SIZES_SETTINGS];
} sizes;

static inline size_t size_of_path(const char *path)
{
	const char *at = strstr(path, "hugepages-");

	return at ? strtoul(at + strlen("hugepages-"), NULL, 10) : 0;
}

/* Copies the chosen word of a setting: "never" of "always inherit madvise [never]". */
static inline bool size_chosen(const char *path, char *value, size_t size)
{
	const char *open = strchr(ledger_slurp(path), '[');
	size_t len = open ? strcspn(open + 1, "]") : size;

	if (len >= size)
		return false;
	memcpy(value, open + 1, len);
	value[len] = '\0';
	return true;
}

static inline void sizes_restore(void)
{
	for (size_t i = 0; i < sizes.nr_settings; i++)
		workload_try_to_set(sizes.setting[i].path, sizes.setting[i].value);
}

static inline void sizes_find_settings(const char *pattern, bool shmem)
{
	glob_t g = { .gl_pathc = 0 };

	if (!glob(pattern, 0, NULL, &g))
		for (size_t i = 0; i < g.gl_pathc && sizes.nr_settings < SIZES_SETTINGS; i++) {
			struct size_setting *s = &sizes.setting[sizes.nr_settings];

			s->kb = size_of_path(g.gl_pathv[i]);
			s->shmem = shmem;
			snprintf(s->path, sizeof(s->path), "%s", g.gl_pathv[i]);
			sizes.nr_settings += size_chosen(s->path, s->value, sizeof(s->value));
		}
	globfree(&g);
}

static inline void sizes_open(void)
{
	glob_t g = { .gl_pathc = 0 };

	memset(&sizes, 0, sizeof(sizes));
	if (!glob(SIZES "stats/*", 0, NULL, &g))
		for (size_t i = 0; i < g.gl_pathc && sizes.nr_files < SIZES_FILES; i++) {
			struct size_file *f = &sizes.file[sizes.nr_files++];

			f->fd = open(g.gl_pathv[i], O_RDONLY | O_CLOEXEC);
			f->kb = size_of_path(g.gl_pathv[i]);
			snprintf(f->name, sizeof(f->name), "%s", strrchr(g.gl_pathv[i], '/') + 1);
		}
	globfree(&g);
	sizes_find_settings(SIZES "enabled", false);
	sizes_find_settings(SIZES "shmem_enabled", true);
}

static inline void sizes_close(void)
{
	for (size_t i = 0; i < sizes.nr_files; i++)
		close(sizes.file[i].fd);
}

/* Lets only this size be used, and only for memory that MADV_HUGEPAGE advises. */
static inline void sizes_use(size_t kb, bool shmem)
{
	for (size_t i = 0; i < sizes.nr_settings; i++) {
		const struct size_setting *s = &sizes.setting[i];

		workload_try_to_set(s->path, s->kb != kb || s->shmem != shmem ? "never"
					     : shmem                          ? "advise"
									      : "madvise");
	}
	sizes.kb = kb;
}

static inline enum kind size_kind(const struct workload *w, const struct size_file *f)
{
	bool part = !strcmp(f->name, "nr_anon_partially_mapped");

	if (strncmp(f->name, "nr_", 3) != 0)
		return EVENT;
	if (f->kb == sizes.kb)
		return part ? SIZE_PARTS : SIZE_FOLIOS;
	return f->kb * 1024 == w->huge_page_size && !part ? ANON_FOLIOS : OTHER;
}

static inline void size_add(struct ledger *l, const char *key, enum kind kind, int64_t pages)
{
	static const struct ledger_file f = { .place = "thp", .events = true };
	static const struct ledger_kind exact = { .names = "", .exact = true };
	struct ledger_line *line = ledger_line(l, &f, key);

	line->row = &exact;
	line->kind = kind;
	line->value += pages;
}

/*
 * Adds a line for each file, and one for the sum of the ways in which a folio of the size in use is
 * swapped out: as a whole, compressed as a whole, or page by page after a split.
 */
static inline void sizes_read(const struct workload *w, struct ledger *l)
{
	int64_t out = 0;

	for (size_t i = 0; i < sizes.nr_files; i++) {
		const struct size_file *f = &sizes.file[i];
		char text[24] = "", key[LEDGER_NAME];
		int64_t pages;

		if (pread(f->fd, text, sizeof(text) - 1, 0) <= 0)
			continue;
		pages = strtoll(text, NULL, 10) * (int64_t)(f->kb * 1024 / w->page_size);
		if (f->kb == sizes.kb)
			snprintf(key, sizeof(key), "mthp_%.40s", f->name);
		else if (f->kb * 1024 == w->huge_page_size)
			snprintf(key, sizeof(key), "pmd_%.40s", f->name);
		else
			snprintf(key, sizeof(key), "%.40s of %zukB", f->name, f->kb);
		if (f->kb == sizes.kb && ledger_is_in(" swpout zswpout swpout_fallback ", f->name))
			out += pages;
		size_add(l, key, size_kind(w, f), pages);
	}
	size_add(l, "swpout+zswpout+swpout_fallback", EVENT, out);
}

#endif
