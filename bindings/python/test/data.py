"""What several tests share: the folders with recorded answers, and the escapes of conformance tables."""
import os
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[3]
README = ROOT / "bindings" / "python" / "README.md"
_NAMED = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"\\": b"\\"}
_BYTE = re.compile(rb"\\\{(\d+)\}(\\x..|\\.|.)|\\x(..)|\\(.)", re.DOTALL)


def optional_folder(variable, name):
    """Returns the folder that an environment variable names, else ../shared/NAME beside the checkout."""
    return pathlib.Path(os.environ.get(variable) or ROOT.parent / "shared" / name)


def unescape(field):
    """Returns the bytes of a field with escapes (tests/conformance/README.md)."""

    def put(match):
        count, repeated, digits, named = match.groups()
        if count is not None:
            return unescape(repeated) * int(count)
        return bytes.fromhex(digits.decode()) if digits is not None else _NAMED[named]

    return _BYTE.sub(put, field)
