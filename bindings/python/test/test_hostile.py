"""Inputs and calls that want to break the module: it never crashes, and wrong types are exceptions."""
import copy
import gc
import pickle
import random
import sys
import threading
import time
import unittest
import weakref

from robotrules import (
    DIALECTS, Fetched, RobotRules, RobotRulesError, RobotsTxt, Rules, crawlers, diff, fix, gate_key, lint, robot_name,
    robots_url,
)
from robotrules.protego import Protego
from robotrules.robotparser import RobotFileParser

NOISE = random.Random(1).randbytes(200_000)
FILES = {
    "empty": "",
    "a NUL in every line": "User-agent: *\0\n\0Disallow: /\0x\n\0\0\0\n",
    "only NULs": bytes(100_000),
    "noise": NOISE,
    "noise behind a group": b"User-agent: *\nDisallow: /" + NOISE,
    "UTF-16": b"\xff\xfe" + "User-agent: *\nDisallow: /x\n".encode("utf-16-le"),
    "half a UTF-16 unit": b"\xff\xfe" + "User-agent: *\nDisallow: /x\n".encode("utf-16-le")[:-1],
    "one line of 3 MB": "User-agent: *\nDisallow: /" + "a" * 3_000_000,
    "no line ends": "User-agent: * Disallow: / " * 20_000,
    "50,000 groups": "".join(f"User-agent: bot{i}\nDisallow: /{i}\n" for i in range(50_000)),
    "deep wildcards": f"User-agent: *\nDisallow: /{'*a' * 5_000}$\nDisallow: /{'*' * 20_000}b\n",
    "lone surrogates": "User-agent: *\nDisallow: /\ud800\nDisallow: /\udc00x\nDisallow: /\udcff\n",
    "characters that print badly": "User-agent: \x1b[31m\u202e\nDisallow: /\x07\n",
}
URLS = ("/", "/" + "a" * 3000 + "b", "http://foo.bar/%00%ff%zz", "\0", "/\ud800", b"/\xff\xfe", "", "http://", "%")


