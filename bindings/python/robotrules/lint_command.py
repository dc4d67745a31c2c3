"""robotrules-lint: finds mistakes in robots.txt files without the command robotrules, for pre-commit and the like.

It prints every finding as FILE:LINE:COLUMN: SEVERITY: MESSAGE [CODE], and its remedy below. The exit status is 1 if there is
an error, 2 if a file cannot be read. The command's `robotrules lint` has more options and also corrects files.
"""
from __future__ import annotations

import argparse
import sys
from typing import List, Optional

from . import __version__
from ._lint import Finding, lint, lint_codes

_ORDER = ["error", "warning", "note"]


def _codes(words: str) -> List[str]:
    known = {code.code for code in lint_codes()}
    codes = [word for word in words.split(",") if word]
    for code in codes:
        if code not in known:
            raise argparse.ArgumentTypeError(f"there is no finding {code!r}")
    return codes


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="robotrules-lint", description="Finds mistakes in robots.txt files. The exit status is 1 if there is an error."
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="- is standard input")
    parser.add_argument("--notes", action="store_true", help="print notes too: oddities that do no harm")
    parser.add_argument("--only", type=_codes, metavar="CODE,...", help="print only findings with these codes")
    parser.add_argument("--ignore", type=_codes, default=[], metavar="CODE,...", help="leave out findings with these codes")
    parser.add_argument("--fail-on", choices=_ORDER, default="error", help="the severity that makes the status 1")
    parser.add_argument("--version", action="version", version=f"robotrules {__version__}")
    return parser


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs the command with these arguments (default: those of the process) and returns its exit status."""
    options = _parser().parse_args(arguments)
    shown = _ORDER if options.notes or options.fail_on == "note" else _ORDER[:2]
    failing = _ORDER[: _ORDER.index(options.fail_on) + 1]
    status = 0
    for name in options.files:
        try:
            if name == "-":
                data = sys.stdin.buffer.read()
            else:
                with open(name, "rb") as file:
                    data = file.read()
        except (OSError, ValueError) as error:  # ValueError: a NUL in the name
            print(f"robotrules-lint: {_shown(name)} cannot be read: {getattr(error, 'strerror', error)}", file=sys.stderr)
            status = 2
            continue
        for finding in lint(data):
            if finding.code in options.ignore or (options.only is not None and finding.code not in options.only):
                continue
            if finding.severity in failing:
                status = max(status, 1)
            if finding.severity in shown:
                print(_text(name, finding))
    return status


def _shown(text: str) -> str:
    """Returns a text of the file or its name in one line without commands for a terminal or a runner of checks."""
    shown = "".join(
        char if char.isprintable() else char.encode("unicode_escape", "surrogatepass").decode("ascii") for char in text
    )
    return shown.replace("##[", "\\x23#[")  # GitHub reads "##[COMMAND]" anywhere in a line


def _text(name: str, finding: Finding) -> str:
    place = f"{_shown(name)}:{finding.line}:{finding.column}" if finding.line else _shown(name)
    if place.startswith(":"):
        place = f"./{place}"  # GitHub reads "::COMMAND::" at the beginning of a line
    text = f"{place}: {finding.severity}: {_shown(finding.message)} [{finding.code}]"
    return f"{text}\n    {_shown(finding.remedy)}" if finding.remedy else text


if __name__ == "__main__":
    sys.exit(main())
