"""python -m robotrules: runs the command robotrules, which is installed apart from this package."""
import os
import shutil
import sys

NOT_FOUND = 127  # as shells exit if there is no such command


def main() -> None:
    command = shutil.which("robotrules")
    if command is None:
        print(
            "robotrules: the command robotrules is not in PATH. This package is the library for Python; install the "
            "command (make install in a checkout of robotrules), or put its folder into PATH.",
            file=sys.stderr,
        )
        sys.exit(NOT_FOUND)
    os.execv(command, ["robotrules", *sys.argv[1:]])


if __name__ == "__main__":
    main()
