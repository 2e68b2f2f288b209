// SPDX-License-Identifier: MIT
/* The table of the machine's numbers. */
#include "numbers.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define F(id)           MACHINE_FRAMES_##id
#define M(id)           MACHINE_MEMINFO_##id
#define S(id)           MACHINE_SUM_##id
#define LESS(n)         (-(short)(n))
#define LEAST(...)      .least = { __VA_ARGS__ }
#define MOST(...)       .most = { __VA_ARGS__ }
#define EQUALS(...)     .least = { __VA_ARGS__ }, .most = { __VA_ARGS__ }
#define NUMBER(id, ...) [MACHINE_##id] = { __VA_ARGS__ },
static const struct machine_row rows[MACHINE_NUMBERS] = {
#include "numbers.def"
};
#undef NUMBER

const struct machine_row *machine_row(enum machine_number n)
{
	return &rows[n];
}

const char *machine_key(enum machine_number n)
{
	return strchr(rows[n].name, '.') + 1;
}

enum machine_number machine_by_key(enum machine_source s, const char *key, size_t len,
				   enum machine_number hint)
{
	for (int i = 0; i < MACHINE_NUMBERS; i++) {
		enum machine_number n = (hint + (unsigned)i) % MACHINE_NUMBERS;
		const char *own = n ? machine_key(n) : "";

		if (n && rows[n].source == s && !strncmp(own, key, len) && !own[len])
			return n;
	}
	return MACHINE_NONE;
}

enum machine_number machine_by_name(const char *name)
{
	for (int n = 1; n < MACHINE_NUMBERS; n++)
		if (!strcmp(rows[n].name, name))
			return n;
	return MACHINE_NONE;
}

bool machine_is_judged(enum machine_number n)
{
	return rows[n].least[0] || rows[n].most[0];
}

/* Returns why a line without a row is not a state (it counts events), or NULL if it may be one. */
static const char *machine_event(enum machine_source s, const char *key)
{
	static const char *const states[] = { "nr_", "workingset_nodes" };

	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++)
		if (!strncmp(key, states[i], strlen(states[i])))
			return NULL;
	return s == MACHINE_VMSTAT
		       ? "it counts events since boot, so no current state adds up to it"
		       : NULL;
}

bool machine_sum(const struct machine_values *v, const short *terms, int64_t *sum)
{
	*sum = 0;
	for (int i = 0; i < MACHINE_TERMS && terms[i]; i++) {
		int n = abs(terms[i]);

		if (!v->have[n])
			return false;
		*sum += terms[i] < 0 ? -v->of[n] : v->of[n];
	}
	return terms[0] != 0;
}

const char *machine_words(const short *terms, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (int i = 0; i < MACHINE_TERMS && terms[i] && len < size; i++)
		len += (size_t)snprintf(buf + len, size - len, "%s%s",
					terms[i] < 0 ? (i ? " - " : "-") : (i ? " + " : ""),
					rows[abs(terms[i])].name);
	return buf;
}

size_t machine_parse(const char *text, enum machine_source s, int64_t page_kb,
		     struct machine_values *v)
{
	enum machine_number hint = MACHINE_NONE;
	size_t unknown = 0;

	for (const char *line = text; *line;) {
		size_t len = strcspn(line, ": \n");
		enum machine_number n = machine_by_key(s, line, len, hint);
		const char *value = line + len + strspn(line + len, ": ");
		char key[64];

		snprintf(key, sizeof(key), "%.*s", (int)(len < sizeof(key) ? len : 0), line);
		if (n) {
			bool pages = s == MACHINE_VMSTAT && !rows[n].counts;

			machine_set(v, n, strtoll(value, NULL, 10) * (pages ? page_kb : 1));
			hint = n + 1;
		} else if (len && !machine_event(s, key)) {
			unknown++;
		}
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	return unknown;
}
