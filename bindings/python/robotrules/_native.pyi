# The extension module, which cffi makes from include/robotrules.h.
from typing import Any

from ._rules_base import RulesBase as RulesBase

ffi: Any
lib: Any
