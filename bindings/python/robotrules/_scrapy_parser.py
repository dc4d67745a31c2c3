"""The parser for Scrapy's setting ROBOTSTXT_PARSER."""
from __future__ import annotations

from typing import Any, Optional, Union

from scrapy import robotstxt

from ._agents import RulesByAgent, without_blanks
from ._robots_txt import RobotsTxt


class RobotParser(robotstxt.RobotParser):
    """A parser for the setting ROBOTSTXT_PARSER."""

    def __init__(self, robotstxt_body: Union[bytes, str], dialect: str = "rfc9309") -> None:
        self._rules = RulesByAgent(RobotsTxt.parse(robotstxt_body, dialect))

    @classmethod
    def from_crawler(cls, crawler: Any, robotstxt_body: bytes) -> "RobotParser":
        """Reads a file. The setting ROBOTRULES_DIALECT of the crawler says how; crawler may be None."""
        settings = getattr(crawler, "settings", None)
        return cls(robotstxt_body, "rfc9309" if settings is None else settings.get("ROBOTRULES_DIALECT", "rfc9309"))

    def allowed(self, url: Union[str, bytes], user_agent: Union[str, bytes]) -> bool:
        """Answers whether the robot may fetch ``url``. user_agent: its name, or its whole User-Agent header."""
        return self._rules[_text(user_agent)].allowed(without_blanks(url))

    def crawl_delay(self, user_agent: Union[str, bytes]) -> Optional[float]:
        """Returns the Crawl-delay for the robot in seconds; None: there is none."""
        return self._rules[_text(user_agent)].crawl_delay


def _text(text: Union[str, bytes]) -> str:
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else text
