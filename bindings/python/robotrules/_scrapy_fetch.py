"""The fetch of a robots.txt through Scrapy's downloader, with its redirects, limits and failures."""
from __future__ import annotations

import functools
import logging
import random
import time
from typing import Any, Awaitable, Callable, Dict, Optional, Tuple

from scrapy import Request
from scrapy.exceptions import IgnoreRequest, StopDownload
from scrapy.http.request import NO_CALLBACK

from ._errors import RobotRulesError
from ._http_fields import retry_after
from ._robots_fetch import RobotsFetch
from ._scrapy_causes import cause_of
from ._scrapy_send import Permit
from ._scrapy_site import Decision, End, Site, reserve
from ._store import Reservation, gate_key

FETCH_KEY = "robotrules_fetch"  # in the meta of requests for robots.txt
_PRIORITY = 1000
# A body is cut here. Compressed bytes of this number have more decoded ones than are read.
_MAX_WIRE = 512_000 + 4096


def header_of(message: Any, name: str) -> Optional[str]:
    value = message.headers.get(name)
    return None if value is None else value.decode("latin-1").strip()


def fields_of(response: Any) -> Dict[str, str]:
    """Returns a header with names in lower case. Repeated fields are joined by ", "; of Location, the first counts."""
    fields = {}
    for name, values in response.headers.items():
        texts = [value.decode("latin-1") for value in values]
        key = name.decode("latin-1").lower()
        fields[key] = texts[0] if key in ("location", "expires", "date", "retry-after") and texts else ", ".join(texts)
    return fields


class _Unusable(Exception):
    """A request for robots.txt that cannot be made. The message says why."""


class _Known(Exception):
    """Another request has fetched the file meanwhile."""


class _Exchange:
    """One request for a robots.txt and its answer, as they are on the wire."""

    def __init__(self, url: str, ask_again: Callable[[], Awaitable[Reservation]], permit: Permit) -> None:
        """ask_again: waits for another reservation if the permit is too old when the request is sent."""
        self.url = url
        self.ask_again = ask_again
        self.permit = permit
        self.begun, self.requested_at = time.monotonic(), time.time()
        self.received_at = self.requested_at
        self.received = 0
        self.response: Any = None
        self.stopped: Optional[Exception] = None  # why it was not sent

    def answered(self, response: Any) -> Any:
        """Takes the response before other middlewares decode and change it. They get an empty one."""
        self.response = response
        bare = response.copy()
        for name in ("Content-Encoding", "Set-Cookie"):
            bare.headers.pop(name, None)
        return bare.replace(body=b"")

    def __deepcopy__(self, memo: Any) -> "_Exchange":
        return self


