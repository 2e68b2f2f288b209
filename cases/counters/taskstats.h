// SPDX-License-Identifier: MIT
/* Reads the numbers of tasks and processes by taskstats (netlink). */
#ifndef CASES_COUNTERS_TASKSTATS_H
#define CASES_COUNTERS_TASKSTATS_H

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/taskstats.h>
#include <rssck/case.h>
#include <sys/socket.h>

enum { BUFFER = 8192 };

struct message {
	struct nlmsghdr header;
	struct genlmsghdr family;
	char attributes[64];
};

/* Sends a command with one attribute. Returns false if this fails. */
static bool tell(int fd, uint16_t family, uint8_t command, uint16_t type, const void *value,
		 size_t length)
{
	struct message m = { .family = { .cmd = command, .version = 1 } };
	struct nlattr attribute = { .nla_type = type, .nla_len = (uint16_t)(NLA_HDRLEN + length) };

	memcpy(m.attributes, &attribute, sizeof(attribute));
	memcpy(m.attributes + NLA_HDRLEN, value, length);
	m.header = (struct nlmsghdr) { .nlmsg_type = family,
				       .nlmsg_flags = NLM_F_REQUEST,
				       .nlmsg_len = (uint32_t)(NLMSG_HDRLEN + GENL_HDRLEN +
							       NLA_ALIGN(NLA_HDRLEN + length)) };
	return send(fd, &m, m.header.nlmsg_len, 0) >= 0;
}

/* Sends a command. Returns the length of the answer in bytes; -1 if it is an error, or none. */
static ssize_t ask(int fd, uint16_t family, uint8_t command, uint16_t type, const void *value,
		   size_t length, char answer[BUFFER])
{
	ssize_t n;

	if (!tell(fd, family, command, type, value, length))
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

/* Opens a socket, and finds the number of the family of taskstats. Returns -1 on failure. */
static inline int open_taskstats(uint16_t *family)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	char answer[BUFFER];
	const char *found = NULL;
	ssize_t n = ask(fd, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, CTRL_ATTR_FAMILY_NAME,
			TASKSTATS_GENL_NAME, sizeof(TASKSTATS_GENL_NAME), answer);

	if (n > 0)
		found = find(answer + NLMSG_HDRLEN + GENL_HDRLEN, answer + n, CTRL_ATTR_FAMILY_ID);
	if (found) {
		memcpy(family, found, sizeof(*family));
		return fd;
	}
	close(fd);
	return -1;
}

/*
 * Copies the struct of TASKSTATS_TYPE_AGGR_PID or TASKSTATS_TYPE_AGGR_TGID from a message. A kernel
 * with another version of the struct may have fewer members. Returns false if there is none.
 */
static inline bool copy_taskstats(const char *answer, ssize_t n, uint16_t aggregate,
				  struct taskstats *t)
{
	const char *found = NULL, *end = answer + n;
	struct nlattr a;
	size_t length;

	if (n > 0)
		found = find(answer + NLMSG_HDRLEN + GENL_HDRLEN, end, aggregate);
	if (found)
		found = find(found, end, TASKSTATS_TYPE_STATS);
	if (!found)
		return false;
	memcpy(&a, found - NLA_HDRLEN, sizeof(a));
	length = (size_t)(a.nla_len - NLA_HDRLEN);
	*t = (struct taskstats) { 0 };
	memcpy(t, found, length < sizeof(*t) ? length : sizeof(*t));
	return true;
}

/* Reads the numbers of a task (TASKSTATS_CMD_ATTR_PID) or of a process (TASKSTATS_CMD_ATTR_TGID).
 */
static inline bool read_taskstats_of(uint16_t type, uint32_t pid, struct taskstats *t)
{
	char answer[BUFFER];
	uint16_t family, aggregate = type == TASKSTATS_CMD_ATTR_PID ? TASKSTATS_TYPE_AGGR_PID
								    : TASKSTATS_TYPE_AGGR_TGID;
	int fd = open_taskstats(&family);
	ssize_t n;

	if (fd < 0)
		return false;
	n = ask(fd, family, TASKSTATS_CMD_GET, type, &pid, sizeof(pid), answer);
	close(fd);
	return copy_taskstats(answer, n, aggregate, t);
}

static inline bool read_taskstats(struct taskstats *t)
{
	return read_taskstats_of(TASKSTATS_CMD_ATTR_PID, (uint32_t)getpid(), t);
}

/* ---- delays ---- */

#define DELAYS "/proc/sys/kernel/task_delayacct"

static int64_t delays_were;

static inline void restore_delays(void)
{
	if (delays_were >= 0)
		workload_try_to_set_number(DELAYS, delays_were);
}

/*
 * Like workload_in_child_that_says(), while the kernel counts delays: only a process that is made
 * meanwhile has them.
 */
static inline int in_child_with_delays(struct workload *w, int (*fn)(const struct workload *w),
				       char *text, size_t size)
{
	struct workload_guard g;
	int result;

	delays_were = workload_number(DELAYS, NULL, -1);
	g = workload_guard_begin(w, restore_delays);
	if (delays_were == 0)
		workload_try_to_set_number(DELAYS, 1);
	result = workload_in_child_that_says(w, fn, text, size);
	workload_guard_end(w, &g);
	return result;
}

#endif
