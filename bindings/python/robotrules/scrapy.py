"""robots.txt for Scrapy 2.8 and later: a parser, and a downloader middleware in place of Scrapy's own.

The middleware obeys RFC 9309 also when robots.txt cannot be fetched, keeps the files in a store, and keeps the distance
between requests to a site, also if many processes crawl it. In settings.py:

    DOWNLOADER_MIDDLEWARES = {
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
        "robotrules.scrapy.RobotRulesMiddleware": 950,
    }
    ROBOTRULES_STORE = "crawl.db"

The parser alone, which leaves all else to Scrapy:

    ROBOTSTXT_PARSER = "robotrules.scrapy.RobotParser"
"""
from __future__ import annotations

import contextlib
import functools
import logging
import time
from typing import Any, Awaitable, Callable, Dict, Iterator, List, Optional, Tuple

from scrapy import signals
from scrapy.exceptions import DontCloseSpider, IgnoreRequest, NotConfigured, NotSupported
from scrapy.http.request import NO_CALLBACK
from twisted.internet.defer import DeferredSemaphore

from ._core import robot_name
from ._database import RobotRules
from ._errors import RobotRulesError
from ._http_fields import PageRules, page_rules, retry_after
from ._scrapy_causes import cause_of
from ._scrapy_engine import Engine
from ._scrapy_fetch import FETCH_KEY, RobotsFetcher, fields_of, header_of
from ._scrapy_loop import Loop
from ._scrapy_parser import RobotParser
from ._scrapy_send import Permit, Wrapped
from ._scrapy_site import MEMORY, Decision, End, Patience, Settings, Site, Sites, decide, open_rules
from ._store import Reservation

__all__ = ["PageRules", "RobotParser", "RobotRulesMiddleware", "RobotsIgnoreRequest"]

logger = logging.getLogger(__name__)

_FIRST_POLL = 0.01  # while another process has a request under way
_LAST_POLL = 0.5
_STORE_IS_AWAY = ("store-unreachable", "store-busy", "store-read-only")
_STEP = 1.0  # so soon a wait ends when the spider closes
# Seconds. The pause of a site is longer only after eight requests in a row that got no answer, in ten minutes or more.
# The site is then given up, or else a crawl of a dead site would last for weeks.
_MAX_AWAY = 400.0


class RobotsIgnoreRequest(IgnoreRequest):
    """A request that the middleware refuses."""

    #: "robots-denied": robots.txt disallows it. "robots-unreachable": robots.txt cannot be fetched, so the site is
    #: closed for now. "parked": the site must be left alone for longer than ROBOTRULES_MAX_WAIT, or it gave no answer
    #: to eight requests in a row. "invalid-request": it has the User-Agent of another robot, or the Host of another
    #: site. "store": the store failed. "closing": the spider closed while the request waited; a copy is in the
    #: scheduler. "downloader": this Scrapy's download handlers cannot be wrapped, so no request is sent.
    reason: str

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class _Closing(Exception):
    """The spider closes while a request waits."""


class _SentBack(IgnoreRequest):
    """A request that must go through the middleware again, because its robots.txt has expired while a slot held it.

    It does not wait for the file where it is: the request for that may be behind it in the same slot.
    """


class _PagePermit(Permit):
    """A request that was let through."""

    def __init__(self, middleware: Any, reservation: Reservation, site: Site, obeys: bool) -> None:
        super().__init__(middleware, reservation)
        self.site = site
        self.obeys = obeys
        self.started = time.monotonic()
        self.hold: Any = None  # its timer


