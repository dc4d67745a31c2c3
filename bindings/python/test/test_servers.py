"""Rules and gates in a Redis server and in a PostgreSQL database, which the tests start."""
import glob
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import unittest

from robotrules import RobotRules, RobotRulesError, open_store

SITE = "https://example.org"
WAIT = 60  # seconds until a server that does not answer is a failure


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Server(unittest.TestCase):
    """Starts a server in a folder of its own, as a user without rights if the test is run by root."""

    def start(self, arguments, **options):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        server = subprocess.Popen(arguments, **quiet, **options, **self.user)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        return server

    def setUp(self):
        self.user = {"user": "nobody"} if os.getuid() == 0 else {}
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        os.chmod(self.folder, 0o700)
        if self.user:
            shutil.chown(self.folder, "nobody")

    def opened(self, name, server):
        """Returns the store as soon as the server answers."""
        deadline = time.monotonic() + WAIT
        while True:
            try:
                return open_store(name)
            except RobotRulesError as error:
                if server.poll() is not None or time.monotonic() > deadline:
                    raise
                self.assertEqual(error.code, "store-unreachable", error)
                time.sleep(0.02)

    def two_processes_share(self, name, server):
        """Two handles know nothing of each other but the server."""
        with self.opened(name, server) as one, open_store(name) as other:
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
        program = shutil.which("redis-server") or shutil.which("redis-check-rdb")  # one program with two names
        if program is None:
            self.skipTest("there is no redis-server (redis-tools)")
        port = free_port()
        settings = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", self.folder]
        server = self.start(["redis-server", *settings], executable=program)
        try:
            self.two_processes_share(f"redis://127.0.0.1:{port}/0?first_ever=1", server)
        except RobotRulesError as error:
            if error.code == "store-name":
                self.skipTest("this build has no store in Redis")
            raise

    def test_postgresql(self):
        folders = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
        found = folders[-1] if folders else shutil.which("initdb")
        if found is None:
            self.skipTest("there is no PostgreSQL server (postgresql-15)")
        programs = pathlib.Path(found).resolve().parent
        data = f"{self.folder}/data"
        made = [programs / "initdb", "-D", data, "-A", "trust", "-U", "tester", "--no-sync", "-E", "UTF8"]
        quiet = {"stdout": subprocess.DEVNULL, "env": {"LC_ALL": "C"}}
        subprocess.run(made, check=True, cwd=self.folder, **quiet, **self.user)
        port = free_port()
        server = self.start([programs / "postgres", "-D", data, "-k", self.folder, "-h", "127.0.0.1", "-p", str(port),
                             "-c", "fsync=off"], cwd=self.folder)
        try:
            self.two_processes_share(f"postgresql://tester@127.0.0.1:{port}/postgres", server)
        except RobotRulesError as error:
            if error.code == "store-name":
                self.skipTest("this build has no store in PostgreSQL")
            raise


if __name__ == "__main__":
    unittest.main()
