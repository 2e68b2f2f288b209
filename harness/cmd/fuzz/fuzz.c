// SPDX-License-Identifier: MIT
/* rssck fuzz: runs random programs and audits them. */
#include "fuzz.h"
#include "base/clock.h"
#include "base/cpus.h"
#include "base/guest.h"
#include "base/memory.h"
#include "base/print/ticker.h"
#include "base/print/words.h"
#include "base/process/limits.h"
#include "cmd/line/sink.h"
#include "engine/engine.h"
#include "engine/workload/guard.h"
#include "engine/workload/paths.h"
#include "fuzz/play.h"
#include "fuzz/record.h"
#include "fuzz/shrink.h"
#include "jobs.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <malloc.h>
#include <rssck/bug_id.h>
#include <rssck/source.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <unistd.h>

enum {
	REPEATS = 5,
	RACE_REPEATS = 20, /* a program may need several runs until its race occurs */
	SHRINK_MS = 60000,
	TICK_MS = 500,
	KEEP_MS = 2000,
	TROUBLES_MAX = 20,
	EARLIER = 10
};

enum { HEAP_MOST = 32 << 20 };

/* The jobs of this run; the signal handler stops them. */
static struct jobs *jobs;

struct fuzzing {
	struct fuzz_options o;
	struct engine engine; /* its workload is the small rssck-worker; see paths.h */
	struct engine cases;  /* its workload is rssck-workload, which contains all cases */
	struct player player;
	struct ticker ticker;
	struct sink sink;
	FILE *text;            /* the stream for text; stderr if a record is written */
	struct record *record; /* or NULL */
	unsigned job, nr_jobs;
	struct totals *t; /* the counts of this job */
	int64_t start, shown, kept;
};

static void on_signal(int sig)
{
	(void)sig;
	jobs->stop = true;
}

static void show_progress(void *data)
{
	struct fuzzing *z = data;
	int64_t now = now_ms();
	struct totals t;

	if (now - z->start < 2000 || now - z->shown < TICK_MS)
		return;
	z->shown = now;
	jobs_sum(jobs, z->nr_jobs, &t);
	ticker_show(&z->ticker, "%" PRIu64 " programs, %" PRIu64 " steps, %" PRId64 " a second",
		    t.programs, t.steps, (int64_t)t.steps * 1000 / (now - z->start + 1));
}

/* Writes a finding as the source of a case: CASE(fuzz_found) in "FOLDER/found.c". */
static void write_case(struct fuzzing *z, const struct program *program, const struct finding *f)
{
	const char *slash = strrchr(z->o.case_file, '/');
	char id[80], why[512], *text = NULL;
	size_t length = 0;
	FILE *out;

	if (program->threads > 1) {
		trouble("fuzz: --case cannot write a program with concurrent threads, because the steps of a case run one after "
			"another; use --replay");
		return;
	}
	out = open_memstream(&text, &length);
	if (!out)
		memory_gone("the source of a case");
	snprintf(id, sizeof(id), "fuzz_%.60s", slash ? slash + 1 : z->o.case_file);
	id[strcspn(id, ".")] = '\0';
	finding_print_case(program, f, id, out);
	if (fclose(out) || sink_write(z->o.case_file, text, length, why, sizeof(why)))
		trouble("fuzz: %s", why);
	free(text);
}

/*
 * True if an earlier program caused the finding. The kernel checks an mm's counters when it drops
 * the mm, at the end of a workload that has run several programs, or some time later.
 */
static bool is_of_an_earlier(struct fuzzing *z, struct program *program, struct finding *f)
{
	uint64_t seed = program->seed;

	for (uint64_t i = 1; f->d.rule == RULE_KERNEL_LOG && i <= EARLIER; i++) {
		uint64_t back = i * z->nr_jobs;

		if (seed - z->o.first < back)
			break;
		program_draw(program, seed - back, &z->o.recipe);
		if (finding_repeats(&z->player, program, 1, f))
			return true;
	}
	return false;
}

/*
 * A discrepancy is a finding if this program, run alone, or an earlier program repeats it. The
 * program is then shrunk (not with --replay) and printed to `out`. Otherwise the discrepancy is
 * printed as unconfirmed.
 */
