"""The tests of the package protego, run with robotrules.protego in its place.

ROBOTRULES_PROTEGO_TESTS: the folder tests of protego's source archive. The tests need pytest.
"""
import collections
import importlib.util
import os
import sys
import types
import unittest

import robotrules.protego
from data import README

# The tests that do not pass: how many of their cases, and the clause that they contradict, or "none". README.md has the
# same list.
CONTRADICTIONS = {
    "test_user_agent_precedence": (3, "RFC 9309 section 2.2.1"),
    "test_user_agent_boundary_matching": (2, "RFC 9309 section 2.2.1"),
    "test_empty_user_agent_line": (1, "RFC 9309 section 2.2"),
    "test_grouping_unknown_keys": (1, "RFC 9309 section 2.2.4"),
    "test_generosity": (1, "RFC 9309 section 2.2.1"),
    "test_index_html_is_directory": (1, "RFC 9309 section 2.2.2"),
    "test_special_symbols_dual_behaviour": (1, "RFC 9309 section 2.2.3"),
    "test_with_absolute_urls": (1, "RFC 9309 section 2.2"),
    "test_equal_sign_in_path": (1, "none"),
    "test_bytestrings": (1, "none"),
    "test_request_rate": (1, "none"),
    "test_generosity_visit_time": (1, "none"),
    "test_generosity_sitemap": (1, "none"),
}
# Tests of protego's inner functions and members, which are not part of its interface.
INNER = {"test_quoting", "test_parse_time_period", "test_line_endings", "test_unquoting", "test_unquoting_badpercent",
         "test_unquoting_parts", "test_unquoting_plus", "test_unquote_with_unicode", "test_escape_sequence_uppercase"}


class Reports:
    """A plugin of pytest that counts the cases that failed, by the name of their test."""

    def __init__(self):
        self.passed = 0
        self.failed = collections.Counter()
        self.reasons = []

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.failed[report.nodeid.split("::")[-1].split("[")[0]] += 1
            self.reasons.append(f"{report.nodeid}\n{report.longrepr}")
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
            ["-q", "--no-header", "-p", "no:cacheprovider", "--tb=short", "--rootdir", folder, folder],
            plugins=[reports],
        )
        inner = sum(reports.failed.pop(name, 0) for name in INNER)
        failed = sum(reports.failed.values())
        print(f"{reports.passed} pass, {failed} do not, {inner} are of inner functions", end=" ... ")
        expected = {name: count for name, (count, _) in CONTRADICTIONS.items()}
        self.assertEqual(dict(reports.failed), expected, "\n".join(reports.reasons))
        self.assertGreater(reports.passed, 100)

    def test_readme_lists_the_contradictions(self):
        text = README.read_text(encoding="utf-8")
        for name, (_, clause) in CONTRADICTIONS.items():
            self.assertTrue(any(f"`{name}`" in row and clause in row for row in text.splitlines()), name)


if __name__ == "__main__":
    unittest.main()
