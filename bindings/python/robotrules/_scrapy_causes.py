"""Why a request of Scrapy got no answer, as Reservation.fail() takes it."""
from __future__ import annotations

import asyncio
import errno
import socket
import ssl
from typing import Any, Iterator, Optional, Tuple, Type

import scrapy.exceptions
from twisted.internet import error as twisted_error
from twisted.internet.defer import CancelledError

_Classes = Tuple[Type[BaseException], ...]


def _of_scrapy(*names: str) -> _Classes:
    """Returns exceptions of Scrapy. Older versions do not have all of them."""
    return tuple(getattr(scrapy.exceptions, name) for name in names if hasattr(scrapy.exceptions, name))


# The first line that an exception fits decides. NoRouteError and others are ConnectErrors too.
_CAUSES: Tuple[Tuple[str, _Classes], ...] = (
    ("timeout", (twisted_error.TimeoutError, twisted_error.TCPTimedOutError, TimeoutError, asyncio.TimeoutError,
                 *_of_scrapy("DownloadTimeoutError"))),
    ("dns", (twisted_error.DNSLookupError, twisted_error.UnknownHostError, socket.gaierror,
             *_of_scrapy("CannotResolveHostError"))),
    ("route", (twisted_error.NoRouteError,)),
    # A handler of a signal stops a download, or the body is longer than DOWNLOAD_MAXSIZE.
    ("cancelled", (CancelledError, twisted_error.ConnectingCancelledError, twisted_error.ConnectionAborted,
                   *_of_scrapy("StopDownload", "DownloadCancelledError"))),
    # TLS, and faults of this machine.
    ("none", (ssl.SSLError, twisted_error.SSLError, twisted_error.ConnectBindError, twisted_error.UserError,
              twisted_error.BadFileError, twisted_error.ServiceNameUnknownError)),
)
_BROKEN: _Classes = (twisted_error.ConnectError, twisted_error.ConnectionClosed, ConnectionError,
                     *_of_scrapy("DownloadConnectionRefusedError", "ResponseDataLossError"))
_NO_ROUTE = (errno.ENETUNREACH, errno.ENETDOWN)
# This machine has no descriptor, port or memory for the connection, or does not permit it.
_LACKS = (errno.EMFILE, errno.ENFILE, errno.EADDRNOTAVAIL, errno.ENOBUFS, errno.ENOMEM, errno.EPERM, errno.EACCES)


def cause_of(error: BaseException, request: Any) -> str:
    """Returns the cause of a request that ended with an exception: "none" if it is not the site.

    What fails behind a proxy may be the proxy, so it is not counted against the site.
    """
    found = next(filter(None, map(_cause, _origins(error))), "none")
    return "none" if request.meta.get("proxy") and found != "cancelled" else found


def _origins(error: BaseException) -> Iterator[BaseException]:
    """Yields what an exception was made of, the innermost first, and then the exception itself."""
    for reason in getattr(error, "reasons", None) or ():  # Twisted's ResponseFailed has a list of Failures
        yield from _origins(getattr(reason, "value", reason))
    if error.__cause__ is not None:
        yield from _origins(error.__cause__)
    yield error


def _cause(error: BaseException) -> Optional[str]:
    """Returns the cause that one exception names, or None."""
    for cause, classes in _CAUSES:
        if isinstance(error, classes):
            return cause
    number = getattr(error, "osError", None)
    if number is None and isinstance(error, OSError):
        number = error.errno
    if number in _NO_ROUTE:
        return "route"
    if number in _LACKS:
        return "none"
    return "connect" if isinstance(error, _BROKEN) else None
