// SPDX-License-Identifier: MIT
/* Reads a key without Enter. */
#include "demo.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

/* Returns the key; -1 at the end of input; -1 minus the signal's number after a signal. */
static int wait_for_key(int signals)
{
	struct pollfd fds[2] = { { .fd = STDIN_FILENO, .events = POLLIN },
				 { .fd = signals, .events = POLLIN } };
	struct signalfd_siginfo signal;
	unsigned char key;

	while (poll(fds, 2, -1) < 0)
		if (errno != EINTR)
			return -1;
	if (fds[1].revents && read(signals, &signal, sizeof(signal)) == sizeof(signal))
		return -1 - (int)signal.ssi_signo;
	return read(STDIN_FILENO, &key, 1) == 1 ? key : -1;
}

static int key_of_terminal(const char *keys)
{
	struct termios before, raw;
	sigset_t ending, mask;
	int signals, key;

	if (tcgetattr(STDIN_FILENO, &before))
		return 0;
	sigemptyset(&ending);
	for (const int *s = (const int[]) { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, 0 }; *s; s++)
		sigaddset(&ending, *s);
	sigprocmask(SIG_BLOCK, &ending, &mask);
	signals = signalfd(-1, &ending, SFD_CLOEXEC);
	raw = before;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	tcsetattr(STDIN_FILENO, TCSANOW, &raw);
	do
		key = wait_for_key(signals);
	while (key > 0 && !strchr(keys, key) && key != 'q' && key != 'Q');
	tcsetattr(STDIN_FILENO, TCSANOW, &before);
	close(signals);
	/* The signal is delivered when the old signal mask is restored. */
	if (key < -1)
		raise(-1 - key);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	if (key < -1)
		return key_of_terminal(keys);
	return key > 0 && strchr(keys, key) ? key : 0;
}

int demo_key_of(const char *keys)
{
	int key;

	if (isatty(STDIN_FILENO))
		return key_of_terminal(keys);
	do
		key = getchar();
	while (key > 0 && !strchr(keys, key) && key != 'q' && key != 'Q');
	return key > 0 && strchr(keys, key) ? key : 0;
}

bool demo_key(void)
{
	return key_of_terminal("\n\r ");
}
