// SPDX-License-Identifier: MIT
/* Loads the modules of the initramfs in the order of modules.order. */
#include "setup.h"
#include "vm/vm.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void load(const char *name)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), VM_GUEST_MODULES "/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	/* EEXIST: the module is built in, or was loaded as a dependency */
	if (fd < 0 || (syscall(SYS_finit_module, fd, "", 0) && errno != EEXIST))
		fprintf(stderr, "rssck: guest: module %s: %s; does it belong to this kernel?\n",
			name, strerror(errno));
	if (fd >= 0)
		close(fd);
}

void guest_modules_load(void)
{
	char name[NAME_MAX + 2];
	FILE *order = fopen(VM_GUEST_MODULES "/modules.order", "re");

	if (!order)
		return;
	while (fgets(name, sizeof(name), order)) {
		name[strcspn(name, "\n")] = '\0';
		load(name);
	}
	fclose(order);
}
