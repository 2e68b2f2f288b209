// SPDX-License-Identifier: MIT
/* JSON output matches its schema in harness/schema; validate.py allows no other members. */
#include "tests/support/files.h"
#include "tests/support/test.h"

enum { NO_VALIDATOR = 4 };

/* Fails the test unless these files match the schema. `of` names what wrote them. */
static void assert_files_valid(const char *schema, const char *files, const char *of)
{
	static char out[1 << 16];
	int status = shell(out, sizeof(out),
			   "python3 harness/schema/validate.py "
			   "harness/schema/rssck-%s-1.schema.json %s 2>&1",
			   schema, files);

	if (status == NO_VALIDATOR || status == 127) {
		print_message("skipped: python3 with jsonschema is not installed (package "
			      "python3-jsonschema)\n");
		skip();
	}
	if (status)
		fail_msg("%s: %.3000s", of, out);
}

/* Commands whose output has this schema. */
static const struct {
	const char *schema, *arguments;
} commands[] = {
	{ "results", "check --format=json counters/calibrate file/mincore hugetlb" },
	{ "results", "check --format=json --verbose counters/threads_malloc" },
	{ "grid", "atlas --grid --kinds=anon,shm --acts=free,dontneed" },
	{ "explain", "explain --json MADV_FREE of shmem" },
	{ "explain", "explain --json 'Swap: 8191 8190 1'" },
	{ "explain", "explain --json --no-model RES PSS 'docker stats' 6.1 file/mincore" },
	{ "explain", "explain --json --results=results --kernel=6.1 RSS VmRRS top exact" },
	{ "explain", "explain --json --no-model 'why is rss larger than the heap'" },
	{ "explain", "explain --json --no-model zero_page.counted_in_rss" },
	{ "compare", "compare --json results/6.1.0*.json results/7.2.13+*.json" },
	{ "compare", "compare --format=json results/6.1.0*.json results/6.1.0*.json" },
	{ "scan", "scan --json $$" },
	{ "scan", "scan --format=json --no-model $$ 4194303" },
	{ "scan", "scan --json --maps --sharers --pages=stack $$" },
	{ "scan", "scan --json --sharers=$(readlink -f /bin/sh)" },
	{ "scan", "scan --json --all" },
	{ "scan", "scan --json --all --by=program" },
	{ "scan", "scan --json --all --by=user" },
	{ "scan",
	  "scan --json --cgroup=$(dirname $(find /sys/fs/cgroup -mindepth 2 -name memory.stat "
	  "| head -1))" },
	{ "machine", "machine --json" },
	{ "demo", "demo --format=json fork/cow cgroup/limit" },
	{ "fuzz", "fuzz --format=json --seeds=1-3" },
	{ "list", "list --json" },
	{ "list", "list --format=json file" },
};

TEST(the_output_of_each_command_matches_its_schema)
{
	char out[64], *file = in_folder("output.json");

	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		shell(out, sizeof(out), "%s %s >%s 2>/dev/null", program(), commands[i].arguments,
		      file);
		assert_files_valid(commands[i].schema, file, commands[i].arguments);
	}
}

TEST(a_watched_scan_matches_the_schema)
{
	char out[64], *file = in_folder("watch.json");

	shell(out, sizeof(out),
	      "sleep 10 & %s scan --json --no-model --watch=0.5 $! >%s 2>/dev/null", program(),
	      file);
	assert_files_valid("scan", file, "scan --json --watch");
}

TEST(records_match_their_schemas)
{
	assert_files_valid("results", "results/*.json", "results");
	assert_files_valid("grid", "results/atlas/*.json", "results/atlas");
}

/* The audited program's stdout is its own, so the report goes elsewhere. */
static void assert_run_valid(const char *arguments)
{
	char out[64], *file = in_folder("run.json");

	shell(out, sizeof(out), "%s run --format=json --output=%s %s >/dev/null 2>&1", program(),
	      file, arguments);
	assert_files_valid("run", file, arguments);
}

TEST(the_audit_of_a_program_matches_the_schema)
{
	assert_run_valid("--every=0.2 -- sleep 1");
	assert_run_valid("--no-model -- sh -c 'kill -9 $$'");
	assert_run_valid("--no-model -- false");
	assert_run_valid("--no-model --cgroup -- sleep 0.2");
}

TEST(invalid_output_is_rejected)
{
	const char *file = folder_put(
		"invalid.json", "{\"schema\": \"rssck-list/1\", \"cases\": [], \"more\": 1}\n");
	static char out[1 << 12];
	int status = shell(out, sizeof(out),
			   "python3 harness/schema/validate.py "
			   "harness/schema/rssck-list-1.schema.json %s 2>&1",
			   file);

	if (status == NO_VALIDATOR || status == 127)
		skip();
	assert_int_equal(status, 1);
	assert_says(out, "more");
}
