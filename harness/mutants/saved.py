#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""saved.py: mutants of a distribution's kernel (binary.py), each in a guest that was booted once.

    saved.py save  --kernel=IMAGE --list=TSV [--modules=DIR] FOLDER   boot, and save the guest before it checks anything
    saved.py reach --out=TSV FOLDER [CASE...]                         which groups of cases reach which instruction, how often
    saved.py run   --out=TSV --reach=TSV FOLDER NUMBER...             change that instruction, and check

reach sets a kprobe on each instruction of the list and runs the cases in groups of one folder: a line for each group, with the
cases that passed, the seconds, the other cases, and instruction=times. run starts from the saved guest, changes the bytes in
its memory, and runs the cases that reach it: groups of some seconds, those first that notice most or are quickest, until one
fails. Number 0 is the control: no byte is changed, and its cases are those of the number that follows a colon (0:10501; 0:
all). OUT: number, function, operator, verdict, seconds, case. Verdicts as run.py's: noticed, once, quiet, died, unreached.
"""
import argparse
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
TEXT = 0xffffffff80000000  # virtual minus physical address of the kernel's text, with nokaslr
PROBES = "/sys/kernel/tracing/kprobe_events"
COUNTS = "/sys/kernel/tracing/kprobe_profile"
FIRST = ["machine/refused", "machine/ledger", "machine/accessed", "machine/lines", "cgroup/v1_ledger"]


def cpio(entries):
    """A newc archive; the kernel unpacks one behind the other."""
    out = b""
    for name, mode, data in [*entries, ("TRAILER!!!", 0, b"")]:
        header = "070701" + "".join(f"{n:08X}" for n in (0, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0))
        out += header.encode() + name.encode() + b"\0"
        out += b"\0" * (-len(out) % 4) + data
        out += b"\0" * (-len(out) % 4)
    return out


def rows(path):
    return [line.split("\t") for line in Path(path).read_text().splitlines()]


class Guest:
    """QEMU with the words that rssck vm gave it; STATE: what it starts from."""

    def __init__(self, folder, state=None):
        self.folder, self.own = folder, Path(tempfile.mkdtemp(prefix="mutant-"))
        words = json.loads((folder / "words.json").read_text())
        for i, word in enumerate(words):
            channel = re.match(r"file,id=(\w+),path=", word)
            if channel and channel.group(1) == "results":
                words[i] = f"socket,id=results,path={self.own}/port,server=on,wait=off"
            elif channel:
                words[i] = f"file,id={channel.group(1)},path={self.own}/{channel.group(1)}"
            elif "format=raw" in word and state:
                words[i] += ",snapshot=on"
        for name in ("qmp", "gdb"):
            words += ["-chardev", f"socket,id={name},path={self.own}/{name},server=on,wait=off"]
        words += ["-qmp", "chardev:qmp", "-gdb", "chardev:gdb"]
        if state:
            words += ["-incoming", f"exec:cat {state}"]
        self.errors = (self.own / "errors").open("wb")
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=self.errors, stderr=self.errors, env=os.environ | {"TMPDIR": "/dev/shm"})
        self.at, self.rest, self.text, self.errors_seen = 0, b"", b"", b""
        try:
            self.qmp = self.connect("qmp").makefile("rw")
            self.port = self.connect("port")
            self.qmp.readline()
            self.ask("qmp_capabilities")
        except (OSError, ValueError):
            self.close()
            raise

    def connect(self, name):
        for _ in range(400):
            try:
                s = socket.socket(socket.AF_UNIX)
                s.connect(str(self.own / name))
                return s
            except OSError:
                s.close()
                if self.process.poll() is not None:
                    raise
                time.sleep(0.025)
        raise OSError(f"{name}: QEMU does not answer")

    def ask(self, command, **arguments):
        self.qmp.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self.qmp.flush()
        while True:
            answer = json.loads(self.qmp.readline())
            if "error" in answer:
                raise ValueError(answer["error"]["desc"])
            if "return" in answer:
                return answer["return"]

    def loaded(self):
        while self.ask("query-status")["status"] == "inmigrate":
            time.sleep(0.02)

    def gdb(self, packet):
        self.debugger.sendall(b"$" + packet + b"#%02x" % (sum(packet) & 255))
        data = b""
        while not re.search(rb"\$[^#]*#..", data):
            data += self.debugger.recv(65536)
        self.debugger.sendall(b"+")
        return re.search(rb"\$([^#]*)#..", data).group(1)

    def change(self, address, now, then):
        """Writes THEN at a virtual address of the kernel's text; the guest stands still."""
        self.debugger = self.connect("gdb")
        self.gdb(b"Qqemu.PhyMemMode:1")
        where = b"%x,%x" % (address - TEXT, len(now))
        there = bytes.fromhex(self.gdb(b"m" + where).decode())
        # A kernel on one CPU has replaced its lock prefixes (0xf0) by 0x3e.
        then = bytearray(then)
        if there != now and now[0] == 0xf0 and there[0] == 0x3e and there[1:] == now[1:]:
            then[0] = 0x3e if then[0] == 0xf0 else then[0]
        elif there != now:
            raise ValueError(f"{address:x} has {there.hex()}, not {now.hex()}")
        if self.gdb(b"M" + where + b":" + then.hex().encode()) != b"OK" or self.gdb(b"m" + where).decode() != then.hex():
            raise ValueError("the change is refused")
        self.gdb(b"D")
        self.debugger.close()

    def frames(self):
        """Takes what the guest has sent: the text of its frames."""
        path = self.own / "direct"
        if path.exists():
            with path.open("rb") as f:
                f.seek(self.at)
                data = f.read()
            self.at += len(data)
            self.rest += data
        # A kernel without ioperm(2), such as build.sh's, sends them by the serial port.
        try:
            self.rest += self.port.recv(1 << 20, socket.MSG_DONTWAIT)
        except BlockingIOError:
            pass
        while (m := re.match(rb"RSSCK (\w+) (\d+) [0-9a-f]{8}\n", self.rest)) and len(self.rest) >= m.end() + int(m.group(2)):
            end = m.end() + int(m.group(2))
            if m.group(1) == b"text":
                self.text += self.rest[m.end():end]
            elif m.group(1) in (b"error", b"fail"):
                self.errors_seen += self.rest[m.end():end]
            self.rest = self.rest[end:]

    def wait(self, seconds, pattern=rb"(?:^|\n)@(\w+)\n"):
        """(text, status); (text, None): the guest has ended, or does not answer."""
        end = time.time() + seconds
        while time.time() < end:
            ended = self.process.poll() is not None
            self.frames()
            found = re.search(pattern, self.text)
            if found:
                text, self.text = self.text[:found.start()], self.text[found.end():]
                return text, found.group(1).decode()
            if ended:
                break
            time.sleep(0.02)
        return self.text, None

    def say(self, line, seconds):
        self.port.sendall(line.encode() + b"\n")
        return self.wait(seconds)

    def check(self, cases, seconds):
        """{case: result} of rssck check; None: no answer."""
        if self.say(f"run /bin/rssck check --format=json --output=/run/out.json {' '.join(cases)}", seconds)[1] is None:
            return None
        text, status = self.say("cat /run/out.json", 60)
        try:
            return {c["id"]: c for c in json.loads(text)["cases"]} if status == "0" else None
        except ValueError:
            return None

    def close(self):
        self.process.kill()
        self.process.wait()
        self.errors.close()
        shutil.rmtree(self.own, ignore_errors=True)


