"""Texts, statuses and names at the border between Python and the C library (include/robotrules.h)."""
from __future__ import annotations

import gc
from typing import Any, Iterable, List, Tuple, Union

from ._errors import RobotRulesError
from ._native import ffi, lib

# A call that reads at most so many bytes keeps the GIL (module/write_module.py): it takes less than about a millisecond.
SHORT_TEXT = 65_536

# Texts that the package accepts. Text in bytes is not decoded: robots.txt files are bytes.
Text = Union[str, bytes, bytearray, memoryview]


def encode(text: Text, what: str) -> bytes:
    """Returns the bytes of a text. ``what`` names it in the message of a TypeError.

    A str becomes UTF-8. Bytes that Python has read as lone surrogates ("surrogateescape") become these bytes again;
    other lone surrogates are encoded as if they were characters, so no str is refused.
    """
    if isinstance(text, str):
        try:
            return str.encode(text)
        except UnicodeEncodeError:
            try:
                return str.encode(text, "utf-8", "surrogateescape")
            except UnicodeEncodeError:
                return str.encode(text, "utf-8", "surrogatepass")
    if type(text) is bytes:
        return text
    if isinstance(text, (bytes, bytearray, memoryview)):
        return bytes(memoryview(text))  # a subclass of bytes may have another length than its bytes
    raise TypeError(f"{what} has the type {type(text).__name__}; pass a str or bytes")


def bytes_of(view: Any) -> bytes:
    """Returns the bytes of a robotrules_str."""
    data: bytes = ffi.unpack(view.data, view.size)
    return data


def text_of(view: Any) -> str:
    """Returns the text of a robotrules_str. What is not UTF-8 becomes U+FFFD, so every text can be printed."""
    return bytes_of(view).decode("utf-8", "replace")


def texts_of(texts: Iterable[Text], what: str) -> Tuple[Any, int, List[Any]]:
    """Returns an array of robotrules_str, its length, and what must stay alive while C reads the array."""
    encoded = [encode(text, what) for text in texts]
    array = ffi.new("robotrules_str[]", len(encoded))
    alive = []
    for place, data in zip(array, encoded):
        pointer = ffi.from_buffer(data)
        alive.append(pointer)
        place.data = pointer
        place.size = len(data)
    return array, len(encoded), alive


def names_of(agent: Union[Text, Iterable[Text]], what: str) -> List[Text]:
    """Returns the names of a robot: one name, or several in their order."""
    if isinstance(agent, (str, bytes, bytearray, memoryview)):
        return [agent]
    if not isinstance(agent, Iterable):
        raise TypeError(f"{what} has the type {type(agent).__name__}; pass a str, bytes or several of them")
    return list(agent)


def whole_number(number: int, what: str, highest: int, advice: str = "pass a whole number") -> int:
    """Returns a number from 0 to ``highest``. ``what`` and ``advice`` are for the message of the exception."""
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= highest:
        raise RobotRulesError("invalid-argument", f"{what} is {number!r}; {advice}")
    return number


def check(status: int) -> None:
    """Raises the exception of a status that is not OK."""
    if status != 0:
        raise failure(status)


def failure(status: int) -> Exception:
    """Returns the exception of a status."""
    view = ffi.new("robotrules_str *")
    lib.robotrules_status_message(status, view)
    message = text_of(view)
    if status == lib.ROBOTRULES_OUT_OF_MEMORY:
        return MemoryError(message)
    lib.robotrules_status_code(status, view)
    return RobotRulesError(text_of(view), message)


def check_error(status: int, error: Any) -> None:
    """Does the same for a function with a parameter `error` (robotrules_error **), and frees the error."""
    if status == 0:
        return
    if error[0] == ffi.NULL:
        raise failure(status)
    handle = owned(error[0], lib.robotrules_error_free)
    view = ffi.new("robotrules_str *")
    lib.robotrules_error_code(handle, view)
    code = text_of(view)
    lib.robotrules_error_message(handle, view)
    raise RobotRulesError(code, text_of(view))


def owned(pointer: Any, free: Any) -> Any:
    """Returns a handle that ``free`` ends when nothing refers to it any more. All handles of the package are made here.

    The garbage collector does not end it, but the objects that refer to it: a finalizer (``__del__``, or the ``finally``
    of a generator) of a cycle that the collector ends may use the handle, and ffi.gc() alone would end that first.
    """
    handle = ffi.gc(pointer, free)
    if gc.is_tracked(handle):
        lib.untrack(ffi.cast("void *", id(handle)))
    return handle


def owned_text(out: Any) -> str:
    """Returns the text of a robotrules_text **, and frees it."""
    handle = owned(out[0], lib.robotrules_text_free)
    view = ffi.new("robotrules_str *")
    lib.robotrules_text_view(handle, view)
    return text_of(view)


def _names(function: Any, count: int) -> Tuple[str, ...]:
    view = ffi.new("robotrules_str *")
    names = []
    for value in range(count):
        function(value, view)
        names.append(text_of(view))
    return tuple(names)


ACCESS = _names(lib.robotrules_access_name, 3)
WHY = _names(lib.robotrules_why_name, 7)
REASON = _names(lib.robotrules_why_reason, 7)
KIND = _names(lib.robotrules_kind_name, 13)
SEVERITY = _names(lib.robotrules_severity_name, 3)
STATE = _names(lib.robotrules_state_name, 5)
OUTCOME = ("rules", "unavailable", "unreachable")  # by ROBOTRULES_OUTCOME_
DIALECTS = _names(lib.robotrules_dialect_name, lib.robotrules_dialect_count())


def version() -> str:
    """Returns the version of the library in the module."""
    view = ffi.new("robotrules_str *")
    lib.robotrules_version(view)
    return text_of(view)


def robot_name(user_agent: Text) -> str:
    """Returns the robot's name in a User-Agent header: "FooBot" for "Mozilla/5.0 (compatible; FooBot/1.0)".

    The result is "" if the header has none. A name alone is returned as it is.
    """
    data = encode(user_agent, "user_agent")
    pointer = ffi.from_buffer(data)  # the view is of this text
    view = ffi.new("robotrules_str *")
    find = lib.held_robot_name if len(data) <= SHORT_TEXT else lib.robotrules_robot_name
    check(find(pointer, len(data), view))
    return text_of(view)


def robots_url(url: Text) -> str:
    """Returns the URL of the robots.txt for an absolute http or https URL: "https://example.org/robots.txt".

    Raises RobotRulesError "invalid-url" for another text.
    """
    data = encode(url, "url")
    out = ffi.new("robotrules_text **")
    make = lib.held_robots_url if len(data) <= SHORT_TEXT else lib.robotrules_robots_url
    check(make(data, len(data), out))
    return owned_text(out)
