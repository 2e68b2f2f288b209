// SPDX-License-Identifier: MIT
/*
 * refuse SYSCALL ERRNO COMMAND...: runs a command for which this system call fails, as under the
 * seccomp profile of a container. SYSCALL is a number (limits.sh knows the names).
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc < 4) {
		fprintf(stderr, "usage: refuse SYSCALL ERRNO COMMAND [ARGUMENT]...\n");
		return 2;
	}

	const unsigned number = (unsigned)atoi(argv[1]), error = (unsigned)atoi(argv[2]);
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error & SECCOMP_RET_DATA)),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(*code), code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
		perror("seccomp(2)");
		return 125;
	}
	execvp(argv[3], argv + 3);
	perror(argv[3]);
	return 126;
}