def save(o):
    """Lets rssck vm say what QEMU is given, copies its files, boots, and saves."""
    o.folder.mkdir(parents=True, exist_ok=True)
    shim = o.folder / "shim"
    shim.write_text(f'#!/bin/sh\n[ "$1" != -device ] || exec qemu-system-x86_64 "$@"\nexec {sys.executable} {__file__} words {o.folder} "$@"\n')
    shim.chmod(0o755)
    modules = [f"--modules={o.modules}"] if o.modules else []
    subprocess.run([o.rssck, "vm", f"--kernel={o.kernel}", f"--cpus={o.cpus}", *modules], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   check=False, env=os.environ | {"RSSCK_QEMU": str(shim), "RSSCK_ACCEL": "tcg"})
    agent = o.folder / "agent"
    subprocess.run(["gcc", "-O1", "-static", "-o", agent, HERE / "agent.c"], check=True)
    shutil.copyfile(o.list, o.folder / "list.tsv")
    addresses = sorted({r[3] for r in rows(o.list)})
    more = cpio([("agent", 0o100755, agent.read_bytes()),
                 ("one", 0o100644, b"1\n"),
                 ("probes", 0o100644, "".join(f"p:mutant/a{a} 0x{a}\n" for a in addresses).encode())])
    with (o.folder / "initrd").open("ab") as f:
        f.write(b"\0" * (-f.tell() % 512) + more)
    guest = Guest(o.folder)
    try:
        if guest.wait(300)[1] != "ready":
            sys.exit(f"saved.py: the guest did not start: {guest.errors_seen!r} {(guest.own / 'errors').read_text()}")
        time.sleep(3)
        guest.ask("stop")
        guest.ask("migrate", uri=f"exec:cat >{o.folder}/state")
        while guest.ask("query-migrate").get("status") not in ("completed", "failed"):
            time.sleep(0.1)
        print(f"{(o.folder / 'state').stat().st_size >> 20} MiB")
    finally:
        guest.close()


