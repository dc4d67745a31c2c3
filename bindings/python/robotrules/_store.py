"""Stores, and the gate: when a robot may send its next request to a site.

Times are seconds since 1970-01-01 00:00 UTC by the store's clock, as time.time() gives them. Durations are seconds; a
datetime.timedelta is accepted too.
"""
from __future__ import annotations

import datetime
import os
from dataclasses import dataclass
from typing import Any, Iterable, NoReturn, Optional, TypeVar, Union

from ._core import (
    SHORT_TEXT, Text, check, check_error, encode, names_of, owned, owned_text, text_of, texts_of, whole_number
)
from ._errors import RobotRulesError
from ._native import ffi, lib

Duration = Union[int, float, datetime.timedelta]
_Opened = TypeVar("_Opened", bound="Opened")

_DAYS_PER_YEAR = 366
_MAX_SECONDS = 100 * _DAYS_PER_YEAR * 86_400  # for a record of a site; the gate accepts a year
_ANSWER = {
    lib.ROBOTRULES_GATE_GRANTED: "granted",
    lib.ROBOTRULES_GATE_WAIT: "wait",
    lib.ROBOTRULES_GATE_BLOCKED: "blocked",
}
_CAUSES = {
    "connect": lib.ROBOTRULES_CAUSE_CONNECT,
    "timeout": lib.ROBOTRULES_CAUSE_TIMEOUT,
    "dns": lib.ROBOTRULES_CAUSE_DNS,
    "route": lib.ROBOTRULES_CAUSE_ROUTE,
    "cancelled": lib.ROBOTRULES_CAUSE_CANCELLED,
    "none": lib.ROBOTRULES_CAUSE_NONE,
}


def microseconds(duration: Duration, what: str) -> int:
    """Returns a duration as the C library has it."""
    if isinstance(duration, datetime.timedelta):
        duration = duration.total_seconds()
    if isinstance(duration, bool) or not isinstance(duration, (int, float)):
        raise TypeError(f"{what} is a {type(duration).__name__}; pass seconds or a timedelta")
    if not 0 <= duration <= _MAX_SECONDS:  # also not for NaN
        raise RobotRulesError("invalid-argument", f"{what} is {duration} seconds; pass a number from 0 to 100 years")
    return round(duration * 1_000_000)


def time_of(moment: int) -> Optional[float]:
    """Returns a time of the C library in seconds; None: there is none."""
    return None if moment == lib.ROBOTRULES_NO_TIME else moment / 1_000_000


def gate_key(url: Text) -> str:
    """Returns the gate key of a URL: "https://example.org". Raises RobotRulesError "invalid-url"."""
    data = encode(url, "url")
    out = ffi.new("robotrules_text **")
    make = lib.held_gate_key if len(data) <= SHORT_TEXT else lib.robotrules_gate_key
    check(make(data, len(data), out))
    return owned_text(out)


@dataclass(frozen=True)
class GateState:
    """The state of a gate key."""

    #: When the interval of the last request is over; None: there was no request.
    next_at: Optional[float]
    #: When the pause ends that the server asked for; a time in the past: there is none now.
    penalty_until: Optional[float]
    #: None: never.
    last_visit: Optional[float]
    visits: int
    #: Requests under way.
    in_flight: int
    #: Refusals of the server (429, 503) in a row.
    incidents: int


class OfOneProcess:
    """Base of what cannot be copied, and belongs to the process that opened its store."""

    __slots__ = ("_process", "__weakref__")
    _process: int  # forks before it was made

    def __reduce__(self) -> NoReturn:
        kind = type(self).__name__
        raise TypeError(f"a {kind} cannot be pickled or copied; open the store by its name where it is needed")

    def _made_here(self) -> None:
        self._process = _forks

    def _check_process(self) -> None:
        """Raises in a child of the process. A thread of the parent may hold a lock that nothing opens in the child."""
        if self._process != _forks:
            raise RobotRulesError(
                "store-forked", "the store was opened before this process was forked; open stores after fork()"
            )


class Opened(OfOneProcess):
    """Base of what is open until close(), or until the end of a with block."""

    __slots__ = ("_pointer",)
    _pointer: Any
    _advice: str  # what a call after close() says

    @property
    def _handle(self) -> Any:
        pointer = self._pointer
        if pointer is None:
            raise RobotRulesError("closed", self._advice)
        self._check_process()
        return pointer

    @property
    def closed(self) -> bool:
        return self._pointer is None

    def close(self) -> None:
        self._pointer = None

    def __enter__(self: _Opened) -> _Opened:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


_forks = 0


def _forked() -> None:
    global _forks
    _forks += 1


os.register_at_fork(after_in_child=_forked)


