"""A drop-in for the package protego, with the verdicts of RFC 9309.

>>> from robotrules.protego import Protego
>>> robots = Protego.parse("User-agent: *\\nDisallow: /private\\nCrawl-delay: 2\\n")
>>> robots.can_fetch("https://example.org/private", "FooBot")
False
>>> robots.crawl_delay("FooBot")
2.0
"""
from __future__ import annotations

import datetime
from typing import Iterator, NamedTuple, Optional, Tuple, Union

from ._agents import RulesByAgent, without_blanks
from ._robots_txt import RobotsTxt

__all__ = ["Protego", "RequestRate", "VisitTime"]

_DAY = 24 * 60  # minutes


class RequestRate(NamedTuple):
    """At most ``requests`` in each period of ``seconds``; times are UTC, None: always."""

    requests: int
    seconds: int
    start_time: Optional[datetime.time]
    end_time: Optional[datetime.time]


class VisitTime(NamedTuple):
    """When the robot may come, in UTC."""

    start_time: datetime.time
    end_time: datetime.time


def _times(minutes: Tuple[int, int]) -> Tuple[datetime.time, datetime.time]:
    start, end = (datetime.time(*divmod(minute % _DAY, 60)) for minute in minutes)
    return start, end


class Protego:
    """A parsed robots.txt. Make it with ``Protego.parse()``."""

    def __init__(self) -> None:
        self._rules = RulesByAgent(RobotsTxt.parse(b""))

    @classmethod
    def parse(cls, content: Union[str, bytes], dialect: str = "rfc9309") -> "Protego":
        """Reads a file.

        content: a str; bytes are accepted too, and spare the decoding.
        dialect: how the file is read, one of robotrules.DIALECTS.
        """
        self = cls()
        self._rules = RulesByAgent(RobotsTxt.parse(content, dialect))
        return self

    def can_fetch(self, url: str, user_agent: str) -> bool:
        """Answers whether the robot may fetch ``url``. user_agent: its name, or its whole User-Agent header."""
        return self._rules[user_agent].allowed(without_blanks(url))

    def crawl_delay(self, user_agent: str) -> Optional[float]:
        """Returns the Crawl-delay for the robot in seconds; None: there is none."""
        return self._rules[user_agent].crawl_delay

    def request_rate(self, user_agent: str) -> Optional[RequestRate]:
        """Returns the Request-rate for the robot; None: there is none."""
        rate = self._rules[user_agent].request_rate
        if rate is None:
            return None
        start, end = (None, None) if rate.during is None else _times(rate.during)
        return RequestRate(rate.requests, rate.seconds, start, end)

    def visit_time(self, user_agent: str) -> Optional[VisitTime]:
        """Returns the Visit-time for the robot; None: there is none."""
        minutes = self._rules[user_agent].visit_time
        return None if minutes is None else VisitTime(*_times(minutes))

    @property
    def sitemaps(self) -> Iterator[str]:
        """The sitemaps as written, each once."""
        return iter([sitemap.value for sitemap in self._rules.file.sitemaps])

    @property
    def preferred_host(self) -> Optional[str]:
        """The value of the last Host line; None: there is none."""
        hosts = [line.value for line in self._rules.file.directives if line.kind == "Host" and line.value]
        return hosts[-1] if hosts else None
