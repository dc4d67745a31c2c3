"""CPython's own tests of urllib.robotparser, run with robotrules.robotparser in its place.

ROBOTRULES_TEST_ROBOTPARSER: the path of Lib/test/test_robotparser.py. Without it, the package `test` of this Python is
searched (Debian: libpython3-testsuite).
"""
import importlib.util
import os
import pathlib
import types
import unittest
import urllib.request

import robotrules.robotparser
from data import README

# The tests that do not pass, each with the clause that it contradicts. README.md has the same list.
CONTRADICTIONS = {
    "UserAgentGoogleMobileTest.test_bad_urls": "RFC 9309 section 2.2.1",
    "UseFirstUserAgentWildcardTest.test_good_urls": "RFC 9309 section 2.2.1",
}


def original():
    """Returns the path of the original tests, or None."""
    path = os.environ.get("ROBOTRULES_TEST_ROBOTPARSER")
    if path:
        return pathlib.Path(path)
    try:
        found = importlib.util.find_spec("test.test_robotparser")
    except ModuleNotFoundError:
        found = None
    return None if found is None else pathlib.Path(found.origin)


class Original(unittest.TestCase):
    def test_all_pass_but_those_that_contradict_rfc_9309(self):
        path = original()
        if path is None or importlib.util.find_spec("test.support") is None:
            self.skipTest("this Python has no test/test_robotparser.py; set ROBOTRULES_TEST_ROBOTPARSER to its path")
        spec = importlib.util.spec_from_file_location("original_test_robotparser", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        module.urllib = types.SimpleNamespace(robotparser=robotrules.robotparser, request=urllib.request)
        result = unittest.TestResult()
        unittest.defaultTestLoader.loadTestsFromModule(module).run(result)
        failed = {}
        for test, trace in result.failures + result.errors:
            test = getattr(test, "test_case", test)  # of a subtest
            failed[".".join(test.id().split(".")[-2:])] = trace
        passed = result.testsRun - len(result.skipped) - len(failed)
        print(f"{passed} pass, {len(failed)} do not, {len(result.skipped)} need the network", end=" ... ")
        self.assertEqual(set(failed), set(CONTRADICTIONS), "\n".join(failed.values()))
        self.assertGreater(passed, 30)

    def test_readme_lists_the_contradictions(self):
        for name, clause in CONTRADICTIONS.items():
            rows = [row for row in README.read_text(encoding="utf-8").splitlines() if f"`{name}`" in row]
            self.assertEqual(len(rows), 1, name)
            self.assertIn(clause, rows[0])


if __name__ == "__main__":
    unittest.main()
