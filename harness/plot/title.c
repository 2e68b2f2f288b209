// SPDX-License-Identifier: MIT
/* The title of a plot. */
#include "plot.h"
#include <string.h>

const char *plot_title(const char *kernel, const struct curve *c, char *buf, size_t size)
{
	static const struct {
		const char *curve, *words;
	} titles[] = {
		{ "staircase", "pages touched one by one" },
		{ "lag by threads", "how far off, by threads" },
		{ "lag by CPUs", "how far off, by CPUs" },
	};
	const char *words = c->name;

	for (size_t i = 0; i < sizeof(titles) / sizeof(*titles); i++)
		if (!strcmp(c->name, titles[i].curve))
			words = titles[i].words;
	snprintf(buf, size, "%s: %s", kernel, words);
	return buf;
}

static void add(char *buf, size_t size, const char *separator, const char *words, size_t len)
{
	size_t used = strlen(buf);

	snprintf(buf + used, size - used, "%s%.*s", used ? separator : "", (int)len, words);
}

const char *plot_models(const struct models *m, char *buf, size_t size)
{
	/* One counter of resident pages from each file. */
	static const enum metric_id ids[] = { METRIC_STAT_RSS, METRIC_STATM_RESIDENT,
					      METRIC_STATUS_VMRSS };
	enum { NR = sizeof(ids) / sizeof(*ids) };
	char words[NR][64];
	bool said[NR] = { false };

	buf[0] = '\0';
	for (int i = 0; i < NR; i++)
		model_describe(m, ids[i], words[i], sizeof(words[i]));
	for (int i = 0; i < NR; i++) {
		char files[64] = "";

		if (said[i])
			continue;
		for (int k = i; k < NR; k++) {
			if (strcmp(words[i], words[k]))
				continue;
			said[k] = true;
			add(files, sizeof(files), ", ", metric(ids[k])->name,
			    strcspn(metric(ids[k])->name, "."));
		}
		add(buf, size, "; ", files, strlen(files));
		add(buf, size, ": ", words[i], strlen(words[i]));
	}
	return buf;
}
