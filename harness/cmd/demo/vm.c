// SPDX-License-Identifier: MIT
/* rssck demo --kernel: the same in a virtual machine. */
#include "cmd/line/command.h"
#include "demo.h"
#include "report/journal.h"
#include "runs/release.h"
#include "vm/host/diagnose.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The shortest case, where only the calibration's staircase is wanted. */
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

static int deliver(const struct demo_options *o, const struct vm_outcome *out, char *why,
		   size_t size)
{
	int status = WIFEXITED(out->status) ? WEXITSTATUS(out->status) : EXIT_TROUBLE;

	diagnose_complaints(out, why, size);
	if (why[0])
		fprintf(stderr, "rssck demo: %s: its kernel complained:\n%s", o->vm.kernel, why);
	if (!WIFEXITED(out->status))
		return trouble("%s: the demo was killed by signal %d (%s) in the guest",
			       o->vm.kernel, WTERMSIG(out->status),
			       strsignal(WTERMSIG(out->status)));
	return o->plot && status != EXIT_TROUBLE ? plot_result(o, out) : status;
}

static int boot(struct demo_options *o, char *why, size_t size)
{
	struct vm_outcome out;
	int status = vm_run(&o->vm, &out, why, size) ? trouble("demo: %s", why)
						     : deliver(o, &out, why, size);

	if (out.end == VM_SIGNAL) {
		signal(out.signal, SIG_DFL);
		raise(out.signal);
	}
	vm_outcome_free(&out);
	return status;
}

int demo_vm(struct demo_options *o, const char *id)
{
	const char *show[] = { "demo", "--no-wait", o->colour ? "--color=always" : "--color=never",
			       id };
	const char *record[] = { "check", "--quiet", "--journal=" VM_GUEST_JOURNAL,
				 id ? id : any_case };
	char *why = calloc(1, VM_WHY_SIZE);
	int status;

	if (!why)
		return trouble("out of memory");
	o->vm.arguments = o->plot ? record : show;
	o->vm.nr_arguments = 4;
	o->vm.text = o->plot ? NULL : stdout;
	o->vm.colour = o->colour;
	status = boot(o, why, VM_WHY_SIZE);
	free(why);
	return status;
}
