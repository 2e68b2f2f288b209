#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hooks.py SOURCE: makes a kernel call rssck_line.c for what it prints: records of text, and the words of pagemap, PAGEMAP_SCAN,
kpageflags and kpagecount, and the bytes of mincore(2)."""
import sys
from pathlib import Path

SITES = [  # file, text, its replacement, the first number of its sites, how often it occurs; # is replaced by the number of the site
    ("fs/seq_file.c", "m->op->show(m, p)", "rssck_show(m, p)", 0, 3),
    ("fs/proc/task_mmu.c", "add_to_pagemap(&pme, pm)", "add_to_pagemap(rssck_word(&pme, #, rssck_kind(walk->vma)), pm)", 1, 5),
    ("fs/proc/task_mmu.c", "	return categories;\n}", "	rssck_word(&categories, #, rssck_kind(RSSCK_VMA#));\n	return categories;\n}", 11, 3),
    ("fs/proc/page.c", "	return u;\n", "	rssck_word(&u, #, 0);\n	return u;\n", 21, 1),
    ("fs/proc/page.c", "put_user(mapcount, out)", "put_user(*(u64 *)rssck_word(&mapcount, #, 0), out)", 22, 1),
    ("mm/mincore.c", "	walk->private = vec;\n", "	rssck_bytes(walk->private, vec, #, rssck_kind(walk->vma));\n	walk->private = vec;\n", 31, 1),
    ("mm/mincore.c", "	walk->private += nr;\n", "	rssck_bytes(walk->private, walk->private + nr, #, rssck_kind(vma));\n	walk->private += nr;\n", 32, 1),
]
BEGIN = {
    "fs/proc/task_mmu.c": "#define RSSCK_VMA11 vma\n#define RSSCK_VMA12 vma\n#define RSSCK_VMA13 NULL\n",
}


def main():
    root = Path(sys.argv[1])
    for path in sorted({site[0] for site in SITES}):
        text = (root / path).read_text()
        for _, old, new, number, times in (site for site in SITES if site[0] == path):
            if text.count(old) < times:
                sys.exit(f"hooks.py: {path} has '{old.strip()}' {text.count(old)} times, not {times}")
            parts = text.split(old)
            text = parts[0] + "".join((new.replace("#", str(number + i)) if i < times else old) + part for i, part in enumerate(parts[1:]))
        (root / path).write_text("#include <linux/rssck_line.h>\n" + BEGIN.get(path, "") + text)


main()
