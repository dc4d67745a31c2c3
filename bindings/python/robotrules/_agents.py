"""What the drop-ins share: one file, asked for robots that are known only by their User-Agent headers."""
from __future__ import annotations

import re
from typing import Any, Dict, List, Tuple

from ._core import Text, encode, robot_name
from ._robots_txt import RobotsTxt
from ._rules import Rules

_MAX_AGENTS = 1000  # robots whose rules one object keeps
_BLANKS = bytes(range(0x21))
_FIRST_PRODUCT = re.compile(r"[^\s/();,]+")


def robot_names(user_agent: Text) -> List[Text]:
    """Returns the names that a robot may have according to its User-Agent header.

    "FooBot/1.0 libwww-perl/6.0" begins with its name. "Mozilla/5.0 (compatible; FooBot/1.0)" has it in the comment.
    """
    names: List[Text] = []
    first = _FIRST_PRODUCT.match(user_agent.strip()) if isinstance(user_agent, str) else None
    if first is not None and first[0].lower() != "mozilla":
        names.append(first[0])
    name = robot_name(user_agent) or user_agent
    if name not in names:
        names.append(name)
    return names


def without_blanks(url: Text) -> bytes:
    """Returns the bytes of a URL without blanks and control characters at its ends, which RFC 3986 does not count to it.

    Links in pages often have them, and clients remove them before they send a request.
    """
    return encode(url, "url").strip(_BLANKS)


class RulesByAgent:
    """The rules of one file, compiled at the first question of each robot."""

    __slots__ = ("file", "_rules")

    def __init__(self, file: RobotsTxt):
        self.file = file
        self._rules: Dict[Text, Rules] = {}

    def __reduce__(self) -> Tuple[Any, ...]:
        return RulesByAgent, (self.file,)

    def __getitem__(self, user_agent: Text) -> Rules:
        """Returns the rules for a robot. user_agent: its name, or its whole User-Agent header."""
        if isinstance(user_agent, (bytearray, memoryview)):
            user_agent = bytes(user_agent)
        rules = self._rules.get(user_agent)
        if rules is None:
            rules = self.file.rules_for(robot_names(user_agent))
            if len(self._rules) >= _MAX_AGENTS:
                self._rules.clear()
            self._rules[user_agent] = rules
        return rules
