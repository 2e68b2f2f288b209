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

/*
 * Reads the numbers. If they differ from those `before` (NULL: none), waits until what the kernel
 * frees a little later is free, and reads again. The caller frees them by left_free(), which takes
 * NULL, too.
 */
struct left *left_read(const struct left *before);
void left_free(struct left *l);

/*
 * True if both have the same numbers, and one differs; false if it differs only as it did before in
 * vain (left_is_proved()).
 */
bool left_differ(const struct left *before, const struct left *now);

/* How a case runs again. */
struct left_runs {
	const char *id; /* the case's */
	/* Returns false if the run proves nothing: it did not pass, or others disturbed it. */
	bool (*run)(void *arg);
	void *arg;
};

/*
 * Runs the case again, until a rise of a number is proved or refuted. A rise is proved if six
 * runs in a row raise (or lower) the number by the same, and if after each of them it does not
 * change in a pause as long as the run, in which nobody starts a process. Returns true and a
 * sentence in `why` if a rise is proved.
 */
bool left_is_proved(const struct left *before, const struct left *now,
		    const struct left_runs *again, char *why, size_t size);

#endif
