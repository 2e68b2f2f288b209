#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""kcidb.py ORIGIN BUILD RESULT.json: converts the output of `rssck check --format=json` to a submission for KernelCI's database.

ORIGIN is the name that KernelCI has given to whoever submits, BUILD the id of the build that was tested, which was
submitted with it or before. Each case is a test, its path rssck.GROUP.NAME, its duration in seconds.
"""
import json
import sys

STATUS = {"pass": "PASS", "fail": "FAIL", "skip": "SKIP", "error": "ERROR"}


def test_of(origin, build, kernel, case):
    test = {
        "id": f"{build}.rssck.{case['id'].replace('/', '.')}",
        "origin": origin,
        "build_id": build,
        "path": "rssck." + case["id"].replace("/", "."),
        "status": STATUS[case["verdict"]],
        "comment": case["claim"],
        "environment": {"misc": kernel},
        "misc": {"facts": case["facts"], "reason": case["reason"]},
    }
    if "duration_ms" in case:
        test["duration"] = case["duration_ms"] / 1000
    return test


def main():
    if len(sys.argv) != 4:
        sys.exit(f"usage: {__doc__}")
    origin, build, path = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        run = json.load(file)
    tests = [test_of(origin, build, run["kernel"], case) for case in run["cases"]]
    for name, model in run["models"].items():
        test = {"id": f"{build}.rssck.lag.{name}", "origin": origin, "build_id": build, "path": f"rssck.lag.{name}",
                "status": "DONE", "misc": model}
        if "batch" in model:
            test["number"] = {"value": model["batch"], "unit": "pages"}
        tests.append(test)
    json.dump({"version": {"major": 5, "minor": 3}, "tests": tests}, sys.stdout, indent=1)


main()
