#!/usr/bin/env python3
"""Makes the pictures of docs/screens again: runs each command on a terminal and writes what it shows as an SVG.

  tools/screens.py [--command FILE] [--sites FILE] [NAME...]

Run it after `make demo`, which builds the command and the sites of the crawl. NAME is the name of a picture, such as
lint; without a name all are made. It uses only the standard library of Python.
"""
import argparse
import fcntl
import html
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

# The columns of the terminal, and the command line. A picture shows the command line above the output.
SCREENS = {
    "lint": (84, "robotrules lint --notes demo/sites/broken.example \\\n"
                 "    --only path-without-slash,misspelt-directive,conflicting-rules,duplicate-rule"),
    "explain": (80, "robotrules check --robots demo/sites/shop.example --agent FooBot --explain \\\n"
                    "    '/shoes?color=red&sort=price' /search/help"),
    "diff": (80, "sed '/^User-agent: GPTBot/d' demo/sites/news.example |\n"
                 "    robotrules diff demo/sites/news.example -"),
    "agents": (92, "robotrules agents --color=always demo/sites/news.example |\n"
                   "    sed -n '/training.*:/,/^$/p; /is allowed for/,$p'"),
    "get": (112, "robotrules get -i urls.txt -o pages.warc.gz --db crawl.db --agent DemoBot/1.0 \\\n"
                 "    --from demo@example.org --allow-address 127.0.0.0/8"),
}

# The crawl of the picture "get" is shown when so many percent are done. Its sites are some of those of demo/site.
SHOWN_AT = 40
CRAWLED = re.compile(r"//(shop|open|patient|slow|busy|crowd-[1-6])\.")
LONGEST = 60  # seconds that a command may take
ROWS = 40  # of the terminal
DRAWN = b"\x1b[J\r"  # ends each drawing of the display

STYLES = {"1": "b", "2": "d", "31": "r", "32": "g", "35": "m", "36": "c"}
LIGHT = {"back": "#ffffff", "edge": "#d0d7de", "text": "#1f2328", "d": "#656d76", "r": "#c5221f", "g": "#116329",
         "m": "#8a2be2", "c": "#0969a2"}
DARK = {"back": "#0d1117", "edge": "#3d444d", "text": "#e6edf3", "d": "#8b949e", "r": "#ff7b72", "g": "#56d364",
        "m": "#d2a8ff", "c": "#56d4dd"}

FONT_SIZE, CHARACTER, LINE, MARGIN = 14, 8.4, 19, 16  # pixels


class Screen:
    """What a terminal shows of the command's output: text, colours, and lines that are drawn again as a whole."""

    def __init__(self):
        self.lines = [""]
        self.row = 0
        self.replaces = False  # the cursor is at the begin of a line, so text replaces the line

    def write(self, text):
        for piece in re.findall(r"\x1b\[[0-9]*[A-Za-z]|[\r\n]|[^\x1b\r\n]+", text):
            if piece == "\r":
                self.replaces = True
            elif piece == "\n":
                self.row += 1
                self.replaces = True
                if self.row == len(self.lines):
                    self.lines.append("")
            elif piece.startswith("\x1b") and piece[-1] == "A":
                self.row = max(0, self.row - int(piece[2:-1] or 1))
            elif piece == "\x1b[J":
                del self.lines[self.row + 1:]
                if self.replaces:
                    self.lines[self.row] = ""
            elif piece == "\x1b[K":
                if self.replaces:
                    self.lines[self.row] = ""
            else:
                self.lines[self.row] = piece if self.replaces else self.lines[self.row] + piece
                self.replaces = False


