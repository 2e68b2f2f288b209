#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compiled.py BUILD: removes mutants from BUILD/mutants.tsv that the kernel's objects do not contain.

rssck_site() notes its number in a section of the object file. What is under an #ifdef, or can be seen never to run, is
in none.
"""
import subprocess
import struct
import sys
import tempfile
from pathlib import Path

build = Path(sys.argv[1])
there = set()
with tempfile.NamedTemporaryFile() as out:
    for folder in ("mm", "fs", "fs/proc", "kernel", "kernel/events", "io_uring", "lib", "ipc"):
        for obj in (build / folder).glob("*.o"):
            done = subprocess.run(["objcopy", "-O", "binary", "--set-section-flags", ".discard.rssck=alloc",
                                   "--only-section=.discard.rssck", obj, out.name], capture_output=True, check=False)
            data = Path(out.name).read_bytes() if not done.returncode else b""
            there |= {n for n, in struct.iter_unpack("<i", data[: len(data) // 4 * 4])}
table = build / "mutants.tsv"
rows = [line.split("\t") for line in table.read_text().splitlines()]
kept = [r for r in rows if (int(r[0]) if int(r[0]) < 1000 else int(r[0]) - int(r[0]) % 4) in there]
table.write_text("".join("\t".join(r) + "\n" for r in kept))
print(f"{len(rows) - len(kept)} of {len(rows)} are not in this configuration, {len(kept)} are")
