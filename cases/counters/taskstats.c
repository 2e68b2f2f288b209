// SPDX-License-Identifier: MIT
/* Compares the numbers of taskstats (netlink) with those of stat and status. */
#include <inttypes.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/taskstats.h>
#include <rssck/case.h>
#include <string.h>
#include <sys/socket.h>

enum { PAGES = 700, DROPPED = 300, MINFLT = 10, MAJFLT = 12, BUFFER = 8192 };
STEP_SYMBOLS(ASK);

struct message {
	struct nlmsghdr header;
	struct genlmsghdr family;
	char attributes[64];
};

/*
 * Sends a command with one attribute. Returns the length of the answer in bytes; -1 if a call fails
 * or the answer is an error.
 */
static ssize_t ask(int fd, uint16_t family, uint8_t command, uint16_t type, const void *value,
		   size_t length, char answer[BUFFER])
{
	struct message m = { .family = { .cmd = command, .version = 1 } };
	struct nlattr attribute = { .nla_type = type, .nla_len = (uint16_t)(NLA_HDRLEN + length) };
	ssize_t n;

	memcpy(m.attributes, &attribute, sizeof(attribute));
	memcpy(m.attributes + NLA_HDRLEN, value, length);
	m.header = (struct nlmsghdr) { .nlmsg_type = family,
				       .nlmsg_flags = NLM_F_REQUEST,
				       .nlmsg_len = (uint32_t)(NLMSG_HDRLEN + GENL_HDRLEN +
							       NLA_ALIGN(NLA_HDRLEN + length)) };
	if (send(fd, &m, m.header.nlmsg_len, 0) < 0)
		return -1;
	n = recv(fd, answer, BUFFER, 0);
	return n >= (ssize_t)sizeof(struct nlmsghdr) &&
			       ((struct nlmsghdr *)(void *)answer)->nlmsg_type != NLMSG_ERROR
		       ? n
		       : -1;
}

static const char *find(const char *at, const char *end, uint16_t type)
{
	while (end - at >= NLA_HDRLEN) {
		struct nlattr a;

		memcpy(&a, at, sizeof(a));
		if ((a.nla_type & NLA_TYPE_MASK) == type)
			return at + NLA_HDRLEN;
		if (a.nla_len < NLA_HDRLEN)
			return NULL;
		at += NLA_ALIGN(a.nla_len);
	}
	return NULL;
}

static bool read_taskstats(struct taskstats *t)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	char answer[BUFFER], *first = answer + NLMSG_HDRLEN + GENL_HDRLEN;
	const char *found = NULL;
	uint32_t pid = (uint32_t)getpid();
	uint16_t family;
	ssize_t n;

	n = ask(fd, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, CTRL_ATTR_FAMILY_NAME, TASKSTATS_GENL_NAME,
		sizeof(TASKSTATS_GENL_NAME), answer);
	if (n > 0)
		found = find(first, answer + n, CTRL_ATTR_FAMILY_ID);
	if (found) {
		memcpy(&family, found, sizeof(family));
		n = ask(fd, family, TASKSTATS_CMD_GET, TASKSTATS_CMD_ATTR_PID, &pid, sizeof(pid),
			answer);
		found = n > 0 ? find(first, answer + n, TASKSTATS_TYPE_AGGR_PID) : NULL;
	}
	if (found)
		found = find(found, answer + n, TASKSTATS_TYPE_STATS);
	if (found)
		memcpy(t, found, sizeof(*t));
	close(fd);
	return found;
}

enum { PEAK_RSS, PEAK_SIZE, MINOR, MAJOR, NUMBERS };

static const char *const names[NUMBERS] = {
	[PEAK_RSS] = "hiwater_rss",
	[PEAK_SIZE] = "hiwater_vm",
	[MINOR] = "ac_minflt",
	[MAJOR] = "ac_majflt",
};

static void read_proc(struct workload *w, int64_t now[NUMBERS])
{
	now[PEAK_RSS] = workload_status_pages(w, "VmHWM");
	now[PEAK_SIZE] = workload_status_pages(w, "VmPeak");
	now[MINOR] = workload_stat(w, "self", MINFLT);
	now[MAJOR] = workload_stat(w, "self", MAJFLT);
}

/* Reads stat and status before and after taskstats, because reading may raise the numbers. */
static void ask_all(struct workload *w)
{
	int64_t before[NUMBERS], after[NUMBERS], page = (int64_t)w->page_size / 1024;
	char *p = workload_written(w, PAGES);
	struct taskstats t = { 0 };

	workload_advise(w, p, DROPPED * w->page_size, MADV_DONTNEED);
	read_proc(w, before);
	if (!read_taskstats(&t))
		workload_skip(w, "taskstats (CONFIG_TASKSTATS, CAP_NET_ADMIN)");
	read_proc(w, after);
	const int64_t of[NUMBERS] = { (int64_t)t.hiwater_rss / page, (int64_t)t.hiwater_vm / page,
				      (int64_t)t.ac_minflt, (int64_t)t.ac_majflt };

	for (int i = 0; i < NUMBERS; i++)
		if (of[i] < before[i] || of[i] > after[i])
			workload_fail(w,
				      "%s of taskstats is %" PRId64
				      ", but stat and status said %" PRId64 " to %" PRId64,
				      names[i], of[i], before[i], after[i]);
	workload_checked(w);
	workload_unmap(w, p, PAGES * w->page_size);
}

CASE(counters_taskstats) {
	.claim =
		"taskstats gives the same peaks and faults of a process as /proc: hiwater_rss is VmHWM, hiwater_vm is VmPeak, ac_minflt and ac_majflt are minflt and majflt of stat",
	.because = "xacct_add_tsk() and bacct_add_tsk() in kernel/tsacct.c read the same fields of "
		   "the task and its mm.",
	.said_by = SAID_BY("Documentation/accounting/taskstats-struct.rst"),
	.needs = NEEDS("root"),
	.steps = STEPS(STEP_AS(ASK, "write, drop, read taskstats", ask_all, .checks = 1)),
};
