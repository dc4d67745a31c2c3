"""The tests of the package protego, run with robotrules.protego in its place.

ROBOTRULES_PROTEGO_TESTS: the folder tests of protego's source archive. The tests need pytest.
"""
import importlib.util
import os
import pathlib
import sys
import types
import unittest

import robotrules.protego
from data import README

# The tests that do not pass, each with the clause that it contradicts. README.md has the same list.
CONTRADICTIONS = {}


class Reports:
    """A plugin of pytest that keeps what failed."""

    def __init__(self):
        self.passed = 0
        self.failed = {}

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.failed[report.nodeid.split("::", 1)[1]] = str(report.longrepr)
        elif report.when == "call" and report.passed:
            self.passed += 1


def stand_in():
    """Puts robotrules.protego in the place of protego. Its inner functions, which some tests call, are not there."""

    def missing(*_, **__):
        raise NotImplementedError("an inner function of protego")

    inner = types.ModuleType("protego._utils")
    for name in ("_hexescape", "_parse_time_period", "_quote_path", "_quote_pattern", "_unquote"):
        setattr(inner, name, missing)
    sys.modules["protego"] = robotrules.protego
    sys.modules["protego._utils"] = inner


class Original(unittest.TestCase):
    def test_all_pass_but_those_that_contradict_rfc_9309(self):
        folder = os.environ.get("ROBOTRULES_PROTEGO_TESTS")
        if not folder or importlib.util.find_spec("pytest") is None:
            self.skipTest("set ROBOTRULES_PROTEGO_TESTS to the folder tests of protego's source archive (needs pytest)")
        import pytest

        stand_in()
        reports = Reports()
        pytest.main(
            ["-q", "--no-header", "-p", "no:cacheprovider", "--tb=short", "--rootdir", folder, str(pathlib.Path(folder))],
            plugins=[reports],
        )
        print(f"{reports.passed} pass, {len(reports.failed)} do not", end=" ... ")
        unknown = set(reports.failed) ^ set(CONTRADICTIONS)
        self.assertEqual(unknown, set(), "\n".join(reports.failed.get(name, f"{name} passes") for name in unknown))
        self.assertGreater(reports.passed, 100)

    def test_readme_lists_the_contradictions(self):
        text = README.read_text(encoding="utf-8")
        for name, clause in CONTRADICTIONS.items():
            self.assertTrue(any(f"`{name}`" in row and clause in row for row in text.splitlines()), name)


if __name__ == "__main__":
    unittest.main()