class Inputs(unittest.TestCase):
    def test_every_text_is_a_file(self):
        for name, file in FILES.items():
            with self.subTest(name):
                for dialect in DIALECTS:
                    rules = Rules.compile(file, "FooBot", dialect, url="http://foo.bar/robots.txt")
                    for url in URLS:
                        self.assertIn(rules.check(url).access, ("allowed", "disallowed"))
                        rules.explain(url).encode()  # it can be printed
                    str(rules.lines).encode()
                document = RobotsTxt.parse(file)
                str((document.groups[:10], document.sitemaps, document.directives[:10], document.text)).encode()
                self.assertIn(Protego.parse(file).can_fetch("/x", "FooBot"), (True, False))

    def test_lint_fix_diff_and_crawlers_take_hostile_files(self):
        for name in ("empty", "a NUL in every line", "noise behind a group", "UTF-16", "deep wildcards",
                     "lone surrogates"):
            with self.subTest(name):
                str(lint(FILES[name])).encode()
                fix(FILES[name]).text.encode()
                self.assertTrue(diff(FILES[name], FILES[name]).same)
                self.assertGreater(len(crawlers(FILES[name])), 10)

    def test_a_nul_is_a_byte_as_others(self):
        rules = Rules.compile("User-agent: *\nDisallow: /a\0b\n", "Foo\0Bot")
        self.assertIsInstance(rules.allowed("/a\0b"), bool)
        self.assertEqual(Rules.compile("User-agent: *\nDisallow: /x\n", "FooBot").check("/x\0y").line, 2)

    def test_surrogates_mean_the_bytes_that_they_stand_for(self):
        file = b"User-agent: *\nDisallow: /\xff\n"
        for robots in (file, file.decode("utf-8", "surrogateescape")):
            for url in (b"/\xff", "/\udcff", "/%FF"):
                self.assertEqual(Rules.compile(robots, "FooBot").check(url).line, 2)
        rule = Rules.compile(file, "FooBot").check(b"/\xff").rule
        self.assertEqual((rule.pattern, rule.pattern_bytes), ("/\ufffd", b"/\xff"))
        self.assertEqual(Rules.compile("User-agent: *\nDisallow: /\ud800\n", "FooBot").check("/\ud800").line, 2)

    def test_huge_files_are_cut_where_the_dialect_says(self):
        huge = b"User-agent: *\nDisallow: /x\n" + b"# padding\n" * 5_000_000
        self.assertEqual(Rules.compile(huge, "FooBot").check("/x").line, 2)
        document = RobotsTxt.parse(huge)
        self.assertTrue(document.truncated)
        self.assertLessEqual(len(document.text_bytes), 512_000)

    def test_wrong_types_are_type_errors(self):
        rules = Rules.compile("", "FooBot")
        for wrong in (None, 5, 1.5, object(), ["/"], ("/",), {"/": 1}):
            for call in (rules.check, rules.allowed, rules.explain, RobotsTxt.parse, fix, lint, robot_name,
                         Protego.parse, lambda text: Rules.compile(text, "FooBot"), lambda text: rules.check_many([text]),
                         lambda text: rules.allowed_many(["/", text])):
                with self.assertRaisesRegex(TypeError, type(wrong).__name__):
                    call(wrong)
        for wrong in (None, 5, [5], [None]):
            with self.assertRaises(TypeError):
                Rules.compile("", wrong)
        for wrong in (None, 5, object()):
            with self.assertRaises(TypeError):
                rules.check_many(wrong)
        for lone in ("https://foo.bar/x", b"/x", bytearray(b"/x"), memoryview(b"/x")):
            for ask in (rules.check_many, rules.allowed_many):
                with self.assertRaisesRegex(TypeError, "one text"):
                    ask(lone)
        with self.assertRaises(TypeError):
            Rules.compile("", "FooBot", None)
        for kind in (Rules, RobotsTxt):
            with self.assertRaises(TypeError):
                kind()

    def test_subclasses_of_texts_are_the_texts_that_they_have(self):
        class Bytes(bytes):
            def __len__(self):
                return 5_000_000_000

            def __bytes__(self):
                return b""

        class Str(str):
            def encode(self, *_):
                return 5

        file = Bytes(b"User-agent: *\nDisallow: /x\n")
        self.assertEqual(Rules.compile(file, Str("FooBot")).check(Bytes(b"/x")).line, 2)
        self.assertEqual(Rules.compile(file, Bytes(b"FooBot")).check_many([Str("/x"), Bytes(b"/x")])[1].line, 2)

    def test_numbers_that_c_does_not_have_are_errors(self):
        for wrong in ({"status": 1 << 40}, {"redirects": -1}, {"max_age": 1 << 70}, {"status": "200"}):
            with self.assertRaises(RobotRulesError) as caught:
                lint("", fetched=Fetched(**wrong))
            self.assertIn(f"fetched.{next(iter(wrong))}", str(caught.exception))

    def test_an_object_without_a_handle_does_not_crash(self):
        rules = Rules.__new__(Rules)
        for ask in (rules.check, rules.allowed, lambda url: rules.check_many([url]), lambda url: rules.allowed_many([url])):
            with self.assertRaises((AttributeError, RobotRulesError)):
                ask("/")

    def test_an_iterable_that_fails_is_its_own_error(self):
        def urls():
            yield "/"
            raise KeyError("x")

        with self.assertRaises(KeyError):
            Rules.compile("", "FooBot").check_many(urls())
        with self.assertRaises(KeyError):
            Rules.compile("", "FooBot").allowed_many(urls())


