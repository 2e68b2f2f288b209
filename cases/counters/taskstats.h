// SPDX-License-Identifier: MIT
/* Reads the numbers of this process by taskstats (netlink). */
#ifndef CASES_COUNTERS_TASKSTATS_H
#define CASES_COUNTERS_TASKSTATS_H

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/taskstats.h>
#include <rssck/case.h>
#include <string.h>
#include <sys/socket.h>

enum { BUFFER = 8192 };

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

static inline bool read_taskstats(struct taskstats *t)
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
	/* A kernel with another version of the struct may have fewer members. */
	if (found) {
		struct nlattr a;

		memcpy(&a, found - NLA_HDRLEN, sizeof(a));
		*t = (struct taskstats) { 0 };
		memcpy(t, found,
		       a.nla_len - NLA_HDRLEN < (int)sizeof(*t) ? (size_t)(a.nla_len - NLA_HDRLEN)
								: sizeof(*t));
	}
	close(fd);
	return found;
}

#endif
