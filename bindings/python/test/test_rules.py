"""Rules, files, findings and differences, as programs use them."""
import copy
import doctest
import importlib
import pathlib
import pickle
import re
import subprocess
import sys
import tempfile
import unittest

import robotrules
from data import README
from robotrules import (
    DIALECTS, Edit, Fetched, Group, RequestRate, RobotRulesError, RobotsTxt, Rule, Rules, crawlers, diff, fix, lint,
    lint_codes, robot_name, robots_url,
)

FILE = """\
User-agent: *
Disallow: /private/
Allow: /private/press
Crawl-delay: 2.5
Request-rate: 3/15 0800-1600
Visit-time: 0600-0845

User-agent: FooBot
User-agent: BarBot
Disallow: /foo
Sitemap: /map.xml
"""


class Compiled(unittest.TestCase):
    def test_a_verdict_says_why(self):
        rules = Rules.compile(FILE, "OtherBot")
        verdict = rules.check("https://example.org/private/press")
        self.assertTrue(verdict)
        self.assertEqual((verdict.allowed, verdict.access, verdict.line, verdict.why), (True, "allowed", 3, "rule"))
        self.assertEqual(verdict.rule, Rule(True, "/private/press", 3, b"/private/press"))
        self.assertEqual(verdict.runner_up, Rule(False, "/private/", 2, b"/private/"))
        self.assertEqual(verdict.group, Group("*", 1, True))
        self.assertEqual(verdict.reason, "Allow: /private/press")
        verdict = rules.check("/private/")
        self.assertFalse(verdict)
        self.assertEqual((verdict.access, verdict.line), ("disallowed", 2))
        verdict = rules.check("/")
        self.assertEqual((verdict.line, verdict.rule, verdict.why), (0, None, "no-rule"))
        self.assertEqual(verdict.reason, "no rule matches")
        self.assertEqual(rules.check("/robots.txt").why, "robots-txt")
        perl = Rules.compile(FILE, "OtherBot", "www-robotrules", url="http://example.org/robots.txt")
        self.assertEqual(perl.check("mailto:a@example.org").why, "other-scheme")
        self.assertEqual(Rules.compile("", "FooBot").check("/").why, "no-group")
        self.assertEqual(Rules.compile("User-agent: *", "FooBot").check("/").why, "empty-group")
        with self.assertRaises(AttributeError):
            verdict.allowed = True

    def test_one_answer_for_str_and_bytes(self):
        for robots in (FILE, FILE.encode(), bytearray(FILE.encode()), memoryview(FILE.encode())):
            for agent in ("FooBot", b"FooBot", bytearray(b"FooBot"), ["x", "FooBot"], (b"FooBot",), iter(["FooBot"])):
                rules = Rules.compile(robots, agent)
                for url in ("/foo", b"/foo", bytearray(b"/foo"), memoryview(b"/foo")):
                    self.assertEqual(rules.check(url).line, 10)
                    self.assertIs(rules.allowed(url), False)

    def test_many_urls(self):
        rules = Rules.compile(FILE, "FooBot")
        lines = [verdict.line for verdict in rules.check_many(url for url in ("/foo", b"/", "/foo/x"))]
        self.assertEqual(lines, [10, 0, 10])
        self.assertEqual(rules.check_many([]), [])
        self.assertEqual(rules.allowed_many(iter(["/foo", b"/", "/foo/x"])), [False, True, False])
        self.assertEqual(rules.allowed_many([]), [])

    def test_many_urls_have_the_answers_of_each(self):
        rules = Rules.compile(FILE + "Disallow: /x\n", "FooBot")
        odd = ["", "/", "/foo", "/x\n/foo", "\n", "/foo\n", "/x\0", "/foo\ud800", "/x\udcff", "/\u00e4"]
        texts = [odd, odd[:3] * 1000, ["/foo"], [""], ["", ""], [url.encode("utf-8", "surrogatepass") for url in odd]]
        texts.append([f"/{kind}{i}" for i in range(2500) for kind in ("foo", "x", "y")])
        for urls in texts:
            self.assertEqual(rules.check_many(urls), [rules.check(url) for url in urls])
            self.assertEqual(rules.allowed_many(urls), [rules.allowed(url) for url in urls])

    def test_check_and_allowed_agree(self):
        for dialect in DIALECTS:
            rules = Rules.compile(FILE, "OtherBot", dialect, url="http://example.org/robots.txt")
            self.assertEqual(rules.dialect, dialect)
            for url in ("/", "/private/", "/private/press", "http://example.org/private/x", "/robots.txt"):
                self.assertEqual(rules.check(url).allowed, rules.allowed(url), (dialect, url))

    def test_settings(self):
        rules = Rules.compile(FILE, "OtherBot")
        self.assertEqual(rules.crawl_delay, 2.5)
        self.assertEqual(rules.request_rate, RequestRate(3, 15, (480, 960)))
        self.assertEqual(rules.visit_time, (360, 525))
        rules = Rules.compile(FILE, "FooBot")
        self.assertEqual((rules.crawl_delay, rules.request_rate, rules.visit_time), (None, None, None))

    def test_lines_and_facts(self):
        rules = Rules.compile(FILE, "OtherBot")
        self.assertEqual([str(line) for line in rules.lines], ["Disallow: /private/", "Allow: /private/press"])
        self.assertEqual(len(rules), 2)
        self.assertTrue(Rules.compile("", "FooBot"))
        self.assertGreater(rules.memory_bytes, 0)
        self.assertEqual(repr(rules), "<Rules: 2 lines, rfc9309>")

    def test_a_robot_that_ignores_the_groups_for_all(self):
        self.assertFalse(Rules.compile("User-agent: *\nDisallow: /", "FooBot").allowed("/"))
        self.assertTrue(Rules.compile("User-agent: *\nDisallow: /", "FooBot", ignores_star=True).allowed("/"))

    def test_usage_and_clean_param(self):
        file = "User-agent: *\nContent-Signal: search=yes, ai-train=no\nClean-param: sid\nAllow: /\n"
        rules = Rules.compile(file, "x")
        usage = rules.usage("/")
        self.assertEqual((usage.signal_search, usage.signal_ai_train, usage.signal_ai_input), (True, False, None))
        self.assertEqual(rules.clean_url("http://a.example/?sid=1&x=2"), "http://a.example/?x=2")

    def test_names(self):
        self.assertEqual(robot_name("Mozilla/5.0 (compatible; FooBot/1.0)"), "FooBot")
        self.assertEqual(robots_url("https://Example.org:443/x?y"), "https://example.org/robots.txt")
        with self.assertRaises(RobotRulesError) as caught:
            robots_url("/x")
        self.assertEqual(caught.exception.code, "invalid-url")

    def test_an_unknown_dialect_is_an_error_that_names_the_dialects(self):
        for call in (Rules.compile, lambda robots, agent, dialect: RobotsTxt.parse(robots, dialect)):
            with self.assertRaises(RobotRulesError) as caught:
                call("", "FooBot", "none")
            self.assertEqual(caught.exception.code, "unknown-dialect")
            self.assertIn("rfc9309", str(caught.exception))
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((again.code, str(again)), (caught.exception.code, str(caught.exception)))

    def test_an_agent_is_a_text_or_several(self):
        for wrong in (3, None, 1.5, object()):
            for call in (Rules.compile, lambda robots, agent: RobotsTxt.parse(robots).rules_for(agent)):
                with self.assertRaisesRegex(TypeError, f"^agent has the type {type(wrong).__name__}; pass a str, bytes or"):
                    call("", wrong)
        with self.assertRaisesRegex(TypeError, "^agent has the type int; pass a str or bytes"):
            Rules.compile("", ["FooBot", 3])

    def test_results_are_values(self):
        verdict = Rules.compile(FILE, "FooBot").check("/foo")
        self.assertEqual(pickle.loads(pickle.dumps(verdict)), verdict)
        self.assertEqual(copy.deepcopy(verdict), verdict)
        self.assertEqual(len({verdict, copy.copy(verdict)}), 1)