class Reservation(OfOneProcess):
    """The answer of the gate, and with it the right to one request if it was granted.

    After a granted request, call complete(), fail() or cancel() once. As a context manager it does that itself: at the
    end of the block, a request that has no end yet counts as sent without an answer, for no known cause. One thread at
    a time may use a reservation.
    """

    __slots__ = ("_handle", "_ended", "answer", "fence", "until", "why", "key")
    _handle: Any
    _ended: bool

    #: "granted": send the request now. "wait": ask again at ``until``. "blocked": leave the site alone.
    answer: str
    #: If granted, it rises with each grant of a key; else 0.
    fence: int
    #: granted: when the hold expires. wait and blocked: when to ask again.
    until: float
    #: wait: "interval", "penalty", "in-flight", "just-visited", "away" (it gave no answer) or "unreachable"; else "".
    why: str
    #: wait and blocked: the key with the longest wait; else "".
    key: str

    def __init__(self, *_: Any) -> None:
        raise TypeError("reservations are made by Store.reserve()")

    @classmethod
    def _of(cls, pointer: Any) -> "Reservation":
        self = cls.__new__(cls)
        self._made_here()
        self._handle = owned(pointer, lib.robotrules_reservation_free)
        said = ffi.new("robotrules_gate_answer *")
        check(lib.robotrules_reservation_answer(self._handle, said))
        self.answer = _ANSWER[said.answer]
        self.fence = said.fence
        self.until = said.until / 1_000_000
        self.why = text_of(said.why)
        self.key = text_of(said.key)
        self._ended = not self.granted
        return self

    @property
    def granted(self) -> bool:
        """True: send the request now."""
        return self.answer == "granted"

    def complete(self, status: int = 0, *, retry_after: Optional[Duration] = None, latency: Duration = 0) -> None:
        """Ends the request after its response.

        status: the HTTP status; 0: there was no answer, see fail(). 429 and 503 cause a pause.
        retry_after: the pause that the server asked for (Retry-After); None: none.
        latency: from the request to the end of the response.

        Raises RobotRulesError "invalid-argument" if the request was not granted, "unknown-token" if it was ended
        before or its hold has expired, and the errors of the store. A with block does not try it again: after an error,
        the keys are held until ``until``.
        """
        pause = -1 if retry_after is None else microseconds(retry_after, "retry_after")
        took = microseconds(latency, "latency")
        whole_number(status, "status", (1 << 31) - 1, "pass the HTTP status, or 0 for no answer")
        error = ffi.new("robotrules_error **")
        handle = self._granted_handle()
        self._ended = True
        check_error(lib.robotrules_reservation_complete(handle, status, pause, took, error), error)

    def fail(self, cause: str) -> None:
        """Ends a request that was sent and got no answer, or none that is whole.

        cause: "connect": the connection could not be made, or broke. "timeout": a time limit was reached. "dns": the
            name could not be resolved at the time. "route": this machine had no route to the site. "cancelled": the
            robot itself ended the request. "none": the cause is not known, or it is not the site.

        The first four pause the key of the origin, see gate_key(): for 5 seconds, doubled with each further failure in
        a row up to 10 minutes. An answer ends the row. The others pause nothing and end no row. Raises as complete()
        does, and "invalid-argument" if there is no such cause.
        """
        if cause not in tuple(_CAUSES):
            raise RobotRulesError("invalid-argument", f"there is no cause {cause!r}; pass one of {', '.join(_CAUSES)}")
        error = ffi.new("robotrules_error **")
        handle = self._granted_handle()
        self._ended = True
        check_error(lib.robotrules_reservation_fail(handle, _CAUSES[cause], error), error)

    def cancel(self) -> None:
        """Ends a request that was not sent. Raises as complete() does."""
        error = ffi.new("robotrules_error **")
        handle = self._granted_handle()
        self._ended = True
        check_error(lib.robotrules_reservation_cancel(handle, error), error)

    def may_send(self) -> None:
        """Call it directly before the request is handed to the client.

        If more than two seconds have passed since reserve() was called, cancels the request and raises
        RobotRulesError "too-late": ask the gate again. (If a server has lost its last writes, another process may be
        granted the key after that.) Else it asks no server and returns at once.
        """
        error = ffi.new("robotrules_error **")
        handle = self._granted_handle()
        try:
            check_error(lib.robotrules_reservation_may_send(handle, error), error)
        except RobotRulesError:
            self._ended = True
            raise

    def _granted_handle(self) -> Any:
        self._check_process()
        if not self.granted:
            raise RobotRulesError("invalid-argument", f"the request was not granted: the answer is {self.answer!r}")
        return self._handle

    def __bool__(self) -> bool:
        return self.granted

    def __enter__(self) -> "Reservation":
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        if self._ended:
            return
        try:
            self.complete()
        except RobotRulesError:
            if kind is None:  # an exception of the block is more important
                raise

    def __repr__(self) -> str:
        return f"<Reservation: {self.answer}{' ' + self.why if self.why else ''} until {self.until}>"


