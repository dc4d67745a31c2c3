#!/usr/bin/env python3
"""measure.py COMMAND [OTHER]: processor time and peak memory of reports about files that are full of one thing.

COMMAND and OTHER are robotrules commands, such as build/release/bin/robotrules. Prints a table for bench/README.md. Needs GNU time.
"""

import os
import resource
import subprocess
import sys
import tempfile

SIZES = (100_000, 500_000)
TIMEOUT = 120
MEMORY = 6 << 30

SETTINGS = {
    "Noindex": "Noindex: /{}\n",
    "Content-Usage": "Content-Usage: /{} train-ai=n\n",
    "Content-Signal": "Content-Signal: ai-train=no, a{}=yes\n",
    "Request-rate": "Request-rate: 1/{}\n",
}


def lines(line: str, size: int) -> str:
    text, number = [], 0
    while size > 0:
        text.append(line.format(number))
        size -= len(text[-1].encode())
        number += 1
    return "".join(text)


def files(size: int):
    for name, setting in SETTINGS.items():
        yield f"robots and {name}", lines("User-agent: a{}\n", size // 2) + lines(setting, size // 2)
    yield "one robot, Noindex", "User-agent: *\n" + lines(SETTINGS["Noindex"], size)
    yield "robots and escapes", lines("User-agent: a{}\n", size // 2) + lines("Disallow: /%7e{}/\u00fc\n", size // 2)
    yield "groups with a misspelt rule", lines("User-agent: a{0}\nDisallow: /{0}\nDisalow: /x{0}\n\n", size)


def measure(words, folder):
    """GNU time starts the command: the peak of a process counts from its fork, and this one has the files in memory."""

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    used, printed = os.path.join(folder, "used"), os.path.join(folder, "printed")
    with open(printed, "wb") as out:
        timed = ["/usr/bin/time", "-q", "-f", "%U %S %M", "-o", used, "timeout", str(TIMEOUT), *words]
        status = subprocess.run(timed, stdout=out, stderr=out, preexec_fn=limit, check=False).returncode
    if status == 124:
        return f"over {TIMEOUT} s"
    with open(printed, "rb") as out:
        if status > 128 or b"out of memory" in out.read()[-200:]:
            return "out of memory"
    with open(used, encoding="ascii") as out:
        user, system, kibibytes = out.read().split()
    return f"{float(user) + float(system):.2f} s, {int(kibibytes) // 1024} MiB"


def import_line(members: int) -> str:
    return '{"origin":"https://a.example","robots":""' + "".join(f',"m{i}":1' for i in range(members)) + "}\n"


def main() -> None:
    commands = sys.argv[1:]
    if not commands:
        sys.exit(__doc__)
    print("| file | bytes | question |" + " time, memory |" * len(commands))
    print("|---|---|---|" + "---|" * len(commands))
    with tempfile.TemporaryDirectory() as folder:
        path, empty = os.path.join(folder, "robots.txt"), os.path.join(folder, "empty")
        open(empty, "w").close()
        for size in SIZES:
            for name, text in files(size):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                for question in (["diff", empty, path], ["agents", path], ["show", path], ["lint", "--fix", path]):
                    cells = [measure([command, *question], folder) for command in commands]
                    print(f"| {name} | {size:,} | `{' '.join(w for w in question if folder not in w)}` | "
                          + " | ".join(cells) + " |", flush=True)
        for members in (20_000, 80_000):
            with open(path, "w", encoding="utf-8") as file:
                file.write(import_line(members))
            cells = []
            for command in commands:
                database = os.path.join(folder, "db")
                cells.append(measure([command, "db", database, "import", path], folder))
                os.unlink(database)
            print(f"| a line of {members:,} members | {os.path.getsize(path):,} | `db import` | " + " | ".join(cells)
                  + " |", flush=True)


if __name__ == "__main__":
    main()
