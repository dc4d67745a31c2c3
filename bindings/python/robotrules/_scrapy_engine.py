"""Scrapy's engine as the middleware sees it: the requests in its downloader, and whether its spider closes."""
from __future__ import annotations

import contextlib
from typing import Any, Iterator


class Engine:
    """The engine of a crawler."""

    def __init__(self, crawler: Any, max_waiting: int) -> None:
        """max_waiting: so many requests may wait without a place of CONCURRENT_REQUESTS."""
        self._crawler = crawler  # it gets its engine later
        self._max_waiting = max_waiting
        self._waiting = 0

    @property
    def has_waiting(self) -> bool:
        """Whether a request waits without a place."""
        return self._waiting > 0

    @property
    def is_closing(self) -> bool:
        slot = self._slot()
        return slot is not None and bool(slot.closing)

    @property
    def active(self) -> Any:
        """The requests that are in Scrapy's downloader."""
        return getattr(getattr(self._crawler.engine, "downloader", None), "active", set())

    @contextlib.contextmanager
    def beside_the_others(self, request: Any) -> Iterator[None]:
        """While a request waits for its site, it takes no place of CONCURRENT_REQUESTS, so other sites go on."""
        active = self.active
        if request not in active or self._waiting >= self._max_waiting:
            yield
            return
        active.discard(request)
        self._waiting += 1
        slot = self._slot()
        if slot is not None:
            slot.nextcall.schedule()
        try:
            yield
        finally:
            self._waiting -= 1
            active.add(request)

    def _slot(self) -> Any:
        engine = self._crawler.engine
        return getattr(engine, "_slot", None) or getattr(engine, "slot", None)
