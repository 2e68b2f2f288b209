// SPDX-License-Identifier: MIT
/*
 * rssck bisect: the choice of the next kernel, and the state that a log restores. No kernel is
 * booted here.
 */
#include "cmd/bisect/bisect.h"
#include "tests/support/files.h"
#include "tests/support/test.h"

static char *folder;

/*
 * 6.10 and 5.10 are files, 6.2 is a kernel as `make kernels` stores it; the other two entries are
 * no kernels.
 */
FIXTURE(make_folder)
{
	folder = strdup(in_folder("kernels"));
	shell_said(
		0,
		"mkdir %s && cd %s && mkdir 6.2 none && touch 6.10 6.2/vmlinuz 5.10 .7 && echo two >6.2/name",
		folder, folder);
	return 0;
}

FIXTURE(free_folder)
{
	free(folder);
	return 0;
}

TEST(kernels_are_found_in_the_order_of_their_versions)
{
	OWNED(candidates_free) struct candidates c;

	assert_int_equal(candidates_find(&c, folder), 0);
	assert_int_equal(c.nr, 3);
	assert_string_equal(c.of[0].name, "5.10");
	assert_string_equal(c.of[1].name, "6.2");
	assert_string_equal(c.of[2].name, "6.10");
	assert_says(c.of[1].image, "/6.2/vmlinuz");
	assert_int_equal(candidate_index(&c, "two"), 1);
	assert_int_equal(candidate_index(&c, "6.10"), 2);
	assert_int_equal(candidate_index(&c, "none"), -1);
}

static unsigned asked_until_found(int nr, int change, bool backwards)
{
	struct candidate of[64] = { 0 };
	struct candidates c = { of, (size_t)nr };
	int like = backwards ? nr - 1 : 0, unlike = backwards ? 0 : nr - 1, next;
	unsigned asked = 0;

	for (; (next = bisect_next(&c, like, unlike)) >= 0; asked++) {
		if (backwards ? next < change : next >= change)
			unlike = next;
		else
			like = next;
	}
	assert_int_equal(backwards ? like : unlike, change);
	return asked;
}

TEST(each_step_rules_out_half_of_the_kernels)
{
	for (int change = 1; change < 64; change++) {
		assert_true(asked_until_found(64, change, false) <= 6);
		assert_true(asked_until_found(64, change, true) <= 6);
	}
	assert_int_equal(asked_until_found(2, 1, false), 0);
}

TEST(kernels_that_cannot_be_judged_are_passed_over)
{
	struct candidate of[5] = { 0 };
	struct candidates c = { of, 5 };

	assert_int_equal(bisect_next(&c, 0, 4), 2);
	strcpy(of[2].result, "?skip");
	assert_int_equal(bisect_next(&c, 0, 4), 3);
	strcpy(of[3].result, "?skip");
	assert_int_equal(bisect_next(&c, 0, 4), 1);
	strcpy(of[1].result, "?skip");
	assert_int_equal(bisect_next(&c, 0, 4), -1);
}

TEST(a_log_restores_the_results)
{
	struct bisect_options o = { .id = "fork/cow", .log = in_folder("log") };
	OWNED(candidates_free) struct candidates c, again;

	assert_int_equal(candidates_find(&c, folder), 0);
	assert_int_equal(bisect_log_read(&c, &o), 0);
	strcpy(c.of[1].result, "pass; a = yes");
	assert_int_equal(bisect_log_add(&c.of[1], &o), 0);
	strcpy(c.of[0].result, "?skip: no swap");
	assert_int_equal(bisect_log_add(&c.of[0], &o), 0);
	assert_int_equal(candidates_find(&again, folder), 0);
	assert_int_equal(bisect_log_read(&again, &o), 0);
	assert_string_equal(again.of[1].result, "pass; a = yes");
	assert_string_equal(again.of[0].result, "?skip: no swap");
	assert_string_equal(again.of[2].result, "");
	o.id = "fork/many";
	assert_int_equal(bisect_log_read(&again, &o), -1);
}

