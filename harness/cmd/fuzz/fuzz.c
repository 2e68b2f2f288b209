// SPDX-License-Identifier: MIT
/* rssck fuzz: random programs, audited. */
#include "fuzz.h"
#include "base/clock.h"
#include "base/cpus.h"
#include "base/memory.h"
#include "base/print/words.h"
#include "base/process/limits.h"
#include "cmd/line/sink.h"
#include "cmd/line/ticker.h"
#include "engine/engine.h"
#include "fuzz/play.h"
#include "fuzz/record.h"
#include "fuzz/shrink.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <malloc.h>
#include <rssck/source.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum {
	REPEATS = 5,
	SHRINK_MS = 60000,
	TICK_MS = 500,
	KEEP_MS = 2000,
	TROUBLES_MAX = 20,
	EARLIER = 10
};

enum { HEAP_MOST = 32 << 20 };

static bool stop_asked;

struct fuzzing {
	struct fuzz_options o;
	struct engine engine;
	struct player player;
	struct ticker ticker;
	struct sink sink;
	FILE *text;            /* what is for people: stderr where the record goes to stdout */
	struct record *record; /* or NULL */
	int64_t start, shown, kept;
	uint64_t programs, findings, unconfirmed, troubles;
	uint64_t next; /* the first seed that was left out; 0: none was */
	char why[256]; /* of the last trouble */
};

static void on_signal(int sig)
{
	(void)sig;
	stop_asked = true;
}

static void show_progress(struct fuzzing *z, uint64_t seed)
{
	int64_t now = now_ms();

	if (now - z->start < 2000 || now - z->shown < TICK_MS)
		return;
	z->shown = now;
	ticker_show(&z->ticker,
		    "seed %" PRIu64 ": %" PRIu64 " programs, %" PRIu64 " steps, %" PRId64
		    " a second",
		    seed, z->programs, z->player.steps,
		    (int64_t)z->player.steps * 1000 / (now - z->start + 1));
}

