// SPDX-License-Identifier: MIT
/* Finds the names in a sentence: "slab" and "free" in "is slab in free?". */
#include "parts.h"
#include "query_private.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NAME_WORDS = 5, CODE_MOST = 3 };

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

/*
 * True for a term of rssck that means something else beside the name of a program: "unknown" of
 * dumpsys is no counter.
 */
static bool is_only_ours(const struct sentence *s, const char *word)
{
	static const char terms[] =
		" unknown exact precise per-thread per-cpu settled bound posting fact batch behaviour ";

	return word_is_among(word, terms) && !sentence_has(s, "rssck") &&
	       !sentence_has(s, "counter") && !sentence_has(s, "counters");
}

/* True for an everyday word that is also a name. It is a name only beside its file or program. */
static bool is_everyday(const char *word)
{
	return word_is_among(
		word,
		" total data text lib code once more idle pages present huge special written mapped resident exclusive virtual behaviour account settle lag fact bound posting time load file buffer counter batch ");
}

/* True for words such as "system ram": joined by a point they would be the name of something else.
 */
static bool names_nothing(const char *text)
{
	struct sentence s;

	sentence_split(&s, text);
	for (size_t i = 0; i < s.nr; i++)
		if (!word_says_nothing(s.of[i]))
			return false;
	return true;
}

int name_of_words(const struct topics *all, const char *text, struct topic *t, bool *is)
{
	struct query one = { .kind = QUERY_NONE };
	/*
	 * Several words must be the exact name: trying variants of each would take too
	 * long.
	 */
	int failed = strchr(text, ' ') ? topics_find(&one.found, all, text)
				       : query_find_variant(&one, all, text);
	char joined[TEXT_SIZE];

	/* "swap cached" is SwapCached, "smaps swap" is smaps.Swap */
	copy_text(joined, text, strlen(text));
	if (!failed && !one.found.nr && strchr(text, ' ') && query_without_blanks(joined))
		failed = topics_find(&one.found, all, joined);
	if (!failed && !one.found.nr && strchr(text, ' ') && !names_nothing(text)) {
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
	topics_free(&one.found);
	return failed;
}

/* True for "does drop_caches free slab", not for "does top show free" or "does free count swap". */
static bool asks_whether_frees(const struct sentence *s, size_t at)
{
	if (at < 2 || at + 1 == s->nr || !word_is_among(s->of[0], " does do did will would "))
		return false;
	for (size_t i = 1; i < at; i++)
		if (word_is_background(s->of[i]) ||
		    word_is_among(s->of[i],
				  " the include includes count counts contain affect match equal "))
			return false;
	return true;
}

/* True if "free" is not the program, as in "how to free memory" and "can be free". */
static bool is_verb(const struct sentence *s, size_t at)
{
	/* "the guest frees memory" */
	if (!strcmp(s->of[at], "frees"))
		return true;
	/* "95% free" */
	if (at && !strcmp(s->of[at], "free") && strchr(s->of[at - 1], '%') &&
	    word_is_amount(s->of[at - 1]))
		return true;
	return at && !strcmp(s->of[at], "free") &&
	       (word_is_among(s->of[at - 1], " to can be is are i not really ") ||
		asks_whether_frees(s, at));
}

/* True for an everyday word that is a name because it is compared: "mapped vs shmem". */
static bool is_compared(const struct sentence *s, const char *word)
{
	return sentence_compares(s) && word_is_among(word, " mapped resident virtual data file ");
}

/* True if a number in the sentence may be a code: "exited with 137", but not "shows 137 MB". */
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
		return !word_says_nothing(word) && !is_only_ours(s, word) &&
		       (!is_everyday(word) || is_compared(s, word));
	/* A name neither begins nor ends with "the" or "in"; "swap out" is one. */
	return !word_is_grammar(word) &&
	       (!word_is_grammar(s->of[first + nr - 1]) || !strcmp(s->of[first + nr - 1], "out"));
}

static bool is_possessive(const char *word)
{
	size_t len = strlen(word);

	return len > 2 && !strcmp(word + len - 2, "'s");
}

