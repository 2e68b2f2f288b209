#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""lines.py: changes one number of one file, and finds the cases that notice it. The kernel is not changed, only its output.

    lines.py read --out=TSV FOLDER [CASE...]               which case reads which file, and one record of each file
    lines.py list --read=TSV [--only=WORD,WORD...] >LIST   the numbers that these files have: file, label
    lines.py run  --read=TSV --list=LIST --out=TSV FOLDER  each number, doubled: noticed, quiet, ...

FOLDER: a guest of `saved.py save`, with the kernel of build.sh (rssck_line.c). OUT of run: file, label, only, how, verdict,
seconds, cases. Verdicts: noticed (a case failed), once (failed, and could not be tried again), error (a case could not judge),
quiet (none), refused (the kernel does not take the change), died (the guest).
"""
import argparse
import fnmatch
import re
import subprocess
import sys
import time
from pathlib import Path

import saved

PARAMETERS = "/sys/module/rssck_line/parameters"
NEVER = re.compile(r"/(maps|mountinfo|mounts|cmdline|cgroup|interrupts|filesystems|modules|kallsyms|uptime|loadavg|version|comm|cpuinfo"
                   r"|devices|partitions|diskstats|uevent|cpulist|softirqs|cgroup\.\w+|cpuset\.\S+|cpu\.\S+|io\.\S+|pids\.\S+|syscall)$"
                   r"|:/class/|/bus/|:/module/|tracefs:|^sysfs:/devices/(?!system/node|virtual/block)")


def places(guest, at):
    """(file, record) of each line from AT on. A cgroup is known by its file's name only."""
    lines = (guest.own / "places").read_bytes().decode(errors="replace").split("\n")[at:-1]
    return [(re.sub(r"^(cgroup2?:).*(/[^/]+)$", r"\1*\2", name), record)
            for name, record in (line[1:].split("\t", 1) if line.startswith("f") and "\t" in line else ("", "") for line in lines)]


def start(o):
    guest = saved.Guest(o.folder, o.folder / "state")
    guest.loaded()
    guest.ask("cont")
    return guest


def read(o):
    """OUT: '@case', its verdict, seconds, files; or 'file', file, a record with the lines ended by \\r."""
    listed = subprocess.run([o.rssck, "check", "--list", *o.cases], capture_output=True, text=True, check=True).stdout.splitlines()
    guest, at, known = start(o), 0, set()
    with o.out.open("a") as out:
        for case in (line.split()[0] for line in listed):
            guest.say(f"set {PARAMETERS}/trace 1", 20)
            begin = time.time()
            results = guest.check([case], 120)
            if results is None:
                guest.close()
                guest, at = start(o), 0
                out.write(f"@{case}\tdied\t0\t\n")
                continue
            lines = places(guest, at)
            at += len(lines)
            files = sorted({name for name, _ in lines if name and not NEVER.search(name)})
            out.write(f"@{case}\t{results[case]['verdict']}\t{time.time() - begin:.2f}\t{' '.join(f for f in files if ' ' not in f)}\n")
            for name, record in lines:
                key = (name, record.split(" ")[0].split("\r")[0] if record.count("\r") <= 1 else "")
                if name in files and key not in known:
                    known.add(key)
                    out.write(f"file\t{name}\t{record}\n")
            out.flush()
    guest.close()


def labels(record):
    """The words of a record by which rssck_line.c finds its numbers."""
    lines = [line for line in record.split("\r") if line.strip()]
    for line in lines:
        line = line.rstrip()
        if m := re.match(r"\s*((?:Node \d+,? )?[A-Za-z][\w()-]*(?: \w+)?):\s*\(?-?\d", line):
            yield m.group(1).replace(" ", "_")
            continue
        if re.search(r"\w=\d", line):
            prefix = re.match(r"(\w+) N\d+=", line)
            for key in re.findall(r"(\w+)=\d+(?=\s|$)", line):
                yield f"{prefix.group(1)}_{key}" if prefix else key
            continue
        if m := re.match(r"\s*((?:pages )?[a-z][\w-]*)\s+\d+$", line):
            yield m.group(1).replace(" ", "_")
            continue
        if len(lines) == 1:
            numbers = [i for i, word in enumerate(line.split(), 1) if word.isdigit()]
            if len(numbers) == 1 and len(line.split()) <= 2:
                yield "-"
            else:
                yield from (f"{i}:" for i in numbers)


