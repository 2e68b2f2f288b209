// SPDX-License-Identifier: MIT
/* rssck explain: explains a name, and how wrong the number can be. */
#include "cmd/explain.h"
#include "base/print/words.h"
#include "cmd/line/options.h"
#include "commands.h"
#include "course/lesson.h"
#include "recorded.h"
#include <unistd.h>

enum { THREADS_MOST = 1 << 22, CPUS_MOST = 1 << 13 };

#define INTO(member) .at = offsetof(struct explain_options, member)
static const struct option_row rows[] = {
	{ "kernel", OPTION_WORD, "RELEASE",
	  "explain for a recorded kernel (6.1) instead of the running one", INTO(kernel) },
	{ "threads", OPTION_NUMBER, "N",
	  "print how wrong the number can be for a process of N threads", INTO(threads),
	  .number = THREADS_MOST },
	{ "cpus", OPTION_NUMBER, "N",
	  "print how wrong the number can be on a machine of N CPUs with this kernel", INTO(cpus),
	  .number = CPUS_MOST },
	{ "pid", OPTION_NUMBER, "PID", "use the number of threads of this process", INTO(pid),
	  .number = THREADS_MOST },
	OPTION_ROW_FORMAT(json),
	OPTION_ROW_JSON(json),
	{ "no-model", OPTION_FLAG, NULL,
	  "do not measure this kernel's counter models (also: --no-measure)", INTO(no_model),
	  .also = "no-measure" },
	{ "results", OPTION_WORD, "DIR",
	  "folder of recorded runs, which show the kernels on which a statement holds (default: the "
	  "runs that came with rssck)",
	  INTO(results) },
	{ "list", OPTION_FLAG, NULL, "print only the names, one per line", INTO(list) },
	{ "manual", OPTION_FLAG, NULL,
	  "the manual page rssck-metrics(7), made from the same tables", INTO(manual) },
	{ .name = NULL },
};

static int list_names(const struct topics *all)
{
	for (size_t i = 0; i < all->nr; i++)
		puts(all->of[i].name);
	return EXIT_HOLDS;
}

enum { QUESTIONS_AT = 33 }; /* the column after the longest command */

static void put_questions(const struct prose *p)
{
	size_t nr;
	const struct lesson *lessons = lessons_all(&nr);

	prose_text(p, 0, "The most common questions, and the commands that answer them:");
	putc('\n', p->out);
	for (size_t i = 0; i < nr; i++) {
		char term[NAME_SIZE];

		if (!lessons[i].people_ask)
			continue;
		snprintf(term, sizeof(term), "  rssck explain %s", lessons[i].look_up);
		prose_hanging(p, term, QUESTIONS_AT, lessons[i].people_ask);
	}
	putc('\n', p->out);
	prose_text(
		p, 0,
		"It also explains a name (RES, top SHR, VmHWM, docker stats, 6.1) or answers a question in "
		"words; rssck explain --list prints all names. rssck demo --quiz teaches by asking.");
}

static int explain_with(const struct explain_options *o, char **words, const struct topics *all)
{
	struct recordings recorded = { .nr = 0 };
	struct explanation e = {
		.prose = prose_to(stdout),
		.not_measured = "--no-measure was given",
		.threads = o->threads ? o->threads : 1,
		.page_size = sysconf(_SC_PAGESIZE),
	};
	int status;

	if (o->list)
		return list_names(all);
	if (!*words && !o->manual) {
		put_questions(&e.prose);
		return EXIT_HOLDS;
	}
	if (recorded_load(&recorded, o->results))
		return EXIT_TROUBLE;
	e.kernels = (struct kernels) { recorded.of, recorded.nr };
	status = o->manual
			 ? (explain_manual(&e.kernels, stdout) ? trouble("stdout: %m") : EXIT_HOLDS)
			 : explain_asked(o, e, words, all);
	recordings_free(&recorded);
	return status;
}

static int cmd_explain(int argc, char **argv)
{
	argc = join_dashes(argc, argv, &command_explain);
	argv = mark_text(&argc, argv);
	if (!argv)
		return trouble("out of memory");

	struct explain_options o = { .threads = 0 };
	struct topics all;
	int first = options_read(&command_explain, &o, argc, argv), status;

	if (first <= 0)
		return first ? EXIT_TROUBLE : EXIT_HOLDS;
	if (o.pid && o.threads)
		return usage_error("explain", "--pid reads the number of threads from the process; "
					      "give only one of --pid and --threads");
	if (o.pid && o.kernel)
		return usage_error(
			"explain",
			"--pid needs the running kernel, --kernel a recorded one; give only one "
			"of them");
	if (o.json && !argv[first])
		return usage_error("explain", "--json needs a NAME");
	if (topics_all(&all))
		return trouble("out of memory");
	status = explain_with(&o, argv + first, &all);
	topics_free(&all);
	return stream_end(stdout) ? trouble("stdout: %m") : status;
}

const struct command command_explain = {
	.name = "explain",
	.run = cmd_explain,
	.usage = "[OPTION]... [NAME]...",
	.help = "explain whether a number is exact, and what to read instead",
	.about = "NAME is a metric (status.VmRSS, VmRSS), a tool's column (\"top RES\", RES), a "
		 "program or file (top, /proc/PID/smaps), a number of containers or of the machine "
		 "(docker stats, MemAvailable), a word (USS), a kernel (6.1), a case, a fact, a "
		 "question in words, or an operation on a kind of memory (\"MADV_FREE of shmem\", "
		 "answered from recorded kernels). Without a NAME, it prints the most common "
		 "questions.",
	.rows = rows,
	.words = WORD_NAME,
};