/* "free's" becomes "free". */
static void strip_possessive(char *text)
{
	if (is_possessive(text))
		text[strlen(text) - 2] = '\0';
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
		if (*taken == 1)
			strip_possessive(text);
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

/*
 * True if `part` is a column of the program with some option: "writeable/private" of "pmap" is a
 * column of "pmap -d".
 */
static bool is_column_of(const struct topic *t, const char *tool, const char *part)
{
	size_t len = strlen(tool);

	return t->kind == TOPIC_COLUMN && !strncasecmp(t->column->tool, tool, len) &&
	       t->column->tool[len] == ' ' && !strcasecmp(t->column->name, part);
}

/* Returns "Hugetlb" for the topic "meminfo.Hugetlb". */
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

/* Finds a number of a program or file: "shared" of "free" is "free shared". */
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

/*
 * Writes the first of several words ("memory.stat" of "memory.stat kernel", "psutil" of "psutil
 * rss"), or "" for a single word.
 */
static void owner_of_name(const char *typed, char owner[WORD_SIZE])
{
	size_t len = strcspn(typed, " ");

	snprintf(owner, WORD_SIZE, "%.*s", typed[len] ? (int)len : 0, typed);
}

/*
 * Joins a program or file with its numbers in the sentence: "shared in free", "RES of top". The
 * first joined name takes the place of the program or file, unless the sentence also means the
 * program or file itself.
 */
static int join_names(struct parts *p, const struct topics *all, const struct sentence *s,
		      size_t whole)
{
	size_t joined = 0, at;
	char owner[WORD_SIZE]; /* the file or tool that the name begins with, or "" */
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
		if (!joined++ && !itself) {
			p->names.of[whole] = t;
			at = whole + 1;
		} else if (add_found(&p->names, &t, &at)) {
			return -1;
		} else {
			p->dropped[at - 1] = false; /* "VmRSS" of "status" is the name itself */
		}
		p->as[i] = at;
	}
	if (joined)
		p->joined = true;
	return 0;
}

/*
 * Returns the word that is a number of the program or file at `place`: "rss" for the "ps" of "rss
 * in ps" and "ps's rss"; s->nr if there is none.
 */
static size_t number_beside(const struct sentence *s, size_t place)
{
	static const char joins[] = " in of from on by ";

	if (is_possessive(s->of[place]) && place + 1 < s->nr)
		return place + 1;
	/* "SwapPss vs Swap smaps" */
	if (place > 1 && word_compares(s->of[place - 2]))
		return place - 1;
	if (place < 2 || !word_is_among(s->of[place - 1], joins))
		return s->nr;
	if (!word_is_background(s->of[place - 2]))
		return place - 2;
	return place > 2 ? place - 3 : s->nr;
}

/*
 * Joins each program or file with the number beside it, where numbers are compared: "RSS in ps vs
 * Rss in smaps" names two.
 */
static int join_neighbours(struct parts *p, const struct topics *all, const struct sentence *s)
{
	for (size_t i = 0; i < s->nr; i++) {
		size_t beside = p->of[i] ? number_beside(s, i) : s->nr, at;
		struct topic t;
		bool is;

		if (beside == s->nr || p->of[beside] == p->of[i])
			continue;
		if (number_of(all, p->typed[p->of[i] - 1], s->of[beside], &t, &is))
			return -1;
		/* "used" of top's summary is not its column USED. */
		if (!is || (t.kind == TOPIC_COLUMN && word_is_common_name(s->of[beside])))
			continue;
		if (add_found(&p->names, &t, &at))
			return -1;
		p->dropped[p->of[i] - 1] = true;
		if (p->of[beside])
			p->dropped[p->of[beside] - 1] = true;
		if (at <= SENTENCE_WORDS)
			p->dropped[at - 1] = false;
		p->known[beside] = true;
		p->as[i] = at;
		p->as[beside] = at;
	}
	return 0;
}

static bool is_place(const struct topic *t, const char *typed, bool compared, bool counted)
{
	return (compared && (t->kind == TOPIC_GROUP || !strcmp(t->name, "/proc/meminfo") ||
			     !strcmp(t->name, "memory.stat"))) ||
	       (!strcmp(t->name, "cgroup") && !counted) || !strcmp(typed, "/proc/vmstat");
}

/* In "does slab count in a cgroup" the cgroup is its memory.current. */
static bool says_counted(const char *word)
{
	return word_is_among(word, " count counts counted charge charges charged accounted ");
}

/*
 * Drops a file or program that only says where the other names are: "smaps" in "smaps Private_Dirty
 * vs Shared_Dirty".
 */
static void drop_places(struct parts *p, const struct sentence *s)
{
	bool compared = sentence_compares(s), counted = sentence_any(s, says_counted);
	size_t others = 0, least = compared ? 2 : 1;

	for (size_t i = 0; i < p->names.nr && i < SENTENCE_WORDS; i++)
		others += !p->dropped[i] &&
			  !is_place(&p->names.of[i], p->typed[i], compared, counted);
	for (size_t i = 0; i < p->names.nr && i < SENTENCE_WORDS && others >= least; i++)
		p->dropped[i] |= is_place(&p->names.of[i], p->typed[i], compared, counted);
}

/*
 * Beside a line of /proc/meminfo or vmstat, takes a name that is both a concept and a line as the
 * line: "Dirty Writeback", "Hugetlb vs HugePages_Total".
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

/*
 * After a number of a file or a program, takes a name of the kernel as the number that the file or
 * program calls so: "memory.stat anon vs file", "pmap total vs mapped".
 */
