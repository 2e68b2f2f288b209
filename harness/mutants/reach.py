#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reach.py [--rssck=./rssck] --kernel=IMAGE --list=TSV --out=TSV [CASE...]: finds the cases that reach the place of each mutant.

The control is booted once, with rounds of 20 ms: the kernel reports each place once a round, and what it reports while a case
runs, that case reaches. Rounds and cases do not begin together, so now and then a case more is listed; one less only if it runs
for less than a round. (Rounds of 250 ms lost quick cases.) OUT: number, the cases, quickest first; OUT.text: what the check said.
"""
import argparse
import os
import re
import selectors
import subprocess
import tempfile
import time
from pathlib import Path


def follow(o, fifo):
    """Returns (case, seconds, places) for each case. The output of the check is written to OUT.text."""
    command = [o.rssck, "vm", f"--kernel={o.kernel}", "--append=rssck_mutant.round_ms=20", f"--timeout={o.timeout}", *o.cases]
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    os.set_blocking(process.stdout.fileno(), False)
    selector = selectors.DefaultSelector()
    selector.register(reader, selectors.EVENT_READ, "places")
    selector.register(process.stdout, selectors.EVENT_READ, "text")
    rest = {"places": b"", "text": b""}
    at, since, seen, found = "boot", time.time(), set(), []
    with open(f"{o.out}.text", "wb") as text:
        while process.poll() is None:
            for key, _ in selector.select(1):
                data = os.read(key.fd, 65536)
                lines = (rest[key.data] + data).split(b"\n")
                rest[key.data] = lines.pop()
                if not data:
                    time.sleep(0.05)
                if key.data == "places":
                    seen |= {int(line[1:]) for line in lines if re.fullmatch(rb"s\d+", line)}
                    continue
                for line in lines:
                    text.write(line + b"\n")
                    run = re.match(rb"\[ RUN +\] (\S+)", line)
                    if run:
                        found.append((at, time.time() - since, seen))
                        at, since, seen = run.group(1).decode(), time.time(), set()
            text.flush()
    return [*found, (at, time.time() - since, seen)]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--rssck", default="./rssck")
    p.add_argument("--kernel", required=True)
    p.add_argument("--list", required=True, type=Path)
    p.add_argument("--out", required=True)
    p.add_argument("--timeout", default="3000")
    p.add_argument("cases", nargs="*")
    o = p.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        fifo, qemu = Path(folder) / "places", Path(folder) / "qemu"
        os.mkfifo(fifo)
        qemu.write_text(f'#!/bin/sh\nexec qemu-system-x86_64 "$@" -chardev file,id=places,path={fifo} -device isa-debugcon,iobase=0x5e8,chardev=places\n')
        qemu.chmod(0o755)
        os.environ |= {"RSSCK_QEMU": str(qemu), "RSSCK_ACCEL": "tcg"}
        cases = sorted(follow(o, fifo), key=lambda c: c[1])
    with open(o.out, "w", encoding="utf-8") as out:
        for number in sorted({int(line.split("\t")[0]) for line in o.list.read_text().splitlines()}):
            place = number if number < 1000 else number - number % 4
            out.write(f"{number}\t{' '.join(name for name, _, seen in cases if place in seen and name != 'boot')}\n")


main()
