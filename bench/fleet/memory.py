#!/usr/bin/env python3
"""memory.py FOLDER [SITES...]: what a site costs a Redis server: memory of a gate key and of a robots.txt record,
processor time, network and log of a call, and what a rewrite of the log costs. FOLDER has robotrules_fill and
robotrules_gates. SITES: numbers of sites (default: 1,000, 10,000, 100,000 and 1,000,000). Prints tables."""
import subprocess
import sys
import time

from servers import Redis, median, redis_program, table, thousands

if not redis_program():
    sys.exit("memory.py: skipped: redis-server is not installed")
folder = sys.argv[1]
sizes = [int(word) for word in sys.argv[2:]] or [1_000, 10_000, 100_000, 1_000_000]


def run(program, *words):
    return subprocess.run([f"{folder}/robotrules_{program}", *map(str, words)], check=True, capture_output=True,
                          text=True).stdout


def fill(redis, sites, *words):
    before = redis.info("used_memory")
    traffic = redis.info("total_net_input_bytes"), redis.info("total_net_output_bytes")
    log = redis.info("aof_current_size")
    sites = int(run("fill", redis.url(), "--sites", sites, *words))
    return {
        "memory": (redis.info("used_memory") - before) / sites,
        "in": (redis.info("total_net_input_bytes") - traffic[0]) / sites,
        "out": (redis.info("total_net_output_bytes") - traffic[1]) / sites,
        "log": (redis.info("aof_current_size") - log) / sites,
    }


rows = []
for sites in sizes:
    redis = Redis("--appendonly", "yes", "--auto-aof-rewrite-percentage", "0")
    run("fill", redis.url("warm"), "--sites", 1)
    gate = fill(redis, sites)
    record = fill(redis, sites, "--records", 1) if sites <= 1_000_000 else None
    rss = redis.info("used_memory_rss")
    # Calls a second of one client on that many keys, by the processor time of the server alone: other programs on the
    # machine make the clock's seconds longer, but not these.
    costs = []
    for _ in range(3):
        cpu, calls = redis.cpu(), redis.calls()
        run("gates", redis.url(), "--clients", 1, "--keys", max(sites, 64), "--seconds", 2)
        costs.append((redis.cpu() - cpu) / (redis.calls() - calls) * 1e6)
    redis.cli("bgrewriteaof")
    begin = time.monotonic()
    peak = 0
    while redis.info("aof_rewrite_in_progress") != 0:
        peak = max(peak, redis.info("used_memory_rss"))
        time.sleep(0.05)
    rows.append([f"{sites:,}", thousands(gate["memory"]), thousands(record["memory"]) if record else "–",
                 f"{gate['in'] / 2:.0f} / {gate['out'] / 2:.0f}", f"{gate['log'] / 2:.0f}", f"{median(costs):.1f} µs",
                 f"{rss / 2**20:,.0f} MiB", f"{redis.info('latest_fork_usec') / 1000:.1f} ms",
                 f"{time.monotonic() - begin:.1f} s"])
    redis.stop()
table(["sites", "bytes, gate key", "bytes, record with its body", "bytes in / out a call", "log bytes a call",
       "processor time of the server a call", "resident", "fork", "rewrite of the log"], rows)