static int prefer_numbers_of_first(struct parts *p, const struct topics *all)
{
	char owner[WORD_SIZE] = "";

	if (p->names.nr)
		owner_of_name(p->typed[0], owner);
	for (size_t i = 1; owner[0] && i < p->names.nr && i < SENTENCE_WORDS; i++) {
		struct topic t;
		bool is;

		if ((p->names.of[i].kind != TOPIC_WORD && p->names.of[i].kind != TOPIC_FIGURE) ||
		    strchr(p->typed[i], ' '))
			continue;
		if (number_of(all, owner, p->typed[i], &t, &is))
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

/*
 * Drops common names if the sentence has another tool: "available" of "virsh dommemstat" is not the
 * kernel's number.
 */
static void drop_names_of_tools(struct parts *p, const struct sentence *s)
{
	if (!sentence_any(s, word_is_tool))
		return;
	for (size_t i = 0; i < s->nr; i++) {
		if (!p->of[i] || p->dropped[p->of[i] - 1] ||
		    !word_is_common_name(p->typed[p->of[i] - 1]))
			continue;
		drop_name_of(p, i);
	}
}

/*
 * Drops "heap used" and "heap total" if the sentence does not mention Node.js, which has heapUsed
 * and heapTotal.
 */
static void drop_words_of_node(struct parts *p, const struct sentence *s)
{
	static const char heap[] = "heap";
	bool is_node = false;

	for (size_t i = 0; i < s->nr; i++)
		is_node |= word_is_among(s->of[i], " node nodejs node.js v8 electron ");
	for (size_t i = 0; !is_node && i < s->nr; i++) {
		const char *typed = p->of[i] ? p->typed[p->of[i] - 1] : "";

		if (strncmp(typed, heap, strlen(heap)) || typed[strlen(heap)] != ' ' ||
		    (strcmp(typed + strlen(heap) + 1, "used") &&
		     strcmp(typed + strlen(heap) + 1, "total")))
			continue;
		drop_name_of(p, i);
	}
}

/*
 * Drops numbers that have an entry but are the values of a name beside them: "rsslim
 * 18446744073709551615".
 */
static void drop_values(struct parts *p, const struct sentence *s)
{
	if (p->names.nr < 2 || sentence_has_code(s))
		return;
	for (size_t i = 0; i < p->names.nr && i < SENTENCE_WORDS; i++)
		p->dropped[i] |= p->typed[i][0] &&
				 strspn(p->typed[i], "0123456789") == strlen(p->typed[i]);
}

/* Beside a runtime, takes "heap" as the runtime's heap, not as that of malloc(3). */
static int prefer_runtimes(struct parts *p, const struct topics *all, const struct sentence *s)
{
	static const struct {
		const char *runtime, *heap;
	} table[] = {
#define HEAP(runtime, heap) { runtime, heap },
#include "heaps.def"
#undef HEAP
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

/*
 * Returns the number, from 1 on, of the topic among the first `nr` names, or 0: "shmem in free
 * shared" names it twice.
 */
static size_t kept_as(const struct parts *p, size_t nr, const struct topic *t)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(p->names.of[i].name, t->name))
			return i + 1;
	return 0;
}

/*
 * Removes the dropped names. Words of a name that was dropped get a number above SENTENCE_WORDS,
 * unless another name is the same topic.
 */
static void drop_names(struct parts *p)
{
	size_t kept = 0, number[SENTENCE_WORDS + 1] = { 0 };

	for (size_t i = 0; i < p->names.nr; i++) {
		bool dropped = i < SENTENCE_WORDS && p->dropped[i];
		size_t as = kept_as(p, kept, &p->names.of[i]);

		if (i < SENTENCE_WORDS)
			number[i + 1] = as ? as : dropped ? SENTENCE_WORDS + i + 1 : kept + 1;
		if (dropped || as)
			continue;
		if (i < SENTENCE_WORDS)
			memmove(p->typed[kept], p->typed[i], sizeof(p->typed[i]));
		p->names.of[kept++] = p->names.of[i];
	}
	p->names.nr = kept;
	for (size_t i = 0; i < SENTENCE_WORDS; i++) {
		size_t of = p->as[i] ? p->as[i] : p->of[i];

		p->of[i] = of <= SENTENCE_WORDS ? number[of] : of;
	}
}

int parts_find(struct parts *p, const struct topics *all, const struct sentence *s)
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
	if (sentence_compares(s) && join_neighbours(p, all, s))
		return -1;
	drop_places(p, s);
	drop_values(p, s);
	drop_names_of_tools(p, s);
	drop_words_of_node(p, s);
	if (prefer_lines(p, all) || prefer_numbers_of_first(p, all) || prefer_runtimes(p, all, s))
		return -1;
	drop_names(p);
	return 0;
}