static void settle_finding(struct fuzzing *z, struct program *program, struct finding *f, FILE *out)
{
	uint64_t seed = program->seed, number;
	unsigned repeats = program->threads > 1 ? RACE_REPEATS : REPEATS;

	ticker_clear(&z->ticker);
	if (!finding_repeats(&z->player, program, repeats, f) &&
	    (z->o.replay || !is_of_an_earlier(z, program, f))) {
		if (!z->o.replay)
			program_draw(program, seed, &z->o.recipe);
		z->t->unconfirmed++;
		fprintf(out,
			"# seed %" PRIu64 ": this was seen only once, and not again in %u runs:\n",
			seed, repeats);
		finding_print(program, f, out);
		fputc('\n', out);
		return;
	}
	z->t->findings++;
	number = __atomic_add_fetch(&jobs->found, 1, __ATOMIC_RELAXED);
	if (!z->o.replay)
		finding_shrink(&z->player, program, f, SHRINK_MS);
	fprintf(out, "# finding %" PRIu64 ", seed %" PRIu64 ", %u steps:\n", number, seed,
		program->nr);
	finding_print(program, f, out);
	fputc('\n', out);
	if (z->o.case_file)
		write_case(z, program, f);
}

/* Prints with a single write, so that the findings of several jobs do not mix. */
static void print_finding(struct fuzzing *z, struct program *program, struct finding *f)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		memory_gone("a finding");
	settle_finding(z, program, f, out);
	if (fclose(out))
		memory_gone("a finding");
	fwrite(text, 1, length, z->text);
	fflush(z->text);
	free(text);
}

static void take_totals(struct fuzzing *z)
{
	z->t->steps = z->player.steps;
	z->t->numbers = z->player.numbers;
	z->t->reached = z->player.reached;
	memcpy(z->t->known, z->player.known, sizeof(z->t->known));
}

/* Returns false if the run cannot continue. */
static bool play(struct fuzzing *z, struct program *program)
{
	struct finding f;

	switch (z->record ? record_program(z->record, &z->player, program, &f)
			  : player_play(&z->player, program, z->o.replay != NULL, &f)) {
	case PLAYED:
		break;
	case PLAY_FOUND:
		print_finding(z, program, &f);
		break;
	case PLAY_TROUBLE:
		fprintf(stderr, "rssck fuzz: seed %" PRIu64 ": %.200s\n", program->seed,
			z->player.why);
		z->t->troubles++;
		break;
	}
	z->t->programs++;
	take_totals(z);
	return z->t->troubles < TROUBLES_MAX && (!jobs->found || z->o.keep_going);
}

/*
 * While the run is not done, the file holds the smallest seed that no job has begun yet. It is
 * removed when the run is done.
 */
static void keep_place(struct fuzzing *z)
{
	char text[32], why[512];
	struct totals t;
	uint64_t next;
	int length;

	if (!z->o.resume)
		return;
	jobs_sum(jobs, z->nr_jobs, &t);
	next = t.next;
	length = snprintf(text, sizeof(text), "%" PRIu64 "\n", next);
	z->kept = now_ms();
	if (!next && unlink(z->o.resume) < 0 && errno != ENOENT)
		trouble("fuzz: %s: %s", z->o.resume, strerror(errno));
	else if (next && sink_write(z->o.resume, text, (size_t)length, why, sizeof(why)))
		trouble("fuzz: %s", why);
}

static bool time_is_up(const struct fuzzing *z)
{
	return z->o.time && now_ms() - z->start >= (int64_t)z->o.time * 1000;
}

/*
 * Ends the workload. A message that the kernel logs now may be caused by any program that the
 * workload has run.
 */
static void rest(struct fuzzing *z)
{
	struct finding last;

	if (!player_rest(&z->player, &last))
		return;
	z->t->unconfirmed++;
	fprintf(z->text, "# %s: %s\n", last.d.metric, last.d.text);
}

/*
 * Runs the seed's case, if it has one. No case runs beside other jobs, because cases change the
 * machine; or for a record, chosen operations or a single seed. Returns false after a finding,
 * unless --keep-going is given.
 */
static bool run_case_between(struct fuzzing *z, uint64_t seed)
{
	const struct case_registration *c = between_case(seed);

	if (!c || z->nr_jobs > 1 || z->record || z->o.verbs || z->o.one_seed)
		return true;
	rest(z);
	if (!between_run(&z->cases, c, z->text))
		return true;
	z->t->findings++;
	jobs->found++;
	return z->o.keep_going;
}

