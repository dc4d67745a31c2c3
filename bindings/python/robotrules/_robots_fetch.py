"""The fetch of one robots.txt by the HTTP client of a program."""
from __future__ import annotations

from typing import Any, Dict, Iterable, Optional, Tuple

from ._core import OUTCOME, STATE, Text, bytes_of, check, encode, owned, text_of, texts_of, whole_number
from ._errors import RobotRulesError
from ._native import ffi, lib
from ._store import time_of

_ENDS = {
    "failed": lib.ROBOTRULES_END_FAILED,
    "ours": lib.ROBOTRULES_END_OURS,
    "by-proxy": lib.ROBOTRULES_END_BY_PROXY,
}


def _microseconds(time: float) -> int:
    return round(time * 1_000_000)


class RobotsFetch:
    """The fetch of one robots.txt: what to request next, or what the answers mean (RFC 9309 section 2.3.1).

    It sends nothing. The program sends each request without following redirects, and tells what came of it. Times are
    seconds since 1970. One thread at a time.

    >>> fetch = RobotsFetch("https://example.org/robots.txt", now=1_000_000_000)
    >>> fetch.done, fetch.url
    (False, 'https://example.org/robots.txt')
    >>> fetch.answer(301, [("Location", "https://www.example.org/robots.txt")], b"", now=1_000_000_001)
    >>> fetch.done, fetch.url
    (False, 'https://www.example.org/robots.txt')
    >>> fetch.answer(503, [("Retry-After", "600")], b"", now=1_000_000_002)
    >>> fetch.done, fetch.outcome, fetch.state, fetch.fresh_until - 1_000_000_002
    (True, 'unreachable', 'disallow-all', 600.0)
    """

    def __init__(
        self, robots_url: Text, *, policy: str = "rfc9309", last: Optional["RobotsFetch"] = None, now: float
    ) -> None:
        """last: an earlier fetch of the same site. Its file may be asked for conditionally, and its failures count.

        Raises RobotRulesError "invalid-url", and "invalid-argument" for a policy that does not exist.
        """
        url = encode(robots_url, "robots_url")
        name = encode(policy, "policy")
        out = ffi.new("robotrules_robots_fetch **")
        known = ffi.NULL if last is None else last._handle
        check(lib.robotrules_robots_fetch_new(url, len(url), name, len(name), known, _microseconds(now), out))
        self._take(out[0])

    @classmethod
    def _of(cls, pointer: Any) -> "RobotsFetch":
        made = cls.__new__(cls)
        made._take(pointer)
        return made

    def _take(self, pointer: Any) -> None:
        self._handle = owned(pointer, lib.robotrules_robots_fetch_free)
        self._view()

    def _view(self) -> None:
        step = ffi.new("robotrules_robots_step *")
        check(lib.robotrules_robots_fetch_step(self._handle, step))
        #: True: there is a result, and nothing else is requested.
        self.done = bool(step.is_done)
        #: The URL to request; of a result, that of the last answer.
        self.url = text_of(step.url)
        #: When to request it: not before this time.
        self.at = time_of(step.at) or 0.0
        #: The same URL is requested again: use a new connection.
        self.is_repeated = bool(step.is_repeated)
        #: The fields to send beside those of the program.
        self.headers: Dict[str, str] = {}
        for name, value in (
            ("Accept", step.accept),
            ("If-None-Match", step.if_none_match),
            ("If-Modified-Since", step.if_modified_since),
        ):
            if value.size:
                self.headers[name] = bytes_of(value).decode("latin-1")
        #: Of a result: "rules", "unavailable" or "unreachable".
        self.outcome = OUTCOME[step.outcome] if self.done else ""
        #: Of a result: what the policy says about the site, as in SiteAnswer.state.
        self.state = STATE[step.state] if self.done else ""
        #: Of a result: the HTTP status; 0: there was no answer.
        self.status = step.http_status
        #: Of a result: until then it holds, and robots.txt is not fetched again.
        self.fresh_until = (time_of(step.fresh_until) or 0.0) if self.done else 0.0
        #: Of a result: the file, or the last good copy.
        self.robots = bytes_of(step.robots)
        self.is_truncated = bool(step.is_truncated)
        #: Of a result: why there is no file; "": there is one, or the status says it.
        self.reason = text_of(step.reason)

    def answer(
        self,
        status: int,
        fields: Iterable[Tuple[Text, Text]],
        body: Text,
        *,
        encoded: bool = False,
        cut: bool = False,
        whole: bool = True,
        requested_at: Optional[float] = None,
        received_at: Optional[float] = None,
        jitter: float = 0.0,
        now: float,
    ) -> None:
        """Takes the answer of a server.

        fields: the header; a repeated field is repeated here. Clients read its bytes as Latin-1, so a str is taken so.
        encoded: the body is as received. False: the client has removed the codings that Content-Encoding names.
        cut: the client stopped reading, and the file is longer.
        whole: the end of the body is certain.
        jitter: from 0 to 1; spreads the next requests after failures over time.
        """
        exchange = _exchange(lib.ROBOTRULES_END_ANSWERED, jitter)
        exchange.http_status = whole_number(status, "status", 999, "pass the HTTP status")
        texts = [_field(text) for field in fields for text in field]
        array, count, alive = texts_of(texts, "a field")
        exchange.fields, exchange.field_count = array, count
        data = encode(body, "body")
        exchange.body.data = pointer = ffi.from_buffer(data)
        exchange.body.size = len(data)
        exchange.is_encoded, exchange.is_cut, exchange.is_partial = bool(encoded), bool(cut), not whole
        exchange.requested_at = _microseconds(now if requested_at is None else requested_at)
        exchange.received_at = _microseconds(now if received_at is None else received_at)
        self._end(exchange, now)
        del array, alive, pointer  # C has read them

    def fail(
        self, reason: str, end: str = "failed", *, refusals: int = 0, jitter: float = 0.0, now: float
    ) -> None:
        """Takes a request that had no answer.

        end: "failed": the site did not answer, or its answer cannot be used. "ours": by no fault of the site.
            "by-proxy": a proxy failed, so nothing is kept of it and the site is requested again later.
        refusals: earlier ends by a proxy, in a row.
        """
        if end not in tuple(_ENDS):
            raise RobotRulesError("invalid-argument", f"there is no end {end!r}; pass one of {', '.join(_ENDS)}")
        exchange = _exchange(_ENDS[end], jitter)
        exchange.refusals = whole_number(refusals, "refusals", 1_000_000)
        data = encode(reason, "reason")
        exchange.failure.data = pointer = ffi.from_buffer(data)
        exchange.failure.size = len(data)
        self._end(exchange, now)
        del pointer  # C has read it

    def _end(self, exchange: Any, now: float) -> None:
        check(lib.robotrules_robots_fetch_answer(self._handle, exchange, _microseconds(now)))
        self._view()


def _field(text: Text) -> Text:
    try:
        return text.encode("latin-1") if isinstance(text, str) else text
    except UnicodeEncodeError:
        return text


def _exchange(end: int, jitter: float) -> Any:
    exchange = ffi.new("robotrules_exchange *")
    exchange.size = ffi.sizeof("robotrules_exchange")
    exchange.end = end
    exchange.jitter = jitter
    return exchange
