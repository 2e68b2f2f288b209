// SPDX-License-Identifier: MIT
/*
 * Limits of the kernel objects that a user's processes have, such as queued signals and watches,
 * let exactly N be taken, and all come back when they are given back or the process ends.
 */
#include "user.h"
#include <linux/keyctl.h>
#include <mqueue.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

enum { N = 8, MOST = 2 * N, MESSAGE = 4096, QUEUE_MOST = 1 << 20, PATIENCE_S = 5 };

#define KEYS      "/proc/sys/kernel/keys/maxkeys"
#define INSTANCES "/proc/sys/fs/inotify/max_user_instances"
#define WATCHES   "/proc/sys/fs/inotify/max_user_watches"
#define GROUPS    "/proc/sys/fs/fanotify/max_user_groups"
#define EPOLL     "/proc/sys/fs/epoll/max_user_watches"

static const char *const settings[] = { KEYS, INSTANCES, WATCHES, GROUPS, EPOLL, NULL };

/* The process of each row has its own copy. */
static int of[MOST], ends[MOST], source;
static timer_t timer_of[MOST];
static int64_t keys_before;

static bool give_fd(int i)
{
	return !close(of[i]);
}

/* ---- signals and timers ---- */

static int64_t pending(void)
{
	return workload_number("/proc/self/status", "SigQ", -1);
}

static bool signals(int64_t n)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return user_limit(RLIMIT_SIGPENDING, n) && user_become();
}

static bool take_signal(int i)
{
	return !sigqueue(getpid(), SIGRTMIN, (union sigval) { .sival_int = i });
}

static bool give_signal(int i)
{
	sigset_t set;

	(void)i;
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	return sigtimedwait(&set, NULL, &(struct timespec) { 0 }) == SIGRTMIN;
}

static bool take_timer(int i)
{
	struct sigevent none = { .sigev_notify = SIGEV_NONE };

	return !timer_create(CLOCK_MONOTONIC, &none, &timer_of[i]);
}

static bool give_timer(int i)
{
	return !timer_delete(timer_of[i]);
}

static bool timer_fails(int i)
{
	struct sigevent bad = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN };

	return timer_create(CLOCK_MONOTONIC, &bad, &timer_of[i]) < 0 && errno == EINVAL;
}

/* ---- queues of messages, in an IPC namespace of its own ---- */

/* The file alone keeps the queue. */
static bool take_queue(int i)
{
	struct mq_attr attr = { .mq_maxmsg = 1, .mq_msgsize = MESSAGE };

	of[i] = (int)syscall(SYS_mq_open, "queue", O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600,
			     &attr);
	return of[i] >= 0 && !syscall(SYS_mq_unlink, "queue");
}

/* Returns the smallest limit that has room for a queue. */
static int64_t bytes_of_queue(void)
{
	int64_t low = 1, high = QUEUE_MOST;

	while (low < high) {
		int64_t middle = (low + high) / 2;

		if (user_limit(RLIMIT_MSGQUEUE, middle) && take_queue(0)) {
			give_fd(0);
			high = middle;
		} else {
			low = middle + 1;
		}
	}
	return low;
}

static bool queues(int64_t n)
{
	if (unshare(CLONE_NEWIPC) || !user_limit(RLIMIT_MSGQUEUE, ROOM_INFINITE) || !user_become())
		return false;
	if (!take_queue(0))
		return false;
	give_fd(0);
	return user_limit(RLIMIT_MSGQUEUE, n > 0 ? n * bytes_of_queue() : n);
}

static bool messages(int64_t n)
{
	struct msqid_ds queue;

	if (unshare(CLONE_NEWIPC))
		return false;
	source = msgget(IPC_PRIVATE, 0600);
	if (source < 0 || msgctl(source, IPC_STAT, &queue))
		return false;
	queue.msg_qbytes = (msglen_t)n * MESSAGE;
	return !msgctl(source, IPC_SET, &queue);
}

static struct {
	long type;
	char text[MESSAGE];
} message = { .type = 1 };

static bool take_message(int i)
{
	(void)i;
	return !msgsnd(source, &message, MESSAGE, IPC_NOWAIT);
}

static bool give_message(int i)
{
	(void)i;
	return msgrcv(source, &message, MESSAGE, 0, IPC_NOWAIT) == MESSAGE;
}