/* Each of the N jobs takes every Nth seed. */
static void play_seeds(struct fuzzing *z)
{
	struct program program;
	uint64_t left = z->o.last - z->o.first, step = z->nr_jobs;

	if (z->job > left)
		return;
	z->t->next = z->o.first + z->job;
	for (left -= z->job; !jobs->stop && !time_is_up(z); left -= step) {
		if (jobs->found && !z->o.keep_going)
			return;
		program_draw(&program, z->t->next, &z->o.recipe);
		if (z->o.one_seed)
			program_print(&program, z->text);
		if (!z->job && now_ms() - z->kept >= KEEP_MS)
			keep_place(z);
		if (step == 1)
			show_progress(z);
		if (!run_case_between(z, z->t->next))
			return;
		if (left < step) {
			play(z, &program);
			z->t->next = 0;
			return;
		}
		z->t->next += step;
		if (!play(z, &program))
			return;
	}
}

static int play_file(struct fuzzing *z)
{
	struct text t = { .data = NULL };
	const char *path = strcmp(z->o.replay, "-") ? z->o.replay : "/dev/stdin";
	struct program program;
	char why[256];
	int error = text_read(&t, 0, path);

	if (error)
		return trouble("fuzz: %s: %s", z->o.replay, strerror(-error));
	error = program_parse(&program, t.data, why, sizeof(why));
	text_free(&t);
	if (error)
		return trouble("fuzz: %s: %s", z->o.replay, why);
	play(z, &program);
	return EXIT_HOLDS;
}

static void print_known(const struct totals *t, FILE *out)
{
	for (enum bug_id id = BUG_NONE + 1; id < BUG_COUNT; id++) {
		char words[256];

		if (t->known[id])
			fprintf(out, "%s\n", bug_words(bug(id), words, sizeof(words)));
	}
}

static int report(struct fuzzing *z)
{
	char steps[32], numbers[32];
	FILE *out = z->text;
	int64_t ms = now_ms() - z->start;
	struct totals t;

	jobs_sum(jobs, z->nr_jobs, &t);
	ticker_close(&z->ticker);
	number_words((int64_t)t.steps, steps, sizeof(steps));
	number_words((int64_t)t.numbers, numbers, sizeof(numbers));
	fprintf(out,
		"%" PRIu64 " programs, %s steps audited in %" PRId64 ".%" PRId64
		" s, %s numbers compared: ",
		t.programs, steps, ms / 1000, ms / 100 % 10, numbers);
	if (t.findings)
		fprintf(out, "%" PRIu64 " finding%s\n", t.findings, t.findings == 1 ? "" : "s");
	else
		fputs("no findings\n", out);
	if (!z->o.replay && t.steps)
		reached_print(&t.reached, out);
	if (t.next && (!t.findings || z->o.keep_going))
		fprintf(out, "to continue: --seeds=%" PRIu64 "-%" PRIu64 "\n", t.next, z->o.last);
	if (t.unconfirmed)
		fprintf(out,
			"%" PRIu64 " discrepanc%s seen only once, so not counted as findings\n",
			t.unconfirmed, t.unconfirmed == 1 ? "y" : "ies");
	print_known(&t, out);
	if (t.findings)
		return EXIT_FAILS;
	if (t.troubles)
		return EXIT_TROUBLE;
	return t.steps ? EXIT_HOLDS : EXIT_NOTHING;
}

/*
 * Keeps freed memory in the process. Each reading allocates and frees the same memory, and
 * returning it to the kernel would take 10% of the time.
 */
static void keep_heap(void)
{
#ifdef M_TRIM_THRESHOLD
	mallopt(M_TRIM_THRESHOLD, INT_MAX);
	mallopt(M_MMAP_THRESHOLD, HEAP_MOST);
#endif
}

/*
 * Runs on the workload's CPU. rssck and the workload wait for each other, so no idle CPU has to be
 * woken.
 */
static void stay_beside(const struct host *h)
{
	struct cpu_mask one = { 0 };

	cpus_add(&one, h->cpu_list[0]);
	cpus_keep_to(&one);
}

static int play_all(struct fuzzing *z)
{
	int status = EXIT_HOLDS;

	alone_prepare();
	if (!z->o.at_once && z->o.recipe.threads < 2)
		stay_beside(&z->engine.host);
	z->cases = z->engine;
	z->engine.copy = -1;
	if (player_open(&z->player, &z->engine) < 0)
		return trouble("fuzz: %s", z->player.why);
	/* The calibration does not count towards the time limit. */
	z->start = now_ms();
	z->player.stop = &jobs->stop;
	z->player.at_once = z->o.at_once;
	if (z->o.json) {
		/* Random addresses would change the page tables and the faults of a workload. */
		personality(ADDR_NO_RANDOMIZE);
		z->record = record_new(&z->engine.host);
	}
	if (z->o.replay)
		status = play_file(z);
	else
		play_seeds(z);
	rest(z);
	player_close(&z->player);
	copy_drop(&z->cases);
	return status;
}

