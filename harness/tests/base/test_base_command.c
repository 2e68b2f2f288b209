// SPDX-License-Identifier: MIT
/* Programs of the host that fail, hang, and are left alone by us. */
#include "base/process/command.h"
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static char *shell(const char *words, unsigned limit_s, char *why, size_t size)
{
	return command_output((char *[]) { "/bin/sh", "-c", (char *)words, NULL }, limit_s, why,
			      size);
}

static void test_what_it_prints_is_taken_whole(void **state)
{
	char why[512] = "", *text = shell("seq 20000; echo end >&2", 60, why, sizeof(why));

	(void)state;
	assert_non_null(text);
	assert_memory_equal(text, "1\n2\n", 4);
	assert_string_equal(text + strlen(text) - 10, "20000\nend\n");
	free(text);
}

static void test_a_program_that_fails_is_quoted(void **state)
{
	char why[512];

	(void)state;
	assert_null(shell("echo no; exit 3", 60, why, sizeof(why)));
	assert_non_null(strstr(why, "status 3: no"));
	assert_null(shell("kill -SEGV $$", 60, why, sizeof(why)));
	assert_non_null(strstr(why, "signal 11"));
}

static void test_a_program_that_hangs_is_killed_with_all_that_it_started(void **state)
{
	char why[512];
	time_t start = time(NULL);

	(void)state;
	assert_null(shell("sleep 100 & sleep 100", 1, why, sizeof(why)));
	assert_non_null(strstr(why, "did not end in time"));
	assert_true(time(NULL) - start < 20);
}

/* It tells its number, and is our child when its parent has gone. */
static void test_it_does_not_outlive_us(void **state)
{
	int ends[2];
	pid_t asking, hanging = 0;
	char words[64], why[512];

	(void)state;
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	assert_int_equal(pipe(ends), 0);
	snprintf(words, sizeof(words), "echo $$ >&%d; exec sleep 100", ends[1]);
	asking = fork();
	if (!asking) {
		shell(words, 100, why, sizeof(why));
		_exit(0);
	}
	assert_true(read(ends[0], words, sizeof(words) - 1) > 1);
	hanging = atoi(words);
	kill(asking, SIGKILL);
	assert_int_equal(waitpid(asking, NULL, 0), asking);
	assert_int_equal(waitpid(hanging, NULL, 0), hanging);
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_it_prints_is_taken_whole),
		cmocka_unit_test(test_a_program_that_fails_is_quoted),
		cmocka_unit_test(test_a_program_that_hangs_is_killed_with_all_that_it_started),
		cmocka_unit_test(test_it_does_not_outlive_us),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) ? 1 : 0;
}
