// SPDX-License-Identifier: MIT
/*
 * Interprets what was typed, step by step: as a name, as a variant of a name ("/proc/12/smaps",
 * "pages", "what is RSS?"), as a kernel, as a question, as a misspelt name.
 */
#include "query.h"
#include "field.h"
#include "machine/numbers.h"
#include "query_private.h"
#include "sentence.h"
#include "typo.h"
#include "unit.h"
#include "wrapped.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- a kernel ---- */

/* "6.1", "linux 6.12.43", "kernel 5.10.0-46-amd64", "v6.1" */
static bool is_kernel(const char *text, char *release)
{
	static const char *const before[] = { "linux ", "kernel ", "linux-", "v", "version " };
	const char *p = text;
	size_t digits;

	for (size_t i = 0; i < sizeof(before) / sizeof(*before); i++)
		if (!strncasecmp(p, before[i], strlen(before[i])))
			p += strlen(before[i]);
	digits = strspn(p, "0123456789");
	if (!digits || digits > 2 || p[digits] != '.' || !isdigit((unsigned char)p[digits + 1]) ||
	    strchr(p, ' '))
		return false;
	snprintf(release, RELEASE_SIZE, "%.*s", RELEASE_SIZE - 1, p);
	return true;
}

/* ---- a sentence with names in it ---- */

enum { NAME_WORDS = 5, NEAR_WORDS = 3, SPELLED_LEAST = 6, CODE_MOST = 3 };

/* The names in a sentence, and the words that belong to none. */
struct parts {
	struct topics names;                   /* owned; one for each name */
	char typed[SENTENCE_WORDS][WORD_SIZE]; /* each name, as it was typed */
	bool dropped[SENTENCE_WORDS];          /* the name is part of another one */
	size_t spans;                          /* how often a name was typed */
	bool joined;                /* the name was joined from two that are not adjacent */
	bool known[SENTENCE_WORDS]; /* the word is part of a name, or carries no meaning */
	size_t of[SENTENCE_WORDS];  /* the number of the name that the word belongs to,
				     * from 1 on */
};

static int add_found(struct topics *to, const struct topic *t, size_t *at)
{
	struct topic *more;

	for (size_t i = 0; i < to->nr; i++) {
		if (strcmp(to->of[i].name, t->name))
			continue;
		*at = i + 1;
		return 0;
	}
	more = reallocarray(to->of, to->nr + 1, sizeof(*more));
	if (!more)
		return -1;
	to->of = more;
	to->of[to->nr++] = *t;
	*at = to->nr;
	return 0;
}

static void join(const struct sentence *s, size_t first, size_t nr, char *text, size_t size)
{
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < nr && len < size; i++)
		len += (size_t)snprintf(text + len, size - len, "%s%s", i ? " " : "",
					s->of[first + i]);
}

/* Field names that are everyday words: they are names only beside their file or program. */
static bool is_everyday(const char *word)
{
	static const char *const words[] = {
		"total",   "data",   "text",     "lib",       "code",    "once",
		"more",    "idle",   "pages",    "present",   "huge",    "special",
		"written", "mapped", "resident", "exclusive", "virtual", "behaviour",
		"account", "settle", "lag",      "fact",      "bound",   "posting",
		"time",    "load",   "file",     "buffer",    "counter", "batch"
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(words[i], word))
			return true;
	return false;
}

/*
 * Looks up `text` as the name of a topic, or as a variant of a name. *t becomes the first match
 * that a sentence may mean; *is: there is one. Returns 0, or -1 if there is no memory.
 */
static int name_of_words(const struct topics *all, const char *text, struct topic *t, bool *is)
{
	struct query one = { .kind = QUERY_NONE };
	/*
	 * Several words must be the exact name: trying variants of each would take too
	 * long.
	 */
	int failed = strchr(text, ' ') ? topics_find(&one.found, all, text)
				       : query_find_variant(&one, all, text);
	char joined[TEXT_SIZE];

	/* "swap cached", "smaps swap" */
	copy_text(joined, text, strlen(text));
	if (!failed && !one.found.nr && strchr(text, ' ') && query_without_blanks(joined))
		failed = topics_find(&one.found, all, joined);
	if (!failed && !one.found.nr && strchr(text, ' ')) {
		copy_text(joined, text, strlen(text));
		*strchr(joined, ' ') = '.';
		failed = topics_find(&one.found, all, joined);
	}

	*is = false;
	for (size_t i = 0; !failed && !*is && i < one.found.nr; i++) {
		*is = query_may_mean(&one.found.of[i], text) ||
		      (strchr(text, ' ') && query_may_mean(&one.found.of[i], joined));
		*t = one.found.of[i];
	}
	query_free(&one);
	return failed;
}

