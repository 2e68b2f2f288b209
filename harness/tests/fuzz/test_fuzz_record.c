// SPDX-License-Identifier: MIT
/*
 * The record of a program: the numbers that each step moved, and the values that an act reported.
 */
#include "fuzz_player.h"
#include "tests/support/test.h"

static json_t *recorded(const char *text)
{
	struct record *r = record_new(&engine.host);
	struct finding f;

	parse(text);
	assert_int_equal(record_program(r, &player, &p, &f), PLAYED);
	return record_finish(r);
}

static json_t *step_of(json_t *root, size_t i)
{
	json_t *program = json_array_get(json_object_get(root, "programs"), 0);

	return json_array_get(json_object_get(program, "steps"), i);
}

TEST(a_record_contains_what_each_step_moved)
{
	json_t *root = recorded("mmap r0 0..15 anon private rw\nwrite r0 0..15\n"), *moved;
	long kb = 16 * engine.host.page_size / 1024;

	assert_string_equal(json_string_value(json_object_get(root, "schema")), RECORD_SCHEMA);
	moved = json_object_get(step_of(root, 0), "p0");
	assert_int_equal(json_integer_value(json_object_get(moved, "status.VmSize")), kb);
	assert_string_equal(json_string_value(json_object_get(step_of(root, 1), "act")),
			    "write r0 0..15");
	moved = json_object_get(step_of(root, 1), "p0");
	assert_int_equal(json_integer_value(json_object_get(moved, "smaps.Anonymous")), kb);
	assert_null(json_object_get(moved, "status.VmSize"));
	/* The kernel prints this number, though this program does not move it. */
	assert_true(json_is_true(json_object_get(json_object_get(root, "printed"), "smaps.Swap")));
	json_decref(root);
}

TEST(a_record_contains_the_errno_of_a_call)
{
	json_auto_t *root = recorded("mprotect r0 0..3 r\n");

	assert_int_not_equal(json_integer_value(json_object_get(step_of(root, 0), "errno")), 0);
}

TEST(a_record_contains_the_value_that_an_act_reported)
{
	json_auto_t *root = recorded("mmap r0 0..3 anon private rw\nio_uring r0 0..3\n");
	json_t *told = json_object_get(step_of(root, 1), "told");
	struct act a;
	char why[128];

	if (!told)
		skip(); /* io_uring cannot be used here */
	assert_int_equal(act_parse(&a, "io_uring r0 0..3", why, sizeof(why)), 0);
	assert_non_null(json_object_get(told, verbs[a.verb].reports));
	assert_true(json_is_true(
		json_object_get(json_object_get(root, "printed"), verbs[a.verb].reports)));
}

TESTS_SHARE(open_all, close_all);
