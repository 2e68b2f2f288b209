// SPDX-License-Identifier: MIT
/* rssck demo --kernel: runs the demo in a virtual machine. */
#include "base/output.h"
#include "cmd/line/command.h"
#include "demo.h"
#include "report/journal.h"
#include "runs/release.h"
#include "vm/host/diagnose.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* a short case, for runs that need only the calibration's staircase */
static const char any_case[] = "counters/fresh_process";

static int plot_result(const struct demo_options *o, const struct vm_outcome *out)
{
	char why[512], kernel[128] = "Linux ";
	struct journal_state state;
	struct results r;
	int status;

	if (!out->journal)
		return trouble("%s: the guest has sent no results", o->vm.kernel);
	if (journal_read(&r, &state, o->vm.kernel, out->journal, out->journal_length, why,
			 sizeof(why)))
		return trouble("%s", why);
	release_short(r.kernel_release, kernel + strlen(kernel), sizeof(kernel) - strlen(kernel));
	status = demo_plot(o, &r, kernel);
	results_free(&r);
	return status;
}

static bool sends_record(const struct demo_options *o)
{
	return o->json || o->page || o->quiz;
}

static int keep_record(const struct demo_options *o, const struct case_registration *c,
		       const struct vm_outcome *out)
{
	char why[512];

	if (!out->journal_length)
		return trouble("%s: the guest has sent no record", o->vm.kernel);
	if (o->page || o->quiz) {
		json_error_t error;
		json_t *record = json_loadb(out->journal, out->journal_length, 0, &error);
		int status = !record   ? trouble("%s: %s", o->vm.kernel, error.text)
			     : o->page ? demo_page(o, record, c)
				       : demo_quiz(o, NULL, record);

		json_decref(record);
		return status;
	}
	if (output_write(o->output ? o->output : "-", out->journal, out->journal_length, why,
			 sizeof(why)))
		return trouble("%s", why);
	return EXIT_HOLDS;
}

static int deliver(const struct demo_options *o, const struct case_registration *c,
		   const struct vm_outcome *out, char *why, size_t size)
{
	int status = WIFEXITED(out->status) ? WEXITSTATUS(out->status) : EXIT_TROUBLE;

	diagnose_complaints(out, why, size);
	if (why[0])
		fprintf(stderr, "rssck demo: %s: its kernel complained:\n%s", o->vm.kernel, why);
	if (!WIFEXITED(out->status))
		return trouble("%s: the demo was killed by signal %d (%s) in the guest",
			       o->vm.kernel, WTERMSIG(out->status),
			       strsignal(WTERMSIG(out->status)));
	if (status == EXIT_TROUBLE)
		return status;
	return o->plot ? plot_result(o, out) : sends_record(o) ? keep_record(o, c, out) : status;
}

static int boot(struct demo_options *o, const struct case_registration *c, char *why, size_t size)
{
	struct vm_outcome out;
	int status = vm_run(&o->vm, &out, why, size) ? trouble("demo: %s", why)
						     : deliver(o, c, &out, why, size);

	if (out.end == VM_SIGNAL) {
		signal(out.signal, SIG_DFL);
		raise(out.signal);
	}
	vm_outcome_free(&out);
	return status;
}

int demo_vm(struct demo_options *o, const struct case_registration *c, const char *const *words,
	    size_t nr)
{
	const char **arguments = calloc(nr + 5, sizeof(*arguments));
	char *why = calloc(1, VM_WHY_SIZE);
	const char *show[] = { "demo", "--no-wait",
			       o->colour ? "--color=always" : "--color=never" };
	const char *record[] = { "check", "--quiet", ("--journal=" VM_GUEST_JOURNAL) };
	const char *json[] = { "demo", "--format=json", ("--output=" VM_GUEST_JOURNAL) };
	int status;

	if (!why || !arguments) {
		free(arguments);
		free(why);
		return trouble("out of memory");
	}
	memcpy(arguments, o->plot ? record : sends_record(o) ? json : show, sizeof(show));
	memcpy(arguments + 3, words, nr * sizeof(*arguments));
	if (!nr)
		arguments[3 + nr++] = any_case;
	o->vm.arguments = arguments;
	if (o->quiz)
		fprintf(stderr, "rssck demo: running the lessons in the virtual machine first\n");
	o->vm.nr_arguments = (int)nr + 3;
	o->vm.text = o->plot || sends_record(o) ? NULL : stdout;
	o->vm.colour = o->colour;
	status = boot(o, c, why, VM_WHY_SIZE);
	free(why);
	free(arguments);
	return status;
}
