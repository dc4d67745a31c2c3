"""The settings of the middleware for Scrapy, its sites, and the decision about one request."""
from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, Optional, Tuple
from urllib.parse import urlsplit

from twisted.internet.defer import DeferredLock, DeferredSemaphore

from ._core import robot_name, robots_url
from ._database import RobotRules, SiteAnswer
from ._errors import RobotRulesError
from ._rules import Rules
from ._store import Reservation, Store, gate_key, open_store

MEMORY = "memory:"  # the name of a store that is asked without a thread
TIMEOUT = 20.0  # seconds, of one request for robots.txt
_DAY = 86_400
_YEAR = 365 * _DAY  # the longest time that a gate accepts
_MAX_WAIT = 3_600.0  # seconds; a longer wait is refused, unless the delay itself is longer
_AFTER_LOSS = 2.0  # seconds that a store on a server adds to the delay after it may have lost its last writes
_HANGS = 1.0  # seconds; a failure that takes longer
_MAX_PATIENCE = 30.0  # seconds
_BETWEEN_LINES = 10.0
_MAX_SITES = 10_000  # known at the same time; those that no request uses are forgotten first


@dataclass
class Settings:
    """The settings ROBOTRULES_... of a crawler; times are seconds."""

    agent: str
    is_agent_declared: bool  # the robot's name is given apart from its User-Agent
    store: str
    dialect: str
    policy: str  # "": the one in the store
    delay: float
    max_crawl_delay: float
    obey_crawl_delay: bool
    max_in_flight: int
    max_retry_after: float
    max_wait: float
    max_waiting: int
    max_requests: int  # under way at the same time; CONCURRENT_REQUESTS = 0 is no limit
    download_timeout: float
    slot_delay: float  # the longest that Scrapy adds between two requests to a host

    @classmethod
    def of(cls, crawler: Any) -> "Settings":
        settings = crawler.settings
        declared = settings.get("ROBOTSTXT_USER_AGENT")
        spider = crawler.spider
        agent = declared or getattr(spider, "user_agent", None) or settings.get("USER_AGENT") or "Scrapy"
        download_delay = _number(
            "DOWNLOAD_DELAY", getattr(spider, "download_delay", None) or settings.get("DOWNLOAD_DELAY")
        )
        throttle = 0.0
        if settings.getbool("AUTOTHROTTLE_ENABLED"):
            throttle = _number("AUTOTHROTTLE_MAX_DELAY", settings.get("AUTOTHROTTLE_MAX_DELAY"))
        wanted = settings.get("ROBOTRULES_DELAY")
        delay = _number("ROBOTRULES_DELAY", wanted) if wanted is not None else download_delay or 1.0

        def number(name: str, default: float, least: float = 0.0) -> float:
            return _number(name, settings.get(name, default), least)

        return cls(
            agent=agent.decode("latin-1") if isinstance(agent, bytes) else str(agent),
            is_agent_declared=bool(declared),
            store=settings.get("ROBOTRULES_STORE", MEMORY),
            dialect=settings.get("ROBOTRULES_DIALECT", "rfc9309"),
            policy=settings.get("ROBOTRULES_POLICY") or "",
            delay=delay,
            max_crawl_delay=number("ROBOTRULES_MAX_CRAWL_DELAY", _DAY),
            obey_crawl_delay=settings.getbool("ROBOTRULES_OBEY_CRAWL_DELAY", True),
            max_in_flight=int(number("ROBOTRULES_MAX_IN_FLIGHT", 1, 1)),
            max_retry_after=number("ROBOTRULES_MAX_RETRY_AFTER", _DAY),
            max_wait=number("ROBOTRULES_MAX_WAIT", min(max(_MAX_WAIT, delay + _AFTER_LOSS), _YEAR)),
            max_waiting=int(number("ROBOTRULES_MAX_WAITING", 1000)),
            max_requests=settings.getint("CONCURRENT_REQUESTS") or sys.maxsize,
            download_timeout=number("DOWNLOAD_TIMEOUT", 180.0) or 180.0,
            slot_delay=max(download_delay, throttle),
        )

    @property
    def robots_timeout(self) -> float:
        """The time for one request of a robots.txt."""
        return min(self.download_timeout, TIMEOUT)

    @property
    def robots_hold(self) -> float:
        """The time after which a request of a robots.txt counts as lost."""
        return min(self.robots_timeout + 2 * self.slot_delay + 30, _YEAR)

    def hold_of(self, request: Any) -> float:
        """Returns the time after which a request counts as lost."""
        timeout = float(request.meta.get("download_timeout") or self.download_timeout)
        return min(timeout + 2 * self.slot_delay + 60, _YEAR)


