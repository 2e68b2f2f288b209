// SPDX-License-Identifier: MIT
/* %MEM is a share of all memory, MemTotal: top rounds it to the nearest tenth, ps cuts it off. */
#include <rssck/case.h>
#include <sys/sysinfo.h>

enum { MOST = 16 << 20 };

/* Two thousandths of all memory, where that can be walked quickly; four times that not resident. */
static void write_a_share(struct workload *w)
{
	struct sysinfo si = { .totalram = 0 };
	size_t share, pages;

	sysinfo(&si);
	share = si.totalram * si.mem_unit / 1000 * 2;
	pages = (share < MOST ? share : MOST) / w->page_size;
	touch_write(w, workload_anonymous(w, 5 * pages), pages);
	workload_expect(w, VIRT_DATA(5 * (int64_t)pages), ANON_WRITE((int64_t)pages));
}

CASE(tools_percent) {
	.claim = "%MEM is RES of MemTotal in top, to the nearest tenth, and rss of MemTotal in ps, "
		 "cut off to tenths",
	.because =
		"Neither divides by what is available or free. ps computes in whole thousandths, "
		"so 0.19 is 0.1 there and 0.2 in top.",
	.said_by = SAID_BY("top(1), %MEM", "ps(1), %mem"),
	.tools = TOOLS("top", "ps"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP("write a share of all memory", write_a_share)),
	.posts = POSTS(VIRT_DATA(1), ANON_WRITE(1)),
};
