#!/usr/bin/env python3
"""The figures that matter from a run of the benchmarks, as ratios, beside what they are to reach.

Usage: bench_summary.py [RESULTS.json]     (default: build/bench/results.json under the project)
Exit status 0 when every target is reached, 1 when one is missed, 2 when the results cannot be read.
"""
import json
import pathlib
import statistics
import sys

DEFAULT = pathlib.Path(__file__).resolve().parent.parent / "build" / "bench" / "results.json"
TO_NS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


class Results:
    """Medians over the repetitions of each benchmark."""

    def __init__(self, path):
        with open(path) as stream:
            report = json.load(stream)
        self.context = report["context"]
        self.runs = {}
        for run in report["benchmarks"]:
            if run.get("run_type", "iteration") == "iteration" and not run.get("error_occurred"):
                name = run.get("run_name", run["name"]).split("/iterations:")[0]
                self.runs.setdefault(name, []).append(run)

    def has(self, name):
        return name in self.runs

    def nanoseconds(self, name):
        return statistics.median(run["cpu_time"] * TO_NS[run["time_unit"]] for run in self.runs[name])

    def counter(self, name, key):
        return statistics.median(run[key] for run in self.runs[name])

    def largest(self, name, key):
        return max(run[key] for run in self.runs[name])


def figures(results):
    """(what, value, unit, target, "least" or "most") for all that was run."""

    def speed(task, share):
        if results.has(task) and results.has("scan/newlines"):
            ratio = results.counter(task, "bytes_per_second") / results.counter("scan/newlines", "bytes_per_second")
            yield f"{task} / scan/newlines", ratio, "x", share, "least"

    def at_most(name, unit_ns, unit, target):
        if results.has(name):
            yield name, results.nanoseconds(name) / unit_ns, unit, target, "most"

    def held(name, key, target):
        if results.has(name):
            yield f"{name} {key}", results.counter(name, key), "x", target, "most"

    for suffix in ("", "_rfc9309"):
        yield from speed("parse/document" + suffix, 0.3)
        yield from speed("rules/one_agent" + suffix, 0.4)
        yield from at_most("oneshot/question" + suffix, 1e3, "us", 2)
        yield from at_most("match/url" + suffix, 1, "ns", 50)
        yield from at_most("match/url_cold" + suffix, 1, "ns", 100)
        few, many = "many_rules/100" + suffix, "many_rules/100000" + suffix
        if results.has(few) and results.has(many):
            yield f"{many} / {few}", results.nanoseconds(many) / results.nanoseconds(few), "x", 2, "most"
        yield from held("rules/one_agent" + suffix, "memory_per_rule_byte", 1.5)
        yield from held("parse/document" + suffix, "memory_per_file_byte", 8)
        yield from held("parse/document" + suffix, "memory_per_file_byte_worst", 8)
    for task in ("parse/document", "rules/one_agent", "oneshot/question", "match/url", "match/url_cold",
                 "many_rules/100", "many_rules/1000", "many_rules/10000", "many_rules/100000"):
        for preset in ("www-robotrules", "robotstxt-rb", "original-1994", "draft-1996"):
            legacy = f"{task}_{preset}"
            if results.has(task) and results.has(legacy):
                yield f"{legacy} / {task}", results.nanoseconds(legacy) / results.nanoseconds(task), "x", 2, "most"
    for name in sorted(results.runs):
        if name.startswith("worst/"):
            limit = 1 if "/stars_" in name else 200
            yield name + " max_ms", results.largest(name, "max_ms"), "ms", limit, "most"
    if results.has("fetch/hosts_10000"):
        memory = results.largest("fetch/hosts_10000", "memory_per_host") / 1e3
        yield "fetch/hosts_10000 memory a host beyond libcurl's", memory, "KB", 40, "most"
        yield "fetch/hosts_10000 pages that failed", results.largest("fetch/hosts_10000", "failed"), "", 0, "most"
    if results.has("lines/marks") and results.has("lines/marks_plain"):
        gain = results.nanoseconds("lines/marks_plain") / results.nanoseconds("lines/marks")
        yield "lines/marks, faster than its plain twin", gain, "x", 1, "least"


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else DEFAULT
    try:
        results = Results(path)
    except (OSError, ValueError, KeyError) as problem:
        print(f"bench_summary: {path}: {problem}; `make bench` writes it", file=sys.stderr)
        return 2
    context = results.context
    print(f"{context.get('processor', '?')}, {context.get('compiler', '?')}, load {context.get('load_at_start', '?')}, "
          f"{context.get('corpus', '?')}, optimised: {context.get('optimised', '?')}, assertions: {context.get('assertions', '?')}")
    missed = 0
    for what, value, unit, target, way in figures(results):
        reached = value >= target if way == "least" else value <= target
        missed += not reached
        print(f"{'ok    ' if reached else 'MISSED'} {what:55} {value:10.3f} {unit:3} (at {way} {target} {unit})")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