def _number(name: str, value: Any, least: float = 0.0) -> float:
    """Returns the value of a setting. Raises RobotRulesError, which ends the crawl before it begins."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not least <= number <= _YEAR:  # also not for NaN
        raise RobotRulesError("invalid-argument", f"{name} is {value!r}; set a number from {least:g} to {_YEAR}")
    return number


# By process and robot; a store knows its robot as the first crawl spells it.
_memories: Dict[Tuple[int, str], Tuple[str, Store]] = {}


def open_rules(settings: Settings) -> RobotRules:
    """Opens the rules of a crawl. "memory:" is one store for all crawls of a robot in this process, also later ones."""
    if settings.store != MEMORY:
        return RobotRules(settings.agent, settings.store, settings.dialect)
    key = (os.getpid(), robot_name(settings.agent).lower())  # a child after fork() cannot use the store of its parent
    if key not in _memories:
        _memories[key] = settings.agent, open_store(MEMORY)
    agent, store = _memories[key]
    return RobotRules(agent, store, settings.dialect)


class Site:
    """One origin in this process."""

    def __init__(self, url: str, max_in_flight: int) -> None:
        self.robots_url = robots_url(url)
        self.key = gate_key(url)
        self.turns = DeferredSemaphore(max_in_flight)  # requests under way, or at the gate
        self.fetching = DeferredLock()  # robots.txt is fetched once for all requests
        self._users = 0

    @property
    def is_idle(self) -> bool:
        return self._users == 0 and self.turns.tokens == self.turns.limit

    @contextlib.contextmanager
    def used(self) -> Iterator[None]:
        self._users += 1
        try:
            yield
        finally:
            self._users -= 1

    def is_host(self, host: str) -> bool:
        """Returns whether a Host field names this site."""
        if any(sign in host for sign in "/?#@"):
            return False
        try:
            return gate_key(f"{urlsplit(self.robots_url).scheme}://{host}/") == self.key
        except RobotRulesError:
            return False


class Sites:
    """The sites of a crawl."""

    def __init__(self) -> None:
        self._sites: "OrderedDict[str, Site]" = OrderedDict()

    def of(self, url: str, max_in_flight: int) -> Site:
        """Returns the site of a URL. Raises RobotRulesError "invalid-url"."""
        key = gate_key(url)
        site = self._sites.get(key)
        if site is None:
            site = self._sites[key] = Site(url, max_in_flight)
            self._forget_one()
        self._sites.move_to_end(key)
        return site

    def _forget_one(self) -> None:
        if len(self._sites) <= _MAX_SITES:
            return
        oldest = next(iter(self._sites))
        if self._sites[oldest].is_idle:
            del self._sites[oldest]
        else:
            self._sites.move_to_end(oldest)


class Patience:
    """What a crawl remembers of failures of its store. Used in many threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failure = RobotRulesError("store-unreachable", "")
        self._until = 0.0  # the store is not asked; 0: it does not hang
        self._trial = threading.Lock()
        self._next_line = 0.0

    def ask(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Calls a function of the store. After a failure, the same is raised at once for as long as the failure took.

        Then one call tries again while the others fail, so a store that hangs does not hold up each request for its
        timeout. One that fails at once is asked again at once.
        """
        begun = self._clock()
        hangs = self._until > 0
        if hangs and (begun < self._until or not self._trial.acquire(blocking=False)):
            raise RobotRulesError(self._failure.code, str(self._failure))
        try:
            result = function(*arguments)
            self._until = 0.0
            return result
        except RobotRulesError as error:
            now = self._clock()
            if now - begun >= _HANGS:
                self._failure = error
                self._until = now + min(now - begun, _MAX_PATIENCE)
            raise
        finally:
            if hangs:
                self._trial.release()

    def is_worth_a_line(self) -> bool:
        """Returns whether a failure is to be logged: one in a while."""
        now = self._clock()
        if now < self._next_line:
            return False
        self._next_line = now + _BETWEEN_LINES
        return True


@dataclass
class End:
    """The end of a request, as the gate takes it."""

    reservation: Reservation
    status: int  # 0: there was no answer
    pause: Optional[float]  # seconds that the server asked for
    latency: float  # seconds
    what: str  # the request, for the log
    cause: str = "none"  # why there was no answer, see Reservation.fail()
    tries: int = 0

    def report(self) -> None:
        """Tells the gate. Runs in a thread; raises RobotRulesError."""
        if self.cause == "none":
            self.reservation.complete(self.status, retry_after=self.pause, latency=self.latency)
        else:
            self.reservation.fail(self.cause)

    def count_try(self) -> float:
        """Counts one more try. Returns the seconds until the next one."""
        self.tries += 1
        return min(0.5 * 2.0 ** min(self.tries, 10), _MAX_PATIENCE)


@dataclass
class Decision:
    """What to do with a request: send it (reservation), refuse it or fetch robots.txt (answer), or wait."""

    reservation: Optional[Reservation] = None
    answer: Optional[SiteAnswer] = None
    wait: float = 0.0
    why: str = ""


def decide(rules: RobotRules, settings: Settings, url: str, key: str, hold: float, obeys: bool) -> Decision:
    """Asks the rules in force now, and then the gate. Runs in a thread; raises RobotRulesError."""
    interval = settings.delay
    now = rules.store.now()
    if obeys:
        answer = rules.check(url)
        if not answer.allowed:
            return Decision(answer=answer)
        own = rules.rules_for(url)
        if own is not None:
            begins = visit_time_begins(own, now)
            if begins is not None:
                return Decision(wait=begins, why="visit-time")
            interval = page_interval(settings, own, now)
    return reserve(rules, settings, key, interval, hold)


def reserve(
    rules: RobotRules, settings: Settings, key: str, interval: float, hold: float, robots_fetch: bool = False
) -> Decision:
    """Asks the gate. Runs in a thread; raises RobotRulesError."""
    reservation = rules.store.reserve(
        key,
        interval=interval,
        hold=hold,
        max_penalty=settings.max_retry_after,
        in_flight=settings.max_in_flight,
        robots_fetch=robots_fetch,
    )
    if reservation.granted:
        return Decision(reservation=reservation)
    wait = max(reservation.until - rules.store.now(), 0.001)
    return Decision(wait=wait, why="blocked" if reservation.answer == "blocked" else reservation.why)


def page_interval(settings: Settings, rules: Rules, now: float) -> float:
    """Returns the time between two pages: the longest of the delay, Crawl-delay and Request-rate."""
    interval = settings.delay
    if not settings.obey_crawl_delay:
        return interval
    if rules.crawl_delay is not None:
        interval = max(interval, min(rules.crawl_delay, settings.max_crawl_delay))
    rate = rules.request_rate
    if rate is not None and rate.requests > 0 and (rate.during is None or _is_within(*rate.during, now)):
        interval = max(interval, min(rate.seconds / rate.requests, settings.max_crawl_delay))
    return interval


def visit_time_begins(rules: Rules, now: float) -> Optional[float]:
    """Returns the seconds until the Visit-time begins; None: it is now, or there is none."""
    span = rules.visit_time
    if span is None or _is_within(*span, now):
        return None
    return (span[0] * 60 - now) % _DAY or float(_DAY)


def _is_within(start: int, end: int, now: float) -> bool:
    """start and end: minutes after midnight UTC; the last minute belongs to the span."""
    minute = int(now % _DAY) // 60
    return minute >= start or minute <= end if start > end else start <= minute <= end