class Threads(unittest.TestCase):
    def run_all(self, work, count=8):
        failures = []

        def guarded(number):
            try:
                work(number)
            except BaseException as failure:  # noqa: B902 - reported by the test
                failures.append(failure)

        threads = [threading.Thread(target=guarded, args=(number,)) for number in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_many_threads_ask_one_object(self):
        file = "User-agent: *\n" + "".join(f"Disallow: /{i}/\n" for i in range(100))
        rules = Rules.compile(file, "FooBot")
        document = RobotsTxt.parse(file)
        sites = RobotRules("FooBot")

        def work(number):
            for i in range(300):
                j = (number * 37 + i) % 100
                self.assertEqual(rules.check(f"/{j}/x").line, j + 2)
                self.assertEqual(document.rules_for(f"bot{i % 7}").check(f"/{j}/").rule.pattern, f"/{j}/")
                sites.keep(f"https://h{j}.example/robots.txt", f"User-agent: *\nDisallow: /{j}\n")
                self.assertIs(sites.allowed(f"https://h{j}.example/{j}"), False)

        self.run_all(work)

    def test_an_object_is_closed_while_others_use_it(self):
        for _ in range(30):
            sites = RobotRules("FooBot")

            def work(number):
                if number == 0:
                    sites.close()
                    return
                for _ in range(50):
                    try:
                        sites.keep("https://example.org/robots.txt", "User-agent: *\nDisallow: /")
                        sites.allowed("https://example.org/")
                    except RobotRulesError as error:
                        self.assertEqual(error.code, "closed")

            self.run_all(work, 4)

    def test_long_work_lets_other_threads_run(self):
        names = [f"bot{i}" for i in range(400)]
        groups = "".join(f"User-agent: a{i}\nDisallow: /\n" for i in range(2_000))
        document = RobotsTxt.parse(groups)
        usages = "".join(f"Content-Usage: /*{i}*a*a*b train-ai=n\n" for i in range(12_000))
        preferences = Rules.compile("User-agent: *\n" + usages, "FooBot")
        host = "http://" + "a." * 1_000_000
        slow = Rules.compile("User-agent: *\n" + "".join(f"Disallow: /*{i}*a*a*b\n" for i in range(500)), "FooBot")
        long, many = "/" + "a1" * 100_000, ["/a1a1"] * 100_000
        calls = {
            "check": lambda: slow.check(long),
            "allowed": lambda: slow.allowed(long),
            "many that are long": lambda: slow.allowed_many([long]),
            "names": lambda: Rules.compile(groups, names),
            "names of a document": lambda: document.rules_for(names),
            "a name": lambda: Rules.compile(groups, "x" * 3_000_000),
            "usage": lambda: preferences.usage("/" + "a1" * 1_000),
            "robot_name": lambda: robot_name("(" * 1_000_000),
            "robots_url": lambda: robots_url(host),
            "gate_key": lambda: gate_key(host),
        }
        if "cffi_alone" not in sys.modules:  # the base in Python asks in a loop of Python, which others may interrupt
            calls["check_many"] = lambda: slow.check_many(many)
            calls["allowed_many"] = lambda: slow.allowed_many(many)
        for name, call in calls.items():
            with self.subTest(name):
                self.assertTrue(self.lets_others_run(call))

    def lets_others_run(self, call):
        """Returns whether another thread runs during a call. It asks again until a deadline: the other may be late."""
        ran = threading.Event()
        begin = threading.Lock()
        begin.acquire()

        def wait_and_run():
            with begin:
                ran.set()

        other = threading.Thread(target=wait_and_run)
        other.start()
        time.sleep(0)  # it reaches the lock now, or takes it later without a wait
        switches = sys.getswitchinterval()
        sys.setswitchinterval(1_000)  # so Python takes the GIL from no thread
        try:
            begin.release()
            end = time.monotonic() + 20
            while not ran.is_set() and time.monotonic() < end:
                try:
                    call()
                except RobotRulesError:
                    pass
            return ran.is_set()
        finally:
            sys.setswitchinterval(switches)
            other.join()

    def test_drop_ins_are_shared_by_threads(self):
        parser = RobotFileParser()
        parser.parse(["User-agent: *", "Disallow: /x"])

        def work(number):
            for i in range(200):
                self.assertFalse(parser.can_fetch(f"bot{number}{i % 5}", "/x"))

        self.run_all(work)


class Copies(unittest.TestCase):
    def test_what_cannot_change_is_its_own_copy(self):
        rules, document = Rules.compile("", "FooBot"), RobotsTxt.parse("")
        for thing in (rules, document):
            self.assertIs(copy.copy(thing), thing)
            self.assertIs(copy.deepcopy([thing])[0], thing)

    def test_a_document_is_pickled(self):
        text = b"User-agent: *\nDisallow: /\xff\n"
        for robots in (text, b"\xef\xbb\xbf" * 2 + text, text.decode("latin-1").encode("utf-16"), b"# x\n" * 200_000):
            for dialect in DIALECTS:
                file = RobotsTxt.parse(robots, dialect, url="http://foo.bar/robots.txt")
                again = pickle.loads(pickle.dumps(file))
                for one, other in ((file, again), (file.rules_for("FooBot"), again.rules_for("FooBot"))):
                    self.assertEqual(repr(one), repr(other))
                self.assertEqual((file.text_bytes, file.truncated, file.url, file.directives),
                                 (again.text_bytes, again.truncated, again.url, again.directives))

    def test_drop_ins_are_pickled_and_copied(self):
        parser = RobotFileParser("http://foo.bar/robots.txt")
        parser.parse("User-agent: *\nDisallow: /x\n")
        robots = Protego.parse("User-agent: *\nDisallow: /x\n")
        robots.can_fetch("/", "FooBot")
        for again in (lambda thing: pickle.loads(pickle.dumps(thing)), copy.deepcopy, copy.copy):
            self.assertFalse(again(robots).can_fetch("/x", "FooBot"))
            self.assertFalse(again(parser).can_fetch("FooBot", "/x"))
            self.assertEqual(again(parser).mtime(), parser.mtime())

    def test_what_cannot_be_copied_says_so(self):
        sites = RobotRules("FooBot")
        reservation = sites.reserve("http://foo.bar/")
        for thing in (sites, sites.store, reservation):
            for again in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.assertRaisesRegex(TypeError, f"a {type(thing).__name__} cannot be"):
                    again(thing)
        with self.assertRaisesRegex(TypeError, "Rules cannot be pickled"):
            pickle.dumps(Rules.compile("", "FooBot"))
        self.assertIs(weakref.ref(reservation)(), reservation)


class Memory(unittest.TestCase):
    def test_results_outlive_what_they_come_from(self):
        rules = Rules.compile("User-agent: *\nDisallow: /x\n", "FooBot")
        verdict = rules.check("/x")
        document = RobotsTxt.parse("User-agent: *\nDisallow: /x\n")
        groups, later = document.groups, document.rules_for("FooBot")
        del rules, document
        gc.collect()
        self.assertEqual((verdict.rule.pattern, groups[0].rules[0].value, later.check("/x").line), ("/x", "/x", 2))

    def test_memory_of_dropped_objects_is_given_back(self):
        try:
            import resource
        except ImportError:
            self.skipTest("this system does not tell how much memory a process takes")
        file = "User-agent: *\n" + "".join(f"Disallow: /path/{i}\n" for i in range(2_000))

        def round_trip(count):
            for _ in range(count):
                rules = Rules.compile(file, "FooBot")
                rules.check("/path/7")
                RobotsTxt.parse(file)
                rules.explain("/x")
                try:
                    Rules.compile(file, "FooBot", "none")
                except RobotRulesError:
                    pass

        round_trip(100)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        round_trip(500)
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 20_000)  # KiB

    def test_many_different_verdicts_take_bounded_memory(self):
        rules = Rules.compile("User-agent: *\n" + "".join(f"Disallow: /{i}/\n" for i in range(10_000)), "FooBot")
        for i in range(10_000):
            self.assertEqual(rules.check(f"/{i}/").line, i + 2)
        self.assertLessEqual(len(rules._verdicts), 4096)

    def test_verdicts_share_their_rules(self):
        rules = Rules.compile("User-agent: *\nDisallow: /a\nDisallow: /*b\nDisallow: /*c\n", "FooBot")
        first, second = rules.check("/ab"), rules.check("/bc")
        self.assertIsNot(first, second)
        seen = [rule for verdict in (first, second) for rule in (verdict.rule, verdict.runner_up) if rule is not None]
        self.assertLess(len(set(map(id, seen))), len(seen))
        self.assertEqual(len({rule.line for rule in seen}), len(set(map(id, seen))))


if __name__ == "__main__":
    unittest.main()
