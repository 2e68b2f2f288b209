// SPDX-License-Identifier: MIT
/* Decodes the values of /proc/kpageflags and /proc/PID/pagemap. */
#include "pageflags.h"
#include "sentence.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	unsigned bit;
	const char *name;
} flags[] = {
#define PAGEFLAG(bit, name, is) { bit, name },
#include "pageflags.def"
#undef PAGEFLAG
};

/* Returns the name of a bit without KPF_, or NULL. */
static const char *flag_name(unsigned bit)
{
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		if (flags[i].bit == bit)
			return flags[i].name;
	return NULL;
}

static int add_flag(const struct topics *all, const char *name, struct topics *found)
{
	struct topic *more;
	char full[64];
	size_t i = 0;

	snprintf(full, sizeof(full), "kpageflags %s", name);
	while (i < all->nr && strcmp(all->of[i].name, full))
		i++;
	if (i == all->nr)
		return 0;
	more = reallocarray(found->of, found->nr + 1, sizeof(*more));
	if (!more)
		return -1;
	found->of = more;
	more[found->nr++] = all->of[i];
	return 0;
}

static int decode_kpageflags(const struct topics *all, uint64_t value, struct topics *found,
			     char *buf, size_t size)
{
	size_t len = (size_t)snprintf(buf, size, "%#llx of /proc/kpageflags has %s",
				      (unsigned long long)value, value ? "" : "no bit set.");
	const char *between = "";

	for (unsigned bit = 0; bit < 64 && len < size; bit++) {
		const char *name = flag_name(bit);

		if (!(value >> bit & 1))
			continue;
		len += (size_t)snprintf(buf + len, size - len, "%sbit %u (%s)", between, bit,
					name ? name : "of no known meaning");
		between = ", ";
		if (name && add_flag(all, name, found))
			return -1;
	}
	if (value && len < size)
		snprintf(buf + len, size - len, ".");
	return 0;
}

/* Read: Linux 6.12 (fs/proc/task_mmu.c pte_to_pagemap_entry()), for bit 58 Linux 6.15. */
static void decode_pagemap(uint64_t value, char *buf, size_t size)
{
	static const struct {
		unsigned bit;
		const char *is;
	} bits[] = {
		{ 63, "present" },
		{ 62, "on swap (or being migrated)" },
		{ 61, "a file's page or shared anonymous memory" },
		{ 58, "a guard region (since 6.15)" },
		{ 57, "write-protected by userfaultfd (since 5.13)" },
		{ 56, "mapped exactly once (since 4.2)" },
		{ 55, "soft-dirty" },
	};
	enum { TYPE_BITS = 5, FRAME_BITS = 55 };
	uint64_t frame = value & ((UINT64_C(1) << FRAME_BITS) - 1);
	size_t len = (size_t)snprintf(buf, size, "%#llx of pagemap:", (unsigned long long)value);

	for (size_t i = 0; i < sizeof(bits) / sizeof(*bits) && len < size; i++)
		if (value >> bits[i].bit & 1)
			len += (size_t)snprintf(buf + len, size - len, " bit %u: %s;", bits[i].bit,
						bits[i].is);
	if (len >= size)
		return;
	if (value >> 62 & 1)
		snprintf(buf + len, size - len,
			 " bits 0 to 4: swap area %llu; bits 5 to 54: slot %llu of it, in pages.",
			 (unsigned long long)(frame & ((1 << TYPE_BITS) - 1)),
			 (unsigned long long)(frame >> TYPE_BITS));
	else
		snprintf(
			buf + len, size - len, " bits 0 to 54: page frame %#llx%s.",
			(unsigned long long)frame,
			frame ? ""
			      : " (0 for readers without CAP_SYS_ADMIN, and if nothing is mapped)");
}

int pageflags_decode(const struct topics *all, const char *text, struct topics *found, bool *is,
		     char *buf, size_t size)
{
	static const char flags_of[] = " kpageflags kpageflag /proc/kpageflags page-types ";
	static const char map_of[] = " pagemap /proc/pid/pagemap ";
	enum { FILE_ONE, FILE_FLAGS, FILE_MAP } file = FILE_ONE;
	const char *number = NULL;
	struct sentence s;

	*is = false;
	sentence_split(&s, text);
	for (size_t i = 0; i < s.nr; i++) {
		if (word_is_among(s.of[i], flags_of))
			file = FILE_FLAGS;
		else if (word_is_among(s.of[i], map_of))
			file = FILE_MAP;
		else if (!strncmp(s.of[i], "0x", 2) &&
			 s.of[i][2 + strspn(s.of[i] + 2, "0123456789abcdef")] == '\0')
			number = s.of[i];
		else if (!word_says_nothing(s.of[i]) && !word_is_background(s.of[i]) &&
			 !word_is_among(s.of[i], " flags flag bit bits decode "))
			return 0;
	}
	if (file == FILE_ONE || !number)
		return 0;
	*is = true;
	if (file == FILE_FLAGS)
		return decode_kpageflags(all, strtoull(number, NULL, 16), found, buf, size);
	decode_pagemap(strtoull(number, NULL, 16), buf, size);
	return 0;
}
