// SPDX-License-Identifier: MIT
/* Runs jobs as child processes, with counters in shared memory. */
#include "jobs.h"
#include "base/cpus.h"
#include "base/memory.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOOK_US = 50000 };

struct jobs *jobs_new(void)
{
	struct jobs *j = mmap(NULL, sizeof(*j), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			      -1, 0);

	if (j == MAP_FAILED)
		memory_gone("the counts of the jobs");
	return j;
}

void jobs_free(struct jobs *j)
{
	munmap(j, sizeof(*j));
}

void jobs_sum(const struct jobs *j, unsigned nr, struct totals *sum)
{
	memset(sum, 0, sizeof(*sum));
	for (unsigned i = 0; i < nr; i++) {
		const struct totals *t = &j->of[i];

		sum->programs += t->programs;
		sum->findings += t->findings;
		sum->unconfirmed += t->unconfirmed;
		sum->troubles += t->troubles;
		sum->steps += t->steps;
		sum->numbers += t->numbers;
		if (t->next && (!sum->next || t->next < sum->next))
			sum->next = t->next;
		for (int k = 0; k < BUG_COUNT; k++)
			sum->known[k] += t->known[k];
		reached_add(&sum->reached, &t->reached);
	}
}

/* Takes every Nth of the CPUs that rssck may use; one CPU if there are fewer CPUs than jobs. */
static void take_share(unsigned job, unsigned nr)
{
	static int list[HOST_CPUS_MAX];
	struct cpu_mask ours, share = { 0 };
	unsigned cpus;

	if (cpus_now(&ours) < 0)
		return;
	cpus = cpus_list(&ours, list);
	for (unsigned i = job % cpus; i < cpus; i += nr)
		cpus_add(&share, list[i]);
	cpus_keep_to(&share);
}

static pid_t start(unsigned job, unsigned nr, int (*work)(void *data, unsigned job), void *data)
{
	pid_t parent = getpid(), pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(EXIT_TROUBLE);
	take_share(job, nr);
	_exit(work(data, job));
}

static int status_of(int status)
{
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	return trouble("a job was killed by signal %d (%s)", WTERMSIG(status),
		       strsignal(WTERMSIG(status)));
}

int jobs_run(unsigned nr, int (*work)(void *data, unsigned job), void (*waiting)(void *data),
	     void *data)
{
	int worst = EXIT_HOLDS, status;
	unsigned started = 0, ended = 0;

	/* Flushes buffered text; otherwise each child would write it again. */
	fflush(NULL);
	for (; started < nr; started++)
		if (start(started, nr, work, data) < 0) {
			worst = trouble("cannot start a job: %s; try fewer --jobs",
					strerror(errno));
			break;
		}
	while (ended < started) {
		pid_t pid = waitpid(-1, &status, WNOHANG);

		if (pid > 0) {
			ended++;
			worst = worst == EXIT_HOLDS ? status_of(status) : worst;
			continue;
		}
		waiting(data);
		usleep(LOOK_US);
	}
	return worst;
}
