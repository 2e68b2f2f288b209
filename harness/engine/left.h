// SPDX-License-Identifier: MIT
/*
 * What a case leaves behind on the machine. After a case nothing of it is left, neither process nor
 * file nor setting, so the machine's numbers of mapped, locked, reserved and promised memory must
 * be as before. A kernel that forgets to give something back shows it here, whatever the case is
 * about.
 */
#ifndef RSSCK_ENGINE_LEFT_H
#define RSSCK_ENGINE_LEFT_H

#include <stdbool.h>
#include <stddef.h>

struct left;

/* Reads the numbers. The caller frees them by left_free(), which takes NULL, too. */
struct left *left_read(void);
void left_free(struct left *l);

/* True if both have the same numbers, and the value of one differs. */
bool left_differ(const struct left *before, const struct left *now);

/* How a case runs again. */
struct left_runs {
	const char *id; /* the case's */
	/* Returns false if the run proves nothing: it did not pass, or others disturbed it. */
	bool (*run)(void *arg);
	void *arg;
};

/*
 * Runs the case again, until a rise of a number is proved or refuted. A rise is proved if three
 * runs in a row raise (or lower) the number by the same, and it does not change in a pause as long
 * as a run. Returns true and a sentence in `why` if a rise is proved.
 */
bool left_is_proved(const struct left *before, const struct left *now,
		    const struct left_runs *again, char *why, size_t size);

#endif
