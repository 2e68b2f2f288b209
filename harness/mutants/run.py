#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py: boots a kernel with each mutant, one after another, and writes which check notices it.

    run.py --kernel=IMAGE --out=TSV [--rssck=./rssck] --way=NAME:ARGUMENTS... NUMBER...

A way is a name and options for `rssck vm`: 'fuzz:--fuzz=--seeds=1-60', 'check:'. Each number and way needs a boot, because a
mutant may leave wrong numbers behind, which would make later results of that guest meaningless. OUT gets a line for each boot:
number, way, verdict, seconds, and words: the cases or facts, or the output. A number and way that OUT already contains is not run
again. The verdicts are noticed (exit status 1; for check, a case failed), once (a case failed, and could not be tried again: an
error), fact (only a fact differs from the control's, with --control), quiet (exit status 0; for check, none of these), nothing
(nothing could run; not for check), died (the guest ended or hung, and there is no result), unreached (see --cases).
For check, --cases=FILE names the cases of each number (from reach.py), so that only cases that reach the mutant's place run. If a
number has no line or an empty one, no case reaches it, and nothing is booted. The control's failures (--known=CASE,CASE) do not
count. The numbers of binary.py are for saved.py.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def arguments():
    p = argparse.ArgumentParser()
    p.add_argument("--kernel", required=True)
    p.add_argument("--out", required=True, type=Path)
    p.add_argument("--rssck", default="./rssck")
    p.add_argument("--way", action="append", required=True)
    p.add_argument("--timeout", default="240")
    p.add_argument("--cpus", default="1")
    p.add_argument("--cases", type=Path)
    p.add_argument("--most", type=int, default=0, help="run at most this many of a number's cases, some fast and some slow")
    p.add_argument("--known", default="")
    p.add_argument("--control", type=Path, help="JSON of a check of the control; a mutant is also noticed if a fact differs from the control's")
    p.add_argument("--until", type=float, help="after this number of seconds, start no more boots")
    p.add_argument("numbers", nargs="+", type=int)
    return p.parse_args()


def facts(path):
    return {(c["id"], k): v for c in json.loads(path.read_text()).get("cases", []) for k, v in (c.get("facts") or {}).items()}


def judge_check(status, path, known, control):
    try:
        cases = json.loads(path.read_text())["cases"]
    except (OSError, ValueError, KeyError):
        return "died", ""
    failed = [c["id"] for c in cases if c["verdict"] == "fail" and c["id"] not in known]
    if failed:
        return "noticed", " ".join(failed)
    once = [c["id"] for c in cases if c["verdict"] == "error" and "fail" in [t["verdict"] for t in c.get("tries", [])]]
    if once:
        return "once", " ".join(once)
    if control:
        then = facts(control)
        differ = [f"{k} {then[c, k]} -> {v}" for (c, k), v in facts(path).items() if (c, k) in then and then[c, k] != v]
        if differ:
            return "fact", "; ".join(differ)
    return ("died", "") if status not in (0, 1, 4) else ("quiet", "")


def judge_status(status, text):
    """Decides only by the exit status; the output is kept for people."""
    verdict = {0: "quiet", 1: "noticed", 4: "nothing"}.get(status, "died")
    return verdict, "" if verdict == "quiet" else " | ".join(text.split("\n"))[:300]


def boot(o, number, arguments_of_way, cases):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out.json"
        command = [o.rssck, "vm", f"--kernel={o.kernel}", f"--append=rssck_mutant={number}", f"--timeout={o.timeout}", f"--cpus={o.cpus}"]
        if cases is not None:
            command += [f"--output={path}", *cases]
        command += arguments_of_way
        start = time.time()
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=float(o.timeout) + 60, check=False)
            status, text = done.returncode, done.stdout
        except subprocess.TimeoutExpired:
            status, text = 2, ""
        seconds = time.time() - start
        if cases is not None:
            return (*judge_check(status, path, o.known.split(","), o.control), seconds)
        return (*judge_status(status, text), seconds)


def main():
    o = arguments()
    os.environ.setdefault("RSSCK_ACCEL", "tcg")
    done = set()
    if o.out.exists():
        done = {tuple(line.split("\t")[:2]) for line in o.out.read_text().splitlines()}
    reach = {}
    if o.cases:
        reach = {int(n): c.split() for n, c in (line.split("\t") for line in o.cases.read_text().splitlines())}
    start = time.time()
    for number in o.numbers:
        for way in o.way:
            name, _, rest = way.partition(":")
            if (str(number), name) in done:
                continue
            if o.until and time.time() - start > o.until:
                sys.exit("run.py: the time is up")
            cases = None
            if name.startswith("check"):
                cases = reach.get(number, []) if o.cases else []
                if o.most and len(cases) > o.most:
                    cases = [cases[i * (len(cases) - 1) // (o.most - 1)] for i in range(o.most)]
            if name.startswith("check") and o.cases and not cases:
                verdict, words, seconds = "unreached", "", 0
            else:
                verdict, words, seconds = boot(o, number, rest.split(), cases)
            with o.out.open("a") as out:
                out.write(f"{number}\t{name}\t{verdict}\t{seconds:.0f}\t{' '.join(words.split())}\n")


main()
