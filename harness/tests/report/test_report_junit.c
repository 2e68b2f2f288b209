// SPDX-License-Identifier: MIT
/* JUnit: well-formed XML whatever the strings contain, with the counts that a CI server adds up. */
#include "tests/support/made_up.h"
#include "tests/support/markup.h"
#include "tests/support/test.h"

TEST(each_verdict_has_its_XML_element)
{
	OWNED(results_free) struct results r = made_up_four();
	char *text = written(report_junit, &r);

	/*
	 * The elements are testsuites, testsuite, properties, property, four cases, and three in
	 * the cases.
	 */
	assert_int_equal(markup_read(text), 4 + 4 + 3);
	assert_says(text, "tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\" time=\"1.234\"");
	assert_says(text, "<testcase classname=\"anonymous\" name=\"zero_page\" time=\"0.012\"/>");
	assert_says(text,
		    "<failure message=\"the numbers differ\">write half: status.RssAnon says 127");
	assert_says(text, "<skipped message=\"swap: there is none\">");
	assert_says(text, "<error message=\"process 3 died\">");
}

TEST(xml_is_well_formed_whatever_the_strings_contain)
{
	OWNED(results_free) struct results r = made_up_results();
	struct result *c;
	char *text;

	for (enum verdict v = 0; v < VERDICT_COUNT; v++)
		c = made_up_case(&r, hostile, v, hostile);
	snprintf(made_up_discrepancy(c, hostile, hostile, 1, 2, 0)->text, 160, "%s", hostile);
	snprintf(r.kernel_release, sizeof(r.kernel_release), "%s", hostile);
	text = written(report_junit, &r);
	assert_int_equal(markup_read(text), 4 + 4 + 3);
}

TEST(every_byte_is_either_itself_or_replaced)
{
	OWNED(results_free) struct results r = made_up_results();
	struct result *c = made_up_case(&r, "file/x", VERDICT_FAIL, "");

	for (int i = 1; i < 256; i++)
		c->reason[i - 1] = (char)i;

	char *text = written(report_junit, &r);

	markup_read(text);
}