static int work(void *data, unsigned job)
{
	struct fuzzing *z = data;
	struct guard guard = { .alive = -1 };
	char why[512];
	int status;

	z->job = job;
	z->t = &jobs->of[job];
	if (engine_open(&z->engine, z->o.directory, 0, why, sizeof(why)) < 0)
		return trouble("fuzz: %s", why);
	/* A guest's processes end with it, and it has no other users, so it needs no guard. */
	if (!guest_is_here())
		guard_start(&guard, &z->engine, guard_folders());
	status = play_all(z);
	guard_end(&guard);
	engine_close(&z->engine);
	return status;
}

static int work_all(struct fuzzing *z)
{
	int status;

	if (z->nr_jobs > 1 && guest_is_here())
		return trouble(
			"fuzz: --jobs is not possible in a guest of rssck vm, because each program must run alone there");
	z->start = now_ms();
	ticker_open(&z->ticker);
	status = z->nr_jobs == 1 ? work(z, 0) : jobs_run(z->nr_jobs, work, show_progress, z);
	if (status != EXIT_HOLDS)
		return status;
	if (!z->o.replay)
		keep_place(z);
	return report(z);
}

/* A sink for a file is in memory, which children would not share, so all jobs share a file. */
static FILE *text_of_all(struct fuzzing *z)
{
	FILE *text;

	if (z->o.json)
		return stderr;
	if (z->nr_jobs == 1 || !z->o.output)
		return z->sink.out;
	text = fdopen(memfd_create("findings", MFD_CLOEXEC), "w+");
	if (!text)
		exit(trouble("fuzz: memfd_create(2): %m"));
	return text;
}

static void hand_over_text(struct fuzzing *z)
{
	int c;

	if (z->text == stderr || z->text == z->sink.out)
		return;
	rewind(z->text);
	while ((c = getc(z->text)) != EOF)
		putc(c, z->sink.out);
	fclose(z->text);
}

static int open_and_fuzz(struct fuzzing *z)
{
	char why[512];
	int status, failed = 0;

	if (sink_open(&z->sink, z->o.output, why, sizeof(why)))
		return trouble("fuzz: %s", why);
	z->text = text_of_all(z);
	status = work_all(z);
	hand_over_text(z);
	if (z->record)
		failed = json_write(record_finish(z->record), z->sink.out);
	if (sink_close(&z->sink, failed, why, sizeof(why)))
		status = trouble("fuzz: %s", why);
	return status;
}

static int cmd_fuzz(int argc, char **argv)
{
	struct fuzzing *z = calloc(1, sizeof(*z));
	int status = EXIT_TROUBLE, read;

	if (!z)
		memory_gone("rssck fuzz");
	jobs = jobs_new();
	/* Huge pages of rssck itself would change the machine's counts. */
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	limits_raise();
	keep_heap();
	read = fuzz_options_read(&command_fuzz, &z->o, argc, argv);
	z->nr_jobs = z->o.jobs ? z->o.jobs : 1;
	if (read >= 0)
		status = read ? open_and_fuzz(z) : EXIT_HOLDS;
	free(z->o.verbs);
	free(z);
	jobs_free(jobs);
	return status;
}

const struct command command_fuzz = {
	.name = "fuzz",
	.run = cmd_fuzz,
	.usage = "[OPTION]...",
	.help = "check the numbers after each step of random memory operations",
	.about =
		"Each seed gives a program, which is the same on every kernel. After each of its steps, "
		"every source of every process is read, and compared with all others and with a "
		"ledger of page states. A disagreement is a finding if several readings and "
		"another run show it. The program is then shrunk to the shortest one that still "
		"shows it. Without --seed, --seeds or --replay, the seeds depend on the clock, and "
		"the run takes --time seconds. It uses at most 6 processes and 256 MiB.",
	.rows = fuzz_rows,
	.exits = "0 no finding, 1 a finding, 2 rssck failed (usage or "
		 "internal error), 4 nothing could run",
};
