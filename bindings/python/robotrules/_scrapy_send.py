"""The last step before a request is sent: Scrapy's slots may have held it for longer than its permit is valid.

The one method by which Scrapy's downloader calls its download handlers is replaced in the running engine. A handler of
ours would need a setting, which could be forgotten, because Scrapy reads DOWNLOAD_HANDLERS before it makes its
middlewares. This needs none, and leaves every handler as it is: the settings name it, and Scrapy makes and closes it.
"""
from __future__ import annotations

from typing import Any, Awaitable, Callable, Optional

from scrapy.exceptions import NotSupported
from scrapy.utils.defer import deferred_from_coro
from twisted.internet.defer import DeferredLock, maybeDeferred

from ._errors import RobotRulesError
from ._scrapy_loop import Loop
from ._store import Reservation

_STEP = 1.0  # seconds between two looks at a permit whose request waits in a slot


class Permit:
    """The right to send one request, from the answer of the gate until the request is over.

    While the request waits in a slot of Scrapy, a timer looks at its age. A permit that is too old is given back at
    once: other processes could not have the site until then, and two processes could wait for each other.
    """

    def __init__(self, middleware: Any, reservation: Reservation) -> None:
        self._middleware = middleware
        self._lock = DeferredLock()  # one thread at a time may use a reservation
        self._timer: Any = None
        self.is_sent = False
        self._is_over = False
        self.renew(reservation)

    def renew(self, reservation: Reservation) -> None:
        """Takes another reservation in place of one that was too old."""
        self._reservation: Optional[Reservation] = reservation
        self._timer = self._middleware.loop.later(_STEP, self._look)

    async def begin(self) -> bool:
        """Call it directly before the request is sent. False: it is too late, and the gate must be asked again."""
        if not await self._is_valid(sends=True):
            return False
        self._timer.cancel()
        return True

    async def end(self) -> Optional[Reservation]:
        """Returns the reservation, which the caller completes or cancels; None: it was given back."""
        self.stop()
        await self._middleware.wait(self._lock.acquire())
        self._lock.release()
        return self._reservation

    def stop(self) -> None:
        """Ends the timer."""
        self._is_over = True
        self._timer.cancel()

    def _look(self) -> None:
        self._middleware.loop.begin(self._give_back_if_late())

    async def _give_back_if_late(self) -> None:
        if await self._is_valid(sends=False) and not (self.is_sent or self._is_over):
            self._timer = self._middleware.loop.later(_STEP, self._look)

    async def _is_valid(self, sends: bool) -> bool:
        await self._middleware.wait(self._lock.acquire())
        try:
            if self._reservation is None:
                return False
            if sends or not (self.is_sent or self._is_over):  # a look may come after the request was sent
                await self._middleware.call(self._reservation.may_send)
            self.is_sent = self.is_sent or sends
            return True
        except RobotRulesError:  # "too-late"; if the store fails, the next question says so
            self._reservation = None
            return False
        finally:
            self._lock.release()


class Wrapped:
    """The download handlers of an engine, with a call before each request that is handed to one of them."""

    def __init__(self, before: Callable[[Any], Awaitable[None]], concerns: Callable[[Any], bool]) -> None:
        """before: called with each request that ``concerns`` is true for. If it raises, the request is not sent."""
        self._before = before
        self._concerns = concerns
        self._handlers: Any = None

    def wrap(self, engine: Any) -> None:
        """Wraps the handlers of an engine, once. Raises NotSupported if this engine does not show them."""
        handlers: Any = getattr(getattr(engine, "downloader", None), "handlers", None)
        if handlers is not None and handlers is self._handlers:
            return
        try:
            if callable(getattr(handlers, "download_request_async", None)):
                handlers.download_request_async = self._by_coroutine(handlers.download_request_async)
            elif callable(getattr(handlers, "download_request", None)):  # before Scrapy 2.14
                handlers.download_request = self._by_deferred(handlers.download_request)
            else:
                raise AttributeError("it has no method download_request_async or download_request")
        except AttributeError as error:
            raise NotSupported(f"the attribute handlers of Scrapy's downloader: {error}") from error
        self._handlers = handlers

    def _by_coroutine(self, inner: Callable[[Any], Awaitable[Any]]) -> Callable[[Any], Awaitable[Any]]:
        async def download_request_async(request: Any) -> Any:
            if self._concerns(request):
                await self._before(request)
            return await inner(request)

        return download_request_async

    def _by_deferred(self, inner: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        async def send(request: Any, spider: Any) -> Any:
            await self._before(request)
            return await Loop.awaitable(maybeDeferred(inner, request, spider))

        def download_request(request: Any, spider: Any) -> Any:
            return deferred_from_coro(send(request, spider)) if self._concerns(request) else inner(request, spider)

        return download_request
