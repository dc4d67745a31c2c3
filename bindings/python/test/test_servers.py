"""Rules and gates in a Redis server and in a PostgreSQL database, which the tests start."""
import unittest

from robotrules import RobotRules, RobotRulesError, open_store
from servers import Servers

SITE = "https://example.org"


class Server(Servers):
    def two_processes_share(self, name):
        """Two handles know nothing of each other but the server."""
        with open_store(name) as one, open_store(name) as other:
            RobotRules("FooBot", one).keep(f"{SITE}/robots.txt", "User-agent: *\nDisallow: /x\n")
            sites = RobotRules("FooBot", other)
            self.assertIs(sites.allowed(f"{SITE}/x"), False)
            self.assertIs(sites.allowed(f"{SITE}/"), True)
            with one.reserve("host:a") as turn:
                self.assertTrue(turn.granted)
                self.assertEqual(other.reserve("host:a").why, "in-flight")
                turn.complete(200)
            self.assertEqual(other.reserve("host:a", interval=3600).why, "interval")
            self.assertEqual(other.gate("host:a").visits, 1)
        with self.assertRaises(RobotRulesError) as caught:
            RobotRules("BarBot", name)
        self.assertEqual(caught.exception.code, "other-agent")

    def test_redis(self):
        self.two_processes_share(f"redis://127.0.0.1:{self.redis()}/0?first_ever=1")

    def test_postgresql(self):
        self.two_processes_share(f"postgresql://tester@127.0.0.1:{self.postgresql()}/postgres?first_ever=1")


if __name__ == "__main__":
    unittest.main()