/* "how to free memory", "can be free": here "free" is not the program. */
static bool is_verb(const struct sentence *s, size_t at)
{
	static const char *const before[] = {
		"to", "can", "be", "is", "are", "i", "not", "really"
	};

	/* free(3) */
	if (!strcmp(s->of[at], "free()"))
		return true;
	/* "95% free" */
	if (at && !strcmp(s->of[at], "free") && strchr(s->of[at - 1], '%') &&
	    word_is_amount(s->of[at - 1]))
		return true;
	for (size_t i = 0; at && i < sizeof(before) / sizeof(*before); i++)
		if (!strcmp(s->of[at], "free") && !strcmp(s->of[at - 1], before[i]))
			return true;
	return false;
}

static bool sentence_has(const struct sentence *s, const char *word)
{
	for (size_t i = 0; i < s->nr; i++)
		if (!strcmp(s->of[i], word))
			return true;
	return false;
}

static bool sentence_compares(const struct sentence *s)
{
	for (size_t i = 0; i < s->nr; i++)
		if (word_compares(s->of[i]))
			return true;
	return false;
}

/* "mapped vs shmem": what is compared is a name, though it is an everyday word. */
static bool is_compared(const struct sentence *s, const char *word)
{
	static const char *const words[] = { "mapped", "resident", "virtual", "data", "file" };

	if (!sentence_compares(s))
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(words[i], word))
			return true;
	return false;
}

/* "exited with 137": the number is a name. "shows 137 MB": it is an amount. */
static bool sentence_has_code(const struct sentence *s)
{
	static const char *const words[] = { "exit", "code", "status", "signal" };

	for (size_t i = 0; i < s->nr; i++)
		for (size_t k = 0; k < sizeof(words) / sizeof(*words); k++)
			if (strstr(s->of[i], words[k]))
				return true;
	return false;
}

static bool is_worth_a_look(const struct sentence *s, size_t first, size_t nr)
{
	const char *word = s->of[first];

	if (is_verb(s, first))
		return false;

	if (nr == 1 && isdigit((unsigned char)*word))
		return strlen(word) > CODE_MOST || sentence_has_code(s);
	if (nr == 1)
		return !word_says_nothing(word) && (!is_everyday(word) || is_compared(s, word));
	/* A name neither begins nor ends with "the" or "in". */
	return !word_is_grammar(word) && !word_is_grammar(s->of[first + nr - 1]);
}

/* Takes the longest name that begins at a word. */
static int take_name(struct parts *p, const struct topics *all, const struct sentence *s,
		     size_t first, size_t *taken)
{
	size_t most = s->nr - first < NAME_WORDS ? s->nr - first : NAME_WORDS, at;
	char text[TEXT_SIZE];
	struct topic t;
	bool is = false;

	for (*taken = most; *taken; --*taken) {
		if (!is_worth_a_look(s, first, *taken))
			continue;
		join(s, first, *taken, text, sizeof(text));
		if (name_of_words(all, text, &t, &is))
			return -1;
		if (is)
			break;
	}
	if (!is)
		return 0;
	if (add_found(&p->names, &t, &at))
		return -1;
	p->spans++;
	snprintf(p->typed[at - 1], sizeof(p->typed[0]), "%.*s", WORD_SIZE - 1, text);
	for (size_t i = 0; i < *taken; i++) {
		p->known[first + i] = true;
		p->of[first + i] = at;
	}
	return 0;
}

/* True if the name is a line of that file: "Mapped" of "/proc/meminfo". */
static bool is_line_of(const struct topic *t, const char *file)
{
	return t->kind == TOPIC_FIGURE && t->figure->from && *file == '/' &&
	       !strncmp(t->figure->from, file, strlen(file));
}

/* "pmap writeable/private" is a column of "pmap -d". */
static bool is_column_of(const struct topic *t, const char *tool, const char *part)
{
	size_t len = strlen(tool);

	return t->kind == TOPIC_COLUMN && !strncasecmp(t->column->tool, tool, len) &&
	       t->column->tool[len] == ' ' && !strcasecmp(t->column->name, part);
}

/* "Hugetlb" of the topic "meminfo.Hugetlb" */
static const char *topic_line_name(const struct topic *t)
{
	return strncmp(t->name, "meminfo.", 8) ? t->name : t->name + 8;
}

static int line_of_file(const struct topics *all, const char *file, const char *part,
			struct topic *t, bool *is)
{
	struct topics found;

	if (topics_find(&found, all, part))
		return -1;
	for (size_t i = 0; !*is && i < found.nr; i++) {
		*is = is_line_of(&found.of[i], file);
		*t = found.of[i];
	}
	topics_free(&found);
	return 0;
}

