"""The answer to a request for robots.txt, and what is kept of it (RFC 9309 section 2.3.1).

Nothing here sends a request or reads a clock.
"""
from __future__ import annotations

import re
import zlib
from dataclasses import dataclass, field
from typing import Dict, List, Optional, Tuple
from urllib.parse import urldefrag, urljoin, urlsplit

from ._http_fields import DAY, retry_after, robots_freshness

MAX_BODY = 512_000  # bytes of the decoded file that are read (RFC 9309 section 2.5 asks for 500 KiB)
MAX_REDIRECTS = 5
TIMEOUT = 20.0  # of one hop

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_REDIRECTS = (301, 302, 303, 307, 308)
_MIN_FRESH = 300.0
_UNAUTHORIZED_FRESH = 3_600.0  # a site that says 401 or 403 is not asked every 5 minutes
# A proxy asks who asks, the server refuses HTTP/1.1, or it asks for a pause.
_NOT_ABOUT_THE_FILE = (407, 426, 429)
_REDIRECTS_AGAIN = 3_600.0
_RETRY_FIRST = 60.0
_RETRY_LONGEST = 3_600.0
_MAX_DOUBLINGS = 20


@dataclass
class Answer:
    """One answer of a server."""

    status: int
    fields: Dict[str, str]  # names in lower case; repeated fields joined by ", "
    body: bytes  # as sent: at least the first MAX_BODY bytes if it is longer
    is_cut: bool  # the body is longer than `body`
    is_whole: bool  # the end of the body is certain, or it was cut here
    requested_at: float = 0.0
    received_at: float = 0.0


@dataclass
class Outcome:
    """What is kept for a site."""

    kind: str  # "rules", "unavailable" or "unreachable"
    status: int  # 0: there was no answer
    fresh_for: float
    body: bytes = b""
    sentence: str = ""  # why the file is unreachable
    url: str = ""  # of the last answer
    hops: List[str] = field(default_factory=list)


class Unusable(Exception):
    """An answer that counts as none. The message says why."""


def next_hop(url: str, hops: List[str], answer: Answer) -> Optional[str]:
    """Returns the URL that an answer redirects to; None: it is no redirect.

    hops: the URLs that redirected to ``url``; this one is added. Raises Unusable, and TooManyRedirects.
    """
    if answer.status not in _REDIRECTS:
        return None
    location = answer.fields.get("location", "").strip()
    if not location:
        raise Unusable(f"{url} redirects ({answer.status}) without a Location")
    try:
        target = urldefrag(location if _SCHEME.match(location) else urljoin(url, location)).url
        parts = urlsplit(target)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and not parts.username
    except ValueError:
        usable = False
    if not usable:
        raise Unusable(f"{url} redirects ({answer.status}) to a URL that cannot be followed")
    if url.startswith("https:") and parts.scheme == "http":
        raise Unusable(f"{url} redirects ({answer.status}) from https to http")
    hops.append(url)
    if target in hops or len(hops) > MAX_REDIRECTS:
        raise TooManyRedirects(answer.status)
    return target


class TooManyRedirects(Exception):
    """There are more than MAX_REDIRECTS, or a loop. RFC 9309 section 2.3.1.2: the file counts as unavailable."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def outcome_of(answer: Answer, failures: int, jitter: float) -> Outcome:
    """Returns what an answer that is not a redirect means. See unreachable() for failures and jitter."""
    status = answer.status
    floor = _MIN_FRESH
    if 200 <= status < 300 and status != 206:
        try:
            body = file_of(answer)
        except Unusable as unusable:
            return unreachable(0, str(unusable), failures, jitter)
        return Outcome("rules", status, _fresh_for(answer, floor), body)
    if 400 <= status < 500 and status not in _NOT_ABOUT_THE_FILE:
        if status in (401, 403):
            floor = _UNAUTHORIZED_FRESH
        return Outcome("unavailable", status, _fresh_for(answer, floor))
    pause = retry_after(answer.fields.get("retry-after"), answer.fields.get("date"), answer.received_at)
    return unreachable(status if status >= 300 else 0, f"the answer is {status}", failures, jitter, pause)


def too_many_redirects(status: int) -> Outcome:
    return Outcome("unavailable", status, _REDIRECTS_AGAIN)


def unreachable(
    status: int, sentence: str, failures: int, jitter: float, pause: Optional[float] = None
) -> Outcome:
    """Returns the outcome of a fetch that failed.

    failures: fetches that failed before this one, in a row. Each doubles the time until the next one.
    jitter: from 0 to 1; spreads retries over time.
    pause: what the server asked for; None: nothing.
    """
    wait = min(_RETRY_FIRST * 2 ** min(failures, _MAX_DOUBLINGS), _RETRY_LONGEST)
    wait += wait * jitter / 10
    if pause is not None:
        wait = max(wait, min(pause, DAY))
    return Outcome("unreachable", status, wait, sentence=sentence)


def file_of(answer: Answer) -> bytes:
    """Returns the file of a success: decoded, and cut after its last whole line if it is longer than MAX_BODY.

    Raises Unusable if the body is incomplete, or its coding is not known.
    """
    codings = [name.strip().lower() for name in answer.fields.get("content-encoding", "").split(",") if name.strip()]
    codings = [name for name in codings if name != "identity"]
    body, is_cut, is_whole = answer.body, answer.is_cut, answer.is_whole
    if codings:
        if codings not in (["gzip"], ["x-gzip"]):
            raise Unusable(f"the content coding {', '.join(codings)} was not asked for")
        body, is_cut, is_whole = _gunzip(body, is_cut)
    if not is_whole and not is_cut:
        raise Unusable("the body is incomplete")
    if is_cut or len(body) > MAX_BODY:
        body = body[:MAX_BODY]
        body = body[: max(body.rfind(b"\n"), body.rfind(b"\r")) + 1]
    return _with_byte_order(body, answer.fields.get("content-type", ""))


def _gunzip(data: bytes, is_cut: bool) -> Tuple[bytes, bool, bool]:
    """Returns the decoded bytes, whether there are more, and whether the end is certain. At most MAX_BODY + 1 bytes."""
    decoded = b""
    while True:
        stream = zlib.decompressobj(31)
        try:
            decoded += stream.decompress(data, MAX_BODY + 1 - len(decoded))
        except zlib.error as error:
            raise Unusable(f"the body is not gzip: {error}") from None
        if len(decoded) > MAX_BODY:
            return decoded, True, True
        if not stream.eof:
            return decoded, is_cut, is_cut
        data = stream.unused_data
        if not data.startswith(b"\x1f\x8b"):  # other bytes after the last member are ignored
            return decoded, is_cut, True


def _with_byte_order(body: bytes, content_type: str) -> bytes:
    """Adds a byte order mark to UTF-16 that only the Content-Type tells."""
    label = content_type.lower().replace(" ", "").replace('"', "").partition("charset=")[2].split(";")[0]
    if label not in ("utf-16", "utf-16be", "utf-16le") or body[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return body
    if b"\0" not in body[:1024]:
        return body
    return (b"\xff\xfe" if label == "utf-16le" else b"\xfe\xff") + body


def _fresh_for(answer: Answer, floor: float) -> float:
    return robots_freshness(answer.fields, answer.requested_at, answer.received_at, floor, float(DAY))
