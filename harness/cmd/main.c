// SPDX-License-Identifier: MIT
/* main(): runs a command, or init in a virtual machine that rssck has started. */
#include "base/guest.h"
#include "base/process/inherited.h"
#include "commands.h"
#include "vm/guest/guest.h"
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

/* The arguments and the result of rssck_main(). */
struct program {
	int argc, status;
	char **argv;
};

static void *run(void *arg)
{
	struct program *p = arg;

	p->status = rssck_main(p->argc, p->argv);
	return NULL;
}

/* If RLIMIT_STACK is small, runs rssck_main() in a thread with a larger stack. */
static int run_with_stack(struct program *p)
{
	enum { ENOUGH = 2 << 20, OURS = 8 << 20 };
	struct rlimit l;
	pthread_attr_t attributes;
	pthread_t thread;

	if (getrlimit(RLIMIT_STACK, &l) == 0 && l.rlim_cur < ENOUGH &&
	    !pthread_attr_init(&attributes) && !pthread_attr_setstacksize(&attributes, OURS) &&
	    !pthread_create(&thread, &attributes, run, p))
		pthread_join(thread, NULL);
	else
		run(p);
	return p->status;
}

int main(int argc, char **argv)
{
	struct program p = { .argc = argc, .argv = argv };

	/*
	 * rssck may also be process 1 of a container, but only the initramfs of rssck vm contains
	 * the marker.
	 */
	if (getpid() == 1 && guest_is_here())
		guest_main();
	inherited_reset();
	return run_with_stack(&p);
}