/* Finds the number of that program or file: "shared" of "free" is "free shared". */
static int number_of(const struct topics *all, const char *whole, const char *part, struct topic *t,
		     bool *is)
{
	static const char *const joints[] = { " ", "." };
	const char *file = *whole == '/' ? strrchr(whole, '/') + 1 : whole;
	char text[TEXT_SIZE];

	*is = false;
	for (size_t i = 0; !*is && i < 2; i++) {
		struct topics found;

		snprintf(text, sizeof(text), "%s%s%s", i ? file : whole, joints[i], part);
		if (topics_find(&found, all, text))
			return -1;
		*is = found.nr > 0;
		if (found.nr)
			*t = found.of[0];
		topics_free(&found);
	}
	for (size_t i = 0; !*is && i < all->nr; i++) {
		*is = is_column_of(&all->of[i], whole, part);
		*t = *is ? all->of[i] : *t;
	}
	return *is ? 0 : line_of_file(all, whole, part, t, is);
}

/* "memory.stat" of "memory.stat kernel", "psutil" of "psutil rss"; "" of one word. */
static void owner_of_name(const char *typed, char owner[WORD_SIZE])
{
	size_t len = strcspn(typed, " ");

	snprintf(owner, WORD_SIZE, "%.*s", typed[len] ? (int)len : 0, typed);
}

/* Like owner_of_name(), but only files: "" for "pmap -x rss", because pmap is no file. */
static void file_of_name(const char *typed, char file[WORD_SIZE])
{
	owner_of_name(typed, file);
	if (!strchr(file, '.'))
		file[0] = '\0';
}

/* "shared in free", "RES of top": joins the two into one name, at the first one's place. */
static int join_names(struct parts *p, const struct topics *all, const struct sentence *s,
		      size_t whole)
{
	size_t joined = 0, at;
	char owner[WORD_SIZE]; /* the file or tool before its line or column, or "" */
	bool itself = false;   /* some words belong to the owner itself: "memory.events low" */

	owner_of_name(p->typed[whole], owner);
	for (size_t i = 0; i < s->nr; i++) {
		struct topic t;
		bool is;

		if (p->of[i] == whole + 1 || word_is_grammar(s->of[i]) ||
		    (p->of[i] && strchr(p->typed[p->of[i] - 1], ' ')))
			continue;
		if (number_of(all, p->typed[whole], s->of[i], &t, &is) ||
		    (!is && number_of(all, p->names.of[whole].name, s->of[i], &t, &is)))
			return -1;
		if (!is && owner[0] && number_of(all, owner, s->of[i], &t, &is))
			return -1;
		itself |= is && owner[0];
		if (!is)
			continue;
		p->known[i] = true;
		if (p->of[i])
			p->dropped[p->of[i] - 1] = true;
		if (!strcmp(t.name, p->names.of[whole].name)) {
			itself = true;
			continue;
		}
		if (!joined++ && !itself)
			p->names.of[whole] = t;
		else if (add_found(&p->names, &t, &at))
			return -1;
		else
			p->dropped[at - 1] = false; /* "VmRSS" of "status" is the name itself */
	}
	if (joined)
		p->joined = true;
	return 0;
}

static bool is_place(const struct topic *t, const char *typed, bool compared)
{
	return (compared && (t->kind == TOPIC_GROUP || !strcmp(t->name, "/proc/meminfo") ||
			     !strcmp(t->name, "memory.stat"))) ||
	       !strcmp(t->name, "cgroup") || !strcmp(typed, "/proc/vmstat");
}

/* "smaps Private_Dirty vs Shared_Dirty": a file or program beside two of its numbers only says
 * where they are. */
static void drop_places(struct parts *p, bool compared)
{
	size_t others = 0, least = compared ? 2 : 1;

	for (size_t i = 0; i < p->names.nr && i < SENTENCE_WORDS; i++)
		others += !p->dropped[i] && !is_place(&p->names.of[i], p->typed[i], compared);
	for (size_t i = 0; i < p->names.nr && i < SENTENCE_WORDS && others >= least; i++)
		p->dropped[i] |= is_place(&p->names.of[i], p->typed[i], compared);
}

/*
 * "Dirty Writeback", "Hugetlb vs HugePages_Total": beside a line of /proc/meminfo or vmstat a name
 * that is both a concept and a line is the line.
 */
static int prefer_lines(struct parts *p, const struct topics *all)
{
	size_t lines = 0;

	for (size_t i = 0; i < p->names.nr; i++)
		lines += is_line_of(&p->names.of[i], "/proc/meminfo") ||
			 is_line_of(&p->names.of[i], "/proc/vmstat");
	for (size_t i = 0; lines && i < p->names.nr && i < SENTENCE_WORDS; i++) {
		struct topic t;
		bool is = false;

		if (p->names.of[i].kind != TOPIC_WORD || strchr(p->typed[i], ' '))
			continue;
		if (line_of_file(all, "/proc/meminfo", p->typed[i], &t, &is))
			return -1;
		if (is && !strcasecmp(topic_line_name(&t), p->typed[i]))
			p->names.of[i] = t;
	}
	return 0;
}

