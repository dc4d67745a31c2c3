"""A robots.txt as a document: its groups, sitemaps and settings with their places."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable, List, Optional, Tuple, Union

from ._core import KIND, Text, bytes_of, check, encode, names_of, owned, text_of, texts_of
from ._native import ffi, lib
from ._rules import Rules, is_short_compile

if TYPE_CHECKING:
    from ._compare import Difference
    from ._lint import Fetched, Finding

_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Directive:
    """One line with a name and a value. Lines and columns are counted from 1, columns in bytes of UTF-8."""

    #: The usual spelling, such as "User-agent" or "Crawl-delay"; "" for names that the library does not know.
    kind: str
    #: The name as written.
    name: str
    value: str
    line: int
    column: int
    value_column: int
    #: Index of its group in RobotsTxt.groups; None: it is before the first group.
    group: Optional[int]
    #: Line of the first of the User-agent lines that it belongs to; 0: none.
    run_line: int


@dataclass(frozen=True)
class GroupLines:
    """A group of the file: a run of User-agent lines, and the lines for these robots."""

    #: Of its first User-agent line, or of its first rule if it has none.
    line: int
    #: The User-agent lines.
    agents: Tuple[Directive, ...]
    #: The Allow and Disallow lines.
    rules: Tuple[Directive, ...]
    #: Crawl-delay and all others.
    other: Tuple[Directive, ...]


@dataclass(frozen=True)
class Sitemap:
    """A Sitemap line."""

    #: Resolved against the URL of the file.
    url: str
    #: As written.
    value: str
    line: int


def directive_of(said: Any) -> Directive:
    """Returns a robotrules_directive as Python has it."""
    return Directive(
        KIND[said.kind],
        text_of(said.name),
        text_of(said.value),
        said.line,
        said.column,
        said.value_column,
        None if said.group < 0 else said.group,
        said.run_line,
    )


def sitemap_of(said: Any) -> Sitemap:
    """Returns a robotrules_sitemap as Python has it."""
    return Sitemap(text_of(said.url), text_of(said.value), said.line)


class RobotsTxt:
    """A parsed robots.txt. It does not change, and any number of threads may use it at the same time.

    >>> file = RobotsTxt.parse("User-agent: *\\nCrawl-delay: 5\\nSitemap: https://example.org/map.xml\\n")
    >>> [sitemap.url for sitemap in file.sitemaps]
    ['https://example.org/map.xml']
    >>> file.crawl_delay("FooBot")
    5.0
    """

    __slots__ = ("_handle", "_facts", "__weakref__")
    _handle: Any
    _facts: Any

    def __init__(self, *_: Any) -> None:
        raise TypeError("a RobotsTxt is made by RobotsTxt.parse()")

    @classmethod
    def parse(cls, robots: Text, dialect: str = "rfc9309", *, url: Text = "") -> "RobotsTxt":
        """Reads the file ``robots``. Every text is a valid file.

        robots: the text of the file; bytes as they were received are best.
        dialect: one of DIALECTS.
        url: the URL of the file; relative sitemaps are resolved with it.

        Raises RobotRulesError "unknown-dialect".
        """
        data = encode(robots, "robots")
        name = encode(dialect, "dialect")
        place = encode(url, "url")
        out = ffi.new("robotrules_file **")
        check(lib.robotrules_file_parse(data, len(data), name, len(name), place, len(place), out))
        self = cls.__new__(cls)
        self._handle = owned(out[0], lib.robotrules_file_free)
        self._facts = ffi.new("robotrules_file_facts *")
        check(lib.robotrules_file_get_facts(self._handle, self._facts))
        return self

    def rules_for(self, agent: Union[Text, Iterable[Text]], *, ignores_star: bool = False) -> Rules:
        """Returns the rules for one robot, as Rules.compile() does."""
        robots_names = [encode(name, "agent") for name in names_of(agent, "agent")]
        names, count, _alive = texts_of(robots_names, "agent")
        out = ffi.new("robotrules_rules **")
        short = is_short_compile(self._facts.text.size, robots_names)
        rules_names = lib.held_file_rules_names if short else lib.robotrules_file_rules_names
        check(rules_names(self._handle, names, count, bool(ignores_star), out))
        return Rules._of(out[0])

    def crawl_delay(self, agent: Union[Text, Iterable[Text]]) -> Optional[float]:
        """Returns the Crawl-delay for one robot in seconds; None: there is none."""
        return self.rules_for(agent).crawl_delay

    def lint(self, *, known_robots: bool = True, fetched: "Optional[Fetched]" = None) -> "List[Finding]":
        """Returns the mistakes and oddities of the file, see robotrules.lint()."""
        from ._lint import lint

        return lint(self, known_robots=known_robots, fetched=fetched)

    def diff(self, after: "Union[Text, RobotsTxt]", agents: Union[Text, Iterable[Text]] = ()) -> "Difference":
        """Compares the file with a later one, see robotrules.diff()."""
        from ._compare import diff

        return diff(self, after, agents, self.dialect, url=self.url)

    @property
    def groups(self) -> List[GroupLines]:
        """The groups in file order."""
        return [self._group(index) for index in range(self._facts.group_count)]

    @property
    def sitemaps(self) -> List[Sitemap]:
        """The sitemaps in file order, each once."""
        out = ffi.new("robotrules_sitemaps **")
        check(lib.robotrules_file_sitemaps(self._handle, out))
        sitemaps = owned(out[0], lib.robotrules_sitemaps_free)
        said = ffi.new("robotrules_sitemap *")
        found = []
        for index in range(lib.robotrules_sitemaps_count(sitemaps)):
            check(lib.robotrules_sitemaps_at(sitemaps, index, said))
            found.append(sitemap_of(said))
        return found

    @property
    def directives(self) -> List[Directive]:
        """All lines with a name and a value, in file order."""
        said = ffi.new("robotrules_directive *")
        found = []
        for index in range(self._facts.directive_count):
            check(lib.robotrules_file_directive(self._handle, index, said))
            found.append(directive_of(said))
        return found

    @property
    def text(self) -> str:
        """The text as it was read: without the bytes that the dialect removes, and cut at its limit."""
        return text_of(self._facts.text)

    @property
    def text_bytes(self) -> bytes:
        """The same in bytes."""
        return bytes_of(self._facts.text)

    @property
    def url(self) -> str:
        return text_of(self._facts.url)

    @property
    def dialect(self) -> str:
        return text_of(self._facts.dialect)

    @property
    def line_count(self) -> int:
        count: int = self._facts.line_count
        return count

    @property
    def truncated(self) -> bool:
        """True: the file was longer than the dialect's limit."""
        return bool(self._facts.truncated)

    @property
    def looks_like_html(self) -> bool:
        """True: this seems to be an HTML page."""
        return bool(self._facts.looks_like_html)

    def __copy__(self) -> "RobotsTxt":
        return self  # it does not change

    def __deepcopy__(self, _: Any) -> "RobotsTxt":
        return self

    def __reduce__(self) -> Tuple[Any, ...]:
        return _parsed_again, (self.text_bytes, self.dialect, encode(self.url, "url"), self.truncated)

    def __repr__(self) -> str:
        return f"<RobotsTxt: {self.line_count} lines, {self.dialect}>"

    def _group(self, index: int) -> GroupLines:
        said = ffi.new("robotrules_group *")
        check(lib.robotrules_file_group(self._handle, index, said))
        return GroupLines(
            said.line,
            self._part(index, lib.ROBOTRULES_GROUP_AGENTS, said.agent_count),
            self._part(index, lib.ROBOTRULES_GROUP_RULES, said.rule_count),
            self._part(index, lib.ROBOTRULES_GROUP_OTHER, said.other_count),
        )

    def _part(self, index: int, part: int, room: int) -> Tuple[Directive, ...]:
        found = ffi.new("robotrules_directive[]", room)
        count = ffi.new("size_t *")
        check(lib.robotrules_file_group_directives(self._handle, index, part, found, room, count))
        return tuple(map(directive_of, found))


def _parsed_again(text: bytes, dialect: str, url: bytes, truncated: bool) -> RobotsTxt:
    """Makes a pickled RobotsTxt again. ``text`` is what was read: without a mark that the dialect removes."""
    file = RobotsTxt.parse(text, dialect, url=url)
    if file.text_bytes != text:  # it began with two marks
        file = RobotsTxt.parse(_MARK + text, dialect, url=url)
    file._facts.truncated = truncated
    return file
