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

static void assert_valid(const char *schema, const char *arguments)
{
	char out[64], *file = in_folder("output.json");

	shell(out, sizeof(out), "%s %s >%s 2>/dev/null", program(), arguments, file);
	assert_files_valid(schema, file, arguments);
}

TEST(new_results_match_the_schema)
{
	assert_valid("results", "check --format=json counters/calibrate file/mincore hugetlb");
	assert_valid("results", "check --format=json --verbose counters/threads_malloc");
}

TEST(records_match_their_schemas)
{
	assert_files_valid("results", "results/*.json", "results");
	assert_files_valid("grid", "results/atlas/*.json", "results/atlas");
}

TEST(a_grid_matches_the_schema)
{
	assert_valid("grid", "atlas --grid --kinds=anon,shm --acts=free,dontneed");
}

TEST(an_explained_effect_matches_the_schema)
{
	assert_valid("explain", "explain --json MADV_FREE of shmem");
	assert_valid("explain", "explain --json 'Swap: 8191 8190 1'");
}

TEST(a_comparison_matches_the_schema)
{
	assert_valid("compare", "compare --json results/6.1.0*.json results/7.2.13+*.json");
	assert_valid("compare", "compare --format=json results/6.1.0*.json results/6.1.0*.json");
}

TEST(each_form_of_a_scan_matches_the_schema)
{
	char out[64], *file = in_folder("watch.json");

	assert_valid("scan", "scan --json $$");
	assert_valid("scan", "scan --format=json --no-model $$ 4194303");
	assert_valid("scan", "scan --json --maps --sharers --pages=stack $$");
	assert_valid("scan", "scan --json --sharers=$(readlink -f /bin/sh)");
	assert_valid("scan", "scan --json --all");
	assert_valid("scan", "scan --json --all --by=program");
	assert_valid("scan", "scan --json --all --by=user");
	shell(out, sizeof(out),
	      "sleep 10 & %s scan --json --no-model --watch=0.5 $! >%s 2>/dev/null", program(),
	      file);
	assert_files_valid("scan", file, "scan --json --watch");
}

TEST(explanations_match_the_schema)
{
	assert_valid("explain",
		     "explain --json --no-model RES PSS 'docker stats' 6.1 file/mincore");
	assert_valid("explain",
		     "explain --json --results=results --kernel=6.1 RSS VmRRS top exact");
	assert_valid("explain", "explain --json --no-model 'why is rss larger than the heap'");
	assert_valid("explain", "explain --json --no-model zero_page.counted_in_rss");
}

TEST(demos_match_the_schema)
{
	assert_valid("demo", "demo --format=json fork/cow cgroup/limit");
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

TEST(a_record_of_random_programs_matches_the_schema)
{
	assert_valid("fuzz", "fuzz --format=json --seeds=1-3");
}

TEST(the_audit_of_a_machine_matches_the_schema)
{
	assert_valid("scan", "scan --json --cgroup=$(dirname $(find /sys/fs/cgroup -mindepth 2 "
			     "-name memory.stat | head -1))");
	assert_valid("machine", "machine --json");
}

TEST(a_list_matches_the_schema)
{
	assert_valid("list", "list --json");
	assert_valid("list", "list --format=json file");
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
