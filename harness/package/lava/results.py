#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""results.py LOG: lists the results in a log of lava-run. Exit status: 0 all passed or were skipped, 1 a result is another one."""
import sys

import yaml

count = {}
for line in open(sys.argv[1], errors="replace"):
    try:
        entry = yaml.safe_load(line)
    except yaml.YAMLError:
        continue
    said = entry.get("msg") if isinstance(entry, dict) and entry.get("lvl") == "results" else None
    if not isinstance(said, dict) or said.get("definition") == "lava":
        continue
    count[said["result"]] = count.get(said["result"], 0) + 1
    print(f"{said['case']:40} {said['result']:8} {said.get('measurement', '')} {said.get('units', '')}")
print(", ".join(f"{n} {result}" for result, n in sorted(count.items())) or "no result")
sys.exit(not count or bool(set(count) - {"pass", "skip"}))
