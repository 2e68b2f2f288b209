// SPDX-License-Identifier: MIT
#include "closer.h"
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static int to_closer = -1;

/* A message of one byte. It can also carry a descriptor. */
struct message {
	struct msghdr header;
	struct iovec content;
	char byte;
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
};

static struct msghdr *message_begin(struct message *m)
{
	memset(m, 0, sizeof(*m));
	m->content = (struct iovec) { &m->byte, 1 };
	m->header = (struct msghdr) { .msg_iov = &m->content,
				      .msg_iovlen = 1,
				      .msg_control = m->control,
				      .msg_controllen = sizeof(m->control) };
	return &m->header;
}

/*
 * Closes the descriptors that the worker sends. Each takes two messages: the first carries the
 * descriptor, the second requests that it is closed.
 */
static void close_what_comes(void)
{
	struct message m;
	int fd = -1;

	while (recvmsg(STDIN_FILENO, message_begin(&m), MSG_CMSG_CLOEXEC) == 1) {
		struct cmsghdr *c = CMSG_FIRSTHDR(&m.header);

		if (c) {
			memcpy(&fd, CMSG_DATA(c), sizeof(fd));
		} else if (fd >= 0) {
			close(fd);
			fd = -1;
		}
	}
}

/*
 * The process closes the descriptors that it inherited; otherwise it would keep pipes open, and
 * their readers would wait forever.
 */
static _Noreturn void be_closer(int socket)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	dup2(socket, STDIN_FILENO);
#ifdef SYS_close_range
	syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, 0);
#endif
	close_what_comes();
	_exit(0);
}

void closer_start(void)
{
	int ends[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return;
	pid = fork();
	if (!pid)
		be_closer(ends[1]);
	close(ends[1]);
	to_closer = ends[0];
}

void closer_close(int fd)
{
	struct message m;
	struct msghdr *header = message_begin(&m);
	struct cmsghdr *c = CMSG_FIRSTHDR(header);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	if (to_closer >= 0)
		sendmsg(to_closer, header, MSG_NOSIGNAL);
	close(fd);
	/*
	 * The closer must be the last process that has the file open, so send the second message
	 * after close().
	 */
	if (to_closer >= 0)
		send(to_closer, &m.byte, 1, MSG_NOSIGNAL);
}
