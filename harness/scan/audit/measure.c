// SPDX-License-Identifier: MIT
/*
 * Measures the counter models of this kernel on first use after each boot. That takes about 0.1 s.
 * The result is kept in a file until the next boot.
 */
#include "measure.h"
#include "engine/engine.h"
#include <fcntl.h>
#include <rssck/source.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

/*
 * The contents of the file. It is used only if all members but the last match this boot, these CPUs
 * and this program.
 */
struct kept {
	char format[16];
	char boot[40];     /* /proc/sys/kernel/random/boot_id */
	char version[200]; /* distinguishes a kernel loaded by kexec */
	uint64_t size, cpus;
	struct models models;
};

static void describe(struct kept *k)
{
	struct utsname kernel;
	struct text t = { .data = NULL };

	memset(k, 0, sizeof(*k));
	snprintf(k->format, sizeof(k->format), "rssck-model/1\n");
	if (!text_read(&t, 0, "/proc/sys/kernel/random/boot_id"))
		snprintf(k->boot, sizeof(k->boot), "%.36s", t.data);
	if (!uname(&kernel))
		snprintf(k->version, sizeof(k->version), "%s %s", kernel.release, kernel.version);
	k->size = sizeof(*k);
	k->cpus = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
	text_free(&t);
}

/*
 * Writes the path of the file, which is in a folder that only this user can write to; "" if there
 * is no such folder.
 */
static void place(char *path, size_t size)
{
	const char *folder = geteuid() ? getenv("XDG_RUNTIME_DIR") : "/run";

	snprintf(path, size, "%s%s", folder && *folder == '/' ? folder : "",
		 folder && *folder == '/' ? "/rssck-model" : "");
}

static bool is_ours(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	       !(st.st_mode & 022);
}

/* False if the file was damaged or changed. */
static bool is_sound(const struct models *m)
{
	for (int id = 0; id < METRIC_COUNT; id++)
		if ((unsigned)m->of[id].kind > MODEL_ABSENT)
			return false;
	return models_are_known(m);
}

static bool read_kept(struct models *m)
{
	struct kept now, k;
	char path[512];
	bool good;
	int fd;

	place(path, sizeof(path));
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return false;
	describe(&now);
	good = is_ours(fd) && read(fd, &k, sizeof(k)) == sizeof(k) && now.boot[0] &&
	       !memcmp(&k, &now, offsetof(struct kept, models)) && is_sound(&k.models);
	close(fd);
	if (good)
		*m = k.models;
	return good;
}

/* Writes the whole file, or nothing. rssck also works without the file. */
static void keep(const struct models *m)
{
	char path[512], new[544];
	struct kept k;
	bool written;
	int fd;

	place(path, sizeof(path));
	describe(&k);
	k.models = *m;
	if (!path[0] || !k.boot[0] || !models_are_known(m))
		return;
	snprintf(new, sizeof(new), "%s.%d", path, (int)getpid());
	fd = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return;
	written = write(fd, &k, sizeof(k)) == sizeof(k);
	close(fd);
	if (!written || rename(new, path))
		unlink(new);
}

void measure(struct measured *m)
{
	struct engine *e;

	*m = (struct measured) { .known = false };
	m->known = read_kept(&m->models);
	if (m->known)
		return;
	e = calloc(1, sizeof(*e));
	if (!e) {
		snprintf(m->why, sizeof(m->why), "out of memory");
		return;
	}
	m->known = engine_open(e, NULL, 0, m->why, sizeof(m->why)) == 0;
	m->models = e->models;
	/* Another user's process may have run on any CPU, even on those that rssck may not use. */
	if (m->models.cpus < e->host.cpus)
		m->models.cpus = e->host.cpus;
	if (m->known) {
		m->why[0] = '\0';
		keep(&m->models);
	}
	engine_close(e);
	free(e);
}
