# The extension module, which cffi makes from include/robotrules.h.
from typing import Any

ffi: Any
lib: Any
