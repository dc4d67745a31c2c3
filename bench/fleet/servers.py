"""Real servers for the measurements of this folder, on free ports of 127.0.0.1, in a temporary folder that goes with
them. Each is ended by its own process id."""
import atexit
import glob
import os
import pwd
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

TICKS = os.sysconf("SC_CLK_TCK")
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the servers are ended


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_until(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"{what}: this takes too long")
        time.sleep(0.02)


def folder():
    """A folder that is removed at the end, on the disk: durable servers have to write."""
    made = tempfile.mkdtemp(prefix="robotrules-bench-")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


class Server:
    """A process that is ended at the end."""

    def __init__(self, command, **options):
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
        atexit.register(self.stop)

    def stop(self, how=signal.SIGKILL):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.send_signal(how)
            self.process.wait()


def redis_program():
    """Debian has the server's program in redis-tools too, as redis-check-rdb: its name decides what it does."""
    for name in ("redis-server", "valkey-server", "redis-check-rdb"):
        if found := shutil.which(name):
            return found
    return None


class Redis(Server):
    def __init__(self, *settings):
        self.folder = folder()
        self.port = free_port()
        words = ["redis-server", "--bind", "127.0.0.1", "--port", str(self.port), "--dir", self.folder, "--save", "",
                 "--logfile", self.folder + "/log", *settings]
        super().__init__(words, executable=redis_program())
        wait_until(lambda: self.cli("ping") == "PONG", "redis-server")

    def cli(self, *words):
        done = subprocess.run(["redis-cli", "-p", str(self.port), *map(str, words)], capture_output=True, text=True)
        return done.stdout.strip()

    def info(self, name):
        for line in self.cli("info", "everything").splitlines():
            if line.startswith(name + ":"):
                return float(line.split(":", 1)[1])
        raise KeyError(name)

    def cpu(self):
        """Seconds of processor time."""
        return self.info("used_cpu_user") + self.info("used_cpu_sys")

    def calls(self):
        """Calls of functions."""
        for line in self.cli("info", "commandstats").splitlines():
            if line.startswith("cmdstat_fcall:calls="):
                return float(line.split("=")[1].split(",")[0])
        return 0.0

    def url(self, prefix="bench"):
        return f"redis://127.0.0.1:{self.port}?first_ever=1&prefix={prefix}"


class RedisCluster:
    def __init__(self, masters, replicas=0, *settings):
        self.nodes = [Redis("--cluster-enabled", "yes", "--cluster-port", str(free_port()), "--cluster-node-timeout",
                            "1000", "--cluster-require-full-coverage", "no", "--cluster-replica-validity-factor", "0",
                            *settings) for _ in range(masters + replicas)]
        for i, node in enumerate(self.nodes[:masters]):
            node.cli("cluster", "addslotsrange", 16384 * i // masters, 16384 * (i + 1) // masters - 1)
        for i, node in enumerate(self.nodes):
            node.cli("cluster", "set-config-epoch", i + 1)
            bus = node.cli("config", "get", "cluster-port").split()[1]
            self.nodes[0].cli("cluster", "meet", "127.0.0.1", node.port, bus)
        for node in self.nodes:
            wait_until(lambda: f"cluster_known_nodes:{len(self.nodes)}" in node.cli("cluster", "info") and
                       "cluster_state:ok" in node.cli("cluster", "info"), "the cluster")
        for i, node in enumerate(self.nodes[masters:]):
            master = self.nodes[i % masters].cli("cluster", "myid")
            wait_until(lambda: node.cli("cluster", "replicate", master) == "OK", "a replica")
            wait_until(lambda: "master_link_status:up" in node.cli("info", "replication"), "a replica")

    def cpu(self):
        return sum(node.cpu() for node in self.nodes)

    def url(self, prefix="bench"):
        addresses = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        return f"redis+cluster://{addresses}?first_ever=1&prefix={prefix}"

    def stop(self):
        for node in self.nodes:
            node.stop()


def postgres_folder():
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    return found[-1] if found else None


class Postgres(Server):
    def __init__(self):
        programs = postgres_folder()
        self.folder = folder()
        self.port = free_port()
        user = {}
        if os.getuid() == 0:  # it does not run as root
            owner = pwd.getpwnam("postgres")
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
            user = {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
        subprocess.run([programs + "/initdb", "-D", self.folder + "/data", "-U", "bench", "-A", "trust"], check=True,
                       stdout=subprocess.DEVNULL, **user)
        super().__init__([programs + "/postgres", "-D", self.folder + "/data", "-p", str(self.port), "-k", self.folder,
                          "-c", "listen_addresses=127.0.0.1", "-c", "max_connections=200"], **user)
        wait_until(lambda: self.sql("SELECT 1") == "1", "postgres")

    def sql(self, text):
        done = subprocess.run(["psql", "-h", "127.0.0.1", "-p", str(self.port), "-U", "bench", "-AtXc", text,
                               "postgres"], capture_output=True, text=True)
        return done.stdout.strip()

    def children(self):
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as file:
            return [int(word) for word in file.read().split()]

    def cpu(self):
        """Seconds of processor time of the server, of its processes and of those that have ended."""
        total = 0
        for pid in [self.process.pid, *self.children()]:
            try:
                with open(f"/proc/{pid}/stat") as file:
                    fields = file.read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            total += sum(int(fields[i]) for i in (11, 12, 13, 14))
        return total / TICKS

    def url(self, schema="robotrules"):
        return f"postgresql://bench@127.0.0.1:{self.port}/postgres?first_ever=1&schema={schema}"

    def stop(self):
        super().stop(signal.SIGINT)


def median(values):
    return statistics.median(values) if values else float("nan")


def table(heads, rows):
    """Prints a Markdown table."""
    print("| " + " | ".join(heads) + " |")
    print("|" + "---|" * len(heads))
    for row in rows:
        print("| " + " | ".join(str(one) for one in row) + " |")
    print(flush=True)


def thousands(number):
    """A figure with three digits that mean something."""
    if number != number:
        return "–"
    step = 10 ** max(0, len(str(int(abs(number)))) - 3)
    return f"{int(round(number / step) * step):,}"
