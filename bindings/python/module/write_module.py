"""Writes the C source of the extension module robotrules._native: write_module.py HEADER OUTPUT.c

The declarations come from include/robotrules.h, without the agent. cffi makes the module of them; it is the only
program that this script needs.
"""
import pathlib
import re
import sys

import cffi

# As robotrules_c_static(... core store) compiles the library.
DEFINED = {"ROBOTRULES_C_STATIC", "ROBOTRULES_NO_AGENT", "__GNUC__"}
INTEGER = re.compile(r"#define (ROBOTRULES_\w+) (?:\d+|INT64_MIN)$")


def holds(condition, defined):
    """Returns whether the condition of an #if holds."""
    words = re.sub(r"defined\((\w+)\)", lambda match: str(match[1] in defined), condition)
    words = words.replace("&&", " and ").replace("||", " or ").replace("!", " not ")
    if not set(words.split()) <= {"True", "False", "and", "or", "not"}:
        raise SystemExit(f"write_module.py: the header has a condition that is not understood: {condition}")
    return eval(words)


def declarations(header):
    """Returns what the header declares to a C compiler, in the words that cffi understands."""
    defined = set(DEFINED)
    lines = []
    active = [True]  # for each #if that is open: whether its lines count
    for line in re.sub(r"//[^\n]*", "", header).splitlines():
        line = line.strip()
        word, _, rest = line.partition(" ")
        if word == "#if":
            active.append(active[-1] and holds(rest, defined))
        elif word in ("#ifdef", "#ifndef"):
            active.append(active[-1] and (rest in defined) == (word == "#ifdef"))
        elif word == "#else":
            active[-1] = active[-2] and not active[-1]
        elif word == "#endif":
            active.pop()
        elif active[-1] and word == "#define":
            defined.add(re.match(r"\w+", rest)[0])
            if INTEGER.match(line):
                lines.append(f"#define {rest.split()[0]} ...")
        elif active[-1] and not line.startswith("#"):
            lines.append(line)
    return re.sub(r"\bROBOTRULES_(EXPORT|NOEXCEPT)\b", "", "\n".join(lines))


def main(header, output):
    ffi = cffi.FFI()
    ffi.cdef(declarations(pathlib.Path(header).read_text(encoding="utf-8")))
    ffi.set_source("robotrules._native", "#include <robotrules.h>", py_limited_api=True)
    ffi.emit_c_code(output)


if __name__ == "__main__":
    main(*sys.argv[1:])
