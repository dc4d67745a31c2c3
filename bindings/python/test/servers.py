"""Servers of stores for tests: a Redis server, a PostgreSQL server, and a way to one of them that can be cut."""
import glob
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import unittest

from robotrules import RobotRulesError, open_store

WAIT = 60  # seconds until a server that does not answer is a failure


class Servers(unittest.TestCase):
    """Starts servers in a folder of their own, as a user without rights if the test is run by root."""

    def setUp(self):
        super().setUp()
        self.user = {"user": "nobody"} if os.getuid() == 0 else {}
        self.data = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.data, ignore_errors=True)
        os.chmod(self.data, 0o700)
        if self.user:
            shutil.chown(self.data, "nobody")

    def _port(self):
        """Returns a port that is kept for a server of this test, which must set SO_REUSEADDR as this does."""
        held = socket.socket()
        self.addCleanup(held.close)
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        return held.getsockname()[1]

    def redis(self):
        """Starts a Redis server, and returns its port. Skips the test if there is none, or no store for it."""
        program = shutil.which("redis-server") or shutil.which("redis-check-rdb")  # one program with two names
        if program is None:
            self.skipTest("there is no redis-server (redis-tools)")
        port = self._port()
        settings = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", self.data]
        self._begin_redis = lambda: self._begin(["redis-server", *settings], executable=program)
        self._redis = self._begin_redis()
        self._wait(f"redis://127.0.0.1:{port}/15", self._redis)
        return port

    def save_redis(self, port):
        """Makes the server write its data to the disk."""
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(b"SAVE\r\n")
            self.assertEqual(connection.recv(100), b"+OK\r\n")

    def lose_writes_of_redis(self):
        """Kills the server and starts it again with what save_redis() has written."""
        self._redis.kill()
        self._redis.wait()
        self._redis = self._begin_redis()

    def postgresql(self):
        """Starts a PostgreSQL server, and returns its port; user tester, database postgres."""
        folders = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
        found = folders[-1] if folders else shutil.which("initdb")
        if found is None:
            self.skipTest("there is no PostgreSQL server (postgresql-15)")
        programs = pathlib.Path(found).resolve().parent
        data = f"{self.data}/data"
        made = [programs / "initdb", "-D", data, "-A", "trust", "-U", "tester", "--no-sync", "-E", "UTF8"]
        quiet = {"stdout": subprocess.DEVNULL, "env": {"LC_ALL": "C"}}
        subprocess.run(made, check=True, cwd=self.data, **quiet, **self.user)
        port = self._port()
        server = self._begin([programs / "postgres", "-D", data, "-k", self.data, "-h", "127.0.0.1", "-p", str(port),
                              "-c", "fsync=off"], cwd=self.data)
        self._wait(f"postgresql://tester@127.0.0.1:{port}/template1", server)
        return port

    def _begin(self, arguments, **options):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        server = subprocess.Popen(arguments, **quiet, **options, **self.user)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        return server

    def _wait(self, name, server):
        """Returns when the server answers. The store of ``name`` is not the one of the test."""
        deadline = time.monotonic() + WAIT
        while True:
            try:
                open_store(name).close()
                return
            except RobotRulesError as error:
                if error.code == "store-name":
                    self.skipTest(f"this build has no such store: {error}")
                if server.poll() is not None or time.monotonic() > deadline:
                    raise
                self.assertEqual(error.code, "store-unreachable", error)
                time.sleep(0.02)


class Way:
    """A way to a server on loopback. While it is cut, it takes connections and bytes, but passes nothing on."""

    def __init__(self, port):
        self._target = port
        self._goes = threading.Event()
        self._goes.set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._sockets = []
        self._ends = False
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self):
        self._goes.clear()

    def mend(self):
        self._goes.set()

    def close(self):
        self._ends = True
        self.mend()
        for each in [self._listener, *self._sockets]:
            with_shutdown(each)

    def _accept(self):
        while not self._ends:
            try:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                return
            self._sockets += [client, server]
            for source, sink in ((client, server), (server, client)):
                threading.Thread(target=self._pass_on, args=(source, sink), daemon=True).start()

    def _pass_on(self, source, sink):
        try:
            while True:
                data = source.recv(65_536)
                self._goes.wait()
                if not data:
                    break
                sink.sendall(data)
        except OSError:
            pass
        with_shutdown(sink)


def with_shutdown(connection):
    """Closes a socket that another thread may wait for."""
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:  # it is closed already
        pass
    connection.close()