/* "memory.stat anon vs file": a concept beside a line of a file is the file's line of that name. */
static int prefer_lines_of_first(struct parts *p, const struct topics *all)
{
	char file[WORD_SIZE] = "";

	if (p->names.nr)
		file_of_name(p->typed[0], file);
	for (size_t i = 1; file[0] && i < p->names.nr && i < SENTENCE_WORDS; i++) {
		struct topic t;
		bool is;

		if (p->names.of[i].kind != TOPIC_WORD)
			continue;
		if (number_of(all, file, p->typed[i], &t, &is))
			return -1;
		if (is)
			p->names.of[i] = t;
	}
	return 0;
}

/* Drops the name that a word belongs to; the word is then unknown. */
static void drop_name_of(struct parts *p, size_t word)
{
	p->dropped[p->of[word] - 1] = true;
	p->known[word] = false;
	p->of[word] = 0;
}

/* "available" of "virsh dommemstat" is the tool's name for another number than the kernel's. */
static void drop_names_of_tools(struct parts *p, const struct sentence *s)
{
	bool has_tool = false;

	for (size_t i = 0; i < s->nr; i++)
		has_tool |= word_is_tool(s->of[i]);
	for (size_t i = 0; has_tool && i < s->nr; i++) {
		if (!p->of[i] || p->dropped[p->of[i] - 1] ||
		    !word_is_common_name(p->typed[p->of[i] - 1]))
			continue;
		drop_name_of(p, i);
	}
}

/* "heap used" is heapUsed only where Node.js is meant. */
static void drop_words_of_node(struct parts *p, const struct sentence *s)
{
	static const char *const of_node[] = { "node", "nodejs", "node.js", "v8", "electron" };
	static const char heap[] = "heap";
	bool is_node = false;

	for (size_t i = 0; i < sizeof(of_node) / sizeof(*of_node); i++)
		is_node |= sentence_has(s, of_node[i]);
	for (size_t i = 0; !is_node && i < s->nr; i++) {
		const char *typed = p->of[i] ? p->typed[p->of[i] - 1] : "";

		if (strncmp(typed, heap, strlen(heap)) || typed[strlen(heap)] != ' ' ||
		    (strcmp(typed + strlen(heap) + 1, "used") &&
		     strcmp(typed + strlen(heap) + 1, "total")))
			continue;
		drop_name_of(p, i);
	}
}

/* "rsslim 18446744073709551615": beside a name a number is its value, though it has an entry. */
static void drop_values(struct parts *p, const struct sentence *s)
{
	if (p->names.nr < 2 || sentence_has_code(s))
		return;
	for (size_t i = 0; i < p->names.nr && i < SENTENCE_WORDS; i++)
		p->dropped[i] |= p->typed[i][0] &&
				 strspn(p->typed[i], "0123456789") == strlen(p->typed[i]);
}

/* The heap of a runtime is not that of malloc(3). */
static int prefer_runtimes(struct parts *p, const struct topics *all, const struct sentence *s)
{
	static const struct {
		const char *runtime, *heap;
	} table[] = {
		{ "java", "Java heap" },
		{ "jvm", "Java heap" },
		{ "elasticsearch", "Java heap" },
		{ "kafka", "Java heap" },
		{ "cassandra", "Java heap" },
		{ "tomcat", "Java heap" },
		{ "node", "V8 heap" },
		{ "nodejs", "V8 heap" },
		{ "node.js", "V8 heap" },
		{ "golang", "go heap" },
		{ "dotnet", ".NET GC heap" },
		{ ".net", ".NET GC heap" },
	};

	for (size_t i = 0; i < p->names.nr; i++) {
		for (size_t k = 0; k < sizeof(table) / sizeof(*table); k++) {
			struct topics found;

			if (strcmp(p->names.of[i].name, "heap") ||
			    !sentence_has(s, table[k].runtime))
				continue;
			if (topics_find(&found, all, table[k].heap))
				return -1;
			if (found.nr)
				p->names.of[i] = found.of[0];
			topics_free(&found);
		}
	}
	return 0;
}

/* True if one of the first `nr` names is that topic: "shmem in free shared" names it twice. */
static bool is_kept(const struct parts *p, size_t nr, const struct topic *t)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(p->names.of[i].name, t->name))
			return true;
	return false;
}

static void drop_names(struct parts *p)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->names.nr; i++) {
		if ((i < SENTENCE_WORDS && p->dropped[i]) || is_kept(p, kept, &p->names.of[i]))
			continue;
		if (i < SENTENCE_WORDS)
			memmove(p->typed[kept], p->typed[i], sizeof(p->typed[i]));
		p->names.of[kept++] = p->names.of[i];
	}
	p->names.nr = kept;
}

