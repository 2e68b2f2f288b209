// SPDX-License-Identifier: MIT
/* Boots a kernel and reads the case's result. */
#include "bisect.h"
#include "report/report.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs rssck vm, which writes its results to `results`. Its messages about the boot are dropped. */
static void __attribute__((noreturn))
boot(const struct candidate *k, const struct bisect_options *o, int results, pid_t parent)
{
	char *argv[12] = { (char[]) { "rssck" }, (char[]) { "vm" }, (char[]) { "--format=json" },
			   (char[]) { "--kernel" }, (char *)k->image };
	int n = 5, nothing = open("/dev/null", O_RDWR);

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(127);
	if (o->cpus) {
		argv[n++] = (char *)"--cpus";
		argv[n++] = (char *)o->cpus;
	}
	if (o->memory) {
		argv[n++] = (char *)"--memory";
		argv[n++] = (char *)o->memory;
	}
	argv[n] = (char *)o->id;
	dup2(nothing, STDIN_FILENO);
	dup2(results, STDOUT_FILENO);
	dup2(nothing, STDERR_FILENO);
	execv("/proc/self/exe", argv);
	_exit(127);
}

static void keep_facts(struct candidate *k, const struct result *r)
{
	size_t length = (size_t)snprintf(k->result, sizeof(k->result), "%s",
					 verdict_name(r->verdict));

	for (size_t i = 0; i < r->nr_facts && length < sizeof(k->result); i++)
		length += (size_t)snprintf(k->result + length, sizeof(k->result) - length,
					   "%s%s = %s", i ? ", " : "; ", r->facts[i].name,
					   r->facts[i].value);
}

static void keep_result(struct candidate *k, const struct results *r)
{
	const struct result *one = r->nr == 1 ? &r->of[0] : NULL;

	if (one && (one->verdict == VERDICT_PASS || one->verdict == VERDICT_FAIL))
		keep_facts(k, one);
	else if (one)
		snprintf(k->result, sizeof(k->result), "?%s: %s", verdict_name(one->verdict),
			 one->reason);
	else
		snprintf(k->result, sizeof(k->result), "?%s",
			 r->ended[0] ? r->ended : "the run recorded no result, or several");
	k->result[strcspn(k->result, "\n")] = '\0';
}

void candidate_try(struct candidate *k, const struct bisect_options *o)
{
	int results = memfd_create("rssck-bisect", MFD_CLOEXEC), status = 0;
	char path[64], why[512];
	pid_t parent = getpid(), pid;
	struct results r;

	pid = results < 0 ? -1 : fork();
	if (!pid)
		boot(k, o, results, parent);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", results);
	if (pid < 0) {
		snprintf(k->result, sizeof(k->result), "?%s", strerror(errno));
	} else if (results_load(&r, path, why, sizeof(why))) {
		snprintf(k->result, sizeof(k->result),
			 "?there are no results; run rssck vm --kernel %.300s to see why",
			 k->image);
	} else {
		keep_result(k, &r);
		results_free(&r);
	}
	if (results >= 0)
		close(results);
}
