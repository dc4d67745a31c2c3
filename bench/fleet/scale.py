#!/usr/bin/env python3
"""scale.py PROGRAM [NODE_CALLS]: the simulation (PROGRAM: robotrules_simulate) of fleets of 1,000 to 10 million sites that
are being visited, on 1 to 64 nodes, each with NODE_CALLS calls of the gate a second (default: 40,000), then failovers
with and without the guard. Prints tables. It takes about 20 minutes of one processor."""
import re
import subprocess
import sys

from servers import table, thousands

program = sys.argv[1]
node_calls = sys.argv[2] if len(sys.argv) > 2 else "40000"


def simulate(**flags):
    words = [program]
    for name, value in flags.items():
        words += ["--" + name.replace("_", "-"), str(value)]
    said = subprocess.run(words, capture_output=True, text=True).stdout
    return {
        "sent": float(re.search(r"requests +([0-9]+)", said)[1]),
        "wanted": float(re.search(r"wanted ([0-9]+)", said)[1]),
        "calls": float(re.search(r"a second, ([0-9.]+) a request", said)[1]),
        "busy": re.search(r"busiest node +([0-9]+)", said)[1],
        "p99": re.search(r"([0-9.]+) ms 99", said)[1],
        "early": re.search(r"early requests +([0-9]+)", said)[1],
        "lost": re.search(r"([0-9]+) writes lost", said)[1],
    }


rows = []
for sites in (1_000, 10_000, 100_000, 1_000_000, 10_000_000):
    for nodes in (1, 4, 16, 64):
        wanted = sites / 10.34
        # Two intervals at least, so that the distances are judged; the largest fleets run for less time.
        seconds = 25 if wanted <= 100_000 else 4
        workers = max(4, min(400, sites // 2_500))
        got = simulate(sites=sites, nodes=nodes, node_calls=node_calls, workers=workers, seconds=seconds, sharing=1)
        rows.append([f"{sites:,}", nodes, thousands(got["wanted"]), thousands(got["sent"]), got["busy"] + " %",
                     got["p99"] + " ms", got["early"]])
print(f"Each node makes {int(node_calls):,} calls a second; 10 s between the requests to a site.\n")
table(["sites", "nodes", "requests/s wanted", "requests/s", "busiest node", "gate, 99 %", "early"], rows)

rows = []
for guard in (1, 0):
    for lag in (50, 300, 1_000):
        got = simulate(sites=103_400, nodes=4, node_calls=node_calls, workers=40, seconds=60, failovers=8, lag=lag,
                       guard=guard, sharing=1)
        rows.append(["on" if guard else "off", f"{lag} ms", thousands(got["sent"]), f"{int(got['lost']):,}",
                     f"{int(got['early']):,}"])
print("Failovers: 8 in a minute, 4 nodes, 103,400 sites; each loses the last writes.\n")
table(["guard", "lost writes of the last", "requests/s", "writes lost", "early requests"], rows)
