"""The tables of tests/conformance, asked through the package."""
import unittest

from data import ROOT, unescape
from robotrules import Rules


class Tables(unittest.TestCase):
    def test_answers_of_each_table(self):
        tables = sorted((ROOT / "tests" / "conformance").glob("*.tsv"))
        self.assertGreaterEqual(len(tables), 6)
        for table in tables:
            cases = 0
            for number, row in enumerate(table.read_bytes().split(b"\n"), 1):
                if not row or row.startswith(b"#"):
                    continue
                name, dialect, agent, url, access, line, robots = row.split(b"\t")[:7]
                rules = Rules.compile(
                    unescape(robots), unescape(agent), dialect.decode(), url="http://foo.bar/robots.txt"
                )
                verdict = rules.check(unescape(url))
                place = f"{table.name}:{number} {name.decode()} ({dialect.decode()})"
                self.assertEqual(verdict.access, access.decode(), place)
                if line != b"-":
                    self.assertEqual(verdict.line, int(line), place)
                self.assertEqual(rules.allowed(unescape(url)), access == b"allowed", place)
                cases += 1
            self.assertGreater(cases, 10, table.name)


if __name__ == "__main__":
    unittest.main()
