"""The base of Rules for interpreters that cannot have the type of the same name in module/rules_base.h, such as PyPy.

Both ask the methods _check, _allowed and _iterate of Rules. The type in C has its docstrings from here.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List

from ._core import Text

if TYPE_CHECKING:
    from ._rules import Verdict


class RulesBase:
    """The base of Rules, with the questions that programs ask most."""

    __slots__ = ("_handle", "_short", "_verdicts")
    _handle: Any
    _short: int  # a URL of so many bytes is asked about without releasing the GIL
    _verdicts: "Dict[int, Verdict]"  # by verdict_key(): a known verdict is not made again

    def check(self, url: Text) -> "Verdict":
        """Answers whether the robot may fetch ``url``, and why.

        url: an absolute URL, or a path that begins with "/". The host is ignored: whether the URL belongs to the site
            of the file is not checked. Any other text is matched as a path with "/" in front: neither
            "example.org/private" nor " /private" is the path /private. A blank is not a character of a URL (RFC 3986),
            so remove blanks first.
        """
        return self._check(url)

    def allowed(self, url: Text) -> bool:
        """Answers whether the robot may fetch ``url``, without the reason. Faster than check()."""
        return self._allowed(url)

    def check_many(self, urls: Iterable[Text]) -> "List[Verdict]":
        """Returns the verdicts for ``urls``, in their order. Faster than check() for each of them."""
        return [self._check(url) for url in self._iterate(urls)]

    def allowed_many(self, urls: Iterable[Text]) -> List[bool]:
        """Returns whether the robot may fetch each of ``urls``, in their order. The fastest way to ask."""
        return [self._allowed(url) for url in self._iterate(urls)]

    def _bind(self, handle: Any, address: int, short: int, verdicts: "Dict[int, Verdict]") -> None:
        """Gives the object its rules, once: their handle, and the address that the handle has."""
        self._handle = handle
        self._short = short
        self._verdicts = verdicts

    def _check(self, url: Text) -> "Verdict":
        raise NotImplementedError

    def _allowed(self, url: Text) -> bool:
        raise NotImplementedError

    def _iterate(self, urls: Iterable[Text]) -> Iterator[Text]:
        raise NotImplementedError
