// SPDX-License-Identifier: MIT
/* What the models are measured from. */
#include "engine/models/recorder.h"
#include <rssck/model.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A kernel may count one class in another way than the others: a sum then lags as that does. */
static void test_a_sum_is_recorded_with_every_class_that_it_sums(void **state)
{
	(void)state;
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
		if (recorded_with(*id) != (metric(*id)->accounts & IN_RSS))
			print_error("%s\n", metric(*id)->name);
		assert_int_equal(recorded_with(*id), metric(*id)->accounts & IN_RSS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_sum_is_recorded_with_every_class_that_it_sums),
	};

	return cmocka_run_group_tests_name("engine: measuring models", tests, NULL, NULL);
}
