"""What an answer to a request for robots.txt means: the table of tests/conformance/answers, and stores."""
import os
import tempfile
import unittest

from data import ROOT, unescape
from robotrules import RobotRules, RobotRulesError, RobotsFetch, open_store

NOW = 1_700_000_000
URL = "https://a.test/robots.txt"


def field(text):
    return b"" if text == b"-" else unescape(text)


def pairs(text):
    return [tuple(line.split(b": ", 1)) if b": " in line else (line.rstrip(b":"), b"")
            for line in field(text).split(b"\n") if line]


class Table(unittest.TestCase):
    def test_answers(self):
        rows = (ROOT / "tests" / "conformance" / "answers" / "answers.tsv").read_bytes().split(b"\n")
        cases, place, fetch, policy, url = 0, "", None, "", b""
        for number, line in enumerate(rows, 1):
            if not line or line.startswith(b"#"):
                continue
            kind, *row = line.split(b"\t")
            if kind == b"case":
                cases += 1
                name, policy, url = row[0].decode(), row[1].decode(), row[2]
                fetch = RobotsFetch(url, policy=policy, now=NOW)
            with self.subTest(f"line {number}: {name}"):
                if kind == b"again":
                    fetch = RobotsFetch(url, policy=policy, last=fetch, now=NOW + int(row[0]))
                elif kind == b"answer":
                    place = NOW + int(row[0])
                    flags = row[4].split(b",")
                    fetch.answer(int(row[1]), pairs(row[2]), field(row[3]), encoded=b"encoded" in flags,
                                 cut=b"cut" in flags, whole=b"partial" not in flags, now=place)
                elif kind == b"fail":
                    place = NOW + int(row[0])
                    fetch.fail(field(row[2]).decode(), row[1].decode(), refusals=int(row[3]), now=place)
                elif kind == b"request":
                    self.assertFalse(fetch.done)
                    self.assertEqual(fetch.url, row[0].decode())
                    self.assertEqual(fetch.at, NOW + int(row[1]))
                    conditional = {name: value for name, value in fetch.headers.items() if name != "Accept"}
                    self.assertEqual(conditional, {k.decode(): v.decode() for k, v in pairs(row[2])})
                    self.assertEqual(fetch.is_repeated, row[3] == b"repeated")
                elif kind == b"result":
                    self.assertTrue(fetch.done)
                    self.assertEqual((fetch.outcome, fetch.state, fetch.status),
                                     (row[0].decode(), row[1].decode(), int(row[2])))
                    self.assertEqual(fetch.fresh_until - place, int(row[3]))
                    if row[4] != b"-":
                        self.assertEqual(fetch.robots, field(row[4]))
                    if row[5] != b"-":
                        self.assertEqual(fetch.reason, field(row[5]).decode())
                elif kind != b"case":
                    self.fail("there is no row of this kind")
        self.assertGreater(cases, 100)


class Use(unittest.TestCase):
    def test_any_number_of_fields(self):
        for count in (0, 1, 33, 100, 1_000, 4_000):
            fetch = RobotsFetch(URL, now=NOW)
            fields = [(f"X-{number}", "value " * 20) for number in range(count)] + [("Location", "/moved")]
            fetch.answer(301, fields, b"", now=NOW)
            self.assertEqual(fetch.url, "https://a.test/moved", count)

    def test_a_failure_does_not_replace_what_another_process_has_fetched(self):
        with RobotRules("FooBot") as rules:
            now = rules.store.now()
            first, second = rules.fetch(URL), rules.fetch(URL)
            first.answer(200, [], b"User-agent: *\nDisallow: /x\n", now=now)
            rules.keep_fetch(first)
            second.fail("no answer", now=now)
            rules.keep_fetch(second)
            self.assertEqual(rules.check("https://a.test/y").state, "rules")

    def test_only_the_robots_txt_of_a_site_is_kept(self):
        with RobotRules("FooBot") as rules:
            fetch = RobotsFetch("https://a.test/pub/robots.txt", now=NOW)
            fetch.answer(200, [], b"", now=NOW)
            with self.assertRaises(RobotRulesError):
                rules.keep_fetch(fetch)
            self.assertIsNone(rules.allowed("https://a.test/x"))

    def test_wrong_arguments(self):
        for arguments in (("/robots.txt",), ("ftp://a.test/",)):
            with self.assertRaises(RobotRulesError) as caught:
                RobotsFetch(*arguments, now=NOW)
            self.assertEqual(caught.exception.code, "invalid-url")
        with self.assertRaises(RobotRulesError):
            RobotsFetch(URL, policy="lenient", now=NOW)
        fetch = RobotsFetch(URL, now=NOW)
        for arguments in ({"jitter": 2.0}, {"jitter": float("nan")}):
            with self.assertRaises(RobotRulesError):
                fetch.answer(200, [], b"", now=NOW, **arguments)
        for status in (-1, 1000, None):
            with self.assertRaises(RobotRulesError):
                fetch.answer(status, [], b"", now=NOW)
        with self.assertRaises(RobotRulesError):
            fetch.fail("x", "nobody", now=NOW)
        fetch.answer(200, [], b"User-agent: *\n", now=NOW)
        self.assertEqual(fetch.outcome, "rules")
        with self.assertRaises(RobotRulesError):
            fetch.answer(200, [], b"", now=NOW)  # it has a result

    def test_failures_stay_in_the_store_over_a_restart(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "robots.db")
            waits = []
            for _ in range(3):
                with open_store(path) as store, RobotRules("FooBot", store=store) as rules:
                    fetch = rules.fetch(URL)
                    now = store.now()
                    fetch.fail("no answer", now=now)
                    rules.keep_fetch(fetch)
                    waits.append(round(fetch.fresh_until - now))
                    self.assertEqual(rules.check("https://a.test/x").state, "disallow-all")
            self.assertEqual(waits, [60, 120, 240])

    def test_a_store_has_the_file_for_the_site_that_it_came_from_too(self):
        with RobotRules("FooBot") as rules:
            fetch = rules.fetch("https://a.test/page")
            self.assertEqual(fetch.url, URL)
            now = rules.store.now()
            fetch.answer(301, [("Location", "https://b.test/robots.txt")], b"", now=now)
            with self.assertRaises(RobotRulesError):
                rules.keep_fetch(fetch)
            fetch.answer(200, [], b"User-agent: *\nDisallow: /x\n", now=now)
            rules.keep_fetch(fetch)
            for site in ("a.test", "b.test"):
                self.assertIs(rules.allowed(f"https://{site}/x"), False)
                self.assertIs(rules.allowed(f"https://{site}/y"), True)
            self.assertGreater(rules.fetch(URL).at, now + 80_000)


if __name__ == "__main__":
    unittest.main()