def words(folder, given):
    """What stands in for QEMU while rssck vm is asked for its words."""
    given = ["qemu-system-x86_64", *given]
    for i, word in enumerate(given):
        path = re.search(r"/proc/self/fd/\d+", word)
        if not path or word.startswith("file,"):
            continue
        name = "initrd" if given[i - 1] == "-initrd" else re.search(r"id=(\w+)", word).group(1)
        shutil.copyfile(path.group(), folder / name)
        given[i] = word.replace(path.group(), str(folder / name))
    # QEMU cannot save an nvme; the guest has the same disks on virtio.
    nvme = {i + n for i, word in enumerate(given) if word.startswith("nvme,") or re.search(r"id=\w+0,file", word) for n in (-1, 0)}
    given = [word for i, word in enumerate(given) if i not in nvme]
    given[-1] += " nokaslr rdinit=/agent"
    given[1:1] = ["-chardev", "file,id=places,path=places", "-device", "isa-debugcon,iobase=0x5e8,chardev=places"]
    (folder / "words.json").write_text(json.dumps(given))


def counts(guest):
    text, _ = guest.say(f"cat {COUNTS}", 60)
    return {m.group(1).decode(): int(m.group(2)) for m in re.finditer(rb"^\s*a([0-9a-f]+)\s+(\d+)", text, flags=re.M)}


def groups_of(o, done):
    """Those of FIRST alone, since they notice most; the others with some of their folder, since each check measures the kernel first."""
    listed = subprocess.run([o.rssck, "check", "--list", *o.cases], capture_output=True, text=True, check=True).stdout.splitlines()
    groups = [[case] for case in FIRST]
    for case in (line.split()[0] for line in listed):
        if case in FIRST:
            continue
        if len(groups[-1]) == o.group or groups[-1][0] in FIRST or groups[-1][0].split("/")[0] != case.split("/")[0]:
            groups.append([])
        groups[-1].append(case)
    return [g for g in groups if not done & set(g)]


def probed(o):
    guest = Guest(o.folder, o.folder / "state")
    guest.loaded()
    guest.ask("cont")
    print(f"{guest.say(f'put {PROBES} /probes', 300)[1]} kprobes are refused", flush=True)
    guest.say("put /sys/kernel/tracing/events/mutant/enable /one", 60)
    return guest, counts(guest)


def reach(o):
    done = {case for r in rows(o.out) for case in f"{r[0]} {r[2]}".split()} if o.out.exists() else set()
    guest = None
    for group in groups_of(o, done):
        if not guest:
            guest, before = probed(o)
        start = time.time()
        results = guest.check(group, 300)
        seconds = time.time() - start
        there = counts(guest) if results else before
        passed = [c for c in group if results and results[c]["verdict"] == "pass"]
        others = [c for c in group if c not in passed]
        with o.out.open("a") as out:
            out.write(f"{' '.join(passed)}\t{seconds:.1f}\t{' '.join(others)}\t"
                      f"{' '.join(f'{a}={n - before.get(a, 0)}' for a, n in there.items() if n > before.get(a, 0))}\n")
        before = there
        if results is None:
            guest.close()
            guest = None
    if guest:
        guest.close()


def order(reach_rows, powers, address):
    """The groups that come to ADDRESS (None: all): FIRST, then those that come there most often in a second and have noticed most."""
    found = []
    for cases, seconds, _, places in reach_rows:
        times = dict(p.split("=") for p in places.split())
        cases = cases.split()
        if not cases or (address and address not in times):
            continue
        power = 1 + sum(powers.get(case, 0) for case in cases)
        rank = FIRST.index(cases[0]) if cases[0] in FIRST else len(FIRST)
        found.append((rank, -power * int(times.get(address, 1)) / float(seconds), float(seconds), cases))
    return [(seconds, cases) for _, _, seconds, cases in sorted(found)]


