// SPDX-License-Identifier: MIT
/* Files of the kernel that hold a number, or a line with a field and its number. */
#ifndef RSSCK_KERNEL_FILE_H
#define RSSCK_KERNEL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A field ("AnonPages", NULL: the file is a number), and its number. */
struct numbered {
	const char *field;
	int64_t value; /* unchanged if there is none */
	bool found;
};

/* The first line of each field: "VmLck:\t 8 kB" and "anon 4096" alike, as printed. */
void kernel_numbers(const char *path, struct numbered *of, size_t nr);
int64_t kernel_number(const char *path, const char *field, int64_t missing);

/* Writes a value. False with errno if it is refused. */
bool kernel_set(const char *path, const char *value);

/*
 * This process's cgroup, "/user.slice", of a controller of version 1, or NULL: of version 2. False
 * if it is in none.
 */
bool kernel_cgroup(const char *controller, char *name, size_t size);

/* The first swap area that is on, "/dev/zram0"; false: there is none. */
bool kernel_swap(char *area, size_t size);

#endif
