"""The compiled rules of one robots.txt for one robot, and their answers."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Iterable, Iterator, List, NoReturn, Optional, Tuple, Union

from ._core import ACCESS, REASON, SHORT_TEXT, WHY, Text, bytes_of, check, encode, names_of, owned, owned_text, text_of, texts_of
from ._native import ffi, lib

try:
    from ._native import RulesBase
except ImportError:  # the interpreter has another C API than CPython
    from ._rules_base import RulesBase

_ALLOWED = lib.ROBOTRULES_ACCESS_ALLOWED
_MAX_VERDICTS = 4096  # verdicts that one object keeps
# A question keeps the GIL if the bytes of the URL times those of the rules are not more than this: it takes less than
# about a millisecond then (module/write_module.py).
_SHORT_QUESTION = 4_000_000

_RULES_OUT = ffi.typeof("robotrules_rules **")
_VERDICT = ffi.typeof("robotrules_verdict *")
_ADDRESS = ffi.typeof("uintptr_t")


@dataclass(frozen=True)
class Rule:
    """An Allow or Disallow line."""

    allows: bool
    #: The value as written. What is not UTF-8 is U+FFFD here; ``pattern_bytes`` has the bytes.
    pattern: str
    #: Counted from 1.
    line: int
    pattern_bytes: bytes

    def __str__(self) -> str:
        return f"{'Allow' if self.allows else 'Disallow'}: {self.pattern}".rstrip()


@dataclass(frozen=True)
class Group:
    """The group of a robots.txt that applies to the robot."""

    #: The value of its User-agent line; "*" in the default group.
    agent: str
    #: The line of its first User-agent line, counted from 1.
    line: int
    is_default: bool


@dataclass(frozen=True)
class Verdict:
    """The answer for one URL, and the reason for it. ``bool(verdict)`` is ``verdict.allowed``."""

    allowed: bool
    #: "allowed" or "disallowed".
    access: str
    #: The line of the rule that decided, counted from 1; 0: no rule decided.
    line: int
    #: The rule that decided; None: no rule did, and ``why`` says why.
    rule: Optional[Rule]
    #: "rule", "no-rule", "empty-group", "no-group", "robots-txt" (/robots.txt itself is always allowed) or
    #: "other-scheme" (the URL is neither http nor https; only the dialect "www-robotrules" says so, the others match
    #: the path of such a URL as they match others).
    why: str
    #: The next best rule that also matches.
    runner_up: Optional[Rule]
    #: The group that applies to the robot; None: no group does.
    group: Optional[Group]

    def __bool__(self) -> bool:
        return self.allowed

    @property
    def reason(self) -> str:
        """The reason for people: "Disallow: /x" or "no rule matches"."""
        return str(self.rule) if self.rule is not None else REASON[WHY.index(self.why)]


@dataclass(frozen=True)
class RequestRate:
    """A Request-rate line: at most ``requests`` in each period of ``seconds``."""

    requests: int
    seconds: int
    #: When it applies, in minutes after midnight UTC; None: always.
    during: Optional[Tuple[int, int]]


@dataclass(frozen=True)
class Usage:
    """The preferences of Content-Usage and Content-Signal lines for one URL.

    Each is True (permitted), False (not permitted) or None (not stated).
    """

    #: The pattern of the Content-Usage line that applies; "": every path.
    usage_path: str
    usage_train_ai: Optional[bool]
    usage_ai_use: Optional[bool]
    usage_search: Optional[bool]
    signal_search: Optional[bool]
    signal_ai_input: Optional[bool]
    signal_ai_train: Optional[bool]


def rule_of(rule: Any) -> Optional[Rule]:
    """Returns a robotrules_rule as Python has it."""
    if rule.line == 0:
        return None
    data = bytes_of(rule.pattern)
    return Rule(rule.access == _ALLOWED, data.decode("utf-8", "replace"), rule.line, data)


def _verdict_of(verdict: Any, rule: Optional[Rule], runner_up: Optional[Rule]) -> Verdict:
    group = None
    if verdict.group_line != 0:
        group = Group(text_of(verdict.group_agent), verdict.group_line, verdict.group_is_default != 0)
    return Verdict(
        allowed=verdict.access == _ALLOWED,
        access=ACCESS[verdict.access],
        line=0 if rule is None else rule.line,
        rule=rule,
        why=WHY[verdict.why],
        runner_up=runner_up,
        group=group,
    )


def _facts(handle: Any) -> Any:
    facts = ffi.new("robotrules_rules_facts *")
    check(lib.robotrules_rules_get_facts(handle, facts))
    return facts


def is_short_compile(file_size: int, names: List[bytes]) -> bool:
    """Returns whether the rules of a file for these names are compiled so fast that the call keeps the GIL.

    Each name is compared with the groups of the file.
    """
    return (file_size + sum(map(len, names))) * max(1, len(names)) <= SHORT_TEXT


def _preference(access: int) -> Optional[bool]:
    return None if access == lib.ROBOTRULES_ACCESS_UNKNOWN else access == _ALLOWED


class Rules(RulesBase):
    """The rules of one robots.txt for one robot.

    Make them with ``Rules.compile()`` or ``RobotsTxt.rules_for()``. They do not change, and any number of threads may
    ask them at the same time.

    >>> rules = Rules.compile("User-agent: *\\nDisallow: /private/\\n", "FooBot")
    >>> rules.check("https://example.org/private/map").line
    2
    """

    __slots__ = ("_known_rules", "__weakref__")
    _known_rules: Dict[int, Rule]  # by line: the verdicts share them

    def __init__(self, *_: Any) -> None:
        raise TypeError("Rules are made by Rules.compile() or RobotsTxt.rules_for()")

    @classmethod
    def _of(cls, pointer: Any) -> "Rules":
        self = cls.__new__(cls)
        handle = owned(pointer, lib.robotrules_rules_free)
        short = _SHORT_QUESTION // max(1, _facts(handle).memory_bytes)
        self._bind(handle, int(ffi.cast(_ADDRESS, handle)), short, {})
        self._known_rules = {}
        return self

    @classmethod
    def compile(
        cls,
        robots: Text,
        agent: Union[Text, Iterable[Text]],
        dialect: str = "rfc9309",
        *,
        url: Text = "",
        ignores_star: bool = False,
    ) -> "Rules":
        """Compiles the file ``robots`` for the robot ``agent``.

        robots: the text of the file; bytes as they were received are best.
        agent: the robot's name, such as "FooBot". A name with a version and a whole User-Agent header are reduced to
            robot_name(agent) first; only the dialect "robotstxt-rb" compares the text as it is. Several names belong
            to one robot: it obeys the groups of the first name that the file has, else those for "*".
        dialect: one of DIALECTS; "rfc9309" reads as RFC 9309 says.
        url: the URL of the file; only the dialect "www-robotrules" uses it.
        ignores_star: the robot never obeys groups for "*".

        Raises RobotRulesError "unknown-dialect".
        """
        data = encode(robots, "robots")
        name = encode(dialect, "dialect")
        place = encode(url, "url")
        out = ffi.new(_RULES_OUT)
        if isinstance(agent, (str, bytes)) and not ignores_star:
            robot = encode(agent, "agent")
            short = is_short_compile(len(data) + len(place), [robot])
            compiled = lib.held_rules_compile if short else lib.robotrules_rules_compile
            status = compiled(
                data, len(data), robot, len(robot), name, len(name), place, len(place), out
            )
        else:
            robots_names = [encode(name, "agent") for name in names_of(agent, "agent")]
            names, count, _alive = texts_of(robots_names, "agent")
            short = is_short_compile(len(data) + len(place), robots_names)
            compiled = lib.held_rules_compile_names if short else lib.robotrules_rules_compile_names
            star = bool(ignores_star)
            status = compiled(data, len(data), names, count, star, name, len(name), place, len(place), out)
        check(status)
        return cls._of(out[0])

    def explain(self, url: Text) -> str:
        """Returns the verdict as a sentence for people, without control characters."""
        data = encode(url, "url")
        out = ffi.new("robotrules_text **")
        check(lib.robotrules_rules_explain(self._handle, data, len(data), out))
        return owned_text(out)

    def clean_url(self, url: Text) -> str:
        """Returns ``url`` without the query parameters that Clean-param lines name."""
        data = encode(url, "url")
        out = ffi.new("robotrules_text **")
        check(lib.robotrules_rules_clean_url(self._handle, data, len(data), out))
        return owned_text(out)

    def usage(self, url: Text) -> Usage:
        """Returns what Content-Usage and Content-Signal lines say about ``url``."""
        data = encode(url, "url")
        said = ffi.new("robotrules_usage *")
        usage = lib.held_rules_usage if len(data) <= self._short else lib.robotrules_rules_usage
        check(usage(self._handle, data, len(data), said))
        return Usage(
            text_of(said.usage_path),
            _preference(said.usage_train_ai),
            _preference(said.usage_ai_use),
            _preference(said.usage_search),
            _preference(said.signal_search),
            _preference(said.signal_ai_input),
            _preference(said.signal_ai_train),
        )

    @property
    def lines(self) -> List[Rule]:
        """The Allow and Disallow lines for the robot, in file order, without those that can never match a URL."""
        count = ffi.new("size_t *")
        check(lib.robotrules_rules_lines(self._handle, ffi.NULL, 0, count))
        found = ffi.new("robotrules_rule[]", count[0])
        check(lib.robotrules_rules_lines(self._handle, found, count[0], count))
        return [rule for rule in map(rule_of, found) if rule is not None]

    @property
    def crawl_delay(self) -> Optional[float]:
        """The Crawl-delay for the robot in seconds; None: there is none."""
        delay = self._settings().crawl_delay
        return None if delay < 0 else delay / 1000

    @property
    def request_rate(self) -> Optional[RequestRate]:
        """The Request-rate for the robot; None: there is none."""
        said = self._settings()
        if said.rate_period < 0:
            return None
        during = None if said.rate_from < 0 else (said.rate_from, said.rate_to)
        return RequestRate(said.rate_requests, said.rate_period, during)

    @property
    def visit_time(self) -> Optional[Tuple[int, int]]:
        """The Visit-time for the robot: from and to in minutes after midnight UTC; None: there is none."""
        said = self._settings()
        return None if said.visit_from < 0 else (said.visit_from, said.visit_to)

    @property
    def dialect(self) -> str:
        """The name of the dialect."""
        return text_of(_facts(self._handle).dialect)

    @property
    def memory_bytes(self) -> int:
        """The memory that the rules take, in bytes."""
        size: int = _facts(self._handle).memory_bytes
        return size

    def __len__(self) -> int:
        """The number of Allow and Disallow lines for the robot, also of those that can never match a URL."""
        count: int = _facts(self._handle).size
        return count

    def __bool__(self) -> bool:
        return True  # also without lines

    def __copy__(self) -> "Rules":
        return self  # they do not change

    def __deepcopy__(self, _: Any) -> "Rules":
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("Rules cannot be pickled; pickle the robots.txt, or the RobotsTxt that they come from")

    def __repr__(self) -> str:
        return f"<Rules: {len(self)} lines, {self.dialect}>"

    def _settings(self) -> Any:
        said = ffi.new("robotrules_settings *")
        check(lib.robotrules_rules_settings(self._handle, said))
        return said

    def _check(self, url: Text) -> Verdict:
        data = encode(url, "url")
        said = ffi.new(_VERDICT)
        ask = lib.held_rules_check if len(data) <= self._short else lib.robotrules_rules_check
        check(ask(self._handle, data, len(data), said))
        key = lib.verdict_key(said)
        known = self._verdicts.get(key)
        return known if known is not None else self._keep(key, said)

    def _allowed(self, url: Text) -> bool:
        data = encode(url, "url")
        ask = lib.held_rules_access if len(data) <= self._short else lib.robotrules_rules_access
        access = ask(self._handle, data, len(data))
        return access == _ALLOWED if access != 0 else self._check(url).allowed  # 0: there is no memory; _check() tells

    @staticmethod
    def _iterate(urls: Iterable[Text]) -> Iterator[Text]:
        if isinstance(urls, (str, bytes, bytearray, memoryview)):
            raise TypeError("urls is one text; pass a list of URLs, or ask check() or allowed()")
        return iter(urls)

    def _keep(self, key: int, verdict: Any) -> Verdict:
        if key == 0:
            return _verdict_of(verdict, rule_of(verdict.rule), rule_of(verdict.runner_up))
        made = _verdict_of(verdict, self._rule(verdict.rule), self._rule(verdict.runner_up))
        if len(self._verdicts) >= _MAX_VERDICTS:
            self._verdicts.clear()
            self._known_rules.clear()
        self._verdicts[key] = made
        return made

    def _rule(self, said: Any) -> Optional[Rule]:
        known = self._known_rules.get(said.line)
        if known is None:
            known = rule_of(said)
            if known is not None:
                self._known_rules[known.line] = known
        return known
