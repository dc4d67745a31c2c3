"""What the middleware for Scrapy needs of the event loop: asyncio, with or without Twisted, or a reactor alone."""
from __future__ import annotations

import asyncio
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Awaitable, Callable, Coroutine, Set

from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred, ensureDeferred

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
        self._tasks: Set[asyncio.Future[Any]] = set()

    async def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Calls a function in a thread, and returns its result."""
        return await self._call_in(self._pool, function, *arguments)

    async def _call_in(self, pool: ThreadPoolExecutor, function: Callable[..., Any], *arguments: Any) -> Any:
        if is_asyncio_available():
            return await asyncio.get_running_loop().run_in_executor(pool, function, *arguments)
        reactor = _reactor()
        waiting: Deferred[Any] = Deferred()

        def settle(done: Future[Any]) -> None:
            error = done.exception()
            if error is None:
                waiting.callback(done.result())
            else:
                waiting.errback(error)

        submitted = pool.submit(function, *arguments)
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

    def begin(self, work: Coroutine[Any, Any, Any]) -> None:
        """Begins a coroutine that nothing waits for."""
        if is_asyncio_available():
            task = asyncio.ensure_future(work)
            self._tasks.add(task)  # the loop itself does not keep it
            task.add_done_callback(self._tasks.discard)
        else:
            ensureDeferred(work)

    @staticmethod
    def awaitable(waiting: Deferred[Any]) -> Awaitable[Any]:
        if not waiting.called and not is_asyncio_available():
            waiting = _in_a_turn_of_its_own(waiting)
        future: Awaitable[Any] = maybe_deferred_to_future(waiting)
        return future

    async def close(self, last: Callable[[], Any]) -> None:
        """Waits for the calls that were begun, then calls ``last`` in a thread. Other work of the reactor goes on."""
        closing = ThreadPoolExecutor(1, "robotrules-closing")
        try:
            await self._call_in(closing, self._pool.shutdown)
            await self._call_in(closing, last)
        finally:
            closing.shutdown(wait=False)


def _in_a_turn_of_its_own(waiting: Deferred[Any]) -> Deferred[Any]:
    """Returns a Deferred with the same result, which fires in a later turn of the reactor, as a future of asyncio does.

    Otherwise requests that wait for a lock one after the other would be calls inside each other, and some hundred of
    them a RecursionError.
    """
    reactor = _reactor()
    own: Deferred[Any] = Deferred()
    waiting.addBoth(lambda result: reactor.callLater(0, own.callback, result))
    return own


def _reactor() -> Any:
    from twisted.internet import reactor  # it is installed when Scrapy runs, not before

    return reactor
