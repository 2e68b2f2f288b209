// SPDX-License-Identifier: MIT
/*
 * The workload's zero-filled static memory (.bss) must be smaller than a huge page. Otherwise the
 * kernel may back it with one, and cases that count huge pages or their splits would count that.
 */
#include "tests/support/test.h"
#include <elf.h>
#include <link.h>

/* The PMD size of x86-64, and of arm64 with pages of 4 KiB. */
enum { HUGE_PAGE = 2 << 20 };

TEST(zero_filled_memory_is_smaller_than_a_huge_page)
{
	FILE *f = fopen("rssck-workload", "re");
	ElfW(Ehdr) head;
	ElfW(Phdr) p;

	if (!f)
		skip();
	assert_int_equal(fread(&head, sizeof(head), 1, f), 1);
	for (unsigned i = 0; i < head.e_phnum; i++) {
		assert_int_equal(fseek(f, (long)(head.e_phoff + i * sizeof(p)), SEEK_SET), 0);
		assert_int_equal(fread(&p, sizeof(p), 1, f), 1);
		if (p.p_type == PT_LOAD && p.p_memsz - p.p_filesz >= HUGE_PAGE)
			fail_msg("%llu bytes are zero-filled: keep large buffers out of static "
				 "variables",
				 (unsigned long long)(p.p_memsz - p.p_filesz));
	}
	fclose(f);
}
