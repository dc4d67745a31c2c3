"""Fields of HTTP responses: dates, Retry-After, and X-Robots-Tag.

Times are seconds since 1970 UTC; durations are seconds. Values are str; what is malformed counts as absent.
"""
from __future__ import annotations

import datetime
import re
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Dict, Iterable, List, Optional, Tuple

DAY = 86_400
_MAX_RETRY_AFTER = 365 * DAY


def http_date(text: Optional[str]) -> Optional[float]:
    """Returns the time of a date in one of the formats of RFC 9110 section 5.6.7."""
    if not text:
        return None
    try:
        moment = parsedate_to_datetime(text.strip())
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=datetime.timezone.utc)
    return moment.timestamp()


def retry_after(value: Optional[str], date: Optional[str], now: float) -> Optional[float]:
    """Returns how long not to ask again (RFC 9110 section 10.2.3); None: the field is absent, zero, past or malformed.

    date: the Date field of the same response. It is subtracted, so the clocks of both machines need not agree.
    """
    text = (value or "").strip()
    if text.isascii() and text.isdigit():
        return float(min(int(text[:12]), _MAX_RETRY_AFTER)) or None
    until = http_date(text)
    if until is None:
        return None
    said = http_date(date)
    left = until - (now if said is None else said)
    return min(left, float(_MAX_RETRY_AFTER)) if left > 0 else None


@dataclass
class PageRules:
    """What the X-Robots-Tag fields of a page say to one robot. They never say whether the page may be fetched."""

    noindex: bool = False
    nofollow: bool = False
    noarchive: bool = False
    nosnippet: bool = False
    noimageindex: bool = False
    notranslate: bool = False
    noai: bool = False
    noimageai: bool = False
    indexifembedded: bool = False
    #: Seconds since 1970; None: always available.
    unavailable_after: Optional[float] = None
    #: Other rules as written, such as "max-snippet: 20".
    others: List[str] = field(default_factory=list)

    def index_allowed(self, now: float) -> bool:
        """Returns False with noindex, and after the time of unavailable_after."""
        return not self.noindex and not (self.unavailable_after is not None and now > self.unavailable_after)


_MAX_TAG = 64 * 1024
_RULES: Dict[str, Tuple[str, ...]] = {name: (name,) for name in (
    "noindex", "nofollow", "noarchive", "nosnippet", "noimageindex", "notranslate", "noai", "noimageai",
    "indexifembedded",
)}
_RULES["none"] = ("noindex", "nofollow")
_RULES["nocache"] = ("noarchive",)
_WITH_VALUE = ("max-snippet", "max-video-preview", "max-image-preview", "unavailable_after")
_PERMISSIONS = ("all", "index", "follow", "")
_NAME = re.compile(r"[A-Za-z_-]+")
# A comma inside a date belongs to it: "unavailable_after: Friday, 25-Jun-10 15:00:00 PST".
_SPLIT = re.compile(r"(?<!\bMon)(?<!\bTue)(?<!\bWed)(?<!\bThu)(?<!\bFri)(?<!\bSat)(?<!\bSun)(?<!day),|;", re.IGNORECASE)


def page_rules(values: Iterable[str], agent: str) -> PageRules:
    """Returns the rules of X-Robots-Tag fields for the robot ``agent``, a product token.

    A rule may stand alone ("noindex") or after the name of a robot, which applies up to the next name or the end of the
    field: "googlebot: nofollow, noarchive". All prohibitions for the robot and for all robots apply.
    """
    rules = PageRules()
    token = _NAME.match(agent)
    robot = token[0].lower() if token else ""
    for value in values:
        applies = True
        for part in _SPLIT.split(value[:_MAX_TAG]):
            text = part.strip()
            name, colon, rest = (piece.strip() for piece in text.partition(":"))
            if colon and name.lower() not in _WITH_VALUE:
                applies, text = _is_for(name, robot), rest
            elif not colon and _is_for(text, robot):  # "*;noindex", "FooBot;noindex"
                applies = True
                continue
            if applies:
                _add(rules, text)
    return rules


def _is_for(name: str, robot: str) -> bool:
    token = _NAME.match(name)
    return name == "*" or (bool(robot) and token is not None and token[0].lower() == robot)


def _add(rules: PageRules, text: str) -> None:
    lowered = text.lower()
    if lowered in _RULES:
        for name in _RULES[lowered]:
            setattr(rules, name, True)
    elif lowered.startswith("unavailable_after"):
        until = _date(text.partition(":")[2].strip())
        if until is not None:
            known = rules.unavailable_after
            rules.unavailable_after = until if known is None else min(known, until)
            return
        rules.others.append(text)
    elif lowered not in _PERMISSIONS and text not in rules.others and len(rules.others) < 100:
        rules.others.append(text)


def _date(text: str) -> Optional[float]:
    try:
        moment = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return http_date(text)
    return (moment if moment.tzinfo else moment.replace(tzinfo=datetime.timezone.utc)).timestamp()
