// SPDX-License-Identifier: MIT
/* Looks up properties of the machine. */
#include <rssck/host.h>
#include <sys/sysmacros.h>

bool host_is_shmem_device(const struct host *h, unsigned dev_major, unsigned dev_minor)
{
	uint64_t device = makedev(dev_major, dev_minor);

	for (size_t i = 0; i < h->nr_shmem_devices; i++)
		if (h->shmem_device[i] == device)
			return true;
	return false;
}