static int parts_find(struct parts *p, const struct topics *all, const struct sentence *s)
{
	*p = (struct parts) { .names = { NULL, 0 } };
	for (size_t i = 0; i < s->nr; i++)
		p->known[i] = word_says_nothing(s->of[i]) || word_compares(s->of[i]);
	for (size_t i = 0, taken; i < s->nr; i += taken ? taken : 1)
		if (take_name(p, all, s, i, &taken))
			return -1;
	for (size_t i = 0, nr = p->names.nr; !sentence_compares(s) && i < nr; i++)
		if (!p->dropped[i] && join_names(p, all, s, i))
			return -1;
	drop_places(p, sentence_compares(s));
	drop_values(p, s);
	drop_names_of_tools(p, s);
	drop_words_of_node(p, s);
	if (prefer_lines(p, all) || prefer_lines_of_first(p, all) || prefer_runtimes(p, all, s))
		return -1;
	drop_names(p);
	return 0;
}

/* "VIRT/RES/SHR" becomes three words if it is not a name, and is not similar to one. */
static int split_slashes(struct sentence *s, const struct topics *all)
{
	char text[SENTENCE_WORDS * (WORD_SIZE + 1)] = "", who[WORD_SIZE];

	for (size_t i = 0; i < s->nr; i++) {
		char *at = text + strlen(text);
		struct topic t;
		bool is = s->of[i][0] == '/' || !strchr(s->of[i], '/');

		if (!is && name_of_words(all, s->of[i], &t, &is))
			return -1;
		is |= strlen(s->of[i]) >= SPELLED_LEAST && query_nearest(all, s->of[i], true);
		snprintf(at, sizeof(text) - (size_t)(at - text), "%s%s", i ? " " : "", s->of[i]);
		for (; !is && *at; at++)
			*at = *at == '/' ? ' ' : *at;
	}
	strcpy(who, s->who);
	sentence_split(s, text);
	if (who[0])
		strcpy(s->who, who);
	return 0;
}

/* The first unknown word. */
static const char *only_unknown(const struct sentence *s)
{
	size_t i = 0;

	while (!s->unknown[i])
		i++;
	return s->of[i];
}

/* Writes one relation after the others; of three names it says between which of them it is. */
static void put_relation(const struct topics *names, size_t one, size_t other, const char *words,
			 char *buf, size_t size)
{
	size_t len = strlen(buf);

	if (strstr(buf, words))
		return;
	if (names->nr > 2)
		snprintf(buf + len, size - len, "%s%s, %s: %s", len ? " " : "", names->of[one].name,
			 names->of[other].name, words);
	else
		snprintf(buf + len, size - len, "%s%s", len ? " " : "", words);
}

/* Writes how the names are related, pair by pair, into buf. False: no relation is known. */
static bool relate(const struct topics *names, char *buf, size_t size)
{
	enum { BETWEEN = 200 };

	buf[0] = '\0';
	for (size_t i = 0; i + 1 < names->nr; i++) {
		for (size_t k = i + 1; k < names->nr; k++) {
			char one[RELATION_SIZE];

			if (relation_words(&names->of[i], &names->of[k], one, sizeof(one)) &&
			    strlen(buf) + strlen(one) + BETWEEN < size)
				put_relation(names, i, k, one, buf, size);
		}
	}
	return buf[0];
}

/*
 * "hugetlb pages not in RSS": how two numbers are related is true however the question is phrased.
 * A word of the relation is explained by it. What an act does is another matter than that it failed
 * to do so.
 */
static void skip_phrasing(struct parts *p, const struct sentence *s, const char *relation)
{
	static const char *const words[] = { WORD_NOT,     "pages",    "page",     "part",
					     "add",        "adds",     "subtract", "subtracts",
					     "subtracted", "deducted", "excluded", "charged",
					     "overlap",    "sum" };
	bool is_effect = false;

	for (size_t i = 0; i < p->names.nr; i++)
		is_effect |= relation_is_act(&p->names.of[i]);
	for (size_t i = 0; i < s->nr; i++) {
		for (size_t k = 0; k < sizeof(words) / sizeof(*words); k++)
			p->known[i] |= !strcmp(s->of[i], words[k]) &&
				       !(is_effect && word_denies(s->of[i]));
		p->known[i] |= word_is_in_text(s->of[i], relation) ||
			       (is_effect && word_is_change(s->of[i]));
	}
}

/*
 * True if no word but names and nouns is there: "ps drs trs", "swap usage per process smem",
 * "X and Y in Z", "what are X and Y".
 * "fincore RES column" asks for one column, which the table does not have.
 */
static bool is_list(const struct sentence *s)
{
	bool asks = sentence_has(s, "what");

	for (size_t i = 0; i < s->nr; i++)
		if ((word_is_grammar(s->of[i]) && !word_joins(s->of[i]) && *s->of[i] != '-' &&
		     !(asks && word_asks_what(s->of[i]))) ||
		    !strcmp(s->of[i], "column"))
			return false;
	return true;
}

