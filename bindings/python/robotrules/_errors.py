"""Errors of the package."""
from __future__ import annotations

from typing import Any, Tuple


class RobotRulesError(Exception):
    """A call that cannot be carried out: wrong use, or a store that fails.

    A robots.txt never causes one: every text is a valid file.

    ``code`` is stable and meant for programs: "unknown-dialect", "invalid-url", "invalid-argument", "closed", and the
    codes of stores, such as "store-unreachable" (see robotrules.open_store). The text of the exception is a sentence
    for people: what happened, to what, and what to do.
    """

    def __init__(self, code: str, message: str):
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> Tuple[Any, ...]:
        return (RobotRulesError, (self.code, str(self)))

    def __repr__(self) -> str:
        return f"RobotRulesError({self.code!r}, {str(self)!r})"
