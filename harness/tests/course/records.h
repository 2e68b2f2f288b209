// SPDX-License-Identifier: MIT
/* The recorded kernels of the course. */
#ifndef RSSCK_TEST_COURSE_RECORDS_H
#define RSSCK_TEST_COURSE_RECORDS_H

#include "course/course.h"
#include "tests/support/test.h"
#include <glob.h>

enum { RECORDS = 32 };

struct records {
	json_t *of[RECORDS];
	size_t nr;
};

static inline void records_load(struct records *r)
{
	glob_t files;

	assert_int_equal(glob("results/course/*.json", 0, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc && r->nr < RECORDS; i++) {
		r->of[r->nr] = json_load_file(files.gl_pathv[i], 0, NULL);
		assert_non_null(r->of[r->nr++]);
	}
	globfree(&files);
	course_sort(r->of, r->nr);
}

static inline void records_free(struct records *r)
{
	for (size_t i = 0; i < r->nr; i++)
		json_decref(r->of[i]);
}

#endif
