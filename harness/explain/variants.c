// SPDX-License-Identifier: MIT
/* Removes what users put around a name ("what is the RSS?", "/proc/12/smaps", "pages"). */
#include "query_private.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

void query_trim(char *text)
{
	static const char around[] = " \t\n?!.,:;=\"'`";
	size_t len, skip = strspn(text, " \t\n\"'`?");

	memmove(text, text + skip, strlen(text + skip) + 1);
	for (len = strlen(text); len && strchr(around, text[len - 1]); len--)
		text[len - 1] = '\0';
}

static bool strip_end(char *text, const char *end)
{
	size_t len = strlen(text), n = strlen(end);

	if (len <= n || strcasecmp(text + len - n, end))
		return false;
	text[len - n] = '\0';
	return true;
}

/* Removes words that only ask: "what is the RSS", "what does VmRSS mean". */
static bool without_asking(char *text)
{
	static const char *const begins[] = { "what is ",   "what are ", "what's ", "whats ",
					      "what does ", "explain ",  "the ",    "a ",
					      "an ",        "my ",       "about ",  "linux ",
					      "column ",    "field ",    "number " };
	static const char *const ends[] = { " mean",  " means", " meaning", " column",
					    " field", " show",  " count",   " number" };
	bool any = false;

	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++) {
		size_t len = strlen(begins[i]);

		if (strncasecmp(text, begins[i], len))
			continue;
		memmove(text, text + len, strlen(text + len) + 1);
		any = true;
	}
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		any |= strip_end(text, ends[i]);
	return any;
}

/*
 * Converts "/proc/1234/smaps" and "/proc/self/smaps" to the form of the tables, "/proc/PID/smaps".
 */
static bool as_file(char *text)
{
	char name[TEXT_SIZE];
	const char *last = strrchr(text, '/');

	/* /proc/stat is about CPUs; "/memory/classes/heap/free:bytes" is no file. */
	if ((strncmp(text, "/proc/", 6) && strncmp(text, "/sys/", 5)) || !last[1] ||
	    !strcmp(text, "/proc/stat"))
		return false;
	if (!strncmp(text, "/proc/", 6) && strncmp(text, "/proc/PID/", 10) && last > text + 5)
		snprintf(name, sizeof(name), "/proc/PID/%.*s", TEXT_SIZE - 16, last + 1);
	else
		snprintf(name, sizeof(name), "%s", last + 1);
	copy_text(text, name, strlen(name));
	return true;
}

/* Removes the "s" of "caches". */
static bool singular(char *text)
{
	return strip_end(text, "s");
}

static bool without_options(char *text)
{
	/* Long options that do not change the meaning of a program's numbers. */
	static const char *const known[] = { "--no-stream",  "--human",     "--wide",  "--kibi",
					     "--mebi",       "--gibi",      "--total", "--sort",
					     "--containers", "--no-headers" };
	char *at = strstr(text, " -");

	for (const char *p = at; p && *p; p += strcspn(p, " ")) {
		bool is_known = false;

		p += strspn(p, " ");
		for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
			is_known |= !strncmp(p, known[i], strlen(known[i]));
		if (*p != '-' || (p[1] == '-' && !is_known))
			return false;
	}
	if (at)
		*at = '\0';
	return at != NULL;
}

static bool with_blanks(char *text)
{
	bool any = false;

	for (char *p = text; *p; p++) {
		any |= *p == '_' || *p == '-';
		*p = *p == '_' || *p == '-' ? ' ' : *p;
	}
	return any;
}

bool query_without_blanks(char *text)
{
	char *to = text;

	for (const char *p = text; *p; p++)
		if (*p != ' ' && *p != '-')
			*to++ = *p;
	*to = '\0';
	return true;
}

/* Removes what stands before a kernel's name: "/proc/sys/vm/swappiness". */
static bool without_place(char *text)
{
	static const struct {
		const char *begin, *as;
	} of[] = {
		{ "/proc/sys/vm/", "" },
		{ "sysctl ", "" },
		{ "vm.", "" },
		{ "/proc/meminfo ", "meminfo." },
		{ "/proc/vmstat ", "vmstat." },
		{ "vmstat.", "" },
	};
	char name[TEXT_SIZE];

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		size_t len = strlen(of[i].begin);

		if (strncmp(text, of[i].begin, len) != 0)
			continue;
		snprintf(name, sizeof(name), "%s%.*s", of[i].as, TEXT_SIZE - 16, text + len);
		copy_text(text, name, strlen(name));
		return true;
	}
	return false;
}

int query_find_variant(struct query *q, const struct topics *all, const char *text)
{
	static bool (*const ways[])(char *) = { without_asking,      without_place, as_file,
						without_options,     singular,      with_blanks,
						query_without_blanks };
	char now[TEXT_SIZE], tried[TEXT_SIZE];

	copy_text(now, text, strlen(text));
	query_trim(now);
	if (topics_find(&q->found, all, now))
		return -1;
	for (size_t i = 0; !q->found.nr && i < sizeof(ways) / sizeof(*ways); i++) {
		copy_text(tried, now, strlen(now));
		if (!ways[i](tried) || !tried[0])
			continue;
		topics_free(&q->found);
		if (topics_find(&q->found, all, tried))
			return -1;
		/* Words that only phrase the question are dropped: "what are dirty pages". */
		if (ways[i] == without_asking)
			copy_text(now, tried, strlen(tried));
	}
	if (q->found.nr)
		q->kind = QUERY_NAME;
	return 0;
}
