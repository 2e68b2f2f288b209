// SPDX-License-Identifier: MIT
/* Files of a test program, and their content. */
#ifndef RSSCK_TEST_FILES_H
#define RSSCK_TEST_FILES_H

#include <stddef.h>

/*
 * Returns the path of a file in the folder of this test program. The folder is made at the first
 * call, and removed with all its content at the end of the program. The eighth call after this one
 * overwrites the text.
 */
char *in_folder(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes a file of that folder, and makes the folders of its name. Returns its path. */
char *folder_put(const char *name, const char *text);

/* Returns the content of any file. The text stays allocated until the program ends. */
char *file_text(const char *path);

#endif
