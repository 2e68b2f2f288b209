// SPDX-License-Identifier: MIT
/* Makes a report and an exit status from the machine's output. */
#include "base/output.h"
#include "cmd/check/check.h"
#include "command.h"
#include "report/journal.h"
#include "vm/host/diagnose.h"
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* The results in the journal of the guest's check. */
struct found {
	bool there; /* the journal's first line could be read, so `results` names the kernel */
	struct results results;
	struct journal_state state;
};

static void found_read(struct found *f, const struct vm_command *c, const struct vm_outcome *out)
{
	char why[512];

	*f = (struct found) { .there = false };
	f->there = out->journal && !journal_read(&f->results, &f->state, c->vm.kernel, out->journal,
						 out->journal_length, why, sizeof(why));
	if (out->journal && !f->there)
		trouble("vm: %s", why);
}

static int write_formatted(const struct vm_command *c, const struct results *r, FILE *to)
{
	switch (c->format) {
	case FORMAT_KTAP:
		return report_ktap(r, to);
	case FORMAT_JUNIT:
		return report_junit(r, to);
	case FORMAT_JSON:
		return report_json(r, to);
	default:
		/* The guest's own text has been printed already. */
		return r->ended[0] ? report_ended(r, to, c->vm.colour) : 0;
	}
}

static int write_report(const struct vm_command *c, const struct results *r)
{
	char *text = NULL, why[512] = "out of memory";
	size_t length = 0;
	FILE *to;
	int failed;

	if (c->format == FORMAT_TEXT)
		return write_formatted(c, r, c->vm.text) ? trouble("vm: stdout: %m") : 0;
	to = open_memstream(&text, &length);
	failed = !to || write_formatted(c, r, to);
	if ((to && fclose(to)) || failed ||
	    output_write(c->output ? c->output : "-", text, length, why, sizeof(why)))
		failed = trouble("vm: %s", why);
	free(text);
	return failed;
}

/*
 * Writes in one line why the machine ended. Omits the kernel's name, because the results contain
 * it.
 */
static void reason_of(const struct vm_command *c, const struct vm_outcome *out, const char *failed,
		      char *reason, size_t size)
{
	size_t name = strlen(c->vm.kernel);

	if (failed) {
		if (!strncmp(failed, c->vm.kernel, name) && !strncmp(failed + name, ": ", 2))
			failed += name + 2;
		snprintf(reason, size, "%.*s", (int)strcspn(failed, "\n"), failed);
	} else if (WIFSIGNALED(out->status)) {
		snprintf(reason, size, "rssck was killed by signal %d (%s) in the guest",
			 WTERMSIG(out->status), strsignal(WTERMSIG(out->status)));
	} else {
		snprintf(reason, size, "rssck ended with status %d in the guest",
			 WEXITSTATUS(out->status));
	}
}

/* The machine, or check itself, ended early, so the report says that it is incomplete. */
static int deliver_early(const struct vm_command *c, const struct vm_outcome *out, struct found *f,
			 const char *failed)
{
	char reason[sizeof(f->results.ended)];

	reason_of(c, out, failed, reason, sizeof(reason));
	if (!failed)
		trouble("vm: %s: %s; give the guest more --memory, and report this if it happens again",
			c->vm.kernel, reason);
	if (!f->there)
		return EXIT_TROUBLE;
	results_end_early(&f->results, &f->state, reason);
	write_report(c, &f->results);
	return f->results.count[VERDICT_FAIL] ? EXIT_FAILS : EXIT_TROUBLE;
}

/* check has finished. Its exit status must agree with its journal. */
static int deliver_whole(const struct vm_command *c, const struct vm_outcome *out, struct found *f)
{
	int status = WEXITSTATUS(out->status), trouble_status;
	int expected = check_status(f->results.count, f->state.differing > 0, false);

	trouble_status = write_report(c, &f->results);
	if (trouble_status)
		return trouble_status;
	/* With EXIT_TROUBLE, check has printed the reason. */
	if (status == EXIT_TROUBLE || status == expected)
		return status;
	trouble("vm: %s: check ended with status %d, but its journal shows %d; report this",
		c->vm.kernel, status, expected);
	return expected == EXIT_FAILS ? EXIT_FAILS : EXIT_TROUBLE;
}

static void print_complaints(const struct vm_command *c, const struct vm_outcome *out)
{
	char *text = calloc(1, VM_WHY_SIZE);

	if (!text)
		return;
	diagnose_complaints(out, text, VM_WHY_SIZE);
	if (text[0])
		fprintf(stderr, "rssck vm: %s: its kernel complained:\n%s", c->vm.kernel, text);
	free(text);
}

/*
 * Delivers the report of rssck run or atlas, which the guest has sent as its journal or as part of
 * its text.
 */
static int deliver_run(const struct vm_command *c, const struct vm_outcome *out, const char *failed)
{
	char why[512];

	if (failed || !WIFEXITED(out->status)) {
		if (!failed)
			trouble("vm: %s: rssck %s was killed by signal %d in the guest",
				c->vm.kernel, vm_is_atlas(c) ? "atlas" : "run",
				WTERMSIG(out->status));
		return EXIT_TROUBLE;
	}
	if (out->journal && output_write(c->output ? c->output : "-", out->journal,
					 out->journal_length, why, sizeof(why)))
		return trouble("vm: %s", why);
	if (WEXITSTATUS(out->status) && !vm_is_atlas(c))
		fputs("rssck vm: if the command failed for lack of a program or file: the guest has only the "
		      "programs that --run names and their libraries; --with=PATH copies other "
		      "files that they need (scripts, modules)\n",
		      stderr);
	return WEXITSTATUS(out->status);
}

int vm_deliver(const struct vm_command *c, const struct vm_outcome *out, const char *failed)
{
	bool exited = !failed && WIFEXITED(out->status);
	struct found f;
	int status;

	if (failed)
		trouble("vm: %s", failed);
	else
		print_complaints(c, out);
	if (c->vm.run || vm_is_atlas(c))
		return deliver_run(c, out, failed);
	found_read(&f, c, out);
	if (exited && f.there && f.state.ended)
		status = deliver_whole(c, out, &f);
	else if (exited && !out->journal)
		/* No cases ran, or check did not start and has printed the reason. */
		status = WEXITSTATUS(out->status);
	else
		status = deliver_early(c, out, &f, failed);
	results_free(&f.results);
	return status;
}

bool vm_is_atlas(const struct vm_command *c)
{
	return c->inside && !strcmp(c->inside, "atlas");
}