class RobotRulesMiddleware:
    """Asks robots.txt and the gate before each request. README.md lists the settings (ROBOTRULES_...).

    Its place is 950, behind all other downloader middlewares: it then sees each request as it is sent, and each
    response as it came, before redirects and retries are made of it.
    """

    def __init__(self, crawler: Any, rules: Optional[RobotRules] = None, loop: Optional[Loop] = None) -> None:
        """rules and loop: others than those of the settings, for tests."""
        settings = crawler.settings
        if settings.getpriority("ROBOTSTXT_OBEY") and not settings.getbool("ROBOTSTXT_OBEY"):
            raise NotConfigured("ROBOTSTXT_OBEY is off")
        self.crawler = crawler
        self.settings = Settings.of(crawler)
        # An error of a setting or of the store ends the crawler: without its rules it must not begin.
        self.rules = rules or open_rules(self.settings)
        if self.settings.policy:
            self.rules.policy = self.settings.policy
        self._name = robot_name(self.settings.agent).lower()
        self.loop = loop or Loop()
        self._engine = Engine(crawler, self.settings.max_waiting)
        self._sites = Sites()
        self._patience = Patience()
        self._fetcher = RobotsFetcher(self)
        self._wrapped = Wrapped(self._before_sending, _is_asked_about)
        self.room = DeferredSemaphore(self.settings.max_requests)
        self._permits: Dict[Any, _PagePermit] = {}
        self._late_ends: Dict[int, Tuple[Any, End]] = {}  # ends that are reported again, and their timers
        self._is_closed = False
        self._is_unwrapped = False
        if self.settings.delay > self.settings.max_wait:
            self.log(
                logging.WARNING,
                "ROBOTRULES_MAX_WAIT is %g s, less than the delay of %g s: the second request to a site may be refused "
                "(parked). Set it higher",
                self.settings.max_wait,
                self.settings.delay,
            )

    @classmethod
    def from_crawler(cls, crawler: Any) -> "RobotRulesMiddleware":
        self = cls(crawler)
        crawler.signals.connect(self._fetcher.bytes_received, signals.bytes_received)
        crawler.signals.connect(self.spider_idle, signals.spider_idle)
        crawler.signals.connect(self.spider_closed, signals.spider_closed)
        return self

    # --- what Scrapy calls ---

    async def process_request(self, request: Any, spider: Any = None) -> Any:
        if FETCH_KEY in request.meta or not _is_asked_about(request):
            return None
        with self._refusals(request):
            self._wrap_the_handlers(request)
            with self._engine.beside_the_others(request):
                self._permits[request] = await self._admit(request)
        return None

    async def process_response(self, request: Any, response: Any, spider: Any = None) -> Any:
        fetch = request.meta.get(FETCH_KEY)
        if fetch is not None:
            return fetch.answered(response)
        await self._end(request, response)
        self._read_page_rules(request, response)
        return response

    async def process_exception(self, request: Any, exception: Exception, spider: Any = None) -> Any:
        await self._end(request, None, exception)
        return request.replace(dont_filter=True) if isinstance(exception, _SentBack) else None

    def spider_idle(self, spider: Any = None) -> None:
        if self._engine.has_waiting:
            raise DontCloseSpider

    async def spider_closed(self, spider: Any = None, reason: Any = None) -> None:
        """Scrapy waits for it. A server that does not answer may hold it up for its timeout, but not the reactor."""
        self._is_closed = True
        late = list(self._late_ends.values())
        for permit in self._permits.values():
            permit.stop()
        for timer in [*(permit.hold for permit in self._permits.values()), *(timer for timer, _ in late)]:
            timer.cancel()
        await self.loop.close(lambda: self._close([end for _, end in late]))

    def _close(self, late: List[End]) -> None:
        """Reports the late ends a last time, and closes the store. Runs in a thread."""
        for end in late:
            try:
                end.report()
            except RobotRulesError as error:
                if error.code in _STORE_IS_AWAY:  # their holds expire
                    break
        self.rules.close()

    # --- before a request ---

    def _wrap_the_handlers(self, request: Any) -> None:
        try:
            self._wrapped.wrap(self.crawler.engine)
        except NotSupported as error:
            if not self._is_unwrapped:
                self._is_unwrapped = True
                self.log(logging.ERROR, "No request is sent, because robotrules does not know this Scrapy: %s", error)
            raise RobotsIgnoreRequest("downloader", f"{request.url}: {error}") from error

    @contextlib.contextmanager
    def _refusals(self, request: Any) -> Iterator[None]:
        """Turns what stops a request into RobotsIgnoreRequest, and counts it."""
        try:
            try:
                yield
            except _Closing:
                self._put_back(request)
                raise RobotsIgnoreRequest("closing", f"{request.url}: the spider closes before its turn") from None
            except RobotRulesError as error:
                if self._patience.is_worth_a_line():
                    self.log(logging.ERROR, "The store fails, so %s is not requested: %s", request.url, error)
                raise RobotsIgnoreRequest("store", f"{request.url}: {error}") from error
        except RobotsIgnoreRequest as refusal:
            self.count(refusal.reason)
            self.log(logging.DEBUG, "%s", refusal)
            raise

    async def _admit(self, request: Any) -> _PagePermit:
        obeys = not request.meta.get("dont_obey_robotstxt")
        try:
            site = self._sites.of(request.url, self.settings.max_in_flight)
        except RobotRulesError as error:
            raise RobotsIgnoreRequest("invalid-request", f"{request.url}: {error}") from error
        if request.url == site.robots_url:
            obeys = False  # RFC 9309 section 2.2.2: it is always allowed
        if obeys:
            self._object(request, site)
        with site.used():
            if obeys and not site.turns.tokens:  # what is forbidden need not wait for its turn
                await self._consult(site, request.url)
            await self.wait(site.turns.acquire())
            try:
                while True:
                    decision = await self._ask_gate(request, site, obeys)
                    if decision.reservation is not None:
                        permit = _PagePermit(self, decision.reservation, site, obeys)
                        self._hold(request, permit)
                        return permit
                    await self._consult(site, request.url)
            except BaseException:
                site.turns.release()
                raise

    def _object(self, request: Any, site: Site) -> None:
        """Refuses a request that would hide the robot, or the site that it is for."""
        header = header_of(request, "User-Agent")
        if header and not self.settings.is_agent_declared and robot_name(header).lower() != self._name:
            raise RobotsIgnoreRequest(
                "invalid-request",
                f'{request.url}: the robot obeys robots.txt as "{self.settings.agent}" and cannot send another '
                "User-Agent: set ROBOTSTXT_USER_AGENT to the name that it obeys",
            )
        host = header_of(request, "Host")
        if host and not site.is_host(host):
            raise RobotsIgnoreRequest(
                "invalid-request", f"{request.url}: the Host field names another site than the URL: remove it"
            )

    async def _consult(self, site: Site, url: str) -> None:
        """Returns if ``url`` may be fetched. Fetches robots.txt if it is not known."""
        answer = await self.ask(self.rules.check, url)
        if answer.state == "unknown":
            await self.wait(site.fetching.acquire())
            try:
                while answer.state == "unknown":
                    self.stop_if_closing()
                    answer = await self.ask(self.rules.check, url)  # another request may have fetched it
                    if answer.state == "unknown":
                        await self._fetcher.fetch(site)
            finally:
                site.fetching.release()
        self._refuse_if_denied(answer, url)

    def _refuse_if_denied(self, answer: Any, url: str) -> None:
        if answer.allowed:
            return
        if answer.state == "disallow-all":
            raise RobotsIgnoreRequest(
                "robots-unreachable", f"{url}: the site is closed until its robots.txt can be fetched"
            )
        raise RobotsIgnoreRequest("robots-denied", f"{url}: forbidden by robots.txt")

    def _ask_gate(self, request: Any, site: Site, obeys: bool, has_place: bool = False) -> Awaitable[Decision]:
        hold = self.settings.hold_of(request)
        question = functools.partial(decide, self.rules, self.settings, request.url, site.key, hold, obeys)
        return self.pass_gate(request.url, question, has_place)

    async def pass_gate(
        self,
        url: str,
        question: Callable[[], Decision],
        has_place: bool = False,
        before_wait: Callable[[float], None] = lambda wait: None,
    ) -> Decision:
        """Waits as long as the gate says so, and returns its first other decision.

        question: asks the gate, in a thread. before_wait: called with the seconds of each wait; it may raise.
        A request that is granted has a place of CONCURRENT_REQUESTS then, which the caller gives back.
        has_place: it has one already and keeps it, also while it waits.
        """
        poll = _FIRST_POLL
        while True:
            self.stop_if_closing()
            if not has_place:
                await self.wait(self.room.acquire())
            is_granted = False
            try:
                decision: Decision = await self.ask(question)
                is_granted = decision.reservation is not None
            finally:
                if not (has_place or is_granted):
                    self.room.release()
            if decision.reservation is not None or decision.answer is not None:
                return decision
            if decision.why == "in-flight":
                poll = min(poll * 2, _LAST_POLL)
                wait = min(decision.wait, poll)
                before_wait(wait)
                await self.pause(wait)
            else:
                before_wait(decision.wait)
                await self._wait_for(decision, url)

    async def _wait_for(self, decision: Decision, url: str) -> None:
        """Waits until the gate may be asked again. Raises RobotsIgnoreRequest if that takes too long."""
        longest = min(self.settings.max_wait, _MAX_AWAY) if decision.why == "away" else self.settings.max_wait
        if decision.wait > longest or decision.why == "blocked":
            raise RobotsIgnoreRequest(
                "parked", f"{url}: the site must be left alone for {decision.wait:.0f} s ({decision.why})"
            )
        self.count("waits")
        self.count("wait_seconds", decision.wait)
        await self.pause(decision.wait)

    # --- directly before a request is sent ---

    async def _before_sending(self, request: Any) -> None:
        """Called after Scrapy's slot. Asks the gate again there if the slot has held the request for too long.

        The request keeps its place of CONCURRENT_REQUESTS, its turn and its place in the slot meanwhile.
        """
        exchange = request.meta.get(FETCH_KEY)
        if exchange is not None:
            await self._fetcher.before_sending(exchange)
            return
        with self._refusals(request):
            permit = self._permits.get(request)
            if permit is None or permit.is_sent:
                raise _SentBack(f"{request.url}: it has no permit, or was sent with it already")
            while not await permit.begin():
                self.count("asked_again")
                decision = await self._ask_gate(request, permit.site, permit.obeys, has_place=True)
                if decision.reservation is None:
                    answer: Any = decision.answer
                    if answer.state != "unknown":
                        self._refuse_if_denied(answer, request.url)
                    raise _SentBack(f"{request.url}: its robots.txt has expired")
                permit.renew(decision.reservation)
                self._hold(request, permit)
            permit.started = time.monotonic()

    def _hold(self, request: Any, permit: _PagePermit) -> None:
        """Sets the timer that ends a request without an end."""
        if permit.hold is not None:
            permit.hold.cancel()
        permit.hold = self.loop.later(self.settings.hold_of(request), lambda: self._forget(request))

    def _put_back(self, request: Any) -> None:
        """Gives the scheduler a copy of a request of a spider that closes, so JOBDIR keeps it.

        A copy is not returned to Scrapy: engine.download() would send it here again at once, without end.
        """
        if request.callback is not NO_CALLBACK:  # that of a pipeline, which asks again in the next run
            self.crawler.engine.crawl(request.replace(dont_filter=True))

    # --- after a request ---

    async def _end(self, request: Any, response: Any, error: Optional[Exception] = None) -> None:
        permit = self._permits.pop(request, None)
        if permit is None:
            return
        permit.hold.cancel()
        try:
            reservation = await permit.end()
            if reservation is None:
                return
            if isinstance(error, IgnoreRequest) and not permit.is_sent:
                await self._cancel(reservation, request)
                return
            status, pause, cause = 0, None, "none"
            if error is not None and permit.is_sent:
                cause = cause_of(error, request)
            if response is not None:
                fields = fields_of(response)
                status = response.status
                pause = retry_after(fields.get("retry-after"), fields.get("date"), time.time())
            latency = max(time.monotonic() - permit.started, 0.0)
            await self.report(End(reservation, status, pause, latency, str(request), cause))
        finally:
            permit.site.turns.release()
            self.room.release()

    async def _cancel(self, reservation: Reservation, request: Any) -> None:
        try:
            await self.call(reservation.cancel)
        except RobotRulesError as error:
            self._end_failed(request, error)

    async def report(self, end: End) -> None:
        """Reports the end of a request. If the store is away, it is tried again later: until then, the site waits."""
        if end.tries and self._is_closed:
            return
        try:
            await self.call(end.report)
        except RobotRulesError as error:
            if end.tries and error.code == "unknown-token":  # an earlier try has arrived, or the hold has expired
                return
            if not end.tries:
                self._end_failed(end.what, error)
            if error.code in _STORE_IS_AWAY and not self._is_closed:
                timer = self.loop.later(end.count_try(), lambda: self._report_again(end))
                self._late_ends[id(end)] = (timer, end)

    def _report_again(self, end: End) -> None:
        del self._late_ends[id(end)]
        self.loop.begin(self.report(end))

    def _end_failed(self, what: Any, error: RobotRulesError) -> None:
        self.count("store_errors")
        self.log(logging.WARNING, "The end of %s could not be reported: %s", what, error)

    def _forget(self, request: Any) -> None:
        """Ends a request that got no end: another middleware has replaced it. Its hold in the store expires too."""
        permit = self._permits.get(request)
        if permit is None:
            return
        if not permit.is_sent and request in self._engine.active:  # it waits in a slot
            self._hold(request, permit)
            return
        del self._permits[request]
        permit.stop()
        self.log(logging.WARNING, "%s had no end within its hold: put the middleware behind all others (950)", request)
        permit.site.turns.release()
        self.room.release()

    def _read_page_rules(self, request: Any, response: Any) -> None:
        request.meta.pop("robotrules", None)  # of a response that redirected here
        values = [value.decode("latin-1") for name in ("X-Robots-Tag", "Robots-Tag")
                  for value in response.headers.getlist(name)]
        if not values:
            return
        rules = page_rules(values, self._name)
        request.meta["robotrules"] = rules
        if not rules.index_allowed(time.time()):
            self.count("noindex")

    # --- for the parts of the middleware ---

    async def call(self, function: Any, *arguments: Any) -> Any:
        """Calls a function of the store: in a thread if the store may wait for a disk or a network."""
        if self.settings.store == MEMORY:
            return function(*arguments)
        return await self.loop.call(function, *arguments)

    async def ask(self, function: Any, *arguments: Any) -> Any:
        """As call(), for questions before a request. Fails at once if the store has just failed to answer in time."""
        return await self.call(self._patience.ask, function, *arguments)

    def wait(self, deferred: Any) -> Any:
        return self.loop.awaitable(deferred)

    async def pause(self, seconds: float) -> None:
        """Waits. Raises _Closing when the spider closes meanwhile."""
        while seconds > 0:
            await self.loop.sleep(min(seconds, _STEP))
            seconds -= _STEP
            self.stop_if_closing()

    def stop_if_closing(self) -> None:
        if self._engine.is_closing:
            raise _Closing

    def count(self, name: str, by: float = 1) -> None:
        self.crawler.stats.inc_value(f"robotrules/{name}", by)

    def log(self, level: int, message: str, *arguments: Any) -> None:
        logger.log(level, message, *arguments, extra={"spider": self.crawler.spider})


def _is_asked_about(request: Any) -> bool:
    return bool(request.url.lower().startswith(("http:", "https:")))
