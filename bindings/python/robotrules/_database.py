"""The rules of many sites for one robot."""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Iterable, Optional, Union

from ._core import ACCESS, STATE, Text, check_error, encode, names_of, owned, owned_text, whole_number
from ._errors import RobotRulesError
from ._native import ffi, lib
from ._robots_fetch import RobotsFetch
from ._rules import Rules
from ._store import Duration, Opened, Reservation, Store, gate_key, microseconds, open_store, time_of

_ACCESS_ALLOWED = (None, True, False)  # by ROBOTRULES_ACCESS_
_OUTCOMES = {
    "unavailable": lib.ROBOTRULES_OUTCOME_UNAVAILABLE,
    "unreachable": lib.ROBOTRULES_OUTCOME_UNREACHABLE,
}
_POLICIES = ("rfc9309", "strict", "robotstxt-rb", "lwp-fixed")


@dataclass(frozen=True)
class SiteAnswer:
    """What the rules of a site say about a URL. ``bool(answer)`` is True only if the URL is allowed."""

    #: None: unknown, robots.txt has to be fetched first.
    allowed: Optional[bool]
    #: "allowed", "disallowed" or "unknown".
    access: str
    #: "unknown" (there is no fresh record), "rules", "stale" (the rules of the last good copy), "allow-all" or
    #: "disallow-all".
    state: str

    def __bool__(self) -> bool:
        return self.allowed is True


@dataclass(frozen=True)
class Visits:
    """The visits of a site."""

    count: int
    #: Time of the last one, in seconds since 1970 by the store's clock; None: never.
    last: Optional[float]


