// SPDX-License-Identifier: MIT
/*
 * The interface of `rssck fuzz` that people rely on, tested on the program itself:
 * $RSSCK, or ./rssck.
 */
#include "tests/support/files.h"
#include "tests/support/test.h"

static void expect(int status, const char *part, const char *arguments)
{
	assert_rssck(status, part, "fuzz %s 2>&1", arguments);
}

TEST(a_wrong_option_is_explained)
{
	expect(2, "similar: --seed", "--sede=1");
	expect(2, "--seed is given more than once", "--seed=1 --seed=2");
	expect(2, "--seeds takes a range", "--seeds=7-3");
	expect(2, "--threads", "--threads=5");
	expect(2, "--resume needs --seeds=A-B", "--resume=/dev/null");
}

TEST(the_number_of_threads_is_printed_with_the_program)
{
	expect(0, "threads 2\n", "--threads=2 --seed=1");
}

TEST(an_interrupted_run_is_continued)
{
	const char *path = folder_put("place", "3\n");

	assert_rssck(2, "has no seed of --seeds=7-9; remove it",
		     "fuzz --steps=4 --seeds=7-9 --resume=%s 2>&1", path);
	assert_rssck(0, "2 programs, ", "fuzz --steps=4 --seeds=1-4 --resume=%s 2>&1", path);
	/* All seeds are done, so the file is removed. */
	assert_int_not_equal(access(path, F_OK), 0);
	assert_rssck(0, "4 programs, ", "fuzz --steps=4 --seeds=1-4 --resume=%s 2>&1", path);
}

TEST(a_run_that_reaches_its_time_limit_keeps_its_place)
{
	const char *path = in_folder("kept");

	assert_rssck(0, "to continue: --seeds=", "fuzz --seeds=1-1000000 --time=1 --resume=%s 2>&1",
		     path);
	assert_int_equal(access(path, F_OK), 0);
}

TEST(jobs_run_each_seed_once)
{
	const char *path = in_folder("jobs");

	expect(0, "9 programs, ", "--steps=4 --seeds=1-9 --jobs=2");
	expect(0, "2 programs, ", "--steps=4 --seeds=1-2 --jobs=3");
	assert_rssck(0, NULL, "fuzz --steps=4 --seeds=1-3 --jobs=2 --output=%s 2>&1", path);
	assert_says(file_text(path), "3 programs, ");
	expect(2, "--jobs cannot be used with --seed, --replay or --format=json",
	       "--seed=1 --jobs=2");
}