def run(line, columns, folder, path, until=None):
    """Runs a command line on a terminal, to its end or until its display is as wanted; returns the screen."""
    process, terminal = pty.fork()
    if process == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, columns, 0, 0))
        os.chdir(folder)
        environment = {"PATH": f"{path}:/usr/bin:/bin", "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        os.execve("/bin/sh", ["sh", "-c", line], environment)
    screen = Screen()
    ends = time.monotonic() + LONGEST
    held = b""
    while select.select([terminal], [], [], max(0, ends - time.monotonic()))[0]:
        try:
            read = os.read(terminal, 65536)
        except OSError:  # the command has ended
            read = b""
        if not read:
            break
        held += read
        whole = max(held.rfind(b"\n"), held.rfind(b"\r")) + 1  # escapes and characters stay whole
        shown, held = held[:whole], held[whole:]
        screen.write(shown.decode())
        if until and shown.endswith(DRAWN) and until(screen):
            os.kill(process, signal.SIGKILL)
            break
    else:
        os.kill(process, signal.SIGKILL)
        sys.exit(f"screens: this command takes longer than {LONGEST} s: {line}")
    screen.write(held.decode())
    os.waitpid(process, 0)
    os.close(terminal)
    return screen


def crawl(line, columns, path, sites):
    """Runs the crawl of the demo's sites until its display shows some progress."""
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen([sites, "serve", folder], stdout=subprocess.PIPE)
        try:
            if server.stdout.readline() != b"ready\n":
                sys.exit(f"screens: {sites} does not start; run make demo to build it")
            urls = pathlib.Path(folder, "urls.txt")
            urls.write_text("".join(url for url in urls.read_text().splitlines(True) if CRAWLED.search(url)))

            def shown(screen):
                percent = re.search(r"([0-9]+) %", "\n".join(screen.lines))
                return percent and int(percent[1]) >= SHOWN_AT

            return run("exec " + line, columns, folder, path, shown)
        finally:
            server.terminate()
            server.wait()


def pieces_of(line):
    """Returns the pieces of a row: column, class of the style, text."""
    pieces, column, style = [], 0, ""
    for part in re.split(r"(\x1b\[[0-9]*m)", line):
        if part.startswith("\x1b"):
            style = STYLES.get(part[2:-1], "")
            continue
        # Several spaces end a piece, so that the columns hold in every font.
        for found in re.finditer(r"\S+(?: \S+)*", part):
            pieces.append((column + found.start(), style, found[0]))
        column += len(part)
    return pieces


def rows_of(line, columns):
    """Returns the rows that a terminal makes of a line."""
    all_rows, row, width, style = [], "", 0, ""
    for part in re.findall(r"\x1b\[[0-9]*m|[^\x1b]", line):
        if part == "\t":
            part = " " * (8 - width % 8)
        if part.startswith("\x1b"):
            style = part
        elif width >= columns:
            all_rows.append(row)
            row, width = style, 0
        row += part
        width += 0 if part.startswith("\x1b") else len(part)
    return all_rows + [row]


def style_rules(colours):
    classes = "".join(f" .{name} {{ fill: {colours[name]} }}" for name in "drgmc")
    return f".back {{ fill: {colours['back']}; stroke: {colours['edge']} }} text {{ fill: {colours['text']} }}{classes}"


def svg(line, columns, shown):
    title = " ".join(line.replace("\\\n", "").split())
    prompt = ("$ " + line).split("\n")
    lines = ["\x1b[1m" + each + "\x1b[0m" for each in prompt]
    lines += [row for each in shown for row in rows_of(each, columns)]
    width = round(columns * CHARACTER + 2 * MARGIN)
    height = len(lines) * LINE + 2 * MARGIN
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
           f'role="img" aria-labelledby="title">',
           f"<title id=\"title\">{html.escape(title)}</title>",
           "<style>",
           f"text {{ font: {FONT_SIZE}px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', "
           "'Liberation Mono', monospace; white-space: pre }",
           ".b { font-weight: bold }",
           style_rules(LIGHT),
           f"@media (prefers-color-scheme: dark) {{ {style_rules(DARK)} }}",
           "</style>",
           f'<rect class="back" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>']
    for number, each in enumerate(lines):
        y = MARGIN + number * LINE + FONT_SIZE
        for column, style, text in pieces_of(each):
            of_class = f' class="{style}"' if style else ""
            # textLength holds the columns in a font of another width.
            length = f' textLength="{len(text) * CHARACTER:g}"' if len(text) > 1 else ""
            out.append(f'<text x="{MARGIN + column * CHARACTER:g}" y="{y}"{length}{of_class}>'
                       f"{html.escape(text, quote=False)}</text>")
    return "\n".join(out) + "\n</svg>\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default=ROOT / "build/release/bin/robotrules", type=pathlib.Path)
    parser.add_argument("--sites", default=ROOT / "build/release/bin/demo_site", type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help="one of " + ", ".join(SCREENS))
    given = parser.parse_args()
    unknown = [name for name in given.names if name not in SCREENS]
    if unknown:
        sys.exit(f"screens: there is no picture {unknown[0]}; give one of {', '.join(SCREENS)}")
    names = given.names or list(SCREENS)
    for needed in [given.command] + ([given.sites] if "get" in names else []):
        if not shutil.which(needed):
            sys.exit(f"screens: {needed} is missing; run make demo to build it")

    with tempfile.TemporaryDirectory() as path:  # the command is called by its name
        os.symlink(given.command.resolve(), pathlib.Path(path, "robotrules"))
        for name in names:
            columns, line = SCREENS[name]
            if name == "get":
                screen = crawl(line, columns, path, given.sites.resolve())
            else:
                screen = run(line, columns, ROOT, path)
            shown = [each.rstrip() for each in screen.lines]
            while shown and not shown[-1]:
                shown.pop()
            target = ROOT / "docs/screens" / f"{name}.svg"
            target.parent.mkdir(exist_ok=True)
            target.write_text(svg(line, columns, shown))
            print(f"{target.relative_to(ROOT)}: {len(shown)} lines, {target.stat().st_size} bytes")


if __name__ == "__main__":
    main()
