// SPDX-License-Identifier: MIT
/* The program: a command, or the init of a virtual machine that rssck has made. */
#include "base/guest.h"
#include "base/process/inherited.h"
#include "commands.h"
#include "vm/guest/guest.h"
#include "vm/vm.h"
#include <unistd.h>

int main(int argc, char **argv)
{
	/* In a container rssck may be process 1 too; only the machine's own initramfs has the
	 * marker. */
	if (getpid() == 1 && guest_is_here())
		guest_main();
	inherited_reset();
	return rssck_main(argc, argv);
}
