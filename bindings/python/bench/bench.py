"""Times the package beside protego, urllib.robotparser and, if it is installed, reppy: the same questions, in one run.

    pip install . protego && python bindings/python/bench/bench.py

ROBOTRULES_CORPUS, ROBOTRULES_CONFORMANCE: the files and the questions, as bench/README.md says; without them, files and
questions are generated from a fixed seed.
ROUNDS: passes of each way (default 5); the table has medians. FILES: only the first so many files.

Before anything is timed, all answer every question. Each peer gets the questions that it answers as robotrules does;
the others are counted and left out of its pairs. The passes of all ways are interleaved, so a busy machine slows them
alike, and a ratio is the median of the pairs.

compiled: the questions of one file, 16 times, then those of the next file.
cold: each question once, in the order of the table. Most of this time is spent waiting for memory.
links: about 1,000 URLs for each of about 20 files, as a crawler asks about the links of a site.
from bytes: a file is parsed for one question.
"""
import operator
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
AGAIN = 16  # times that a question is asked in a pass of "compiled"
LINKS = 1_000  # URLs for each file of "links"
LINK_FILES = 20
ROBOT = "FooBot"  # that asks them
ALLOWED = operator.attrgetter("allowed")


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


# Each peer makes its object from a file, has a method that answers a question, and passes it (agent, URL) or (URL, agent).
PEERS = {
    "protego": (lambda file: protego.Protego.parse(file.text), "can_fetch", lambda agent, url: (url, agent)),
    "urllib.robotparser": (
        lambda file: robotparser_of(urllib.robotparser.RobotFileParser, file),
        "can_fetch",
        lambda agent, url: (agent, url),
    ),
}
if reppy is not None:
    PEERS["reppy"] = (
        lambda file: reppy.robots.Robots.parse(f"{file.origin}/robots.txt", file.text),
        "allowed",
        lambda agent, url: (url, agent),
    )


def select(files):
    """Keeps, for each peer, the questions that it answers as robotrules does. Returns the number of questions."""
    asked = 0
    urls = [url for file in files for _, url in file.questions]
    paths = ["/" + url.split("/", 3)[3] for url in urls[:: max(1, len(urls) // LINKS)]]
    for number, file in enumerate(files):
        file.ours = {agent: Rules.compile(file.body, agent) for agent in {ROBOT, *(agent for agent, _ in file.questions)}}
        file.drop_ins = {
            "protego": robotrules.protego.Protego.parse(file.body),
            "urllib.robotparser": robotparser_of(robotrules.robotparser.RobotFileParser, file),
        }
        answers = [file.ours[agent].allowed(url) for agent, url in file.questions]
        asked += len(answers)
        has_links = number % max(1, len(files) // LINK_FILES) == 0
        links = [file.origin + path for path in paths] if has_links else []
        for name, (make, method, order) in PEERS.items():
            ask = getattr(make(file), method)
            kept = [q for q, answer in zip(file.questions, answers) if ask(*order(*q)) == answer]
            same = [url for url in links if ask(*order(ROBOT, url)) == file.ours[ROBOT].allowed(url)]
            setattr(file, f"{name} ask", ask)
            setattr(file, f"{name} kept", kept)
            setattr(file, f"{name} questions", [order(*q) for q in kept])
            setattr(file, f"{name} pairs", [(file.ours[agent], url) for agent, url in kept])
            setattr(file, f"{name} link questions", [order(ROBOT, url) for url in same])
            setattr(file, f"{name} links", same)
        for (agent, url), answer in zip(file.questions, answers):
            assert file.drop_ins["protego"].can_fetch(url, agent) == answer, (file.origin, agent, url)
    return asked


def ways_of(name):
    """Returns the ways to answer the questions of a peer: {title: pass}. A pass returns how many URLs are allowed."""
    make, method, _ = PEERS[name]

    def peer(files, times=1, questions=f"{name} questions"):
        return sum(ask(one, other) for file in files for ask in (getattr(file, f"{name} ask"),)
                   for _ in range(times) for one, other in getattr(file, questions))

    def allowed(files, times=1):
        return sum(rules.allowed(url) for file in files
                   for _ in range(times) for rules, url in getattr(file, f"{name} pairs"))

    def check(files, times=1):
        return sum(rules.check(url).allowed for file in files
                   for _ in range(times) for rules, url in getattr(file, f"{name} pairs"))

    def allowed_many(files):
        return sum(sum(file.ours[ROBOT].allowed_many(getattr(file, f"{name} links"))) for file in files)

    def check_many(files):
        return sum(sum(map(ALLOWED, file.ours[ROBOT].check_many(getattr(file, f"{name} links")))) for file in files)

    def bytes_peer(files):
        return sum(getattr(make(file), method)(*question) for file in files
                   for question in getattr(file, f"{name} questions")[:1])

    def bytes_ours(files):
        return sum(Rules.compile(file.body, agent).allowed(url) for file in files
                   for agent, url in getattr(file, f"{name} kept")[:1])

    return {
        f"compiled: {name}": lambda files: peer(files, AGAIN),
        "compiled: Rules.check": lambda files: check(files, AGAIN),
        "compiled: Rules.allowed": lambda files: allowed(files, AGAIN),
        f"cold: {name}": peer,
        "cold: Rules.check": check,
        "cold: Rules.allowed": allowed,
        f"links: {name}": lambda files: peer(files, 1, f"{name} link questions"),
        "links: Rules.check_many": check_many,
        "links: Rules.allowed_many": allowed_many,
        f"from bytes: {name}": bytes_peer,
        "from bytes: Rules.compile": bytes_ours,
    }


def measure(name, files):
    """Prints the table of one peer."""
    ways = ways_of(name)
    asked = sum(len(getattr(file, f"{name} questions")) for file in files)
    counts = {"compiled": asked * AGAIN, "cold": asked,
              "links": sum(len(getattr(file, f"{name} links")) for file in files),
              "from bytes": sum(bool(getattr(file, f"{name} questions")) for file in files)}
    files_of = {kind: [file for file in files if kind != "links" or getattr(file, f"{name} links")] for kind in counts}
    times = {title: [] for title in ways}
    expected = {}
    for turn in range(-1, ROUNDS):  # the first one warms up
        for title, way in ways.items():
            kind = title.split(":")[0]
            begin = time.process_time_ns()
            allowed = way(files_of[kind])
            took = time.process_time_ns() - begin
            if expected.setdefault(kind, allowed) != allowed:
                raise SystemExit(f"{title}: {allowed} are allowed, not {expected[kind]}")
            if turn >= 0:
                times[title].append(took / counts[kind])
    print(f"\n{name}: {asked} questions and {counts['links']} links have the same answers")
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
