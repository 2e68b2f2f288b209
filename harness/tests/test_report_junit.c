// SPDX-License-Identifier: MIT
/* JUnit: well-formed XML whatever the strings hold, with the counts that a CI server adds up. */
#include "../report/words.h"
#include "made_up.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/*
 * A reader of the XML that a report may use: elements, attributes, text, the
 * predefined and the numeric entities. Everything else is not well-formed.
 */
struct xml {
	const char *at;
	const char *open[16];
	size_t open_len[16];
	unsigned depth;
	unsigned elements;
};

static void bad_xml(const struct xml *x, const char *why)
{
	fail_msg("%s at: %.60s", why, x->at);
}

static size_t name_length(const char *s)
{
	return strspn(s, "abcdefghijklmnopqrstuvwxyz");
}

static void read_character(struct xml *x, char until)
{
	static const char *const entities[] = { "&lt;", "&gt;",  "&amp;", "&quot;",
						"&#9;", "&#10;", "&#13;" };
	uint32_t code;

	if (*x->at == '&') {
		for (size_t i = 0; i < sizeof(entities) / sizeof(entities[0]); i++) {
			if (strncmp(x->at, entities[i], strlen(entities[i])))
				continue;
			x->at += strlen(entities[i]);
			return;
		}
		bad_xml(x, "unknown entity");
	}
	if (*x->at == '<' || (until == '<' && *x->at == '>'))
		bad_xml(x, "markup within text");

	const char *before = x->at;

	code = utf8_next(&x->at);
	if (code == UTF8_INVALID && x->at - before != 3)
		bad_xml(x, "no UTF-8");
	if ((code < 0x20 && code != '\n') || (code > 0xd7ff && code < 0xe000) || code == 0xfffe ||
	    code == 0xffff)
		bad_xml(x, "a character that XML cannot hold");
}

static void read_attributes(struct xml *x)
{
	while (*x->at == ' ') {
		x->at++;
		if (!name_length(x->at))
			bad_xml(x, "no name of an attribute");
		x->at += name_length(x->at);
		if (strncmp(x->at, "=\"", 2))
			bad_xml(x, "no value of an attribute");
		x->at += 2;
		while (*x->at && *x->at != '"')
			read_character(x, '"');
		x->at++;
	}
}

static void read_tag(struct xml *x)
{
	bool closing = x->at[1] == '/';
	const char *name = x->at + 1 + closing;
	size_t len = name_length(name);

	x->at = name + len;
	if (closing) {
		x->depth--;
		if (x->depth >= 16 || len != x->open_len[x->depth] ||
		    strncmp(name, x->open[x->depth], len))
			bad_xml(x, "the wrong end");
	} else {
		read_attributes(x);
		x->elements++;
		x->open[x->depth] = name;
		x->open_len[x->depth] = len;
		if (*x->at == '/')
			x->at++;
		else if (++x->depth >= 16)
			bad_xml(x, "too deep");
	}
	if (*x->at++ != '>')
		bad_xml(x, "no end of a tag");
}

/* Fails the test where the text is not well-formed. Returns the number of elements. */
static unsigned read_xml(const char *text)
{
	static const char declaration[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
	struct xml x = { .at = text + strlen(declaration) };

	assert_memory_equal(text, declaration, strlen(declaration));
	while (*x.at) {
		if (*x.at == '<')
			read_tag(&x);
		else
			read_character(&x, '<');
	}
	assert_int_equal(x.depth, 0);
	return x.elements;
}

static void test_each_verdict_has_its_element(void **state)
{
	struct results r = made_up_four();
	char *text = written(report_junit, &r);

	(void)state;
	/* testsuites, testsuite, properties, property, four cases, three with an element. */
	assert_int_equal(read_xml(text), 4 + 4 + 3);
	assert_non_null(strstr(
		text, "tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\" time=\"1.234\""));
	assert_non_null(strstr(
		text, "<testcase classname=\"anonymous\" name=\"zero_page\" time=\"0.012\"/>"));
	assert_non_null(strstr(
		text, "<failure message=\"the books differ\">write half: status.RssAnon says 127"));
	assert_non_null(strstr(text, "<skipped message=\"swap: there is none\">"));
	assert_non_null(strstr(text, "<error message=\"process 3 died\">"));
	free(text);
	results_free(&r);
}

static void test_xml_is_well_formed_whatever_the_strings_hold(void **state)
{
	struct results r = made_up_results();
	struct result *c;
	char *text;

	(void)state;
	for (enum verdict v = 0; v < VERDICT_COUNT; v++)
		c = made_up_case(&r, hostile, v, hostile);
	snprintf(made_up_discrepancy(c, hostile, hostile, 1, 2, 0)->text, 160, "%s", hostile);
	snprintf(r.kernel_release, sizeof(r.kernel_release), "%s", hostile);
	text = written(report_junit, &r);
	assert_int_equal(read_xml(text), 4 + 4 + 3);
	free(text);
	results_free(&r);
}

static void test_every_byte_is_either_itself_or_replaced(void **state)
{
	struct results r = made_up_results();
	struct result *c = made_up_case(&r, "file/x", VERDICT_FAIL, "");

	(void)state;
	for (int i = 1; i < 256; i++)
		c->reason[i - 1] = (char)i;

	char *text = written(report_junit, &r);

	read_xml(text);
	free(text);
	results_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_verdict_has_its_element),
		cmocka_unit_test(test_xml_is_well_formed_whatever_the_strings_hold),
		cmocka_unit_test(test_every_byte_is_either_itself_or_replaced),
	};

	return cmocka_run_group_tests_name("report_junit", tests, NULL, NULL);
}