def judge(results):
    failed = [c for c, r in results.items() if r["verdict"] == "fail"]
    if failed:
        return "noticed", " ".join(failed)
    once = [c for c, r in results.items() if r["verdict"] == "error" and "fail" in [t["verdict"] for t in r.get("tries", [])]]
    return ("once", " ".join(once)) if once else ("quiet", "")


def run_one(o, row, groups):
    guest = Guest(o.folder, o.folder / "state")
    verdict, case, spent, ran, skipped = "quiet", "", 0, 0, []
    try:
        guest.loaded()
        if row:
            guest.change(int(row[3], 16), bytes.fromhex(row[7]), bytes.fromhex(row[8]))
        guest.ask("cont")
        for seconds, cases in groups:
            if spent > o.most:
                skipped.append("others of its cases: no time")
                break
            start = time.time()
            results = guest.check(cases, 120 + 12 * seconds)
            spent += time.time() - start
            if results is None:
                console = (guest.own / "console").read_text(errors="replace").strip().split("\n") if (guest.own / "console").exists() else []
                said = [line for line in console if re.search("BUG|Oops|panic|WARNING", line)]
                return "died", f"{' '.join(cases)[:200]} | {said[0] if said else 'no answer'}"
            ran += len(cases)
            skipped += [f"{c}: {r.get('reason')}" for c, r in results.items() if r["verdict"] in ("skip", "error")]
            found, which = judge(results)
            if found == "noticed":
                return found, which
            if found == "once":
                verdict, case = found, which
    finally:
        guest.close()
    return verdict, case or f"({ran} cases{'; not judged: ' if skipped else ''}{'; '.join(skipped)})"


def run(o):
    table = {int(r[0]): r for r in rows(o.folder / "list.tsv")}
    reach_rows = rows(o.reach)
    done = {r[0] for r in rows(o.out) if r[3] != "unreached"} if o.out.exists() else set()
    powers = {}
    for r in rows(o.out) if o.out.exists() else []:
        if r[3] == "noticed":
            for case in r[5].split():
                powers[case] = powers.get(case, 0) + 1
    stop = time.time() + o.until if o.until else None
    for word in o.numbers:
        number, _, like = word.partition(":")
        if word in done and word[0] != "0":
            continue
        if stop and time.time() > stop:
            sys.exit("saved.py: the time is up")
        row = table.get(int(number))
        place = table[int(like)][3] if like else row[3] if row else None
        groups = order(reach_rows, powers, place)
        start = time.time()
        verdict, case = ("unreached", "") if not groups else run_one(o, row, groups)
        for name in case.split() if verdict == "noticed" else []:
            powers[name] = powers.get(name, 0) + 1
        with o.out.open("a") as out:
            name, operator = (row[2], row[4]) if row else ("control", "")
            out.write(f"{word}\t{name}\t{operator}\t{verdict}\t{time.time() - start:.0f}\t{case}\n")


def main():
    if sys.argv[1:2] == ["words"]:
        words(Path(sys.argv[2]), sys.argv[3:])
        sys.exit(1)
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = p.add_subparsers(required=True)
    a, b, c = (commands.add_parser(f.__name__) for f in (save, reach, run))
    for parser, function in ((a, save), (b, reach), (c, run)):
        parser.set_defaults(function=function)
        parser.add_argument("--rssck", default="./rssck")
        parser.add_argument("folder", type=Path)
    a.add_argument("--kernel", required=True)
    a.add_argument("--list", required=True, type=Path)
    a.add_argument("--modules")
    a.add_argument("--cpus", default="1")
    b.add_argument("--out", required=True, type=Path)
    b.add_argument("--group", type=int, default=6, help="so many cases in one check")
    b.add_argument("cases", nargs="*")
    c.add_argument("--out", required=True, type=Path)
    c.add_argument("--reach", required=True, type=Path)
    c.add_argument("--most", type=float, default=60, help="seconds of cases for one mutant")
    c.add_argument("--until", type=float, help="seconds: start none after that")
    c.add_argument("numbers", nargs="+")
    o = p.parse_args()
    o.folder = o.folder.resolve()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    o.function(o)


if __name__ == "__main__":
    main()
