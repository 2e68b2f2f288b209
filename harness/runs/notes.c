// SPDX-License-Identifier: MIT
/* Looks up the reason for a difference between kernels in our own table of commits. */
#include "notes.h"
#include <fnmatch.h>
#include <stddef.h>

const char *note_of(const char *name)
{
	static const struct {
		const char *pattern, *text;
	} notes[] = {
#define NOTE(pattern, text) { pattern, text },
#include "notes.def"
#undef NOTE
	};

	for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
		if (!fnmatch(notes[i].pattern, name, 0))
			return notes[i].text;
	return "";
}