class Store(Opened):
    """What a robot remembers about sites: records of robots.txt files, visits and gates. See open_store().

    Any number of threads may use it at the same time. As a context manager it is closed at the end of the block; the
    data stays until nothing uses it any more. It belongs to the process that opened it: in a child after fork(), all
    calls raise "store-forked", also for "memory:".
    """

    __slots__ = ()
    _advice = "the store is closed; open it again with open_store()"

    def __init__(self, *_: Any) -> None:
        raise TypeError("stores are made by open_store()")

    def now(self) -> float:
        """Returns the time of the store's clock."""
        microseconds_now: int = lib.robotrules_store_now(self._handle)
        return microseconds_now / 1_000_000

    def reserve(
        self,
        keys: Union[Text, Iterable[Text]],
        *,
        interval: Duration = 0,
        hold: Duration = 300,
        max_penalty: Duration = 86_400,
        in_flight: int = 1,
        from_start: bool = False,
        robots_fetch: bool = False,
    ) -> Reservation:
        """Asks for the right to send one request. It reserves all keys at once, or none.

        keys: one key or several, see gate_key().
        interval: the time between two requests, usually from the end of one to the start of the next. The gate does
            not know the Crawl-delay of the site: pass it here, see Rules.crawl_delay.
        hold: after this time without complete(), the process counts as dead.
        max_penalty: a longer pause that a server asks for is shortened to this.
        in_flight: at most this many requests at the same time.
        from_start: the interval runs from the start of a request.
        robots_fetch: the request fetches a robots.txt, which the interval does not delay.

        Processes and machines that share a store share its gates: of all of them, one request is granted at a time.
        Raises RobotRulesError "invalid-request" if there is no key or a key is given twice, and the errors of the
        store.
        """
        if whole_number(in_flight, "in_flight", (1 << 32) - 1, "pass a number from 1") == 0:
            raise RobotRulesError("invalid-argument", "in_flight is 0; pass a number from 1")
        request = ffi.new("robotrules_gate_request *")
        request.size = ffi.sizeof("robotrules_gate_request")
        request.interval = microseconds(interval, "interval")
        request.hold = max(1, microseconds(hold, "hold"))  # 0 is the usual hold in C
        request.max_penalty = max(1, microseconds(max_penalty, "max_penalty"))
        request.in_flight = in_flight
        request.from_start = bool(from_start)
        request.robots_fetch = bool(robots_fetch)
        names, count, _alive = texts_of(names_of(keys, "keys"), "a key")
        out = ffi.new("robotrules_reservation **")
        error = ffi.new("robotrules_error **")
        check_error(lib.robotrules_store_reserve(self._handle, names, count, request, out, error), error)
        return Reservation._of(out[0])

    def gate(self, key: Text) -> GateState:
        """Returns the state of a gate key."""
        data = encode(key, "key")
        state = ffi.new("robotrules_gate_state *")
        error = ffi.new("robotrules_error **")
        check_error(lib.robotrules_store_gate(self._handle, data, len(data), state, error), error)
        return GateState(
            time_of(state.next_at),
            time_of(state.penalty_until),
            time_of(state.last_visit),
            state.visits,
            state.in_flight,
            state.incidents,
        )

    def close(self) -> None:
        """Closes the store for this object. RobotRules and reservations that use it go on."""
        super().close()

    def __repr__(self) -> str:
        return f"<Store{', closed' if self.closed else ''}>"


def open_store(
    name: Union[Text, os.PathLike[str], os.PathLike[bytes]] = "memory:",
    *,
    existing: bool = False,
    first_ever: bool = False,
    read_only: bool = False,
    durable: bool = False,
) -> Store:
    """Opens a store by its name.

        "memory:"                                this process, until the last object that uses it ends
        PATH, "sqlite:PATH"                      a file, which the processes of one machine share; also a pathlib.Path
        "redis://[USER[:PASSWORD]@]HOST[:PORT][/NUMBER]"   a Redis or Valkey server; "rediss://" through TLS
        "postgresql://..."                       a PostgreSQL database; a connection URI of libpq

    The servers are there if the module was built with them; docs/fleet.md lists the settings that a name may end with.
    For files:

    existing: fail with "store-missing" if there is no such file.
    first_ever: a new file is the first one: no site was visited before. Otherwise a new file assumes that an earlier
        one was lost, and every site counts as just visited.
    read_only: accept a file that cannot be written.
    durable: every change is on the disk before a call returns.

    Raises RobotRulesError with the codes of stores, such as "store-name", "store-unreachable" and "store-damaged".
    """
    data = encode(os.fspath(name) if isinstance(name, os.PathLike) else name, "name")
    flags = (
        (lib.ROBOTRULES_STORE_EXISTING if existing else 0)
        | (lib.ROBOTRULES_STORE_FIRST_EVER if first_ever else 0)
        | (lib.ROBOTRULES_STORE_READ_ONLY if read_only else 0)
        | (lib.ROBOTRULES_STORE_DURABLE if durable else 0)
    )
    out = ffi.new("robotrules_store **")
    error = ffi.new("robotrules_error **")
    check_error(lib.robotrules_store_open(data, len(data), flags, out, error), error)
    store = Store.__new__(Store)
    store._made_here()
    store._pointer = owned(out[0], lib.robotrules_store_free)
    return store
