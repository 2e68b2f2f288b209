// SPDX-License-Identifier: MIT
/* Writes JUnit XML for Jenkins and GitLab. Each group of cases has its own classname. */
#include "base/print/words.h"
#include "report.h"
#include <stdlib.h>
#include <string.h>

static void attribute(const char *name, const char *value, FILE *out)
{
	fprintf(out, " %s=\"", name);
	xml_put(value, out);
	putc('"', out);
}

static void both_numbers(const struct result *r, FILE *out)
{
	char buf[320];

	for (size_t i = 0; i < r->nr_discrepancies; i++) {
		const struct discrepancy *d = &r->discrepancies[i];

		if (!d->fails)
			continue;
		xml_put(d->step, out);
		fputs(": ", out);
		xml_put(discrepancy_words(d, buf, sizeof(buf)), out);
		if (d->text[0])
			fputs(" (", out), xml_put(d->text, out), fputs(")", out);
		putc('\n', out);
	}
}

static void history(const char *text, FILE *out)
{
	fputs("      <system-out>", out);
	xml_put(text, out);
	fputs("</system-out>\n", out);
}

/*
 * Returns the tries and remarks of a case, for most cases "". Returns NULL if there is no memory.
 * The caller frees the text.
 */
static char *history_text(const struct result *r)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	report_history(r, "", out);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

static void testcase(const struct result *r, FILE *out)
{
	static const char *const elements[VERDICT_COUNT] = {
		[VERDICT_FAIL] = "failure",
		[VERDICT_SKIP] = "skipped",
		[VERDICT_ERROR] = "error",
	};
	const char *slash = strchr(r->id, '/');
	const char *element = elements[r->verdict];
	char group[sizeof(r->id)], *text = history_text(r);

	snprintf(group, sizeof(group), "%.*s", slash ? (int)(slash - r->id) : 0, r->id);
	fputs("    <testcase", out);
	attribute("classname", group, out);
	attribute("name", slash ? slash + 1 : r->id, out);
	fprintf(out, " time=\"%lld.%03lld\"", (long long)r->duration_ms / 1000,
		(long long)r->duration_ms % 1000);
	if (!element && (!text || !text[0])) {
		fputs("/>\n", out);
		free(text);
		return;
	}
	fputs(">\n", out);
	if (element) {
		fprintf(out, "      <%s", element);
		attribute("message", r->reason, out);
		putc('>', out);
		both_numbers(r, out);
		fprintf(out, "</%s>\n", element);
	}
	if (text && text[0])
		history(text, out);
	free(text);
	fputs("    </testcase>\n", out);
}

int report_junit(const struct results *r, FILE *out)
{
	fprintf(out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite "
		"name=\"rssck\""
		" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" "
		"time=\"%lld.%03lld\">\n",
		r->nr, r->count[VERDICT_FAIL], r->count[VERDICT_ERROR], r->count[VERDICT_SKIP],
		(long long)r->duration_ms / 1000, (long long)r->duration_ms % 1000);
	fputs("    <properties>\n      <property name=\"kernel\"", out);
	attribute("value", r->kernel_release, out);
	fputs("/>\n", out);
	if (r->ended[0]) {
		fputs("      <property name=\"ended early\"", out);
		attribute("value", r->ended, out);
		fputs("/>\n", out);
	}
	fputs("    </properties>\n", out);
	for (size_t i = 0; i < r->nr; i++)
		testcase(&r->of[i], out);
	fputs("  </testsuite>\n</testsuites>\n", out);
	return stream_end(out);
}
