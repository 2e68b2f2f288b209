// SPDX-License-Identifier: MIT
/*
 * Bisects the commits of a git tree. git names the commit that halves the range, and this commit is
 * checked out, built and booted. At the end, the original commit is checked out again.
 */
#include "base/memory.h"
#include "base/print/words.h"
#include "bisect.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SUBJECT_CHARS = 60 };

/* Shell scripts that run in the tree; $1 and $2 are commits, or lists of commits. */
static const char resolve[] = "git rev-parse -q --verify \"$1^{commit}\"";
static const char stands[] = "git symbolic-ref -q --short HEAD || git rev-parse HEAD";
static const char is_older[] = "git merge-base --is-ancestor \"$1\" \"$2\"";
static const char subject[] = "git log -1 --format=%s \"$1\"";
/* Lists the commits, those first that divide the range most evenly. The first 1000 are enough. */
static const char halves[] = "git rev-list --bisect-all \"$2\" --not $1 | head -n 1000";
static const char count[] = "git rev-list --count \"$2\" --not \"$1\"";

static int first_line(const struct bisect_options *o, const char *script, const char *one,
		      const char *other, char *line, size_t size)
{
	char why[1024], *said = run_in_tree(o, script, one, other, why);

	if (!said)
		return -1;
	snprintf(line, size, "%.*s", (int)strcspn(said, "\n"), said);
	free(said);
	return 0;
}

static int commit_add(struct candidates *c, const char *id, const struct bisect_options *o)
{
	char words[SUBJECT_CHARS + 1];
	struct candidate *k;

	c->of = memory_one_more(c->of, c->nr, sizeof(*k), "the commits to try");
	k = &c->of[c->nr];
	*k = (struct candidate) { .result = "" };
	if (first_line(o, subject, id, NULL, words, sizeof(words)))
		return trouble("bisect: %s: git knows no commit %s", o->tree, id), -1;
	for (char *tab = words; (tab = strchr(tab, '\t'));)
		*tab = ' ';
	snprintf(k->row, sizeof(k->row), "%s", id);
	snprintf(k->name, sizeof(k->name), "%.*s %s", COMMIT_CHARS, id, words);
	snprintf(k->image, sizeof(k->image), "%s%s%s", o->image[0] == '/' ? "" : o->tree,
		 o->image[0] == '/' ? "" : "/", o->image);
	c->nr++;
	return bisect_log_read(c, o);
}

/*
 * Finds the first commit of the list that is not `newer` and has no "?" result. Returns false if
 * there is none.
 */
static bool next_commit(const struct candidates *c, char *list, const char *newer, char id[72])
{
	char *rest = NULL;

	for (char *line = strtok_r(list, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		int known;

		line[strcspn(line, " ")] = '\0';
		known = candidate_index(c, line);
		if (strcmp(line, newer) && (known < 0 || c->of[known].result[0] != '?'))
			return snprintf(id, 72, "%s", line), true;
	}
	return false;
}

static int conclude(const struct candidates *c, char *list, int newer,
		    const struct bisect_options *o)
{
	int status = EXIT_HOLDS;

	printf("\n%s changes with %s\n", o->id, c->of[newer].name);
	for (size_t i = 0; i < c->nr; i++)
		if (strstr(list, c->of[i].row) && (int)i != newer) {
			printf("or with %s, which could not be judged\n", c->of[i].name);
			status = EXIT_FAILS;
		}
	return stream_end(stdout) ? trouble("stdout: %m") : status;
}

static int search(struct candidates *c, const struct bisect_options *o)
{
	char older[8192], id[72], why[1024], *list, *left;
	int newer = 1;

	snprintf(older, sizeof(older), "%s", c->of[0].row);
	for (;;) {
		list = run_in_tree(o, halves, older, c->of[newer].row, why);
		left = list ? strdup(list) : NULL;
		if (!left || !list[0]) {
			free(left), free(list);
			return trouble("bisect: %s: %s", o->tree, list ? "no commits" : why);
		}
		if (!next_commit(c, left, c->of[newer].row, id)) {
			int status = conclude(c, list, newer, o);

			return free(left), free(list), status;
		}
		free(left), free(list);
		if (commit_add(c, id, o) || bisect_try(c, (int)c->nr - 1, o))
			return EXIT_TROUBLE;
		if (cannot_tell(&c->of[c->nr - 1]))
			continue;
		if (strcmp(c->of[c->nr - 1].result, c->of[0].result))
			newer = (int)c->nr - 1;
		else
			snprintf(older + strlen(older), sizeof(older) - strlen(older), " %s", id);
	}
}

/*
 * Makes the older commit the first end: a commit with the same result as this end is before the
 * change.
 */
static int find_ends(struct candidates *c, const struct bisect_options *o)
{
	char good[72], bad[72], nr[16], why[1024], *said;
	bool turned = false;

	if (first_line(o, resolve, o->good, NULL, good, sizeof(good)) ||
	    first_line(o, resolve, o->bad, NULL, bad, sizeof(bad)))
		return trouble("bisect: %s is not a git tree with the commits %s and %s", o->tree,
			       o->good, o->bad),
		       -1;
	said = run_in_tree(o, is_older, good, bad, why);
	if (!said) {
		turned = true;
		said = run_in_tree(o, is_older, bad, good, why);
	}
	if (!said)
		return trouble("bisect: %s and %s are on different branches; start "
			       "from the output of git merge-base %s %s",
			       o->good, o->bad, o->good, o->bad),
		       -1;
	free(said);
	if (!first_line(o, count, turned ? bad : good, turned ? good : bad, nr, sizeof(nr)))
		printf("%s commits\n", nr);
	return commit_add(c, turned ? bad : good, o) || commit_add(c, turned ? good : bad, o);
}

static int search_all(const struct bisect_options *o)
{
	struct candidates c = { NULL, 0 };
	int status = EXIT_TROUBLE;

	if (!find_ends(&c, o) && !bisect_try_ends(&c, 0, 1, o))
		status = search(&c, o);
	candidates_free(&c);
	return status;
}

static pid_t searcher;

static void pass_on(int number)
{
	kill(searcher, number);
}

/*
 * Runs the search in a child process, so that the original commit is checked out again however the
 * search ends.
 */
int bisect_tree(const struct bisect_options *o)
{
	const struct sigaction action = { .sa_handler = pass_on };
	char head[512], why[1024], *said;
	int status = 0;

	if (first_line(o, stands, NULL, NULL, head, sizeof(head)))
		return trouble("bisect: %s is not a git tree with a commit", o->tree);
	fflush(stdout);
	searcher = fork();
	if (searcher == 0) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		_exit(search_all(o));
	}
	for (const int *s = (const int[]) { SIGINT, SIGTERM, SIGHUP, SIGQUIT, 0 }; *s; s++)
		sigaction(*s, &action, NULL);
	while (searcher > 0 && waitpid(searcher, &status, 0) < 0 && errno == EINTR)
		;
	said = run_in_tree(o, tree_checkout, head, NULL, why);
	if (!said)
		return trouble("bisect: %s: cannot check out %s again: %s", o->tree, head, why);
	free(said);
	return searcher < 0        ? trouble("bisect: %s", strerror(errno))
	       : WIFEXITED(status) ? WEXITSTATUS(status)
				   : 128 + WTERMSIG(status);
}