static bool sentence_contrasts(const struct sentence *s)
{
	for (size_t i = 0; i < s->nr; i++)
		if (word_contrasts(s->of[i]))
			return true;
	return false;
}

/*
 * "is VmRSS in kB or KiB", "statm units"; not "unit peak memory", where it is part of a name, nor
 * "Dirty: 1843200 kB", where it is part of a value.
 */
static bool asks_for_unit(const struct sentence *s, const struct parts *p)
{
	size_t units = 0;
	bool offers = false;

	for (size_t i = 0; i < s->nr; i++) {
		units += word_is_unit(s->of[i]) && !p->of[i] &&
			 !(i && word_is_amount(s->of[i - 1]));
		offers |= !strcmp(s->of[i], "or") || !strcmp(s->of[i], "in") ||
			  (!strncmp(s->of[i], "unit", 4) && !p->of[i]);
	}
	return units > 1 || (units && offers);
}

/* "vfs_cache_pressure 50 vs 100" compares two values of one setting. */
static bool compares_values(const struct sentence *s)
{
	for (size_t i = 1; i + 1 < s->nr; i++)
		if (word_compares(s->of[i]) && word_is_amount(s->of[i - 1]) &&
		    word_is_amount(s->of[i + 1]))
			return true;
	return false;
}

static int take_one_name(struct query *q, const struct topics *all, const struct parts *p)
{
	const struct topic *t = &p->names.of[0];
	int failed;

	q->kind = QUERY_SPELLING;
	snprintf(q->taken_for, sizeof(q->taken_for), "%s", t->name);
	failed = topics_find(&q->found, all, p->joined ? t->name : p->typed[0]);
	return failed || q->found.nr ? failed : topics_find(&q->found, all, t->name);
}

/*
 * A sentence that lists or compares names is about these names ("VmHWM vs VmPeak"), and one with
 * two names is about how they are related, if that is known. Other sentences with several names are
 * not understood: the meanings of their words do not answer them.
 */
static enum query_kind kind_of_names(struct query *q, const struct parts *p,
				     const struct sentence *s)
{
	/* "where did 10 GB go, not in cache and not in slab" asks for what is neither. */
	if (q->relation[0])
		return sentence_has(s, "where") ? QUERY_NEAR : QUERY_WORDS;
	/* "pmap -d shared": the program has no such column, and the word means something else. */
	for (size_t i = 0; i < p->names.nr; i++)
		if (p->names.of[i].kind == TOPIC_GROUP)
			return QUERY_NEAR;
	/* "usage vs cache": the other side of the comparison has no name. */
	return p->names.nr > 1 && (sentence_contrasts(s) || is_list(s)) ? QUERY_WORDS : QUERY_NEAR;
}

/* "docker stats" is a subject: a question about docker that lacks the other word is another one. */
static void hold_names(struct sentence *s, const struct parts *p)
{
	for (size_t i = 0; i < s->nr; i++)
		s->held[i] = p->of[i] && strchr(p->typed[p->of[i] - 1], ' ') &&
			     !word_is_grammar(s->of[i]) && !word_is_amount(s->of[i]);
}

static void mark_unknown(struct sentence *s, const struct parts *p)
{
	for (size_t i = 0; i < s->nr; i++) {
		s->named[i] = (unsigned)p->of[i];
		s->unknown[i] = !p->known[i] && !(p->names.nr && word_is_program(s->of[i]));
	}
}

static int find_words(struct query *q, const struct topics *all, struct sentence *s)
{
	struct parts p;
	size_t unknown;
	int failed = parts_find(&p, all, s);
	bool of_unit = !failed && asks_for_unit(s, &p);

	if (!failed)
		hold_names(s, &p);
	for (size_t i = 0; of_unit && i < s->nr; i++)
		p.known[i] |= word_is_unit(s->of[i]);
	if (!failed && relate(&p.names, q->relation, sizeof(q->relation)))
		skip_phrasing(&p, s, q->relation);
	mark_unknown(s, &p);
	unknown = query_list_unknown(s, q->unknown, sizeof(q->unknown));
	if (failed || !p.names.nr) {
		topics_free(&p.names);
		return failed || unknown != 1 || strlen(only_unknown(s)) < SPELLED_LEAST
			       ? failed
			       : query_find_near(q, all, only_unknown(s), true);
	}
	/* "used_memory vs used_memory_rss": two names of one entry, which explains both. */
	if (!unknown && p.names.nr == 1 &&
	    ((!sentence_compares(s) && !sentence_has(s, "than")) || p.spans > 1 ||
	     compares_values(s))) {
		if (of_unit)
			topic_unit(&p.names.of[0], q->unit, sizeof(q->unit));
		failed = take_one_name(q, all, &p);
		topics_free(&p.names);
		return failed;
	}
	if (unknown)
		q->relation[0] = '\0';
	q->kind = unknown ? QUERY_NEAR : kind_of_names(q, &p, s);
	q->found = p.names;
	return 0;
}

