"""Handles live as long as an object that can use them, also if the garbage collector ends both.

The collector calls the finalizers of a cycle one after the other. Each test is a process of its own: a handle that is
used after its end kills it, or gives a wrong answer.
"""
import subprocess
import sys
import unittest

# The handle is older than the object that uses it, so the collector comes to the handle first.
CYCLE = ("import cffi_alone\n" if "cffi_alone" in sys.modules else "") + """\
import gc
from robotrules import RobotRules, RobotsTxt, Rules, open_store
from robotrules.protego import Protego
from robotrules.robotparser import RobotFileParser

FILE = "User-agent: *\\nDisallow: /x\\nSitemap: http://foo.bar/map.xml\\n"


class User:
    def __init__(self, made, use):
        self.made, self.use, self.me = made, use, self

    def __del__(self):
        print(self.use(self.made))


def made_by(make, use):
    User(make(), use)
    gc.collect()
"""


class Lifetimes(unittest.TestCase):
    def said_by(self, program):
        """Returns the lines that a program prints."""
        run = [sys.executable, "-X", "faulthandler", "-c", CYCLE + program]
        environment = {"PYTHONPATH": ":".join(sys.path)}
        done = subprocess.run(run, env=environment, capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.splitlines()

    def test_a_finalizer_uses_what_its_cycle_has(self):
        answers = {
            'made_by(lambda: Rules.compile(FILE, "F"), lambda rules: (rules.check("/x").line, len(rules)))': "(2, 1)",
            'made_by(lambda: RobotsTxt.parse(FILE), lambda file: len(file.sitemaps + file.groups))': "2",
            'made_by(lambda: Protego.parse(FILE), lambda robots: robots.can_fetch("/x", "F"))': "False",
            'made_by(open_store, lambda store: store.reserve("a").answer)': "granted",
            'made_by(lambda: RobotRules("F"), lambda sites: sites.check("http://foo.bar/x").state)': "unknown",
            'made_by(lambda: open_store().reserve("a"), lambda turn: turn.complete(200))': "None",
        }
        for program, answer in answers.items():
            with self.subTest(program):
                self.assertEqual(self.said_by(program), [answer])

    def test_a_drop_in_that_urllib_has(self):
        program = """\
parser = RobotFileParser()
parser.parse(FILE)
made_by(lambda: globals().pop("parser"), lambda parser: parser.can_fetch("F", "/x"))
"""
        self.assertEqual(self.said_by(program), ["False"])

    def test_an_object_that_a_finalizer_keeps_still_disallows(self):
        program = """\
kept = []
made_by(lambda: Rules.compile(FILE, "F"), kept.append)
print(kept[0].check("/x").line, kept[0].allowed("/x"))
"""
        self.assertEqual(self.said_by(program), ["None", "2 False"])

    def test_a_generator_that_the_collector_closes_completes_its_request(self):
        program = """\
class Item:
    pass

def job(item):
    try:
        yield
    finally:
        item.turn.complete(200)

store = open_store()
for number in range(50):
    item = Item()
    item.turn = store.reserve(f"key {number}")
    item.job = job(item)
    next(item.job)
    del item
    gc.collect()
    state = store.gate(f"key {number}")
    assert (state.in_flight, state.visits) == (0, 1), state
"""
        self.assertEqual(self.said_by(program), [])

    def test_objects_that_live_until_the_interpreter_ends(self):
        program = """\
import sys
rules, store, sites = Rules.compile(FILE, "F"), open_store(), RobotRules("F")
turn = store.reserve("a")

class Last:
    def __del__(self):
        said = self.rules.check("/x").line, self.store.now() > 0, self.turn.complete(200), self.sites.close()
        sys.__stdout__.write(f"{said}\\n")

last = Last()
last.rules, last.store, last.turn, last.sites = rules, store, turn, sites
sys.modules["robotrules.test"] = last
"""
        self.assertEqual(self.said_by(program), ["(2, True, None, None)"])

    def test_the_collector_does_not_know_handles(self):
        program = """\
kinds = {type(thing).__name__ for thing in gc.get_objects()}
made = [Rules.compile(FILE, "F"), RobotsTxt.parse(FILE), RobotRules("F"), open_store().reserve("a")]
print([kind for kind in {type(thing).__name__ for thing in gc.get_objects()} - kinds if "CData" in kind])
"""
        self.assertEqual(self.said_by(program), ["[]"])


if __name__ == "__main__":
    unittest.main()
