"""The recorded answers of other implementations, asked through the package, if the machine has them."""
import base64
import json
import unittest

from data import optional_folder
from robotrules import Rules

# A recorded verdict: a member of the files, the dialect that must say the same, and its column in corpus.tsv.
RECORDED = (("google", "google", 3), ("www_robotrules", "www-robotrules", 5), ("robotstxt_rb", "robotstxt-rb", 6))


class Recorded(unittest.TestCase):
    def agrees(self, verdict, dialect, expected, line):
        said = "allow" if verdict.allowed else "deny"
        return said == expected and (dialect != "google" or verdict.line == line)

    def test_answers_for_adversarial_files(self):
        path = optional_folder("ROBOTRULES_CONFORMANCE", "conformance") / "adversarial.ndjson"
        if not path.exists():
            self.skipTest(f"no {path}: set ROBOTRULES_CONFORMANCE to the folder with the recorded answers to run this")
        asked = 0
        for row in path.read_text(encoding="utf-8").splitlines():
            entry = json.loads(row)
            robots = base64.b64decode(entry["robots_b64"])
            for member, dialect, _ in RECORDED:
                if entry[member] is None:
                    continue
                rules = Rules.compile(robots, entry["agent"], dialect, url="http://example.com/robots.txt")
                verdict = rules.check(entry["url"])
                self.assertTrue(self.agrees(verdict, dialect, entry[member], entry["google_line"]), (row, verdict))
                asked += 1
        print(f"{asked} answers", end=" ... ")
        self.assertGreater(asked, 20_000)

    def test_answers_for_real_files(self):
        path = optional_folder("ROBOTRULES_CONFORMANCE", "conformance") / "corpus.tsv"
        corpus = optional_folder("ROBOTRULES_CORPUS", "corpus")
        if not path.exists() or not corpus.is_dir():
            self.skipTest(f"no {path} or no {corpus}: set ROBOTRULES_CONFORMANCE and ROBOTRULES_CORPUS to run this")
        rows = [row.split("\t") for row in path.read_text(encoding="utf-8").split("\n") if row]
        asked = 0
        known = {}
        for row in rows[1:]:
            host, agent, url = row[:3]
            for _, dialect, column in RECORDED:
                if row[column] == "-":
                    continue
                key = (host, agent, dialect)
                if key not in known:
                    robots = (corpus / host).read_bytes()
                    known[key] = Rules.compile(robots, agent, dialect, url=f"https://{host}/robots.txt")
                verdict = known[key].check(url)
                self.assertTrue(self.agrees(verdict, dialect, row[column], int(row[4]) if row[4] != "-" else 0), row)
                asked += 1
        print(f"{asked} answers", end=" ... ")
        self.assertGreater(asked, 25_716)


if __name__ == "__main__":
    unittest.main()
