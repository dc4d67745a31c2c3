"""The findings about a file, and the corrected file."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, List, Optional, Tuple, Union

from ._core import SEVERITY, Text, bytes_of, check, encode, owned, text_of, whole_number
from ._native import ffi, lib
from ._robots_txt import RobotsTxt


@dataclass(frozen=True)
class Edit:
    """A change of one line that the remedy of a finding asks for."""

    line: int
    #: What to write in its place; empty: the line is deleted.
    lines: Tuple[str, ...]
    #: The same in bytes, for files that are not UTF-8.
    lines_bytes: Tuple[bytes, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Finding:
    """A mistake or oddity of a file. Lines and columns are counted from 1; line 0 is the whole file."""

    #: Stable, such as "missing-colon"; docs/lint has a page for each code.
    code: str
    #: "error", "warning" or "note".
    severity: str
    line: int
    column: int
    #: A sentence.
    message: str
    #: What to write instead.
    remedy: str
    #: Empty: a person must decide what to write.
    edits: Tuple[Edit, ...]


@dataclass(frozen=True)
class Fetched:
    """What is known about the response that the file came in."""

    #: HTTP status after all redirects.
    status: int = 200
    #: The header field; "": there was none.
    content_type: str = ""
    #: Number of redirects.
    redirects: int = 0
    #: Seconds that a cache may keep the response; None: not stated.
    max_age: Optional[int] = None


@dataclass(frozen=True)
class LintCode:
    """A code of findings."""

    code: str
    severity: str
    summary: str
    #: True: it says what the whole file does to robots, not what is wrong with one line.
    consequence: bool


@dataclass(frozen=True)
class Fixed:
    """A file after all edits that provably change nothing for any robot."""

    #: For people: what is not UTF-8 is U+FFFD here. Write ``text_bytes`` to a file.
    text: str
    #: The changes in the unified format of diff; "": nothing was changed.
    diff: str
    #: Number of changed lines.
    edits: int
    #: False: the file is UTF-16 or too long, and nothing was changed.
    is_fixable: bool
    #: Codes and numbers of the findings that remain, because their edits would change what robots may fetch.
    left: Tuple[Tuple[str, int], ...]
    #: The same of findings that remain because the proof would take too long.
    unproven: Tuple[Tuple[str, int], ...]
    #: The file: bytes that no edit changes are as they were.
    text_bytes: bytes


def lint(
    robots: Union[Text, RobotsTxt],
    dialect: str = "rfc9309",
    *,
    url: Text = "",
    known_robots: bool = True,
    fetched: Optional[Fetched] = None,
) -> List[Finding]:
    """Returns the mistakes and oddities of a file, ordered by line and column.

    robots: a text, bytes, or a RobotsTxt, which has its dialect and URL already.
    known_robots: the findings know the crawlers that the library lists.
    fetched: the response that the file came in.
    """
    file = robots if isinstance(robots, RobotsTxt) else RobotsTxt.parse(robots, dialect, url=url)
    options = ffi.new("robotrules_lint_options *")
    options.size = ffi.sizeof("robotrules_lint_options")
    options.known_robots = bool(known_robots)
    options.status = 200
    options.max_age = -1
    if fetched is not None:
        options.fetched = 1
        options.status = whole_number(fetched.status, "fetched.status", 999, "pass the HTTP status")
        options.redirects = whole_number(fetched.redirects, "fetched.redirects", (1 << 32) - 1)
        if fetched.max_age is not None:
            options.max_age = whole_number(fetched.max_age, "fetched.max_age", (1 << 62), "pass whole seconds")
        content_type = encode(fetched.content_type, "content_type")
        pointer = ffi.from_buffer(content_type)
        options.content_type.data = pointer
        options.content_type.size = len(content_type)
    out = ffi.new("robotrules_findings **")
    check(lib.robotrules_file_lint(file._handle, options, out))
    findings = owned(out[0], lib.robotrules_findings_free)
    return [_finding_at(findings, index) for index in range(lib.robotrules_findings_count(findings))]


def _finding_at(findings: Any, index: int) -> Finding:
    said = ffi.new("robotrules_finding *")
    check(lib.robotrules_findings_at(findings, index, said))
    change = ffi.new("robotrules_edit *")
    edits = []
    for number in range(said.edit_count):
        check(lib.robotrules_findings_edit(findings, index, number, change))
        lines = tuple(bytes_of(change.text).split(b"\n")) if change.line_count else ()
        edits.append(Edit(change.line, tuple(line.decode("utf-8", "replace") for line in lines), lines))
    return Finding(
        text_of(said.code),
        SEVERITY[said.severity],
        said.line,
        said.column,
        text_of(said.message),
        text_of(said.remedy),
        tuple(edits),
    )


def lint_codes() -> List[LintCode]:
    """Returns all codes of findings with their summaries."""
    said = ffi.new("robotrules_lint_code *")
    codes = []
    for index in range(lib.robotrules_lint_code_count()):
        check(lib.robotrules_lint_code_at(index, said))
        severity = SEVERITY[said.severity]
        codes.append(LintCode(text_of(said.code), severity, text_of(said.summary), said.consequence != 0))
    return codes


def fix(robots: Text, *, url: Text = "") -> Fixed:
    """Returns the file after all edits that provably change nothing for any robot. Its ``text_bytes`` are the new file.

    robots: the text of the file; bytes as they are in the file are best.
    url: the URL of the file.
    """
    data = encode(robots, "robots")
    place = encode(url, "url")
    out = ffi.new("robotrules_fixed **")
    check(lib.robotrules_fix(data, len(data), place, len(place), out))
    fixed = owned(out[0], lib.robotrules_fixed_free)
    facts = ffi.new("robotrules_fixed_facts *")
    check(lib.robotrules_fixed_get_facts(fixed, facts))
    return Fixed(
        text_of(facts.text),
        text_of(facts.diff),
        facts.edits,
        facts.is_fixable != 0,
        _counts(lib.robotrules_fixed_left, fixed, facts.left_count),
        _counts(lib.robotrules_fixed_unproven, fixed, facts.unproven_count),
        bytes_of(facts.text),
    )


def _counts(function: Any, fixed: Any, count: int) -> Tuple[Tuple[str, int], ...]:
    said = ffi.new("robotrules_code_count *")
    counts = []
    for index in range(count):
        check(function(fixed, index, said))
        counts.append((text_of(said.code), said.count))
    return tuple(counts)
