"""A drop-in for urllib.robotparser, with the verdicts of RFC 9309.

>>> from robotrules.robotparser import RobotFileParser
>>> parser = RobotFileParser()
>>> parser.parse(["User-agent: *", "Disallow: /*.pdf$"])
>>> parser.can_fetch("FooBot/1.0", "https://example.org/paper.pdf")
False
"""
from __future__ import annotations

import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Iterable, List, Optional, Tuple, Union
from urllib.robotparser import RequestRate

from ._agents import RulesByAgent, without_blanks
from ._core import encode
from ._robots_fetch import RobotsFetch
from ._robots_txt import GroupLines, RobotsTxt

__all__ = ["RobotFileParser", "RequestRate"]

MAX_SIZE = 512_000  # bytes of a file that read() fetches; RFC 9309 section 2.5 asks for 500 KiB or more


class RobotFileParser:
    """Answers questions about a single robots.txt file."""

    def __init__(self, url: str = "", dialect: str = "rfc9309"):
        """url: of the file, for read(). dialect: how the file is read, one of robotrules.DIALECTS."""
        self.dialect = dialect
        self.disallow_all = False
        self.allow_all = False
        self.last_checked: float = 0
        self.set_url(url)
        self._rules = RulesByAgent(RobotsTxt.parse(b"", dialect))

    def mtime(self) -> float:
        """Returns the time when the file was last fetched, in seconds since 1970; 0: never."""
        return self.last_checked

    def modified(self) -> None:
        """Sets the time when the file was last fetched to the current time."""
        self.last_checked = time.time()

    def set_url(self, url: str) -> None:
        """Sets the URL of the file."""
        self.url = url
        self.host, self.path = urllib.parse.urlparse(url)[1:3]

    def read(self) -> None:
        """Fetches the file by urllib.request and parses it.

        401 and 403 disallow all URLs, as in urllib.robotparser. Other 4xx allow all (RFC 9309 section 2.3.1.3). After
        407 (of a proxy), 426, 429 and 5xx the answers stay as they were: False if no file was ever read (section
        2.3.1.4).
        """
        # urllib follows redirects itself, also to and from other schemes, so the fetch does not need the real URL.
        fetch = RobotsFetch("http://robots.invalid/robots.txt", policy="strict", now=time.time())
        self._request(fetch)
        if fetch.is_repeated:
            self._request(fetch)
        if fetch.outcome == "unavailable":
            self.disallow_all = self.disallow_all or fetch.state == "disallow-all"
            self.allow_all = self.allow_all or fetch.state == "allow-all"
        elif fetch.outcome == "rules":
            self.disallow_all = False
            self.allow_all = False
            self._parse(fetch.robots)

    def _request(self, fetch: RobotsFetch) -> None:
        try:
            response = urllib.request.urlopen(self.url)
        except urllib.error.HTTPError as error:
            with error:
                if not 300 <= error.code < 400:  # urllib has given up
                    fetch.answer(error.code, _fields(error), b"", now=time.time())
            return
        with response:
            body = response.read(MAX_SIZE + 1)
            status = getattr(response, "status", None) or 200  # a file has none
            cut = len(body) > MAX_SIZE
            fetch.answer(status, _fields(response), body, encoded=True, cut=cut, now=time.time())

    def parse(self, lines: Union[str, bytes, Iterable[Union[str, bytes]]]) -> None:
        """Parses the lines of a file. The whole file as one text is accepted too."""
        if not isinstance(lines, (str, bytes)):
            lines = b"\n".join(encode(line, "a line").rstrip(b"\r\n") for line in lines)
        self._parse(encode(lines, "lines"))

    def can_fetch(self, useragent: str, url: str) -> bool:
        """Answers whether the robot may fetch ``url``. useragent: its name, or its whole User-Agent header."""
        if self.disallow_all:
            return False
        if self.allow_all:
            return True
        if not self.last_checked:  # nothing is known yet
            return False
        return self._rules[useragent].allowed(without_blanks(url) or b"/")

    def crawl_delay(self, useragent: str) -> Optional[Union[int, float]]:
        """Returns the Crawl-delay for the robot in seconds; None: there is none."""
        delay = self._rules[useragent].crawl_delay if self.mtime() else None
        return int(delay) if delay is not None and delay.is_integer() else delay

    def request_rate(self, useragent: str) -> Optional[RequestRate]:
        """Returns the Request-rate for the robot; None: there is none."""
        rate = self._rules[useragent].request_rate if self.mtime() else None
        return None if rate is None else RequestRate(rate.requests, rate.seconds)

    def site_maps(self) -> Optional[List[str]]:
        """Returns the sitemaps as written; None: there are none."""
        return self.sitemaps or None

    @property
    def sitemaps(self) -> List[str]:
        return [sitemap.value for sitemap in self._rules.file.sitemaps]

    def __str__(self) -> str:
        groups = self._rules.file.groups
        by_default = [any(agent.value == "*" for agent in group.agents) for group in groups]
        named = [_text(group) for group, default in zip(groups, by_default) if not default]
        return "\n\n".join(named + [_text(group) for group, default in zip(groups, by_default) if default])

    def _parse(self, robots: bytes) -> None:
        self._rules = RulesByAgent(RobotsTxt.parse(robots, self.dialect))
        self.modified()


def _fields(response: Any) -> List[Tuple[str, str]]:
    headers = getattr(response, "headers", None)
    return list(headers.items()) if headers is not None else []


def _text(group: GroupLines) -> str:
    settings = [line for line in group.other if line.kind in ("Crawl-delay", "Request-rate")]
    return "\n".join(f"{line.kind}: {line.value}".rstrip() for line in (*group.agents, *settings, *group.rules))