/* "process_resident_memory_bytes prometheus meaning" asks for a name; "what does 1.2g mean" does
 * not.
 */
static bool asks_meaning(const struct sentence *s)
{
	bool asks = false;

	for (size_t i = 0; i < s->nr; i++) {
		if (word_is_amount(s->of[i]))
			return false;
		asks |= word_asks_meaning(s->of[i]);
	}
	return asks;
}

/*
 * The question that a sentence asks: its own, or one that it nearly asks. Beside a name whose
 * meaning is asked for only a question about a meaning answers.
 */
static const struct question *asked_question(const struct query *q, const struct sentence *s)
{
	const struct question *asked = question_for(s);

	if (asked)
		return q->kind == QUERY_SPELLING && asks_meaning(s) && !asked->of_meaning ? NULL
											  : asked;
	for (size_t i = 0; i < q->nr_similar; i++)
		if (question_is_near(q->similar[i], s) && question_answers(q->similar[i], s))
			return q->similar[i];
	return q->nearest && question_answers(q->nearest, s) ? q->nearest : NULL;
}

/* "freebsd wired memory": the words have another sense there. */
static void mark_system(struct query *q, const struct sentence *s)
{
	for (size_t i = 0; i < s->nr; i++) {
		if (!word_is_other_system(s->of[i]) || !s->unknown[i])
			continue;
		snprintf(q->system, sizeof(q->system), "%s", s->of[i]);
		q->kind = QUERY_NEAR;
		topics_free(&q->found);
		q->found = (struct topics) { NULL, 0 };
		q->nearest = NULL;
		q->nr_similar = 0;
		return;
	}
}

/* A line of a tool asks at most what its label means. */
static void keep_meanings(struct query *q)
{
	size_t kept = 0;

	for (size_t i = 0; i < q->nr_similar; i++)
		if (q->similar[i]->of_meaning)
			q->similar[kept++] = q->similar[i];
	q->nr_similar = kept;
	if (q->nearest && !q->nearest->of_meaning)
		q->nearest = NULL;
	if (q->question && !q->question->of_meaning)
		q->question = NULL;
	if (q->kind == QUERY_NEAR && !q->found.nr && !kept && !q->nearest)
		q->kind = QUERY_NONE;
}