static bool message_fails(int i)
{
	(void)i;
	return msgsnd(source, NULL, MESSAGE, IPC_NOWAIT) < 0 && errno == EFAULT;
}

static int64_t messages_there(void)
{
	struct msqid_ds queue;

	return msgctl(source, IPC_STAT, &queue) ? -1 : (int64_t)queue.msg_qnum;
}

static bool message_queues(int64_t n)
{
	return !unshare(CLONE_NEWIPC) && workload_try_to_set_number("/proc/sys/kernel/msgmni", n);
}

static bool take_message_queue(int i)
{
	of[i] = msgget(IPC_PRIVATE, 0600);
	return of[i] >= 0;
}

static bool give_message_queue(int i)
{
	return !msgctl(of[i], IPC_RMID, NULL);
}

static int64_t message_queues_there(void)
{
	struct msginfo info;

	return msgctl(0, MSG_INFO, (struct msqid_ds *)&info) < 0 ? -1 : info.msgpool;
}

/* ---- processes; this one counts, too ---- */

static bool processes(int64_t n)
{
	return user_limit(RLIMIT_NPROC, n == ROOM_INFINITE ? n : n + 1) && user_become();
}

static bool take_process(int i)
{
	of[i] = fork();
	if (of[i])
		return of[i] > 0;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		pause();
}

static bool give_process(int i)
{
	return !kill(of[i], SIGKILL) && waitpid(of[i], NULL, 0) == of[i];
}

/* ---- keys of a user ---- */

/* A line of /proc/key-users: "UID: USAGE NKEYS/NIKEYS QNKEYS/MAXKEYS ..." */
static int64_t keys_of_user(void)
{
	char *text = workload_buffer, start[32];
	long long keys;

	snprintf(start, sizeof(start), "%u:", getuid());
	if (workload_read_text("/proc/key-users", text, WORKLOAD_BUFFER) < 0)
		return -1;
	text = strstr(text, start);
	return text && sscanf(text, "%*u: %*d %*d/%*d %lld/", &keys) == 1 ? keys - keys_before : -1;
}

/* Root's right is needed once more, when the user's own keyring has been counted. */
static bool keys(int64_t n)
{
	keys_before = 0;
	if (setresuid(user_id(), user_id(), 0) ||
	    syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL) < 0)
		return false;
	keys_before = keys_of_user();
	return keys_before >= 0 && !seteuid(0) &&
	       workload_try_to_set_number(KEYS, n + keys_before) && user_become();
}

static bool take_key(int i)
{
	char name[32];

	snprintf(name, sizeof(name), "rssck%d", i);
	of[i] = (int)syscall(SYS_add_key, "user", name, name, sizeof(name),
			     KEY_SPEC_SESSION_KEYRING);
	return of[i] >= 0;
}

/* The keyring lets go of the key after an RCU grace period. */
static bool give_key(int i)
{
	struct patience p = { .seconds = PATIENCE_S };
	int64_t before = keys_of_user();

	if (syscall(SYS_keyctl, KEYCTL_UNLINK, of[i], KEY_SPEC_SESSION_KEYRING))
		return false;
	while (keys_of_user() >= before && workload_pause(&p))
		workload_await_frees();
	return true;
}

/* ---- watches ---- */

static bool instances(int64_t n)
{
	return workload_try_to_set_number(INSTANCES, n) && user_become();
}

static bool take_instance(int i)
{
	of[i] = inotify_init1(IN_CLOEXEC);
	return of[i] >= 0;
}

static bool groups(int64_t n)
{
	return workload_try_to_set_number(GROUPS, n) && user_become();
}

static bool take_group(int i)
{
	of[i] = fanotify_init(FAN_CLASS_NOTIF | FAN_CLOEXEC | FAN_REPORT_FID, O_RDONLY);
	return of[i] >= 0;
}

static void open_files(void)
{
	for (int i = 0; i < MOST; i++)
		ends[i] = memfd_create("watched", MFD_CLOEXEC);
}

static bool watches(int64_t n)
{
	open_files();
	if (!workload_try_to_set_number(INSTANCES, MOST) ||
	    !workload_try_to_set_number(WATCHES, n) || !user_become())
		return false;
	source = inotify_init1(IN_CLOEXEC);
	return source >= 0;
}

