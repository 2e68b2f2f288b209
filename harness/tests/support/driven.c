// SPDX-License-Identifier: MIT
/* Real workloads that go wrong, driven by the engine under test. */
#include "driven.h"
#include "engine/workload/paths.h"
#include "tests/workload/misbehaving.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

const char *const driven_steps[DRIVEN_STEPS] = { "map", "write", "fork", "child", "unmap" };

const struct testcase driven_case = {
	.claim = "A workload that goes wrong is noticed, named and gone",
	.processes = MISBEHAVING_CHILD,
	.steps = MISBEHAVING_STEPS(NULL, NULL, NULL, NULL, NULL),
};

const struct case_registration driven_registration = { &driven_case,
						       "harness/tests/workload/misbehaving.c" };

static struct engine engine;

static void use_misbehaving_workload(struct engine *e)
{
	char *end;

	assert_true(readlink("/proc/self/exe", e->workload, sizeof(e->workload) - 64) > 0);
	end = strrchr(e->workload, '/');
	strcpy(end, "/rssck-workload-test");
	if (access(e->workload, X_OK))
		fail_msg("%s is not there: run make test", e->workload);
}

int driven_setup(void **state)
{
	char why[400];

	adopt_orphans(state);
	setrlimit(RLIMIT_CORE, &(struct rlimit) { 0, 0 });
	engine = (struct engine) { .log = -1, .limit_s = DRIVEN_LIMIT_S, .alone = true };
	if (host_probe(&engine.host, why, sizeof(why)) ||
	    paths_find_directory(&engine, NULL, why, sizeof(why)))
		fail_msg("%s", why);
	use_misbehaving_workload(&engine);
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++)
		engine.models.of[*id].kind = MODEL_EXACT;
	*state = &engine;
	return 0;
}

int driven_setup_calibrated(void **state)
{
	static struct engine calibrated;
	char why[400];

	if (engine_open(&calibrated, NULL, DRIVEN_LIMIT_S, why, sizeof(why)))
		fail_msg("%s", why);
	driven_setup(state);
	((struct engine *)*state)->models = calibrated.models;
	engine_close(&calibrated);
	return 0;
}

int driven_teardown(void **state)
{
	host_close(&((struct engine *)*state)->host);
	driven_misbehave(NULL, NULL);
	return 0;
}

int driven_pipe(int *heard_from)
{
	char number[16];
	int ends[2], tell_to;

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	*heard_from = ends[0];
	/* This descriptor is not one of the channels. */
	tell_to = fcntl(ends[1], F_DUPFD, 200);
	assert_true(tell_to >= 200);
	close(ends[1]);
	snprintf(number, sizeof(number), "%d", tell_to);
	setenv(MISBEHAVE_TELL, number, 1);
	return tell_to;
}

void driven_pipe_close(int tell_to, int heard_from)
{
	unsetenv(MISBEHAVE_TELL);
	close(tell_to);
	close(heard_from);
}

void driven_misbehave(const char *step, const char *how)
{
	char what[64];

	snprintf(what, sizeof(what), "%s:%s", step ? step : "", how ? how : "");
	setenv(MISBEHAVE_HOW, what, 1);
}

struct trial driven_trial(const struct engine *e)
{
	struct trial t;

	trial_run(&t, e, &driven_registration, e->host.cpu_list, 1);
	return t;
}

unsigned open_descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	unsigned n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}