/* "Available" is no line of the kernel's; "Active" is one of /proc/meminfo. */
static bool is_any_tools(const char *label)
{
	char lower[LABEL_SIZE];

	snprintf(lower, sizeof(lower), "%.*s", LABEL_SIZE - 1, label);
	for (char *p = lower; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return word_is_common_name(lower) &&
	       machine_by_key(MACHINE_MEMINFO, label, strlen(label), MACHINE_NONE) == MACHINE_NONE;
}

/*
 * Keeps what a pasted label may mean: no case of ours, and no line of memory.stat, which has bytes
 * and no colon ("active_anon:12kB" is a line of the kernel's log). False: nothing else was found.
 */
static bool keep_lines(struct query *q)
{
	static const char file[] = "memory.stat";
	struct topics *found = &q->found;
	size_t kept = 0, all = found->nr;

	for (size_t i = 0; i < all; i++)
		if (found->of[i].kind != TOPIC_CASE && found->of[i].kind != TOPIC_FACT &&
		    (strncmp(found->of[i].name, file, strlen(file)) != 0 ||
		     found->of[i].name[strlen(file)] != ' '))
			found->of[kept++] = found->of[i];
	found->nr = kept;
	if (kept && !strncmp(q->taken_for, file, strlen(file)))
		snprintf(q->taken_for, sizeof(q->taken_for), "%s", found->of[0].name);
	return kept || !all;
}

/*
 * "Lost RAM: 287,420K", "Free RAM: 12K": lines of a tool. A word of a label is not what the tool
 * counts there: only the whole label may be a name.
 */
static int keep_to_labels(struct query *q, const struct topics *all, const char *text)
{
	char of[LABELS_MOST][LABEL_SIZE];
	size_t nr = text_labels(text, of);
	bool are_names = !nr || keep_lines(q);

	for (size_t i = 0; i < nr && are_names; i++) {
		struct topic t;

		if (is_any_tools(of[i]))
			are_names = false;
		else if (strchr(of[i], ' ') && name_of_words(all, of[i], &t, &are_names))
			return -1;
	}
	if (!are_names) {
		topics_free(&q->found);
		q->found = (struct topics) { NULL, 0 };
		q->kind = QUERY_NEAR;
		q->relation[0] = '\0';
	}
	if (nr)
		keep_meanings(q);
	return 0;
}

/* "df shows the disk full": what has a name there is no number of main memory. */
static void mark_outside(struct query *q)
{
	if (q->kind != QUERY_NEAR || !q->found.nr || (q->nearest && (q->explained || q->nearly)))
		return;
	for (size_t i = 0; i < q->found.nr; i++)
		if (q->found.of[i].kind != TOPIC_FIGURE || !q->found.of[i].figure->outside)
			return;
	q->outside = true;
	q->explained = false;
	q->nearly = false;
	q->nearest = NULL;
	q->nr_similar = 0;
}

static int resolve_sentence(struct query *q, const struct topics *all, const char *text)
{
	struct sentence s;
	bool is_row = text_is_row(text);

	sentence_split(&s, text);
	if (s.nr > 1 && !is_row && typos_correct(&s, all, q->read_as, sizeof(q->read_as)))
		return -1;
	if (split_slashes(&s, all) || (s.nr > 1 && find_words(q, all, &s)))
		return -1;
	/* "available 1011248" is any tool's line. */
	if (s.nr == 2 && q->kind == QUERY_SPELLING && word_is_common_name(s.of[0]) &&
	    isdigit((unsigned char)s.of[1][0]) && word_is_amount(s.of[1]))
		q->kind = QUERY_NEAR;
	/* A row of an unknown shape: a name in it does not explain its numbers. */
	if (is_row && (q->kind == QUERY_SPELLING || q->kind == QUERY_WORDS))
		q->kind = QUERY_NEAR;
	if (q->kind == QUERY_NONE || q->kind == QUERY_NEAR)
		q->nr_similar = questions_similar(&s, q->similar);
	if (q->nr_similar)
		q->kind = QUERY_NEAR;
	q->nearest = q->kind == QUERY_NONE || q->kind == QUERY_NEAR ? question_nearest(&s) : NULL;
	if (q->nearest)
		q->kind = QUERY_NEAR;
	q->question = is_row ? NULL : field_for(&s);
	if (!is_row && !q->question)
		q->question = asked_question(q, &s);
	if (keep_to_labels(q, all, text))
		return -1;
	if (q->question) {
		q->kind = QUERY_QUESTION;
		return 0;
	}
	mark_system(q, &s);
	if (q->kind == QUERY_NEAR && !is_row && !q->system[0])
		query_judge(q, &s);
	mark_outside(q);
	return q->kind == QUERY_NONE && s.nr <= NEAR_WORDS ? query_find_near(q, all, text, s.nr > 1)
							   : 0;
}

/* "anon 734003200": a line of memory.stat, where the same name means other numbers elsewhere. */
static int find_stat_line(struct query *q, const struct topics *all, const char *text)
{
	enum { DIGITS_LEAST = 4 };
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz_"), skip = strspn(text + len, " \t");
	const char *number = text + len + skip;
	char name[TEXT_SIZE + 16];

	if (q->kind != QUERY_NONE || !len || !skip || strlen(number) < DIGITS_LEAST ||
	    strspn(number, "0123456789") < strlen(number))
		return 0;
	snprintf(name, sizeof(name), "memory.stat %.*s", (int)len, text);
	if (topics_find(&q->found, all, name))
		return -1;
	if (!q->found.nr)
		return 0;
	q->kind = QUERY_SPELLING;
	snprintf(q->taken_for, sizeof(q->taken_for), "%s", q->found.of[0].name);
	return 0;
}

static int resolve(struct query *q, const struct topics *all, const char *text)
{
	char trimmed[TEXT_SIZE];

	*q = (struct query) { .kind = QUERY_NONE };
	copy_text(trimmed, text, strlen(text));
	query_trim(trimmed);
	if (!trimmed[0])
		return 0;
	q->nr_rows = rows_find(text, q->rows);
	if (q->nr_rows)
		q->kind = QUERY_ROW;
	else if (query_find_variant(q, all, text) || find_stat_line(q, all, trimmed))
		return -1;
	if (q->kind != QUERY_NONE)
		return 0;
	if (is_kernel(trimmed, q->release)) {
		q->kind = QUERY_KERNEL;
		return 0;
	}
	q->question = question_for_line(trimmed);
	if (q->question) {
		q->kind = QUERY_QUESTION;
		return 0;
	}
	return resolve_sentence(q, all, trimmed);
}

/* A value that no memory has is asked about for that, whatever its line is. */
int query_resolve(struct query *q, const struct topics *all, const char *text)
{
	if (text_has_wrapped(text))
		text = strcasestr(text, "hugepages_rsvd") ? "why is HugePages_Rsvd negative"
							  : "memory usage is negative";
	return resolve(q, all, text);
}

void query_free(struct query *q)
{
	topics_free(&q->found);
}