def _seconds(duration: Duration, what: str) -> int:
    return -(-microseconds(duration, what) // 1_000_000)  # half a second is not none


class RobotRules(Opened):
    """The rules of many sites for one robot, in a store.

    It does not fetch: a program gives it each robots.txt, or the outcome of a fetch that gave none. Any number of
    threads may use it at the same time. As a context manager it is closed at the end of the block.

    >>> rules = RobotRules("FooBot/1.0")
    >>> rules.allowed("https://example.org/private") is None
    True
    >>> rules.keep("https://example.org/robots.txt", b"User-agent: *\\nDisallow: /private\\n")
    >>> rules.allowed("https://example.org/private")
    False
    """

    __slots__ = ("_store", "_owns_store")
    _advice = "the RobotRules are closed; open them again"
    _store: Store
    _owns_store: bool

    def __init__(
        self,
        agent: Text = "",
        store: Union[Store, Text, os.PathLike[str], os.PathLike[bytes]] = "memory:",
        dialect: str = "rfc9309",
        *,
        clear_other: bool = False,
    ) -> None:
        """Opens the rules of the robot ``agent`` in a store.

        agent: the robot's name, or its whole User-Agent header; "": the robot of the store.
        store: a Store, or the name of one, see open_store().
        dialect: how files are read, one of DIALECTS.
        clear_other: if the store belongs to another robot, delete what it has, for all processes that share it.

        Raises RobotRulesError "other-agent" if the store belongs to another robot, "no-agent" if neither names one,
        "unknown-dialect", and the errors of the store.
        """
        self._made_here()
        self._pointer = None
        self._owns_store = not isinstance(store, Store)
        self._store = store if isinstance(store, Store) else open_store(store)
        name = encode(agent, "agent")
        reads = encode(dialect, "dialect")
        out = ffi.new("robotrules_database **")
        error = ffi.new("robotrules_error **")
        status = lib.robotrules_database_open(
            self._store._handle, name, len(name), reads, len(reads), bool(clear_other), out, error
        )
        check_error(status, error)
        self._pointer = owned(out[0], lib.robotrules_database_free)

    @property
    def store(self) -> Store:
        """The store that the rules are in."""
        return self._store

    def keep(self, robots_url: Text, robots: Text, fresh_for: Duration = 86_400) -> None:
        """Keeps the robots.txt that was fetched from ``robots_url``.

        fresh_for: how long it is used before it has to be fetched again; RFC 9309 section 2.4 permits a day.
        """
        url = encode(robots_url, "robots_url")
        data = encode(robots, "robots")
        error = ffi.new("robotrules_error **")
        seconds = _seconds(fresh_for, "fresh_for")
        status = lib.robotrules_database_keep(self._handle, url, len(url), data, len(data), seconds, error)
        check_error(status, error)

    def keep_outcome(self, robots_url: Text, outcome: str, status: int = 0, fresh_for: Duration = 86_400) -> None:
        """Keeps the outcome of a fetch of robots.txt that gave no file. The policy then decides about the site.

        outcome: "unavailable": the site has no file (4xx, but not 407, 426, 429). "unreachable": the fetch failed (5xx, no
            answer, or an incomplete answer); the last good copy stays and may still apply. RFC 9309 section 2.3.1.
        status: the HTTP status; 0: there was no answer.
        fresh_for: how long the outcome is used before robots.txt has to be fetched again.
        """
        if outcome not in tuple(_OUTCOMES):
            names = ", ".join(_OUTCOMES)
            raise RobotRulesError("invalid-argument", f"there is no outcome {outcome!r}; pass one of {names}")
        whole_number(status, "status", 999, "pass the HTTP status, or 0 for no answer")
        url = encode(robots_url, "robots_url")
        error = ffi.new("robotrules_error **")
        seconds = _seconds(fresh_for, "fresh_for")
        code = lib.robotrules_database_keep_outcome(
            self._handle, url, len(url), _OUTCOMES[outcome], status, seconds, error
        )
        check_error(code, error)

    def fetch(self, robots_url: Text) -> RobotsFetch:
        """Begins the fetch of the robots.txt of a site, with what is kept of it and the policy.

        While what is kept is fresh, the request has a time in the future.
        """
        url = encode(robots_url, "robots_url")
        out = ffi.new("robotrules_robots_fetch **")
        error = ffi.new("robotrules_error **")
        check_error(lib.robotrules_database_fetch(self._handle, url, len(url), out, error), error)
        return RobotsFetch._of(out[0])

    def keep_fetch(self, fetch: RobotsFetch) -> None:
        """Keeps the result of a fetch. If a redirect led to the robots.txt of another site, keeps it for that too."""
        error = ffi.new("robotrules_error **")
        check_error(lib.robotrules_database_keep_fetch(self._handle, fetch._handle, error), error)

    @property
    def policy(self) -> str:
        """What an outcome without a file means: "rfc9309", "strict", "robotstxt-rb" or "lwp-fixed".

        The store keeps it, so all processes that share the store have it.
        """
        out = ffi.new("robotrules_text **")
        error = ffi.new("robotrules_error **")
        check_error(lib.robotrules_database_policy(self._handle, out, error), error)
        return owned_text(out)

    @policy.setter
    def policy(self, name: str) -> None:
        if name not in _POLICIES:
            names = ", ".join(_POLICIES)
            raise RobotRulesError("invalid-argument", f"there is no policy {name!r}; pass one of {names}")
        data = encode(name, "policy")
        error = ffi.new("robotrules_error **")
        check_error(lib.robotrules_database_set_policy(self._handle, data, len(data), error), error)

    def check(self, url: Text) -> SiteAnswer:
        """Answers whether ``url``, an absolute URL, may be fetched, and in what state its site is.

        Raises RobotRulesError "invalid-url", and the errors of the store.
        """
        data = encode(url, "url")
        access = ffi.new("int32_t *")
        state = ffi.new("int32_t *")
        error = ffi.new("robotrules_error **")
        check_error(lib.robotrules_database_check(self._handle, data, len(data), access, state, error), error)
        return SiteAnswer(_ACCESS_ALLOWED[access[0]], ACCESS[access[0]], STATE[state[0]])

    def allowed(self, url: Text) -> Optional[bool]:
        """Answers whether ``url`` may be fetched, without the state. Faster than check().

        None: unknown. There is no fresh robots.txt of the site, or the URL or the store cannot be read.
        """
        data = encode(url, "url")
        return _ACCESS_ALLOWED[lib.robotrules_database_allowed(self._handle, data, len(data))]

    def rules_for(self, url: Text) -> Optional[Rules]:
        """Returns the rules that decide about ``url``; None: the site has none, see check().state."""
        data = encode(url, "url")
        out = ffi.new("robotrules_rules **")
        error = ffi.new("robotrules_error **")
        check_error(lib.robotrules_database_rules(self._handle, data, len(data), out, error), error)
        return None if out[0] == ffi.NULL else Rules._of(out[0])

    def visit(self, site: Text) -> None:
        """Counts a visit now. site: a URL, a host or "host:port"."""
        data = encode(site, "site")
        error = ffi.new("robotrules_error **")
        check_error(lib.robotrules_database_visit(self._handle, data, len(data), error), error)

    def visits(self, site: Text) -> Visits:
        """Returns the number of visits, and the time of the last one."""
        data = encode(site, "site")
        count = ffi.new("uint64_t *")
        last = ffi.new("int64_t *")
        error = ffi.new("robotrules_error **")
        check_error(lib.robotrules_database_visits(self._handle, data, len(data), count, last, error), error)
        return Visits(count[0], time_of(last[0]))

    def reserve(
        self,
        url: Text,
        keys: Union[Text, Iterable[Text]] = (),
        *,
        interval: Duration = 0,
        hold: Duration = 300,
        max_penalty: Duration = 86_400,
        in_flight: int = 1,
        from_start: bool = False,
        robots_fetch: bool = False,
    ) -> Reservation:
        """Asks the gate for the right to send one request for ``url``; see Store.reserve() for the named arguments.

        keys: more keys that must be free, such as "ip:192.0.2.1".
        interval: the time between two requests. The Crawl-delay of the site is not added: see Rules.crawl_delay.
        """
        return self._store.reserve(
            [gate_key(url), *names_of(keys, "keys")],
            interval=interval,
            hold=hold,
            max_penalty=max_penalty,
            in_flight=in_flight,
            from_start=from_start,
            robots_fetch=robots_fetch,
        )

    def close(self) -> None:
        """Closes the rules, and the store if they have opened it."""
        super().close()
        if self._owns_store:
            self._store.close()

    def __repr__(self) -> str:
        return f"<RobotRules{': closed' if self.closed else ''}>"
