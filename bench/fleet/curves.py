#!/usr/bin/env python3
"""curves.py FOLDER [SECONDS]: calls of the gate in a second by 1, 2, 4 and 8 worker processes on Redis and on PostgreSQL,
each beside a bare client that asks the same server for the same work (throughput.sh says how), and by 4 workers on Redis
Clusters of 1, 3 and 6 nodes. FOLDER has robotrules_gates. Three rounds, medians, SECONDS each (default: 3).

Servers and workers share this machine's processors, so more nodes cannot make more calls here. The processor time of the
server for a call says what a machine of its own can do: a node makes as many calls as fit into a second of one core."""
import os
import re
import subprocess
import sys

from servers import Postgres, Redis, RedisCluster, median, postgres_folder, redis_program, table, thousands

program = sys.argv[1] + "/robotrules_gates"
seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
here = os.path.dirname(os.path.realpath(__file__))
BATCH = 64
WORKERS = (1, 2, 4, 8)
ROUNDS = 3


def gates(url, workers):
    """Returns calls in a second of that many processes."""
    running = [subprocess.Popen([program, url, "--clients", "1", "--batch", str(BATCH), "--seconds", str(seconds)],
                                stdout=subprocess.PIPE, text=True) for _ in range(workers)]
    return sum(float(one.communicate()[0].split()[0]) for one in running)


def bare_redis(redis, workers):
    name = re.search(r"robotrules_\S*_reserve", redis.cli("function", "list"))[0]
    done = subprocess.run(
        ["redis-benchmark", "-p", str(redis.port), "-c", str(workers), "-P", str(BATCH), "-r", "1000000", "-n",
         str(seconds * 40_000), "--csv", "FCALL", name, "1", "{site__rand_int__.example}g:http://site__rand_int__.example",
         "0/bench", "bare", "30000000", "", "__rand_int__", "1", "10000000", "0", "0", "0", "0", "300000000", "1",
         "86400000000", "0"], capture_output=True, text=True)
    return float(done.stdout.splitlines()[-1].rsplit('","')[1].strip('"'))


def bare_postgres(postgres, workers):
    done = subprocess.run(
        ["pgbench", "-h", "127.0.0.1", "-p", str(postgres.port), "-U", "bench", "-n", "-M", "prepared", "-c",
         str(workers), "-T", str(seconds), "-f", here + "/gate.sql", "postgres"], capture_output=True, text=True)
    return float(re.search(r"^tps = ([0-9.]+)", done.stdout, re.M)[1]) * BATCH


def curve(name, server, bare):
    url = server.url()
    gates(url, 1)  # makes functions and tables
    rows = []
    for workers in WORKERS:
        ours, others, ratios, costs = [], [], [], []
        for _ in range(ROUNDS):
            cpu = server.cpu()
            ours.append(gates(url, workers))
            costs.append((server.cpu() - cpu) / (ours[-1] * seconds) * 1e6)
            others.append(bare(server, workers))
            ratios.append(ours[-1] / others[-1])
        rows.append([name, workers, thousands(median(ours)), thousands(median(ours) / 2), thousands(median(others)),
                     f"{median(ratios):.2f}", f"{median(costs):.0f} µs"])
    server.stop()
    return rows


rows = []
if redis_program():
    rows += curve("Redis", Redis("--appendonly", "yes"), bare_redis)
else:
    print("curves.py: Redis is skipped: redis-server is not installed")
if postgres_folder():
    rows += curve("PostgreSQL", Postgres(), bare_postgres)
else:
    print("curves.py: PostgreSQL is skipped: it is not installed")
table(["server", "workers", "calls/s", "URLs/s (two calls each)", "bare client, calls/s", "ratio, median of the pairs",
       "processor time of the server a call"], rows)

rows = []
for nodes in (1, 3, 6) if redis_program() else ():
    cluster = RedisCluster(nodes, 0, "--appendonly", "yes")
    gates(cluster.url(), 1)
    ours, costs = [], []
    for _ in range(ROUNDS):
        cpu = cluster.cpu()
        ours.append(gates(cluster.url(), 4))
        costs.append((cluster.cpu() - cpu) / (ours[-1] * seconds) * 1e6)
    rows.append([nodes, thousands(median(ours)), f"{median(costs):.0f} µs",
                 thousands(nodes * 1e6 / median(costs))])
    cluster.stop()
if rows:
    table(["nodes", "calls/s by 4 workers on this machine", "processor time of the servers a call",
           "calls/s if each node has a core of its own"], rows)