class RobotsFetcher:
    """Fetches robots.txt files for a RobotRulesMiddleware, and keeps what they mean in its rules."""

    def __init__(self, middleware: Any) -> None:
        self._middleware = middleware

    def bytes_received(self, data: bytes, request: Any, spider: Any = None) -> None:
        exchange = request.meta.get(FETCH_KEY)
        if exchange is None:
            return
        exchange.received += len(data)
        if exchange.received > _MAX_WIRE:
            raise StopDownload(fail=False)

    async def fetch(self, site: Site) -> None:
        """Fetches the robots.txt of a site, and keeps the outcome before it takes effect.

        Returns without a fetch if another process has done it meanwhile. Raises RobotsIgnoreRequest if the site must be
        left alone for too long, and RobotRulesError.
        """
        try:
            await self._fetch(site)
        except _Known:
            pass

    async def _fetch(self, site: Site) -> None:
        middleware = self._middleware
        fetch: RobotsFetch = await middleware.call(middleware.rules.fetch, site.robots_url)
        jitter = random.random()
        end: Optional[End] = None  # of the last request
        moved = False
        try:
            while not fetch.done:
                if end is not None:
                    last, end = end, None
                    await middleware.report(last)
                url = fetch.url
                try:
                    exchange, problem, end = await self._ask(site, url, fetch.headers, moved)
                except _Unusable as unusable:
                    exchange, problem = None, str(unusable)
                now = middleware.rules.store.now()
                if exchange is not None and not 100 <= exchange.response.status <= 999:
                    exchange, problem = None, f"the status is {exchange.response.status}"
                if exchange is None:
                    fetch.fail(problem, jitter=jitter, now=now)
                else:
                    response = exchange.response
                    flags = response.flags or []
                    # "partial": the body ended with the connection, as RFC 9112 section 6.3 permits. Under TLS, Scrapy
                    # does not tell whether the server or an attacker ended it (section 9.8). A content coding tells it.
                    ends_uncertainly = "partial" in flags and response.url.lower().startswith("https:")
                    fetch.answer(
                        response.status,
                        [(name, value) for name, values in response.headers.items() for value in values],
                        response.body,
                        encoded=True,
                        cut="download_stopped" in flags,
                        whole="dataloss" not in flags and not ends_uncertainly,
                        requested_at=exchange.requested_at,
                        received_at=exchange.received_at,
                        jitter=jitter,
                        now=now,
                    )
                moved = moved or fetch.url != url
            # Kept before the gate opens, or else another process would fetch the same file.
            await middleware.call(middleware.rules.keep_fetch, fetch)
        finally:
            if end is not None:
                await middleware.report(end)
        middleware.count("robots_fetched")
        middleware.count(f"robots_fetched/{fetch.outcome}")
        if fetch.outcome == "unreachable":
            reason = fetch.reason or f"the answer is {fetch.status}"
            wait = fetch.fresh_until - middleware.rules.store.now()
            middleware.log(logging.INFO, "%s is unreachable: %s. It is asked for again in %.0f s",
                           site.robots_url, reason, wait)

    async def before_sending(self, exchange: _Exchange) -> None:
        """Called after Scrapy's slot. Raises IgnoreRequest if the request is not sent; the exchange has the reason."""
        try:
            while not await exchange.permit.begin():
                self._middleware.count("asked_again")
                exchange.permit.renew(await exchange.ask_again())
        except Exception as error:
            exchange.stopped = error
            raise IgnoreRequest(f"{exchange.url}: it is not sent") from error
        exchange.begun, exchange.requested_at = time.monotonic(), time.time()

    async def _turn(self, site: Site, url: str, moved: bool, has_place: bool = False) -> Reservation:
        """Waits until the gate of ``url`` lets a request for robots.txt through. Raises _Known.

        The request has a place of CONCURRENT_REQUESTS then, which the caller gives back; see pass_gate().
        A target of a redirect is waited for as long as for a slow server.
        """
        try:
            key = gate_key(url)
        except RobotRulesError:
            raise _Unusable(f"{url} is not a URL that can be fetched") from None
        waited = 0.0

        def before_wait(wait: float) -> None:
            nonlocal waited
            waited += wait
            if moved and waited > self._middleware.settings.robots_timeout:
                raise _Unusable(f"{url}: the site must be left alone")

        question = functools.partial(self._reserve, site, key, not moved)
        decision = await self._middleware.pass_gate(url, question, has_place, before_wait)
        if decision.reservation is None:
            raise _Known
        granted: Reservation = decision.reservation
        return granted

    def _reserve(self, site: Site, key: str, is_first: bool) -> Decision:
        middleware = self._middleware
        hold = middleware.settings.robots_hold
        decision = reserve(middleware.rules, middleware.settings, key, 0, hold, robots_fetch=True)
        if decision.reservation is None or not is_first:
            return decision
        # Another process may have fetched the file while this one waited for the gate.
        answer = middleware.rules.check(site.robots_url)
        if answer.state == "unknown":
            return decision
        decision.reservation.cancel()
        return Decision(answer=answer)

    async def _ask(
        self, site: Site, url: str, headers: Dict[str, str], moved: bool
    ) -> Tuple[Optional[_Exchange], str, Optional[End]]:
        """Sends one request. Returns its exchange, or None and the reason; and its end, which is not reported yet.

        Waits for its turn first. The end is None if the request was not sent.
        """
        middleware = self._middleware
        permit = Permit(middleware, await self._turn(site, url, moved))
        exchange = _Exchange(url, lambda: self._turn(site, url, moved, has_place=True), permit)
        problem, cause = "", "none"
        try:
            request = Request(
                url,
                priority=_PRIORITY,
                callback=NO_CALLBACK,
                dont_filter=True,
                headers={**headers, "Accept-Encoding": "gzip"},
                meta={
                    FETCH_KEY: exchange,
                    "dont_obey_robotstxt": True,
                    "dont_redirect": True,
                    "dont_retry": True,
                    "dont_cache": True,
                    "dont_merge_cookies": True,
                    "allow_offsite": True,
                    "handle_httpstatus_all": True,
                    "download_timeout": middleware.settings.robots_timeout,
                    "download_maxsize": 0,
                    "download_fail_on_dataloss": True,
                },
            )
            await self._download(request)
            if exchange.response is None:
                problem = "another middleware has answered"
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
            if permit.is_sent and exchange.response is None:
                cause = cause_of(error, request)
        finally:
            middleware.room.release()
        reservation = await permit.end()
        if exchange.stopped is not None:
            raise exchange.stopped
        if problem and url != site.robots_url:  # the log names the site
            problem = f"{url}: {problem}"
        answered = exchange if exchange.response is not None else None
        status, pause = 0, None
        if answered is not None:
            exchange.received_at = time.time()
            fields = fields_of(exchange.response)
            status = exchange.response.status
            pause = retry_after(fields.get("retry-after"), fields.get("date"), exchange.received_at)
        if reservation is None:
            return answered, problem, None
        latency = max(time.monotonic() - exchange.begun, 0.0)
        return answered, problem, End(reservation, status, pause, latency, url, cause)

    async def _download(self, request: Any) -> None:
        engine = self._middleware.crawler.engine
        if hasattr(engine, "download_async"):
            await engine.download_async(request)
        else:
            await self._middleware.wait(engine.download(request))
