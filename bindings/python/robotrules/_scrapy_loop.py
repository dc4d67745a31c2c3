"""What the middleware for Scrapy needs of the event loop: asyncio, with or without Twisted, or a reactor alone."""
from __future__ import annotations

import asyncio
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Awaitable, Callable

from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

try:
    from scrapy.utils.asyncio import is_asyncio_available
except ImportError:  # before Scrapy 2.13
    from scrapy.utils.reactor import is_asyncio_reactor_installed as is_asyncio_available

_THREADS = 4  # calls of the store at the same time


class Loop:
    """Waits, threads and timers. Its methods are called in the thread of the reactor, or of the asyncio loop."""

    def __init__(self) -> None:
        # Not the pool of the reactor: names of hosts are resolved there, and a store that hangs must not hold them up.
        self._pool = ThreadPoolExecutor(_THREADS, "robotrules")

    async def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Calls a function in a thread, and returns its result."""
        if is_asyncio_available():
            return await asyncio.get_running_loop().run_in_executor(self._pool, function, *arguments)
        reactor = _reactor()
        waiting: Deferred[Any] = Deferred()

        def settle(done: Future[Any]) -> None:
            error = done.exception()
            if error is None:
                waiting.callback(done.result())
            else:
                waiting.errback(error)

        submitted = self._pool.submit(function, *arguments)
        submitted.add_done_callback(lambda done: reactor.callFromThread(settle, done))
        return await waiting

    async def sleep(self, seconds: float) -> None:
        if is_asyncio_available():
            await asyncio.sleep(seconds)
            return
        reactor = _reactor()
        waiting: Deferred[Any] = Deferred()
        reactor.callLater(seconds, waiting.callback, None)
        await waiting

    def later(self, seconds: float, function: Callable[[], Any]) -> Any:
        """Calls a function after a time. Returns an object whose cancel() prevents that."""
        if is_asyncio_available():
            return asyncio.get_running_loop().call_later(seconds, function)
        reactor = _reactor()
        timer = reactor.callLater(seconds, function)

        class Timer:
            @staticmethod
            def cancel() -> None:
                if timer.active():
                    timer.cancel()

        return Timer

    @staticmethod
    def awaitable(waiting: Deferred[Any]) -> Awaitable[Any]:
        future: Awaitable[Any] = maybe_deferred_to_future(waiting)
        return future

    def close(self) -> None:
        """Waits for the calls that were begun."""
        self._pool.shutdown(wait=True)


def _reactor() -> Any:
    from twisted.internet import reactor  # it is installed when Scrapy runs, not before

    return reactor