class Document(unittest.TestCase):
    def test_groups_sitemaps_and_settings_have_their_places(self):
        file = RobotsTxt.parse(FILE, url="https://example.org/robots.txt")
        groups = file.groups
        self.assertEqual([group.line for group in groups], [1, 8])
        self.assertEqual([agent.value for agent in groups[1].agents], ["FooBot", "BarBot"])
        self.assertEqual([(line.kind, line.value, line.line) for line in groups[0].rules],
                         [("Disallow", "/private/", 2), ("Allow", "/private/press", 3)])
        self.assertEqual([line.kind for line in groups[0].other], ["Crawl-delay", "Request-rate", "Visit-time"])
        self.assertEqual([(sitemap.url, sitemap.value, sitemap.line) for sitemap in file.sitemaps],
                         [("https://example.org/map.xml", "/map.xml", 11)])
        self.assertEqual(len(file.directives), 10)
        self.assertEqual((file.directives[0].column, file.directives[0].value_column), (1, 13))
        self.assertEqual(file.crawl_delay("OtherBot"), 2.5)
        self.assertEqual(file.rules_for(["no", "BarBot"]).check("/foo").line, 10)
        self.assertEqual((file.line_count, file.truncated, file.looks_like_html), (11, False, False))
        self.assertEqual((file.text, file.text_bytes), (FILE, FILE.encode()))
        self.assertEqual((file.url, file.dialect), ("https://example.org/robots.txt", "rfc9309"))
        self.assertTrue(RobotsTxt.parse("<!DOCTYPE html><html><body></body></html>").looks_like_html)

    def test_findings_have_edits(self):
        findings = lint("User-agent: *\nDisalow: /x\nfoo\n")
        self.assertEqual([(f.code, f.severity, f.line) for f in findings],
                         [("misspelt-directive", "warning", 2), ("malformed-line", "warning", 3)])
        self.assertEqual(findings[0].edits, (Edit(2, ("Disallow: /x",)),))
        self.assertTrue(findings[0].message and findings[0].remedy)
        self.assertEqual(RobotsTxt.parse("User-agent: *\nDisalow: /x\nfoo\n").lint(), findings)
        known = {code.code for code in lint_codes()}
        self.assertLessEqual({finding.code for finding in findings}, known)
        plain = lint("User-agent: *\nDisallow: /x\n")
        fetched = lint("User-agent: *\nDisallow: /x\n", fetched=Fetched(200, "text/html"))
        self.assertGreater({finding.code for finding in fetched}, {finding.code for finding in plain})

    def test_a_fixed_file_means_the_same(self):
        fixed = fix("User-agent: *\nDisalow: /x\n")
        self.assertEqual((fixed.text, fixed.edits, fixed.is_fixable), ("User-agent: *\nDisallow: /x\n", 1, True))
        self.assertIn("-Disalow: /x\n+Disallow: /x\n", fixed.diff)

    def test_a_fixed_file_that_is_not_utf_8_keeps_its_bytes(self):
        file = b"User-agent: *\nDisallow: /caf\xe9\ndisalow /\xff\n"
        fixed = fix(file)
        self.assertEqual(fixed.text_bytes.splitlines()[:2], file.splitlines()[:2])
        self.assertFalse(Rules.compile(fixed.text_bytes, "FooBot").allowed("/caf%E9"))
        self.assertIn("/caf\ufffd", fixed.text)
        edits = [edit for finding in lint(file) for edit in finding.edits]
        self.assertIn(b"/\xff", b"".join(line for edit in edits for line in edit.lines_bytes))
        for edit in edits:
            self.assertEqual(edit.lines, tuple(line.decode("utf-8", "replace") for line in edit.lines_bytes))

    def test_crawlers_say_whether_their_reach_is_exact(self):
        self.assertTrue(all(crawler.reach_is_exact for crawler in crawlers("User-agent: *\nDisallow: /x\n")))

    def test_a_difference_proves_itself(self):
        before = "User-agent: *\nDisallow: /x\n"
        after = "User-agent: *\nAllow: /\nCrawl-delay: 3\nSitemap: http://a.b/x\n"
        difference = diff(before, after.encode(), ["FooBot"])
        self.assertTrue(difference)
        robot = difference.robots[0]
        self.assertEqual((robot.delay_before, robot.delay_after), (None, 3.0))
        change = robot.changes[0]
        for file, answer in ((before, change.before), (after, change.after)):
            self.assertEqual(Rules.compile(file, "FooBot").allowed(change.path), answer.allowed)
        self.assertEqual([sitemap.url for sitemap in difference.added_sitemaps], ["http://a.b/x"])
        self.assertFalse(diff(before, before))
        self.assertEqual(RobotsTxt.parse(before).diff(after, "FooBot"), difference)
        with self.assertRaises(RobotRulesError) as caught:
            diff(RobotsTxt.parse(""), RobotsTxt.parse("", "google"))
        self.assertEqual(caught.exception.code, "invalid-argument")

    def test_what_a_file_allows_the_known_crawlers(self):
        found = {crawler.name: crawler for crawler in crawlers("User-agent: GPTBot\nDisallow: /\n", "/page")}
        self.assertEqual((found["GPTBot"].reach, found["GPTBot"].allowed), ("nowhere", False))
        self.assertEqual((found["GPTBot"].group.line, found["GPTBot"].rule.line), (1, 2))
        self.assertEqual((found["Googlebot"].reach, found["Googlebot"].group), ("everywhere", None))