static bool take_watch(int i)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[i]);
	of[i] = inotify_add_watch(source, path, IN_MODIFY);
	return of[i] >= 0;
}

static bool give_watch(int i)
{
	return !inotify_rm_watch(source, of[i]);
}

static bool epoll_watches(int64_t n)
{
	if (!workload_try_to_set_number(EPOLL, n) || !user_become())
		return false;
	for (int i = 0; i < MOST; i++)
		ends[i] = eventfd(0, EFD_CLOEXEC);
	source = epoll_create1(EPOLL_CLOEXEC);
	return source >= 0;
}

static bool take_epoll_watch(int i)
{
	struct epoll_event event = { .events = EPOLLIN };

	return !epoll_ctl(source, EPOLL_CTL_ADD, ends[i], &event);
}

static bool give_epoll_watch(int i)
{
	return !epoll_ctl(source, EPOLL_CTL_DEL, ends[i], NULL);
}

/* No epoll file watches itself. */
static bool epoll_fails(int i)
{
	struct epoll_event event = { .events = EPOLLIN };

	(void)i;
	return epoll_ctl(source, EPOLL_CTL_ADD, source, &event) < 0 && errno == EINVAL;
}

/* clang-format off */
static const struct room objects[] = {
	{ "RLIMIT_SIGPENDING, sigqueue(3)", signals, take_signal, give_signal, pending, NULL, EAGAIN, OPTIONAL,
	  .zero = EAGAIN, .infinite = true },
	{ "RLIMIT_SIGPENDING, timer_create(2)", signals, take_timer, give_timer, pending, NULL, EAGAIN, OPTIONAL, .fails = timer_fails,
	  .zero = EAGAIN, .infinite = true, .lasts = LASTS_TAKER },
	{ "RLIMIT_MSGQUEUE, mq_open(3)", queues, take_queue, give_fd, NULL, NULL, EMFILE, OPTIONAL,
	  .zero = EMFILE, .infinite = true, .lasts = LASTS_INHERITED },
	{ "RLIMIT_NPROC, fork(2)", processes, take_process, give_process, NULL, NULL, EAGAIN, OPTIONAL, .zero = EAGAIN, .infinite = true },
	{ "msg_qbytes, msgsnd(2)", messages, take_message, give_message, messages_there, NULL, EAGAIN, OPTIONAL, .fails = message_fails,
	  .zero = EAGAIN },
	{ "kernel.msgmni, msgget(2)", message_queues, take_message_queue, give_message_queue, message_queues_there, NULL, ENOSPC, OPTIONAL,
	  .zero = ENOSPC },
	{ "maxkeys, add_key(2)", keys, take_key, give_key, keys_of_user, NULL, EDQUOT, OPTIONAL, .zero = EDQUOT },
	{ "inotify/max_user_instances", instances, take_instance, give_fd, NULL, NULL, EMFILE, OPTIONAL,
	  .zero = EMFILE, .lasts = LASTS_INHERITED },
	{ "inotify/max_user_watches", watches, take_watch, give_watch, NULL, NULL, ENOSPC, OPTIONAL, .zero = ENOSPC },
	{ "fanotify/max_user_groups", groups, take_group, give_fd, NULL, NULL, EMFILE, OPTIONAL,
	  .zero = EMFILE, .lasts = LASTS_INHERITED },
	{ "epoll/max_user_watches", epoll_watches, take_epoll_watch, give_epoll_watch, NULL, NULL, ENOSPC, OPTIONAL, .fails = epoll_fails,
	  .zero = ENOSPC },
};
/* clang-format on */

static void each_row(struct workload *w)
{
	user_try_rooms(w, settings, objects, sizeof(objects) / sizeof(*objects), N);
}

CASE(virtual_user_objects_exact) {
	.claim =
		"The limits of a user's kernel objects (queued signals, timers, message queues, processes, keys, watches) allow exactly N and refuse one more; what is given back, or ends with its process, can be taken again",
	.because = "Each object adds to a sum of its user (struct ucounts, key_user) or IPC "
		   "namespace when it is made, and subtracts the same when it is released.",
	.said_by = SAID_BY("getrlimit(2)", "mq_overview(7)", "inotify(7)", "epoll(7)",
			   "keyrings(7)"),
	.needs = NEEDS("root", "guest"),
	.steps = STEPS(STEP("each of a user's limits", each_row, .checks = 1)),
};
