"""What a change of a file changes, and for which robots; and what a file allows the known crawlers."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterable, List, Optional, Tuple, Union

from ._core import ACCESS, KIND, WHY, Text, check, encode, names_of, owned, text_of, texts_of
from ._errors import RobotRulesError
from ._native import ffi, lib
from ._robots_txt import RobotsTxt, Sitemap, sitemap_of
from ._rules import Group, Rule, rule_of

_REACH = ("everywhere", "partly", "nowhere")  # by ROBOTRULES_REACH_
_OBEYS = ("not-stated", "yes", "partly", "no")  # by ROBOTRULES_OBEYS_


@dataclass(frozen=True)
class PathAnswer:
    """The answer of one file for a path."""

    allowed: bool
    #: As Verdict.why.
    why: str
    #: Of the rule that decided; 0: no rule decided.
    line: int
    #: The rule as text, such as "Disallow: /x".
    rule: str


@dataclass(frozen=True)
class PathChange:
    """A path that one file allows and the other does not. It proves the difference."""

    path: str
    before: PathAnswer
    after: PathAnswer


@dataclass(frozen=True)
class RobotChange:
    """The changes for one set of robots."""

    #: The robots of the set that a file or the caller names.
    agents: Tuple[str, ...]
    #: True: the set contains every robot that neither file names.
    others: bool
    changes: Tuple[PathChange, ...]
    #: Crawl-delay in seconds; None: there is none.
    delay_before: Optional[float]
    delay_after: Optional[float]
    #: True: the rules of these robots are on different lines; ``changes`` has those of the first one.
    lines_vary: bool


@dataclass(frozen=True)
class ChangedSetting:
    """A line that only one file has for its robots, and that does not change what robots may fetch."""

    #: The usual spelling, such as "Request-rate".
    kind: str
    value: str
    line: int
    #: Empty: the line is for the whole site.
    agents: Tuple[str, ...]


@dataclass(frozen=True)
class Difference:
    """The difference between two files. ``bool(difference)`` is True if there is one."""

    same: bool
    robots: Tuple[RobotChange, ...]
    added_sitemaps: Tuple[Sitemap, ...]
    removed_sitemaps: Tuple[Sitemap, ...]
    added_settings: Tuple[ChangedSetting, ...]
    removed_settings: Tuple[ChangedSetting, ...]
    #: Sentences about limits that were reached; empty: the comparison is complete.
    limits: Tuple[str, ...]

    def __bool__(self) -> bool:
        return not self.same


@dataclass(frozen=True)
class Crawler:
    """What a file allows a known crawler."""

    name: str
    #: May be "".
    operated_by: str
    #: "search", "training", "archive" ...
    kind: str
    #: Does it obey robots.txt, according to its operator? "yes", "partly", "no" or "not-stated".
    obeys: str
    #: The part of the site that it may fetch: "everywhere", "partly" or "nowhere". A guess if ``reach_is_exact`` is False.
    reach: str
    #: True: it may fetch the page.
    allowed: bool
    #: The group that applies to it; None: no group does.
    group: Optional[Group]
    #: The rule that decides about the page; None: no rule does.
    rule: Optional[Rule]
    #: False: the file is so large that its rules were not all compared.
    reach_is_exact: bool = True


def _parsed(robots: Union[Text, RobotsTxt], dialect: str, url: Text) -> RobotsTxt:
    return robots if isinstance(robots, RobotsTxt) else RobotsTxt.parse(robots, dialect, url=url)


def _delay(milliseconds: int) -> Optional[float]:
    return None if milliseconds < 0 else milliseconds / 1000


class _Reader:
    """Reads the rows of a robotrules_difference."""

    def __init__(self, handle: Any):
        self.handle = handle
        self.name = ffi.new("robotrules_str *")

    def row(self, kind: str, function: Any, *places: int) -> Any:
        said = ffi.new(kind)
        check(function(self.handle, *places, said))
        return said

    def names(self, function: Any, count: int, *places: int) -> Tuple[str, ...]:
        names = []
        for index in range(count):
            check(function(self.handle, *places, index, self.name))
            names.append(text_of(self.name))
        return tuple(names)

    def robot(self, index: int) -> RobotChange:
        said = self.row("robotrules_robot_change *", lib.robotrules_difference_robot, index)
        return RobotChange(
            self.names(lib.robotrules_difference_agent, said.agent_count, index),
            said.others != 0,
            tuple(self.change(index, number) for number in range(said.change_count)),
            _delay(said.delay_before),
            _delay(said.delay_after),
            said.lines_vary != 0,
        )

    def change(self, robot: int, index: int) -> PathChange:
        said = self.row("robotrules_path_change *", lib.robotrules_difference_change, robot, index)
        return PathChange(text_of(said.path), *map(self.answer, (said.before, said.after)))

    def answer(self, said: Any) -> PathAnswer:
        allowed = said.access == lib.ROBOTRULES_ACCESS_ALLOWED
        return PathAnswer(allowed, WHY[said.why], said.line, text_of(said.rule))

    def sitemaps(self, added: int, count: int) -> Tuple[Sitemap, ...]:
        function = lib.robotrules_difference_sitemap
        return tuple(sitemap_of(self.row("robotrules_sitemap *", function, added, i)) for i in range(count))

    def settings(self, added: int, count: int) -> Tuple[ChangedSetting, ...]:
        found = []
        for index in range(count):
            said = self.row("robotrules_changed_setting *", lib.robotrules_difference_setting, added, index)
            agents = self.names(lib.robotrules_difference_setting_agent, said.agent_count, added, index)
            found.append(ChangedSetting(KIND[said.kind], text_of(said.value), said.line, agents))
        return tuple(found)


def diff(
    before: Union[Text, RobotsTxt],
    after: Union[Text, RobotsTxt],
    agents: Union[Text, Iterable[Text]] = (),
    dialect: str = "rfc9309",
    *,
    url: Text = "",
) -> Difference:
    """Compares two files for all robots that either of them names, for all others together, and for ``agents``.

    before, after: texts, bytes, or RobotsTxt of the same dialect. dialect and url are for texts and bytes.
    """
    left = _parsed(before, dialect, url)
    right = _parsed(after, dialect, url)
    if left.dialect != right.dialect:
        raise RobotRulesError(
            "invalid-argument",
            f"before was parsed with the dialect {left.dialect!r}, after with {right.dialect!r}; pass the same dialect",
        )
    names, count, _alive = texts_of(names_of(agents, "agents"), "an agent")
    out = ffi.new("robotrules_difference **")
    check(lib.robotrules_compare(left._handle, right._handle, names, count, out))
    reader = _Reader(owned(out[0], lib.robotrules_difference_free))
    facts = reader.row("robotrules_difference_facts *", lib.robotrules_difference_get_facts)
    return Difference(
        facts.same != 0,
        tuple(reader.robot(index) for index in range(facts.robot_count)),
        reader.sitemaps(1, facts.added_sitemap_count),
        reader.sitemaps(0, facts.removed_sitemap_count),
        reader.settings(1, facts.added_setting_count),
        reader.settings(0, facts.removed_setting_count),
        reader.names(lib.robotrules_difference_limit, facts.limit_count),
    )


def crawlers(
    robots: Union[Text, RobotsTxt], page: Text = "/", dialect: str = "rfc9309", *, url: Text = ""
) -> List[Crawler]:
    """Returns what a file allows each crawler that the library knows, and whether it may fetch ``page``."""
    file = _parsed(robots, dialect, url)
    data = encode(page, "page")
    out = ffi.new("robotrules_crawlers **")
    check(lib.robotrules_file_crawlers(file._handle, data, len(data), out))
    handle = owned(out[0], lib.robotrules_crawlers_free)
    exact = bool(lib.robotrules_crawlers_complete(handle))
    said = ffi.new("robotrules_crawler *")
    found = []
    for index in range(lib.robotrules_crawlers_count(handle)):
        check(lib.robotrules_crawlers_at(handle, index, said))
        agent = text_of(said.group_agent)
        group = Group(agent, said.group_line, agent == "*") if said.group_line else None
        found.append(
            Crawler(
                text_of(said.name),
                text_of(said.operated_by),
                text_of(said.kind),
                _OBEYS[said.obeys],
                _REACH[said.reach],
                ACCESS[said.access] == "allowed",
                group,
                rule_of(said.rule),
                exact,
            )
        )
    return found