/* "FOLDER/found.c" is the case fuzz/found. */
static void write_case(struct fuzzing *z, const struct program *program, const struct finding *f)
{
	const char *slash = strrchr(z->o.case_file, '/');
	char id[80], why[512], *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

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
 * The kernel checks an mm's counters when it drops it: that may be at the end of a workload
 * that has run other programs before, or a while later.
 */
static bool is_of_an_earlier(struct fuzzing *z, struct program *program, struct finding *f)
{
	uint64_t seed = program->seed;

	for (uint64_t back = 1; f->in_log && back <= EARLIER && seed > z->o.first + back - 1;
	     back++) {
		program_draw(program, seed - back, &z->o.recipe);
		if (finding_repeats(&z->player, program, 1, f))
			return true;
	}
	return false;
}

/* In a run of its own, and again: then it is a finding, and is shrunk. */
static void settle_finding(struct fuzzing *z, struct program *program, struct finding *f)
{
	FILE *out = z->text;
	uint64_t seed = program->seed;

	ticker_clear(&z->ticker);
	if (!finding_repeats(&z->player, program, REPEATS, f) &&
	    (z->o.replay || !is_of_an_earlier(z, program, f))) {
		if (!z->o.replay)
			program_draw(program, seed, &z->o.recipe);
		z->unconfirmed++;
		fprintf(out, "# seed %" PRIu64 ", seen once and not again in %d runs:\n", seed,
			REPEATS);
		finding_print(program, f, out);
		fputc('\n', out);
		return;
	}
	z->findings++;
	if (!z->o.replay)
		finding_shrink(&z->player, program, f, SHRINK_MS);
	fprintf(out, "# finding %" PRIu64 ", seed %" PRIu64 ", %u steps:\n", z->findings, seed,
		program->nr);
	finding_print(program, f, out);
	fputc('\n', out);
	fflush(out);
	if (z->o.case_file)
		write_case(z, program, f);
}

/* Returns false where it is no use to go on. */
static bool play(struct fuzzing *z, struct program *program)
{
	struct finding f;

	switch (z->record ? record_program(z->record, &z->player, program, &f)
			  : player_play(&z->player, program, z->o.replay != NULL, &f)) {
	case PLAYED:
		break;
	case PLAY_FOUND:
		settle_finding(z, program, &f);
		break;
	case PLAY_TROUBLE:
		snprintf(z->why, sizeof(z->why), "seed %" PRIu64 ": %.200s", program->seed,
			 z->player.why);
		fprintf(stderr, "rssck fuzz: %s\n", z->why);
		z->troubles++;
		break;
	}
	z->programs++;
	return z->troubles < TROUBLES_MAX && (!z->findings || z->o.keep_going);
}

/* While the run is not done the file is there, and holds the next seed. */
static void keep_place(struct fuzzing *z, uint64_t next)
{
	char text[32], why[512];
	int length = snprintf(text, sizeof(text), "%" PRIu64 "\n", next);

	if (!z->o.resume)
		return;
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

static void play_seeds(struct fuzzing *z)
{
	struct program program;
	uint64_t seed = z->o.first;

	for (; !stop_asked && !time_is_up(z); seed++) {
		program_draw(&program, seed, &z->o.recipe);
		if (z->o.one_seed)
			program_print(&program, z->text);
		show_progress(z, seed);
		if (now_ms() - z->kept >= KEEP_MS)
			keep_place(z, seed);
		if (!play(z, &program) || seed == z->o.last) {
			keep_place(z, seed == z->o.last ? 0 : seed + 1);
			return;
		}
	}
	z->next = seed;
	keep_place(z, seed);
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

static int tell(struct fuzzing *z)
{
	char steps[32], numbers[32];
	FILE *out = z->text;
	int64_t ms = now_ms() - z->start;

	ticker_close(&z->ticker);
	number_words((int64_t)z->player.steps, steps, sizeof(steps));
	number_words((int64_t)z->player.numbers, numbers, sizeof(numbers));
	fprintf(out,
		"%" PRIu64 " programs, %s steps audited in %" PRId64 ".%" PRId64
		" s, %s numbers compared: ",
		z->programs, steps, ms / 1000, ms / 100 % 10, numbers);
	if (z->findings)
		fprintf(out, "%" PRIu64 " finding%s\n", z->findings, z->findings == 1 ? "" : "s");
	else
		fputs("every one as it must be\n", out);
	if (!z->o.replay && z->player.steps)
		reached_print(&z->player.reached, out);
	if (z->next)
		fprintf(out, "to go on: --seeds=%" PRIu64 "-%" PRIu64 "\n", z->next, z->o.last);
	if (z->unconfirmed)
		fprintf(out, "%" PRIu64 " seen once and not again: no finding\n", z->unconfirmed);
	for (int k = 0; k < KNOWN_COUNT; k++) {
		char words[256];

		if (z->player.known[k] && known_bug(k))
			fprintf(out, "%s\n", bug_words(known_bug(k), words, sizeof(words)));
	}
	if (z->findings)
		return EXIT_FAILS;
	if (z->troubles)
		return EXIT_TROUBLE;
	return z->player.steps ? EXIT_HOLDS : EXIT_NOTHING;
}

/* Each look takes and gives back what the last one did: asking the kernel for it costs a tenth. */
static void keep_heap(void)
{
#ifdef M_TRIM_THRESHOLD
	mallopt(M_TRIM_THRESHOLD, INT_MAX);
	mallopt(M_MMAP_THRESHOLD, HEAP_MOST);
#endif
}

/* Beside its workload: each waits while the other runs, and no CPU has to be woken for that. */
static void stay_beside(const struct host *h)
{
	struct cpu_mask one = { 0 };

	cpus_add(&one, h->cpu_list[0]);
	cpus_keep_to(&one);
}

static int fuzz(struct fuzzing *z)
{
	struct finding last;
	int status = EXIT_HOLDS;

	if (!z->o.at_once)
		stay_beside(&z->engine.host);
	if (player_open(&z->player, &z->engine) < 0)
		return trouble("fuzz: %s", z->player.why);
	z->player.stop = &stop_asked;
	z->player.at_once = z->o.at_once;
	ticker_open(&z->ticker);
	z->start = now_ms();
	if (z->o.replay)
		status = play_file(z);
	else
		play_seeds(z);
	if (player_rest(&z->player, &last)) {
		z->unconfirmed++;
		fprintf(z->text, "# %s: %s\n", last.m.number, last.m.rule);
	}
	if (status == EXIT_HOLDS)
		status = tell(z);
	player_close(&z->player);
	return status;
}

static int open_and_fuzz(struct fuzzing *z)
{
	char why[512];
	int status, failed = 0;

	if (engine_open(&z->engine, z->o.directory, 0, why, sizeof(why)) < 0)
		return trouble("fuzz: %s", why);
	if (sink_open(&z->sink, z->o.output, why, sizeof(why))) {
		engine_close(&z->engine);
		return trouble("fuzz: %s", why);
	}
	z->text = z->o.json ? stderr : z->sink.out;
	if (z->o.json)
		z->record = record_new(&z->engine.host);
	status = fuzz(z);
	if (z->record)
		failed = json_write(record_finish(z->record), z->sink.out);
	if (sink_close(&z->sink, failed, why, sizeof(why)))
		status = trouble("fuzz: %s", why);
	engine_close(&z->engine);
	return status;
}

int cmd_fuzz(int argc, char **argv)
{
	struct fuzzing *z = calloc(1, sizeof(*z));
	int status = EXIT_TROUBLE, read;

	if (!z)
		memory_gone("rssck fuzz");
	/* Ours would be among the huge pages of the machine. */
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	limits_raise();
	keep_heap();
	read = fuzz_options_read(&z->o, argc, argv);
	if (read >= 0)
		status = read ? open_and_fuzz(z) : EXIT_HOLDS;
	free(z->o.verbs);
	free(z);
	return status;
}
