// SPDX-License-Identifier: MIT
/*
 * Loads a record of rssck atlas into a table: the words of each sequence, and the text that it
 * shows at its end.
 */
#include "base/memory.h"
#include "differ.h"
#include "record.h"
#include "table.h"
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool atlas_record_is_one(const char *path)
{
	/* A record may be very long, but its schema is the first member. */
	FILE *f = fopen(path, "re");
	char begin[64] = "";
	size_t n = f ? fread(begin, 1, sizeof(begin) - 1, f) : 0;

	if (f)
		fclose(f);
	begin[n] = '\0';
	return strstr(begin, "\"" ATLAS_SCHEMA "\"") != NULL;
}

static char *text_of(json_t *lines, json_t *view)
{
	char *text = NULL;
	size_t length, i;
	FILE *out = open_memstream(&text, &length);
	json_t *line;

	if (!out)
		memory_gone("a record");
	json_array_foreach(view, i, line)
	{
		const char *words = json_string_value(
			json_array_get(lines, (size_t)json_integer_value(line)));

		fprintf(out, "%s\n", words ? words : "");
	}
	if (fclose(out))
		memory_gone("a record");
	return text;
}

static void load_texts(struct atlas_record *r, json_t *root)
{
	json_t *lines = json_object_get(root, "lines"), *views = json_object_get(root, "views");
	json_t *view;
	size_t i;

	r->nr_texts = json_array_size(views);
	r->texts = calloc(r->nr_texts + 1, sizeof(*r->texts));
	if (!r->texts)
		memory_gone("a record");
	json_array_foreach(views, i, view) r->texts[i] = text_of(lines, view);
}

static void load_known(struct atlas_record *r, json_t *known)
{
	json_t *words;
	size_t i;

	r->has_known = json_is_array(known);
	r->known = calloc(json_array_size(known) + 1, sizeof(*r->known));
	if (!r->known)
		memory_gone("a record");
	json_array_foreach(known, i, words)
	{
		r->known[i] = strdup(json_is_string(words) ? json_string_value(words) : "");
		if (!r->known[i])
			memory_gone("a record");
		r->nr_known++;
	}
}

static void add(struct atlas_record *r, const char *words, json_int_t view)
{
	if (view >= 0 && (size_t)view < r->nr_texts && !table_find(r, words))
		table_add(r, words, r->texts[view]);
}

static bool is_act(json_t *acts, const char *word, size_t length)
{
	json_t *act;
	size_t i;

	json_array_foreach(acts, i, act)
	{
		const char *name = json_string_value(act);

		if (strlen(name) == length && !strncmp(name, word, length))
			return true;
	}
	return false;
}

/* Counts the words of the stem up to each moment. The first word is the kind. */
static void words_until(const char *stem, json_t *acts, unsigned until[AT_COUNT])
{
	unsigned said = 1, at = AT_FIRST;

	for (unsigned i = 0; i < AT_COUNT; i++)
		until[i] = 0;
	until[AT_KIND] = 1;
	for (const char *p = strchr(stem, ','); p && at < AT_COUNT; p = strchr(p + 2, ',')) {
		bool act = is_act(acts, p + 2, strcspn(p + 2, ","));

		said++;
		if (at == AT_FIRST && !act)
			at = AT_EVENT;
		else if (at == AT_EVENT && act)
			at = AT_SECOND;
		until[at++] = said;
	}
}

static void add_begins(struct atlas_record *r, const char *stem, json_t *acts, json_t *shows)
{
	unsigned until[AT_COUNT];
	json_t *view;
	size_t at;

	words_until(stem, acts, until);
	json_array_foreach(shows, at, view)
	{
		const char *end = stem;
		char words[256];

		if (at >= AT_COUNT || !until[at])
			continue;
		for (unsigned n = 0; n < until[at] && *end; n++)
			end += strcspn(end + (n > 0), ",") + (n > 0);
		snprintf(words, sizeof(words), "%.*s", (int)(end - stem), stem);
		add(r, words, json_integer_value(view));
	}
}

/* `then` is a string like "12r15 - 7w9 ", with one item for each act. */
static void add_lasts(struct atlas_record *r, const char *stem, json_t *acts, const char *then)
{
	char words[256];
	json_t *act;
	size_t i;

	json_array_foreach(acts, i, act)
	{
		const char *name = json_string_value(act);
		long view, access_view;
		char access;
		int length = 0;

		if (sscanf(then, "%ld%c%ld %n", &view, &access, &access_view, &length) == 3) {
			snprintf(words, sizeof(words), "%s, %s", stem, name);
			add(r, words, view);
			snprintf(words, sizeof(words), "%s, %s, %s middle", stem, name,
				 access == 'r' ? "read" : "write");
			add(r, words, access_view);
		}
		then += strcspn(then, " ");
		then += *then == ' ';
	}
}

struct atlas_record *atlas_record_load(const char *path, char *why, size_t size)
{
	json_error_t e;
	json_t *root = json_load_file(path, 0, &e), *stem;
	const char *schema = json_string_value(json_object_get(root, "schema")), *words;
	struct atlas_record *r;

	if (!schema || strcmp(schema, ATLAS_SCHEMA) != 0) {
		snprintf(why, size, "%s: %s", path, root ? "not a record of rssck atlas" : e.text);
		json_decref(root);
		return NULL;
	}
	r = calloc(1, sizeof(*r));
	if (!r)
		memory_gone("a record");
	snprintf(r->release, sizeof(r->release), "%s",
		 json_string_value(json_object_get(root, "release")));
	load_texts(r, root);
	load_known(r, json_object_get(root, "known"));
	json_object_foreach(json_object_get(root, "sequences"), words, stem)
	{
		const char *then = json_string_value(json_object_get(stem, "then"));

		add_begins(r, words, json_object_get(root, "acts"), json_object_get(stem, "shows"));
		add_lasts(r, words, json_object_get(root, "acts"), then ? then : "");
	}
	r->otherwise = json_object_size(json_object_get(root, "otherwise"));
	json_decref(root);
	return r;
}

void atlas_record_free(struct atlas_record *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->nr_texts; i++)
		free(r->texts[i]);
	free(r->texts);
	for (size_t i = 0; i < r->nr_known; i++)
		free(r->known[i]);
	free(r->known);
	table_free(r);
	free(r);
}

const char *atlas_record_text(const struct atlas_record *r, const char *words)
{
	const struct shown *s = table_find(r, words);

	return s ? s->text : NULL;
}