def rows(path):
    return [line.split("\t") for line in path.read_bytes().decode().split("\n") if line]


def listed(o):
    found = {}
    for row in rows(o.read):
        if row[0] == "file":
            for label in labels(" ".join(row[2:])):
                found.setdefault((row[1], label))
    for name, label in found:
        for only in [""] if not o.only else o.only.split(","):
            print(f"{name}\t{label}\t{only}")


def order(o, cases, label, root):
    """Cases whose source has the label first, then those that read the fewest files."""
    word = label.replace("_", " ").split(" N")[0]

    def rank(case):
        name, files, seconds = case
        source = (root / "cases" / f"{name}.c").read_text()
        return (word not in source if len(word) > 2 else False, files, seconds)

    return [c[0] for c in sorted(cases, key=rank)]


def ask(o, guest, name, label, only, cases):
    """(verdict, cases); the guest must be started anew if it is None."""
    if guest.say(f"set {PARAMETERS}/change {name} {label} {o.how} {only}", 20)[1] != "0":
        return "refused", ""
    begin, verdict, which, at = time.time(), "quiet", "", 0
    while at < len(cases) and (time.time() - begin < o.most or not at):
        some = cases[at:at + o.group]
        at += len(some)
        results = guest.check(some, 60 + 12 * len(some))
        if results is None:
            return None, " ".join(some)
        found, failed = saved.judge(results)
        if found == "noticed":
            return found, failed
        if found == "once":
            verdict, which = found, failed
        errors = [c for c, r in results.items() if r["verdict"] == "error"]
        if errors and verdict == "quiet":
            verdict, which = "error", " ".join(errors)
    return verdict, which or f"({at} of {len(cases)})"


def run(o):
    root = Path(__file__).resolve().parents[2]
    readers = {}
    for row in rows(o.read):
        if row[0].startswith("@") and row[1] == "pass" and any(fnmatch.fnmatch(row[0][1:], pattern) for pattern in o.cases.split(",")):
            files = row[3].split()
            for name in files:
                readers.setdefault(name, []).append((row[0][1:], len(files), float(row[2])))
    done = {tuple(r[:4]) for r in rows(o.out)} if o.out.exists() else set()
    guest = start(o)
    stop = time.time() + o.until if o.until else None
    for name, label, only in rows(o.list):
        if (name, label, only, o.how) in done:
            continue
        if stop and time.time() > stop:
            break
        begin = time.time()
        verdict, cases = ask(o, guest, name, label, only, order(o, readers.get(name, []), label, root))
        guest.say(f"set {PARAMETERS}/change", 20)
        if verdict is None:
            guest.close()
            guest, verdict = start(o), "died"
        with o.out.open("a") as out:
            out.write(f"{name}\t{label}\t{only}\t{o.how}\t{verdict}\t{time.time() - begin:.0f}\t{cases}\n")
    guest.close()


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = p.add_subparsers(required=True)
    a, b, c = commands.add_parser("read"), commands.add_parser("list"), commands.add_parser("run")
    for parser, function in ((a, read), (b, listed), (c, run)):
        parser.set_defaults(function=function)
        parser.add_argument("--rssck", default="./rssck")
    for parser in (b, c):
        parser.add_argument("--read", type=Path, required=True)
    a.add_argument("--out", type=Path, required=True)
    a.add_argument("folder", type=Path)
    a.add_argument("cases", nargs="*")
    b.add_argument("--only", help="only records that contain one of these words")
    c.add_argument("--list", type=Path, required=True)
    c.add_argument("--out", type=Path, required=True)
    c.add_argument("--how", default="x2")
    c.add_argument("--cases", default="*", help="only cases that match one of these patterns, separated by commas")
    c.add_argument("--group", type=int, default=8)
    c.add_argument("--most", type=float, default=25, help="seconds of cases for one number")
    c.add_argument("--until", type=float)
    c.add_argument("folder", type=Path)
    o = p.parse_args()
    if "folder" in o:
        o.folder = o.folder.resolve()
    o.function(o)


if __name__ == "__main__":
    main()
