// SPDX-License-Identifier: MIT
/*
 * Runs in the guest of saved.py and executes the host's commands, so that a guest can be saved
 * before any case has run.
 *
 * As init, this program takes the place of /bin/rssck and runs rssck, which prepares the guest.
 * When rssck starts its check, it runs this program again, which then puts rssck back and reads
 * commands from the second serial port:
 *
 *   run PROGRAM ARGUMENT...   run it, and wait for it
 *   cat FILE                  print it
 *   put FILE FROM             write each line of FROM to FILE
 *   set FILE WORD...          write the words to FILE
 *
 * Each answer ends with a line "@STATUS".
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { LINE = 65536, WORDS = 4096 };

static void take_place(void)
{
	rename("/bin/rssck", "/bin/rssck.init");
	link("/agent", "/bin/rssck");
	execl("/bin/rssck.init", "rssck", NULL);
	_exit(127);
}

static int run(char **words)
{
	int status = -1;
	pid_t pid = fork();

	if (!pid) {
		execv(words[0], words);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int cat(const char *path)
{
	char piece[LINE];
	int fd = open(path, O_RDONLY);
	ssize_t got;

	while ((got = read(fd, piece, sizeof(piece))) > 0)
		if (write(STDOUT_FILENO, piece, got) != got)
			return 1;
	close(fd);
	return got < 0;
}

/* Returns how many lines were refused. */
static int put(const char *path, const char *from)
{
	int to = open(path, O_WRONLY | O_APPEND), refused = 0;
	FILE *f = fopen(from, "re");
	char line[512];

	while (f && fgets(line, sizeof(line), f))
		if (write(to, line, strlen(line)) < 0)
			refused++;
	if (f)
		fclose(f);
	close(to);
	return refused;
}

static int set(const char *path, char **words)
{
	int fd = open(path, O_WRONLY);
	char text[512] = "\n";
	size_t len = 0;
	ssize_t wrote;

	for (; *words && len < sizeof(text) - 1; words++)
		len += snprintf(text + len, sizeof(text) - len, "%s%s", len ? " " : "", *words);
	wrote = write(fd, text, len ? len : 1);
	close(fd);
	return wrote < 0;
}

static int obey(char *line)
{
	char *words[WORDS + 1] = { NULL }, *word;
	int n = 0;

	while (n < WORDS && (word = strsep(&line, " \n")))
		if (*word)
			words[n++] = word;
	words[n] = NULL;
	if (n >= 2 && !strcmp(words[0], "run"))
		return run(words + 1);
	if (n == 2 && !strcmp(words[0], "cat"))
		return cat(words[1]);
	if (n == 3 && !strcmp(words[0], "put"))
		return put(words[1], words[2]);
	if (n >= 2 && !strcmp(words[0], "set"))
		return set(words[1], words + 2);
	return 126;
}

int main(void)
{
	static char line[LINE];
	struct termios raw;
	FILE *port;
	int tty;

	if (getpid() == 1)
		take_place();
	unlink("/bin/rssck");
	rename("/bin/rssck.init", "/bin/rssck");
	mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, NULL);
	tty = open("/dev/ttyS1", O_RDWR | O_NOCTTY | O_CLOEXEC);
	tcgetattr(tty, &raw);
	cfmakeraw(&raw);
	cfsetspeed(&raw, B115200);
	raw.c_cflag |= CLOCAL;
	tcsetattr(tty, TCSANOW, &raw);
	port = fdopen(tty, "re");
	printf("@ready\n");
	fflush(stdout);
	while (port && fgets(line, sizeof(line), port)) {
		printf("@%d\n", obey(line));
		fflush(stdout);
	}
	return 1;
}
