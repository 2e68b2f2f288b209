// SPDX-License-Identifier: MIT
/* Writes the mappings of a process as JSON. Sizes are in kB unless the name says pages. */
#include "base/print/json.h"
#include "print.h"

json_t *files_json(const struct files *f)
{
	json_t *list = json_array();

	for (size_t i = 0; i < f->nr; i++) {
		const struct file *file = &f->of[i];
		json_t *j = json_row(list);

		json_set_words(j, "file", file->name);
		json_set_number(j, "mappings", (int64_t)file->nr_maps);
		json_set_number(j, "Size", file->size);
		json_set_number(j, "Rss", file->rss);
		json_set_number(j, "Pss", file->pss);
		json_set_number(j, "Private_Clean", file->private_clean);
		json_set_number(j, "Private_Dirty", file->private_dirty);
		json_set_number(j, "Shared_Clean", file->shared_clean);
		json_set_number(j, "Shared_Dirty", file->shared_dirty);
		json_set_number(j, "Swap", file->swap);
		json_set_number(j, "Hugetlb", file->hugetlb);
	}
	return list;
}

json_t *mapcounts_json(const struct mapcounts *of, const struct files *f)
{
	json_t *list = json_array();

	for (size_t i = 0; i < f->nr; i++) {
		json_t *j = json_object(), *pages = json_object();

		if (!mapcounts_mapped(&of[i]) && !of[i].pages[MAPCOUNT_NONE]) {
			json_decref(j);
			json_decref(pages);
			continue;
		}
		for (int c = 0; c < MAPCOUNT_COUNT; c++)
			json_set_number(pages, mapcounts_titles[c], of[i].pages[c]);
		json_set_words(j, "file", f->of[i].name);
		json_object_set_new(j, "pages", pages);
		json_object_set_new(j, "pages_divided", json_real(of[i].share));
		json_array_append_new(list, j);
	}
	return list;
}
