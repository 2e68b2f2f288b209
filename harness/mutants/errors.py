#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""errors.py SOURCE LOG: prints the numbers of the places in whose lines the compiler has found an error."""
import re
import sys
from pathlib import Path

root, log = Path(sys.argv[1]), Path(sys.argv[2]).read_text()
found = set()
for path, line in set(re.findall(r"(?:^|/|\s)((?:mm|fs|kernel|lib|io_uring|include)/[\w./-]+):(\d+):\d+: (?:fatal )?error", log, flags=re.M)):
    # If make.py has put an #include and a #line before the source, the compiler counts lines from below them.
    text = (root / path).read_text().split("\n")
    shift = 1 if text[1].startswith("#line") else -1
    for n in re.findall(r"rssck_(?:site|amount)\((?:[^;]*?, )?(\d+)\)", text[int(line) + shift]):
        found.add(int(n))
    if not any(int(n) in found for n in re.findall(r"\b(\d{4})\b", text[int(line) + shift])):
        print(f"errors.py: {path}:{line}: there is no mutant in this line: {text[int(line) + shift].strip()[:150]}", file=sys.stderr)
print("".join(f"{n}\n" for n in sorted(found)), end="")