class Package(unittest.TestCase):
    def test_examples_in_docstrings(self):
        for name in ("", "._rules", "._robots_txt", "._database", ".robotparser", ".protego"):
            result = doctest.testmod(importlib.import_module("robotrules" + name))
            self.assertEqual(result.failed, 0, name)
            self.assertGreater(result.attempted, 0, name)

    def test_the_first_example_of_the_readme(self):
        block = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)[1]
        names = {}
        compared = 0
        for code, said in re.findall(r"^([^#\n]+?)(?:\s+# (.*))?$", block, re.MULTILINE):
            if said:
                self.assertEqual(repr(eval(code, names)), said, code)
                compared += 1
            else:
                exec(code, names)
        self.assertEqual(compared, 4)

    def test_all_names_are_there(self):
        for name in robotrules.__all__:
            self.assertTrue(hasattr(robotrules, name), name)
        self.assertRegex(robotrules.__version__, r"^\d+\.\d+\.\d+$")

    def test_python_m_robotrules_runs_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            run = [sys.executable, "-m", "robotrules", "check", "x"]
            environment = {"PATH": folder, "PYTHONPATH": ":".join(sys.path)}
            missing = subprocess.run(run, env=environment, capture_output=True, text=True)
            self.assertEqual(missing.returncode, 127)
            self.assertIn("install the command", missing.stderr)
            command = pathlib.Path(folder) / "robotrules"
            command.write_text('#!/bin/sh\necho "$@"\nexit 3\n', encoding="utf-8")
            command.chmod(0o755)
            found = subprocess.run(run, env=environment, capture_output=True, text=True)
            self.assertEqual((found.returncode, found.stdout), (3, "check x\n"))


if __name__ == "__main__":
    unittest.main()
