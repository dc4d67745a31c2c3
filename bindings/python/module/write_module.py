"""Writes the C source of the extension module robotrules._native: write_module.py HEADER OUTPUT.c

The declarations come from include/robotrules.h, without the agent. cffi makes the module of them; it is the only
program that this script needs. many.h and owned.h beside this script have a few functions more.

The global interpreter lock (GIL). cffi releases it in every call. If another thread of Python computes, that thread
then often takes it and keeps it for its whole time slice of 5 ms, so a call of less than a microsecond took 400 on
average. So quick functions keep it: those in KEEPS_GIL, and a second copy of those in BY_SIZE, whose name begins with
held_. The package calls that copy if the texts are so short that the call takes less than about a millisecond.
"""
import pathlib
import re
import sys

import cffi

# As robotrules_c_static(... core store) compiles the library.
DEFINED = {"ROBOTRULES_C_STATIC", "ROBOTRULES_NO_AGENT", "__GNUC__"}
INTEGER = re.compile(r"#define (ROBOTRULES_\w+) (?:\d+|INT64_MIN)$")

# Functions that only read what is in memory.
KEEPS_GIL = re.compile(
    r"robotrules_(?:\w+_(?:name|reason|code|message|view|version|version_number|count|facts|at|complete)"
    r"|c_api|features|robot_name|robots_url|gate_key|reservation_answer|rules_(?:settings|usage)"
    r"|file_(?:directive|group)|findings_edit|lint_code_(?:count|at)|fixed_(?:left|unproven)"
    r"|difference_\w+|(?:text|error|rules|sitemaps|findings|fixed|crawlers)_free)$"
)
STORE = re.compile(r"robotrules_(?:store|database|reservation)_")  # may wait for a disk or a server
MANY = """
robotrules_status check_lines(const robotrules_rules*, const char*, size_t, robotrules_verdict*, size_t);
robotrules_status access_lines(const robotrules_rules*, const char*, size_t, unsigned char*, size_t);
void untrack(void*);
"""
BY_SIZE = ("rules_check", "rules_access", "rules_compile", "rules_compile_names", "file_rules_names")


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


def held_copies(declared):
    """Returns the declarations of the copies that keep the GIL, and the macros that make them of the functions."""
    copies, macros = [], []
    for name in BY_SIZE:
        found = re.search(rf"^ *\w+ robotrules_{name}\([^;]*;", declared, re.MULTILINE)
        copies.append(found[0].replace(f"robotrules_{name}", f"held_{name}", 1))
        macros.append(f"#define held_{name} robotrules_{name}")
    return "\n".join(copies), "\n".join(macros)


def keeps_gil(name):
    if name == "robotrules_reservation_answer":
        return True
    return name == "untrack" or name.startswith("held_") or (KEEPS_GIL.match(name) is not None and STORE.match(name) is None)


def without_release(source):
    """Returns the C source in which quick functions keep the GIL."""
    kept = []
    function = ""
    for line in source.splitlines():
        begins = re.match(r"_cffi_f_(\w+)\(", line)
        if begins:
            function = begins[1]
        if line.strip() in ("Py_BEGIN_ALLOW_THREADS", "Py_END_ALLOW_THREADS") and keeps_gil(function):
            continue
        kept.append(line)
    return "\n".join(kept) + "\n"


def main(header, output):
    declared = declarations(pathlib.Path(header).read_text(encoding="utf-8"))
    copies, macros = held_copies(declared)
    ffi = cffi.FFI()
    ffi.cdef(declared + copies + MANY)
    here = pathlib.Path(__file__).parent
    more = "\n".join((here / name).read_text(encoding="utf-8") for name in ("many.h", "owned.h"))
    ffi.set_source("robotrules._native", f"{more}\n{macros}\n", py_limited_api=True)
    ffi.emit_c_code(output)
    path = pathlib.Path(output)
    path.write_text(without_release(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
