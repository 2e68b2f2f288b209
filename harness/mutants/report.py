#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""report.py LIST SAMPLE RESULTS...: makes the tables of results/MUTANTS.md from the output of run.py.

SAMPLE: a file with the numbers of the generated mutants that were drawn. A later line of RESULTS takes the place of an
earlier one for the same number and way (a second run with more cases).
"""
import sys
from collections import defaultdict
from pathlib import Path

WAYS = ["check", "fuzz", "atlas", "comparison"]
KILLS = {"noticed", "fact", "differs"}


def read(paths):
    found = defaultdict(dict)
    for path in paths:
        for line in Path(path).read_text(encoding="utf-8").splitlines():
            number, way, verdict, seconds, words = (line.split("\t") + [""])[:5]
            found[int(number)][way] = (verdict, words)
    return found


def cell(result):
    return {None: "-", "noticed": "**yes**", "fact": "**yes**, a fact", "differs": "**yes**", "quiet": "no", "unreached": "no: unreached",
            "once": "once, an error", "died": "guest died", "nothing": "no"}[result[0] if result else None]


def table(head, rows):
    print("| " + " | ".join(head) + " |\n|" + " --- |" * len(head))
    for row in rows:
        print("| " + " | ".join(str(c).replace("|", "\\|") for c in row) + " |")
    print()


def main():
    rows = [line.split("\t") for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()]
    sample = {int(n) for n in Path(sys.argv[2]).read_text(encoding="utf-8").split()}
    found = read(sys.argv[3:])
    real = {}
    for r in rows:
        if r[1] != "generated":
            real.setdefault(int(r[0]), r)
    ways = [w for w in WAYS if any(w in f for f in found.values())]
    table(["bug", "fix, or what it shows", "where", *ways, "by"],
          [[n, r[5], f"{r[2]} {r[4]}()", *(cell(found[n].get(w)) for w in ways),
            next((found[n][w][1][:60] for w in ways if w in found[n] and found[n][w][0] in KILLS), "")] for n, r in sorted(real.items())])
    files = defaultdict(lambda: [0, 0, 0, 0, *[0] * len(ways), 0])
    survivors = []
    for r in rows:
        n = int(r[0])
        if r[1] != "generated":
            continue
        for line in (files[r[2]], files["all"]):
            line[0] += 1
            if n not in sample:
                continue
            line[1] += 1
            verdicts = {w: found[n].get(w, ("", ""))[0] for w in ways}
            line[2] += verdicts.get("check") == "unreached"
            line[3] += "died" in verdicts.values()
            for i, w in enumerate(ways):
                line[4 + i] += verdicts[w] in KILLS
            line[-1] += any(v in KILLS for v in verdicts.values())
        if n in sample and not any(found[n].get(w, ("",))[0] in KILLS for w in ways):
            survivors.append(r)
    order = sorted((f for f in files if f != "all"), key=lambda f: -files[f][0]) + ["all"]
    table(["file", "mutants", "drawn", "unreached by check", "guest died", *ways, "killed"], [[f, *files[f]] for f in order])
    table(["mutant", "where", "changed", "what", "check"],
          [[r[0], f"{r[2]}:{r[3]} {r[4]}()", f"`{r[6][:70]}`", r[5], cell(found[int(r[0])].get("check"))] for r in survivors])


main()
