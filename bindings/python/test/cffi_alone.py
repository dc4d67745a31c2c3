"""Loads the extension module without its type RulesBase, as other interpreters than CPython have it: import this first.

The package then has its base for Rules from robotrules/_rules_base.py.
"""
import importlib.machinery
import importlib.util
import sys

NAME = "robotrules._native"

folders = importlib.util.find_spec("robotrules").submodule_search_locations
native = importlib.util.module_from_spec(importlib.machinery.PathFinder.find_spec(NAME, folders))
del native.RulesBase
sys.modules[NAME] = native
