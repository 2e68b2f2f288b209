// SPDX-License-Identifier: MIT
/* Splits a sentence into words, and recognizes those without meaning. */
#include "sentence.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* A name may contain '.', '/', '-', '_', '%', and brackets inside: "active(file)". */
static bool ends_word(char letter)
{
	return !letter || strchr(" \t\n,;=<>+|", letter) != NULL;
}

/*
 * Returns the length of the call's name in a call with an argument, "madvise(MADV_DONTNEED)" or
 * "malloc_trim(0)". Returns 0 for names such as "active(file)" and "mmap(2)".
 */
static size_t call_length(const char *text, size_t len)
{
	const char *open = memchr(text, '(', len);
	size_t args;

	if (!open || open == text || text[len - 1] != ')')
		return 0;
	args = (size_t)(text + len - 1 - open - 1);
	if (!args || (strspn(open + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") < args) ||
	    (args == 1 && open[1] != '0'))
		return 0;
	return (size_t)(open - text);
}

/* Returns the length of a word without the punctuation after it. */
static size_t without_marks(const char *text, size_t len)
{
	static const char behind[] = ")]}\"'`*.?!:";
	static const char *const plurals[] = { "(es)", "(s)", NULL };

	while (len && strchr(behind, text[len - 1]) &&
	       !(text[len - 1] == ')' && memchr(text, '(', len) && text[len - 2] != '('))
		len--;
	while (len > 2 && text[len - 1] == ')' && strchr("?!.", text[len - 2]))
		len -= 2;
	/* "process(es)" */
	for (const char *const *p = plurals; *p; p++)
		if (len > strlen(*p) && !strncmp(text + len - strlen(*p), *p, strlen(*p)))
			return len - strlen(*p);
	while (len && strchr("([{", text[len - 1]))
		len--;
	return len;
}

static void add_word(struct sentence *s, const char *text, size_t len)
{
	static const char before[] = "([{\"'`*", call[] = "free()", manual[] = "free(3)";

	while (len && strchr(before, *text)) {
		text++;
		len--;
	}
	len = without_marks(text, len);
	/* "free()" and "free(3)" mean the call, not the command. */
	if (!strncasecmp(text, call, strlen(call)) || !strncasecmp(text, manual, strlen(manual))) {
		text = call;
		len = strlen(call);
	}
	/* "-----" in maps and pmap means no permission. */
	if (len > 2 && strspn(text, "-") >= len)
		len = 3;
	else if (strspn(text, "-~&/.") >= len)
		return;
	if (s->nr == SENTENCE_WORDS || len >= WORD_SIZE) {
		s->cut = true;
		return;
	}
	for (size_t i = 0; i < len; i++)
		s->of[s->nr][i] = (char)tolower((unsigned char)text[i]);
	s->of[s->nr++][len] = '\0';
}

bool word_is_among(const char *word, const char *list)
{
	size_t len = strlen(word);

	for (const char *p = list; len && (p = strstr(p, word)); p += len)
		if (p[-1] == ' ' && p[len] == ' ')
			return true;
	return false;
}

/* True for a word that negates a sentence: "isn't", "no", "without". */
static bool denies(const char *word)
{
	return word_is_among(
		word, " not no never without isn't aren't wasn't don't doesn't "
		      "didn't dont doesnt didnt won't wouldn't hasn't haven't isnt arent wasnt "
		      "wont hasnt havent ");
}

/* True for "no" and "without", which deny that something is there. */
static bool lacks(const char *word)
{
	return word_is_among(word, " no without ");
}

bool word_is_like(const char *word, const char *stem, size_t len)
{
	static const char *const ends[] = { "", "s", "es", "d", "ed", "r", "er", "ing", "ting" };
	enum { STEM_LEAST = 3 }; /* "pss" is not "ps" */

	if (!strcmp(word, "cannot") && len == 5 && !strncmp(stem, "can't", 5))
		return true;
	if (word_denies(word) && len < WORD_SIZE) {
		char own[WORD_SIZE] = "";

		memcpy(own, stem, len);
		return !strcmp(word, WORD_NO) ? lacks(own) : denies(own);
	}
	if (strncmp(word, stem, len))
		return false;
	if (len < STEM_LEAST)
		return !word[len];
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (!strcmp(word + len, ends[i]))
			return true;
	return false;
}

static void mark_who(struct sentence *s, size_t at)
{
	strcpy(s->who, s->of[at]);
	strcpy(s->of[at], WORD_WHO);
}

/*
 * Marks a sentence that asks for a process ("which process uses it", "who uses it", "find processes
 * with it") or for an act ("what sets it"), and not for the meaning of a number.
 */
static void mark_process_question(struct sentence *s)
{
	static const char processes[] =
		" process processes program programs pid pids app apps application "
		"applications service services container containers pod pods task tasks user users "
		"file files ";
	static const char
		uses[] = " is uses use using used owns hold holds keeps has took takes eats maps ",
		acts[] = " sets clears increments triggers ", finds[] = " find list identify ",
		with[] = " with using that which who having ";

	for (size_t i = 0; i + 1 < s->nr; i++) {
		bool what = !strcmp(s->of[i], "what"), which = !strcmp(s->of[i], "which") || what;
		bool who = !strcmp(s->of[i], "who");

		if ((which && word_is_among(s->of[i + 1], processes)) ||
		    (who && word_is_among(s->of[i + 1], uses)))
			mark_who(s, i);
		else if (what && word_is_among(s->of[i + 1], acts))
			mark_who(s, i);
		else if (i + 2 < s->nr && word_is_among(s->of[i], finds) &&
			 word_is_among(s->of[i + 1], processes) &&
			 word_is_among(s->of[i + 2], with))
			mark_who(s, i);
	}
}

/*
 * Marks "free" as unused memory in "free memory is low" and "much memory free". It is a verb in
 * "how to free memory", and a program beside another program.
 */
static void mark_free(struct sentence *s)
{
	static const char verbs
		[] = " to can cannot be i not really does must may will would should that please ";
	static const char what[] = " memory ram mem ", programs[] = " htop top used glances btop ";

	for (size_t i = 0; i < s->nr; i++)
		if (word_is_among(s->of[i], programs))
			return;
	for (size_t i = 1; i < s->nr; i++) {
		bool before = i + 1 < s->nr && word_is_among(s->of[i + 1], what);
		bool last = i + 1 == s->nr && word_is_among(s->of[i - 1], what);

		if (!strcmp(s->of[i], "free") && (before || last) &&
		    !word_is_among(s->of[i - 1], verbs))
			strcpy(s->of[i], "memfree");
	}
}

/* "-Xmx8g" is the option -Xmx. */
static void mark_java_options(struct sentence *s)
{
	enum { OPTION = 4 };

	for (size_t i = 0; i < s->nr; i++)
		if ((!strncmp(s->of[i], "-xm", 3) || !strncmp(s->of[i], "-xss", OPTION)) &&
		    isdigit((unsigned char)s->of[i][OPTION]))
			s->of[i][OPTION] = '\0';
}

/* Replaces two adjacent words that together mean something else than each by itself. */
static void mark_pairs(struct sentence *s)
{
	static const struct {
		const char *first, *second, *as_first, *as_second; /* NULL: it stays */
	} pairs[] = {
#define PAIR(first, second, as_first, as_second) { first, second, as_first, as_second },
#include "pairs.def"
#undef PAIR
	};

	for (size_t i = 0; i + 1 < s->nr; i++) {
		for (size_t k = 0; k < sizeof(pairs) / sizeof(*pairs); k++) {
			if (!word_is_among(s->of[i], pairs[k].first) ||
			    !word_is_among(s->of[i + 1], pairs[k].second))
				continue;
			strcpy(s->of[i], pairs[k].as_first);
			if (pairs[k].as_second)
				strcpy(s->of[i + 1], pairs[k].as_second);
		}
	}
}

/* "where does it come from" asks why there is so much of it. */
static void mark_origin(struct sentence *s)
{
	static const char comes[] = " come comes came coming ";

	for (size_t i = 0; i + 2 < s->nr; i++) {
		if (strcmp(s->of[i], "where"))
			continue;
		for (size_t k = i + 1; k + 1 < s->nr; k++) {
			if (!word_is_among(s->of[k], comes) || strcmp(s->of[k + 1], "from"))
				continue;
			strcpy(s->of[i], "why");
			strcpy(s->of[k], WORD_ORIGIN);
		}
	}
}

/* Replaces rare words by the common words that the questions have. */
static void mark_synonyms(struct sentence *s)
{
	static const struct {
		const char *rare, *common;
	} words[] = {
#define RARE(rare, common) { rare, common },
#include "rare.def"
#undef RARE
	};

	for (size_t i = 0; i < s->nr; i++)
		for (size_t k = 0; k < sizeof(words) / sizeof(*words); k++)
			if (word_is_among(s->of[i], words[k].rare))
				strcpy(s->of[i], words[k].common);
}

/* "/proc/self/maps" and "/proc/12/maps" are "/proc/pid/maps". */
static void mark_self(struct sentence *s)
{
	static const char pid[] = "/proc/pid";
	static const char proc[] = "/proc/";

	for (size_t i = 0; i < s->nr; i++) {
		const char *who, *file;
		char marked[WORD_SIZE];

		if (strncmp(s->of[i], proc, strlen(proc)))
			continue;
		who = s->of[i] + strlen(proc);
		file = strchr(who, '/');
		if (!file || (strncmp(who, "self/", strlen("self/")) &&
			      who + strspn(who, "0123456789") != file))
			continue;
		if (strlen(pid) + strlen(file) >= sizeof(marked))
			continue;
		snprintf(marked, sizeof(marked), "%s%s", pid, file);
		strcpy(s->of[i], marked);
	}
}

/* Marks the unit after an amount: "2044 K". */
static void mark_units(struct sentence *s)
{
	for (size_t i = 1; i < s->nr; i++)
		if (word_is_among(s->of[i], " k m g ") && word_is_amount(s->of[i - 1]) &&
		    isdigit((unsigned char)s->of[i - 1][strlen(s->of[i - 1]) - 1]))
			strcpy(s->of[i], "amount");
	/* "100 %" */
	for (size_t i = 1; i < s->nr; i++)
		if (!strcmp(s->of[i], "%") && isdigit((unsigned char)s->of[i - 1][0]) &&
		    strlen(s->of[i - 1]) + 2 < WORD_SIZE && word_is_amount(s->of[i - 1])) {
			if (!strchr(s->of[i - 1], '%'))
				strcat(s->of[i - 1], "%");
			strcpy(s->of[i], "amount");
		}
}

static void mark_not(struct sentence *s)
{
	for (size_t i = 0; i < s->nr; i++)
		if (lacks(s->of[i]))
			strcpy(s->of[i], WORD_NO);
		else if (denies(s->of[i]))
			strcpy(s->of[i], WORD_NOT);
		else if (word_is_among(s->of[i], " can't cant couldn't couldnt "))
			strcpy(s->of[i], "cannot");
}

/* True if the sentence is a command that writes into a file: "is it safe to echo 3". */
static bool writes(const struct sentence *s)
{
	for (size_t i = 0; i < s->nr; i++)
		if (word_is_among(s->of[i], " echo cat printf "))
			return true;
	return false;
}

void sentence_split(struct sentence *s, const char *text)
{
	s->nr = 0;
	s->cut = false;
	memset(s->held, 0, sizeof(s->held));
	memset(s->named, 0, sizeof(s->named));
	memset(s->unknown, 0, sizeof(s->unknown));
	s->who[0] = '\0';
	while (*text) {
		size_t len = 0, call;

		/* "heapTotal > rss", but not "echo 1 > /proc/sys/vm/drop_caches" or "51% > 50%" */
		if (!strncmp(text, "> ", 2) && s->nr && !strchr(text, '/') && !writes(s) &&
		    !(isdigit((unsigned char)text[2]) && word_is_amount(s->of[s->nr - 1]))) {
			add_word(s, "larger", strlen("larger"));
			add_word(s, "than", strlen("than"));
		}

		while (!ends_word(text[len]) &&
		       !(text[len] == ':' && len && !ends_word(text[len + 1])))
			len++;
		call = call_length(text, len);
		if (call) {
			add_word(s, text, call);
			add_word(s, text + call + 1, len - call - 2);
		} else {
			add_word(s, text, len);
		}
		text += len + (text[len] != '\0');
	}
	mark_process_question(s);
	mark_java_options(s);
	mark_free(s);
	mark_pairs(s);
	mark_origin(s);
	mark_synonyms(s);
	mark_units(s);
	mark_self(s);
	mark_not(s);
}

/* A blank before and after each word. */
static const char grammar[] =
#include "grammar.def"
	;

/* Words that ask about a number, or say whose machine it is, and are no subject themselves. */
static const char plain[] =
#include "plain.def"
	;

/* "3.2.1" is the version of a program, which may change the answer. */
static bool is_version(const char *word)
{
	const char *dot = strchr(word, '.');

	return dot && strchr(dot + 1, '.') && word[strspn(word, "0123456789.")] == '\0';
}

/* An amount does not change the question: "512mb", "0xcc0", "5-7", "10%". */
bool word_is_amount(const char *word)
{
	static const char units[] =
		" k m g t ki mi gi ti kb mb gb tb kib mib gib tib b % x ms s min h st nd rd th ";
	size_t digits = strspn(word, "0123456789.,-~");

	if (!strncmp(word, "0x", 2))
		return true;
	if (!digits || is_version(word))
		return false;
	return !word[digits] || word_is_among(word + digits, units);
}

bool word_is_grammar(const char *word)
{
	return word_is_among(word, grammar);
}

/* "-w", "-XX": an option of a program */
static bool word_is_option(const char *word)
{
	size_t len = strlen(word);

	return *word == '-' && len > 1 && len < 4 && isalpha((unsigned char)word[1]);
}

/* "foo.service", "user-1000.slice": a unit of systemd, whichever it is. */
static bool is_unit_of_systemd(const char *word)
{
	const char *suffix = strrchr(word, '.');

	return suffix && suffix != word && word_is_among(suffix, " .service .slice .scope ");
}

bool word_says_nothing(const char *word)
{
	return word_is_option(word) || is_unit_of_systemd(word) || word_is_among(word, grammar) ||
	       word_is_among(word, plain) || word_is_amount(word);
}

/* Words that seldom decide between two questions. */
static const char little[] =
#include "little.def"
	;

const char *const *sentence_lists(void)
{
	static const char *const lists[] = { grammar, plain, little, NULL };

	return lists;
}

bool word_says_little(const char *word)
{
	return word_is_among(word, little);
}

bool word_alters(const char *word)
{
	return word_is_among(word, " old older new newer version versions ");
}

bool sentence_any(const struct sentence *s, bool (*is)(const char *word))
{
	for (size_t i = 0; i < s->nr; i++)
		if (is(s->of[i]))
			return true;
	return false;
}

bool word_denies(const char *word)
{
	return !strcmp(word, WORD_NOT) || !strcmp(word, WORD_NO);
}

bool sentence_denies(const struct sentence *s)
{
	return sentence_any(s, word_denies);
}

bool word_is_turn(const char *word)
{
	return word_denies(word) ||
	       word_is_among(
		       word,
		       " nothing none neither nor instead except unless opposite opposed rather restart restarts restarted "
		       "disable disabled disabling enable enabled prevent avoid stop stops stopped fix reduce delete "
		       "kill kills killed killing crash crashes crashed ");
}

static const char zeros[] = " 0 zero 0b 0kb 0mb 0% ",
		  buts[] = " but though although despite yet however ";

bool sentence_turns_at(const struct sentence *s, size_t at)
{
	static const char numbered[] =
		" node order cpu zone code status malloc_trim exit swappiness vm.swappiness avg ";

	if (word_is_among(s->of[at], buts))
		return true;
	return word_is_among(s->of[at], zeros) && !(at && word_is_among(s->of[at - 1], numbered));
}

bool word_turns_like(const char *word, const char *other)
{
	return (word_is_among(word, zeros) && word_is_among(other, zeros)) ||
	       (word_is_among(word, buts) && word_is_among(other, buts));
}

int word_size(const char *word)
{
	if (word_is_among(
		    word,
		    " large larger big bigger great greater high higher more much above exceed "
		    "exceeds exceeding exceeded "))
		return 1;
	return word_is_among(word, " small smaller less low lower fewer below little ") ? -1 : 0;
}

bool word_is_between_sizes(const char *word)
{
	return word_is_among(word, " exceed exceeds exceeding above below ");
}

bool word_is_change(const char *word)
{
	return word_is_among(
		word,
		" reduce reduces lower lowers decrease decreases drop drops fall falls go goes "
		"down up shrink shrinks free frees freed change changes increase increases "
		"raise raises rise rises grow grows ");
}

bool word_moves(const char *word)
{
	return word_is_among(
		word, " fall falls fell drop drops dropped decrease decreases decreased shrink "
		      "shrinks shrank rise rises rose return returns returned release "
		      "releases released ");
}

bool word_stays(const char *word)
{
	return word_is_among(
		word, " still stay stays stayed keep keeps kept remain remains remained high "
		      "large full refuse refuses fail fails cannot nothing hardly barely ");
}

bool word_asks_meaning(const char *word)
{
	return word_is_among(word,
			     " mean means meaning definition define defined explain explained ");
}

bool word_is_measure(const char *word)
{
	const char *unit = word + strspn(word, "0123456789.,-~");

	return unit != word &&
	       word_is_among(unit, " k m g t ki mi gi ti kb mb gb tb kib mib gib tib % ");
}

bool word_is_symptom(const char *word)
{
	return word_is_among(
		word,
		" missing lost unaccounted leak leaks leaking negative nonzero percent percentage "
		"mismatch discrepancy unexpected unexpectedly bad normal problem ");
}

bool word_evaluates(const char *word)
{
	return word_is_among(word,
			     " bad good normal abnormal problem problems problematic safe safely "
			     "unsafe ok okay fine worry worried worrying worrisome concern "
			     "concerned concerning harmful harmless dangerous healthy unhealthy "
			     "acceptable alarming serious wrong usual unusual typical ");
}

bool word_is_loose(const char *word)
{
	return word_says_nothing(word) || word_says_little(word) || word_evaluates(word) ||
	       word_is_among(word,
			     " full cannot exhausted eating eats ate exceed exceeds exceeding "
			     "exceeded enough despite something anything everything "
			     "anywhere constant rapidly quickly fast slow ");
}

bool sentence_evaluates(const struct sentence *s)
{
	return sentence_any(s, word_evaluates) || sentence_has(s, "too");
}

bool word_tells_size(const char *word)
{
	return word_is_among(word,
			     " large larger largest big bigger biggest small smaller smallest "
			     "high higher highest low lower lowest more most less least few ");
}

bool word_is_background(const char *word)
{
	return word_asks_meaning(word) ||
	       word_is_among(
		       word,
		       " column columns field fields line lines row rows value values "
		       "number numbers entry entries output report show shows shown display "
		       "memory mem ram process processes usage use using used explanation understand "
		       "interpret read reading linux unix ubuntu debian command proc stat stats "
		       "statistics info information metric metrics meanings ");
}

bool word_asks_what(const char *word)
{
	return word_is_among(word, " what is are it they these those and the does do mean ");
}

bool word_asks_more(const char *word)
{
	return word_is_among(
		word, " why how when where who which does do did is are was can could should "
		      "cannot if after before but though what's ");
}

bool word_joins(const char *word)
{
	return word_is_among(word, " and in of on per within the a an ");
}

bool word_compares(const char *word)
{
	return word_is_among(word, " vs versus ");
}

bool word_contrasts(const char *word)
{
	return word_is_among(
		word,
		" vs versus than difference different differ differs between compared match matches mismatch disagree ");
}

bool word_is_unit(const char *word)
{
	return word_is_among(
		word,
		" unit units kb kib kilobyte kilobytes kbytes kibibytes mb mib megabytes gb gib gigabytes tb tib byte bytes page pages ");
}

bool word_is_other_system(const char *word)
{
	return word_is_among(
		word,
		" windows macos osx mac darwin freebsd openbsd netbsd solaris illumos aix ios "
		"esxtop vm_stat taskmgr ");
}

bool word_is_tool(const char *word)
{
	static const char tools[] =
#include "other_tools.def"
		;

	return word_is_among(word, tools);
}

bool word_is_platform(const char *word)
{
	return word_is_among(word, " wsl wsl2 gpu igpu vram cuda nvidia android lxc lxd incus ");
}

bool word_is_common_name(const char *word)
{
	return word_is_among(
		word, " available avail free memfree used cache cached caches buffer buffers "
		      "shared active inactive total heap dirty clean private stack resident "
		      "virtual committed usage working mapped wired ");
}

bool word_is_ordinary(const char *word)
{
	return word_is_among(word,
#include "ordinary.def"
	);
}

bool word_is_program(const char *word)
{
	static const char programs[] =
#include "programs.def"
		;

	return word_is_among(word, programs);
}

bool sentence_has(const struct sentence *s, const char *word)
{
	for (size_t i = 0; i < s->nr; i++)
		if (!strcmp(s->of[i], word))
			return true;
	return false;
}

bool sentence_compares(const struct sentence *s)
{
	return sentence_any(s, word_compares);
}

static bool is_but(const char *word)
{
	return word_turns_like(word, "but");
}

bool sentence_asks_cause(const struct sentence *s)
{
	return sentence_has(s, "why") || sentence_any(s, is_but);
}

bool sentence_contrasts(const struct sentence *s)
{
	return sentence_any(s, word_contrasts);
}
