"""The questions of Rules, which two classes called RulesBase answer: one in C, one in Python (cffi_alone.py)."""
import contextlib
import copy
import gc
import inspect
import itertools
import pydoc
import signal
import sys
import time
import unittest
import weakref

from robotrules import Rules
from robotrules import _rules_base

FILE = "User-agent: *\n" + "".join(f"Disallow: /{i}\n" for i in range(9))
QUESTIONS = ("check", "allowed", "check_many", "allowed_many")


class Bytes(bytes):
    pass


class Str(str):
    pass


URLS = ["/", "", b"/1", bytearray(b"/2"), memoryview(b"/3"), "/4\u00e4", "/5\ud800", "/6\udcff", Bytes(b"/7"), Str("/8"),
        "/\0", "/" + "a" * 100_000, *(f"/{i}" for i in range(9))]


class Interface(unittest.TestCase):
    def test_the_base_is_the_one_that_is_tested(self):
        module = "robotrules._rules_base" if "cffi_alone" in sys.modules else "robotrules._native"
        self.assertEqual([(base.__module__, base.__name__) for base in Rules.__mro__[1:2]], [(module, "RulesBase")])

    def test_help_and_signatures_are_those_of_the_base_in_python(self):
        for name in QUESTIONS:
            there, here = getattr(_rules_base.RulesBase, name), getattr(Rules, name)
            self.assertEqual(inspect.getdoc(here), inspect.getdoc(there))
            self.assertEqual(list(inspect.signature(here).parameters), list(inspect.signature(there).parameters))
            self.assertIn(inspect.getdoc(there).splitlines()[0], pydoc.render_doc(Rules))

    def test_an_argument_has_a_name(self):
        rules = Rules.compile(FILE, "FooBot")
        self.assertEqual((rules.check(url="/1").line, rules.allowed(url="/1")), (3, False))
        self.assertEqual((rules.check_many(urls=["/1"])[0].line, rules.allowed_many(urls=["/1"])), (3, [False]))

    def test_a_wrong_number_of_arguments_is_a_type_error(self):
        rules = Rules.compile("", "FooBot")
        for ask in map(rules.__getattribute__, QUESTIONS):
            for call in (lambda: ask(), lambda: ask("/", "/"), lambda: ask(link="/"), lambda: ask("/", url="/")):
                with self.assertRaises(TypeError):
                    call()

    def test_all_questions_have_one_answer(self):
        for dialect in ("rfc9309", "google", "www-robotrules"):
            rules = Rules.compile(FILE, "FooBot", dialect, url="http://foo.bar/robots.txt")
            verdicts = [rules.check(url) for url in URLS]
            for _ in range(2):  # the verdicts are known the second time
                self.assertEqual([rules.check(url) for url in URLS], verdicts)
                self.assertEqual(rules.check_many(URLS), verdicts)
                self.assertEqual(rules.check_many(iter(URLS)), verdicts)
                self.assertEqual([rules.allowed(url) for url in URLS], [verdict.allowed for verdict in verdicts])
                self.assertEqual(rules.allowed_many(tuple(URLS)), [verdict.allowed for verdict in verdicts])
            self.assertIs(rules.check("/1"), rules.check("/1?x"))

    def test_a_verdict_says_its_own_reason_whatever_was_asked_before(self):
        file = "User-agent: *\n" + "".join(f"Disallow: /{i}\nAllow: /{i}*{j}\n" for i in range(40) for j in (1, 2))
        urls = [f"/{i}{rest}" for i in range(40) for rest in ("", "1", "2", "x1", "12")] + ["/robots.txt", "/"]
        rules = Rules.compile(file, "FooBot")
        for order in (urls, urls[::-1], urls[::7]):
            for url in order:
                self.assertEqual(rules.check(url), Rules.compile(file, "FooBot").check(url), url)

    def test_a_subclass_answers_and_is_copied_as_rules_are(self):
        class Kept(Rules):
            pass

        rules = Kept.compile(FILE, "FooBot")
        rules.note = "x"
        self.assertEqual((rules.allowed("/1"), rules.check("/1").line, rules.note), (False, 3, "x"))
        self.assertIs(copy.deepcopy(rules), rules)
        with self.assertRaises(TypeError):
            Kept()

    def test_an_object_has_its_rules_once(self):
        rules = Rules.compile(FILE, "FooBot")
        if "cffi_alone" not in sys.modules:
            with self.assertRaises(AttributeError):
                rules._handle = None
            with self.assertRaises(RuntimeError):
                rules._bind(None, 1, 1, {})
        self.assertFalse(rules.allowed("/1"))


class Objects(unittest.TestCase):
    def test_questions_leave_no_objects(self):
        rules = Rules.compile(FILE, "FooBot")

        def ask(times):
            for _ in range(times):
                for url in URLS:
                    rules.check(url)
                    rules.allowed(url=url)
                rules.check_many(URLS)
                rules.allowed_many(iter(URLS))
                for name, wrong in itertools.product(QUESTIONS, (None, [None], ["/", 5])):
                    with contextlib.suppress(TypeError):
                        getattr(rules, name)(wrong)
                Rules.compile(FILE, "FooBot").check("/1")
            gc.collect()
            return sys.getallocatedblocks()

        ask(20)
        before = ask(20)
        self.assertLess(ask(200) - before, 100)

    def test_answers_take_no_references(self):
        rules = Rules.compile(FILE, "FooBot")
        url, verdict = "".join(["/", "1"]), rules.check("/1")
        before = sys.getrefcount(url), sys.getrefcount(verdict), sys.getrefcount(rules), sys.getrefcount(Rules)
        for _ in range(1000):
            rules.allowed(url)
            self.assertIs(rules.check(url), verdict)
            rules.allowed_many([url])
            rules.check_many([url, "/2", "/3", "/4", "/5"])
            Rules.compile(FILE, "FooBot")
        after = sys.getrefcount(url), sys.getrefcount(verdict), sys.getrefcount(rules), sys.getrefcount(Rules)
        for one, other in zip(before, after):
            self.assertLess(abs(one - other), 5)

    def test_a_cycle_through_a_verdict_is_collected(self):
        for asked in (["/1"], ["/1", "/1"]):  # the second time, the verdict is found among the last ones
            rules = Rules.compile(FILE, "FooBot")
            verdicts = [rules.check(url) for url in asked]
            object.__setattr__(verdicts[0], "rules", rules)
            ended = weakref.ref(rules)
            del rules, verdicts
            gc.collect()
            self.assertIsNone(ended())


class Interruptions(unittest.TestCase):
    def test_a_signal_ends_many_questions(self):
        class Ended(Exception):
            pass

        def end(*_):
            raise Ended

        rules = Rules.compile(FILE, "FooBot")
        before = signal.signal(signal.SIGALRM, end)
        begin = time.monotonic()
        try:
            for ask in (rules.check_many, rules.allowed_many):
                with self.assertRaises(Ended):
                    signal.setitimer(signal.ITIMER_REAL, 0.01)
                    ask(itertools.repeat("/1", 100_000_000))  # takes more than 10 s
                self.assertLess(time.monotonic() - begin, 5)
        finally:
            signal.signal(signal.SIGALRM, before)

    def test_an_iterable_may_ask_and_change_what_is_asked(self):
        rules = Rules.compile(FILE, "FooBot")
        urls = ["/", "/1"]

        def asking():
            for url in urls[:]:
                urls.clear()
                self.assertEqual(rules.allowed_many([url, "/2"])[1], False)
                yield url

        self.assertEqual(rules.allowed_many(asking()), [True, False])


if __name__ == "__main__":
    unittest.main()
