"""Scrapy's own tests of robots.txt parsers, run with robotrules.scrapy.RobotParser.

ROBOTRULES_SCRAPY_TESTS: tests/test_robotstxt_interface.py of Scrapy's source archive. The tests need pytest and Scrapy.
"""
import importlib.util
import os
import sys
import tempfile
import types
import unittest

# The tests of a class for a parser; "order based" is the precedence before RFC 9309, which Scrapy skips for all parsers
# but the old urllib.robotparser.
MODULE = '''
import sys
sys.path.insert(0, {folder!r})
from original_robotstxt_interface import *
from original_robotstxt_interface import BaseRobotParserTest
from robotrules.scrapy import RobotParser

class TestRobotrules(BaseRobotParserTest{base}):
    def {set_up}(self):
        super()._setUp(RobotParser)

    def test_order_based_precedence(self):
        import pytest
        pytest.skip("the order of lines has no meaning (RFC 9309 section 2.2.2)")
'''


class Reports:
    """A plugin of pytest that keeps the outcome of each test."""

    def __init__(self):
        self.passed = []
        self.failed = []

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.failed.append(f"{report.nodeid}\n{report.longrepr}")
        elif report.when == "call" and report.passed:
            self.passed.append(report.nodeid.split("::")[-1])


class Original(unittest.TestCase):
    def test_all_pass(self):
        path = os.environ.get("ROBOTRULES_SCRAPY_TESTS")
        if not path or importlib.util.find_spec("pytest") is None or importlib.util.find_spec("scrapy") is None:
            self.skipTest("set ROBOTRULES_SCRAPY_TESTS to tests/test_robotstxt_interface.py of Scrapy's source archive "
                          "(needs pytest and Scrapy)")
        import pytest

        with open(path, encoding="utf-8") as file:
            text = file.read()
        # A module of Scrapy's tests that says which other parsers are installed. Theirs are not run here.
        helper = types.ModuleType("tests.utils.robotstxt")
        helper.rerp_available = lambda: False
        for name in ("tests", "tests.utils"):
            sys.modules.setdefault(name, types.ModuleType(name))
        sys.modules["tests.utils.robotstxt"] = helper
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "original_robotstxt_interface.py"), "w", encoding="utf-8") as file:
                file.write(text)
            is_trial = "from twisted.trial import unittest" in text
            module = os.path.join(folder, "test_robotrules_parser.py")
            with open(module, "w", encoding="utf-8") as file:
                file.write(MODULE.format(folder=folder, base=", unittest.TestCase" if is_trial else "",
                                         set_up="setUp" if is_trial else "setup_method"))
            reports = Reports()
            options = ["-q", "--no-header", "-W", "ignore", "-p", "no:cacheprovider", "--tb=short", "--rootdir", folder]
            pytest.main([*options, module, "-k", "TestRobotrules"], plugins=[reports])
        print(f"{len(reports.passed)} pass, {len(reports.failed)} do not", end=" ... ")
        self.assertEqual(reports.failed, [])
        self.assertGreaterEqual(len(reports.passed), 6)


if __name__ == "__main__":
    unittest.main()
