// SPDX-License-Identifier: MIT
/*
 * Reads and writes files of /proc and /sys: single numbers, lines with a name and a number, the
 * process's cgroup, swap areas.
 */
#ifndef RSSCK_KERNEL_FILE_H
#define RSSCK_KERNEL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The field is NULL if the file contains only a number. */
struct numbered {
	const char *field;
	int64_t value; /* unchanged if the field is missing */
	bool found;
};

/*
 * Read the first line of each field, in the kernel's unit: "VmLck:\t 8 kB" gives 8, "anon 4096"
 * gives 4096. kernel_number() returns `missing` if there is none.
 */
void kernel_numbers(const char *path, struct numbered *of, size_t nr);
int64_t kernel_number(const char *path, const char *field, int64_t missing);

/* Like kernel_number(), for a text that was read already. */
int64_t kernel_number_in(const char *text, const char *field, int64_t missing);

/* Writes a value. Returns false with errno if the kernel refuses it. */
bool kernel_set(const char *path, const char *value);

/*
 * Returns true if a kernel's command line has "option=value" with one of `values`, which are
 * separated by commas. Changes the line.
 */
bool kernel_option_has(char *line, const char *option, const char *values);

/*
 * Writes the path of this process's cgroup, such as "/user.slice", to `name`. `controller` names a
 * cgroup v1 controller; NULL means cgroup v2. Returns false if there is no such cgroup.
 */
bool kernel_cgroup(const char *controller, char *name, size_t size);

/*
 * Writes the name of the first active swap area, such as "/dev/zram0". Returns false if no swap is
 * active.
 */
bool kernel_swap(char *area, size_t size);

#endif