TEST(a_log_that_ends_within_a_line_is_continued)
{
	static const char
		whole[] = "# rssck bisect fork/cow\n5.10\tpass; a = yes\n6.2\tfail; a = no\n";
	struct bisect_options o = { .id = "fork/cow" };
	OWNED(candidates_free) struct candidates c;
	char text[sizeof(whole)];

	for (size_t length = 0; length < sizeof(whole); length++) {
		bool told = length >= strlen("# rssck bisect fork/cow\n5.10\tpass; a = yes\n");

		snprintf(text, sizeof(text), "%.*s", (int)length, whole);
		o.log = folder_put("cut", text);
		assert_int_equal(candidates_find(&c, folder), 0);
		assert_int_equal(bisect_log_read(&c, &o), 0);
		assert_string_equal(c.of[0].result, told ? "pass; a = yes" : "");
		assert_string_equal(c.of[1].result,
				    length == sizeof(whole) - 1 ? "fail; a = no" : "");
		strcpy(c.of[0].result, "pass; a = yes");
		strcpy(c.of[1].result, "fail; a = no");
		assert_true(told || !bisect_log_add(&c.of[0], &o));
		assert_true(length == sizeof(whole) - 1 || !bisect_log_add(&c.of[1], &o));
		assert_string_equal(file_text(o.log), whole);
		candidates_free(&c);
	}
	o.log = folder_put("cut", "some text");
	assert_int_equal(candidates_find(&c, folder), 0);
	assert_int_equal(bisect_log_read(&c, &o), -1);
}

/*
 * A git tree of seven commits, and a log with the result of each, so nothing is built or booted.
 * The result changes with the fifth commit, and the fourth cannot be judged.
 */
static const char make_tree[] =
	"cd %s && mkdir tree && cd tree && git init -q -b main . && git config user.email a@b &&"
	"git config user.name a && echo '# rssck bisect fork/cow' >../tree.log &&"
	"for i in 1 2 3 4 5 6 7; do echo $i >file && git add file && git commit -qm \"number	$i\" &&"
	"said='pass; a = yes'; [ $i -lt 5 ] || said='pass; a = no'; [ $i -ne 4 ] || said='?skip: no swap';"
	"printf '%%.12s number %%d\\t%%s\\n' $(git rev-parse HEAD) $i \"$said\" >>../tree.log || exit; done";

static bool tree_here(void)
{
	char out[1024];

	if (shell(out, sizeof(out), "git --version"))
		return false;
	shell_said(0, "rm -rf %s/tree*", folder);
	shell_said(0, make_tree, folder);
	return true;
}

static void assert_stands_on_main(void)
{
	assert_string_equal(shell_said(0, "cd %s/tree && git status --porcelain -b", folder),
			    "## main\n");
}

TEST(a_tree_is_bisected_and_restored)
{
	static const char *const ends[] = { "main~6 main", "main main~6" };
	char *out;

	if (!tree_here())
		skip();
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		out = rssck_said(1, "bisect --tree=%s/tree --log=%s/tree.log %s fork/cow", folder,
				 folder, ends[i]);
		assert_says(out, "6 commits\n");
		assert_says(out, " number 5\nor with ");
		assert_says(out, " number 4, which could not be judged\n");
		assert_stands_on_main();
	}
}

TEST(a_tree_is_restored_after_a_signal)
{
	if (!tree_here())
		skip();
	rssck_said(
		128 + 15,
		"bisect --tree=%s/tree --build='echo >../tree.begun; sleep 60' main~6 main fork/cow "
		"2>&1 & until [ -f %s/tree.begun ]; do sleep 0.1; done; kill -TERM $!; wait $!",
		folder, folder);
	assert_stands_on_main();
}

TEST(a_commit_that_does_not_build_cannot_be_an_end)
{
	char *out;

	if (!tree_here())
		skip();
	out = rssck_said(
		2, "bisect --tree=%s/tree --build='echo no rule; false' main~6 main fork/cow 2>&1",
		folder);
	assert_says(out, "no rule\n");
	assert_says(out, "cannot be judged: the build failed");
	assert_says(out, "choose another kernel");
	assert_stands_on_main();
}

static void refuse(const char *arguments, const char *part)
{
	assert_rssck(2, part, "bisect %s 2>&1", arguments);
}

TEST(wrong_arguments_of_bisect_are_refused)
{
	refuse("", "two kernels and a case");
	refuse("a b", "two kernels and a case");
	refuse("a b file/private_wirte", "no case 'file/private_wirte'");
	refuse("--kernels=/nonexistent a b fork/cow", "/nonexistent: No such file");
	refuse("--kernels=/ a b fork/cow", "has no kernel a");
	refuse("--tree=/ --kernels=/ a b fork/cow", "give only one of");
	refuse("--tree=/ a b fork/cow", "/ is not a git tree");
	refuse("--log=a --log=b a b fork/cow", "--log");
	refuse("--lgo=a a b fork/cow", "--log");
}

TESTS_SHARE(make_folder, free_folder);
