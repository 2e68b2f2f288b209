// SPDX-License-Identifier: MIT
/* The data from which the models of counters are measured. */
#include "engine/models/recorder.h"
#include "tests/support/test.h"
#include <rssck/model.h>

/* A kernel may count one class differently from the others. Then a sum lags as that class does. */
TEST(a_sum_is_recorded_with_each_of_its_classes)
{
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
		if (recorded_with(*id) != (metric(*id)->accounts & IN_RSS))
			print_error("%s\n", metric(*id)->name);
		assert_int_equal(recorded_with(*id), metric(*id)->accounts & IN_RSS);
	}
}
