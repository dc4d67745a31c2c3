"""Writes the C source of the extension module robotrules._native: write_module.py HEADER OUTPUT.c

The declarations come from include/robotrules.h, without the agent. cffi makes the module of them; it is the only
program that this script needs. The headers beside this script have a few functions more, and the type RulesBase.

The global interpreter lock (GIL). cffi releases it in every call. If another thread of Python computes, that thread
then often takes it and keeps it for its whole time slice of 5 ms, so a call of less than a microsecond took 400 on
average. So quick functions keep it: those in QUICK, and a second copy of those in BY_SIZE, whose name begins with
held_. The package calls that copy if the texts are so short that the call takes less than about a millisecond.
"""
import ast
import json
import pathlib
import re
import sys

import cffi

# As robotrules_c_static(... core store) compiles the library.
DEFINED = {"ROBOTRULES_C_STATIC", "ROBOTRULES_NO_AGENT", "__GNUC__"}
INTEGER = re.compile(r"#define (ROBOTRULES_\w+) (?:\d+|INT64_MIN)$")

# Functions that read a few words in memory, whatever their arguments are, and those that free small objects.
QUICK = """
c_api features dialect_count dialect_name access_name kind_name severity_name state_name status_code status_message
why_name why_reason error_code error_message error_free text_view text_free rules_get_facts rules_settings rules_free
reservation_answer file_get_facts file_directive file_group sitemaps_count sitemaps_at sitemaps_free findings_count
findings_at findings_edit lint_code_count lint_code_at fixed_get_facts fixed_left fixed_unproven crawlers_count
crawlers_at crawlers_complete difference_get_facts difference_robot difference_agent difference_change difference_limit
difference_setting difference_setting_agent difference_sitemap
""".split()
MORE = """
uint64_t verdict_key(const robotrules_verdict*);
void untrack(void*);
"""
BY_SIZE = (
    "rules_check", "rules_access", "rules_usage", "rules_compile", "rules_compile_names", "file_rules_names",
    "robot_name", "robots_url", "gate_key",
)


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


def keeping_gil(declared):
    """Returns the names of the functions that keep the GIL."""
    kept = {f"robotrules_{name}" for name in QUICK} | {f"held_{name}" for name in BY_SIZE} | {"verdict_key", "untrack"}
    missing = [name for name in sorted(kept) if f"{name}(" not in declared]
    if missing:
        raise SystemExit(f"write_module.py: the header does not declare {', '.join(missing)}")
    return kept


def docstrings(source):
    """Returns macros DOC_NAME with the docstrings of the classes and functions of a Python source."""
    macros = []
    for node in ast.walk(ast.parse(source)):
        doc = ast.get_docstring(node) if isinstance(node, (ast.ClassDef, ast.FunctionDef)) else None
        if doc is not None:
            if isinstance(node, ast.FunctionDef):  # inspect.signature() reads the first line
                names = ", ".join(argument.arg for argument in node.args.args[1:])
                doc = f"{node.name}($self, {names})\n--\n\n{doc}"
            macros.append(f"#define DOC_{node.name} {json.dumps(doc)}")
    return "\n".join(macros)


def with_rules_base(source):
    """Returns the C source in which the module also has the type RulesBase."""
    made = re.compile(r"return (_cffi_init\([^;]*\));")
    if len(made.findall(source)) != 1:
        raise SystemExit("write_module.py: cffi writes another function that makes the module")
    return made.sub(r"return with_rules_base(\1);", source)


def without_release(source, names):
    """Returns the C source in which the functions of these names keep the GIL."""
    kept = []
    function = ""
    for line in source.splitlines():
        begins = re.match(r"_cffi_f_(\w+)\(", line)
        if begins:
            function = begins[1]
        if line.strip() in ("Py_BEGIN_ALLOW_THREADS", "Py_END_ALLOW_THREADS") and function in names:
            continue
        kept.append(line)
    return "\n".join(kept) + "\n"


def main(header, output):
    declared = declarations(pathlib.Path(header).read_text(encoding="utf-8"))
    copies, macros = held_copies(declared)
    ffi = cffi.FFI()
    declared += copies + MORE
    ffi.cdef(declared)
    here = pathlib.Path(__file__).parent
    more = [(here / name).read_text(encoding="utf-8") for name in ("verdict_key.h", "owned.h", "rules_base.h")]
    docs = docstrings((here.parent / "robotrules" / "_rules_base.py").read_text(encoding="utf-8"))
    ffi.set_source("robotrules._native", "\n".join([docs, *more, macros, ""]), py_limited_api=True)
    ffi.emit_c_code(output)
    path = pathlib.Path(output)
    source = without_release(path.read_text(encoding="utf-8"), keeping_gil(declared))
    path.write_text(with_rules_base(source), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
