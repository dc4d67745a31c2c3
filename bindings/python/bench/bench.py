"""Times the package beside protego, urllib.robotparser and, if it is installed, reppy: the same questions, in one run.

    pip install . protego && python bindings/python/bench/bench.py

ROBOTRULES_CORPUS, ROBOTRULES_CONFORMANCE: the files and the questions, as bench/README.md says; without them, files and
questions are generated from a fixed seed.
ROUNDS: passes of each way (default 5); the table has medians. FILES: only the first so many files.

Before anything is timed, all answer every question. Each peer gets the questions that it answers as robotrules does;
the others are counted and left out of its pairs. The passes of all ways are interleaved, so a busy machine slows them
alike, and a ratio is the median of the pairs.
"""
import os
import pathlib
import platform
import random
import statistics
import time
import urllib.robotparser

import protego

import robotrules
import robotrules.protego
import robotrules.robotparser
from robotrules import Rules

try:
    import reppy.robots
except ImportError:
    reppy = None

ROUNDS = int(os.environ.get("ROUNDS", "5"))


class File:
    """A robots.txt with its questions, as (agent, URL)."""

    def __init__(self, origin, body, questions):
        self.origin = origin
        self.body = body
        self.text = body.decode("utf-8", "replace")
        self.questions = questions


def recorded(corpus, table):
    """Returns the real files with their questions."""
    files = {}
    for row in table.read_text(encoding="utf-8").split("\n")[1:]:
        if row:
            host, agent, url = row.split("\t")[:3]
            if host not in files:
                files[host] = File(f"https://{host}", (corpus / host).read_bytes(), [])
            files[host].questions.append((agent, url))
    return list(files.values())


def generated():
    """Returns files of the usual sizes, with few groups and some wildcards, from a fixed seed."""
    draw = random.Random(1)
    words = "search cart admin user private tmp api page tag feed login media".split()

    def path():
        start = "/" + "/".join(draw.choices(words, k=draw.randint(1, 3)))
        return start if draw.randrange(4) else start + "/*?q="

    files = []
    for number in range(2000):
        agents = ["*", "Googlebot", "Bingbot", "GPTBot"][: draw.randint(1, 4)]
        groups = []
        for agent in agents:
            kinds = draw.choices(("Disallow", "Allow"), (3, 1), k=draw.randint(2, 40))
            rules = (f"{kind}: {path()}\n" for kind in kinds)
            groups.append(f"User-agent: {agent}\n{''.join(rules)}")
        origin = f"https://host{number}.example"
        questions = [(draw.choice(("FooBot", "Googlebot")), f"{origin}{path()}") for _ in range(12)]
        files.append(File(origin, "\n".join(groups).encode(), questions))
    return files


def robotparser_of(kind, file):
    parser = kind()
    parser.parse(file.text.splitlines())
    return parser


# Each way makes its object from a file and answers a question: (make, ask). A peer and ours are compared by the group.
PEERS = {
    "protego": (lambda file: protego.Protego.parse(file.text), lambda parsed, agent, url: parsed.can_fetch(url, agent)),
    "urllib.robotparser": (
        lambda file: robotparser_of(urllib.robotparser.RobotFileParser, file),
        lambda parsed, agent, url: parsed.can_fetch(agent, url),
    ),
}
if reppy is not None:
    PEERS["reppy"] = (
        lambda file: reppy.robots.Robots.parse(f"{file.origin}/robots.txt", file.text),
        lambda parsed, agent, url: parsed.allowed(url, agent),
    )


def select(files):
    """Keeps, for each peer, the questions that it answers as robotrules does. Returns the number of questions."""
    asked = 0
    for file in files:
        file.ours = {agent: Rules.compile(file.body, agent) for agent, _ in file.questions}
        file.drop_ins = {
            "protego": robotrules.protego.Protego.parse(file.body),
            "urllib.robotparser": robotparser_of(robotrules.robotparser.RobotFileParser, file),
        }
        answers = [file.ours[agent].allowed(url) for agent, url in file.questions]
        asked += len(answers)
        for name, (make, ask) in PEERS.items():
            parsed = make(file)
            setattr(file, name, parsed)
            kept = [q for q, answer in zip(file.questions, answers) if ask(parsed, *q) == answer]
            setattr(file, f"{name} questions", kept)
            setattr(file, f"{name} pairs", [(file.ours[agent], url) for agent, url in kept])
        for (agent, url), answer in zip(file.questions, answers):
            assert file.drop_ins["protego"].can_fetch(url, agent) == answer, (file.origin, agent, url)
    return asked


def ways_of(name):
    """Returns the ways to answer the questions of a peer: {title: pass}. A pass returns how many URLs are allowed."""
    make, ask = PEERS[name]
    questions, pairs = f"{name} questions", f"{name} pairs"

    def compiled_peer(files):
        return sum(ask(parsed, agent, url) for file in files for parsed in (getattr(file, name),)
                   for agent, url in getattr(file, questions))

    def compiled_allowed(files):
        return sum(rules.allowed(url) for file in files for rules, url in getattr(file, pairs))

    def compiled_check(files):
        return sum(rules.check(url).allowed for file in files for rules, url in getattr(file, pairs))

    def bytes_peer(files):
        return sum(ask(make(file), agent, url) for file in files for agent, url in getattr(file, questions)[:1])

    def bytes_ours(files):
        return sum(Rules.compile(file.body, agent).allowed(url) for file in files
                   for agent, url in getattr(file, questions)[:1])

    return {
        f"compiled: {name}": compiled_peer,
        "compiled: Rules.check": compiled_check,
        "compiled: Rules.allowed": compiled_allowed,
        f"from bytes: {name}": bytes_peer,
        "from bytes: Rules.compile": bytes_ours,
    }


def measure(name, files):
    """Prints the table of one peer."""
    ways = ways_of(name)
    counts = {"compiled": sum(len(getattr(file, f"{name} questions")) for file in files),
              "from bytes": sum(bool(getattr(file, f"{name} questions")) for file in files)}
    times = {title: [] for title in ways}
    expected = {}
    for turn in range(-1, ROUNDS):  # the first one warms up
        for title, way in ways.items():
            begin = time.process_time_ns()
            allowed = way(files)
            took = time.process_time_ns() - begin
            kind = title.split(":")[0]
            if expected.setdefault(kind, allowed) != allowed:
                raise SystemExit(f"{title}: {allowed} are allowed, not {expected[kind]}")
            if turn >= 0:
                times[title].append(took / counts[kind])
    print(f"\n{name}: {counts['compiled']} questions have the same answers")
    for title, list_ in times.items():
        peer = times[f"{title.split(':')[0]}: {name}"]
        ratio = statistics.median(theirs / ours for theirs, ours in zip(peer, list_))
        print(f"{title:34} {statistics.median(list_):12,.0f} ns a question {ratio:8.1f} x {name}")


def main():
    corpus, table = os.environ.get("ROBOTRULES_CORPUS"), os.environ.get("ROBOTRULES_CONFORMANCE")
    real = corpus and table
    files = recorded(pathlib.Path(corpus), pathlib.Path(table) / "corpus.tsv") if real else generated()
    files = files[: int(os.environ.get("FILES", len(files)))]
    asked = select(files)
    print(f"CPython {platform.python_version()}, robotrules {robotrules.__version__}, load {os.getloadavg()[0]:.1f}")
    kind = "real" if real else "generated"
    print(f"{len(files)} {kind} files, {asked} questions; processor time, medians of {ROUNDS} passes")
    for name in PEERS:
        measure(name, files)


if __name__ == "__main__":
    main()
