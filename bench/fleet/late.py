#!/usr/bin/env python3
"""late.py FOLDER [SECONDS]: how long the loop of a robot is blocked at most by its store, for each kind of store, while
its server works, while it does not answer (SIGSTOP; in a cluster, a master is killed and its replica is promoted), and
after that. FOLDER has robotrules_lateness. The goal is 5 ms. The last two columns are a loop that uses no store, in the
same process at the same time: what the machine itself was late. As root, both loops have real-time priority, so that other
programs make them less late. SECONDS: of each phase (default: 8). Prints a table."""
import re
import subprocess
import sys

from servers import Postgres, Redis, RedisCluster, folder, postgres_folder, redis_program, table

program = sys.argv[1] + "/robotrules_lateness"
seconds = sys.argv[2] if len(sys.argv) > 2 else "8"
rows = []


def measure(name, url, stop="", resume=""):
    words = [program, url, "--seconds", seconds]
    if stop:
        words += ["--stop", stop, "--resume", resume]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    for line in done.stdout.splitlines()[1:]:
        label, figures = line[:27].strip(), re.findall(r"[0-9.]+", line[27:])
        rows.append([name, label, f"{int(figures[8]):,}", figures[2], figures[3], figures[6], figures[7]])


measure("memory", "memory")
measure("SQLite", folder() + "/store.db")
if redis_program():
    redis = Redis("--appendonly", "yes")
    measure("Redis", redis.url(), f"kill -STOP {redis.process.pid}", f"kill -CONT {redis.process.pid}")
    redis.stop()
    cluster = RedisCluster(3, 3, "--appendonly", "yes")
    measure("Redis Cluster, a master dies", cluster.url(), f"kill -KILL {cluster.nodes[0].process.pid}", "true")
    cluster.stop()
else:
    print("late.py: Redis is skipped: redis-server is not installed")
if postgres_folder():
    postgres = Postgres()
    pid = postgres.process.pid
    children = f"$(cat /proc/{pid}/task/{pid}/children)"
    measure("PostgreSQL", postgres.url(), f"kill -STOP {pid} {children}", f"kill -CONT {children} {pid}")
    # All its sessions are cut.
    measure("PostgreSQL, its sessions end", postgres.url("other"),
            f"psql -qh 127.0.0.1 -p {postgres.port} -U bench -c \"SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name LIKE 'robotrules%'\" postgres >/dev/null", "true")
    postgres.stop()
else:
    print("late.py: PostgreSQL is skipped: it is not installed")
print("Milliseconds that a task of the loop was late.\n")
table(["store", "server", "grants/s", "99.9 %", "max", "no store: 99.9 %", "max"], rows)
