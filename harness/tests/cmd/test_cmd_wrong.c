// SPDX-License-Identifier: MIT
/*
 * Wrong usage of the commands: rssck prints a helpful sentence on stderr and exits with status 2.
 */
#include "tests/support/test.h"

static const struct {
	const char *arguments, *says;
} rows[] = {
	{ "", "usage: rssck COMMAND" },
	{ "chekc", "similar: check" },
	{ "lst", "similar: list" },
	{ "explian RSS", "similar: explain" },
	{ "scna 1", "similar: scan" },
	{ "compair a b", "similar: compare" },
	{ "raport", "similar: report" },
	{ "dmeo", "similar: demo" },
	{ "frobnicate", "there is no command 'frobnicate'" },
	{ "CHECK", "there is no command 'CHECK'" },
	{ "--verison", "unknown option '--verison'; options follow a command" },
	{ "-x", "unknown option '-x'" },
	{ "--format=json check", "options follow a command" },
	{ "help chekc", "similar: check" },
	{ "help nonsense", "nonsense" },
	{ "help check list", "one command at a time" },
	{ "check --formta=json", "similar: --format" },
	{ "check --nonsense", "rssck check: unrecognized option" },
	{ "check --format", "--format takes a value" },
	{ "check --format=", "--format cannot be ''; it can be text, ktap, junit or json" },
	{ "check --format=xml", "it can be text, ktap, junit or json" },
	{ "check --format=JSON", "--format cannot be 'JSON'" },
	{ "check --format=json --format=json", "--format is given more than once" },
	{ "check --format json --format=ktap file/mincore", "--format is given more than once" },
	{ "check --color=red", "it can be auto, always or never" },
	{ "check --colour=on", "it can be auto, always or never" },
	{ "check --color=auto --colour=never", "is given more than once" },
	{ "check --repeat=0", "--repeat takes a number of at least 1, not '0'" },
	{ "check --repeat=-3", "not '-3'" },
	{ "check --repeat=many", "not 'many'" },
	{ "check --repeat=1.5", "not '1.5'" },
	{ "check --repeat=99999999999", "not '99999999999'" },
	{ "check --repeat", "--repeat takes a value" },
	{ "check --limit=0", "--limit takes a number" },
	{ "check --limit=10s", "not '10s'" },
	{ "check --timeout=", "--limit takes a number" },
	{ "check --bisect=yes --format=xml", "--bisect takes no value" },
	{ "check --list=1", "--list takes no value" },
	{ "check --verbose=2", "--verbose takes no value" },
	{ "check --quiet --quiet", "--quiet is given more than once" },
	{ "check -z", "unrecognized option '-z'" },
	{ "check --l", "can mean --list or --limit; use the full name" },
	{ "check --output=/nonexistent/file.json file/mincore", "/nonexistent" },
	{ "check --output=/ file/mincore", "/" },
	{ "check --directory=/nonexistent file/mincore", "/nonexistent" },
	{ "check file/private_wirte", "similar: file/private_write" },
	{ "check file/mincore file/mincore", "'file/mincore' is given more than once" },
	{ "check nosuchgroup/", "there is no case 'nosuchgroup/'" },
	{ "check 'file/nothing*'", "there is no case" },
	{ "check --kernel=bzImage", "unrecognized option '--kernel=bzImage'" },
	{ "list --coverge", "similar: --coverage" },
	{ "list --format=xml", "it can be text or json" },
	{ "list nonsense", "there is no case 'nonsense'" },
	{ "list file/mincore file/mincore", "is given more than once" },
	{ "list --verbose --verbose", "--verbose is given more than once" },
	{ "explain nonsense", "nothing is called 'nonsense'" },
	{ "explain --results=results --kernel=latest RES", "there are runs of 5.10.0" },
	{ "explain --kernel=latest RES", "'latest' is not a kernel" },
	{ "explain --kernel RES --kernel=6.1", "--kernel is given more than once" },
	{ "explain --threads=0 RES", "--threads takes a number" },
	{ "explain --threads=lots RES", "not 'lots'" },
	{ "explain --pid=0 RES", "--pid takes a number" },
	{ "explain --pid=self RES", "not 'self'" },
	{ "explain --pid=1 --threads=2 RES", "only one of" },
	{ "explain --pid=1 --kernel=6.1 RES", "give only one" },
	{ "explain --pid=4194304 RES", "/proc/4194304/status: No such process" },
	{ "explain --results=/nonexistent RES", "/nonexistent: No such file" },
	{ "explain --format=xml RES", "it can be text or json" },
	{ "explain --json", "--json needs a NAME" },
	{ "explain --no-modle RES", "similar: --no-model" },
	{ "explain --nonsense VmRSS", "unrecognized option '--nonsense'" },
	{ "explain VmRSS --jsom", "similar: --json" },
	{ "explain --list=all", "--list takes no value" },
	{ "compare", "it compares 2 files, not 0" },
	{ "compare results/6.18.15+deb13-cloud-amd64.json", "it compares 2 files, not 1" },
	{ "compare a b c", "it compares 2 files, not 3" },
	{ "compare /nonexistent /nonexistent", "/nonexistent: No such file" },
	{ "compare --format=html a b", "it can be text or json" },
	{ "compare --formt=json a b", "similar: --format" },
	{ "compare README.md README.md", "README.md" },
	{ "report", "name their files" },
	{ "report --html", "name their files" },
	{ "report --html --history results/6.18.15+deb13-cloud-amd64.json", "one page at a time" },
	{ "report --format=pdf results/6.18.15+deb13-cloud-amd64.json",
	  "it can be markdown, html, history, documents, atlas, atlas-markdown or course" },
	{ "report --course --output=- results/6.18.15+deb13-cloud-amd64.json", "is not a record" },
	{ "report --hmtl x", "similar: --html" },
	{ "report /nonexistent.json", "/nonexistent.json" },
	{ "report a.json a.json", "a.json is given more than once" },
	{ "scan", "which process?" },
	{ "scan nonsense", "nonsense" },
	{ "scan 0", "0" },
	{ "scan -5", "unrecognized option '-5'" },
	{ "scan 4194304", "4194304" },
	{ "scan 1 1", "process 1 is given more than once" },
	{ "scan --all 1", "give process numbers, or one of" },
	{ "scan --all --maps", "not --all, --user or --name" },
	{ "scan --all --watch", "not --all, --user or --name" },
	{ "scan --user=no-such-user", "there is no user 'no-such-user'" },
	{ "scan --by=cgroup --all", "it can be process, program or user" },
	{ "scan --sort=size --all", "it can be pss, uss, rss, swap, one-more, name or pid" },
	{ "scan --maps=all 1", "it can be file or each" },
	{ "scan --watch=0 1", "--watch takes a number of seconds" },
	{ "scan --watch=often 1", "not 'often'" },
	{ "scan --watch 1 2", "--watch follows one process" },
	{ "scan --format=yaml 1", "it can be text or json" },
	{ "scan --pages 1", "which process?" },
	{ "scan --sharer 1 --sharers", "--sharers is given more than once" },
	{ "demo file/private_wirte --no-wait", "similar" },
	{ "demo --quiz=nothing", "there is no lesson 'nothing'" },
	{ "demo --plot=picture.gif", "takes a .svg or a .png" },
	{ "demo --cpus=0 --kernel=x", "--cpus takes a number from 1 to 255" },
	{ "demo --timeout=never", "not 'never'" },
	{ "vm", "give --kernel=IMAGE" },
	{ "vm --kernel", "--kernel takes a value" },
	{ "vm --kernel=/nonexistent file/mincore", "/nonexistent" },
	{ "vm --kernel=/nonexistent file/private_wirte", "similar: file/private_write" },
	{ "vm --kernel=/nonexistent file/mincore -- --repaet=2", "similar: --repeat" },
	{ "vm --kernel=/nonexistent file/mincore file/mincore", "is given more than once" },
	{ "vm --kernel=a --kernel=b", "--kernel is given more than once" },
	{ "vm --kernel=a --format=xml", "it can be text, ktap, junit or json" },
	{ "vm --kernel=a --cpus=1000", "--cpus takes a number from 1 to 255, not '1000'" },
	{ "vm --kernel=a --memory=1G", "not '1G'" },
	{ "vm --kernel=a --timeout=0", "--timeout takes a number" },
	{ "vm --kernel=a --setup=swapp=zram", "--setup takes FILE=VALUE" },
	{ "vm --kernl=a", "similar: --kernel" },
};

enum { ROWS = sizeof(rows) / sizeof(*rows), LONGEST = 700 };

/* LONGEST bytes are too few for a list of the options. Only the first row prints the usage. */
TEST(each_wrong_usage_exits_with_2_and_a_short_remedy)
{
	static char out[1 << 16];
	size_t wrong = 0;

	assert_true(ROWS >= 100);
	for (size_t i = 0; i < ROWS; i++) {
		int status = shell(out, sizeof(out), "%s %s 2>&1 >/dev/null </dev/null", program(),
				   rows[i].arguments);

		if (status == 2 && strstr(out, rows[i].says) &&
		    (i == 0 || (!strncmp(out, "rssck", 5) && strlen(out) <= LONGEST)))
			continue;
		print_error("rssck %s: exit %d, no '%s', or too long: %s", rows[i].arguments,
			    status, rows[i].says, out);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}
